// What browsers that design are told: the document and what is wrong with it, and which models there are.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "throng/world.h"

#include "serve/connection.h"

namespace throng::serve {

struct DocumentNews {
  const std::string& text;
  std::uint64_t revision = 0;
  std::string file;  ///< its name; empty: none yet
  bool can_save = false;
  bool passing = false;  ///< what is saved goes when the studio ends
  bool changed = false;
  const std::string* undo = nullptr;
  const std::string* redo = nullptr;
  std::string pen;    ///< "you", "somebody" or "nobody" holds it
  std::string state;  ///< "checking", "running" or "draft"
  const std::vector<Diagnostic>& findings;
};

Message documentNews(const DocumentNews& news);
/// Planners, followers, steering models and the stream layer, with their parameters.
Message modelsMessage();
/// Doors as they are, and what stands in the way besides the scene's obstacles.
Message wallsMessage(const World& world, const Scene& scene);
/// Where the file has the door of this name; nothing when it has none.
std::string doorPointer(const nlohmann::ordered_json& file, const std::string& name);

}  // namespace throng::serve
