// Corridor maps as bytes: "THRONGCM", a version, then the map's lists in the order of `MapFile::content`. Numbers are
// little-endian, lists begin with their length (64 bits). What can be found again quickly is not stored: which cells
// lie in which square, and which connections they reach over.
#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <fmt/format.h>
#include <istream>
#include <ostream>
#include <string_view>
#include <type_traits>

#include "environment/corridor_map.h"
#include "environment/map_builder.h"

namespace throng::environment {
namespace {

constexpr std::string_view kMagic = "THRONGCM";
constexpr std::uint32_t kVersion = 1;

template <class T>
using Bits = std::conditional_t<
    sizeof(T) == 8, std::uint64_t,
    std::conditional_t<sizeof(T) == 4, std::uint32_t, std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint8_t>>>;

class Writer {
 public:
  template <class T>
  requires std::is_arithmetic_v<T>
  void operator()(T& value) {
    const auto bits = std::bit_cast<Bits<T>>(value);
    for (std::size_t i = 0; i < sizeof(T); ++i) bytes_.push_back(static_cast<char>(bits >> (8 * i) & 0xff));
  }
  template <class T, class Fields>
  void list(std::vector<T>& values, const Fields& fields) {
    std::uint64_t size = values.size();
    (*this)(size);
    for (T& value : values) fields(*this, value);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  requires std::is_arithmetic_v<T>
  void operator()(T& value) {
    need(sizeof(T));
    Bits<T> bits = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
      bits = static_cast<Bits<T>>(bits | static_cast<Bits<T>>(static_cast<unsigned char>(bytes_[at_ + i])) << (8 * i));
    if constexpr (std::is_same_v<T, bool>) {
      if (bits > 1) fail(fmt::format("{} where 0 (no) or 1 (yes) must be", bits));
      value = bits != 0;
    } else {
      value = std::bit_cast<T>(bits);
    }
    at_ += sizeof(T);
  }
  template <class T, class Fields>
  void list(std::vector<T>& values, const Fields& fields) {
    // An entry has a size of its own, so that a wrong length cannot ask for more memory than the file justifies.
    Writer one;
    T empty{};
    fields(one, empty);
    std::uint64_t size = 0;
    (*this)(size);
    if (size > (bytes_.size() - at_) / one.bytes().size())
      fail(fmt::format("a list of {} entries, of {} bytes each at least, where {} bytes are left", size,
                       one.bytes().size(), bytes_.size() - at_));
    values.resize(static_cast<std::size_t>(size));
    for (T& value : values) fields(*this, value);
  }
  std::string_view take(std::size_t size) {
    need(size);
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }
  void expectEnd() const {
    if (at_ != bytes_.size()) fail(fmt::format("{} bytes after the map's end", bytes_.size() - at_));
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(fmt::format("This is no corridor map, or a damaged one: byte {}: {}.", at_, what));
  }

 private:
  void need(std::size_t size) const {
    if (bytes_.size() - at_ < size)
      fail(fmt::format("{} more bytes must follow, there are {}", size, bytes_.size() - at_));
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
};

template <class Archive>
void fields(Archive& f, Point& p) {
  f(p.x), f(p.y);
}
template <class Archive>
void fields(Archive& f, Rectangle& r) {
  fields(f, r.min), fields(f, r.max);
}
template <class Archive>
void fields(Archive& f, std::uint32_t& number) {
  f(number);
}
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
  constexpr double kFarthest = 1e8;  // m
  for (const double x : {r.min.x, r.min.y, r.max.x, r.max.y})
    if (!(std::abs(x) <= kFarthest)) return false;
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
    f.list(map_.connections_, [](auto& archive, MapConnection& k) {
      fields(archive, k);
      archive.list(k.closed, kFields);
    });
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
    f(map_.next_order_);
  }

  /// Empty grids of the right size.
  void prepareGrids(const Reader& reader, const std::vector<Rectangle>& bounds) {
    std::vector<std::size_t> cells(bounds.size(), 0);
    for (const MapHalfEdge& e : map_.edges_) {
      if (e.floor >= cells.size()) reader.fail(fmt::format("floor {} of {}", e.floor, cells.size()));
      cells[e.floor] += e.origin != kNone;
    }
    for (std::size_t i = 0; i < bounds.size(); ++i) {
      if (!mappable(bounds[i])) reader.fail(fmt::format("floor {} has bounds that are no rectangle", i));
      map_.grids_.emplace_back(bounds[i], cells[i]);
    }
  }

  void fillGrids() {
    for (std::uint32_t h = 0; h < map_.edges_.size(); ++h)
      if (map_.edges_[h].origin != kNone) MapBuilder::enter(map_, h);
  }

 private:
  CorridorMap& map_;
};

void CorridorMap::save(std::ostream& out) const {
  CorridorMap copy = *this;  // one list of fields serves both directions, and reading writes to them
  std::vector<Rectangle> bounds;
  for (const CellGrid& grid : grids_) bounds.push_back(grid.bounds());
  Writer writer;
  std::uint32_t version = kVersion;
  writer(version);
  MapFile(copy).content(writer, bounds);
  out << kMagic << writer.bytes();
}

CorridorMap CorridorMap::load(std::istream& in) {
  const std::string bytes(std::istreambuf_iterator<char>(in), {});
  Reader reader(bytes);
  if (reader.take(kMagic.size()) != kMagic)
    throw InputError("This is no corridor map: it does not begin with THRONGCM.");
  std::uint32_t version = 0;
  reader(version);
  if (version != kVersion)
    throw InputError(
        fmt::format("This corridor map has version {}; this program reads version {}.", version, kVersion));
  CorridorMap map;
  MapFile file(map);
  std::vector<Rectangle> bounds;
  file.content(reader, bounds);
  reader.expectEnd();
  file.prepareGrids(reader, bounds);
  if (const std::string wrong = map.check(); !wrong.empty())
    throw InputError(fmt::format("This corridor map is damaged: {}.", wrong));
  file.fillGrids();
  linkChains(map);
  return map;
}

}  // namespace throng::environment
