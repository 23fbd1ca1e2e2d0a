// Saving a world and going on from there, bit for bit: everything that is not in the scene, as an archive
// (base/archive.h). What of the scene must be the same is in scene/scene_parts.h. Every system saves what it owns; here
// is what they share.
#include <algorithm>
#include <fmt/format.h>

#include "geometry/archive_fields.h"
#include "scene/scene_parts.h"
#include "simulation/bystanders.h"
#include "simulation/world.h"

namespace throng {
namespace {

constexpr base::ArchiveKind kKind{"snapshot", 12};

}  // namespace

// In the namespace of what they are about, where lists find them.
template <class Archive>
void fields(Archive& f, Arrival& arrival) {
  f(arrival.person), f(arrival.time);
}
template <class Archive>
void fields(Archive& f, Point3& p) {
  f(p.x), f(p.y), f(p.z);
}
template <class Archive>
void fields(Archive& f, Camera& camera) {
  fields(f, camera.position), fields(f, camera.direction), f(camera.field_of_view);
}
template <class Archive>
void fields(Archive& f, Distribution& d) {
  f(d.kind), f(d.mean), f(d.deviation), f(d.min), f(d.max);
}
/// Of a flow that a program has inserted; only these are set then.
template <class Archive>
void fields(Archive& f, Population& p) {
  if (!p.flow) p.flow.emplace();
  f(p.name), f(p.profile), f(p.layer), f(p.count), fields(f, p.lane);
  f(p.flow->from), f(p.flow->to), f(p.flow->time), f(p.flow->paths), f(p.flow->spread);
}

namespace scene {
template <class Archive>
void fields(Archive& f, ScenePart& part) {
  f(part.name), f(part.hash);
}
}  // namespace scene

namespace simulation {
namespace {

/// What one system saved.
struct Section {
  std::string name, bytes;

  template <class Archive>
  friend void fields(Archive& f, Section& section) {
    f(section.name), f(section.bytes);
  }
};

/// What a snapshot holds beside the crowd.
struct Saved {
  std::vector<scene::ScenePart> parts;
  step::Clock clock;
  std::vector<Arrival> arrivals;
  std::vector<Population> added;  ///< flows that a program has inserted
  std::vector<Camera> cameras;
  double budget = 0;  ///< ms
  std::vector<step::Inserted> inserted;
  bool has_map = false, has_graph = false;
  std::string map;    ///< where walls have changed: changes made anew might differ in the last bit
  std::string graph;  ///< where it was made after the start, from the walls of then
  std::vector<Section> sections;

