#include "goals/arrive.h"

namespace throng::goals {
namespace {

constexpr std::size_t kPiece = 512;  // people per piece of work

}  // namespace

void leave(step::StepContext& context, Goals& goals, std::uint32_t row) {
  goals.release(context.crowd.journey[row]);
  context.crowd.remove(context.crowd.id[row]);
}

void Arrive::run(step::StepContext& context) {
  agents::Crowd& crowd = context.crowd;
  // Found in parallel, then carried out one after the other in the order of rows.
  there_.assign(crowd.size(), 0);
  const float reach_squared = goals_.reach() * goals_.reach();
  context.threads.forEach(crowd.size(), kPiece, [&](std::size_t begin, std::size_t end) {
    for (auto r = static_cast<std::uint32_t>(begin); r < end; ++r)
      there_[r] = crowd.activity[r] == agents::Activity::kWalking && crowd.guide[r] == agents::Guide::kGoals &&
                  // Without a look at the journey for those who are on the way yet.
                  lengthSquared(Vec2{crowd.goal_x[r] - crowd.x[r], crowd.goal_y[r] - crowd.y[r]}) <= reach_squared &&
                  reached(crowd, r, goals_.of(crowd, r));
  });
  leaving_.clear();
  for (std::uint32_t r = 0; r < crowd.size(); ++r) {
    if (!there_[r]) continue;
    const Next next = advance(crowd, r, goals_.of(crowd, r));
    if (next != Next::kGoOn) context.arrivals.push_back({crowd.person[r], context.clock.time()});
    if (next == Next::kLeave) {
      leaving_.push_back(crowd.id[r]);
    } else if (crowd.activity[r] != agents::Activity::kStaying) {
      goals_.begin(context, r);
    }
  }
  for (const AgentId id : leaving_) leave(context, goals_, crowd.row(id));
  for (const AgentId id : context.requests.leaving)
    if (crowd.contains(id)) leave(context, goals_, crowd.row(id));
  context.requests.leaving.clear();
}

void Arrive::save(const step::StepContext& context, base::ArchiveWriter& writer) const {
  Goals::Saved saved = goals_.saved(context.scene.populations.size());
  saved.fields(writer);
}

void Arrive::load(base::ArchiveReader& reader, const step::Loading& loading) {
  loaded_.fields(reader);
  goals_.requireSound(loaded_, loading);
}

void Arrive::accept(step::StepContext&) { goals_.restore(std::move(loaded_)); }

}  // namespace throng::goals
