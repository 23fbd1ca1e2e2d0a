#include "simulation/world.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <utility>

#include "base/hash.h"
#include "base/narrowing.h"
#include "simulation/contact.h"
#include "steering/stream.h"

namespace throng::simulation {
namespace {

/// People per piece of work. A multiple of every vector width.
constexpr std::size_t kPiece = 512;
/// Rows are put into cell order every so many steps, so that neighbours in space are neighbours in memory.
constexpr std::uint64_t kReorderInterval = 32;
/// m/s; slower than this, the heading stays.
constexpr float kTurningSpeed = 0.1f;

std::vector<float> parameterValues(const ModelInfo& info, const std::map<std::string, double>& differing) {
  std::vector<float> values;
  for (const ModelParameter& parameter : info.parameters) {
    const auto given = differing.find(std::string(parameter.name));
    values.push_back(static_cast<float>(given != differing.end() ? given->second : parameter.value));
  }
  return values;
}

template <class Entry>
const Entry& known(const Entry* entry, const std::string& name, const char* what) {
  if (!entry) throw InputError(std::string("There is no ") + what + " called \"" + name + "\".");
  return *entry;
}

/// The rectangle of a wrapped layer, in the floats that people move in.
struct Field {
  float min_x, min_y, max_x, max_y;

  explicit Field(const Rectangle& r)
      : min_x(static_cast<float>(r.min.x)),
        min_y(static_cast<float>(r.min.y)),
        max_x(static_cast<float>(r.max.x)),
        max_y(static_cast<float>(r.max.y)) {}

  static float wrapped(float value, float low, float high) {
    if (value < low) value += high - low;
    if (value >= high) value -= high - low;
    return value;
  }
  Vec2 wrapped(Vec2 place) const { return {wrapped(place.x, min_x, max_x), wrapped(place.y, min_y, max_y)}; }
};

struct Walk {
  Vec2 velocity;
  float speed;
};

/// What a person can do of what steering asks for.
Walk bounded(Vec2 velocity, float max_speed) {
  const float speed = length(velocity);
  if (!(speed < 1e6f)) return {{}, 0};  // a model that fails must not take the person along
  if (speed > max_speed) return {velocity * (max_speed / speed), max_speed};
  return {velocity, speed};
}

void turn(agents::Crowd& crowd, std::uint32_t r, Walk walk) {
  if (walk.speed <= kTurningSpeed) return;
  const float inverse = 1 / walk.speed;
  crowd.heading_x[r] = walk.velocity.x * inverse;
  crowd.heading_y[r] = walk.velocity.y * inverse;
}

}  // namespace

std::string_view stageName(StepStage stage) {
  constexpr std::string_view kNames[] = {"change",     "appear", "plan",  "levels",    "follow",
                                         "neighbours", "stream", "steer", "integrate", "arrive"};
  return kNames[static_cast<std::size_t>(stage)];
}

World::World(Scene scene, std::uint64_t seed, int threads, std::unique_ptr<graph::NavigationGraph> graph)
    : scene_(std::move(scene)),
      own_populations_(scene_.populations.size()),
      own_levels_(scene_.levels),
      seed_(seed),
      threads_(threads),
      space_(scene_),
      passages_(makePassages(scene_, space_)) {
  for (const Profile& profile : scene_.profiles) {
    Kind kind{&known(planning::findPlanner(profile.planner.model), profile.planner.model, "planner"),
              &known(following::findFollower(profile.follower.model), profile.follower.model, "follower"),
              &known(steering::findModel(profile.steering.model), profile.steering.model, "steering model"),
              {},
              {},
              {},
              {}};
    kind.planner_parameters = parameterValues(kind.planner->info, profile.planner.parameters);
    kind.follower_parameters = parameterValues(kind.follower->info, profile.follower.parameters);
    kind.steering_parameters = parameterValues(kind.steering->info, profile.steering.parameters);
    neighbour_range_ = std::max(neighbour_range_, kind.steering->range(kind.steering_parameters));
    if (profile.stream) {
      kind.stream_parameters = parameterValues(steering::streamInfo(), *profile.stream);
      neighbour_range_ = std::max(neighbour_range_, steering::streamRange(kind.stream_parameters));
    }
    kinds_.push_back(std::move(kind));
  }
  for (const auto& floor : space_.floors()) wrap_.push_back(floor.wrap);
  findLinks();
  buildMap();
  buildTraffic(std::move(graph));
  graph_made_later_ = false;
  placeEverybody();
}

void World::step(double dt) {
  if (!(dt >= kShortestStep && dt <= kLongestStep))
    throw InputError(fmt::format("A step of {} s; allowed: {} to {} s.", dt, kShortestStep, kLongestStep));
  const auto timed = [this](StepStage stage, auto&& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    auto& seconds = seconds_[static_cast<std::size_t>(stage)];
    seconds.last = took;
    seconds.total += took;
  };
  const auto begun = std::chrono::steady_clock::now();
  const auto h = static_cast<float>(dt);
  timed(StepStage::kChange, [&] { change(); });
  timed(StepStage::kAppear, [&] { appear(); });
  timed(StepStage::kPlan, [&] { plan(); });
  timed(StepStage::kLevels, [&] { assignCare(dt); });
  timed(StepStage::kFollow, [&] {
    follow(h);
    followWishes();
  });
  timed(StepStage::kNeighbours, [&] { findNeighbours(); });
  timed(StepStage::kStream, [&] { stream(h); });
  timed(StepStage::kSteer, [&] { steer(h); });
  timed(StepStage::kIntegrate, [&] { integrate(h); });
  clock_.advance(dt);
  timed(StepStage::kArrive, [&] {
    arrive();
    lookForProgress();
  });
  changed();
  if (budget_.active())
    budget_.spent(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun).count());
}

