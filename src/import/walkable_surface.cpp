#include "import/walkable_surface.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <tuple>

#include "base/stopwatch.h"
#include "geometry/polygons.h"
#include "import/walkable_surface_gaps.h"
#include "import/walkable_surface_outlines.h"
#include "import/walkable_surface_rims.h"

namespace throng::import {
namespace {

/// The layers' ground, elevations and areas.
std::vector<double> fillLayers(const Cells& cells, const Layering& layering, std::vector<Layer>& layers) {
  std::vector<double> area(layers.size(), 0);
  for (std::size_t c = 0; c < cells.cells.size(); ++c) {
    const std::uint32_t id = layering.layer[c];
    if (id == kNone) continue;
    const Cell& cell = cells.cells[c];
    std::array<Point3, 3> triangle;
    for (std::size_t i = 0; i < 3; ++i) {
      const Point p = cells.corner(cell, i);
      triangle[i] = {p.x, p.y, cells.heightAt(cell, p)};
    }
    layers[id].ground.push_back(triangle);
    area[id] += cells.area(cell);
    layers[id].elevation += cells.area(cell) * (triangle[0].z + triangle[1].z + triangle[2].z) / 3;
  }
  for (std::size_t id = 0; id < layers.size(); ++id)
    if (area[id] > 0) layers[id].elevation /= area[id];
  return area;
}

/// Ground of materials that stand for regions, as regions of the layers, by type in the order of the alphabet.
void addRegions(const Cells& cells, const Layering& layering, const Mesh& mesh,
                const std::map<std::string, std::string>& types, std::vector<Layer>& layers) {
  if (types.empty() || mesh.material.empty()) return;
  std::vector<std::map<std::string, std::vector<Polygon>>> found(layers.size());
  for (std::size_t c = 0; c < cells.cells.size(); ++c) {
    const std::uint32_t id = layering.layer[c];
    const Cell& cell = cells.cells[c];
    if (id == kNone || mesh.material[cell.face] >= mesh.materials.size()) continue;
    const auto type = types.find(mesh.materials[mesh.material[cell.face]].name);
    if (type != types.end())
      found[id][type->second].push_back({{cells.corner(cell, 0), cells.corner(cell, 1), cells.corner(cell, 2)}, {}});
  }
  for (std::size_t id = 0; id < layers.size(); ++id)
    for (const auto& [type, triangles] : found[id])
      layers[id].regions.push_back({type, geometry::unionOfTiles(triangles)});
}

/// The first layer, then the others from large to small; without those that nothing is left of.
std::vector<std::uint32_t> orderOf(const std::vector<Layer>& layers, const std::vector<double>& area) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < layers.size(); ++i)
    if (!layers[i].walkable.empty()) order.push_back(i);
  if (order.size() > 1)
    std::stable_sort(order.begin() + 1, order.end(), [&](std::uint32_t s, std::uint32_t t) {
      constexpr double kAlike = 0.1;  // m²; of storeys of one size the lower comes first
      const auto rank = [&](std::uint32_t i) {
        return std::tuple(-std::llround(area[i] / kAlike), layers[i].elevation);
      };
      return rank(s) < rank(t);
    });
  return order;
}

/// Where people can stand, and the plan that this was found on.
struct StandingPlaces {
  PlanGraph graph;
  Triangulation plan;
  Cells cells;

  StandingPlaces(const Faces& faces, const std::vector<PlanLine>& lines, const Walkability& walkability,
                 const base::Threads& threads)
      : graph(noded(lines, faces.grid, threads)),
        plan(graph.nodes, graph.edges),
        cells(faces, graph, plan, walkability, threads) {}
};

bool same(const Walkability& a, const Walkability& b) {
  const auto all = [](const Walkability& w) {
    return std::tie(w.max_slope, w.step_height, w.body_height, w.body_radius, w.unwalkable_materials);
  };
  return all(a) == all(b);
}

/// Where people can stand in a mesh, and which of these places are wanted: layers follow from that alone.
struct Search {
  Faces faces;
  std::unique_ptr<const StandingPlaces> uncut, standing;  ///< the first is there where there are cuts and it is kept
  std::vector<bool> wanted_uncut, wanted;                 ///< by cell of these
  std::vector<Cut> cuts;

  Search(const Mesh& mesh, const Walkability& walkability) : faces(mesh, walkability) {
    if (faces.ground.empty())
      throw InputError(
          fmt::format("none of the {} triangles of the mesh is ground: flatter than {} degrees and of a "
                      "material people walk on",
                      mesh.triangles.size(), walkability.max_slope));
  }

  void run(const Walkability& walkability, const SurfaceOptions& options, const base::Threads& threads,
           const std::function<void(double)>& progress, bool keeps) {
    std::vector<PlanLine> lines = planLines(faces, walkability, threads);
    progress(0.2);
    standing = std::make_unique<const StandingPlaces>(faces, lines, walkability, threads);
    progress(0.5);
    wanted = keptCells(standing->cells, options.least_area, options.seeds);
    cuts = findCuts(standing->cells, wanted);
    if (cuts.empty()) return;
    for (std::uint32_t i = 0; i < cuts.size(); ++i)
      lines.push_back({std::min(cuts[i].a, cuts[i].b), std::max(cuts[i].a, cuts[i].b), kNone, i});
    std::sort(lines.begin(), lines.end());
    if (keeps) uncut = std::move(standing), wanted_uncut = std::move(wanted);
    standing = std::make_unique<const StandingPlaces>(faces, lines, walkability, threads);
    wanted = keptCells(standing->cells, options.least_area, options.seeds);
  }

