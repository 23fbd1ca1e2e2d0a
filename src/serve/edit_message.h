// What browsers may say about the scene's design: changes of its document. The reader is a pure function of the text.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace throng::serve {

/// One change of the document, at a JSON pointer.
struct EditStep {
  enum class Kind { kSet, kInsert, kRemove };
  Kind kind = Kind::kSet;
  std::string at;
  nlohmann::ordered_json value;  ///< nothing for kRemove
};
/// Changes that are made, and undone, at once: all of them or none.
struct EditRequest {
  std::string label;  ///< what they are, for the list of what can be undone: "move an obstacle"
  std::string merge;  ///< not empty: one step of undoing with the edits before that say the same, as sliders send many
  std::vector<EditStep> steps;
};
/// Wants the document, and news of it, or no more; who edits first holds the pen until they want no more.
struct DesignRequest {
  bool on = true;
};
struct UndoRequest {};
struct RedoRequest {};
/// To the file that the scene was opened from; or, where it has none, to a new one of this name in its folder.
struct SaveRequest {
  std::string name;
  bool replace = false;  ///< also what somebody else has written there meanwhile
};
/// A door of the scene, from now on and from the beginning.
struct DoorRequest {
  std::string name;
  bool open = true;
};
/// An empty rectangle to walk on, instead of what there is.
struct NewSceneRequest {
  double width = 0, depth = 0;  ///< m
};

using DesignMessage =
    std::variant<DesignRequest, EditRequest, UndoRequest, RedoRequest, SaveRequest, DoorRequest, NewSceneRequest>;

inline constexpr std::size_t kMostSteps = 256, kLongestPointer = 512, kLongestLabel = 80, kLongestSceneName = 200,
                             kLongestDoorName = 4096;               // bytes
inline constexpr double kSmallestScene = 2, kLargestScene = 10000;  // m

/// Is this type of message about the design?
bool isDesignMessage(std::string_view type);
/// A request, or what is wrong: never throws for what the text says.
std::variant<DesignMessage, std::string> parseDesignMessage(const std::string& text);

/// Of a file that may be made beside the scene: one word or several with the ending .json, and nothing that leads
/// elsewhere.
bool isPlainFileName(std::string_view name);

}  // namespace throng::serve
