#include "following/follow.h"

#include <algorithm>
#include <fmt/format.h>

namespace throng::following {
namespace {

constexpr std::size_t kPiece = 512;  // people per piece of work

}  // namespace

FollowRoutes::FollowRoutes(const Scene& scene) {
  for (const Profile& profile : scene.profiles) {
    const Follower* follower = findFollower(profile.follower.model);
    if (!follower) throw InputError(fmt::format("There is no follower called \"{}\".", profile.follower.model));
    choices_.push_back({follower, step::parameterValues(follower->info, profile.follower.parameters)});
  }
}

bool FollowRoutes::needsMap() const {
  return std::any_of(choices_.begin(), choices_.end(), [](const Choice& c) { return c.follower->needs_map; });
}

/// What is not there yet is as at the beginning of a route.
void FollowRoutes::attachReferences(step::StepContext& context) {
  agents::Crowd& crowd = context.crowd;
  const bool there = crowd.find<std::uint32_t>(agents::kBehind) != nullptr;
  reference_x_ = &crowd.attach<float>("follow.reference_x");
  reference_y_ = &crowd.attach<float>("follow.reference_y");
  behind_ = &crowd.attach<std::uint32_t>(agents::kBehind);
  if (!there) *reference_x_ = crowd.target_x, *reference_y_ = crowd.target_y;
  if (borders_.bytes() == 0) borders_ = ground::RegionBorders(context.terrain.regions(), context.scene.layers.size());
}

/// Who has got a new route is at its beginning.
void FollowRoutes::beginRoutes(step::StepContext& context) const {
  if (!behind_) return;
  const agents::Crowd& crowd = context.crowd;
  for (const AgentId id : context.planned) {
    if (!crowd.contains(id)) continue;
    const std::uint32_t r = crowd.row(id);
    (*reference_x_)[r] = crowd.x[r], (*reference_y_)[r] = crowd.y[r], (*behind_)[r] = 0;
  }
}

void FollowRoutes::attach(step::StepContext& context) {
  if (std::any_of(choices_.begin(), choices_.end(), [](const Choice& c) { return c.follower->keeps_reference; }))
    attachReferences(context);
  cells_ = nullptr;
  from_x_ = from_y_ = free_ = room_ = nullptr;  // a snapshot may be from before the map
  const corridors::CorridorMap* map = context.terrain.map();
  if (!map) return;
  agents::Crowd& crowd = context.crowd;
  cells_ = &crowd.attach<std::uint32_t>("follow.cell", agents::Keep::kCache);
  if (map->floors() > 1) return;
  from_x_ = &crowd.attach<float>("follow.from_x", agents::Keep::kCache);
  from_y_ = &crowd.attach<float>("follow.from_y", agents::Keep::kCache);
  free_ = &crowd.attach<float>("follow.free", agents::Keep::kCache);
  // Beyond the border of a wrapped layer there are walls that the map does not have.
  if (!context.scene.layers[0].wrap) room_ = &crowd.attach<float>(agents::kRoom, agents::Keep::kCache);
}

void FollowRoutes::follow(step::StepContext& context, std::size_t profile, std::span<const std::uint32_t> rows) const {
  const auto data = [](auto* column) { return column ? column->data() : nullptr; };
  const FollowInput::Memory memory{data(from_x_), data(from_y_), data(free_), data(room_)};
  const FollowInput::Miran miran{data(reference_x_), data(reference_y_), data(behind_), &borders_};
  const FollowInput input{context.crowd,
                          context.routes,
                          context.terrain.map(),
                          context.stepLength(),
                          data(cells_),
                          free_ ? &memory : nullptr,
                          &context.terrain.regions(),
                          &context.weights,
                          behind_ ? &miran : nullptr};
  choices_[profile].follower->follow(input, choices_[profile].parameters, rows);
}

void FollowRoutes::run(step::StepContext& context) {
  if (!cells_) attach(context);                 // a map may have come
  if (revision_ != context.terrain.revision())  // what is known of the walls is of those before
    for (base::Column<float>* column : {free_, room_})
      if (column) std::fill(column->begin(), column->end(), 0.0f);
  revision_ = context.terrain.revision();
  beginRoutes(context);
  const agents::Crowd& crowd = context.crowd;
  if (context.terrain.graph() || context.walks) {
    // Some may be on flows or walks, or do not decide now: in pieces, so that lists stay short.
    context.threads.forEach(crowd.full(), kPiece, [&](std::size_t begin, std::size_t end) {
      thread_local std::vector<std::vector<std::uint32_t>> lists;
      lists.resize(std::max(lists.size(), choices_.size()));
      for (auto& list : lists) list.clear();
      for (auto r = static_cast<std::uint32_t>(begin); r < end; ++r)
        if (crowd.guide[r] == agents::Guide::kGoals && context.decides(r)) lists[crowd.profile[r]].push_back(r);
      for (std::size_t k = 0; k < choices_.size(); ++k)
        if (!lists[k].empty()) follow(context, k, lists[k]);
    });
    return;
  }
  for (std::size_t n = all_rows_.size(); n < crowd.size(); ++n) all_rows_.push_back(static_cast<std::uint32_t>(n));
  const std::span<const std::uint32_t> everybody(all_rows_.data(), crowd.size());
  if (choices_.size() > 1) {
    rows_by_profile_.resize(choices_.size());
    for (auto& list : rows_by_profile_) list.clear();
    for (const std::uint32_t r : everybody) rows_by_profile_[crowd.profile[r]].push_back(r);
  }
  for (std::size_t k = 0; k < choices_.size(); ++k) {
    const auto rows = choices_.size() > 1 ? std::span<const std::uint32_t>(rows_by_profile_[k]) : everybody;
    context.threads.forEach(rows.size(), kPiece, [&](std::size_t begin, std::size_t end) {
      follow(context, k, rows.subspan(begin, end - begin));
    });
  }
}

std::size_t FollowRoutes::memory() const {
  std::size_t bytes = all_rows_.capacity() * sizeof(std::uint32_t) + borders_.bytes();
  for (const auto& list : rows_by_profile_) bytes += list.capacity() * sizeof(std::uint32_t);
  return bytes;
}

void FollowWishes::run(step::StepContext& context) {
  if (!context.anyWish()) return;
  agents::Crowd& crowd = context.crowd;
  for (std::uint32_t r = 0; r < crowd.full(); ++r) {
    if (!context.isSteeredByProgram(r) || context.isBuried(r)) continue;
    Vec2 wish = context.wish(r);
    const float speed = length(wish);
    if (speed > crowd.max_speed[r]) wish = wish * (crowd.max_speed[r] / speed);
    crowd.preferred_vx[r] = wish.x, crowd.preferred_vy[r] = wish.y;
  }
}

}  // namespace throng::following
