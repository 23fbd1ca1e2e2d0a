// Paths of flows, and people who follow them from gate to gate.
#include "flows/traffic.h"

#include <cmath>
#include <gtest/gtest.h>

#include "flows/flows.h"

namespace throng::flows {
namespace {

Ring box(double x0, double y0, double x1, double y1) { return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}; }

/// Two blocks in a field: three ways from west to east.
Scene blocks(bool turned) {
  const auto ring = [&](double x0, double y0, double x1, double y1) {
    Ring made = box(x0, y0, x1, y1);
    for (Point& p : made)
      if (turned) p = {0.8 * p.x - 0.6 * p.y, 0.6 * p.x + 0.8 * p.y};
    return made;
  };
  const auto place = [&](double x, double y) {
    return turned ? Point{0.8 * x - 0.6 * y, 0.6 * x + 0.8 * y} : Point{x, y};
  };
  Scene scene;
  Layer& layer = scene.layers.emplace_back();
  layer.walkable = {{ring(0, 0, 80, 40), {}}};
  layer.obstacles = {{ring(20, 6, 60, 18), {}}, {ring(20, 23, 60, 34), {}}};
  scene.profiles.emplace_back();
  scene.places = {{"west", place(8, 20), {}, {}, 5}, {"east", place(72, 20), {}, {}, 5}};
  Population flow;
  flow.name = "walkers", flow.count = 50, flow.flow = FlowEnds{"west", "east"};
  scene.populations = {flow};
  return scene;
}

TEST(Traffic, WhoFollowsTheGatesComesToTheEndInsideTheCylinders) {
  for (const bool turned : {false, true}) {
    step::StepContext context(blocks(turned), 1, 1);
    context.terrain.needGraph(context.threads);
    Flows flows;
    flows.attach(context);
    const Flow& flow = flows.add(context, 0);
    EXPECT_GE(flow.count, 3u);
    agents::Crowd& crowd = context.crowd;
    base::Random random(4, 2);
    std::vector<std::uint32_t> rows;
    for (std::uint32_t i = 0; i < 200; ++i) {
      const auto lane = static_cast<float>(random.uniform());
      const Traffic::Spot spot = flows.traffic()->anywhere(flow, lane, random);
      agents::PersonState person;
      person.position = spot.at, person.person = i + 1, person.random = i * 77 + 1;
      const std::uint32_t r = crowd.row(crowd.add(person));
      flows.take(context, r, flow, spot, lane);
      EXPECT_EQ(crowd.guide[r], agents::Guide::kFlow);
      rows.push_back(r);
    }
    // Everybody alone, exactly as they prefer, near-sighted: from cylinder to cylinder on straight lines.
    const auto vertices = flows.traffic()->graph().vertices();
    std::vector<char> there(rows.size(), 0);
    for (int i = 0; i < 1500; ++i) {
      flows.follow(context, i % 2 == 0, rows);
      for (const std::uint32_t r : rows) {
        if (there[r] || flows.traffic()->arrived(crowd, r)) {
          there[r] = 1;
          continue;
        }
        crowd.x[r] += crowd.preferred_vx[r] * 0.1f, crowd.y[r] += crowd.preferred_vy[r] * 0.1f;
        ASSERT_EQ(crowd.lost[r], 0);
        const graph::GraphVertex& in = vertices[flows.vertex(r) - 1];
        const Point at{crowd.x[r], crowd.y[r]};
        EXPECT_TRUE(context.terrain.floors()[0].contains(at)) << at.x << " " << at.y;
        EXPECT_LT(length(at - in.centre), 25 + in.radius);
      }
    }
    EXPECT_EQ(std::count(there.begin(), there.end(), 1), 200);
    const auto people = flows.peopleOnPaths(crowd, flow);
    EXPECT_EQ(people.size(), flow.count);
    std::uint64_t sum = 0;
    for (const std::uint64_t n : people) sum += n;
    EXPECT_EQ(sum, 200u);
  }
}

TEST(Traffic, CrowdedPathsTakeLonger) {
  step::StepContext context(blocks(false), 1, 1);
  context.terrain.needGraph(context.threads);
  Traffic traffic(*context.terrain.graph());
  traffic.add(0, *context.scene.populations[0].flow, {Flows::end(context, "west"), Flows::end(context, "east")});
  const Flow& flow = *traffic.of(0);
  traffic.estimate({});
  const std::vector<double> empty(traffic.travelTimes(flow).begin(), traffic.travelTimes(flow).end());
  const std::uint32_t quick = flow.quickest;
  // A crowd in every cylinder of the quickest path.
  std::vector<std::uint32_t> vertices;
  for (const std::uint32_t v : traffic.found(flow)[quick].vertices) vertices.insert(vertices.end(), 200, v + 1);
  traffic.estimate(vertices);
  EXPECT_GT(traffic.travelTimes(flow)[quick], 1.5 * empty[quick]);
  EXPECT_NE(traffic.of(0)->quickest, quick);
  for (std::size_t k = 0; k < empty.size(); ++k) EXPECT_GE(traffic.travelTimes(flow)[k], empty[k]);
}

TEST(Flows, AnUnknownPlaceIsAnError) {
  step::StepContext context(blocks(false), 1, 1);
  EXPECT_THROW(Flows::end(context, "nowhere"), InputError);
  context.scene.places.push_back({"in a block", {40, 10}, {}, {}, 1});
  context.terrain.needGraph(context.threads);
  Flows flows;
  flows.attach(context);
  context.scene.populations[0].flow->to = "in a block";
  EXPECT_THROW(flows.add(context, 0), InputError);
  EXPECT_FALSE(flows.has(0));
}

}  // namespace
}  // namespace throng::flows
