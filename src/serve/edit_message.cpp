#include "serve/edit_message.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include "scene/json_text.h"

namespace throng::serve {
namespace {

using json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 7> kTypes{"design", "edit", "undo", "redo", "save", "door", "new-scene"};

/// What is wrong with a message, as a sentence for its sender.
struct Refused {
  std::string what;
};

/// An object's entries, each asked for by name; what nobody asked for is wrong.
class Entries {
 public:
  explicit Entries(const json& object) : object_(object) {
    if (!object.is_object()) throw Refused{"a step is an object"};
  }
  const json* find(const char* name) {
    const auto found = object_.find(name);
    if (found == object_.end()) return nullptr;
    ++read_;
    return &*found;
  }
  const json& at(const char* name) {
    const json* found = find(name);
    if (!found) throw Refused{fmt::format("\"{}\" is missing", name)};
    return *found;
  }
  static std::string text(const json& value, const char* name, std::size_t longest) {
    if (!value.is_string() || value.get_ref<const std::string&>().size() > longest)
      throw Refused{fmt::format("\"{}\" is a text of at most {} bytes", name, longest)};
    return value.get<std::string>();
  }
  std::string text(const char* name, std::size_t longest) { return text(at(name), name, longest); }
  std::string textOrNothing(const char* name, std::size_t longest) {
    const json* value = find(name);
    return value ? text(*value, name, longest) : std::string();
  }
  bool flag(const char* name, std::optional<bool> usual = {}) {
    const json* value = usual ? find(name) : &at(name);
    if (!value) return *usual;
    if (!value->is_boolean()) throw Refused{fmt::format("\"{}\" is true or false", name)};
    return value->get<bool>();
  }
  double number(const char* name, double least, double most) {
    const json& value = at(name);
    const double found = value.is_number() ? value.get<double>() : least - 1;
    if (!(found >= least && found <= most))
      throw Refused{fmt::format("\"{}\" is a number from {} to {}", name, least, most)};
    return found;
  }
  void done() const {
    if (object_.size() != read_) throw Refused{"it has an entry that is not known"};
  }

 private:
  const json& object_;
  std::size_t read_ = 0;
};

EditStep stepOf(const json& object) {
  Entries entries(object);
  EditStep step;
  const std::string kind = entries.text("op", 8);
  if (kind == "set")
    step.kind = EditStep::Kind::kSet;
  else if (kind == "insert")
    step.kind = EditStep::Kind::kInsert;
  else if (kind == "remove")
    step.kind = EditStep::Kind::kRemove;
  else
    throw Refused{R"("op" is "set", "insert" or "remove")"};
  step.at = entries.text("at", kLongestPointer);
  if (!step.at.empty() && step.at[0] != '/') throw Refused{R"("at" is a JSON pointer)"};
  if (step.kind != EditStep::Kind::kRemove) step.value = entries.at("value");
  entries.done();
  return step;
}

EditRequest editOf(Entries& entries) {
  EditRequest edit;
  edit.label = entries.text("label", kLongestLabel);
  edit.merge = entries.textOrNothing("merge", kLongestLabel);
  const json& steps = entries.at("steps");
  if (!steps.is_array() || steps.empty() || steps.size() > kMostSteps)
    throw Refused{fmt::format("\"steps\" is a list of 1 to {} steps", kMostSteps)};
  for (const json& step : steps) edit.steps.push_back(stepOf(step));
  return edit;
}

DesignMessage messageOf(const std::string& type, Entries& entries) {
  if (type == "design") return DesignRequest{entries.flag("on")};
  if (type == "edit") return editOf(entries);
  if (type == "undo") return UndoRequest{};
  if (type == "redo") return RedoRequest{};
  if (type == "save") {
    SaveRequest save{entries.textOrNothing("name", kLongestSceneName), entries.flag("replace", false)};
    if (!save.name.empty() && !isPlainFileName(save.name))
      throw Refused{"\"name\" is a plain file name that ends in .json: no folder, nothing of / \\ : * ? \" < > |"};
    return save;
  }
  if (type == "door") return DoorRequest{entries.text("name", kLongestDoorName), entries.flag("open")};
  if (type == "new-scene")
    return NewSceneRequest{entries.number("width", kSmallestScene, kLargestScene),
                           entries.number("depth", kSmallestScene, kLargestScene)};
  throw Refused{"its type is not known"};
}

}  // namespace

bool isDesignMessage(std::string_view type) { return std::find(kTypes.begin(), kTypes.end(), type) != kTypes.end(); }

bool isPlainFileName(std::string_view name) {
  const auto plain = [&](char c) {
    return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f &&
           std::string_view("/\\:*?\"<>|").find(c) == std::string_view::npos;
  };
  const auto has_control = [&] {  // of those beyond ASCII: 0x80 to 0x9f, as UTF-8 has them
    for (std::size_t i = 0; i + 1 < name.size(); ++i)
      if (name[i] == '\xc2' && static_cast<unsigned char>(name[i + 1]) < 0xa0) return true;
    return false;
  };
  constexpr std::string_view kEnding = ".json";
  return name.size() > kEnding.size() && name.size() <= kLongestSceneName && name.ends_with(kEnding) &&
         name[0] != '.' && name[0] != ' ' && name.find("..") == std::string_view::npos &&
         std::all_of(name.begin(), name.end(), plain) && !has_control();
}

std::variant<DesignMessage, std::string> parseDesignMessage(const std::string& text) {
  scene::JsonProblem problem;
  // The reader of scenes: no key twice, and no brackets deeper than a scene may have.
  const auto message = scene::parseJson(text, problem);
  if (!message) return problem.message;
  std::string type;
  try {
    Entries entries(*message);
    type = entries.text("type", 32);
    if (!isDesignMessage(type)) throw Refused{"its type is not known"};
    DesignMessage request = messageOf(type, entries);
    entries.done();
    return request;
  } catch (const Refused& refused) {
    return isDesignMessage(type) ? fmt::format("{}: {}", type, refused.what) : refused.what;
  }
}

}  // namespace throng::serve
