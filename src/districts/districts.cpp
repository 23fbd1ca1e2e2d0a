#include "districts/districts.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>

#include "base/narrowing.h"

namespace throng::districts {

Districts::Districts(step::StepContext& context, goals::Goals& goals) : goals_(goals) {
  const Scene& scene = context.scene;
  first_part_.push_back(0), first_gate_.push_back(0);
  districts_.reserve(scene.districts.size());  // gates point to them
  for (std::size_t i = 0; i < scene.districts.size(); ++i) {
    const PatchDistrict& about = scene.districts[i];
    const std::uint16_t layer = context.terrain.space().floor(about.layer);
    if (about.street) {
      street_.emplace(*about.street, about.at);
      street_layer_ = layer;
      continue;
    }
    try {
      districts_.emplace_back(about, layer, context.terrain.floors()[layer], context.seed);
    } catch (const InputError& error) {
      std::vector<Diagnostic> findings = error.diagnostics();
      for (Diagnostic& finding : findings) finding.pointer = fmt::format("/districts/{}", i);
      throw InputError(std::move(findings));
    }
    const District& district = districts_.back();
    names_.push_back(about.name);
    for (const Gate& gate : district.gates()) gates_.push_back({&district, &gate, first_part_.back()});
    first_gate_.push_back(static_cast<std::uint32_t>(gates_.size()));
    first_part_.push_back(first_part_.back() + static_cast<std::uint32_t>(district.parts().size()));
  }
  bound_.resize(gates_.size());
  for (std::size_t i = 0; i < scene.populations.size(); ++i)
    for (std::size_t k = 0; k < scene.populations[i].goals.size(); ++k) {
      const auto* into = std::get_if<GoalDistrict>(&scene.populations[i].goals[k].target);
      const auto district = into ? named(into->district) : std::nullopt;
      if (!district) continue;
      const auto& gates = districts_[*district].gates();
      if (std::none_of(gates.begin(), gates.end(), [](const Gate& gate) { return !gate.inputs.empty(); }))
        throw InputError({Diagnostic{
            .pointer = fmt::format("/populations/{}/goals/{}", i, k),
            .message = fmt::format("nobody can go into district \"{}\": it has no gate, which is a side of a patch "
                                   "with inputs that adjoins ground to walk on",
                                   into->district)}});
    }
}

void Districts::attach(step::StepContext& context) {
  context.walks = any();
  if (!any()) return;
  agents::Crowd& crowd = context.crowd;
  on_.stage = &crowd.attach<std::uint8_t>("district.stage");
  on_.part = &crowd.attach<std::uint32_t>("district.part");
  on_.round = &crowd.attach<std::uint64_t>("district.round");
  on_.gate = &crowd.attach<std::uint32_t>("district.gate");
  on_.refused = &crowd.attach<std::uint32_t>("district.refused");
  on_.left = &crowd.attach<std::uint32_t>("district.left");
  on_.x = &crowd.attach<float>("district.x"), on_.y = &crowd.attach<float>("district.y");
  on_.vx = &crowd.attach<float>("district.vx"), on_.vy = &crowd.attach<float>("district.vy");
  on_.since = &crowd.attach<std::uint64_t>("district.since");
}

Districts::Where Districts::where(std::uint32_t part) const {
  const auto above = std::upper_bound(first_part_.begin(), first_part_.end(), part);
  const auto district = static_cast<std::size_t>(above - first_part_.begin()) - 1;
  return {districts_[district], part - first_part_[district]};
}

double Districts::since(std::uint32_t row) const { return std::bit_cast<double>((*on_.since)[row]); }

std::optional<std::size_t> Districts::named(const std::string& name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names_.begin());
}

std::vector<Goal> Districts::goalsOf(const Population& population) {
  if (!population.goals.empty()) return population.goals;
  return {{GoalDistrict{population.district}}};
}

Districts::Newcomer Districts::newcomer(std::size_t district, std::uint32_t part, std::int64_t round,
                                        double time) const {
  const District& of = districts_[district];
  Newcomer found;
  found.part = first_part_[district] + part, found.round = round;
  found.state = of.at(part, round, time);
  found.heading = lengthSquared(found.state.velocity) > 0 ? normalized(found.state.velocity) : of.facing(part);
  found.layer = of.layer(), found.stands = of.stands(part);
  return found;
}

namespace {

Districts::Newcomer onStreet(const Street::Person& person, std::uint16_t layer) {
  Districts::Newcomer found;
  found.state = person.state, found.heading = person.heading, found.layer = layer, found.number = person.number;
  found.stands = person.is_resident;
  return found;
}

}  // namespace

std::vector<Districts::Newcomer> Districts::atStart(const Population& population) {
  std::vector<Newcomer> people;
  constexpr double kMoment = 0.1;  // s over which velocities are taken
  if (street_)
    for (const Street::Person& person : street_->seen(0, kMoment)) people.push_back(onStreet(person, street_layer_));
  const auto district = named(population.district);
  if (!district) return people;
  const District& of = districts_[*district];
  for (std::uint32_t i = 0; i < of.parts().size(); ++i) {
    const Part& part = of.parts()[i];
    if (part.is_resident) {
      people.push_back(newcomer(*district, i, 0, 0));
      continue;
    }
    // Everybody who set out before and is there yet.
    const auto first = static_cast<std::int64_t>(std::floor(-part.until / of.period())) + 1;
    for (std::int64_t round = first; of.begin(i, round) <= 0; ++round)
      if (of.end(i, round) > 0) people.push_back(newcomer(*district, i, round, 0));
  }
  return people;
}

