#include "simulation/newcomers.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "base/math.h"
#include "base/narrowing.h"
#include "base/overloaded.h"
#include "corridors/visibility.h"
#include "geometry/boxes.h"
#include "goals/arrive.h"
#include "ground/occupancy.h"
#include "scene/distribution.h"

namespace throng::simulation {
namespace {

/// And everybody has a second one, for what sets them apart when they plan.
constexpr std::uint64_t kPreferenceStream = std::uint64_t{1} << 41;

/// So many places are tried for everybody. Where a flow has more people than room they overlap at first, and those who
/// avoid others sort it out.
constexpr int kTries = 40, kGiveUp = 100;

double largestRadius(const Distribution& radius) {
  switch (radius.kind) {
    case Distribution::Kind::kConstant:
      return radius.mean;
    case Distribution::Kind::kNormal:
      return radius.mean + 6 * radius.deviation;
    default:
      return radius.max;
  }
}

/// Does a body keep off ground that costs infinity?
bool mayStand(const ground::Regions& regions, std::span<const float> weights, Point at, std::uint16_t floor,
              double radius) {
  if (weights.empty() || !regions.any(floor)) return true;
  constexpr double kDiagonal = 0.70710678;
  constexpr Point kAround[] = {{0, 0},
                               {1, 0},
                               {kDiagonal, kDiagonal},
                               {0, 1},
                               {-kDiagonal, kDiagonal},
                               {-1, 0},
                               {-kDiagonal, -kDiagonal},
                               {0, -1},
                               {kDiagonal, -kDiagonal}};
  return std::none_of(std::begin(kAround), std::end(kAround), [&](Point way) {
    return std::isinf(weights[regions.typeAt(at + way * radius, floor, weights)]);
  });
}

/// Smallest rectangle around everything a start rule can choose.
Rectangle reachOf(const Start& start) {
  Rectangle box = geometry::kEmptyBox;
  const auto include = [&](Point p) { geometry::include(box, p); };
  const auto includeAll = [&](const std::vector<Point>& points) {
    for (const Point& p : points) include(p);
  };
  std::visit(base::Overloaded{[&](const StartPoints& at) { includeAll(at.points); },
                              [&](const StartLine& along) { includeAll(along.line.points); },
                              [&](const StartCircle& circle) {
                                const Point r{circle.radius, circle.radius};
                                include(circle.centre - r);
                                include(circle.centre + r);
                              },
                              [&](const auto& in) {
                                for (const Polygon& polygon : in.area) includeAll(polygon.outer);
                              }},
             start.shape);
  const Point jitter{start.jitter, start.jitter};
  return {box.min - jitter, box.max + jitter};
}

/// Input errors of a population's flow say which population it is.
template <class Body>
void pointingTo(std::size_t population, const Body& body) {
  try {
    body();
  } catch (const InputError& error) {
    std::vector<Diagnostic> findings = error.diagnostics();
    for (Diagnostic& finding : findings) finding.pointer = fmt::format("/populations/{}", population);
    throw InputError(std::move(findings));
  }
}

}  // namespace

void Newcomers::placeEverybody(bool nobody) {
  std::vector<std::vector<ground::Disc>> taken(context_.terrain.floors().size());
  // Bodies of people who cross a gate stick out of the district.
  std::vector<std::vector<districts::Districts::Newcomer>> played;
  for (const Population& population : context_.scene.populations) {
    played.emplace_back();
    if (!population.district.empty()) played.back() = districts_.atStart(population);
    for (const auto& person : played.back()) taken[person.layer].push_back({person.state.position, kWidestInDistricts});
  }
  for (std::size_t i = 0; i < context_.scene.populations.size(); ++i) {
    const Population& population = context_.scene.populations[i];
    const std::uint16_t layer = context_.terrain.space().floor(population.layer);
    const std::uint16_t profile = context_.profileIndex(population.profile);
    if (population.flow) {
      goals_.add(flowJourney(i));
      sources_.push_back({base::Random(context_.seed, kPopulationStream + i), 0});
      if (population.flow->time <= 0 && !nobody) insertFlow(i);
      continue;
    }
    goals::Journey journey =
        goals::makeJourney(population.district.empty() ? population.goals : districts::Districts::goalsOf(population),
                           population.on_arrival, layer, context_.terrain.space());
    journey.users = 1;  // the population itself
    const std::uint32_t journey_index = goals_.add(std::move(journey));
    sources_.push_back({base::Random(context_.seed, kPopulationStream + i), 0});
    if (nobody) continue;
    if (!population.district.empty()) {
      joinDistrict(i, played[i]);
      continue;
    }

    // Each person's stream first gives their radius, so that it is known before they are placed.
    std::vector<base::Random> streams;
    std::vector<double> radii;
    for (std::uint32_t k = 0; k < population.count; ++k) {
      streams.emplace_back(context_.seed, next_person_ + k);
      radii.push_back(scene::draw(context_.scene.profiles[profile].radius, streams.back(), kRadiusLimits));
    }
    std::string problem;
    const auto places = ground::place(population.start, radii, context_.terrain.floors()[layer], taken[layer],
                                      sources_.back().random, problem);
    if (places.size() < radii.size()) {
      throw InputError({Diagnostic{.pointer = fmt::format("/populations/{}/start", i), .message = problem}});
    }
    for (std::size_t k = 0; k < places.size(); ++k) {
      taken[layer].push_back({places[k], radii[k]});
      join({places[k], profile, static_cast<std::uint16_t>(i), layer, radii[k], {}}, journey_index, streams[k]);
    }
  }
}

/// To anywhere in a place that can be walked to straight from its middle, everybody to a place of their own: if all
/// made for the middle, they would meet on the last metres, and those who set out from there again.
goals::Journey::Leg Newcomers::legTo(const flows::FlowEnd& end) const {
  constexpr int kCorners = 32;
  constexpr double kRoom = 0.3;  // m, for a body
  const Point middle = wide(end.at);
  const corridors::CorridorMap* map = context_.terrain.map();
  Polygon place;
  for (int k = 0; k < kCorners; ++k) {
    double sine, cosine;
    base::sinCos(2 * base::kPi * k / kCorners, sine, cosine);
    const Point rim = middle + Point{cosine, sine} * static_cast<double>(end.radius);
    const corridors::Sight sight =
        map ? corridors::lookAlong(*map, middle, end.floor, rim, kRoom) : corridors::Sight{true, rim, 0, end.floor};
    place.outer.push_back(sight.cell != corridors::kNone && sight.floor == end.floor ? sight.end : middle);
  }
  const std::vector<Polygon> area{std::move(place)};
  base::Random random(context_.seed);
  if (!ground::samplePlace(area, kRoom, context_.terrain.floors()[end.floor], random))
    return {{GoalPoint{middle, static_cast<double>(end.radius)}, {}}, end.floor, {}};
  return {{GoalArea{area}, {}}, end.floor, geometry::bounds(area).value_or(Rectangle{})};
}

/// People of a district of patches are on walks from the beginning.
void Newcomers::joinDistrict(std::size_t population, const std::vector<districts::Districts::Newcomer>& people) {
  const std::uint16_t profile = context_.profileIndex(context_.scene.populations[population].profile);
  for (const auto& person : people) {
    const base::Random random(context_.seed, person.number.value_or(next_person_));
    const AgentId id = join({person.state.position,
                             profile,
                             static_cast<std::uint16_t>(population),
                             person.layer,
                             kWidestInDistricts,
                             {},
                             person.number},
                            static_cast<std::uint32_t>(population), random);
    districts_.take(context_, context_.crowd.row(id), person);
  }
}

/// The population of a flow. Those who spread go from place to place on routes of their own; others follow the flow's
/// paths and have no goals.
goals::Journey Newcomers::flowJourney(std::size_t index) const {
  const FlowEnds& ends = *context_.scene.populations[index].flow;
  goals::Journey journey{{}, OnArrival::kStay, 1};
  if (!ends.spread) return journey;
  pointingTo(index, [&] {
    for (const std::string& name : {ends.from, ends.to}) {
      const flows::FlowEnd end = flows::Flows::end(context_, name);
      journey.legs.push_back(legTo(end));
    }
  });
  journey.repeats = true;
  return journey;
}

AgentId Newcomers::join(const NewPerson& person, std::uint32_t journey, base::Random random, std::int32_t first_goal) {
  const Profile& profile = context_.scene.profiles[person.profile];
  agents::PersonState state;
  state.position = narrow(person.position);
  state.z = context_.terrain.floors()[person.layer].height(state.position);
  state.radius =
      static_cast<float>(person.radius ? *person.radius : scene::draw(profile.radius, random, kRadiusLimits));
  const double speed = person.preferred_speed ? *person.preferred_speed
                                              : scene::draw(profile.preferred_speed, random, kPreferredSpeedLimits);
  state.preferred_speed = static_cast<float>(speed);
  state.max_speed = static_cast<float>(speed * profile.max_speed_factor);
  state.profile = person.profile;
  state.population = person.population;
  state.layer = person.layer;
  state.journey = journey;
  state.person = person.number ? *person.number : next_person_++;
  state.random = random.state();
  state.preference = static_cast<float>(base::Random(context_.seed, kPreferenceStream + state.person).uniform());
  agents::Crowd& crowd = context_.crowd;
  const AgentId id = crowd.add(state);
  goals_.use(journey);
  const std::uint32_t r = crowd.row(id);
  crowd.goal[r] = first_goal;
  goals_.begin(context_, r);
  // Everybody starts facing the way they mean to go.
  const Vec2 way = crowd.activity[r] == agents::Activity::kHeading
                       ? Vec2{crowd.goal_x[r], crowd.goal_y[r]}
                       : normalized(Vec2{crowd.goal_x[r], crowd.goal_y[r]} - state.position);
  if (way != Vec2{} && crowd.activity[r] != agents::Activity::kStaying) crowd.face(r, way);
  return id;
}

std::vector<ground::Disc> Newcomers::peopleNear(const Start& start, std::uint16_t layer) const {
  const Rectangle box = reachOf(start);
  std::vector<ground::Disc> people;
  for (std::uint32_t r = 0; r < context_.crowd.size(); ++r) {
    const Point p{context_.crowd.x[r], context_.crowd.y[r]};
    const double reach = context_.crowd.radius[r] + kRadiusLimits.most;  // of two bodies that touch
    if (context_.crowd.layer[r] == layer && p.x > box.min.x - reach && p.x < box.max.x + reach &&
        p.y > box.min.y - reach && p.y < box.max.y + reach)
      people.push_back({p, context_.crowd.radius[r]});
  }
  return people;
}

void Newcomers::appear() {
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const Population& population = context_.scene.populations[i];
    if (population.flow) {
      if (!flows_.has(i) && population.flow->time <= context_.clock.due()) insertFlow(i);
      continue;
    }
    if (!population.district.empty()) {
      joinDistrict(i, districts_.during(context_, population));
      continue;
    }
    goals::Source& source = sources_[i];
    const std::uint64_t due = goals::Source::due(population, context_.clock.due());
    if (source.appeared >= due) continue;
    const std::uint16_t layer = context_.terrain.space().floor(population.layer);
    const std::uint16_t profile = context_.profileIndex(population.profile);
    auto taken = peopleNear(population.start, layer);
    while (source.appeared < due) {
      base::Random stream(context_.seed, next_person_);
      const double radius = scene::draw(context_.scene.profiles[profile].radius, stream, kRadiusLimits);
      const auto place =
          ground::placeOne(population.start, radius, context_.terrain.floors()[layer], taken, source.random);
      if (!place) break;  // crowded: they wait outside
      taken.push_back({*place, radius});
      join({*place, profile, static_cast<std::uint16_t>(i), layer, radius, {}}, static_cast<std::uint32_t>(i), stream);
      ++source.appeared;
    }
  }
}

