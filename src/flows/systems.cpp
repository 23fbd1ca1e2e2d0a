#include "flows/systems.h"

#include <algorithm>
#include <cmath>

namespace throng::flows {
namespace {

constexpr std::size_t kPiece = 512;  // people per piece of work
/// Travel times of the flows' paths are estimated anew so often.
constexpr double kEstimateInterval = 5;  // s

}  // namespace

void ChoosePaths::run(step::StepContext& context) {
  if (!flows_ || flows_.traffic()->flows().empty()) return;
  agents::Crowd& crowd = context.crowd;
  for (std::uint32_t r = 0; r < crowd.size(); ++r)
    if (crowd.lost[r] && crowd.guide[r] == agents::Guide::kFlow && !context.isBuried(r)) {
      crowd.lost[r] = 0;
      flows_.findAgain(crowd, r);
    }
  const auto interval = static_cast<std::uint64_t>(std::max(1.0, std::round(kEstimateInterval / context.dt)));
  if (context.clock.steps() % interval == 0) flows_.estimate();
}

/// Whoever has goals of their own is on no flow any more.
void ChoosePaths::setsOut(step::StepContext& context, std::uint32_t row) {
  if (flows_ && context.crowd.guide[row] != agents::Guide::kFlow) flows_.columns().path()[row] = 0;
}

void ChoosePaths::save(const step::StepContext&, base::ArchiveWriter& writer) const {
  Flows::Saved saved = flows_.saved();
  saved.fields(writer);
}

void ChoosePaths::load(base::ArchiveReader& reader, const step::Loading& loading) {
  Flows::Saved saved;
  saved.fields(reader);
  loaded_ = Flows::restored(saved, loading);
}

void ChoosePaths::accept(step::StepContext& context) { flows_.restore(std::move(loaded_), context); }

void FollowGates::run(step::StepContext& context) {
  if (!flows_ || flows_.traffic()->flows().empty()) return;
  const agents::Crowd& crowd = context.crowd;
  context.threads.forEach(crowd.full(), kPiece, [&](std::size_t begin, std::size_t end) {
    thread_local std::vector<std::uint32_t> rows;
    rows.clear();
    for (auto r = static_cast<std::uint32_t>(begin); r < end; ++r)
      if (crowd.guide[r] == agents::Guide::kFlow && context.decides(r)) rows.push_back(r);
    flows_.follow(context, true, rows);
  });
}

void TurnBack::run(step::StepContext& context) {
  if (!flows_ || flows_.traffic()->flows().empty()) return;
  agents::Crowd& crowd = context.crowd;
  // Between two decisions nobody at a low level looks where they are.
  const base::Column<std::uint8_t>* wait = context.detail.wait;
  there_.assign(crowd.size(), 0);
  context.threads.forEach(crowd.size(), kPiece, [&](std::size_t begin, std::size_t end) {
    for (auto r = static_cast<std::uint32_t>(begin); r < end; ++r)
      there_[r] = crowd.guide[r] == agents::Guide::kFlow && (r < crowd.full() || (*wait)[r] == 0) &&
                  flows_.traffic()->arrived(crowd, r);
  });
  for (std::uint32_t r = 0; r < crowd.size(); ++r) {
    if (!there_[r]) continue;
    context.arrivals.push_back({crowd.person[r], context.clock.time()});
    base::Random random(crowd.random[r]);
    flows_.setOut(crowd, r, random);
    crowd.random[r] = random.state();
  }
}

}  // namespace throng::flows
