#include "serve/overlays.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

#include "throng/navigation.h"
#include "throng/navigation_graph.h"
#include "throng/navigation_views.h"
#include "throng/patch_views.h"
#include "throng/views.h"

#include "serve/messages.h"
#include "serve/protocol.h"
#include "serve/scene_message.h"

namespace throng::serve {
namespace {

constexpr int kRoutesEach = 8;               ///< of each population
constexpr std::size_t kMostAsked = 64;       ///< at once
constexpr std::size_t kLargest = 48u << 20;  ///< bytes of one overlay
constexpr std::size_t kMostPotentials = 8;
constexpr std::string_view kPotential = "potential: ";

/// Those that follow doors and obstacles.
bool isOfTheMap(std::string_view name) {
  return name == "corridor map" || name == "routes" || name.starts_with(kPotential);
}

bool hasFlows(const Scene& scene) {
  return std::any_of(scene.populations.begin(), scene.populations.end(),
                     [](const Population& p) { return p.flow.has_value(); });
}

/// Where people of flows pass from cylinder to cylinder.
void addGates(Overlay& overlay, const NavigationGraph& graph) {
  const Paint wide{0x2a7f8f, 1}, narrow{0xc0392b, 1};
  constexpr double kNarrow = 2;  // m: two abreast
  for (const NavigationGate& gate : graph.edges())
    overlay.lines.push_back({.points = {gate.gate.a, gate.gate.b},
                             .paint = gate.width < kNarrow ? narrow : wide,
                             .width = 2,
                             .layer = graph.vertices()[gate.low].layer});
  overlay.keys.push_back({Overlay::Key::Mark::kLine, wide, "gate"});
  overlay.keys.push_back({Overlay::Key::Mark::kLine, narrow, fmt::format("narrower than {:g} m", kNarrow)});
  overlay.caption = fmt::format("{} gates", graph.edges().size());
}

/// The cells of every district in their places, and the walks in them.
void addPatches(Overlay& overlay, const Scene& scene) {
  for (const PatchDistrict& district : scene.districts) {
    if (!district.patches) continue;
    std::uint16_t layer = 0;
    for (std::size_t l = 0; l < scene.layers.size(); ++l)
      if (scene.layers[l].name == district.layer) layer = static_cast<std::uint16_t>(l);
    Overlay cells = viewPatches(*district.patches).overlay;
    const auto move = [&](std::vector<Point>& points) {
      for (Point& p : points) p += district.at;
    };
    for (Overlay::Area& area : cells.areas) {
      for (Polygon& piece : area.pieces) move(piece.outer);
      area.layer = layer;
      overlay.areas.push_back(std::move(area));
    }
    for (Overlay::Line& line : cells.lines) {
      move(line.points);
      line.layer = layer;
      overlay.lines.push_back(std::move(line));
    }
    overlay.keys = cells.keys;
    overlay.caption = cells.caption;
  }
}

}  // namespace

Overlays::Overlays(const Scene& scene, Ready ready)
    : scene_(scene), ready_(std::move(ready)), thread_([this] { work(); }) {}

Overlays::~Overlays() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

std::vector<std::string> Overlays::names() const {
  std::vector<std::string> list{"corridor map", "routes", "navigation graph", "gates"};
  if (hasFlows(scene_)) list.emplace_back("flows");
  if (std::any_of(scene_.layers.begin(), scene_.layers.end(), [](const Layer& l) { return !l.regions.empty(); }))
    list.emplace_back("regions");
  if (!scene_.levels.cameras.empty()) list.emplace_back("levels of simulation");
  if (std::any_of(scene_.districts.begin(), scene_.districts.end(), [](const PatchDistrict& d) { return d.patches; }))
    list.emplace_back("patches and trajectories");
  for (const std::string& to : destinations(scene_, kMostPotentials))
    if (std::string name = std::string(kPotential) + to; name.size() <= kLongestOverlayName)
      list.push_back(std::move(name));
  return list;
}

void Overlays::ask(ClientId client, const std::string& name) {
  {
    const std::lock_guard lock(mutex_);
    if (asked_.size() >= kMostAsked) return;
    asked_.emplace_back(client, name);
  }
  wake_.notify_all();
}

void Overlays::stand(Walls walls) {
  const std::lock_guard lock(mutex_);
  walls_ = std::move(walls);
}

void Overlays::work() {
  for (;;) {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [&] { return ending_ || !asked_.empty(); });
    if (ending_) return;
    const auto [client, name] = asked_.front();
    asked_.pop_front();
    const Walls walls = walls_;
    lock.unlock();
    if (walls != on_map_) {
      std::erase_if(made_, [](const auto& made) { return isOfTheMap(made.first); });
      if (map_) rebuild(walls);
      on_map_ = walls;
    }
    auto found = made_.find(name);
    if (found == made_.end()) {
      try {
        found = made_.emplace(name, make(name)).first;
      } catch (const Error& error) {
        ready_(client, message(noticeMessage("error", error.what())));
        continue;
      }
    }
    ready_(client, found->second);
  }
}

void Overlays::rebuild(const Walls& walls) {
  for (const ObstacleId id : obstacles_) map_->removeObstacle(id);
  obstacles_.clear();
  for (const auto& [name, open] : walls.doors) map_->setDoor(map_->door(name), open);
  for (const Walls::Obstacle& obstacle : walls.obstacles) {
    try {
      obstacles_.push_back(map_->insertObstacle(obstacle.shape, LayerId(obstacle.layer)));
    } catch (const InputError&) {
      // A recording may hold what no map takes; the others are shown.
    }
  }
}

Message Overlays::make(const std::string& name) {
  const auto known = names();
  if (std::find(known.begin(), known.end(), name) == known.end())
    throw InputError("This scene has no such thing to show.");
  if (!map_ && isOfTheMap(name)) {
    map_ = std::make_unique<NavigationMap>(scene_);
    rebuild(on_map_);
  }
  if (!graph_ && (name == "navigation graph" || name == "flows" || name == "gates" || name == "levels of simulation"))
    graph_ = std::make_unique<NavigationGraph>(scene_, 1);
  Overlay overlay;
  if (name == "corridor map") addCorridorMap(overlay, *map_);
  if (name == "routes") addRoutes(overlay, *map_, scene_, kRoutesEach);
  if (name == "navigation graph") addNavigationGraph(overlay, *graph_);
  if (name == "flows") addFlows(overlay, *graph_, scene_);
  if (name == "regions") addRegions(overlay, scene_);
  if (name == "gates") addGates(overlay, *graph_);
  if (name == "levels of simulation") addLevels(overlay, *graph_, scene_);
  if (name == "patches and trajectories") addPatches(overlay, scene_);
  if (name.starts_with(kPotential)) addPotential(overlay, *map_, scene_, name.substr(kPotential.size()));
  std::string bytes = overlayMessage(name, overlay, scene_);
  if (bytes.size() > kLargest) throw InputError(fmt::format("The {} of this scene is too large to show.", name));
  return message(std::move(bytes));
}

}  // namespace throng::serve