std::uint64_t Newcomers::waiting() const {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < sources_.size(); ++i)
    if (!context_.scene.populations[i].flow)
      count += goals::Source::due(context_.scene.populations[i], context_.clock.due()) - sources_[i].appeared;
  return count;
}

AgentId Newcomers::add(const NewPerson& person, const std::vector<Goal>& goals, OnArrival on_arrival) {
  const ground::Floor& floor = context_.terrain.floors()[person.layer];
  base::Random random(context_.seed, next_person_);
  NewPerson placed = person;
  if (!placed.radius)
    placed.radius = scene::draw(context_.scene.profiles[person.profile].radius, random, kRadiusLimits);
  const auto refuse = [&](const std::string& why) {
    throw InputError({Diagnostic{.at = person.position, .message = "Nobody can be put here: " + why}});
  };
  const bool finite = std::isfinite(person.position.x) && std::isfinite(person.position.y);
  if (!finite || !floor.contains(person.position)) refuse("the place is in an obstacle or outside the walkable area.");
  const double room = floor.clearance(person.position, *placed.radius);
  if (room < *placed.radius)
    refuse(fmt::format("a wall is {:.3g} m away; a radius of {:.3g} m is asked for.", room, *placed.radius));
  const Vec2 here = narrow(person.position);
  for (std::uint32_t r = 0; r < context_.crowd.size(); ++r) {
    if (context_.crowd.layer[r] != person.layer) continue;
    const float distance = length(here - Vec2{context_.crowd.x[r], context_.crowd.y[r]});
    if (distance < *placed.radius + context_.crowd.radius[r])
      refuse(fmt::format("person {} stands {:.3g} m away; the two radii are {:.3g} m together.",
                         context_.crowd.person[r], distance, *placed.radius + context_.crowd.radius[r]));
  }
  return join(placed, goals_.add(goals::makeJourney(goals, on_arrival, person.layer, context_.terrain.space())),
              random);
}

