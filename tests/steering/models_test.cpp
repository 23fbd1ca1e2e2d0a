#include "steering/models.h"

#include <cctype>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sstream>
#include <string>

#include "steering/small_world.h"

namespace throng::steering {
namespace {

TEST(Models, AreFoundByName) {
  std::vector<std::string> names;
  for (const Model& model : models().entries()) {
    names.emplace_back(model.info.name);
    EXPECT_EQ(findModel(model.info.name), &model);
  }
  EXPECT_EQ(names, (std::vector<std::string>{
                       "throng", "linear", "seek", "orca", "social-force", "moussaid", "karamouzas", "karamouzas-2010",
                       "collision-free-speed", "anticipation-velocity", "power-law", "gcfm", "optimal-steps", "khatib",
                       "short-term-1", "short-term-2", "vision", "vision-points", "vision-predictive"}));
  EXPECT_EQ(findModel("Orca"), nullptr);
  EXPECT_EQ(findModel(""), nullptr);
}

TEST(Models, EveryRowIsComplete) {
  for (const Model& model : models().entries()) {
    SCOPED_TRACE(std::string(model.info.name));
    EXPECT_FALSE(model.info.title.empty());
    EXPECT_FALSE(model.info.paper.empty());
    ASSERT_NE(model.kernel, nullptr);
    ASSERT_NE(model.range, nullptr);
    EXPECT_GE(model.range(defaults(model.info.parameters)), 0);
    std::set<std::string_view> seen;
    for (const ModelParameter& parameter : model.info.parameters) {
      SCOPED_TRACE(std::string(parameter.name));
      EXPECT_TRUE(seen.insert(parameter.name).second);
      for (const char letter : parameter.name) {
        EXPECT_TRUE((std::islower(static_cast<unsigned char>(letter)) != 0) || letter == '_');
      }
      EXPECT_FALSE(parameter.unit.empty());
      EXPECT_LE(parameter.min, parameter.value);
      EXPECT_LE(parameter.value, parameter.max);
      ASSERT_FALSE(parameter.description.empty());
      EXPECT_EQ(parameter.description.back(), '.');
    }
  }
}

// A model's page starts with "# `name`"; each parameter is a row
// | `name` | unit | default | min … max | …
TEST(Models, StandInTheDocumentationWithEveryParameter) {
  for (const Model& model : models().entries()) {
    std::ifstream file(fmt::format("{}/docs/models/{}.md", THRONG_SOURCE_DIR, model.info.name));
    ASSERT_TRUE(file) << model.info.name << " has no page";
    std::ostringstream content;
    content << file.rdbuf();
    const std::string page = content.str();
    EXPECT_TRUE(page.starts_with(fmt::format("# `{}`\n", model.info.name))) << model.info.name;
    EXPECT_NE(page.find("\"steering\": "), std::string::npos) << model.info.name << " has no example";
    for (const ModelParameter& p : model.info.parameters) {
      const std::string row = fmt::format("| `{}` | {} | {} | {} … {} |", p.name, p.unit, p.value, p.min, p.max);
      EXPECT_NE(page.find(row), std::string::npos) << model.info.name << " lacks " << row;
    }
  }
}

// Whoever is alone and content stays so, with every model.
TEST(Models, NobodyNearAndNothingWantedMeansStandingStill) {
  for (const Model& model : models().entries()) {
    SmallWorld world;
    const auto person = world.add({3, -2}, {0, 0});
    const auto parameters = defaults(model.info.parameters);
    world.buildIndex(model.range(parameters));
    world.crowd.next_vx[person] = world.crowd.next_vy[person] = 9;
    world.steer(model.kernel, parameters, 0.1f);
    EXPECT_EQ(world.next(person), Vec2{}) << model.info.name;
  }
}

TEST(Models, AloneAndOnTheWayMeansThePreferredVelocity) {
  for (const Model& model : models().entries()) {
    SmallWorld world;
    const auto person = world.add({3, -2}, {0.8f, 1});
    const auto parameters = defaults(model.info.parameters);
    world.buildIndex(model.range(parameters));
    world.steer(model.kernel, parameters, 0.1f);
    EXPECT_EQ(world.next(person), (Vec2{0.8f, 1})) << model.info.name;
  }
}

}  // namespace
}  // namespace throng::steering
