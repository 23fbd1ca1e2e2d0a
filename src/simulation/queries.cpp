#include "simulation/queries.h"

#include <algorithm>

namespace throng::simulation {

const agents::NeighbourIndex& Queries::index(const step::StepContext& context, float range) {
  // Who is near enough to a connection to be seen over it depends on the range.
  if (!index_ready_ || range_ < range || (!context.links.empty() && range_ != range)) {
    index_.build(context.crowd, range, context.wrap, context.threads, context.links);
    index_ready_ = true;
    range_ = range;
  }
  return index_;
}

AgentId Queries::find(const step::StepContext& context, std::uint32_t person) {
  const agents::Crowd& crowd = context.crowd;
  const auto look = [&] {
    const auto found = std::lower_bound(numbers_.begin(), numbers_.end(), person,
                                        [](const auto& entry, std::uint32_t number) { return entry.first < number; });
    return found != numbers_.end() && found->first == person && crowd.contains(found->second) ? found->second
                                                                                              : AgentId();
  };
  // Ids are never used again: whoever is found is there, also when others have come and gone since.
  if (const AgentId known = look(); known || numbers_ready_) return known;
  numbers_.clear();
  for (std::uint32_t r = 0; r < crowd.size(); ++r) numbers_.emplace_back(crowd.person[r], crowd.id[r]);
  std::sort(numbers_.begin(), numbers_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  numbers_ready_ = true;
  return look();
}

}  // namespace throng::simulation