std::vector<Districts::Newcomer> Districts::during(const step::StepContext& context, const Population& population) {
  std::vector<Newcomer> people;
  const double now = context.clock.time(), then = now + context.dt;
  if (street_) {
    const agents::Crowd& crowd = context.crowd;
    order_.assign(crowd.person.begin(), crowd.person.end());
    std::sort(order_.begin(), order_.end());
    for (const Street::Person& person : street_->seen(then, context.dt))
      if (!std::binary_search(order_.begin(), order_.end(), person.number)) {
        people.push_back(onStreet(person, street_layer_));
        people.back().state.position -= person.state.velocity * context.dt;
      }
  }
  const auto district = named(population.district);
  if (!district) return people;
  const District& of = districts_[*district];
  for (const std::uint32_t i : of.sources()) {
    const Part& part = of.parts()[i];
    const auto first = static_cast<std::int64_t>(std::floor((now - part.from) / of.period()));
    for (std::int64_t round = first; of.begin(i, round) <= then; ++round)
      if (of.begin(i, round) > now) people.push_back(newcomer(*district, i, round, now));
  }
  return people;
}

void Districts::take(step::StepContext& context, std::uint32_t row, const Newcomer& newcomer) {
  agents::Crowd& crowd = context.crowd;
  const bool street = newcomer.number.has_value();
  setStage(row, street ? Stage::kOnStreet : Stage::kPlayed);
  (*on_.part)[row] = newcomer.part, (*on_.round)[row] = static_cast<std::uint64_t>(newcomer.round);
  (*on_.gate)[row] = 0;
  crowd.guide[row] = agents::Guide::kWalk;
  crowd.activity[row] = newcomer.stands ? agents::Activity::kStaying : agents::Activity::kHeading;
  crowd.goal[row] = agents::kStartGoal;  // their goals begin when they come out
  const Vec2 velocity = narrow(newcomer.state.velocity), heading = narrow(newcomer.heading);
  crowd.vx[row] = crowd.next_vx[row] = velocity.x, crowd.vy[row] = crowd.next_vy[row] = velocity.y;
  crowd.face(row, heading);
  // A walker's goal is where they are heading, as a unit vector.
  crowd.goal_x[row] = heading.x, crowd.goal_y[row] = heading.y;
}

void Districts::requireSound(const step::Loading& loading, const std::vector<std::uint32_t>& bound) const {
  const auto require = step::Loading::require;
  require(bound.size() == gates_.size(), "gates that are not there");
  const agents::Crowd& crowd = loading.crowd;
  const auto* stage = crowd.find<std::uint8_t>("district.stage");
  const auto* part = crowd.find<std::uint32_t>("district.part");
  const auto* round = crowd.find<std::uint64_t>("district.round");
  const auto* gate = crowd.find<std::uint32_t>("district.gate");
  const auto* left = crowd.find<std::uint32_t>("district.left");
  constexpr const char* kNowhere = "people on walks that are not there";
  require(!any() || (stage && part && round && gate && left), kNowhere);
  for (std::size_t r = 0; r < crowd.size(); ++r) {
    const bool walks = crowd.guide[r] == agents::Guide::kWalk;
    if (!any()) {
      require(!walks, kNowhere);
      continue;
    }
    const auto now = static_cast<Stage>((*stage)[r]);
    require(now <= kLastStage, kNowhere);
    const bool has_part =
        now == Stage::kPlayed || now == Stage::kBooked || now == Stage::kEntering || now == Stage::kLeaving;
    require((*gate)[r] <= gates_.size() && (*left)[r] <= gates_.size(), "people bound for gates that are not there");
    if (has_part) {
      require((*part)[r] < first_part_.back(), kNowhere);
      const auto [district, own] = where((*part)[r]);
      constexpr double kLongestWalk = 200;  // periods
      const double off = district.begin(own, static_cast<std::int64_t>((*round)[r])) - loading.time;
      require(district.parts()[own].is_resident || std::abs(off) < kLongestWalk * district.period(), kNowhere);
      require(now != Stage::kLeaving || district.parts()[own].gate != kNothing, kNowhere);
    }
    if (now == Stage::kBooked || now == Stage::kEntering) {
      require((*gate)[r] > 0, kNowhere);
      const GateAt& at = gates_[(*gate)[r] - 1];
      require(std::any_of(at.gate->inputs.begin(), at.gate->inputs.end(),
                          [&](const GatePoint& input) { return at.first_part + input.part == (*part)[r]; }),
              kNowhere);
    }
    require(walks ==
                (now == Stage::kPlayed || now == Stage::kEntering || now == Stage::kLeaving || now == Stage::kOnStreet),
            kNowhere);
    require((now == Stage::kOnStreet) <= street_.has_value(), kNowhere);
  }
}

std::size_t Districts::memory() const {
  std::size_t bytes = street_ ? street_->memory() : 0;
  for (const District& district : districts_) bytes += district.memory();
  return bytes;
}

}  // namespace throng::districts
