#include "graph/navigation_graph.h"

#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "base/lists.h"
#include "base/stopwatch.h"
#include "geometry/boxes.h"
#include "geometry/predicates.h"
#include "graph/navigation_graph_builder.h"

namespace throng::graph {
namespace {

void requireSetting(const char* name, double value, double least, double most) {
  if (!(value >= least && value <= most))
    throw InputError(fmt::format("A navigation graph with `{}` {} m; allowed: {} to {} m.", name, value, least, most));
}

}  // namespace

GraphBuilder::GraphBuilder(NavigationGraph& graph, const ground::WalkableSpace& space,
                           const corridors::CorridorMap& map, const Walkability& walkability,
                           const base::Threads& threads, NavigationGraph::Making making)
    : graph_(graph),
      space_(space),
      map_(map),
      walkability_(walkability),
      threads_(threads),
      quick_(making == NavigationGraph::Making::kQuick),
      radius_(walkability.body_radius) {}

void GraphBuilder::build(double precision) {
  graph_.precision_ = precision;
  graph_.body_radius_ = radius_;
  GraphStatistics& s = graph_.statistics_;
  base::Stopwatch clock;
  grid_.emplace(space_, map_, walkability_, precision, threads_);
  s.sampling = clock.lap();
  grid_->measure(map_, threads_);
  s.clearance = clock.lap();
  grid_->link(map_, threads_);
  s.linking = clock.lap();
  placeCylinders();
  s.cylinders = clock.lap();
  for (const corridors::MapConnection& connection : map_.connections())
    if (connection.open)
      for (const Segment& part : connection.parts) {
        const bool along = dot(part.b - part.a, connection.line.b - connection.line.a) > 0;
        graph_.passages_.push_back(
            {along ? part : Segment{part.b, part.a}, connection.left_floor, connection.right_floor});
      }
  joinCylinders();
  s.gates = clock.lap();
  findVisible();
  s.visibility = clock.lap();
  s.seconds = s.sampling + s.clearance + s.linking + s.cylinders + s.gates + s.visibility;
  s.samples = grid_->size();
  s.links = grid_->links();
  s.border_samples = grid_->borderSamples();
  s.peak_bytes = grid_->bytes() + axis_->bytes() +
                 (inside_.size() + next_.size() + seen_.size() + gap_seen_.size()) * sizeof(std::uint32_t) +
                 (owner_.size() + next_unowned_.size() + axis_mark_.size() + reached_.size()) * sizeof(std::uint32_t) +
                 needed_.size();
}

NavigationGraph::NavigationGraph(const ground::WalkableSpace& space, const corridors::CorridorMap& map,
                                 const Walkability& walkability, double precision, const base::Threads& threads,
                                 Making making) {
  requireSetting("precision", precision, 0.01, 100);
  requireSetting("body_radius", walkability.body_radius, 0.01, 100);
  GraphBuilder(*this, space, map, walkability, threads, making).build(precision);
}

void NavigationGraph::index() {
  for (GraphVertex& v : vertices_) v.first = v.count = 0;
  for (const GraphEdge& edge : edges_) ++vertices_[edge.low].count, ++vertices_[edge.high].count;
  std::uint32_t first = 0;
  for (GraphVertex& v : vertices_) v.first = first, first += v.count, v.count = 0;
  incident_.resize(first);
  for (std::uint32_t e = 0; e < edges_.size(); ++e)
    for (const std::uint32_t v : {edges_[e].low, edges_[e].high})
      incident_[vertices_[v].first + vertices_[v].count++] = e;
  indexCylinders();
  indexPassages();
}

void NavigationGraph::indexCylinders() {
  squares_ = {};
  if (vertices_.empty()) return;
  constexpr double kLeastSquare = 4;  // m
  Rectangle extent = geometry::kEmptyBox;
  double entries = 0;  // about, per m² of a square
  for (const GraphVertex& v : vertices_) {
    geometry::include(extent, geometry::grown({v.centre, v.centre}, v.radius));
    entries += 4 * v.radius * v.radius;
  }
  // Memory stays proportional to the number of cylinders, however large they are.
  const double most = 4096 + 64 * static_cast<double>(vertices_.size());
  const Point whole = extent.max - extent.min;
  const double size = std::max({kLeastSquare, std::sqrt(whole.x * whole.y / most), std::max(whole.x, whole.y) / most,
                                std::sqrt(entries / most)});
  geometry::CellLayout<double> layout;
  layout.origin = extent.min;
  layout.per_metre = 1 / size;
  layout.columns = static_cast<int>(whole.x / size) + 1;
  layout.rows = static_cast<int>(whole.y / size) + 1;
  squares_ = geometry::UniformGrid<double>(layout, [&](const auto& put) {
    for (std::uint32_t v = 0; v < vertices_.size(); ++v) {
      const Point centre = vertices_[v].centre, at = centre - layout.origin;
      const double r = vertices_[v].radius;
      const int x0 = layout.column(centre.x - r), x1 = layout.column(centre.x + r);
      const int y0 = layout.row(centre.y - r), y1 = layout.row(centre.y + r);
      for (int y = y0; y <= y1; ++y)
        for (int x = x0; x <= x1; ++x) {
          const Point near{std::clamp(at.x, x * size, (x + 1) * size), std::clamp(at.y, y * size, (y + 1) * size)};
          if (lengthSquared(near - at) <= r * r * (1 + 1e-9) + 1e-9) put(layout.cell(x, y), v);
        }
    }
  });
}

void NavigationGraph::indexPassages() {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> reaches;  // vertex, passage
  for (std::uint32_t i = 0; i < passages_.size(); ++i) {
    const Segment& line = passages_[i].line;
    const Rectangle box = geometry::boxOf(line);
    squares_.visit(box.min, box.max, [&](std::uint32_t v) {
      if (geometry::distanceToSegment(vertices_[v].centre, line.a, line.b) <= vertices_[v].radius)
        reaches.emplace_back(v, i);
    });
  }
  base::sortUnique(reaches);
  reaches_start_.assign(vertices_.size() + 1, 0);
  reaches_.clear();
  for (const auto& [vertex, passage] : reaches) ++reaches_start_[vertex + 1], reaches_.push_back(passage);
  for (std::size_t v = 0; v < vertices_.size(); ++v) reaches_start_[v + 1] += reaches_start_[v];
}

/// Goes straight from the centre to the place and changes floors on the way. Nothing but passages can lie between.
std::uint16_t NavigationGraph::floorIn(std::uint32_t vertex, Point place) const {
  const Point from = vertices_[vertex].centre;
  std::uint16_t floor = vertices_[vertex].floor;
  double last = -1;
  std::uint32_t last_passage = corridors::kNone;
  for (;;) {
    // The next one on the way that leads from this floor.
    double best = 2;
    std::uint32_t next = corridors::kNone;
    for (std::uint32_t i = reaches_start_[vertex]; i < reaches_start_[vertex + 1]; ++i) {
      const Passage& p = passages_[reaches_[i]];
      if (reaches_[i] == last_passage || (p.left_floor != floor && p.right_floor != floor)) continue;
      // A centre on the line itself is on the side of its own floor.
      const int side = geometry::orientation(p.line.a, p.line.b, from);
      const int before = side != 0 ? side : floor == p.left_floor ? 1 : -1;
      const int after = geometry::orientation(p.line.a, p.line.b, place) >= 0 ? 1 : -1;
      if (before == after || !geometry::segmentsIntersect(from, place, p.line.a, p.line.b)) continue;
      const Point way = p.line.b - p.line.a;
      const double at_from = det(way, from - p.line.a), at_place = det(way, place - p.line.a);
      const double t = at_from != at_place ? at_from / (at_from - at_place) : 0;
      if (t > last && t < best) best = t, next = reaches_[i];
    }
    if (next == corridors::kNone) return floor;
    const Passage& p = passages_[next];
    floor = geometry::orientation(p.line.a, p.line.b, place) >= 0 ? p.left_floor : p.right_floor;
    last = best, last_passage = next;
  }
}

std::uint32_t NavigationGraph::locate(Point place, std::uint16_t floor, double reach) const {
  if (!std::isfinite(place.x) || !std::isfinite(place.y)) return corridors::kNone;
  std::uint32_t found = corridors::kNone;
  double best = 0;  // m that the place is inside
  const auto look = [&](std::uint32_t v) {
    const double deep = vertices_[v].radius - length(place - vertices_[v].centre);
    if (deep > best || (deep == best && v < found))
      if (floorIn(v, place) == floor) best = deep, found = v;
  };
  squares_.visit(place, place, look);
  if (found != corridors::kNone || !(reach > 0)) return found;
  best = -reach;
  squares_.visit(place - Point{reach, reach}, place + Point{reach, reach}, look);
  return found;
}

std::span<const std::uint32_t> NavigationGraph::visible(std::uint32_t vertex, Cardinal direction) const {
  const std::size_t list = 4 * static_cast<std::size_t>(vertex) + static_cast<std::size_t>(direction);
  return std::span(visible_).subspan(visible_start_[list], visible_start_[list + 1] - visible_start_[list]);
}

std::size_t NavigationGraph::bytes() const {
  const auto of = [](const auto& list) { return list.capacity() * sizeof(list[0]); };
  return of(vertices_) + of(edges_) + of(incident_) + of(component_) + of(visible_start_) + of(visible_) +
         of(passages_) + of(reaches_start_) + of(reaches_) + squares_.bytes();
}

}  // namespace throng::graph
