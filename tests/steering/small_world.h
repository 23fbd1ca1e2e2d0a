// A crowd put together by hand, with the index and the walls that steering kernels read.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "steering/models.h"

namespace throng::steering {

class SmallWorld {
 public:
  explicit SmallWorld(std::size_t layers = 1) : floors(layers), wrap(layers) {
    for (const char* name : {kMemoryX, kMemoryY, kWalkingTime, kExpectedTime}) crowd.attach<float>(name);
  }

  // Columns that only some models have.
  static constexpr const char *kMemoryX = "steering.memory_x", *kMemoryY = "steering.memory_y",
                              *kWalkingTime = "stream.walking_time", *kExpectedTime = "stream.expected_time";
  base::Column<float>& column(const char* name) { return *crowd.find<float>(name); }
  const base::Column<float>& column(const char* name) const { return *crowd.find<float>(name); }

  /// Returns the row. Prefers to keep its velocity unless told otherwise.
  std::uint32_t add(Vec2 position, Vec2 velocity, float radius = 0.25f, std::uint16_t layer = 0) {
    agents::PersonState person;
    person.position = position;
    person.velocity = velocity;
    if (lengthSquared(velocity) > 0) person.heading = normalized(velocity);
    person.radius = radius;
    person.layer = layer;
    person.person = static_cast<std::uint32_t>(crowd.size());
    const std::uint32_t row = crowd.row(crowd.add(person));
    prefer(row, velocity);
    return row;
  }

  void prefer(std::uint32_t row, Vec2 velocity) {
    crowd.preferred_vx[row] = velocity.x;
    crowd.preferred_vy[row] = velocity.y;
  }

  /// A ring of walls through the corners, solid on the left of each.
  void addRing(const std::vector<Vec2>& corners, std::uint16_t layer = 0) {
    ground::Walls& walls = floors[layer].walls;
    const auto first = static_cast<std::uint32_t>(walls.size());
    const auto n = static_cast<std::uint32_t>(corners.size());
    for (std::uint32_t i = 0; i < n; ++i) {
      const Vec2 before = corners[(i + n - 1) % n], a = corners[i], b = corners[(i + 1) % n];
      walls.a.push_back(a);
      walls.b.push_back(b);
      walls.direction.push_back(normalized(b - a));
      walls.next.push_back(first + (i + 1) % n);
      walls.previous.push_back(first + (i + n - 1) % n);
      walls.convex.push_back(det(a - before, b - a) >= 0 ? 1 : 0);
    }
    walls.grid = geometry::SegmentGrid(walls.a, walls.b, 1.0f);
  }

  void buildIndex(float range) { neighbours.build(crowd, range, wrap, threads); }

  StepInput input(float dt) const {
    StepInput input{crowd, neighbours, floors, dt, 0};
    input.memory_x = column(kMemoryX).data(), input.memory_y = column(kMemoryY).data();
    input.walking_time = column(kWalkingTime).data(), input.expected_time = column(kExpectedTime).data();
    if (!line_x.empty())
      input.line_x = line_x.data(), input.line_y = line_y.data(), input.line_room = line_room.data(),
      input.way = way.data();
    return input;
  }

  /// Writes next_vx and next_vy of everybody.
  void steer(Kernel kernel, std::span<const float> parameters, float dt) {
    kernel(input(dt), parameters, neighbours.people(),
           {crowd.next_vx.data(), crowd.next_vy.data(), column(kMemoryX).data(), column(kMemoryY).data()});
  }

  Vec2 next(std::uint32_t row) const { return {crowd.next_vx[row], crowd.next_vy[row]}; }
  Vec2 position(std::uint32_t row) const { return {crowd.x[row], crowd.y[row]}; }
  Vec2 velocity(std::uint32_t row) const { return {crowd.vx[row], crowd.vy[row]}; }

  /// Everybody walks for dt with the velocity just computed.
  void move(float dt) {
    for (std::size_t row = 0; row < crowd.size(); ++row) {
      crowd.vx[row] = crowd.next_vx[row];
      crowd.vy[row] = crowd.next_vy[row];
      crowd.x[row] += crowd.vx[row] * dt;
      crowd.y[row] += crowd.vy[row] * dt;
    }
  }

  agents::Crowd crowd;
  /// Lines that people do not walk over, by row (StepInput); empty: there are none.
  std::vector<float> line_x, line_y, line_room;
  std::vector<std::uint32_t> way;
  std::vector<ground::Floor> floors;
  std::vector<std::optional<Rectangle>> wrap;
  agents::NeighbourIndex neighbours;
  base::Threads threads{1};
};

/// A model's parameters in table order, as they are by default.
inline std::vector<float> defaults(std::span<const ModelParameter> table) {
  std::vector<float> values;
  for (const ModelParameter& parameter : table) values.push_back(static_cast<float>(parameter.value));
  return values;
}

}  // namespace throng::steering
