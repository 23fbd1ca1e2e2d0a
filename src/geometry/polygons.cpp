#include "geometry/polygons.h"

#include <algorithm>

#include "geometry/edge_rows.h"
#include "geometry/geos.h"

namespace throng::geometry {
namespace {

[[noreturn]] void fail(const char* operation, const Geos& geos) {
  throw InputError(std::string("the geometry cannot be ") + operation + ": " + geos.lastError());
}

/// So few that GEOS alone is as quick as finding out which of them touch.
constexpr std::size_t kFew = 16;

Geos::Shape united(Geos& geos, const std::vector<Polygon>& valid) {
  Geos::Shape result = geos.own(GEOSUnaryUnion_r(geos.context(), geos.polygons(valid).get()));
  if (!result) fail("merged", geos);
  return result;
}

/// All of them as one valid shape. GEOS merges in a tree, so that every polygon goes through many unions, also one that
/// touches nothing: where there are many, only those that meet go to GEOS, group by group.
Geos::Shape joined(Geos& geos, const std::vector<Polygon>& polygons) {
  std::vector<Polygon> valid;
  for (const auto& polygon : polygons) {
    for (auto& p : geos.toPolygons(geos.valid(geos.polygon(polygon)).get())) valid.push_back(std::move(p));
  }
  if (valid.size() <= kFew) return united(geos, valid);
  const std::vector<std::uint32_t> cluster = clusters(valid);
  std::vector<std::vector<Polygon>> groups(valid.size());
  for (std::size_t i = 0; i < valid.size(); ++i) groups[cluster[i]].push_back(std::move(valid[i]));
  std::vector<Polygon> apart;
  for (auto& group : groups) {
    if (group.size() > 1) group = geos.toPolygons(united(geos, group).get());
    for (auto& p : group) apart.push_back(std::move(p));
  }
  return geos.polygons(apart);
}

/// The same for polygons that have been merged before.
Geos::Shape joinedAgain(Geos& geos, const std::vector<Polygon>& merged) {
  return merged.size() <= kFew ? united(geos, merged) : geos.polygons(merged);
}

std::vector<Polygon> cut(Geos& geos, const Geos::Shape& from, const Geos::Shape& take) {
  const auto result = geos.own(GEOSDifference_r(geos.context(), from.get(), take.get()));
  if (!result) fail("cut", geos);
  return geos.toPolygons(result.get());
}

/// Which polygons of `take` can only be whole holes in `from`, or nothing: without holes of their own, with a border
/// that touches no other border of either list, and with none inside.
std::vector<bool> islands(const std::vector<Polygon>& from, const std::vector<Polygon>& take) {
  std::vector<Polygon> all = take;
  all.insert(all.end(), from.begin(), from.end());
  const EdgeRows rows(all);
  const std::vector<std::uint32_t> touching = rows.touching();
  std::vector<bool> alone(all.size(), true);
  std::vector<std::uint32_t> around;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    if (touching[i] != i || !all[i].holes.empty()) alone[i] = alone[touching[i]] = false;
    const auto begins = [&](const Ring& ring) {
      rows.covering(ring.front(), around);
      for (const std::uint32_t j : around)
        if (j != i) alone[j] = false;
    };
    begins(all[i].outer);
    for (const Ring& hole : all[i].holes) begins(hole);
  }
  alone.resize(take.size());
  return alone;
}

/// Cuts lines with polygons that share no inner point; each line meets only those near it.
class LineCutter {
 public:
  LineCutter(Geos& geos, const Geos::Shape& polygons)
      : geos_(geos), polygons_(polygons.get()), tree_(GEOSSTRtree_create_r(geos.context(), kNodeCapacity), {&geos}) {
    // One polygon, a collection of them, or an empty collection.
    const int n = GEOSisEmpty_r(context(), polygons_) != 0 ? 0 : GEOSGetNumGeometries_r(context(), polygons_);
    numbers_.resize(static_cast<std::size_t>(n));
    prepared_.resize(numbers_.size());
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      numbers_[i] = i;
      GEOSSTRtree_insert_r(context(), tree_.get(), polygon(i), &numbers_[i]);
    }
  }

  void append(const Polyline& line, std::vector<Polyline>& pieces) {
    const Geos::Shape shape = geos_.line(line);
    if (!shape) return;
    const std::vector<std::size_t> met = meeting(shape);
    // A line that is not cut stays as it is: GEOS would break it where it crosses itself.
    if (met.empty()) {
      pieces.push_back(line);
      return;
    }
    const Geos::Shape rest = geos_.own(GEOSDifference_r(context(), shape.get(), collected(met).get()));
    if (!rest) fail("cut", geos_);
    for (auto& piece : geos_.toLines(rest.get())) pieces.push_back(std::move(piece));
  }

 private:
  static constexpr std::size_t kNodeCapacity = 10;
  struct DestroyTree {
    Geos* geos;
    void operator()(GEOSSTRtree* tree) const { GEOSSTRtree_destroy_r(geos->context(), tree); }
  };
  struct DestroyPrepared {
    Geos* geos;
    void operator()(const GEOSPreparedGeometry* p) const { GEOSPreparedGeom_destroy_r(geos->context(), p); }
  };

  GEOSContextHandle_t context() const { return geos_.context(); }
  const GEOSGeometry* polygon(std::size_t i) const {
    return GEOSGetGeometryN_r(context(), polygons_, static_cast<int>(i));
  }

