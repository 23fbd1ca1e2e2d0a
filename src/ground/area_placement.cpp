#include "ground/area_placement.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

namespace throng::ground {
namespace {

constexpr int kRandomTries = 32;
constexpr double kMostPlaces = 4e6;
constexpr double kRowHeight = 0.86602540378443864676;  // √3/2, between the rows of a hexagonal lattice

template <class T>
void shuffle(std::vector<T>& values, base::Random& random) {
  for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[random.below(i)]);
}

/// The places of a fine grid, each somewhere in its cell, where the smallest person still fits.
class Gaps {
 public:
  Gaps(const AreaSampler& area, double smallest, const Occupancy& occupancy, base::Random& random)
      : occupancy_(occupancy), smallest_(smallest) {
    const Rectangle& box = area.bounds();
    const Point size = box.max - box.min;
    const double pitch = std::max({smallest / 2, std::sqrt(size.x * size.y / kMostPlaces), (size.x + size.y) / 1e6});
    for (double y = box.min.y; y <= box.max.y; y += pitch)
      for (double x = box.min.x; x <= box.max.x; x += pitch) {
        const double u = random.uniform(), v = random.uniform();
        const Point p = stored({x + pitch * u, y + pitch * v});
        if (area.contains(p) && occupancy.isFree(p, smallest, kMargin)) places_.push_back(p);
      }
    shuffle(places_, random);
  }

  /// A gap for this radius, or nothing. Gaps that nobody fits any more are dropped on the way.
  std::optional<Point> take(double radius) {
    constexpr std::size_t kMostLooks = 4096;
    for (std::size_t i = places_.size(), looks = 0; i > 0 && looks < kMostLooks; --i) {
      const Point p = places_[i - 1];
      if (occupancy_.isFree(p, radius, kMargin)) return p;
      if (radius <= smallest_ || !occupancy_.isFree(p, smallest_, kMargin)) {
        places_[i - 1] = places_.back();
        places_.pop_back();
      } else {
        ++looks;
      }
    }
    return std::nullopt;
  }

 private:
  const Occupancy& occupancy_;
  double smallest_;
  std::vector<Point> places_;
};

/// Puts people down one after another in this order; returns how many found a place.
std::size_t putDown(const AreaSampler& area, std::span<const double> radii, std::span<const std::uint32_t> order,
                    Occupancy& occupancy, base::Random& random) {
  std::optional<Gaps> gaps;
  const double smallest = *std::min_element(radii.begin(), radii.end());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double radius = radii[order[i]];
    std::optional<Point> place;
    for (int t = 0; !gaps && !place && t < kRandomTries; ++t)
      if (const Point p = area.sample(random); occupancy.isFree(p, radius, kMargin)) place = p;
    if (!place) {
      if (!gaps) gaps.emplace(area, smallest, occupancy, random);
      place = gaps->take(radius);
    }
    if (!place) return i;
    occupancy.add(*place, radius);
  }
  return order.size();
}

/// Rows of places over a box: every second row shifted by half a step when hexagonal, x and y exchanged when turned.
struct Lattice {
  bool inset;  ///< over the area's box less a radius, else over the whole box
  bool hexagonal;
  bool turned;
  bool full_rows;  ///< hexagonal: shifted rows have as many places as the others
};

std::vector<Point> latticePlaces(const Lattice& lattice, double pitch, double radius, const AreaSampler& area,
                                 const Occupancy& occupancy) {
  Rectangle box = area.bounds();
  const double inset = lattice.inset ? radius + kMargin : 0;
  box = {box.min + Point{inset, inset}, box.max - Point{inset, inset}};
  Point size = box.max - box.min;
  if (lattice.turned) std::swap(size.x, size.y);
  std::vector<Point> places;
  if (!(size.x >= 0 && size.y >= 0)) return places;
  // Steps are stretched so that the lattice fills the box.
  const double shift = lattice.hexagonal ? 0.5 : 0;
  const double tail = lattice.full_rows ? shift : 0;
  const double columns = std::floor(size.x / pitch - tail + 1e-9) + 1;
  const double rows = std::floor(size.y / (pitch * (lattice.hexagonal ? kRowHeight : 1)) + 1e-9) + 1;
  if (columns < 1 || columns * rows > kMostPlaces + 4.0 * occupancy.size()) return places;
  const double dx = columns - 1 + tail > 0 ? size.x / (columns - 1 + tail) : 0;
  const double dy = rows > 1 ? size.y / (rows - 1) : 0;
  for (double row = 0; row < rows; ++row) {
    const bool shifted = lattice.hexagonal && std::fmod(row, 2) == 1;
    const double n = shifted && !lattice.full_rows ? columns - 1 : columns;
    for (double column = 0; column < n; ++column) {
      Point p{(column + (shifted ? shift : 0)) * dx, row * dy};
      if (lattice.turned) std::swap(p.x, p.y);
      p = stored(box.min + p);
      if (area.contains(p) && occupancy.isFree(p, radius, 0)) places.push_back(p);
    }
  }
  return places;
}

