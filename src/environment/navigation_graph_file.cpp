// Navigation graphs as bytes: "THRONGNG", a version, then the graph's numbers and lists in the order of
// `GraphFile::content`. Numbers are little-endian, lists begin with their length (64 bits). What can be found again
// quickly is not stored, nor are times: the same graph gives the same bytes.
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <istream>
#include <iterator>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>

#include "environment/navigation_graph.h"

namespace throng::environment {
namespace {

constexpr std::string_view kMagic = "THRONGNG";
constexpr std::uint32_t kVersion = 1;

template <std::size_t kSize>
using Bits =
    std::conditional_t<kSize == 8, std::uint64_t, std::conditional_t<kSize == 4, std::uint32_t, std::uint16_t>>;

[[noreturn]] void fail(const std::string& what) {
  throw InputError(fmt::format("This is no navigation graph, or a damaged one: {}.", what));
}

class Writer {
 public:
  template <class T>
  void operator()(const T& value) {
    const auto bits = std::bit_cast<Bits<sizeof(T)>>(value);
    for (std::size_t i = 0; i < sizeof(T); ++i) bytes.push_back(static_cast<char>(bits >> (8 * i) & 0xff));
  }
  template <class T, class Fields>
  void list(std::vector<T>& values, std::size_t, const Fields& fields) {
    (*this)(static_cast<std::uint64_t>(values.size()));
    for (T& value : values) fields(*this, value);
  }
  std::string bytes;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  void operator()(T& value) {
    const std::string_view taken = take(sizeof(T));
    Bits<sizeof(T)> bits = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
      bits = static_cast<Bits<sizeof(T)>>(bits | static_cast<Bits<sizeof(T)>>(static_cast<unsigned char>(taken[i]))
                                                     << (8 * i));
    value = std::bit_cast<T>(bits);
    if constexpr (std::is_floating_point_v<T>)
      if (!std::isfinite(value)) fail(fmt::format("a number that is not finite before byte {}", at_));
  }
  /// `least`: bytes that an entry takes at least, so that a wrong length cannot ask for more than the file justifies.
  template <class T, class Fields>
  void list(std::vector<T>& values, std::size_t least, const Fields& fields) {
    std::uint64_t size = 0;
    (*this)(size);
    if (size > (bytes_.size() - at_) / least)
      fail(fmt::format("a list of {} entries where {} bytes are left", size, bytes_.size() - at_));
    values.resize(static_cast<std::size_t>(size));
    for (T& value : values) fields(*this, value);
  }
  std::string_view take(std::size_t size) {
    if (bytes_.size() - at_ < size)
      fail(fmt::format("{} bytes must follow byte {}, there are {}", size, at_, bytes_.size() - at_));
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }
  std::size_t left() const { return bytes_.size() - at_; }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

template <class Archive>
void fields(Archive& f, Point& p) {
  f(p.x), f(p.y);
}
template <class Archive>
void fields(Archive& f, Segment& s) {
  fields(f, s.a), fields(f, s.b);
}
template <class Archive>
void fields(Archive& f, std::uint32_t& number) {
  f(number);
}
template <class Archive>
void fields(Archive& f, GraphVertex& v) {
  fields(f, v.centre), f(v.z), f(v.radius), f(v.floor);
}
template <class Archive>
void fields(Archive& f, GraphEdge& e) {
  f(e.low), f(e.high), fields(f, e.gate), fields(f, e.passage), f(e.width), f(e.length);
}

const auto kFields = [](auto& archive, auto& value) { fields(archive, value); };

}  // namespace

class GraphFile {
 public:
  explicit GraphFile(NavigationGraph& graph) : graph_(graph) {}