void Newcomers::insertFlow(std::size_t index) {
  pointingTo(index, [&] { flows_.add(context_, static_cast<std::uint16_t>(index)); });
  joinFlow(index, context_.scene.populations[index].count);
}

/// Spread along its paths.
void Newcomers::joinFlow(std::size_t index, std::uint32_t count) {
  const Population& population = context_.scene.populations[index];
  const std::uint16_t profile = context_.profileIndex(population.profile);
  const auto number = static_cast<std::uint16_t>(index);
  const flows::Flow& flow = *flows_.traffic()->of(number);

  std::vector<std::vector<ground::Disc>> taken(context_.terrain.floors().size());
  double largest = largestRadius(context_.scene.profiles[profile].radius);
  for (std::uint32_t r = 0; r < context_.crowd.size(); ++r) {
    taken[context_.crowd.layer[r]].push_back({{context_.crowd.x[r], context_.crowd.y[r]}, context_.crowd.radius[r]});
    largest = std::max(largest, static_cast<double>(context_.crowd.radius[r]));
  }
  std::vector<ground::Occupancy> floors;
  for (std::size_t f = 0; f < taken.size(); ++f)
    floors.emplace_back(context_.terrain.floors()[f], taken[f], largest, count);

  const std::span<const float> weights = context_.weights.typical(profile);
  int in_vain = 0;  // people in a row for whom no place was found
  for (std::uint32_t k = 0; k < count; ++k) {
    base::Random random(context_.seed, next_person_);
    const double radius = scene::draw(context_.scene.profiles[profile].radius, random, kRadiusLimits);
    const auto lane = static_cast<float>(scene::draw(population.lane, random, {0, 1}));
    flows::Traffic::Spot spot, free_spot;
    bool free = false, found = false;
    // Where there is no room any more, looking for it takes long and finds nothing.
    for (int i = 0; i < (in_vain < kGiveUp ? kTries : 1) && !found; ++i) {
      spot = flows_.traffic()->anywhere(flow, lane, random);
      if (!floors[spot.floor].isFree(wide(spot.at), radius, ground::kMargin)) continue;
      free = true, free_spot = spot;
      found =
          !population.flow->spread || mayStand(context_.terrain.regions(), weights, wide(spot.at), spot.floor, radius);
    }
    if (free) spot = free_spot;
    in_vain = free ? 0 : in_vain + 1;
    const Point at = wide(spot.at);
    floors[spot.floor].add(at, radius);
    const NewPerson person{at, profile, number, spot.floor, radius, {}};
    if (population.flow->spread) {
      join(person, number, random, spot.returning ? 0 : 1);
      continue;
    }
    const AgentId id = join(person, number, random);
    const std::uint32_t r = context_.crowd.row(id);
    flows_.take(context_, r, flow, spot, lane);
    const Vec2 way = normalized(Vec2{context_.crowd.preferred_vx[r], context_.crowd.preferred_vy[r]});
    if (way != Vec2{}) context_.crowd.face(r, way);
  }
}

