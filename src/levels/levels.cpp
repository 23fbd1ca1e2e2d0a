#include "levels/levels.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/math.h"

namespace throng::levels {
namespace {

using corridors::kNone;
using graph::Cardinal;
using graph::GraphVertex;
using graph::NavigationGraph;

constexpr double kSameGround = 1, kReach = 2;  // m
constexpr double kNoHeading = 1e-6;            // horizontal part of a unit vector below which it points nowhere in plan

/// Level by zone; see assignLevels.
struct Levels {
  std::uint8_t near = 0, lowest = 0;             ///< `lowest` of those in sight
  std::array<std::uint8_t, 2> ahead{}, aside{};  ///< within far_distance and beyond

  explicit Levels(std::size_t count) {
    const int highest = std::max(static_cast<int>(count), 1) - 1;
    const int least = std::clamp(highest - 1, 0, 1);
    near = static_cast<std::uint8_t>(highest);
    lowest = static_cast<std::uint8_t>(least);
    for (int far = 0; far < 2; ++far) {
      const int view = std::max(highest - 1 - far, least);
      ahead[static_cast<std::size_t>(far)] = static_cast<std::uint8_t>(view);
      aside[static_cast<std::size_t>(far)] = static_cast<std::uint8_t>(std::max((view + 1) / 2, least));
    }
  }
};

/// Borders of zones: squares of distances, cosines of angles.
struct Borders {
  double near = 0, far = 0, ahead = 0, aside = 0, edge = 0;

  Borders(const LevelSettings& settings, double field_of_view, double scale, double beyond) {
    const auto squared = [&](double distance) { return distance * scale * beyond * distance * scale * beyond; };
    const double half = std::clamp(field_of_view, 0.0, 360.0) * (base::kPi / 360) * beyond;
    near = squared(settings.near_distance);
    far = squared(settings.far_distance);
    ahead = cosineOf(half);
    aside = cosineOf(1.5 * half);
    edge = cosineOf(2 * half);
  }

  static double cosineOf(double angle) {
    if (angle >= base::kPi) return -2;  // everything
    double sine = 0, cosine = 0;
    base::sinCos(angle, sine, cosine);
    return cosine;
  }

  std::uint8_t level(const Levels& levels, double distance_squared, double cosine, bool seen) const {
    if (distance_squared <= near) return levels.near;
    if (!seen) return 0;
    const std::size_t beyond_far = distance_squared > far ? 1 : 0;
    if (cosine >= ahead) return levels.ahead[beyond_far];
    if (cosine >= aside) return levels.aside[beyond_far];
    return cosine >= edge ? levels.lowest : std::uint8_t{0};
  }
};

/// A camera while all vertices are looked at in ascending order.
class View {
 public:
  View(const NavigationGraph& graph, const LevelSettings& settings, const Camera& camera, double scale)
      : position_(camera.position),
        enter_(settings, camera.field_of_view, scale, 1),
        leave_(settings, camera.field_of_view, scale, kBeyond) {
    const double size =
        std::max({std::fabs(camera.direction.x), std::fabs(camera.direction.y), std::fabs(camera.direction.z)});
    if (size > 0) {
      const double x = camera.direction.x / size, y = camera.direction.y / size, z = camera.direction.z / size;
      const double norm = std::sqrt(x * x + y * y + z * z);
      axis_ = {x / norm, y / norm, z / norm};
      const Point plan{axis_.x, axis_.y};
      all_around_ = length(plan) <= kNoHeading;
      heading_ = normalized(plan);
    }
    vertex_ = vertexBelow(graph, position_);
    blocked_ = vertex_ != kNone && position_.z - graph.vertices()[vertex_].z < kEyesAbove;
    if (!blocked_) return;
    for (std::size_t i = 0; i < 4; ++i) lists_[i] = graph.visible(vertex_, static_cast<Cardinal>(i));
  }

  /// Raises what the camera gives a vertex: `enter` when it comes from below, `leave` when from above.
  void raise(const Levels& levels, std::uint32_t index, const GraphVertex& vertex, std::uint8_t& enter,
             std::uint8_t& leave) {
    const bool seen = sees(index);
    const double x = vertex.centre.x - position_.x, y = vertex.centre.y - position_.y, z = vertex.z - position_.z;
    const double squared = x * x + y * y + z * z;
    const double cosine = seen ? cosineTo(x, y, z, squared) : -1;
    enter = std::max(enter, enter_.level(levels, squared, cosine, seen));
    leave = std::max(leave, leave_.level(levels, squared, cosine, seen));
  }

 private:
  bool sees(std::uint32_t index) {
    bool seen = !blocked_ || index == vertex_;
    for (std::span<const std::uint32_t>& list : lists_) {
      while (!list.empty() && list.front() < index) list = list.subspan(1);
      if (!list.empty() && list.front() == index) seen = true;
    }
    return seen;
  }

  double cosineTo(double x, double y, double z, double squared) const {
    const double plan = x * x + y * y;
    if (all_around_ || plan == 0) return 1;
    return std::max((x * heading_.x + y * heading_.y) / std::sqrt(plan),
                    (x * axis_.x + y * axis_.y + z * axis_.z) / std::sqrt(squared));
  }

  Point3 position_, axis_;
  Point heading_;  ///< unit vectors
  Borders enter_, leave_;
  std::uint32_t vertex_ = kNone;
  bool all_around_ = true, blocked_ = false;
  std::array<std::span<const std::uint32_t>, 4> lists_;  ///< what is left of those that can be seen
};

}  // namespace

std::uint32_t vertexBelow(const NavigationGraph& graph, Point3 camera) {
  const auto vertices = graph.vertices();
  const auto depth = [&](const GraphVertex& v) { return v.radius - length(v.centre - Point{camera.x, camera.y}); };
  for (const double reach : {0.0, kReach}) {
    double top = -HUGE_VAL;
    for (const GraphVertex& v : vertices) {
      if (v.z <= camera.z && v.z > top && depth(v) >= -reach) top = v.z;
    }
    std::uint32_t found = kNone;
    double deepest = -reach;
    for (std::uint32_t i = 0; i < vertices.size(); ++i) {
      const GraphVertex& v = vertices[i];
      if (v.z > camera.z || v.z < top - kSameGround) continue;
      const double d = depth(v);
      if (d > deepest || (d == deepest && found == kNone)) deepest = d, found = i;
    }
    if (found != kNone) return found;
  }
  return kNone;
}

void assignLevels(const NavigationGraph& graph, const LevelSettings& settings, double scale,
                  std::vector<std::uint8_t>& level) {
  const auto vertices = graph.vertices();
  const Levels levels(settings.levels.size());
  if (settings.cameras.empty()) {
    level.assign(vertices.size(), levels.near);
    return;
  }
  static thread_local std::vector<View> views;  // so that steps do not allocate
  views.clear();
  for (const Camera& camera : settings.cameras) views.emplace_back(graph, settings, camera, scale);
  const bool first = level.size() != vertices.size();
  level.resize(vertices.size());
  for (std::uint32_t v = 0; v < vertices.size(); ++v) {
    std::uint8_t enter = 0, leave = 0;
    for (View& view : views) view.raise(levels, v, vertices[v], enter, leave);
    level[v] = first ? enter : std::clamp(level[v], enter, leave);
  }
}

}  // namespace throng::levels