  template <class Archive>
  void content(Archive& f) {
    GraphStatistics& s = graph_.statistics_;
    std::uint64_t counts[] = {s.samples, s.links, s.border_samples, s.peak_bytes};
    f(graph_.precision_), f(graph_.body_radius_);
    for (std::uint64_t& count : counts) f(count);
    s.samples = counts[0], s.links = counts[1], s.border_samples = counts[2], s.peak_bytes = counts[3];
    f.list(graph_.passages_, 36, [](auto& archive, NavigationGraph::Passage& p) {
      fields(archive, p.line), archive(p.left_floor), archive(p.right_floor);
    });
    f.list(graph_.vertices_, 34, kFields);
    f.list(graph_.edges_, 80, kFields);
    f.list(graph_.component_, 4, kFields);
    f.list(graph_.visible_start_, 4, kFields);
    f.list(graph_.visible_, 4, kFields);
  }

  /// Everything that the rest of the program relies on.
  void check() const {
    const std::size_t count = graph_.vertices_.size();
    const auto require = [](bool holds, const char* what) {
      if (!holds) fail(what);
    };
    constexpr double kFarthest = 1e9;  // m
    const auto near = [](Point p) { return std::abs(p.x) <= kFarthest && std::abs(p.y) <= kFarthest; };
    require(graph_.precision_ > 0 && graph_.body_radius_ > 0, "its precision and body radius must be positive");
    for (const auto& passage : graph_.passages_)
      require(near(passage.line.a) && near(passage.line.b), "a line between floors is too far away");
    for (const GraphVertex& v : graph_.vertices_)
      require(near(v.centre) && v.radius > 0 && v.radius <= kFarthest, "a cylinder is too far away, or has no radius");
    for (std::size_t i = 0; i < graph_.edges_.size(); ++i) {
      const GraphEdge& e = graph_.edges_[i];
      require(e.low < e.high && e.high < count, "a gate joins cylinders that are not there");
      require(e.width >= 0 && e.length >= 0, "a gate has a negative size");
      if (i == 0) continue;
      const GraphEdge& before = graph_.edges_[i - 1];
      require(before.low < e.low || (before.low == e.low && before.high < e.high), "gates are not in order");
    }
    require(graph_.component_.size() == count, "it must say for every cylinder what it hangs together with");
    for (const GraphEdge& e : graph_.edges_)
      require(graph_.component_[e.low] == graph_.component_[e.high], "a gate joins what does not hang together");
    for (const std::uint32_t component : graph_.component_)
      require(component < count, "there are more parts than cylinders");
    checkVisible(count, require);
  }

 private:
  template <class Require>
  void checkVisible(std::size_t count, const Require& require) const {
    const auto& start = graph_.visible_start_;
    const auto& seen = graph_.visible_;
    require(start.size() == 4 * count + 1 && start.front() == 0 && start.back() == seen.size(),
            "it must say for every cylinder what is seen from it");
    for (std::size_t i = 0; i + 1 < start.size(); ++i)
      require(start[i] <= start[i + 1], "what is seen is out of order");
    for (std::size_t i = 0; i + 1 < start.size(); ++i)
      for (std::uint32_t k = start[i]; k < start[i + 1]; ++k)
        require(seen[k] < count && (k == start[i] || seen[k - 1] < seen[k]), "what is seen is out of order");
  }

  NavigationGraph& graph_;
};

void NavigationGraph::save(std::ostream& out) const {
  NavigationGraph copy = *this;  // one list of fields serves both directions, and reading writes to them
  Writer writer;
  writer(kVersion);
  GraphFile(copy).content(writer);
  out << kMagic << writer.bytes;
}

NavigationGraph NavigationGraph::load(std::istream& in) {
  const std::string bytes(std::istreambuf_iterator<char>(in), {});
  Reader reader(bytes);
  if (reader.take(kMagic.size()) != kMagic)
    throw InputError("This is no navigation graph: it does not begin with THRONGNG.");
  std::uint32_t version = 0;
  reader(version);
  if (version != kVersion)
    throw InputError(
        fmt::format("This navigation graph has version {}; this program reads version {}.", version, kVersion));
  NavigationGraph graph;
  GraphFile file(graph);
  file.content(reader);
  if (reader.left() > 0) fail(fmt::format("{} bytes after its end", reader.left()));
  file.check();
  graph.index();
  return graph;
}

}  // namespace throng::environment