struct LatticeChoice {
  Lattice lattice{};
  double pitch = 0;
  std::vector<Point> places;
};

/// The lattice that holds the most people of the largest radius, on the widest pitch where it holds all of them.
LatticeChoice bestLattice(const AreaSampler& area, std::size_t people, double radius, const Occupancy& occupancy) {
  LatticeChoice best;
  for (int kind = 0; kind < 12; ++kind) {
    const Lattice lattice{kind % 2 == 1, kind % 6 / 2 != 0, kind / 6 == 1, kind % 6 / 2 == 2};
    // Rows may touch exactly, as in a box that is a whole number of people wide; hexagons have irrational steps.
    const double tight = std::max(2 * radius + (lattice.hexagonal ? kMargin : 0), 1e-3);
    auto places = latticePlaces(lattice, tight, radius, area, occupancy);
    if (best.places.empty() || places.size() > best.places.size()) best = {lattice, tight, std::move(places)};
    if (best.places.size() >= people) break;
  }
  if (best.places.size() < people) return best;
  double too_wide = std::max(best.pitch, std::sqrt(area.area() / (kRowHeight * static_cast<double>(people))) * 1.1);
  for (int i = 0; i < 6; ++i) {
    const double pitch = (best.pitch + too_wide) / 2;
    auto places = latticePlaces(best.lattice, pitch, radius, area, occupancy);
    if (places.size() >= people)
      best.pitch = pitch, best.places = std::move(places);
    else
      too_wide = pitch;
  }
  return best;
}

/// Everybody on a lattice; whom it does not hold goes into the gaps. Returns how many found a place.
std::size_t pack(const AreaSampler& area, std::span<const double> radii, Occupancy& occupancy, base::Random& random) {
  const double largest = *std::max_element(radii.begin(), radii.end());
  const std::uint32_t first = occupancy.size();
  LatticeChoice choice = bestLattice(area, radii.size(), largest, occupancy);
  shuffle(choice.places, random);
  std::size_t placed = 0;
  for (const Point& p : choice.places) {
    if (placed == radii.size()) break;
    if (!occupancy.isFree(p, radii[placed], 0)) continue;
    occupancy.add(p, radii[placed++]);
  }
  if (const double slack = choice.pitch - 2 * largest; slack > 10 * kMargin)
    for (int pass = 0; pass < 2; ++pass) jitter(first, slack, &area, occupancy, random);
  if (placed == radii.size()) return placed;
  std::vector<std::uint32_t> rest(radii.size() - placed);
  std::iota(rest.begin(), rest.end(), static_cast<std::uint32_t>(placed));
  return placed + putDown(area, radii, rest, occupancy, random);
}

}  // namespace

void jitter(std::uint32_t first, double amplitude, const AreaSampler* area, Occupancy& occupancy,
            base::Random& random) {
  constexpr int kJitterTries = 16;
  for (std::uint32_t id = first; id < occupancy.size(); ++id) {
    const Disc disc = occupancy[id];
    for (int t = 0; t < kJitterTries; ++t) {
      const double dx = random.uniform(-amplitude, amplitude), dy = random.uniform(-amplitude, amplitude);
      const Point p = stored(disc.centre + Point{dx, dy});
      if ((area && !area->contains(p)) || !occupancy.isFree(p, disc.radius, kMargin, id)) continue;
      occupancy.move(id, p);
      break;
    }
  }
}

std::vector<Point> placeInArea(const AreaSampler& area, std::span<const double> radii, Occupancy& occupancy,
                               base::Random& random) {
  if (area.empty() || radii.empty()) return {};
  const std::uint32_t first = occupancy.size();
  std::vector<std::uint32_t> order(radii.size());
  std::iota(order.begin(), order.end(), 0u);
  // People who were placed, in the order in which they were; afterwards nobody of them stands there any more.
  const auto takeUp = [&](std::size_t placed) {
    std::vector<Point> places(placed);
    for (std::uint32_t i = 0; i < placed; ++i) places[i] = occupancy[first + i].centre;
    occupancy.truncate(first);
    return places;
  };
  const auto finish = [&](std::vector<Point> places) {
    for (std::size_t i = 0; i < places.size(); ++i) occupancy.add(places[i], radii[i]);
    return places;
  };

  std::vector<Point> best = takeUp(putDown(area, radii, order, occupancy, random));
  if (best.size() == radii.size()) return finish(std::move(best));

  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t k) { return radii[i] > radii[k]; });
  if (radii[order.front()] > radii[order.back()]) {
    const std::vector<Point> places = takeUp(putDown(area, radii, order, occupancy, random));
    if (places.size() == radii.size()) {
      best.resize(radii.size());
      for (std::size_t i = 0; i < places.size(); ++i) best[order[i]] = places[i];
      return finish(std::move(best));
    }
  }

  std::vector<Point> packed = takeUp(pack(area, radii, occupancy, random));
  return finish(packed.size() > best.size() ? std::move(packed) : std::move(best));
}

}  // namespace throng::ground
