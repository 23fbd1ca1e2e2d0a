// The vector kernel of ORCA: one person per lane; see steering/orca_reference.cpp for the same, plainly.
#include "agents/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "steering/orca.cpp"
#include <hwy/foreach_target.h>

#include <algorithm>
#include <cstdint>
#include <hwy/highway.h>
#include <vector>

#include "agents/nearest_batch-inl.h"
#include "steering/orca.h"
#include "steering/orca_lines.h"
#include "steering/orca_program-inl.h"

HWY_BEFORE_NAMESPACE();
namespace throng::steering {
namespace HWY_NAMESPACE {

namespace nearest = agents::HWY_NAMESPACE;
using agents::NeighbourIndex;

// Lanes for which no velocity is allowed. They are few, so they wait here until they fill a vector.
struct Waiting {
  LaneLines lines;
  std::size_t lanes = 0, count = 0;  // people, and the most lines that one of them has
  HWY_ALIGN float max_speed[hn::MaxLanes(FloatTag())], x[hn::MaxLanes(FloatTag())], y[hn::MaxLanes(FloatTag())];
  HWY_ALIGN std::int32_t hard[hn::MaxLanes(FloatTag())], failed[hn::MaxLanes(FloatTag())];
  std::uint32_t row[hn::MaxLanes(FloatTag())];
};

// What one thread keeps between calls, so that a warm kernel does not allocate.
struct Scratch {
  LaneLines lines, projected;
  base::Column<std::uint32_t> found_slot;
  base::Column<float> found_distance;
  base::Column<double> keys;
  OrcaWallScratch walls;
  std::vector<OrcaLine> wall_lines[hn::MaxLanes(FloatTag())];
  Waiting waiting;
};

struct Parameters {
  float inverse_horizon, inverse_dt, horizon_walls, range;
  std::size_t max_neighbours;
};

// The people in the lanes; a batch of fewer people than lanes repeats the last.
struct Lanes {
  std::size_t people;
  std::uint16_t layer, zone;
  HWY_ALIGN std::uint32_t slot[hn::MaxLanes(FloatTag())], row[hn::MaxLanes(FloatTag())];
  Vec2s position, velocity, preferred;
  Floats radius, max_speed, turn;
};

HWY_INLINE Floats gather(const float* column, Uints at) {
  return hn::GatherIndex(FloatTag(), column, hn::BitCast(IntTag(), at));
}

HWY_INLINE Floats gather(std::span<const float> column, Uints at) { return gather(column.data(), at); }

HWY_INLINE void loadLanes(const StepInput& input, std::span<const std::uint32_t> slots, std::size_t people,
                          Lanes& lanes) {
  const UintTag du;
  const NeighbourIndex& index = input.neighbours;
  lanes.people = people;
  for (std::size_t lane = 0; lane < hn::Lanes(du); ++lane) {
    lanes.slot[lane] = slots[std::min(lane, people - 1)];
    lanes.row[lane] = index.row()[lanes.slot[lane]];
  }
  const Uints slot = hn::Load(du, lanes.slot), row = hn::Load(du, lanes.row);
  lanes.position = {gather(index.x(), slot), gather(index.y(), slot)};
  lanes.velocity = {gather(index.vx(), slot), gather(index.vy(), slot)};
  lanes.radius = gather(index.radius(), slot);
  lanes.preferred = {gather(input.crowd.preferred_vx, row), gather(input.crowd.preferred_vy, row)};
  lanes.max_speed = gather(input.crowd.max_speed, row);

  HWY_ALIGN std::uint32_t person[hn::MaxLanes(du)];
  for (std::size_t lane = 0; lane < hn::Lanes(du); ++lane) person[lane] = input.crowd.person[lanes.row[lane]];
  const Uints hash = hn::ShiftRight<9>(hn::Mul(hn::Load(du, person), hn::Set(du, kOrcaTurnHash)));
  const Floats one_to_two = hn::BitCast(FloatTag(), hn::Or(hash, hn::Set(du, 0x3f800000u)));
  lanes.turn = hn::Sub(hn::Mul(all(kOrcaTurn), one_to_two), all(0.5f * kOrcaTurn));
}

// Lines of walls into the first rows; returns how many rows.
HWY_INLINE std::size_t addWallLines(const StepInput& input, const Parameters& parameters, const Lanes& lanes,
                                    std::size_t neighbours, Scratch& scratch) {
  const NeighbourIndex& index = input.neighbours;
  std::size_t most = 0;
  if (lanes.layer < input.floors.size() && !input.floors[lanes.layer].walls.grid.empty()) {
    for (std::size_t lane = 0; lane < lanes.people; ++lane) {
      const std::uint32_t slot = lanes.slot[lane];
      const OrcaWalker walker{{index.x()[slot], index.y()[slot]},
                              {index.vx()[slot], index.vy()[slot]},
                              index.radius()[slot],
                              input.crowd.max_speed[lanes.row[lane]]};
      orcaWallLines(input.floors[lanes.layer].walls, walker, parameters.horizon_walls, scratch.walls,
                    scratch.wall_lines[lane]);
      most = std::max(most, scratch.wall_lines[lane].size());
    }
  } else {
    for (auto& lines : scratch.wall_lines) lines.clear();
  }
  scratch.lines.reserve(most + neighbours);
  for (std::size_t i = 0; i < most; ++i) {
    scratch.lines.clear(i);
    for (std::size_t lane = 0; lane < lanes.people; ++lane) {
      if (i < scratch.wall_lines[lane].size()) scratch.lines.set(i, lane, scratch.wall_lines[lane][i]);
    }
  }
  return most;
}

// The line of one neighbour per lane (orcaAgentLine of the twin).
HWY_INLINE LaneLine neighbourLine(const NeighbourIndex& index, const Parameters& parameters, const Lanes& lanes,
                                  Uints slot, Mask there) {
  const FloatTag d;
  const Floats zero = hn::Zero(d), one = all(1.0f);
  const Vec2s position = Vec2s{gather(index.x(), slot), gather(index.y(), slot)} - lanes.position;
  const Vec2s velocity = lanes.velocity - Vec2s{gather(index.vx(), slot), gather(index.vy(), slot)};
  const Floats radius = hn::Add(lanes.radius, gather(index.radius(), slot));
  const Floats distance_squared = dot(position, position);
  const Floats radius_squared = hn::Mul(radius, radius);

  const Mask overlapping = hn::Le(distance_squared, radius_squared);
  const Floats inverse_time = hn::IfThenElse(overlapping, all(parameters.inverse_dt), all(parameters.inverse_horizon));
  const Vec2s w = velocity - inverse_time * position;
  const Floats w_squared = dot(w, w);
  const Floats along = dot(w, position);
  const Mask on_disc = hn::Or(
      overlapping, hn::And(hn::Lt(along, zero), hn::Gt(hn::Mul(along, along), hn::Mul(radius_squared, w_squared))));
  // One root and one quotient serve both cases.
  const Floats root = hn::Sqrt(hn::IfThenElse(on_disc, w_squared, hn::Sub(distance_squared, radius_squared)));
  const Floats inverse = hn::Div(one, hn::IfThenElse(on_disc, root, distance_squared));

  const UintTag du;
  const Mask self_first = hn::RebindMask(d, hn::Lt(hn::Load(du, lanes.slot), slot));
  const Mask pushed = hn::Gt(root, zero);
  const Vec2s unit = select(pushed, inverse * w, {hn::IfThenElse(self_first, one, hn::Neg(one)), zero});
  const Vec2s disc_u = hn::Sub(hn::Mul(radius, inverse_time), root) * unit;

  const Mask left = hn::Gt(det(position, w), zero);
  const Floats side = hn::IfThenElse(left, radius, hn::Neg(radius));
  const Vec2s tangent{hn::Mul(hn::Sub(hn::Mul(position.x, root), hn::Mul(position.y, side)), inverse),
                      hn::Mul(hn::Add(hn::Mul(position.x, side), hn::Mul(position.y, root)), inverse)};
  const Vec2s leg = select(left, tangent, {hn::Neg(tangent.x), hn::Neg(tangent.y)});
  const Vec2s leg_u = dot(velocity, leg) * leg - velocity;

  const Vec2s u = select(on_disc, disc_u, leg_u);
  const Vec2s direction = select(on_disc, {unit.y, hn::Neg(unit.x)}, leg);
  const Vec2s point = lanes.velocity + all(0.5f) * u;
  return {{hn::IfThenElseZero(there, point.x), hn::IfThenElseZero(there, point.y)},
          {hn::IfThenElseZero(there, direction.x), hn::IfThenElseZero(there, direction.y)}};
}

HWY_NOINLINE void relaxWaiting(Scratch& scratch, VelocityOutput out) {
  const FloatTag d;
  Waiting& waiting = scratch.waiting;
  for (std::size_t lane = waiting.lanes; lane < hn::Lanes(d); ++lane) {
    waiting.failed[lane] = static_cast<std::int32_t>(waiting.count);  // nothing to do
    waiting.hard[lane] = 0;
    waiting.max_speed[lane] = waiting.x[lane] = waiting.y[lane] = 0;
  }
  const Vec2s velocity =
      relaxLanes(waiting.lines, waiting.count, hn::Load(IntTag(), waiting.hard), hn::Load(IntTag(), waiting.failed),
                 hn::Load(d, waiting.max_speed), {hn::Load(d, waiting.x), hn::Load(d, waiting.y)}, scratch.projected);
  hn::Store(velocity.x, d, waiting.x);
  hn::Store(velocity.y, d, waiting.y);
  for (std::size_t lane = 0; lane < waiting.lanes; ++lane) {
    out.vx[waiting.row[lane]] = waiting.x[lane];
    out.vy[waiting.row[lane]] = waiting.y[lane];
  }
  waiting.lanes = waiting.count = 0;
}

// Queues one lane of a batch whose line `failed` could not be kept.
HWY_NOINLINE void wait(Scratch& scratch, const Lanes& lanes, std::size_t lane, std::size_t count, std::size_t failed,
                       float max_speed, Vec2 velocity, VelocityOutput out) {
  Waiting& waiting = scratch.waiting;
  waiting.lines.reserve(count);
  const std::size_t at = waiting.lanes++;
  const std::size_t walls = scratch.wall_lines[lane].size();
  std::size_t dense = 0, dense_failed = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const OrcaLine line = scratch.lines.get(i, lane);
    if (line.direction == Vec2{}) continue;
    if (i == failed) dense_failed = dense;
    for (; waiting.count <= dense; ++waiting.count) waiting.lines.clear(waiting.count);
    waiting.lines.set(dense++, at, line);
  }
  // Rows that others filled and this lane does not reach.
  for (std::size_t i = dense; i < waiting.count; ++i) waiting.lines.set(i, at, {});
  waiting.failed[at] = static_cast<std::int32_t>(dense_failed);
  waiting.hard[at] = static_cast<std::int32_t>(dense_failed < walls ? 0 : walls);
  waiting.max_speed[at] = max_speed;
  waiting.x[at] = velocity.x, waiting.y[at] = velocity.y;
  waiting.row[at] = lanes.row[lane];
  if (waiting.lanes == hn::Lanes(FloatTag())) relaxWaiting(scratch, out);
}

// Finds the velocities from the lines and writes them (orcaVelocity of the twin).
HWY_INLINE void solveAndWrite(const Lanes& lanes, std::size_t count, Scratch& scratch, VelocityOutput out) {
  const FloatTag d;
  const IntTag di;
  Vec2s velocity = slowedTo(lanes.max_speed, lanes.preferred);
  Mask constrained = hn::MaskFromVec(hn::Zero(d));
  for (std::size_t i = 0; i < count; ++i) {
    constrained = hn::Or(constrained, violates(scratch.lines.load(i), velocity));
  }
  HWY_ALIGN float x[hn::MaxLanes(d)], y[hn::MaxLanes(d)], max_speed[hn::MaxLanes(d)];
  HWY_ALIGN std::int32_t failed[hn::MaxLanes(d)];
  bool any_failed = false;
  if (!hn::AllFalse(d, constrained)) {
    const Vec2s right{lanes.preferred.y, hn::Neg(lanes.preferred.x)};
    const Vec2s objective = slowedTo(lanes.max_speed, lanes.preferred + lanes.turn * right);
    velocity = select(constrained, objective, velocity);
    Ints first_failed = hn::Set(di, -1);
    solveLanes<false>(scratch.lines, count, lanes.max_speed, objective, constrained, velocity,
                      [&](std::size_t i, Mask mask) HWY_ATTR {
                        first_failed = hn::IfThenElse(hn::RebindMask(di, mask),
                                                      hn::Set(di, static_cast<std::int32_t>(i)), first_failed);
                        any_failed = true;
                      });
    hn::Store(first_failed, di, failed);
  }
  hn::Store(velocity.x, d, x);
  hn::Store(velocity.y, d, y);
  for (std::size_t lane = 0; lane < lanes.people; ++lane) {
    out.vx[lanes.row[lane]] = x[lane];
    out.vy[lanes.row[lane]] = y[lane];
  }
  if (HWY_LIKELY(!any_failed)) return;
  hn::Store(lanes.max_speed, d, max_speed);
  for (std::size_t lane = 0; lane < lanes.people; ++lane) {
    if (failed[lane] < 0) continue;
    wait(scratch, lanes, lane, count, static_cast<std::size_t>(failed[lane]), max_speed[lane], {x[lane], y[lane]}, out);
  }
}

HWY_INLINE void steerBatch(const StepInput& input, const Parameters& parameters, Lanes& lanes, Scratch& scratch,
                           VelocityOutput out) {
  const FloatTag d;
  const UintTag du;
  const NeighbourIndex& index = input.neighbours;
  const nearest::SearchLanes search{lanes.position.x, lanes.position.y, hn::Load(du, lanes.row), lanes.slot[0],
                                    lanes.slot[lanes.people - 1]};
  const std::size_t neighbours =
      nearest::nearestBatch(index, lanes.zone, search, parameters.max_neighbours, parameters.range, scratch.keys,
                            {scratch.found_slot.data(), scratch.found_distance.data()});
  const std::size_t walls = addWallLines(input, parameters, lanes, neighbours, scratch);
  for (std::size_t i = 0; i < neighbours; ++i) {
    const Uints slot = hn::Load(du, scratch.found_slot.data() + i * hn::Lanes(d));
    const auto there = hn::Ne(slot, hn::Set(du, NeighbourIndex::kNobody));
    const Uints safe = hn::IfThenElse(there, slot, hn::Load(du, lanes.slot));
    scratch.lines.store(walls + i, neighbourLine(index, parameters, lanes, safe, hn::RebindMask(d, there)));
  }
  solveAndWrite(lanes, walls + neighbours, scratch, out);
}

void steerOrcaLanes(const StepInput& input, std::span<const float> values, std::span<const std::uint32_t> slots,
                    VelocityOutput out) {
  static thread_local Scratch scratch;
  Parameters parameters;
  parameters.inverse_horizon = 1.0f / values[kTimeHorizon];
  parameters.inverse_dt = 1.0f / input.dt;
  parameters.horizon_walls = values[kTimeHorizonObstacles];
  parameters.range = values[kNeighbourRange];
  parameters.max_neighbours = static_cast<std::size_t>(values[kMaxNeighbours]);
  const std::size_t room = parameters.max_neighbours * hn::Lanes(FloatTag());
  if (scratch.found_slot.size() < room) {
    scratch.found_slot.resize(room);
    scratch.found_distance.resize(room);
  }
  Lanes lanes;
  while (!slots.empty()) {
    const std::uint32_t first_row = input.neighbours.row()[slots[0]];
    lanes.layer = input.crowd.layer[first_row];
    lanes.zone = input.neighbours.zone(input.crowd, first_row);
    const std::size_t people = input.neighbours.batch(slots, lanes.zone, hn::Lanes(FloatTag()));
    loadLanes(input, slots, people, lanes);
    steerBatch(input, parameters, lanes, scratch, out);
    slots = slots.subspan(people);
  }
  if (scratch.waiting.lanes > 0) relaxWaiting(scratch, out);
}

}  // namespace HWY_NAMESPACE
}  // namespace throng::steering
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace throng::steering {

HWY_EXPORT(steerOrcaLanes);

void steerOrca(const StepInput& input, std::span<const float> parameters, std::span<const std::uint32_t> slots,
               VelocityOutput out) {
  HWY_DYNAMIC_DISPATCH(steerOrcaLanes)(input, parameters, slots, out);
}

}  // namespace throng::steering
#endif
