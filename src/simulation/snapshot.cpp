// Saving a world and going on from there, bit for bit. Byte order and sizes are those of the machine: a snapshot is for
// restarting, not for exchange (recordings are).
#include <algorithm>
#include <cstring>
#include <sstream>

#include "simulation/world.h"

namespace throng::simulation {
namespace {

constexpr std::uint64_t kMagic = 0x544852'4f4e4753u;  // "THRONGS"
constexpr std::uint64_t kVersion = 5;

struct Writer {
  std::vector<std::byte> bytes;

  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto* p = reinterpret_cast<const std::byte*>(&value);
    bytes.insert(bytes.end(), p, p + sizeof value);
  }
  template <class T>
  void put(const std::vector<T>& values) {
    put(static_cast<std::uint64_t>(values.size()));
    for (const T& value : values) put(value);
  }
  void put(const Stage& stage) {
    put(stage.kind), put(stage.point), put(stage.centre), put(stage.direction), put(stage.tolerance);
    put(static_cast<std::uint64_t>(stage.area.size()));
    for (const Polygon& polygon : stage.area) {
      put(polygon.outer);
      put(static_cast<std::uint64_t>(polygon.holes.size()));
      for (const Ring& hole : polygon.holes) put(hole);
    }
  }
};

struct Reader {
  std::span<const std::byte> bytes;

  template <class T>
  T get() {
    static_assert(std::is_trivially_copyable_v<T>);
    if (bytes.size() < sizeof(T)) throw InputError("The snapshot is cut short.");
    T value;
    std::memcpy(static_cast<void*>(&value), bytes.data(), sizeof value);
    bytes = bytes.subspan(sizeof value);
    return value;
  }
  /// A count of things that take at least `size` bytes each.
  std::size_t count(std::size_t size) {
    const auto n = get<std::uint64_t>();
    if (n > bytes.size() / size) throw InputError("The snapshot is cut short.");
    return static_cast<std::size_t>(n);
  }
  template <class T>
  std::vector<T> list() {
    std::vector<T> values(count(sizeof(T)));
    for (T& value : values) value = get<T>();
    return values;
  }
  Stage stage() {
    Stage stage;
    const auto kind = get<Stage::Kind>();
    if (kind < Stage::Kind::kPoint || kind > Stage::Kind::kDirection) throw InputError("The snapshot is damaged.");
    stage.kind = kind;
    stage.point = get<Point>(), stage.centre = get<Point>(), stage.direction = get<Point>();
    stage.tolerance = get<double>();
    stage.area.resize(count(sizeof(std::uint64_t)));
    for (Polygon& polygon : stage.area) {
      polygon.outer = list<Point>();
      polygon.holes.resize(count(sizeof(std::uint64_t)));
      for (Ring& hole : polygon.holes) hole = list<Point>();
    }
    if (stage.kind == Stage::Kind::kArea && (stage.area.empty() || stage.area.front().outer.empty()))
      throw InputError("The snapshot is damaged.");
    return stage;
  }
};

}  // namespace

std::uint64_t World::sceneHash() const {
  // What a snapshot refers to by index; anything else of the scene may be changed between saving and going on.
  base::Hash hash;
  for (const auto& profile : scene_.profiles) hash.add(std::span<const char>(profile.name));
  for (const auto& population : scene_.populations) hash.add(std::span<const char>(population.name));
  for (const auto& layer : scene_.layers) hash.add(std::span<const char>(layer.name));
  return hash.value();
}

/// Do somebody's path, leg and cylinder exist?
bool World::onTheGraph(const agents::Crowd& crowd, std::uint32_t r) const {
  if (!traffic_) return crowd.path[r] == 0 && crowd.vertex[r] == 0;
  if (crowd.vertex[r] > traffic_->graph().vertices().size()) return false;
  if (crowd.path[r] == 0) return true;
  return crowd.vertex[r] > 0 && crowd.path[r] <= traffic_->paths().size() && traffic_->of(crowd.population[r]) &&
         (traffic_->paths().isField(crowd.path[r] - 1) || crowd.leg[r] <= traffic_->paths().legs(crowd.path[r] - 1));
}