  /// Do these seeds ask for the same places? Of a search that was kept.
  bool serves(const SurfaceOptions& options) const {
    return (!uncut || keptCells(uncut->cells, options.least_area, options.seeds) == wanted_uncut) &&
           keptCells(standing->cells, options.least_area, options.seeds) == wanted;
  }
};

WalkableSurface surfaceOf(const Search& search, const Mesh& mesh, const Walkability& walkability,
                          const SurfaceOptions& options, const base::Threads& threads) {
  const Cells& cells = search.standing->cells;
  Layering layering(cells, search.standing->graph, search.cuts, search.wanted);
  const Outlines outlines(cells, layering, std::min(0.01, options.least_area / 100), threads);
  if (options.progress) options.progress(0.95);

  std::vector<Layer> layers(layering.layers);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    layers[i].walkable = outlines.layers()[i].walkable;
    layers[i].walls = outlines.layers()[i].walls;
    addRims(layers[i]);
  }
  const std::vector<double> area = fillLayers(cells, layering, layers);
  addRegions(cells, layering, mesh, options.regions, layers);
  const std::vector<std::uint32_t> order = orderOf(layers, area);
  constexpr std::size_t kMostLayers = 60000;
  if (order.empty())
    throw InputError(
        fmt::format("there is nothing to walk on: no surface with {} m of free height above it is as large "
                    "as {} m²",
                    walkability.body_height, options.least_area));
  if (order.size() > kMostLayers)
    throw InputError(fmt::format("the mesh has {} floors above one another; allowed: {}", order.size(), kMostLayers));

  WalkableSurface surface;
  for (const std::uint32_t id : order) {
    layers[id].name = surface.layers.empty() ? "ground" : fmt::format("floor {}", surface.layers.size() + 1);
    surface.layers.push_back(std::move(layers[id]));
  }
  std::vector<std::uint32_t> position(layers.size(), kNone);
  for (std::uint32_t k = 0; k < order.size(); ++k) position[order[k]] = k;
  for (const MeetingLine& meeting : outlines.meetings()) {
    const std::uint32_t from = position[meeting.from], to = position[meeting.to];
    constexpr double kShortest = 0.02;  // m; nobody fits through less, which is what rounding leaves beside a cut
    if (from == kNone || to == kNone || length(meeting.line.b - meeting.line.a) < kShortest) continue;
    const std::string name = fmt::format("meeting {}", surface.connections.size() + 1);
    surface.connections.push_back(
        {name, surface.layers[from].name, meeting.line, surface.layers[to].name, meeting.line});
  }
  for (SeparateSurface& s : separateSurfaces(cells, layering.layer, walkability))
    if (position[s.layer] != kNone)
      surface.separate.push_back({surface.layers[position[s.layer]].name, s.area, s.height, std::move(s.reason)});
  surface.statistics = {.triangles = mesh.triangles.size(),
                        .ground_triangles = search.faces.ground.size(),
                        .area = layering.area,
                        .dropped_area = layering.dropped_area};
  return surface;
}

WalkableSurface searched(Search& search, const Mesh& mesh, const Walkability& walkability,
                         const SurfaceOptions& options, const base::Threads& threads, bool keeps) {
  const base::Stopwatch watch;
  const auto progress = [&](double share) {
    if (options.progress) options.progress(share);
  };
  progress(0.1);
  search.run(walkability, options, threads, progress, keeps);
  progress(0.8);
  WalkableSurface surface = surfaceOf(search, mesh, walkability, options, threads);
  surface.statistics.seconds = watch.seconds();
  progress(1);
  return surface;
}

}  // namespace

WalkableSurface walkableSurface(const Mesh& mesh, const Walkability& walkability, const SurfaceOptions& options,
                                const base::Threads& threads) {
  Search search(mesh, walkability);
  return searched(search, mesh, walkability, options, threads, false);
}

struct SurfaceMemory::State {
  std::shared_ptr<const Mesh> mesh;
  Walkability walkability;
  std::map<std::string, std::string> regions;
  double least_area = 0;
  Search search;
  WalkableSurface surface;
};

SurfaceMemory::SurfaceMemory() = default;
SurfaceMemory::~SurfaceMemory() = default;

const WalkableSurface& SurfaceMemory::surface(const std::shared_ptr<const Mesh>& mesh, const Walkability& walkability,
                                              const SurfaceOptions& options, const base::Threads& threads) {
  if (state_ && state_->mesh == mesh && same(state_->walkability, walkability) && state_->regions == options.regions &&
      state_->least_area == options.least_area && state_->search.serves(options))
    return state_->surface;
  state_.reset();
  std::unique_ptr<State> state(
      new State{mesh, walkability, options.regions, options.least_area, Search(*mesh, walkability), {}});
  state->surface = searched(state->search, *mesh, walkability, options, threads, true);
  ++searches_;
  state_ = std::move(state);
  return state_->surface;
}

}  // namespace throng::import
