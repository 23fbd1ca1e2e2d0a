#include "ground/occupancy.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace throng::ground {

Occupancy::Occupancy(const Floor& floor, std::span<const Disc> taken, double largest, std::size_t expected)
    : floor_(floor), largest_(largest) {
  for (const Disc& disc : taken) largest_ = std::max(largest_, disc.radius);
  cell_ = std::max(2 * largest_, 1e-3);
  cells_ = geometry::HashedCells(taken.size() + expected);
  first_.assign(cells_.buckets(), kNobody);
  discs_.reserve(taken.size() + expected);
  next_.reserve(taken.size() + expected);
  for (const Disc& disc : taken) add(disc.centre, disc.radius);
}

std::uint32_t Occupancy::add(Point centre, double radius) {
  const auto id = static_cast<std::uint32_t>(discs_.size());
  discs_.push_back({centre, radius});
  next_.push_back(kNobody);
  link(id);
  return id;
}

void Occupancy::move(std::uint32_t id, Point centre) {
  unlink(id);
  discs_[id].centre = centre;
  link(id);
}

void Occupancy::truncate(std::uint32_t size) {
  while (discs_.size() > size) {
    unlink(static_cast<std::uint32_t>(discs_.size() - 1));
    discs_.pop_back();
    next_.pop_back();
  }
}

void Occupancy::link(std::uint32_t id) {
  std::uint32_t& first = first_[bucket(discs_[id].centre)];
  next_[id] = first;
  first = id;
}

void Occupancy::unlink(std::uint32_t id) {
  std::uint32_t* link = &first_[bucket(discs_[id].centre)];
  while (*link != id) link = &next_[*link];
  *link = next_[id];
}

template <class Visit>
bool Occupancy::visitNear(Point centre, double range, Visit visit) const {
  const std::int64_t x1 = cell(centre.x + range), y1 = cell(centre.y + range);
  for (std::int64_t y = cell(centre.y - range); y <= y1; ++y)
    for (std::int64_t x = cell(centre.x - range); x <= x1; ++x)
      for (std::uint32_t id = first_[cells_.bucket(x, y)]; id != kNobody; id = next_[id])
        if (!visit(id, lengthSquared(discs_[id].centre - centre))) return false;
  return true;
}

template <class Visit>
bool Occupancy::visitImages(Point centre, double range, Visit visit) const {
  if (!visit(centre)) return false;
  if (!floor_.wrap) return true;
  const Rectangle& r = *floor_.wrap;
  const Point size = r.max - r.min;
  const auto reaches = [&](Point p) {
    return p.x >= r.min.x - range && p.x <= r.max.x + range && p.y >= r.min.y - range && p.y <= r.max.y + range;
  };
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      const Point image{centre.x + dx * size.x, centre.y + dy * size.y};
      if ((dx != 0 || dy != 0) && reaches(image) && !visit(image)) return false;
    }
  return true;
}

bool Occupancy::isOffWalls(Point centre, double radius, double margin) const {
  const double needed = radius + margin;
  return floor_.contains(centre) &&
         visitImages(centre, needed, [&](Point p) { return floor_.clearance(p, needed) >= needed; });
}

bool Occupancy::isOffOthers(Point centre, double radius, double margin, std::uint32_t except) const {
  const double range = radius + largest_ + std::max(margin, 0.0);
  return visitImages(centre, range, [&](Point p) {
    return visitNear(p, range, [&](std::uint32_t id, double distance2) {
      const double needed = std::max(0.0, radius + discs_[id].radius + margin);
      return id == except || distance2 >= needed * needed;
    });
  });
}

bool Occupancy::isFree(Point centre, double radius, double margin, std::uint32_t except) const {
  return isOffOthers(centre, radius, margin, except) && isOffWalls(centre, radius, margin);
}

std::string Occupancy::obstruction(Point centre, double radius) const {
  if (!floor_.contains(centre)) return floor_.bounded ? "is not on walkable ground" : "is inside an obstacle";
  double wall = radius;
  visitImages(centre, radius, [&](Point p) { return wall = std::min(wall, floor_.clearance(p, radius)), true; });
  if (wall < radius) return fmt::format("is {:.3g} m from a wall; radius is {:.3g} m", wall, radius);
  double worst = std::numeric_limits<double>::infinity();  // how far away from being free, by the nearest other
  std::uint32_t who = kNobody;
  const double range = radius + largest_;
  visitImages(centre, range, [&](Point p) {
    return visitNear(p, range, [&](std::uint32_t id, double distance2) {
      const double gap = std::sqrt(distance2) - discs_[id].radius;
      if (gap < worst || (gap == worst && id < who)) worst = gap, who = id;
      return true;
    });
  });
  if (who == kNobody) return "is free";
  return fmt::format("is {:.3g} m from somebody at ({:.3f}, {:.3f}); the radii need {:.3g} m",
                     worst + discs_[who].radius, discs_[who].centre.x, discs_[who].centre.y,
                     radius + discs_[who].radius);
}

}  // namespace throng::ground