std::uint16_t Newcomers::addFlow(Population population) {
  if (!population.flow) throw InputError("This population is no flow: it has no two ends.");
  context_.profileIndex(population.profile);
  context_.terrain.needGraph(context_.threads);
  flows_.attach(context_);
  const std::size_t index = context_.scene.populations.size();
  population.flow->time = context_.clock.time();
  context_.scene.populations.push_back(std::move(population));
  try {
    // Journeys of populations come first, in their order; one that was made for a program's person keeps its place.
    goals_.insertPopulation(context_.crowd, index);
    goals_.setJourney(index, flowJourney(index));
    sources_.push_back({base::Random(context_.seed, kPopulationStream + index), 0});
    insertFlow(index);
  } catch (...) {
    sources_.resize(index);
    goals_.erasePopulation(context_.crowd, index);
    context_.scene.populations.pop_back();
    throw;
  }
  return static_cast<std::uint16_t>(index);
}

bool Newcomers::moreToCome() const {
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const Population& population = context_.scene.populations[i];
    if (population.flow) {
      if (population.count > 0 && !flows_.has(i)) return true;
      continue;
    }
    const auto total = goals::Source::total(population);
    if (!total || goals::Source::due(population, context_.clock.due()) < *total) return true;
  }
  return false;
}

bool Newcomers::everybodyIsThere() const {
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const Population& population = context_.scene.populations[i];
    if (population.flow) {
      if (population.count > 0 && !flows_.has(i)) return false;
      continue;
    }
    const auto total = goals::Source::total(population);
    if (!total || sources_[i].appeared < *total) return false;
  }
  return true;
}

