// Regions that are fit for use, and people who are sent where they never walk.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

#include "geometry/boxes.h"
#include "geometry/polygons.h"
#include "geometry/predicates.h"
#include "scene/geometry_reader.h"
#include "scene/scene_check.h"

namespace throng::scene {
namespace {

constexpr double kSliver = 0.01;         // m of width
constexpr std::size_t kMostTypes = 255;  // ground::RegionType counts so far

double perimeter(const Polygon& polygon) {
  double sum = 0;
  const auto add = [&](const Ring& ring) {
    for (std::size_t i = 0; i < ring.size(); ++i) sum += length(ring[(i + 1) % ring.size()] - ring[i]);
  };
  add(polygon.outer);
  for (const Ring& hole : polygon.holes) add(hole);
  return sum;
}

class RegionCheck {
 public:
  RegionCheck(const Scene& scene, Findings& findings) : scene_(scene), findings_(findings) {}

  void all() {
    std::set<std::string_view> types;
    for (std::size_t i = 0; i < scene_.layers.size(); ++i) layer(i, types);
    for (std::size_t i = 0; i < scene_.populations.size(); ++i) population(i);
  }

 private:
  void layer(std::size_t index, std::set<std::string_view>& types) {
    const Layer& layer = scene_.layers[index];
    const std::string here = at("/layers", index) + "/regions";
    for (std::size_t k = 0; k < layer.regions.size(); ++k) {
      const std::string region = at(here.c_str(), k);
      if (types.insert(layer.regions[k].type).second && types.size() == kMostTypes + 1)
        findings_.error(region + "/type",
                        fmt::format("found more than {0} types of regions; allowed: {0}", kMostTypes));
      if (scene_.mesh || findings_.broken(region)) continue;
      for (const Polygon& polygon : layer.regions[k].area) {
        const double width = 2 * geometry::area({polygon}) / perimeter(polygon);
        if (width < kSliver)
          findings_.warning(region + "/area",
                            fmt::format("a polygon of the region is only {:.2g} m wide: nobody will notice it", width),
                            polygon.outer[0]);
      }
    }
  }

  /// Where people of a profile never walk, on a layer: what later regions leave of those.
  std::vector<Polygon> forbidden(const Profile& profile, const Layer& layer, const Rectangle& around) const {
    std::vector<Polygon> area;
    for (const Region& region : layer.regions) {
      std::vector<Polygon> near;
      for (const Polygon& polygon : region.area)
        if (!polygon.outer.empty() && geometry::overlap(geometry::boxOf(polygon.outer), around))
          near.push_back(polygon);
      if (near.empty()) continue;
      const auto weight = profile.region_weights.find(region.type);
      if (weight != profile.region_weights.end() && std::isinf(weight->second.mean))
        area.insert(area.end(), near.begin(), near.end());
      else if (!area.empty())
        area = geometry::difference(area, near);
    }
    return area;
  }

  /// The type of the region that a place is in and that people never walk on; null when there is none.
  const Region* forbiddenAt(const Profile& profile, const Layer& layer, Point p) const {
    for (std::size_t k = layer.regions.size(); k-- > 0;) {
      const Region& region = layer.regions[k];
      if (!geometry::contains(region.area, p)) continue;
      const auto weight = profile.region_weights.find(region.type);
      if (weight == profile.region_weights.end() || !std::isinf(weight->second.mean)) return nullptr;
      // Its border is the neighbour's too.
      const bool inside = std::any_of(region.area.begin(), region.area.end(),
                                      [&](const Polygon& polygon) { return geometry::strictlyContains(polygon, p); });
      return inside ? &region : nullptr;
    }
    return nullptr;
  }

  void place(const Profile& profile, const Layer& layer, Point p, const std::string& here, const char* what,
             bool error) {
    const Region* region = forbiddenAt(profile, layer, p);
    if (!region) return;
    const std::string text = fmt::format("{} lies in a region of type {}, where people of profile {} never walk", what,
                                         inQuotes(region->type), inQuotes(profile.name));
    error ? findings_.error(here, text, p) : findings_.warning(here, text, p);
  }

