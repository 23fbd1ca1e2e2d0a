// The world's people: how they join, what they are told, how they leave.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "base/narrowing.h"
#include "geometry/predicates.h"
#include "ground/placement.h"
#include "simulation/world.h"
#include "steering/vision_image.h"

namespace throng::simulation {
namespace {

/// And everybody has a second one, for what sets them apart when they plan.
constexpr std::uint64_t kPreferenceStream = std::uint64_t{1} << 41;

/// Smallest rectangle around everything a start rule can choose.
Rectangle reachOf(const Start& start) {
  Rectangle box{{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
  const auto include = [&](Point p) {
    box.min = {std::min(box.min.x, p.x), std::min(box.min.y, p.y)};
    box.max = {std::max(box.max.x, p.x), std::max(box.max.y, p.y)};
  };
  for (const Point& p : start.points) include(p);
  for (const Point& p : start.line.points) include(p);
  for (const Polygon& polygon : start.area)
    for (const Point& p : polygon.outer) include(p);
  if (start.kind == Start::Kind::kCircle) {
    const Point r{start.radius, start.radius};
    include(start.centre - r);
    include(start.centre + r);
  }
  const Point jitter{start.jitter, start.jitter};
  return {box.min - jitter, box.max + jitter};
}

}  // namespace

std::uint16_t World::profileIndex(std::string_view name) const {
  if (name.empty()) return 0;
  const auto found =
      std::find_if(scene_.profiles.begin(), scene_.profiles.end(), [&](const Profile& p) { return p.name == name; });
  if (found == scene_.profiles.end()) throw InputError(fmt::format("There is no profile called \"{}\".", name));
  return static_cast<std::uint16_t>(found - scene_.profiles.begin());
}

void World::placeEverybody() {
  std::vector<std::vector<ground::Disc>> taken(space_.floors().size());
  for (std::size_t i = 0; i < scene_.populations.size(); ++i) {
    const Population& population = scene_.populations[i];
    const std::uint16_t layer = space_.floor(population.layer);
    const std::uint16_t profile = profileIndex(population.profile);
    if (population.flow) {
      addJourney({{}, OnArrival::kStay, 1});
      sources_.push_back({base::Random(seed_, kPopulationStream + i), 0});
      if (population.flow->time <= 0) insertFlow(i);
      continue;
    }
    Journey journey = makeJourney(population.goals, population.on_arrival, layer, space_);
    journey.users = 1;  // the population itself
    const std::uint32_t journey_index = addJourney(std::move(journey));
    sources_.push_back({base::Random(seed_, kPopulationStream + i), 0});

    // Each person's stream first gives their radius, so that it is known before they are placed.
    std::vector<base::Random> streams;
    std::vector<double> radii;
    for (std::uint32_t k = 0; k < population.count; ++k) {
      streams.emplace_back(seed_, next_person_ + k);
      radii.push_back(draw(scene_.profiles[profile].radius, streams.back(), kRadiusLimits));
    }
    std::string problem;
    const auto places =
        ground::place(population.start, radii, space_.floors()[layer], taken[layer], sources_.back().random, problem);
    if (places.size() < radii.size()) {
      throw InputError({Diagnostic{.pointer = fmt::format("/populations/{}/start", i), .message = problem}});
    }
    for (std::size_t k = 0; k < places.size(); ++k) {
      taken[layer].push_back({places[k], radii[k]});
      join({places[k], profile, static_cast<std::uint16_t>(i), layer, radii[k], {}}, journey_index, streams[k]);
    }
  }
}

AgentId World::join(const NewPerson& person, std::uint32_t journey, base::Random random) {
  const Profile& profile = scene_.profiles[person.profile];
  agents::PersonState state;
  state.position = {static_cast<float>(person.position.x), static_cast<float>(person.position.y)};
  state.z = space_.floors()[person.layer].height(state.position);
  state.radius = static_cast<float>(person.radius ? *person.radius : draw(profile.radius, random, kRadiusLimits));
  const double speed =
      person.preferred_speed ? *person.preferred_speed : draw(profile.preferred_speed, random, kPreferredSpeedLimits);
  state.preferred_speed = static_cast<float>(speed);
  state.max_speed = static_cast<float>(speed * profile.max_speed_factor);
  state.profile = person.profile;
  state.population = person.population;
  state.layer = person.layer;
  state.journey = journey;
  state.person = next_person_++;
  state.random = random.state();
  state.preference = static_cast<float>(base::Random(seed_, kPreferenceStream + state.person).uniform());
  const AgentId id = crowd_.add(state);
  numbers_ready_ = false;
  ++journeys_[journey].users;
  takeCareOf(crowd_.row(id));
  const std::uint32_t r = crowd_.row(id);
  begin(r);
  // Everybody starts facing the way they mean to go.
  const Vec2 way = crowd_.activity[r] == agents::Activity::kHeading
                       ? Vec2{crowd_.goal_x[r], crowd_.goal_y[r]}
                       : normalized(Vec2{crowd_.goal_x[r], crowd_.goal_y[r]} - state.position);
  if (way != Vec2{} && crowd_.activity[r] != agents::Activity::kStaying)
    crowd_.heading_x[r] = way.x, crowd_.heading_y[r] = way.y;
  changed();
  return id;
}

SeenImage World::see(std::uint32_t row) const {
  const Kind& kind = kinds_[crowd_.profile[row]];
  const steering::Eyes eyes = steering::eyesOf(kind.steering->info.name, kind.steering_parameters);
  const agents::NeighbourIndex& everybody = index(eyes.range());
  const auto people = everybody.people();
  const auto slot = std::find_if(people.begin(), people.end(), [&](auto s) { return everybody.row()[s] == row; });
  return eyes.see({crowd_, everybody, space_.floors(), 0.1f, clock_.steps()}, *slot);
}

void World::begin(std::uint32_t row) {
  beginStage(crowd_, row, journeys_[crowd_.journey[row]], space_);
  crowd_.route_count[row] = 0;
  progress_.forget(crowd_.id[row], clock_.time());
  crowd_.walking_time[row] = crowd_.expected_time[row] = 0;
  if (crowd_.activity[row] == agents::Activity::kWalking) unplanned_.push_back(crowd_.id[row]);
}

void World::leave(std::uint32_t row) {
  releaseJourney(crowd_.journey[row]);
  const AgentId id = crowd_.id[row];
  if (row < careful_) releaseCareOf(row);
  crowd_.remove(id);
  numbers_ready_ = false;
  changed();
}

std::uint32_t World::addJourney(Journey journey) {
  if (free_journeys_.empty()) {
    journeys_.push_back(std::move(journey));
    return static_cast<std::uint32_t>(journeys_.size() - 1);
  }
  const std::uint32_t index = free_journeys_.back();
  free_journeys_.pop_back();
  journeys_[index] = std::move(journey);
  return index;
}

void World::releaseJourney(std::uint32_t journey) {
  if (--journeys_[journey].users > 0) return;
  journeys_[journey] = {};
  free_journeys_.push_back(journey);
}

std::vector<ground::Disc> World::peopleNear(const Start& start, std::uint16_t layer) const {
  const Rectangle box = reachOf(start);
  std::vector<ground::Disc> people;
  for (std::uint32_t r = 0; r < crowd_.size(); ++r) {
    const Point p{crowd_.x[r], crowd_.y[r]};
    const double reach = crowd_.radius[r] + kRadiusLimits.most;  // of two bodies that touch
    if (crowd_.layer[r] == layer && p.x > box.min.x - reach && p.x < box.max.x + reach && p.y > box.min.y - reach &&
        p.y < box.max.y + reach)
      people.push_back({p, crowd_.radius[r]});
  }
  return people;
}

void World::appear() {
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const Population& population = scene_.populations[i];
    if (population.flow) {
      if (!traffic_->of(static_cast<std::uint16_t>(i)) && population.flow->time <= clock_.due()) insertFlow(i);
      continue;
    }
    Source& source = sources_[i];
    const std::uint64_t due = Source::due(population, clock_.due());
    if (source.appeared >= due) continue;
    const std::uint16_t layer = space_.floor(population.layer);
    const std::uint16_t profile = profileIndex(population.profile);
    auto taken = peopleNear(population.start, layer);
    while (source.appeared < due) {
      base::Random stream(seed_, next_person_);
      const double radius = draw(scene_.profiles[profile].radius, stream, kRadiusLimits);
      const auto place = ground::placeOne(population.start, radius, space_.floors()[layer], taken, source.random);
      if (!place) break;  // crowded: they wait outside
      taken.push_back({*place, radius});
      join({*place, profile, static_cast<std::uint16_t>(i), layer, radius, {}}, static_cast<std::uint32_t>(i), stream);
      ++source.appeared;
    }
  }
}

std::uint64_t World::waiting() const {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < sources_.size(); ++i)
    if (!scene_.populations[i].flow) count += Source::due(scene_.populations[i], clock_.due()) - sources_[i].appeared;
  return count;
}

AgentId World::add(const NewPerson& person, const std::vector<Stage>& goals, OnArrival on_arrival) {
  const ground::Floor& floor = space_.floors()[person.layer];
  base::Random random(seed_, next_person_);
  NewPerson placed = person;
  if (!placed.radius) placed.radius = draw(scene_.profiles[person.profile].radius, random, kRadiusLimits);
  const auto refuse = [&](const std::string& why) {
    throw InputError({Diagnostic{.at = person.position, .message = "Nobody can be put here: " + why}});
  };
  const bool finite = std::isfinite(person.position.x) && std::isfinite(person.position.y);
  if (!finite || !floor.contains(person.position)) refuse("the place is in an obstacle or outside the walkable area.");
  const double room = floor.clearance(person.position, *placed.radius);
  if (room < *placed.radius)
    refuse(fmt::format("a wall is {:.3g} m away; a radius of {:.3g} m is asked for.", room, *placed.radius));
  const auto here = Vec2{static_cast<float>(person.position.x), static_cast<float>(person.position.y)};
  for (std::uint32_t r = 0; r < crowd_.size(); ++r) {
    if (crowd_.layer[r] != person.layer) continue;
    const float distance = length(here - Vec2{crowd_.x[r], crowd_.y[r]});
    if (distance < *placed.radius + crowd_.radius[r])
      refuse(fmt::format("person {} stands {:.3g} m away; the two radii are {:.3g} m together.", crowd_.person[r],
                         distance, *placed.radius + crowd_.radius[r]));
  }
  return join(placed, addJourney(makeJourney(goals, on_arrival, person.layer, space_)), random);
}

void World::remove(AgentId id) { leave(crowd_.row(id)); }

void World::setGoals(AgentId id, const std::vector<Stage>& goals) {
  const std::uint32_t r = crowd_.row(id);
  const std::uint32_t old = crowd_.journey[r];
  Journey journey = makeJourney(goals, journeys_[old].on_arrival, crowd_.layer[r], space_);
  journey.users = 1;
  crowd_.journey[r] = addJourney(std::move(journey));
  releaseJourney(old);
  crowd_.stage[r] = 0;
  crowd_.returning[r] = 0;
  crowd_.path[r] = 0;  // whoever has goals of their own is on no flow any more
  takeCareOf(r);
  begin(crowd_.row(id));
}

void World::setPreferredSpeed(AgentId id, double speed) {
  const std::uint32_t r = crowd_.row(id);
  crowd_.preferred_speed[r] = static_cast<float>(speed);
  crowd_.max_speed[r] = static_cast<float>(speed * scene_.profiles[crowd_.profile[r]].max_speed_factor);
}

AgentId World::find(std::uint32_t person) const {
  if (!numbers_ready_) {
    numbers_.clear();
    for (std::uint32_t r = 0; r < crowd_.size(); ++r) numbers_.emplace_back(crowd_.person[r], crowd_.id[r]);
    std::sort(numbers_.begin(), numbers_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    numbers_ready_ = true;
  }
  const auto found = std::lower_bound(numbers_.begin(), numbers_.end(), person,
                                      [](const auto& entry, std::uint32_t number) { return entry.first < number; });
  return found != numbers_.end() && found->first == person ? found->second : AgentId();
}

void World::setPosition(AgentId id, Point place, std::uint16_t layer) {
  const std::uint32_t r = crowd_.row(id);
  const ground::Floor& floor = space_.floors()[layer];
  const bool finite = std::isfinite(place.x) && std::isfinite(place.y);
  if (!finite || !floor.contains(place) || floor.clearance(place, crowd_.radius[r]) < crowd_.radius[r])
    throw InputError(
        {Diagnostic{.at = place,
                    .message = fmt::format("Nobody with a radius of {:.3g} m can be put here: the place is "
                                           "in an obstacle, outside the walkable area or too near a wall.",
                                           crowd_.radius[r])}});
  takeCareOf(r);
  const std::uint32_t row = crowd_.row(id);
  const Vec2 at = narrow(place);
  crowd_.x[row] = at.x, crowd_.y[row] = at.y;
  crowd_.layer[row] = layer;
  crowd_.z[row] = floor.height(at);
  crowd_.vx[row] = crowd_.vy[row] = crowd_.next_vx[row] = crowd_.next_vy[row] = 0;
  crowd_.wait[row] = crowd_.settling[row] = 0;
  std::erase(buried_, crowd_.person[row]);
  progress_.forget(id, clock_.time());
  if (crowd_.path[row] > 0)
    crowd_.lost[row] = 1;
  else if (crowd_.activity[row] == agents::Activity::kWalking)
    unplanned_.push_back(id);
  changed();
}

void World::setVelocity(AgentId id, Vec2 velocity) {
  const std::uint32_t r = crowd_.row(id);
  const float speed = length(velocity);
  if (speed > crowd_.max_speed[r]) velocity = velocity * (crowd_.max_speed[r] / speed);
  crowd_.vx[r] = crowd_.next_vx[r] = velocity.x, crowd_.vy[r] = crowd_.next_vy[r] = velocity.y;
  changed();
}

void World::setPreferredVelocity(AgentId id, std::optional<Vec2> velocity) {
  if (!velocity && !wishing_) return;
  auto& wishing = crowd_.attach<std::uint8_t>(kWish);
  auto &x = crowd_.attach<float>(kWishX), &y = crowd_.attach<float>(kWishY);
  findWishes();
  takeCareOf(crowd_.row(id));
  const std::uint32_t r = crowd_.row(id);
  wishing[r] = velocity.has_value();
  x[r] = velocity ? velocity->x : 0, y[r] = velocity ? velocity->y : 0;
}

void World::findWishes() { wishing_ = std::as_const(crowd_).find<std::uint8_t>(kWish); }

/// After following, before streams and steering.
void World::followWishes() {
  if (!wishing_) return;
  const auto &x = *crowd_.find<float>(kWishX), &y = *crowd_.find<float>(kWishY);
  for (std::uint32_t r = 0; r < careful_; ++r) {
    if (!hasWish(r) || isBuried(r)) continue;
    Vec2 wish{x[r], y[r]};
    const float speed = length(wish);
    if (speed > crowd_.max_speed[r]) wish = wish * (crowd_.max_speed[r] / speed);
    crowd_.preferred_vx[r] = wish.x, crowd_.preferred_vy[r] = wish.y;
  }
}

void World::setUserData(std::uint32_t row, std::uint64_t data) {
  if (data != 0 || crowd_.find<std::uint64_t>(kUserData)) crowd_.attach<std::uint64_t>(kUserData)[row] = data;
}

std::uint64_t World::userData(std::uint32_t row) const {
  const auto* column = crowd_.find<std::uint64_t>(kUserData);
  return column ? (*column)[row] : 0;
}

const agents::NeighbourIndex& World::index(float range) const {
  // Who is near enough to a connection to be seen over it depends on the range.
  if (!query_index_ready_ || query_range_ < range || (!links_.empty() && query_range_ != range)) {
    query_index_.build(crowd_, range, wrap_, threads_, links_);
    query_index_ready_ = true;
    query_range_ = range;
  }
  return query_index_;
}

}  // namespace throng::simulation
