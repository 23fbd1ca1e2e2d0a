// The rules of districts of patches, and of those who live in them or go there.
#include <algorithm>
#include <fmt/format.h>

#include "geometry/polygons.h"
#include "scene/geometry_reader.h"
#include "scene/scene_check.h"

namespace throng::scene {
namespace {

class DistrictCheck {
 public:
  DistrictCheck(const Scene& scene, Findings& findings) : scene_(scene), findings_(findings), range_(findings) {
    for (const PatchDistrict& district : scene.districts) names_.push_back(district.name);
  }

  void all() {
    Names names("district", true, findings_);
    for (std::size_t i = 0; i < scene_.districts.size(); ++i) {
      names.add(at("/districts", i) + "/name", scene_.districts[i].name);
      district(i);
    }
    for (std::size_t i = 0; i < scene_.populations.size(); ++i) population(i);
  }

 private:
  void district(std::size_t i) {
    const PatchDistrict& district = scene_.districts[i];
    const std::string here = at("/districts", i);
    for (const double v : {district.at.x, district.at.y}) range_.within(here + "/at", v, -kFarthest, kFarthest, "m");
    if (!district.layer.empty()) checkLayerName(scene_, here + "/layer", district.layer, findings_);
    const int layer = layerIndex(scene_, district.layer);
    if (layer >= 0 && scene_.layers[static_cast<std::size_t>(layer)].wrap)
      findings_.error(here, "found a district on a layer that wraps; allowed: layers without \"wrap\"");
    if (district.street)
      street(*district.street, here);
    else if (!district.patches && !findings_.broken(here))
      findings_.error(here, "the district has no patches; placeDistrict() puts them there");
  }

  void street(const PatchStreet& street, const std::string& here) {
    const std::string there = here + "/street";
    range_.within(there + "/crossings", street.crossings, 1, 30, "people");
    range_.within(there + "/patterns", street.patterns, 1, 1000, "patterns");
    range_.within(there + "/period", street.period, 5, 100, "s");
    range_.within(there + "/camera", street.camera, -kFarthest, kFarthest, "m");
    range_.within(there + "/speed", street.speed, -100, 100, "m/s");
    range_.positive(there + "/view", street.view, 10'000, "m");
    if (scene_.districts.size() > 1 && !findings_.broken("/districts"))
      findings_.error(here, fmt::format("found {} districts beside an endless street; allowed: the street alone",
                                        scene_.districts.size() - 1));
    for (std::size_t i = 0; i < scene_.populations.size(); ++i)
      if (scene_.populations[i].district.empty() && !findings_.broken(at("/populations", i)))
        findings_.error(at("/populations", i),
                        "found people beside an endless street; allowed: the population of the street alone");
  }

  const PatchDistrict* named(const std::string& pointer, const std::string& name) {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found != names_.end()) return &scene_.districts[static_cast<std::size_t>(found - names_.begin())];
    if (!findings_.broken(pointer) && !findings_.broken("/districts"))
      findings_.error(pointer, fmt::format("there is no district {}{}", inQuotes(name), suggestion(name, names_)));
    return nullptr;
  }

  void population(std::size_t i) {
    const Population& population = scene_.populations[i];
    const std::string here = at("/populations", i);
    if (!population.district.empty()) {
      const PatchDistrict* own = named(here + "/district", population.district);
      if (own && layerIndex(scene_, own->layer) != layerIndex(scene_, population.layer) && !findings_.broken(here))
        findings_.error(here + "/layer",
                        fmt::format("the people of a district are on its layer, {}", inQuotes(own->layer)));
      for (std::size_t k = 0; k < i; ++k)
        if (scene_.populations[k].district == population.district && !findings_.broken(here + "/district"))
          findings_.error(here + "/district", fmt::format("district {} has a population already; allowed: one",
                                                          inQuotes(population.district)));
    }
    for (std::size_t k = 0; k < population.goals.size(); ++k) {
      const auto* into = std::get_if<GoalDistrict>(&population.goals[k].target);
      if (!into) continue;
      const std::string there = at((here + "/goals").c_str(), k) + "/district";
      const PatchDistrict* district = named(there, into->district);
      if (district && district->street && !findings_.broken(there))
        findings_.error(there, "an endless street has no gates; allowed: districts of patches");
      if (population.district.empty()) body(population, there);
    }
  }

  /// Patches are made for bodies of one size: nobody wider gets through them.
  void body(const Population& population, const std::string& there) {
    for (const Profile& profile : scene_.profiles) {
      if (profile.name != population.profile) continue;
      const Distribution& radius = profile.radius;
      const bool bounded = radius.kind != Distribution::Kind::kNormal;
      const double most = radius.kind == Distribution::Kind::kConstant ? radius.mean : radius.max;
      if ((!bounded || most > kWidestInDistricts) && !findings_.broken(there))
        findings_.error(there,
                        fmt::format("people of profile {} have a radius of up to {} m; allowed in districts: {:g} m",
                                    inQuotes(profile.name), bounded ? fmt::format("{:g}", most) : std::string("any"),
                                    kWidestInDistricts));
    }
  }

  const Scene& scene_;
  Findings& findings_;
  Range range_;
  std::vector<std::string_view> names_;
};

}  // namespace

void checkDistricts(const Scene& scene, Findings& findings) { DistrictCheck(scene, findings).all(); }

Layer shown(Layer layer) {
  if (layer.played.empty()) return layer;
  if (!layer.walkable.empty()) {
    layer.walkable.insert(layer.walkable.end(), layer.played.begin(), layer.played.end());
    layer.walkable = geometry::unionOf(layer.walkable);
  }
  layer.regions.push_back({"patches", layer.played});
  layer.obstacles.insert(layer.obstacles.end(), layer.played_objects.begin(), layer.played_objects.end());
  layer.played.clear(), layer.played_objects.clear();
  return layer;
}

}  // namespace throng::scene
