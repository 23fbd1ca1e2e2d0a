#include "goals/goals.h"

#include <gtest/gtest.h>
#include <set>

#include "base/random.h"

namespace throng::goals {
namespace {

Goal at(double x, double y) { return {GoalPoint{{x, y}}}; }

Point firstPoint(const Journey& journey) { return std::get<GoalPoint>(journey.legs.at(0).goal.target).point; }

struct Place {
  Place() : context(scene(), 1, 1) {
    agents::PersonState person;
    id = context.crowd.add(person);
  }
  static Scene scene() {
    Scene made;
    made.layers.emplace_back();
    made.profiles.emplace_back();
    return made;
  }
  std::uint32_t row() const { return context.crowd.row(id); }

  step::StepContext context;
  Goals goals;
  AgentId id;
};

/// Walks a journey from goal to goal and writes down where it leads.
std::vector<Point> walked(OnArrival on_arrival, int arrivals, std::vector<Next>& outcomes, bool repeats = false) {
  Place place;
  agents::Crowd& crowd = place.context.crowd;
  Journey journey = makeJourney({at(1, 0), at(2, 0), at(3, 0)}, on_arrival, 0, place.context.terrain.space());
  journey.repeats = repeats;
  crowd.journey[place.row()] = place.goals.add(std::move(journey));
  place.goals.use(crowd.journey[place.row()]);
  std::vector<Point> goals;
  place.goals.begin(place.context, place.row());
  for (int i = 0; i < arrivals; ++i) {
    const std::uint32_t r = place.row();
    goals.push_back({crowd.goal_x[r], crowd.goal_y[r]});
    crowd.x[r] = crowd.goal_x[r], crowd.y[r] = crowd.goal_y[r];
    EXPECT_TRUE(reached(crowd, r, place.goals.of(crowd, r)));
    outcomes.push_back(advance(crowd, r, place.goals.of(crowd, r)));
    if (outcomes.back() == Next::kLeave || crowd.activity[r] == agents::Activity::kStaying) break;
    place.goals.begin(place.context, r);
    EXPECT_EQ(place.context.requests.routes.back(), place.id);
  }
  return goals;
}

TEST(Goals, MayBeginAgainForEver) {
  std::vector<Next> outcomes;
  EXPECT_EQ(walked(OnArrival::kStay, 5, outcomes, true), (std::vector<Point>{{1, 0}, {2, 0}, {3, 0}, {1, 0}, {2, 0}}));
  EXPECT_EQ(outcomes, std::vector(5, Next::kArrived));
}

TEST(Goals, AreWalkedThroughInOrderAndThenLeftStayedAtOrWalkedBack) {
  std::vector<Next> outcomes;
  EXPECT_EQ(walked(OnArrival::kLeave, 9, outcomes), (std::vector<Point>{{1, 0}, {2, 0}, {3, 0}}));
  EXPECT_EQ(outcomes, (std::vector{Next::kGoOn, Next::kGoOn, Next::kLeave}));
  outcomes.clear();
  EXPECT_EQ(walked(OnArrival::kStay, 9, outcomes), (std::vector<Point>{{1, 0}, {2, 0}, {3, 0}}));
  EXPECT_EQ(outcomes.back(), Next::kArrived);
  outcomes.clear();
  EXPECT_EQ(walked(OnArrival::kGoBack, 8, outcomes),
            (std::vector<Point>{{1, 0}, {2, 0}, {3, 0}, {2, 0}, {1, 0}, {0, 0}, {1, 0}, {2, 0}}));
}

// Against a plain list of who uses what.
TEST(Goals, JourneysAreForgottenWithTheirLastUserAndUsedAgain) {
  base::Random random(3, 1);
  Place place;
  std::vector<std::uint32_t> used;
  std::size_t most = 0;
  for (int i = 0; i < 500; ++i) {
    if (used.empty() || random.below(2) == 0) {
      Journey journey = makeJourney({at(i, i)}, OnArrival::kStay, 0, place.context.terrain.space());
      journey.users = 1;
      const std::uint32_t number = place.goals.add(std::move(journey));
      EXPECT_EQ(std::count(used.begin(), used.end(), number), 0);
      EXPECT_EQ(firstPoint(place.goals[number]).x, i);
      used.push_back(number);
    } else {
      const std::size_t which = random.below(static_cast<std::uint32_t>(used.size()));
      place.goals.release(used[which]);
      EXPECT_TRUE(place.goals[used[which]].legs.empty());
      used.erase(used.begin() + static_cast<std::ptrdiff_t>(which));
    }
    most = std::max(most, used.size());
  }
  for (const std::uint32_t number : used) EXPECT_LT(number, most + 1);
}

TEST(Goals, APopulationMoreChangesNobodysGoals) {
  Place place;
  agents::Crowd& crowd = place.context.crowd;
  place.goals.add({{}, OnArrival::kStay, 1});  // the first population's
  Journey own = makeJourney({at(5, 5)}, OnArrival::kStay, 0, place.context.terrain.space());
  own.users = 1;
  crowd.journey[place.row()] = place.goals.add(std::move(own));
  place.goals.insertPopulation(crowd, 1);
  EXPECT_EQ(crowd.journey[place.row()], 2u);
  EXPECT_EQ(firstPoint(place.goals.of(crowd, place.row())), (Point{5, 5}));
  place.goals.erasePopulation(crowd, 1);
  EXPECT_EQ(crowd.journey[place.row()], 1u);
  EXPECT_EQ(firstPoint(place.goals.of(crowd, place.row())), (Point{5, 5}));
}

TEST(Goals, ThoseOfSomebodysOwnTakeThemOffAFlow) {
  Place place;
  place.goals.add({{}, OnArrival::kStay, 2});
  place.context.crowd.guide[place.row()] = agents::Guide::kFlow;
  place.goals.give(place.context, place.row(), {at(7, 8)});
  EXPECT_EQ(place.context.crowd.guide[place.row()], agents::Guide::kGoals);
  place.goals.begin(place.context, place.row());
  EXPECT_EQ(place.context.crowd.goal_x[place.row()], 7);
}

}  // namespace
}  // namespace throng::goals
