// Corridor maps as archives (base/archive.h): the map's lists in the order of `MapFile::content`. What can be found
// again quickly is not stored: which cells lie in which square, and which connections they reach over.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string_view>

#include "corridors/corridor_map.h"
#include "corridors/map_builder.h"
#include "geometry/archive_fields.h"

namespace throng::corridors {
namespace {

constexpr base::ArchiveKind kKind{"corridor map", 2};

template <class Archive>
void fields(Archive& f, MapVertex& v) {
  fields(f, v.at), f(v.clearance), f(v.edge);
}
template <class Archive>
void fields(Archive& f, MapHalfEdge& e) {
  f(e.origin), f(e.next), f(e.previous), f(e.site.code), fields(f, e.foot), f(e.least_clearance);
  f(e.chain), f(e.along), f(e.floor), f(e.forward);
}
template <class Archive>
void fields(Archive& f, MapWall& w) {
  f(w.a), f(w.b), f(w.floor), f(w.left_free), f(w.right_free), f(w.frame), f(w.next_at_a), f(w.next_at_b);
  f(w.left_cell), f(w.right_cell);
}
template <class Archive>
void fields(Archive& f, MapCorner& c) {
  fields(f, c.at), f(c.floor), f(c.wall), f(c.other);
}
template <class Archive>
void fields(Archive& f, MapChain& c) {
  f(c.first), f(c.last), f(c.a), f(c.b), f(c.length), f(c.least_clearance), f(c.arm);
}
template <class Archive>
void fields(Archive& f, MapConnection& k) {
  f(k.left_floor), f(k.right_floor), fields(f, k.line.a), fields(f, k.line.b), f(k.open);
  f.list(k.parts, [](auto& archive, Segment& part) { fields(archive, part.a), fields(archive, part.b); });
  f.list(k.closed, [](auto& archive, MapWall& wall) { fields(archive, wall); });
}

const auto kFields = [](auto& archive, auto& value) { fields(archive, value); };

bool mappable(const Rectangle& r) {
  constexpr double kMostDistant = 1e8;  // m
  for (const double x : {r.min.x, r.min.y, r.max.x, r.max.y})
    if (!(std::abs(x) <= kMostDistant)) return false;
  return r.min.x <= r.max.x && r.min.y <= r.max.y;
}

}  // namespace

class MapFile {
 public:
  explicit MapFile(CorridorMap& map) : map_(map) {}

  template <class Archive>
  void content(Archive& f, std::vector<Rectangle>& bounds) {
    fields(f, map_.origin_), f(map_.resolution_), f(map_.revision_);
    f.list(bounds, kFields);
    f.list(map_.connections_, kFields);
    f.list(map_.corners_, kFields);
    f.list(map_.walls_, kFields);
    f.list(map_.vertices_, kFields);
    f.list(map_.edges_, kFields);
    f.list(map_.chains_, kFields);
    for (auto* list :
         {&map_.free_corners_, &map_.free_walls_, &map_.free_vertices_, &map_.free_edges_, &map_.free_chains_})
      f.list(*list, kFields);
    f(map_.next_order_);
    f.list(map_.obstacles_, [](auto& archive, CorridorMap::Obstacle& o) {
      archive.list(o.shape, kFields);
      archive(o.floor), archive(o.order);
      archive.list(o.added, kFields);
      archive.list(o.replaced,
                   [](auto& to, std::pair<std::uint32_t, MapWall>& wall) { to(wall.first), fields(to, wall.second); });
    });
  }

  /// Empty grids.
  void prepareGrids(const base::ArchiveReader& reader, const std::vector<Rectangle>& bounds) {
    for (const MapHalfEdge& e : map_.edges_)
      if (e.floor >= bounds.size()) reader.fail(fmt::format("floor {} of {}", e.floor, bounds.size()));
    for (std::size_t i = 0; i < bounds.size(); ++i) {
      if (!mappable(bounds[i])) reader.fail(fmt::format("floor {} has bounds that are no rectangle", i));
      map_.grids_.emplace_back(bounds[i]);
    }
  }

  void fillGrids() { MapBuilder::enterAll(map_); }

 private:
  CorridorMap& map_;
};

std::string CorridorMap::save() const {
  CorridorMap copy = *this;  // one list of fields serves both directions, and reading writes to them
  std::vector<Rectangle> bounds;
  for (const CellGrid& grid : grids_) bounds.push_back(grid.bounds());
  base::ArchiveWriter writer;
  MapFile(copy).content(writer, bounds);
  return base::sealed(kKind, 0, writer.bytes());
}

CorridorMap CorridorMap::load(std::string_view bytes) {
  base::ArchiveReader reader(base::unsealed(kKind, bytes).content, kKind.name, false);
  CorridorMap map;
  MapFile file(map);
  std::vector<Rectangle> bounds;
  file.content(reader, bounds);
  reader.expectEnd();
  file.prepareGrids(reader, bounds);
  if (const std::string wrong = map.check(); !wrong.empty())
    throw InputError(fmt::format("this corridor map is damaged: {}", wrong));
  file.fillGrids();
  map.indexConnections();
  linkChains(map);
  return map;
}

}  // namespace throng::corridors
