// Who stands where while people are being placed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "geometry/hashed_cells.h"
#include "ground/placement.h"

namespace throng::ground {

/// Kept between people who are placed at random, and between them and walls, so that nobody touches anybody after the
/// arithmetic of the step in 32 bits. m.
inline constexpr double kMargin = 1e-4;

/// Discs on a floor in a hashed grid. Across the border of a floor that wraps, people are near one another.
class Occupancy {
 public:
  static constexpr std::uint32_t kNobody = 0xffffffffu;

  /// `largest`: no disc that is added or asked for has a larger radius; `expected`: how many will be added.
  Occupancy(const Floor& floor, std::span<const Disc> taken, double largest, std::size_t expected);

  /// Can a disc stand here, `margin` away from everybody (but `except`) and from the walls? A negative margin lets
  /// places touch that were computed to touch.
  bool isFree(Point centre, double radius, double margin, std::uint32_t except = kNobody) const;
  /// The same for the floor and its walls alone.
  bool isOffWalls(Point centre, double radius, double margin) const;
  /// The same for the others alone.
  bool isOffOthers(Point centre, double radius, double margin, std::uint32_t except = kNobody) const;
  /// Why not, as the end of a sentence that begins with the place.
  std::string obstruction(Point centre, double radius) const;

  std::uint32_t add(Point centre, double radius);
  void move(std::uint32_t id, Point centre);
  /// Forgets everybody with this number or a higher one.
  void truncate(std::uint32_t size);
  std::uint32_t size() const { return static_cast<std::uint32_t>(discs_.size()); }
  const Disc& operator[](std::uint32_t id) const { return discs_[id]; }
  const Floor& floor() const { return floor_; }

 private:
  std::int64_t cell(double coordinate) const { return geometry::HashedCells::number(coordinate, cell_); }
  std::size_t bucket(Point place) const { return cells_.bucket(cell(place.x), cell(place.y)); }
  void link(std::uint32_t id);
  void unlink(std::uint32_t id);
  /// Calls visit(id, distance²) for everybody who may reach into the range, until it returns false.
  template <class Visit>
  bool visitNear(Point centre, double range, Visit visit) const;
  /// Calls visit(centre) for the place and for its images across a border that is nearer than `range`.
  template <class Visit>
  bool visitImages(Point centre, double range, Visit visit) const;

  const Floor& floor_;
  std::vector<Disc> discs_;
  double largest_ = 0;
  double cell_ = 1;
  geometry::HashedCells cells_;
  std::vector<std::uint32_t> first_;  ///< per bucket
  std::vector<std::uint32_t> next_;   ///< per disc, in the same bucket
};

}  // namespace throng::ground