void World::plan() {
  std::erase_if(unplanned_, [&](AgentId id) {
    return !crowd_.contains(id) || crowd_.activity[crowd_.row(id)] != agents::Activity::kWalking ||
           isBuried(crowd_.row(id));
  });
  for (std::uint32_t r = 0; r < crowd_.size(); ++r)
    if (crowd_.lost[r] && !isBuried(r)) {
      crowd_.lost[r] = 0;
      if (crowd_.path[r] > 0) {
        traffic_->findAgain(crowd_, r);
      } else {
        unplanned_.push_back(crowd_.id[r]);
      }
    }
  constexpr std::size_t kAtOnce = 8192;  // people whose routes are held before they are stored
  for (std::size_t i = 0; i < unplanned_.size(); i += kAtOnce)
    planAll(std::span(unplanned_).subspan(i, std::min(kAtOnce, unplanned_.size() - i)));
  unplanned_.clear();

  // Everybody's way-points together are at most what the store holds; clear it out when less than half is in use.
  if (routes_.size() > 1024) {
    const auto live = std::accumulate(crowd_.route_count.begin(), crowd_.route_count.end(), std::uint64_t{0});
    if (routes_.size() > 2 * live) routes_.compact(crowd_.route_start, crowd_.route_count);
  }
}

/// In parallel; the routes are then stored in the order of people.
void World::planAll(std::span<const AgentId> people) {
  constexpr std::size_t kPlansPerPiece = 16;
  if (planned_.size() < people.size()) planned_.resize(people.size()), outcomes_.resize(people.size());
  const planning::Terrain terrain{space_.floors(), map_.get()};
  threads_.forEach(people.size(), kPlansPerPiece, [&](std::size_t begin, std::size_t end) {
    thread_local planning::Scratch scratch;
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t r = crowd_.row(people[i]);
      const Kind& kind = kinds_[crowd_.profile[r]];
      const planning::Request request{{crowd_.x[r], crowd_.y[r]},
                                      {crowd_.goal_x[r], crowd_.goal_y[r]},
                                      crowd_.layer[r],
                                      crowd_.goal_layer[r],
                                      crowd_.radius[r],
                                      crowd_.preference[r]};
      outcomes_[i] = kind.planner->plan(request, terrain, kind.planner_parameters, scratch, planned_[i]);
    }
  });
  for (std::size_t i = 0; i < people.size(); ++i) {
    const std::uint32_t r = crowd_.row(people[i]);
    crowd_.route_start[r] = routes_.add(planned_[i]);
    crowd_.route_count[r] = static_cast<std::uint32_t>(planned_[i].size());
    crowd_.target_x[r] = crowd_.x[r], crowd_.target_y[r] = crowd_.y[r];  // the route begins here
    // What people expect when they set out; a new route on the way does not make them expect less or more.
    if (!kinds_[crowd_.profile[r]].stream_parameters.empty() && crowd_.expected_time[r] == 0)
      crowd_.expected_time[r] = routeLength(r) / crowd_.preferred_speed[r];
    crowd_.route_state[r] = outcomes_[i] == planning::Outcome::kReached   ? agents::RouteState::kReaches
                            : outcomes_[i] == planning::Outcome::kNearest ? agents::RouteState::kNearest
                                                                          : agents::RouteState::kStraight;
  }
}

