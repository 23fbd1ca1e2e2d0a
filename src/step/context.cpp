#include "step/context.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "step/system.h"

namespace throng::step {
namespace {

constexpr std::string_view kBuried = "buried";
constexpr std::string_view kWish = "wish", kWishX = "wish.x", kWishY = "wish.y";

}  // namespace

StepContext::StepContext(Scene given, std::uint64_t random_seed, int thread_count)
    : scene(std::move(given)),
      own_populations(scene.populations.size()),
      own_levels(scene.levels),
      seed(random_seed),
      threads(thread_count),
      terrain(scene),
      weights(terrain.regions(), scene.profiles, seed) {
  for (const ground::Floor& floor : terrain.floors()) wrap.push_back(floor.wrap);
}

void StepContext::bury(std::uint32_t row, bool inside) {
  if (!buried_ && !inside) return;
  if (!buried_) buried_ = &crowd.attach<std::uint8_t>(kBuried);
  (*buried_)[row] = inside;
}

void StepContext::setWish(std::uint32_t row, std::optional<Vec2> velocity) {
  if (!velocity && !wishing_) return;
  wishing_ = &crowd.attach<std::uint8_t>(kWish);
  wish_x_ = &crowd.attach<float>(kWishX), wish_y_ = &crowd.attach<float>(kWishY);
  (*wishing_)[row] = velocity.has_value();
  (*wish_x_)[row] = velocity ? velocity->x : 0, (*wish_y_)[row] = velocity ? velocity->y : 0;
}

void StepContext::requireColumns(const agents::Crowd& crowd) {
  const auto* wishing = crowd.find<std::uint8_t>(kWish);
  const auto *x = crowd.find<float>(kWishX), *y = crowd.find<float>(kWishY);
  Loading::require(!wishing || (x && y), "people who want to walk nowhere");
  for (std::size_t r = 0; wishing && r < crowd.size(); ++r)
    Loading::require(std::isfinite((*x)[r]) && std::isfinite((*y)[r]), "people who want to walk nowhere");
}

void StepContext::tellSetsOut(std::uint32_t row) {
  for (System* system : listeners) system->setsOut(*this, row);
}

void StepContext::findColumns() {
  buried_ = crowd.find<std::uint8_t>(kBuried);
  wishing_ = crowd.find<std::uint8_t>(kWish);
  wish_x_ = crowd.find<float>(kWishX), wish_y_ = crowd.find<float>(kWishY);
}

float StepContext::routeLength(std::uint32_t r) const {
  Vec2 from{crowd.x[r], crowd.y[r]};
  if (crowd.route_count[r] == 0) return length(Vec2{crowd.goal_x[r], crowd.goal_y[r]} - from);
  float sum = 0;
  for (std::uint32_t i = 0; i < crowd.route_count[r]; ++i) {
    const Vec2 to = routes.at(crowd.route_start[r] + i);
    sum += length(to - from);
    from = to;
  }
  return sum;
}

std::uint16_t StepContext::profileIndex(std::string_view name) const {
  if (name.empty()) return 0;
  const auto found =
      std::find_if(scene.profiles.begin(), scene.profiles.end(), [&](const Profile& p) { return p.name == name; });
  if (found == scene.profiles.end()) throw InputError(fmt::format("There is no profile called \"{}\".", name));
  return static_cast<std::uint16_t>(found - scene.profiles.begin());
}

std::vector<float> parameterValues(const ModelInfo& info, const std::map<std::string, double>& differing) {
  std::vector<float> values;
  for (const ModelParameter& parameter : info.parameters) {
    const auto given = differing.find(std::string(parameter.name));
    values.push_back(static_cast<float>(given != differing.end() ? given->second : parameter.value));
  }
  return values;
}

void Loading::require(bool holds, const char* what) {
  if (!holds) throw InputError(fmt::format("this snapshot is damaged: {}", what));
}

}  // namespace throng::step
