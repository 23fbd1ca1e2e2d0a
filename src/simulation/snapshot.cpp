// Saving a world and going on from there, bit for bit: everything that is not in the scene, as an archive
// (base/archive.h). What of the scene must be the same is in scene/scene_parts.h.
#include <algorithm>
#include <fmt/format.h>

#include "geometry/archive_fields.h"
#include "scene/scene_parts.h"
#include "simulation/world.h"

namespace throng {
namespace {

using base::kFields;

constexpr base::ArchiveKind kKind{"snapshot", 7};

}  // namespace

// In the namespace of what they are about, where lists find them.
template <class Archive>
void fields(Archive& f, AgentId& id) {
  f(id.value);
}
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
template <class Archive>
void fields(Archive& f, Stage& stage) {
  f(stage.kind), fields(f, stage.point), fields(f, stage.centre), fields(f, stage.direction), f(stage.tolerance);
  f(stage.layer);
  f.list(stage.area, kFields);
}
/// Of a flow that a program has inserted; only these are set then.
template <class Archive>
void fields(Archive& f, Population& p) {
  if (!p.flow) p.flow.emplace();
  f(p.name), f(p.profile), f(p.layer), f(p.count), fields(f, p.lane);
  f(p.flow->from), f(p.flow->to), f(p.flow->time), f(p.flow->paths);
}

namespace scene {
template <class Archive>
void fields(Archive& f, ScenePart& part) {
  f(part.name), f(part.hash);
}
}  // namespace scene

namespace simulation {
namespace {

template <class Archive>
void fields(Archive& f, Source& source) {
  std::uint64_t state = source.random.state();
  f(state), f(source.appeared);
  source.random = base::Random(state);
}
template <class Archive>
void fields(Archive& f, Journey::Leg& leg) {
  f(leg.layer), fields(f, leg.bounds), fields(f, leg.stage);
}

const auto kOwnFields = [](auto& archive, auto& value) { fields(archive, value); };

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

}  // namespace

/// What a snapshot holds beside the crowd.
struct World::Saved {
  std::vector<scene::ScenePart> parts;
  Clock clock;
  Progress::Times progress;
  std::vector<Progress::Watched> least;
  std::uint64_t careful = 0, next_event = 0;
  std::uint32_t next_person = 0;
  std::vector<Population> added;  ///< flows that a program has inserted
  std::vector<Camera> cameras;
  double budget = 0;  ///< ms
  bool levels_changed = false;
  std::vector<Source> sources;
  std::vector<Arrival> arrivals;
  std::vector<AgentId> unplanned;
  std::vector<std::uint32_t> free_journeys;
  std::vector<Journey> journeys;  ///< of populations only how many use them: the rest is in the scene
  std::vector<Vec2> route_points;
  std::vector<std::uint16_t> route_layers;
  std::vector<std::uint16_t> flows;  ///< populations, in the order in which their flows came
  std::vector<double> travel_times;
  std::vector<float> density;           ///< of every cylinder, when the times were estimated
  std::vector<std::uint32_t> quickest;  ///< path of every flow
  std::vector<std::uint8_t> vertex_level;
  std::vector<Inserted> inserted;
  bool has_map = false, has_graph = false;
  std::string map;    ///< where walls have changed: changes made anew might differ in the last bit
  std::string graph;  ///< where it was made after the start, from the walls of then