float World::routeLength(std::uint32_t r) const {
  Vec2 from{crowd_.x[r], crowd_.y[r]};
  if (crowd_.route_count[r] == 0) return length(Vec2{crowd_.goal_x[r], crowd_.goal_y[r]} - from);
  float sum = 0;
  for (std::uint32_t i = 0; i < crowd_.route_count[r]; ++i) {
    const Vec2 to = routes_.at(crowd_.route_start[r] + i);
    sum += length(to - from);
    from = to;
  }
  return sum;
}

void World::byProfile(std::span<const std::uint32_t> people, std::span<const std::uint32_t> row_of,
                      std::vector<std::vector<std::uint32_t>>& lists) const {
  lists.resize(kinds_.size());
  for (auto& list : lists) list.clear();
  for (const std::uint32_t i : people) lists[crowd_.profile[row_of.empty() ? i : row_of[i]]].push_back(i);
}

void World::follow(float dt) {
  if (traffic_) {
    threads_.forEach(careful_, kPiece, [&](std::size_t begin, std::size_t end) {
      thread_local std::vector<std::uint32_t> rows;
      rows.clear();
      for (std::size_t r = begin; r < end; ++r)
        if (!hasLevels() || decides(static_cast<std::uint32_t>(r))) rows.push_back(static_cast<std::uint32_t>(r));
      followPiece(rows, dt);
    });
    return;
  }
  for (std::size_t n = all_rows_.size(); n < crowd_.size(); ++n) all_rows_.push_back(static_cast<std::uint32_t>(n));
  const std::span<const std::uint32_t> everybody(all_rows_.data(), crowd_.size());
  if (kinds_.size() > 1) byProfile(everybody, {}, rows_by_profile_);
  for (std::size_t k = 0; k < kinds_.size(); ++k) {
    const auto rows = kinds_.size() > 1 ? std::span<const std::uint32_t>(rows_by_profile_[k]) : everybody;
    threads_.forEach(rows.size(), kPiece, [&](std::size_t begin, std::size_t end) {
      kinds_[k].follower->follow(crowd_, routes_, map_.get(), dt, kinds_[k].follower_parameters,
                                 rows.subspan(begin, end - begin));
    });
  }
}

void World::findNeighbours() {
  neighbours_.build(crowd_, neighbour_range_, wrap_, threads_, links_, careful_);
  if (clock_.steps() % kReorderInterval == 0 && careful_ > 1) {
    order_.clear();
    for (const std::uint32_t slot : neighbours_.people()) order_.push_back(neighbours_.row()[slot]);
    crowd_.reorder(order_);
    neighbours_.build(crowd_, neighbour_range_, wrap_, threads_, links_, careful_);
  }
  if (kinds_.size() > 1) byProfile(neighbours_.people(), neighbours_.row(), slots_by_profile_);
  if (!hasLevels()) return;
  // Of these, those who avoid others and decide now.
  avoiding_.resize(kinds_.size());
  for (auto& list : avoiding_) list.clear();
  for (const std::uint32_t slot : neighbours_.people()) {
    const std::uint32_t r = neighbours_.row()[slot];
    if (levelOf(r).avoidance && decides(r)) avoiding_[crowd_.profile[r]].push_back(slot);
  }
}

std::span<const std::uint32_t> World::slotsOf(std::size_t kind) const {
  if (hasLevels()) return avoiding_[kind];
  return kinds_.size() > 1 ? std::span<const std::uint32_t>(slots_by_profile_[kind]) : neighbours_.people();
}