/// The flows that there were; those that the world has besides are forgotten.
void World::restoreFlows(const std::vector<std::uint16_t>& populations, const std::vector<double>& times) {
  std::vector<std::uint16_t> there;
  if (traffic_)
    for (const Flow& flow : traffic_->flows()) there.push_back(flow.population);
  if (there != populations) {
    if (!traffic_) throw InputError("The snapshot was made from a scene with flows.");
    auto traffic = std::make_unique<Traffic>(environment::NavigationGraph(traffic_->graph()));
    for (const std::uint16_t p : populations) {
      if (p >= scene_.populations.size() || !scene_.populations[p].flow || traffic->of(p))
        throw InputError("The snapshot is damaged.");
      const FlowEnds& ends = *scene_.populations[p].flow;
      traffic->add(p, ends, {flowEnd(ends.from), flowEnd(ends.to)});
    }
    traffic_ = std::move(traffic);
  }
  const bool finite = std::all_of(times.begin(), times.end(), [](double t) { return t >= 0; });
  if (!finite || times.size() != (traffic_ ? traffic_->allTravelTimes().size() : 0))
    throw InputError("The snapshot is damaged.");
  if (traffic_) traffic_->setTravelTimes(times);
}

std::vector<std::byte> World::save() const {
  Writer out;
  out.put(kMagic), out.put(kVersion), out.put(sceneHash()), out.put(seed_);
  out.put(time_), out.put(steps_), out.put(next_person_), out.put(static_cast<std::uint64_t>(careful_));
  for (const Source& source : sources_) out.put(source.random.state()), out.put(source.appeared);
  out.put(arrivals_);
  out.put(unplanned_);
  out.put(free_journeys_);
  // The populations' own journeys come from the scene; those that programs made are saved.
  out.put(static_cast<std::uint64_t>(journeys_.size()));
  for (std::size_t i = 0; i < journeys_.size(); ++i) {
    const Journey& journey = journeys_[i];
    out.put(journey.users);
    if (i < sources_.size()) continue;
    out.put(journey.on_arrival);
    out.put(static_cast<std::uint64_t>(journey.legs.size()));
    for (const auto& leg : journey.legs) out.put(leg.layer), out.put(leg.bounds), out.put(leg.stage);
  }
  out.put(routes_.points()), out.put(routes_.layers());
  // Flows in the order in which they came, with what their people knew about travel times.
  std::vector<std::uint16_t> flows;
  std::vector<double> times;
  if (traffic_) {
    for (const Flow& flow : traffic_->flows()) flows.push_back(flow.population);
    times.assign(traffic_->allTravelTimes().begin(), traffic_->allTravelTimes().end());
  }
  out.put(flows), out.put(times), out.put(vertex_level_);
  // What has changed of the walls, with the map as it is: changes made anew might differ in the last bit.
  out.put(next_event_);
  out.put(static_cast<std::uint64_t>(inserted_.size()));
  for (const Inserted& there : inserted_)
    out.put(std::vector<char>(there.name.begin(), there.name.end())), out.put(there.id), out.put(there.whole),
        out.put(there.layer), out.put(there.shape);
  std::ostringstream map;
  if (map_ && map_->revision() > 0) map_->save(map);
  const std::string text = std::move(map).str();
  out.put(std::vector<char>(text.begin(), text.end()));
  crowd_.save(out.bytes);
  return std::move(out.bytes);
}

