#include "simulation/changes.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "base/overloaded.h"
#include "geometry/boxes.h"
#include "simulation/bystanders.h"

namespace throng::simulation {

std::uint32_t Changes::insert(std::span<const Point> convex, std::uint16_t layer, std::string_view name) {
  const ground::Walls before = context_.terrain.floors()[layer].walls;
  const std::uint32_t id = context_.terrain.insert(convex, layer, name, context_.clock.time());
  goals_.progress().begin(context_.clock.time());
  for (const step::Inserted& piece : context_.terrain.inserted()) {
    if (piece.whole != id) continue;
    makeWay(context_, geometry::boxOf(piece.shape), layer, before);
    context_.requests.cuts.push_back({piece.shape, layer});
  }
  return id;
}

void Changes::remove(std::uint32_t obstacle) {
  const std::uint16_t layer = context_.terrain.remove(obstacle, context_.clock.time());
  goals_.progress().begin(context_.clock.time());
  digOut(context_, layer);
  context_.requests.freed = true;
}

bool Changes::setDoor(std::string_view name, bool open) {
  const auto layers = static_cast<std::uint16_t>(context_.scene.layers.size());
  for (std::uint16_t i = 0; i < layers; ++i)
    for (const Door& door : context_.scene.layers[i].doors) {
      if (door.name != name) continue;
      const step::Inserted* there = context_.terrain.find(name);
      if ((there == nullptr) == open) return false;
      if (open) {
        remove(there->whole);
      } else {
        const Point line[] = {door.line.a, door.line.b};
        insert(line, i, name);
      }
      return true;
    }
  throw InputError(fmt::format("There is no door called \"{}\".", name));
}

void Changes::closeDoors() {
  for (const Layer& layer : context_.scene.layers)
    for (const Door& door : layer.doors)
      if (!door.open) setDoor(door.name, false);
}

HappenEvents::HappenEvents(const Scene& scene, Changes& changes) : changes_(changes), events_(scene.events.size()) {
  std::iota(events_.begin(), events_.end(), std::size_t{0});
  std::stable_sort(events_.begin(), events_.end(),
                   [&](std::size_t s, std::size_t t) { return scene.events[s].time < scene.events[t].time; });
}

bool HappenEvents::isDue(const step::StepContext& context) const {
  return next_ < events_.size() && context.scene.events[events_[next_]].time <= context.clock.due();
}

void HappenEvents::run(step::StepContext& context) {
  if (!isDue(context)) return;
  const std::size_t index = events_[next_];
  try {
    happen(context, context.scene.events[index]);
  } catch (const InputError& error) {
    std::vector<Diagnostic> findings = error.diagnostics();
    for (Diagnostic& finding : findings) finding.pointer = fmt::format("/events/{}", index);
    throw InputError(std::move(findings));
  }
  ++next_;
}

void HappenEvents::happen(const step::StepContext& context, const Event& event) {
  std::visit(base::Overloaded{
                 [&](const OpenDoor& open) { changes_.setDoor(open.door, true); },
                 [&](const CloseDoor& close) { changes_.setDoor(close.door, false); },
                 [&](const InsertObstacle& insertion) {
                   changes_.insert(insertion.obstacle.outer, context.terrain.space().floor(insertion.layer),
                                   insertion.name);
                 },
                 [&](const RemoveObstacle& removal) {
                   if (const step::Inserted* there = context.terrain.find(removal.name)) changes_.remove(there->whole);
                 },
             },
             event.change);
}

void HappenEvents::save(const step::StepContext&, base::ArchiveWriter& writer) const {
  std::uint64_t next = next_;
  writer(next);
}

void HappenEvents::load(base::ArchiveReader& reader, const step::Loading&) {
  reader(loaded_);
  step::Loading::require(loaded_ <= events_.size(), "its time or its events make no sense");
}

void HappenEvents::accept(step::StepContext&) { next_ = loaded_; }

}  // namespace throng::simulation
