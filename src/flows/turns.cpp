#include "flows/turns.h"

#include <algorithm>
#include <cmath>

#include "base/math.h"
#include "base/narrowing.h"
#include "corridors/visibility.h"
#include "flows/flows.h"

namespace throng::flows {
namespace {

constexpr double kLookEvery = 1;  // s
/// m: people wait around a place, as far as one sees from its middle, but no farther than this.
constexpr double kAround = 40;
/// People per m² who wait: far enough from one another that others walk through between them.
constexpr double kWaiting = 0.4;
constexpr double kBeside = 2;    // m around a place where nobody waits either
constexpr double kBody = 0.3;    // m of room for one
constexpr double kOffWalls = 5;  // m
constexpr int kCorners = 64, kSamples = 400;

/// What is seen from the middle of a place.
Polygon surroundings(const corridors::CorridorMap& map, const FlowEnd& end) {
  const Point middle = wide(end.at);
  Polygon around;
  for (int k = 0; k < kCorners; ++k) {
    double sine, cosine;
    base::sinCos(2 * base::kPi * k / kCorners, sine, cosine);
    const Point rim = middle + Point{cosine, sine} * std::max(kAround, static_cast<double>(end.radius));
    const corridors::Sight sight = corridors::lookAlong(map, middle, end.floor, rim, kBody);
    around.outer.push_back(sight.cell != corridors::kNone && sight.floor == end.floor ? sight.end : middle);
  }
  return around;
}

/// m² of it that are so far from walls that people may wait there.
double roomIn(const Polygon& around, Point middle, const ground::Floor& floor, base::Random& random) {
  double room = 0;
  const auto& corner = around.outer;
  for (std::size_t k = 0; k < corner.size(); ++k) {
    const Point a = corner[k] - middle, b = corner[(k + 1) % corner.size()] - middle;
    const double area = std::abs(a.x * b.y - a.y * b.x) / 2;
    constexpr int kEach = kSamples / kCorners;
    for (int i = 0; i < kEach; ++i) {
      double u = random.uniform(), v = random.uniform();
      if (u + v > 1) u = 1 - u, v = 1 - v;
      const Point at = middle + a * u + b * v;
      if (floor.contains(at) && floor.clearance(at, kOffWalls) >= kOffWalls) room += area / kEach;
    }
  }
  return room;
}

}  // namespace

bool SetOutByTurns::hasTurns(const step::StepContext& context, std::size_t p) const {
  const Population& people = context.scene.populations[p];
  if (!people.flow || !people.flow->spread) return false;
  const std::uint16_t profile = context.profileIndex(people.profile);
  return congestion_.minds(profile) && context.scene.profiles[profile].take_turns;
}

void SetOutByTurns::attach(step::StepContext& context) {
  bool any = false;
  for (std::size_t p = 0; p < context.scene.populations.size(); ++p) any |= hasTurns(context, p);
  if (any && context.terrain.map()) goals_.turns().attach(context.crowd);
}

/// Both ends of every flow that spreads. They are found anew for a snapshot: they follow from the scene.
void SetOutByTurns::findGates(step::StepContext& context) {
  found_ = context.scene.populations.size();
  ends_.clear();
  std::vector<goals::Turns::Gate> gates;
  const auto before = goals_.turns().gates();
  for (std::size_t p = 0; p < found_; ++p) {
    if (!hasTurns(context, p)) continue;
    const FlowEnds& flow = *context.scene.populations[p].flow;
    for (std::int32_t k = 0; k < 2; ++k) {
      const FlowEnd end = Flows::end(context, k == 0 ? flow.from : flow.to);
      const ground::Floor& floor = context.terrain.floors()[end.floor];
      base::Random random(context.seed);
      goals::Turns::Gate gate;
      gate.journey = static_cast<std::uint32_t>(p), gate.goal = k, gate.layer = end.floor;
      gate.middle = wide(end.at), gate.kept_free = end.radius + kBeside;
      gate.surroundings = {surroundings(*context.terrain.map(), end)};
      const double own = base::kPi * end.radius * end.radius;
      const double room = std::max(own, roomIn(gate.surroundings.front(), wide(end.at), floor, random));
      gate.room = static_cast<std::uint32_t>(kWaiting * room);
      const auto same = std::find_if(before.begin(), before.end(),
                                     [&](const auto& g) { return g.journey == gate.journey && g.goal == gate.goal; });
      if (same != before.end()) gate.may_go = same->may_go;
      gates.push_back(std::move(gate));
      ends_.push_back({wide(end.at), end.floor, static_cast<std::uint16_t>(p), kBody});
    }
  }
  // Several flows share the ground around a place.
  std::vector<std::uint32_t> sharing(gates.size(), 0);
  for (std::size_t g = 0; g < gates.size(); ++g)
    for (std::size_t h = 0; h < gates.size(); ++h)
      sharing[g] += gates[g].layer == gates[h].layer && length(gates[g].middle - gates[h].middle) < kAround;
  for (std::size_t g = 0; g < gates.size(); ++g) gates[g].room /= std::max(1u, sharing[g]);
  goals_.turns().setGates(std::move(gates));
  if (!goals_.turns().gates().empty()) attach(context);
}

void SetOutByTurns::run(step::StepContext& context) {
  if (!context.terrain.map()) return;
  if (found_ != context.scene.populations.size()) findGates(context);
  if (ends_.empty() || context.clock.due() < next_look_) return;
  next_look_ = context.clock.time() + kLookEvery;
  look(context);
}

void SetOutByTurns::look(step::StepContext& context) {
  agents::Crowd& crowd = context.crowd;
  goals::Turns& turns = goals_.turns();
  const auto gates = turns.gates();
  context.threads.forEach(gates.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t g = begin; g < end; ++g) {
      const End &here = ends_[g], &there = ends_[g ^ 1];
      const double spare = kLookEvery * congestion_.room(context, here.at, here.layer, there.at, there.layer, kBody);
      gates[g].may_go = std::min(std::max(gates[g].may_go, 0.0) + spare, 1 + spare);
    }
  });
  turns.count(crowd);
  turns.next(crowd, rows_);
  for (const std::uint32_t r : rows_) {
    goals::advance(crowd, r, goals_.of(crowd, r));
    goals_.begin(context, r);
  }
}

void SetOutByTurns::save(const step::StepContext&, base::ArchiveWriter& writer) const {
  Saved saved{goals_.turns().lastTicket(), next_look_, {}};
  for (const auto& gate : goals_.turns().gates()) saved.may_go.push_back(gate.may_go);
  saved.fields(writer);
}

void SetOutByTurns::load(base::ArchiveReader& reader, const step::Loading&) { loaded_.fields(reader); }

void SetOutByTurns::accept(step::StepContext& context) {
  goals::Turns& turns = goals_.turns();
  turns.setLastTicket(loaded_.last_ticket);
  next_look_ = loaded_.next_look;
  attach(context);
  turns.setGates({});
  found_ = 0;
  if (!context.terrain.map()) return;
  findGates(context);
  const auto gates = turns.gates();
  for (std::size_t g = 0; g < std::min(gates.size(), loaded_.may_go.size()); ++g)
    gates[g].may_go = std::isfinite(loaded_.may_go[g]) ? loaded_.may_go[g] : 0;
  turns.count(context.crowd);
}

}  // namespace throng::flows