void World::load(std::span<const std::byte> bytes) {
  Reader in{bytes};
  if (in.get<std::uint64_t>() != kMagic) throw InputError("This is not a snapshot.");
  if (const auto version = in.get<std::uint64_t>(); version != kVersion)
    throw InputError("The snapshot has version " + std::to_string(version) + "; this program reads version " +
                     std::to_string(kVersion) + ".");
  if (in.get<std::uint64_t>() != sceneHash())
    throw InputError("The snapshot was made from a scene with other layers, profiles or populations.");
  const auto seed = in.get<std::uint64_t>();
  const auto time = in.get<double>();
  const auto steps = in.get<std::uint64_t>();
  const auto next_person = in.get<std::uint32_t>();
  const auto careful = in.get<std::uint64_t>();
  std::vector<Source> sources;
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const base::Random random(in.get<std::uint64_t>());
    sources.push_back({random, in.get<std::uint64_t>()});
  }
  auto arrivals = in.list<Arrival>();
  auto unplanned = in.list<AgentId>();
  auto free_journeys = in.list<std::uint32_t>();
  std::vector<Journey> journeys(in.count(sizeof(std::uint32_t)));
  if (journeys.size() < sources_.size()) throw InputError("The snapshot is damaged.");
  for (std::size_t i = 0; i < journeys.size(); ++i) {
    Journey& journey = journeys[i];
    if (i < sources_.size()) journey = journeys_[i];
    journey.users = in.get<std::uint32_t>();
    if (i < sources_.size()) continue;
    journey.on_arrival = in.get<OnArrival>();
    journey.legs.resize(in.count(sizeof(Rectangle)));
    for (auto& leg : journey.legs) {
      leg.layer = in.get<std::uint16_t>();
      leg.bounds = in.get<Rectangle>();
      leg.stage = in.stage();
      if (leg.layer >= space_.floors().size()) throw InputError("The snapshot is damaged.");
    }
  }
  auto route_points = in.list<Vec2>();
  auto route_layers = in.list<std::uint16_t>();
  if (route_layers.size() != route_points.size()) throw InputError("The snapshot is damaged.");
  const auto flows = in.list<std::uint16_t>();
  const auto travel_times = in.list<double>();
  restoreFlows(flows, travel_times);
  auto vertex_level = in.list<std::uint8_t>();
  const auto next_event = in.get<std::uint64_t>();
  std::vector<Inserted> inserted(in.count(sizeof(std::uint32_t)));
  for (Inserted& there : inserted) {
    const auto name = in.list<char>();
    there.name.assign(name.begin(), name.end());
    there.id = in.get<std::uint32_t>(), there.whole = in.get<std::uint32_t>();
    there.layer = in.get<std::uint16_t>(), there.shape = in.list<Point>();
    if (there.layer >= space_.floors().size() || there.shape.size() < 2) throw InputError("The snapshot is damaged.");
  }
  std::unique_ptr<environment::CorridorMap> map;
  if (const auto text = in.list<char>(); !text.empty()) {
    std::istringstream stream(std::string(text.begin(), text.end()));
    map = std::make_unique<environment::CorridorMap>(environment::CorridorMap::load(stream));
    if (map->floors() != space_.floors().size()) throw InputError("The snapshot's map is of another place.");
  }
  for (const Inserted& there : inserted)
    if (!map || !map->contains(there.id)) throw InputError("The snapshot is damaged.");
  agents::Crowd crowd;
  crowd.load(in.bytes);
  if (careful > crowd.size() || (careful < crowd.size() && !hasLevels())) throw InputError("The snapshot is damaged.");
  for (std::size_t r = 0; r < crowd.size(); ++r) {
    const bool sound =
        crowd.profile[r] < kinds_.size() && crowd.layer[r] < space_.floors().size() &&
        crowd.start_layer[r] < space_.floors().size() && crowd.goal_layer[r] < space_.floors().size() &&
        crowd.route_state[r] <= agents::RouteState::kStraight && crowd.journey[r] < journeys.size() &&
        crowd.stage[r] >= agents::kStartStage &&
        crowd.stage[r] < std::max<std::int32_t>(1, static_cast<std::int32_t>(journeys[crowd.journey[r]].legs.size())) &&
        std::uint64_t{crowd.route_start[r]} + crowd.route_count[r] <= route_points.size() &&
        crowd.level[r] < scene_.levels.levels.size() && onTheGraph(crowd, static_cast<std::uint32_t>(r));
    if (!sound) throw InputError("The snapshot's people refer to things that are not there: it is damaged.");
  }

  // Everything was readable: take it over as a whole.
  seed_ = seed, time_ = time, steps_ = steps, next_person_ = next_person;
  careful_ = careful;
  vertex_level_ = std::move(vertex_level);
  sources_ = std::move(sources);
  arrivals_ = std::move(arrivals);
  unplanned_ = std::move(unplanned);
  free_journeys_ = std::move(free_journeys);
  journeys_ = std::move(journeys);
  routes_.assign(std::move(route_points), std::move(route_layers));
  crowd_ = std::move(crowd);
  next_event_ = next_event;
  restoreWalls(std::move(map), std::move(inserted));
  changed();
}

}  // namespace throng::simulation