  template <class Archive>
  void content(Archive& f) {
    f.list(parts, base::kFields);
    clock.fields(f);
    f.list(arrivals, base::kFields);
    f.list(added, base::kFields);
    f.list(cameras, base::kFields);
    f(budget);
    f.list(inserted, base::kFields);
    f(has_map), f(has_graph), f(map), f(graph);
    f.list(sections, base::kFields);
  }
};

/// "populations", "layers and run.dt", "layers, profiles and run.dt"
std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

/// Throws InputError that names what differs.
void requireSameScene(const std::vector<scene::ScenePart>& saved, const std::vector<scene::ScenePart>& here) {
  std::vector<std::string> others;
  for (const scene::ScenePart& part : here) {
    const auto same = std::find_if(saved.begin(), saved.end(), [&](const auto& s) { return s.name == part.name; });
    if (same != saved.end() && same->hash == part.hash) continue;
    others.push_back(part.name == "run.seed" && same != saved.end()
                         ? fmt::format("run.seed ({} there, {} here)", same->hash, part.hash)
                         : part.name);
  }
  throw InputError(
      fmt::format("this snapshot was made from another scene: the scene here has other {}; allowed to differ: name, "
                  "description, measurements, run.duration, run.until and run.recording_rate",
                  others.empty() ? "parts" : listed(others)));
}

std::vector<scene::ScenePart> partsOf(const step::StepContext& context) {
  const auto own = std::span(context.scene.populations).first(context.own_populations);
  return scene::partsOfRun(context.scene, own, context.own_levels, context.seed);
}

void requireSound(const Saved& in, const step::Loading& loading) {
  const auto require = step::Loading::require;
  const std::size_t floors = loading.now.terrain.floors().size();
  require(in.clock.sound(), "its time or its events make no sense");
  require(!loading.map || loading.map->floors() == floors, "its map is of another place");
  for (const step::Inserted& there : in.inserted)
    require(loading.map && loading.map->contains(there.id) && there.layer < floors && there.shape.size() >= 2,
            "an obstacle that is not on its map");
  require(loading.crowd.full() == loading.crowd.size() || !in.cameras.empty(), "people of no level");
  step::StepContext::requireColumns(loading.crowd);
  const agents::Crowd& crowd = loading.crowd;
  for (std::size_t r = 0; r < crowd.size(); ++r)
    require(crowd.profile[r] < loading.now.scene.profiles.size() &&
                crowd.population[r] < std::max<std::size_t>(1, loading.populations.size()) && crowd.layer[r] < floors &&
                crowd.start_layer[r] < floors && crowd.goal_layer[r] < floors,
            "its people refer to things that are not there");
}

/// Every system reads what it saved, and nobody uses it yet.
void loadSystems(Systems& systems, const Saved& in, const step::Loading& loading) {
  for (const Systems::Entry& entry : systems.table()) {
    const auto found = std::find_if(in.sections.begin(), in.sections.end(),
                                    [&](const Section& section) { return section.name == entry.system->name(); });
    if (found == in.sections.end())
      throw InputError(
          fmt::format("this snapshot was made without the system \"{}\", which this world has", entry.system->name()));
    base::ArchiveReader reader(found->bytes, kKind.name, false);
    entry.system->load(reader, loading);
    reader.expectEnd();
  }
  if (in.sections.size() == systems.table().size()) return;
  for (const Section& section : in.sections)
    if (std::none_of(systems.table().begin(), systems.table().end(),
                     [&](const Systems::Entry& entry) { return entry.system->name() == section.name; }))
      throw InputError(
          fmt::format("this snapshot was made with the system \"{}\", which this world has not", section.name));
  step::Loading::require(false, "a system that is there twice");
}

}  // namespace

std::vector<std::byte> World::save() const {
  const step::Terrain& terrain = context_->terrain;
  Saved out;
  out.parts = partsOf(*context_);
  out.clock = context_->clock, out.arrivals = context_->arrivals;
  out.added.assign(scene().populations.begin() + static_cast<std::ptrdiff_t>(context_->own_populations),
                   scene().populations.end());
  out.cameras = scene().levels.cameras, out.budget = scene().levels.budget;
  out.inserted.assign(terrain.inserted().begin(), terrain.inserted().end());
  out.has_map = terrain.map() != nullptr, out.has_graph = terrain.graph() != nullptr;
  if (terrain.map() && terrain.map()->revision() > 0) out.map = terrain.map()->save();
  if (terrain.graph() && terrain.graphMadeLater()) out.graph = terrain.graph()->save();
  for (const Systems::Entry& entry : systems_->table()) {
    base::ArchiveWriter own;
    entry.system->save(*context_, own);
    out.sections.push_back({std::string(entry.system->name()), own.bytes()});
  }
  base::ArchiveWriter writer;
  out.content(writer);
  std::vector<std::byte> people;
  crowd().save(people);
  writer.numbers(people);
  const std::string bytes = base::sealed(kKind, scene::hashOf(out.parts), writer.bytes());
  const auto raw = std::as_bytes(std::span(bytes));
  return {raw.begin(), raw.end()};
}

void World::load(std::span<const std::byte> bytes) {
  const base::Unsealed file = base::unsealed(kKind, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  base::ArchiveReader reader(file.content, kKind.name, false);
  Saved in;
  in.content(reader);
  if (const auto here = partsOf(*context_); file.scene != scene::hashOf(here)) requireSameScene(in.parts, here);
  std::vector<std::byte> people;
  reader.numbers(people);
  reader.expectEnd();
  agents::Crowd loaded;
  std::span<const std::byte> rest(people);
  loaded.load(rest);
  if (!rest.empty()) reader.fail("something after its people");

  step::Terrain& terrain = context_->terrain;
  std::vector<Population> populations(
      scene().populations.begin(),
      scene().populations.begin() + static_cast<std::ptrdiff_t>(context_->own_populations));
  populations.insert(populations.end(), in.added.begin(), in.added.end());
  std::unique_ptr<corridors::CorridorMap> new_map;
  if (!in.map.empty()) new_map = std::make_unique<corridors::CorridorMap>(corridors::CorridorMap::load(in.map));
  std::unique_ptr<graph::NavigationGraph> new_graph;
  if (!in.graph.empty()) new_graph = std::make_unique<graph::NavigationGraph>(graph::NavigationGraph::load(in.graph));
  if (in.has_graph && !new_graph)
    step::Loading::require(terrain.graph() && !terrain.graphMadeLater(), "it needs a graph and has none");
  const step::Loading loading{*context_,     in.clock.time(),
                              loaded,        populations,
                              new_map.get(), new_graph ? new_graph.get() : in.has_graph ? terrain.graph() : nullptr};
  requireSound(in, loading);
  loadSystems(*systems_, in, loading);

  // Everything was readable and makes sense: take it over as a whole.
  context_->clock = in.clock;
  context_->arrivals = std::move(in.arrivals);
  context_->scene.populations = std::move(populations);
  context_->scene.levels.cameras = std::move(in.cameras);
  context_->scene.levels.budget = in.budget;
  context_->crowd = std::move(loaded);
  context_->findColumns();
  terrain.restore(std::move(new_map), in.has_map, std::move(new_graph), std::move(in.inserted), time());
  for (const Systems::Entry& entry : systems_->table()) entry.system->accept(*context_);
  systems_->attach();
  findBuried(*context_);
  changed();
}

}  // namespace simulation
}  // namespace throng