  /// The polygons that share a point with the line, ascending.
  std::vector<std::size_t> meeting(const Geos::Shape& line) {
    std::vector<std::size_t> met;
    const auto add = [](void* number, void* list) {
      static_cast<std::vector<std::size_t>*>(list)->push_back(*static_cast<std::size_t*>(number));
    };
    if (!numbers_.empty()) GEOSSTRtree_query_r(context(), tree_.get(), line.get(), add, &met);
    std::erase_if(met, [&](std::size_t i) {
      if (!prepared_[i]) prepared_[i] = Prepared(GEOSPrepare_r(context(), polygon(i)), {&geos_});
      return GEOSPreparedIntersects_r(context(), prepared_[i].get(), line.get()) == 0;
    });
    std::sort(met.begin(), met.end());
    return met;
  }

  Geos::Shape collected(const std::vector<std::size_t>& which) {
    std::vector<Geos::Shape> parts;
    parts.reserve(which.size());
    for (const std::size_t i : which) parts.push_back(geos_.own(GEOSGeom_clone_r(context(), polygon(i))));
    return geos_.collect(GEOS_MULTIPOLYGON, std::move(parts));
  }

  using Prepared = std::unique_ptr<const GEOSPreparedGeometry, DestroyPrepared>;
  Geos& geos_;
  const GEOSGeometry* polygons_;
  std::unique_ptr<GEOSSTRtree, DestroyTree> tree_;
  std::vector<std::size_t> numbers_;  ///< what the tree holds: 0, 1, 2 …
  std::vector<Prepared> prepared_;    ///< made when first asked
};

}  // namespace

std::optional<ShapeError> validity(const Polygon& polygon) {
  Geos geos;
  if (polygon.outer.size() < 3) {
    const auto at = polygon.outer.empty() ? std::nullopt : std::optional(polygon.outer.front());
    return ShapeError{"Too few points in geometry component", at, {}};
  }
  const Geos::Shape shape = geos.polygon(polygon);
  if (!shape) return ShapeError{geos.lastError(), {}, {}};
  char* reason = nullptr;
  GEOSGeometry* place = nullptr;
  const char valid = GEOSisValidDetail_r(geos.context(), shape.get(), 0, &reason, &place);
  const Geos::Shape owned_place = geos.own(place);
  std::optional<ShapeError> error;
  if (valid != 1) {
    error = ShapeError{reason ? reason : geos.lastError(), {}, {}};
    Point at;
    if (place && GEOSGeomGetX_r(geos.context(), place, &at.x) && GEOSGeomGetY_r(geos.context(), place, &at.y)) {
      error->at = at;
    }
  }
  if (reason) GEOSFree_r(geos.context(), reason);
  return error;
}

std::vector<Polygon> repaired(const Polygon& polygon) {
  Geos geos;
  return geos.toPolygons(geos.valid(geos.polygon(polygon)).get());
}

std::vector<Polygon> unionOf(const std::vector<Polygon>& polygons) {
  Geos geos;
  return geos.toPolygons(joined(geos, polygons).get());
}

std::vector<Polygon> unionOfTiles(const std::vector<Polygon>& tiles) {
  Geos geos;
  const Geos::Shape whole = geos.own(GEOSCoverageUnion_r(geos.context(), geos.polygons(tiles).get()));
  if (!whole) fail("merged", geos);
  return geos.toPolygons(whole.get());
}

std::vector<Polygon> difference(const std::vector<Polygon>& from, const std::vector<Polygon>& take) {
  Geos geos;
  return cut(geos, joined(geos, from), joined(geos, take));
}

std::vector<Polygon> differenceOfMerged(const std::vector<Polygon>& from, const std::vector<Polygon>& take) {
  Geos geos;
  if (take.size() <= kFew) return cut(geos, joinedAgain(geos, from), joinedAgain(geos, take));
  const std::vector<bool> island = islands(from, take);
  std::vector<Polygon> others;
  for (std::size_t i = 0; i < take.size(); ++i)
    if (!island[i]) others.push_back(take[i]);
  std::vector<Polygon> rest = others.empty() ? from : cut(geos, joinedAgain(geos, from), joinedAgain(geos, others));
  const EdgeRows rows(rest);
  std::vector<std::uint32_t> around;
  for (std::size_t i = 0; i < take.size(); ++i) {
    if (!island[i]) continue;
    rows.covering(take[i].outer.front(), around);
    if (!around.empty()) rest[around[0]].holes.emplace_back(take[i].outer.rbegin(), take[i].outer.rend());
  }
  return rest;
}

std::vector<Polygon> intersection(const std::vector<Polygon>& a, const std::vector<Polygon>& b) {
  Geos geos;
  const auto shape_a = joined(geos, a), shape_b = joined(geos, b);
  const auto result = geos.own(GEOSIntersection_r(geos.context(), shape_a.get(), shape_b.get()));
  if (!result) fail("intersected", geos);
  return geos.toPolygons(result.get());
}

std::vector<Polyline> difference(const std::vector<Polyline>& from, const std::vector<Polygon>& take) {
  Geos geos;
  const Geos::Shape polygons = joined(geos, take);
  LineCutter cutter(geos, polygons);
  std::vector<Polyline> pieces;
  for (const auto& line : from) cutter.append(line, pieces);
  return pieces;
}

bool intersects(const std::vector<Polygon>& a, const std::vector<Polygon>& b) {
  Geos geos;
  const auto shape_a = joined(geos, a), shape_b = joined(geos, b);
  return GEOSIntersects_r(geos.context(), shape_a.get(), shape_b.get()) == 1;
}

bool intersects(const std::vector<Polyline>& lines, const std::vector<Polygon>& polygons) {
  Geos geos;
  const auto area = joined(geos, polygons);
  return std::any_of(lines.begin(), lines.end(), [&](const Polyline& line) {
    const auto shape = geos.line(line);
    return shape && GEOSIntersects_r(geos.context(), shape.get(), area.get()) == 1;
  });
}

}  // namespace throng::geometry