/// Nobody reads anybody else's preferred velocity, so it can be changed in place.
void World::stream(float dt) {
  const steering::StepInput input{crowd_, neighbours_, space_.floors(), dt, clock_.steps()};
  const steering::VelocityOutput out{crowd_.preferred_vx.data(), crowd_.preferred_vy.data()};
  for (std::size_t k = 0; k < kinds_.size(); ++k) {
    if (kinds_[k].stream_parameters.empty()) continue;
    const auto slots = slotsOf(k);
    threads_.forEach(slots.size(), kPiece, [&](std::size_t begin, std::size_t end) {
      const auto part = slots.subspan(begin, end - begin);
      for (const std::uint32_t slot : part) {
        const std::uint32_t r = neighbours_.row()[slot];
        if (crowd_.activity[r] == agents::Activity::kWalking) crowd_.walking_time[r] += dt;
      }
      steering::stream(input, kinds_[k].stream_parameters, part, out);
    });
  }
}

void World::steer(float dt) {
  if (hasLevels()) walkUnheeding(dt);
  const steering::StepInput input{crowd_, neighbours_, space_.floors(), dt, clock_.steps()};
  const steering::VelocityOutput out{crowd_.next_vx.data(), crowd_.next_vy.data(), crowd_.memory_x.data(),
                                     crowd_.memory_y.data()};
  for (std::size_t k = 0; k < kinds_.size(); ++k) {
    const auto slots = slotsOf(k);
    threads_.forEach(slots.size(), kinds_[k].steering->piece, [&](std::size_t begin, std::size_t end) {
      kinds_[k].steering->kernel(input, kinds_[k].steering_parameters, slots.subspan(begin, end - begin), out);
    });
  }
}

void World::integrate(float dt) {
  const auto& floors = space_.floors();
  // One floor without walls, as in many studies: the same without asking for them.
  const bool open = floors.size() == 1 && floors[0].walls.size() == 0 && passages_.empty();
  threads_.forEach(crowd_.size() - careful_, kPiece, [&](std::size_t begin, std::size_t end) {
    glide(static_cast<std::uint32_t>(careful_ + begin), static_cast<std::uint32_t>(careful_ + end), dt);
  });
  threads_.forEach(careful_, kPiece, [&](std::size_t begin, std::size_t end) {
    if (open) return moveInTheOpen(static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), dt);
    thread_local std::vector<std::uint32_t> near;
    for (std::size_t r = begin; r < end; ++r) move(static_cast<std::uint32_t>(r), dt, near);
  });
}

void World::moveInTheOpen(std::uint32_t begin, std::uint32_t end, float dt) {
  const ground::Floor& floor = space_.floors()[0];
  const bool wraps = floor.wrap.has_value();
  const Field field(floor.wrap.value_or(Rectangle{}));
  const bool level = floor.slope == Point{} && floor.ground.empty();
  const auto height = static_cast<float>(floor.elevation);
  for (std::uint32_t r = begin; r < end; ++r) {
    if (isBuried(r)) {
      crowd_.vx[r] = crowd_.vy[r] = 0;
      continue;
    }
    Walk walk = bounded({crowd_.next_vx[r], crowd_.next_vy[r]}, crowd_.max_speed[r]);
    if (crowd_.settling[r]) {
      settle(r, walk.velocity, dt);
      walk.speed = length(walk.velocity);
    }
    Vec2 to = Vec2{crowd_.x[r], crowd_.y[r]} + walk.velocity * dt;
    if (wraps) to = field.wrapped(to);
    crowd_.x[r] = to.x, crowd_.y[r] = to.y;
    crowd_.z[r] = level ? height : floor.height(to);
    crowd_.vx[r] = walk.velocity.x, crowd_.vy[r] = walk.velocity.y;
    turn(crowd_, r, walk);
    if (!level) crowd_.slope[r] = dot(floor.groundAt(to).gradient, Vec2{crowd_.heading_x[r], crowd_.heading_y[r]});
  }
}

