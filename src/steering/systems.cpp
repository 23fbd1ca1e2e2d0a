#include "steering/systems.h"

#include <algorithm>
#include <fmt/format.h>

#include "steering/stream.h"

namespace throng::steering {
namespace {

constexpr std::string_view kMemoryX = "steering.memory_x", kMemoryY = "steering.memory_y";
constexpr std::string_view kWalkingTime = "stream.walking_time", kExpectedTime = "stream.expected_time";
/// The parameter of models that says on which side people pass one another; negative: on the left.
constexpr std::string_view kSidePreference = "side_preference";
/// People per piece of work. A multiple of every vector width.
constexpr std::size_t kPiece = 512;
/// Slots per piece when they are prepared for a model.
constexpr std::size_t kPreparedPiece = 4096;
/// Rows are put into cell order every so many steps.
constexpr std::uint64_t kReorderInterval = 32;

void build(step::StepContext& context, float range) {
  context.neighbours.build(context.crowd, range, context.wrap, context.threads, context.links, context.crowd.full());
}

}  // namespace

Steering::Steering(const Scene& scene) {
  for (const Profile& profile : scene.profiles) {
    const Model* model = findModel(profile.steering.model);
    if (!model) throw InputError(fmt::format("There is no steering model called \"{}\".", profile.steering.model));
    Choice choice{model, step::parameterValues(model->info, profile.steering.parameters), {}};
    range_ = std::max(range_, model->range(choice.parameters));
    if (profile.stream) {
      choice.stream = step::parameterValues(streamInfo(), *profile.stream);
      range_ = std::max(range_, streamRange(choice.stream));
    }
    const bool sees_people = model->range(choice.parameters) > 0;
    choice.unstuck = profile.unstuck && sees_people;
    choice.give_way = profile.give_way && sees_people;
    choice.go_round = profile.go_round && sees_people;
    for (std::size_t i = 0; i < model->info.parameters.size(); ++i)
      if (model->info.parameters[i].name == kSidePreference) choice.keeps_right = choice.parameters[i] >= 0;
    choices_.push_back(std::move(choice));
  }
}

bool Steering::anyStream() const {
  return std::any_of(choices_.begin(), choices_.end(), [](const Choice& choice) { return !choice.stream.empty(); });
}

void Steering::listSlots(const step::StepContext& context) {
  if (choices_.size() == 1 && !context.detail.any() && !context.walks) return;
  const agents::NeighbourIndex& index = context.neighbours;
  slots_by_profile_.resize(choices_.size());
  for (auto& list : slots_by_profile_) list.clear();
  for (const std::uint32_t slot : index.people()) {
    const std::uint32_t r = index.row()[slot];
    if (context.crowd.guide[r] == agents::Guide::kWalk) continue;  // they avoid nobody
    if (context.detail.any() && !(context.detail.of(r).avoidance && context.decides(r))) continue;
    slots_by_profile_[context.crowd.profile[r]].push_back(slot);
  }
}

std::span<const std::uint32_t> Steering::slotsOf(const step::StepContext& context, std::size_t profile) const {
  if (choices_.size() == 1 && !context.detail.any() && !context.walks) return context.neighbours.people();
  return slots_by_profile_[profile];
}

std::size_t Steering::memory() const {
  std::size_t bytes = 0;
  for (const auto& list : slots_by_profile_) bytes += list.capacity() * sizeof(std::uint32_t);
  return bytes;
}

void Steering::attachMemory(agents::Crowd& crowd) {
  memory_x_ = memory_y_ = nullptr;
  if (std::none_of(choices_.begin(), choices_.end(), [](const Choice& choice) { return choice.model->keeps; })) return;
  memory_x_ = &crowd.attach<float>(kMemoryX), memory_y_ = &crowd.attach<float>(kMemoryY);
}

void Steering::attachTimes(agents::Crowd& crowd) {
  walking_time = expected_time = nullptr;
  if (!anyStream()) return;
  walking_time = &crowd.attach<float>(kWalkingTime), expected_time = &crowd.attach<float>(kExpectedTime);
}

StepInput Steering::input(const step::StepContext& context) const {
  StepInput input{context.crowd, context.neighbours, context.terrain.floors(), context.stepLength(),
                  context.clock.steps()};
  if (memory_x_) input.memory_x = memory_x_->data(), input.memory_y = memory_y_->data();
  if (walking_time) input.walking_time = walking_time->data(), input.expected_time = expected_time->data();
  const agents::Crowd& crowd = context.crowd;
  if (const auto* x = crowd.find<float>(kLineX))
    input.line_x = x->data(), input.line_y = crowd.find<float>(kLineY)->data(),
    input.line_room = crowd.find<float>(kLineRoom)->data(), input.way = crowd.find<std::uint32_t>(kLineWay)->data();
  return input;
}

VelocityOutput Steering::output(agents::Crowd& crowd) const {
  VelocityOutput out{crowd.next_vx.data(), crowd.next_vy.data()};
  if (memory_x_) out.memory_x = memory_x_->data(), out.memory_y = memory_y_->data();
  return out;
}

void OrderRows::run(step::StepContext& context) {
  if (context.clock.steps() % kReorderInterval != 0 || context.crowd.full() < 2) return;
  build(context, steering_.range());
  auto& order = context.requests.order;
  order.clear();
  for (const std::uint32_t slot : context.neighbours.people()) order.push_back(context.neighbours.row()[slot]);
}

void FindNeighbours::run(step::StepContext& context) {
  if (steering_.range() > 0)
    build(context, steering_.range());
  else
    context.neighbours.list(context.crowd.full());
  steering_.listSlots(context);
}

void ExpectTimes::attach(step::StepContext& context) { steering_.attachTimes(context.crowd); }

/// What people expect when they set out; a new route on the way does not make them expect less or more.
void ExpectTimes::run(step::StepContext& context) {
  if (!steering_.expected_time) return;
  const agents::Crowd& crowd = context.crowd;
  for (const AgentId id : context.planned) {
    const std::uint32_t r = crowd.row(id);
    float& expected = (*steering_.expected_time)[r];
    if (!steering_.choices()[crowd.profile[r]].stream.empty() && expected == 0)
      expected = context.routeLength(r) / crowd.preferred_speed[r];
  }
}

void ExpectTimes::setsOut(step::StepContext&, std::uint32_t row) {
  if (steering_.expected_time) (*steering_.walking_time)[row] = (*steering_.expected_time)[row] = 0;
}

/// Nobody reads anybody else's preferred velocity, so it can be changed in place.
void FollowStreams::run(step::StepContext& context) {
  agents::Crowd& crowd = context.crowd;
  const StepInput input = steering_.input(context);
  const VelocityOutput out{crowd.preferred_vx.data(), crowd.preferred_vy.data()};
  for (std::size_t k = 0; k < steering_.choices().size(); ++k) {
    const std::vector<float>& parameters = steering_.choices()[k].stream;
    if (parameters.empty()) continue;
    const auto slots = steering_.slotsOf(context, k);
    float* walking = steering_.walking_time->data();
    context.threads.forEach(slots.size(), kPiece, [&](std::size_t begin, std::size_t end) {
      const auto part = slots.subspan(begin, end - begin);
      for (const std::uint32_t slot : part) {
        const std::uint32_t r = context.neighbours.row()[slot];
        if (crowd.activity[r] == agents::Activity::kWalking) walking[r] += input.dt;
      }
      stream(input, parameters, part, out);
    });
  }
}

void Steer::attach(step::StepContext& context) { steering_.attachMemory(context.crowd); }

void Steer::run(step::StepContext& context) {
  StepInput input = steering_.input(context);
  const VelocityOutput out = steering_.output(context.crowd);
  const Model* prepared = nullptr;
  together_.clear(), in_turn_.clear();
  for (std::size_t k = 0; k < steering_.choices().size(); ++k) {
    const Steering::Choice& choice = steering_.choices()[k];
    const auto slots = steering_.slotsOf(context, k);
    if (choice.model->parts) {
      if (!slots.empty()) together_.push_back({choice.model->parts, choice.parameters, slots});
      continue;
    }
    if (choice.model->in_turn) {
      if (!slots.empty()) in_turn_.emplace_back(choice.model, Group{choice.parameters, slots});
      continue;
    }
    const Preparation& preparation = choice.model->preparation;
    if (preparation.floats > 0 && choice.model != prepared && !slots.empty()) {
      const std::size_t all = context.neighbours.slots();
      prepared_.resize(preparation.floats * all);
      context.threads.forEach(all, kPreparedPiece, [&](std::size_t begin, std::size_t end) {
        preparation.prepare(input, begin, end, prepared_.data());
      });
      input.prepared = prepared_.data();
      prepared = choice.model;
    }
    context.threads.forEach(slots.size(), choice.model->piece, [&](std::size_t begin, std::size_t end) {
      choice.model->kernel(input, choice.parameters, slots.subspan(begin, end - begin), out);
    });
  }
  in_parts_.run(input, together_, context.threads, out);
  takeTurns(input, context.threads, out);
}

/// Once per model, with all profiles that have it.
void Steer::takeTurns(const StepInput& input, const base::Threads& threads, VelocityOutput out) {
  for (std::size_t i = 0; i < in_turn_.size(); ++i) {
    const Model* model = in_turn_[i].first;
    if (!model) continue;
    groups_.clear();
    for (std::size_t k = i; k < in_turn_.size(); ++k)
      if (in_turn_[k].first == model) groups_.push_back(in_turn_[k].second), in_turn_[k].first = nullptr;
    model->in_turn(input, groups_, threads, out);
  }
}

}  // namespace throng::steering