void Newcomers::insertDueFlows() {
  for (std::size_t i = 0; i < context_.scene.populations.size(); ++i) {
    const Population& population = context_.scene.populations[i];
    if (!population.flow || flows_.has(i) || population.flow->time > context_.clock.due()) continue;
    pointingTo(i, [&] { flows_.add(context_, static_cast<std::uint16_t>(i)); });
  }
}

/// At their start, as many as there is room for. Points belong to a person each: those that are taken stay empty.
void Newcomers::joinStart(std::size_t index, std::uint32_t count) {
  const Population& population = context_.scene.populations[index];
  const std::uint16_t layer = context_.terrain.space().floor(population.layer);
  const std::uint16_t profile = context_.profileIndex(population.profile);
  const ground::Floor& floor = context_.terrain.floors()[layer];
  auto taken = peopleNear(population.start, layer);
  const auto* points = std::get_if<StartPoints>(&population.start.shape);
  const std::size_t first = points ? points->points.size() - std::min<std::size_t>(points->points.size(), count) : 0;
  for (std::uint32_t k = 0; k < count; ++k) {
    base::Random stream(context_.seed, next_person_);
    const double radius = scene::draw(context_.scene.profiles[profile].radius, stream, kRadiusLimits);
    std::optional<Point> place;
    std::string problem;
    if (points && first + k < points->points.size()) {
      Start here = population.start;
      here.shape = StartPoints{{points->points[first + k]}};
      const auto found = ground::place(here, std::span(&radius, 1), floor, taken, sources_[index].random, problem);
      if (found.empty()) continue;
      place = found.front();
    } else {
      place = ground::placeOne(population.start, radius, floor, taken, sources_[index].random);
      if (!place) return;
    }
    taken.push_back({*place, radius});
    join({*place, profile, static_cast<std::uint16_t>(index), layer, radius, {}}, static_cast<std::uint32_t>(index),
         stream);
  }
}

void Newcomers::continueFrom(const Newcomers& before, const std::vector<Population>& earlier,
                             const std::vector<std::uint16_t>& counterparts) {
  next_person_ = before.next_person_;
  const std::vector<Population>& now = context_.scene.populations;
  std::vector<const Population*> was(now.size(), nullptr);
  for (std::size_t k = 0; k < earlier.size(); ++k) {
    const std::uint16_t i = counterparts[k];
    if (i >= now.size()) continue;
    was[i] = &earlier[k];
    sources_[i] = before.sources_[k];
  }
  for (std::size_t i = 0; i < now.size(); ++i) {
    const Population& population = now[i];
    const std::uint32_t had = was[i] ? was[i]->count : 0;
    if (population.count < had) {
      std::vector<std::pair<std::uint32_t, AgentId>> people;
      for (std::uint32_t r = 0; r < context_.crowd.size(); ++r)
        if (context_.crowd.population[r] == i) people.emplace_back(context_.crowd.person[r], context_.crowd.id[r]);
      std::sort(people.begin(), people.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
      for (std::size_t k = population.count; k < people.size(); ++k)
        goals::leave(context_, goals_, context_.crowd.row(people[k].second));
    }
    if (population.flow) {
      if (flows_.has(i) && population.count > had) joinFlow(i, population.count - had);
      continue;
    }
    if (population.count > had) joinStart(i, population.count - had);
    // Who comes by rate or schedule comes from now on, where that is new.
    const std::uint64_t due = goals::Source::due(population, context_.clock.due());
    const auto same_waves = [&](const Population& other) {
      return std::equal(other.schedule.begin(), other.schedule.end(), population.schedule.begin(),
                        population.schedule.end(),
                        [](const Wave& a, const Wave& b) { return a.time == b.time && a.count == b.count; });
    };
    const bool same = was[i] && was[i]->rate == population.rate && same_waves(*was[i]);
    sources_[i].appeared = same ? std::min(sources_[i].appeared, due) : due;
  }
}

void Appear::save(const step::StepContext&, base::ArchiveWriter& writer) const {
  Newcomers::Saved saved = newcomers_.saved();
  saved.fields(writer);
}

void Appear::load(base::ArchiveReader& reader, const step::Loading& loading) {
  loaded_.fields(reader);
  step::Loading::require(loaded_.sources.size() == loading.populations.size(), "its populations are not all there");
}

void Appear::accept(step::StepContext&) { newcomers_.restore(std::move(loaded_)); }

}  // namespace throng::simulation