void World::move(std::uint32_t r, float dt, std::vector<std::uint32_t>& near) {
  if (isBuried(r)) {
    crowd_.vx[r] = crowd_.vy[r] = 0;
    return;
  }
  Walk walk = bounded({crowd_.next_vx[r], crowd_.next_vy[r]}, crowd_.max_speed[r]);
  if (crowd_.settling[r]) {
    settle(r, walk.velocity, dt);
    walk.speed = length(walk.velocity);
  }
  const auto walked = [dt](Vec2 motion) { return Walk{motion / dt, length(motion / dt)}; };

  const ground::Floor& floor = space_.floors()[crowd_.layer[r]];
  const Vec2 from{crowd_.x[r], crowd_.y[r]};
  const Vec2 motion = walk.velocity * dt;
  Vec2 to = moveAlongWalls(floor.walls, from, crowd_.radius[r], motion, near);
  if (to != from + motion) walk = walked(to - from);
  if (!passages_.empty() && !passages_.nothingNear(from, length(to - from) + 0.1f)) {
    if (const auto landing =
            cross(passages_.list(), space_.floors(), crowd_.layer[r], from, to, crowd_.radius[r], near)) {
      crowd_.layer[r] = landing->floor;
      to = landing->place;
      walk = walked(landing->motion);
    }
  }
  if (const ground::Floor& on = space_.floors()[crowd_.layer[r]]; on.wrap) {
    // Beyond the border stand images of the walls behind it; what rounding leaves of a difference must not lead into
    // them.
    const Vec2 wrapped = Field(*on.wrap).wrapped(to);
    if (wrapped != to && &on == &floor && !on.contains(wide(wrapped)) && on.contains(wide(from))) {
      to = from;
      walk = {};
    } else {
      to = wrapped;
    }
  }
  crowd_.x[r] = to.x, crowd_.y[r] = to.y;
  crowd_.vx[r] = walk.velocity.x, crowd_.vy[r] = walk.velocity.y;
  turn(crowd_, r, walk);
  const ground::GroundAt ground = space_.floors()[crowd_.layer[r]].groundAt(to);
  // Whoever comes from where nobody looked closely at their feet gets to the ground in a moment.
  constexpr float kLift = 2;  // m/s
  crowd_.z[r] =
      crowd_.settling[r] ? crowd_.z[r] + std::clamp(ground.z - crowd_.z[r], -kLift * dt, kLift * dt) : ground.z;
  crowd_.slope[r] = dot(ground.gradient, Vec2{crowd_.heading_x[r], crowd_.heading_y[r]});
}

void World::arrive() {
  arrivals_.clear();
  // Found in parallel, then carried out one after the other in the order of rows.
  thread_local std::vector<std::uint8_t> there;
  there.assign(crowd_.size(), 0);
  auto* flags = there.data();
  threads_.forEach(crowd_.size(), kPiece, [&, flags](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto r = static_cast<std::uint32_t>(i);
      if (crowd_.path[r] > 0) {
        flags[i] = (i < careful_ || crowd_.wait[r] == 0) && traffic_->arrived(crowd_, r);
        continue;
      }
      flags[i] = crowd_.activity[r] == agents::Activity::kWalking && reached(crowd_, r, journeys_[crowd_.journey[r]]);
    }
  });
  leaving_.clear();
  for (std::uint32_t r = 0; r < crowd_.size(); ++r) {
    if (!flags[r]) continue;
    if (crowd_.path[r] > 0) {
      arrivals_.push_back({crowd_.person[r], clock_.time()});
      base::Random random(crowd_.random[r]);
      traffic_->setOut(crowd_, r, random);
      crowd_.random[r] = random.state();
      continue;
    }
    const Next next = advance(crowd_, r, journeys_[crowd_.journey[r]]);
    if (next != Next::kGoOn) arrivals_.push_back({crowd_.person[r], clock_.time()});
    if (next == Next::kLeave) {
      leaving_.push_back(crowd_.id[r]);
    } else if (crowd_.activity[r] != agents::Activity::kStaying) {
      begin(r);
    }
  }
  for (const AgentId id : leaving_) leave(crowd_.row(id));
}

double World::stageSeconds(StepStage stage, bool last) const {
  const auto& seconds = seconds_[static_cast<std::size_t>(stage)];
  return last ? seconds.last : seconds.total;
}

std::size_t World::memory() const {
  std::size_t bytes = crowd_.memory() + neighbours_.memory() + routes_.memory();
  bytes += all_rows_.capacity() * sizeof(std::uint32_t);
  for (const auto* lists : {&rows_by_profile_, &slots_by_profile_})
    for (const auto& list : *lists) bytes += list.capacity() * sizeof(std::uint32_t);
  return bytes;
}

std::uint64_t World::hash() const {
  base::Hash hash;
  crowd_.hash(hash);
  hash.add(clock_.steps());
  return hash.value();
}

}  // namespace throng::simulation
