#include <algorithm>
#include <fmt/format.h>

#include "throng/patch_district.h"
#include "throng/patch_street.h"

#include "base/hash.h"
#include "geometry/polygons.h"
#include "geometry/predicates.h"
#include "patches/district_street.h"

namespace throng {
namespace {

static_assert(kWidestInDistricts == kPatchRadius, "who goes into a district is not wider than those in it");

/// m: of a longer street, only so much is furnished in pictures.
constexpr double kFurnished = 2000;
constexpr double kUsualDuration = 60;  // s, of runs that do not say

std::size_t layerOf(Scene& scene, const PatchDistrict& district) {
  if (scene.layers.empty()) scene.layers.emplace_back();
  if (district.layer.empty()) return 0;
  for (std::size_t i = 0; i < scene.layers.size(); ++i)
    if (scene.layers[i].name == district.layer) return i;
  throw InputError(fmt::format("district \"{}\": there is no layer \"{}\"", district.name, district.layer));
}

bool same(const std::vector<Polygon>& a, const std::vector<Polygon>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Polygon& p, const Polygon& q) { return p.outer == q.outer && p.holes == q.holes; });
}

Ring moved(Ring ring, Point by) {
  for (Point& p : ring) p += by;
  return ring;
}

std::uint64_t hashOf(const PatchLibrary& library) {
  base::Hash hash;
  const auto add = [&](Point p) { hash.add(p.x), hash.add(p.y); };
  const auto crossings = [&](const std::vector<PatchPoint>& points) {
    for (const PatchPoint& p : points) hash.add(p.position), hash.add(p.time), hash.add(p.speed), hash.add(p.along);
  };
  for (const Patch& patch : library.patches) {
    hash.add(patch.definition.period);
    for (const Point p : patch.definition.corners) add(p);
    for (const PatchPattern& side : patch.definition.sides) crossings(side.inputs), crossings(side.outputs);
    for (const PatchResident& resident : patch.definition.residents)
      for (const Point p : resident.control) add(p);
    for (const PatchWalk& walk : patch.walks) {
      hash.add(walk.first), hash.add(walk.step);
      for (const Point p : walk.control) add(p);
    }
  }
  for (const PlacedPatch& place : library.placed) hash.add(place.patch), add(place.at);
  for (const auto& others : library.versions)
    for (const std::uint32_t other : others) hash.add(other);
  return hash.value();
}

}  // namespace

void placeDistrict(Scene& scene, PatchDistrict district, PatchLibrary library) {
  const PatchWorld sound(library.patches, library.placed, {.versions = library.versions});  // or it throws
  std::vector<Polygon> cells, objects;
  for (const PlacedPatch& place : library.placed) {
    const PatchDefinition& patch = library.patches[place.patch].definition;
    cells.push_back({moved(patch.corners, place.at + district.at), {}});
    for (const PatchObject& object : patch.objects)
      objects.push_back({moved(object.outline, place.at + district.at), {}});
  }
  const std::vector<Polygon> ground = geometry::unionOf(cells);
  const bool made = scene.layers.empty();
  Layer& layer = scene.layers[layerOf(scene, district)];
  const bool alone = made || (!layer.played.empty() && same(layer.walkable, layer.played));
  for (const Polygon& other : geometry::intersection(layer.played, ground)) {
    constexpr double kTouching = 1e-6;  // m²
    if (geometry::area({other}) > kTouching)
      throw InputError({Diagnostic{.at = other.outer.front(),
                                   .message = fmt::format("district \"{}\" lies where another one lies already; "
                                                          "allowed: districts side by side",
                                                          district.name)}});
  }
  layer.played.insert(layer.played.end(), ground.begin(), ground.end());
  layer.played_objects.insert(layer.played_objects.end(), objects.begin(), objects.end());
  if (alone) layer.walkable = layer.played;
  district.patches_hash = hashOf(library);
  district.patches = std::make_shared<const PatchLibrary>(std::move(library));
  scene.districts.push_back(std::move(district));
}

StreetSettings patches::settingsOf(const PatchStreet& street) {
  StreetSettings settings;
  settings.seed = street.seed, settings.crossings = street.crossings, settings.patterns = street.patterns;
  settings.period = street.period, settings.camera = street.camera, settings.camera_speed = street.speed;
  settings.view = street.view;
  return settings;
}

void placeStreet(Scene& scene, PatchDistrict district) {
  if (!district.street) throw InputError("This district is no street.");
  const EndlessStreet sound(patches::settingsOf(*district.street));  // or it throws
  const bool alone = scene.layers.empty();
  const std::size_t layer = layerOf(scene, district);
  scene.districts.push_back(std::move(district));
  layStreet(scene);
  if (alone) scene.layers[layer].walkable = scene.layers[layer].played;
}

void layStreet(Scene& scene) {
  for (const PatchDistrict& district : scene.districts) {
    if (!district.street) continue;
    const PatchStreet& about = *district.street;
    EndlessStreet street(patches::settingsOf(about));
    const double end = about.camera + about.speed * scene.run.duration.value_or(kUsualDuration);
    const double from = std::min(about.camera, end) - about.view, to = std::max(about.camera, end) + about.view;
    const auto at = [&](std::vector<Polygon> polygons) {
      for (Polygon& polygon : polygons) polygon.outer = moved(std::move(polygon.outer), district.at);
      return polygons;
    };
    const double furnished = std::min(to, from + kFurnished);
    const Scene seen = street.scene(from, furnished);
    Layer& layer = scene.layers[layerOf(scene, district)];
    const bool was_ground = !layer.played.empty() && same(layer.walkable, layer.played);
    layer.played = at(seen.layers.front().walkable);
    for (Point& p : layer.played.front().outer)
      if (p.x > from + district.at.x + 1) p.x = std::max(p.x, to + district.at.x);
    layer.played_objects = at(seen.layers.front().obstacles);
    if (was_ground) layer.walkable = layer.played;
  }
}

}  // namespace throng
