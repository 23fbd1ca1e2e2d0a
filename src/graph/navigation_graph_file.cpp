// Navigation graphs as archives (base/archive.h): the graph's numbers and lists in the order of `GraphFile::content`.
// What can be found again quickly is not stored, nor are times: the same graph gives the same bytes.
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <string_view>

#include "geometry/archive_fields.h"
#include "graph/navigation_graph.h"

namespace throng::graph {
namespace {

constexpr base::ArchiveKind kKind{"navigation graph", 2};

[[noreturn]] void fail(const std::string& what) {
  throw InputError(fmt::format("this navigation graph is damaged: {}", what));
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
    f.list(graph_.passages_, [](auto& archive, NavigationGraph::Passage& p) {
      fields(archive, p.line), archive(p.left_floor), archive(p.right_floor);
    });
    f.list(graph_.vertices_, kFields);
    f.list(graph_.edges_, kFields);
    f.list(graph_.component_, kFields);
    f.list(graph_.visible_start_, kFields);
    f.list(graph_.visible_, kFields);
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
    require(graph_.component_.size() == count, "it must say for every cylinder what it is connected with");
    for (const GraphEdge& e : graph_.edges_)
      require(graph_.component_[e.low] == graph_.component_[e.high], "a gate joins what is not connected");
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

std::string NavigationGraph::save() const {
  NavigationGraph copy = *this;  // one list of fields serves both directions, and reading writes to them
  base::ArchiveWriter writer;
  GraphFile(copy).content(writer);
  return base::sealed(kKind, scene_, writer.bytes());
}

NavigationGraph NavigationGraph::load(std::string_view bytes) {
  const base::Unsealed file = base::unsealed(kKind, bytes);
  base::ArchiveReader reader(file.content, kKind.name, true);
  NavigationGraph graph;
  graph.scene_ = file.scene;
  GraphFile content(graph);
  content.content(reader);
  reader.expectEnd();
  content.check();
  graph.index();
  return graph;
}

}  // namespace throng::graph