  template <class Archive>
  void content(Archive& f) {
    f.list(parts, kOwnFields);
    clock.fields(f);
    f(progress.since), f(progress.next_look);
    f.list(least, [](auto& archive, Progress::Watched& watched) { archive(watched.id.value), archive(watched.left); });
    f(careful), f(next_event), f(next_person);
    f.list(added, kOwnFields);
    f.list(cameras, kOwnFields);
    f(budget), f(levels_changed);
    f.list(sources, kOwnFields);
    f.list(arrivals, kOwnFields);
    f.list(unplanned, kOwnFields);
    f.list(free_journeys, kOwnFields);
    f.list(journeys, [](auto& archive, Journey& journey) {
      archive(journey.users), archive(journey.on_arrival);
      archive.list(journey.legs, kOwnFields);
    });
    f.list(route_points, kOwnFields);
    f.list(route_layers, kOwnFields);
    f.list(flows, kOwnFields);
    f.list(travel_times, kOwnFields);
    f.list(density, kOwnFields);
    f.list(quickest, kOwnFields);
    f.list(vertex_level, kOwnFields);
    f.list(inserted, [](auto& archive, Inserted& there) {
      archive(there.name), archive(there.id), archive(there.whole), archive(there.layer);
      archive.list(there.shape, kOwnFields);
    });
    f(has_map), f(has_graph), f(map), f(graph);
  }
};

std::vector<scene::ScenePart> World::sceneParts() const {
  const auto own = std::span(scene_.populations).first(own_populations_);
  return scene::partsOfRun(scene_, own, own_levels_, seed_);
}

std::vector<std::byte> World::save() const {
  Saved out;
  out.parts = sceneParts();
  out.clock = clock_, out.progress = progress_.times(), out.least = progress_.least();
  out.careful = careful_, out.next_event = next_event_;
  out.next_person = next_person_;
  out.added.assign(scene_.populations.begin() + static_cast<std::ptrdiff_t>(own_populations_),
                   scene_.populations.end());
  out.cameras = scene_.levels.cameras, out.budget = scene_.levels.budget, out.levels_changed = levels_changed_;
  out.sources = sources_, out.arrivals = arrivals_, out.unplanned = unplanned_, out.free_journeys = free_journeys_;
  out.journeys = journeys_;
  for (std::size_t i = 0; i < sources_.size(); ++i) out.journeys[i].legs.clear();
  out.route_points = routes_.points(), out.route_layers = routes_.layers();
  out.has_graph = traffic_ != nullptr;
  if (traffic_) {
    for (const Flow& flow : traffic_->flows()) {
      out.flows.push_back(flow.population);
      out.quickest.push_back(flow.quickest);
    }
    out.density.assign(traffic_->density().begin(), traffic_->density().end());
    out.travel_times.assign(traffic_->allTravelTimes().begin(), traffic_->allTravelTimes().end());
    if (graph_made_later_) out.graph = traffic_->graph().save();
  }
  out.vertex_level = vertex_level_;
  out.inserted = inserted_;
  out.has_map = map_ != nullptr;
  if (map_ && map_->revision() > 0) out.map = map_->save();
  base::ArchiveWriter writer;
  out.content(writer);
  std::vector<std::byte> people;
  crowd_.save(people);
  writer.numbers(people);
  const std::string bytes = base::sealed(kKind, scene::hashOf(out.parts), writer.bytes());
  const auto raw = std::as_bytes(std::span(bytes));
  return {raw.begin(), raw.end()};
}

/// The flows of a snapshot, with what their people knew about travel times; null when there are none.
std::unique_ptr<Traffic> World::restoredTraffic(const Saved& in, const std::vector<Population>& populations) const {
  if (!in.has_graph) return nullptr;
  std::unique_ptr<Traffic> traffic;
  if (!in.graph.empty()) {
    traffic = std::make_unique<Traffic>(graph::NavigationGraph::load(in.graph));
  } else {
    if (!traffic_ || graph_made_later_) throw InputError("this snapshot is damaged: it needs a graph and has none");
    traffic = std::make_unique<Traffic>(graph::NavigationGraph(traffic_->graph()));
  }
  for (const std::uint16_t p : in.flows) {
    if (p >= populations.size() || !populations[p].flow || traffic->of(p))
      throw InputError("this snapshot is damaged: a flow of no population");
    const FlowEnds& ends = *populations[p].flow;
    traffic->add(p, ends, {flowEnd(ends.from), flowEnd(ends.to)});
  }
  const bool sound = std::all_of(in.travel_times.begin(), in.travel_times.end(), [](double t) { return t >= 0; });
  if (!sound || !traffic->setEstimates(in.travel_times, in.density, in.quickest))
    throw InputError("this snapshot is damaged: travel times of other flows");
  return traffic;
}

/// Do somebody's path, leg and cylinder exist?
bool World::onTheGraph(const agents::Crowd& crowd, std::uint32_t r, const Traffic* traffic) {
  if (!traffic) return crowd.path[r] == 0 && crowd.vertex[r] == 0;
  if (crowd.vertex[r] > traffic->graph().vertices().size()) return false;
  if (crowd.path[r] == 0) return true;
  return crowd.vertex[r] > 0 && crowd.path[r] <= traffic->paths().size() && traffic->of(crowd.population[r]) &&
         (traffic->paths().isField(crowd.path[r] - 1) || crowd.leg[r] <= traffic->paths().legs(crowd.path[r] - 1));
}

/// Throws InputError when something refers to what is not there. The checksum finds every damage; this finds what a
/// program with another idea of the format, or of the same scene, has written.
void World::requireSound(const Saved& in, const agents::Crowd& crowd, const corridors::CorridorMap* map,
                         const Traffic* traffic) const {
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw InputError(fmt::format("this snapshot is damaged: {}", what));
  };
  const std::size_t floors = space_.floors().size();
  const std::size_t sources = own_populations_ + in.added.size();
  require(in.sources.size() == sources && in.journeys.size() >= sources, "its populations are not all there");
  require(in.clock.sound() && in.next_event <= scene_.events.size(), "its time or its events make no sense");
  require(
      in.progress.since >= 0 && in.progress.since <= in.clock.time() && in.progress.next_look <= in.clock.time() + 1e6,
      "its times of progress make no sense");
  for (const Journey& journey : in.journeys) {
    require(journey.on_arrival >= OnArrival::kLeave && journey.on_arrival <= OnArrival::kGoBack, "an arrival");
    for (const Journey::Leg& leg : journey.legs) {
      const Stage& stage = leg.stage;
      require(leg.layer < floors && stage.kind >= Stage::Kind::kPoint && stage.kind <= Stage::Kind::kDirection &&
                  (stage.kind != Stage::Kind::kArea || (!stage.area.empty() && !stage.area.front().outer.empty())),
              "a goal that cannot be");
    }
  }
  require(in.route_layers.size() == in.route_points.size(), "a route without layers");
  for (const std::uint32_t journey : in.free_journeys) require(journey < in.journeys.size(), "a journey of nobody");
  require(!map || map->floors() == floors, "its map is of another place");
  for (const Inserted& there : in.inserted)
    require(map && map->contains(there.id) && there.layer < floors && there.shape.size() >= 2,
            "an obstacle that is not on its map");
  require(in.careful <= crowd.size() && (in.careful == crowd.size() || !in.cameras.empty()), "people of no level");
  require(in.vertex_level.empty() || (traffic && in.vertex_level.size() == traffic->graph().vertices().size()),
          "levels of another graph");
  const auto* wishing = crowd.find<std::uint8_t>(kWish);
  const auto *wish_x = crowd.find<float>(kWishX), *wish_y = crowd.find<float>(kWishY);
  require(!wishing || (wish_x && wish_y), "people who want to walk nowhere");
  const auto wishes = [&](std::size_t r) { return std::isfinite((*wish_x)[r]) && std::isfinite((*wish_y)[r]); };
  for (std::size_t r = 0; r < crowd.size(); ++r) {
    if (wishing) require(wishes(r), "people who want to walk nowhere");
    const bool sound = crowd.profile[r] < kinds_.size() && crowd.population[r] < std::max<std::size_t>(1, sources) &&
                       crowd.layer[r] < floors && crowd.start_layer[r] < floors && crowd.goal_layer[r] < floors &&
                       crowd.route_state[r] <= agents::RouteState::kStraight && crowd.journey[r] < in.journeys.size() &&
                       crowd.stage[r] >= agents::kStartStage &&
                       crowd.stage[r] < std::max<std::int32_t>(
                                            1, static_cast<std::int32_t>(in.journeys[crowd.journey[r]].legs.size())) &&
                       std::uint64_t{crowd.route_start[r]} + crowd.route_count[r] <= in.route_points.size() &&
                       crowd.level[r] < scene_.levels.levels.size() &&
                       onTheGraph(crowd, static_cast<std::uint32_t>(r), traffic);
    require(sound, "its people refer to things that are not there");
  }
}

void World::load(std::span<const std::byte> bytes) {
  const base::Unsealed file = base::unsealed(kKind, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  base::ArchiveReader reader(file.content, kKind.name, false);
  Saved in;
  in.content(reader);
  if (const auto here = sceneParts(); file.scene != scene::hashOf(here)) requireSameScene(in.parts, here);
  std::vector<std::byte> people;
  reader.numbers(people);
  reader.expectEnd();
  agents::Crowd crowd;
  std::span<const std::byte> rest(people);
  crowd.load(rest);
  if (!rest.empty()) reader.fail("something after its people");

  std::vector<Population> populations(scene_.populations.begin(),
                                      scene_.populations.begin() + static_cast<std::ptrdiff_t>(own_populations_));
  populations.insert(populations.end(), in.added.begin(), in.added.end());
  for (std::size_t i = 0; i < std::min(own_populations_, in.journeys.size()); ++i)
    in.journeys[i].legs = journeys_[i].legs;
  std::unique_ptr<Traffic> traffic = restoredTraffic(in, populations);
  std::unique_ptr<corridors::CorridorMap> map;
  if (!in.map.empty()) map = std::make_unique<corridors::CorridorMap>(corridors::CorridorMap::load(in.map));
  requireSound(in, crowd, map.get(), traffic.get());

  // Everything was readable and makes sense: take it over as a whole.
  clock_ = in.clock, next_person_ = in.next_person, careful_ = in.careful;
  scene_.populations = std::move(populations);
  scene_.levels.cameras = std::move(in.cameras);
  if (scene_.levels.budget != in.budget) setBudget(in.budget);
  levels_changed_ = in.levels_changed;
  vertex_level_ = std::move(in.vertex_level);
  sources_ = std::move(in.sources);
  arrivals_ = std::move(in.arrivals);
  unplanned_ = std::move(in.unplanned);
  free_journeys_ = std::move(in.free_journeys);
  journeys_ = std::move(in.journeys);
  routes_.assign(std::move(in.route_points), std::move(in.route_layers));
  crowd_ = std::move(crowd);
  findWishes();
  numbers_ready_ = false;
  next_event_ = in.next_event;
  // A graph that was given, or is made from the scene, stays for flows and cameras to come.
  if (traffic || graph_made_later_) traffic_ = std::move(traffic);
  graph_made_later_ = !in.graph.empty();
  restoreWalls(std::move(map), std::move(in.inserted));
  if (in.has_map) needMap();
  if (!in.has_map) map_.reset();
  progress_.restore(in.progress, std::move(in.least));  // walls that are put back are no news
  changed();
}

}  // namespace simulation
}  // namespace throng