  void area(const Profile& profile, const Layer& layer, const std::vector<Polygon>& polygons, const std::string& here,
            const char* what, bool error) {
    const auto box = geometry::bounds(polygons);
    if (!box) return;
    const std::vector<Polygon> never = forbidden(profile, layer, *box);
    if (never.empty()) return;
    const double whole = geometry::area(polygons), left = geometry::area(geometry::difference(polygons, never));
    if (left > 0.999 * whole) return;
    const bool entirely = left < kLeastArea;
    const std::string text = fmt::format("{} lies {} in regions where people of profile {} never walk", what,
                                         entirely ? "entirely" : "partly", inQuotes(profile.name));
    error&& entirely ? findings_.error(here, text, polygons[0].outer[0])
                     : findings_.warning(here, text, polygons[0].outer[0]);
  }

  const Layer* layerNamed(const std::string& name) const {
    const int index = layerIndex(scene_, name);
    if (index < 0 || findings_.broken(at("/layers", static_cast<std::size_t>(index)))) return nullptr;
    return &scene_.layers[static_cast<std::size_t>(index)];
  }

  void population(std::size_t index) {
    const Population& population = scene_.populations[index];
    const auto profile = std::find_if(scene_.profiles.begin(), scene_.profiles.end(),
                                      [&](const Profile& p) { return p.name == population.profile; });
    if (profile == scene_.profiles.end()) return;
    const bool any = std::any_of(profile->region_weights.begin(), profile->region_weights.end(),
                                 [](const auto& weight) { return std::isinf(weight.second.mean); });
    if (!any) return;
    const std::string here = at("/populations", index);
    if (population.flow) return flow(*population.flow, *profile);
    starts(population, *profile, here + "/start");
    for (std::size_t i = 0; i < population.goals.size(); ++i) {
      const Goal& goal = population.goals[i];
      const std::string there = at((here + "/goals").c_str(), i);
      const Layer* layer = layerNamed(goal.layer.empty() ? population.layer : goal.layer);
      if (!layer || findings_.broken(there)) continue;
      if (const auto* to = std::get_if<GoalPoint>(&goal.target))
        place(*profile, *layer, to->point, there + "/point", "the goal", true);
      if (const auto* in = std::get_if<GoalArea>(&goal.target))
        area(*profile, *layer, in->area, there + "/area", "the goal", true);
    }
  }

  /// Whoever begins there leaves it by the shortest way; nobody is sent there again.
  void starts(const Population& population, const Profile& profile, const std::string& here) {
    const Layer* layer = layerNamed(population.layer);
    if (!layer || findings_.broken(here)) return;
    if (const auto* points = std::get_if<StartPoints>(&population.start.shape))
      for (std::size_t i = 0; i < points->points.size(); ++i)
        place(profile, *layer, points->points[i], at((here + "/points").c_str(), i), "the start point", false);
    if (const auto* in = std::get_if<StartArea>(&population.start.shape))
      area(profile, *layer, in->area, here + "/area", "the start", false);
  }

  void flow(const FlowEnds& flow, const Profile& profile) {
    for (std::size_t i = 0; i < scene_.places.size(); ++i) {
      const Place& there = scene_.places[i];
      if (there.name != flow.from && there.name != flow.to) continue;
      const int layer = layerOf(scene_, there);
      if (layer < 0) continue;
      place(profile, scene_.layers[static_cast<std::size_t>(layer)], there.at, at("/places", i) + "/at",
            "an end of a flow", true);
    }
  }

  const Scene& scene_;
  Findings& findings_;
};

}  // namespace

void checkRegions(const Scene& scene, Findings& findings) { RegionCheck(scene, findings).all(); }

}  // namespace throng::scene
