// What browsers that design are told: the document and what is wrong with it, and which models there are.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
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
struct Walls {
  struct Obstacle {
    std::string name;
    std::uint16_t layer = 0;
    std::vector<Point> shape;
    std::optional<double> z = {};  ///< m: of the lowest ground beneath it, where the layer's ground is no plane
    bool operator==(const Obstacle&) const = default;
  };
  std::map<std::string, bool> doors;  ///< open?
  std::vector<Obstacle> obstacles;
  bool operator==(const Walls&) const = default;
};
Walls wallsOf(const World& world, const Scene& shown);
/// Of a recording, until a moment.
Walls wallsOf(const std::vector<Change>& changes, const Scene& shown);
Message wallsMessage(const Walls& walls);
/// Where the file has the door of this name; nothing when it has none.
std::string doorPointer(const nlohmann::ordered_json& file, const std::string& name);

}  // namespace throng::serve
