// Which outer sides of patches adjoin ground to walk on, and how much of it is free before them.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

#include "districts/district.h"

namespace throng::districts {
namespace {

/// m of free ground straight before every point of a gate: people who come out are simulated from there on, and those
/// who go in have to get up to speed.
constexpr double kLeastRoom = 1.5;
/// m: farther away nobody needs to line up.
constexpr double kMostRoom = 8;
constexpr double kStride = 0.25;  // m between places that are looked at
/// m outside the border: so much is certainly not the wall that the border is.
constexpr double kBeyond = kPatchRadius + 0.05;

bool isFree(const ground::Floor& floor, Point place) {
  constexpr double kBody = kPatchRadius + 0.01;
  return floor.contains(place) && floor.clearance(place, kBody) >= kBody;
}

/// m of free ground straight outside from a crossing, along the line on which it is crossed.
double roomBefore(const ground::Floor& floor, const Gate& gate, Point from, Point outwards) {
  const double first = kBeyond / -dot(outwards, gate.side.inward);
  double room = 0;
  for (double s = first; s <= kMostRoom && isFree(floor, from + outwards * s); s += kStride) room = s;
  return room;
}

}  // namespace

void District::findGates(const PatchDistrict& about, const ground::Floor& floor) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, Gate> sides;  // by place and side: in that order they are numbered
  const auto gateAt = [&](std::uint32_t place, std::uint32_t side) -> Gate& {
    Gate& gate = sides[{place, side}];
    gate.place = place;
    gate.side = patches::sideOf(library_->patches[library_->placed[place].patch].definition, side);
    gate.side.corner += origin(place);
    return gate;
  };
  for (std::uint32_t i = 0; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    if (part.is_resident) continue;
    const Patch& patch = library_->patches[library_->placed[part.place].patch];
    const PatchWalk& walk = patch.walks[part.walk];
    const auto add = [&](bool out) {
      patches::Crossing crossing =
          out ? patches::outputOf(patch.definition, walk.output) : patches::inputOf(patch.definition, walk.input);
      crossing.position += origin(part.place);
      Gate& gate = gateAt(part.place, out ? walk.output.side : walk.input.side);
      (out ? gate.outputs : gate.inputs).push_back({i, crossing, normalized(crossing.velocity), 0});
    };
    if (part.is_source) add(false);
    if (part.next == kNothing) add(true);
  }
  for (auto& [key, gate] : sides) {
    bool any = false;
    for (auto* points : {&gate.inputs, &gate.outputs})
      for (GatePoint& point : *points) {
        const Point outwards = points == &gate.outputs ? point.way : point.way * -1.0;
        point.room = roomBefore(floor, gate, point.crossing.position, outwards);
        any |= floor.contains(point.crossing.position + gate.side.inward * -(2 * kBeyond));
      }
    if (!any) continue;  // people come from nowhere and leave for good
    for (const auto* points : {&gate.inputs, &gate.outputs})
      for (const GatePoint& point : *points)
        if (point.room < kLeastRoom)
          throw InputError(
              {Diagnostic{.at = point.crossing.position,
                          .message = fmt::format(
                              "district \"{}\": the gate from ({:g}, {:g}) to ({:g}, {:g}) has only {:.2g} m of "
                              "free ground before one of its points; allowed: {:g} m and more, or none at all "
                              "before the whole side",
                              about.name, gate.side.corner.x, gate.side.corner.y,
                              gate.side.corner.x + gate.side.tangent.x * gate.side.length,
                              gate.side.corner.y + gate.side.tangent.y * gate.side.length, point.room, kLeastRoom)}});
    const auto number = static_cast<std::uint32_t>(gates_.size());
    for (const GatePoint& point : gate.inputs) parts_[point.part].is_source = false;
    for (std::uint32_t k = 0; k < gate.outputs.size(); ++k)
      parts_[gate.outputs[k].part].gate = number, parts_[gate.outputs[k].part].exit = k;
    gates_.push_back(std::move(gate));
  }
}

}  // namespace throng::districts
