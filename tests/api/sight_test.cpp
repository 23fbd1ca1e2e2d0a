// What people see, and the picture of it.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

#include "throng/throng.h"

namespace throng {
namespace {

/// Two people 6 m apart who walk towards each other; the first one looks along +x.
Scene meeting(const std::string& model, std::map<std::string, double> parameters = {}) {
  Scene scene;
  scene.layers.emplace_back();
  scene.profiles.emplace_back();
  scene.run.duration = 10;
  scene.profiles[0].steering = {model, std::move(parameters)};
  for (const double side : {-1.0, 1.0}) {
    Population one;
    one.name = side < 0 ? "left" : "right";
    one.count = 1;
    one.start.shape = StartPoints{{{3 * side, 0}}};
    one.goals = {{GoalPoint{{-8 * side, 0}}}};
    scene.populations.push_back(one);
  }
  return scene;
}

/// Columns in which anything shows: the first, the last and how many.
struct Seen {
  int first = -1, last = -1, pixels = 0;
};

Seen seenIn(const SeenImage& image) {
  Seen seen;
  for (int c = 0; c < image.columns; ++c) {
    for (int r = 0; r < image.rows; ++r) {
      if (std::isnan(image.time[static_cast<std::size_t>(r * image.columns + c)])) continue;
      if (seen.first < 0) seen.first = c;
      seen.last = c, ++seen.pixels;
    }
  }
  return seen;
}

TEST(Sight, ImagesAreAsLargeAsTheModelSays) {
  for (const char* model : {"orca", "vision", "vision-predictive"}) {
    World world(meeting(model));
    world.step();
    const SeenImage image = world.see(world.ids()[0]);
    EXPECT_EQ(image.columns, 256) << model;
    EXPECT_EQ(image.rows, 48) << model;
    const std::size_t pixels = 256 * 48;
    EXPECT_EQ(image.time.size(), pixels);
    EXPECT_EQ(image.bearing_rate.size(), pixels);
    EXPECT_EQ(image.danger.size(), pixels);
  }
  World world(meeting("vision", {{"columns", 100}, {"rows", 20}}));
  const SeenImage image = world.see(world.ids()[1]);
  EXPECT_EQ(image.columns, 100);
  EXPECT_EQ(image.rows, 20);
  EXPECT_EQ(image.time.size(), 2000u);
}

TEST(Sight, WhoComesStraightOnIsInTheMiddleAndAsksForATurn) {
  World world(meeting("orca"));
  for (int i = 0; i < 3; ++i) world.step();
  const AgentId looking = world.ids()[0];
  const SeenImage image = world.see(looking);
  const Seen seen = seenIn(image);
  ASSERT_GT(seen.pixels, 0);
  EXPECT_NEAR(0.5 * (seen.first + seen.last), 0.5 * (image.columns - 1), 1.5);
  EXPECT_LT(seen.last - seen.first, image.columns / 4);
  double danger = 0;
  for (std::size_t i = 0; i < image.time.size(); ++i) {
    if (std::isnan(image.time[i])) continue;
    EXPECT_GT(image.time[i], 0);
    EXPECT_LT(image.time[i], 3);
    EXPECT_LT(std::abs(image.bearing_rate[i]), 0.3);
    danger = std::max<double>(danger, image.danger[i]);
  }
  EXPECT_GT(danger, 0);
  world.remove(world.ids()[1]);
  EXPECT_EQ(seenIn(world.see(looking)).pixels, 0);
  world.remove(looking);
  EXPECT_THROW(world.see(looking), InputError);
  EXPECT_THROW(world.see(AgentId{}), InputError);
}

TEST(Sight, WhoIsOnTheLeftIsInTheLeftHalfAndBehindNowhere) {
  Scene scene = meeting("vision");
  scene.populations[1].start.shape = StartPoints{{{0, 2}}};
  scene.populations[1].on_arrival = OnArrival::kStay;
  World world(scene);
  const SeenImage image = world.see(world.ids()[0]);
  const Seen seen = seenIn(image);
  ASSERT_GT(seen.pixels, 0);
  EXPECT_LT(seen.last, image.columns / 2);
  scene.populations[1].start.shape = StartPoints{{{-6, 0}}};
  World behind(scene);
  EXPECT_EQ(seenIn(behind.see(behind.ids()[0])).pixels, 0);
}

TEST(Sight, ThePictureIsAPngThatIsNotOverwritten) {
  const auto folder = std::filesystem::temp_directory_path() / ("throng-sight-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  World world(meeting("vision"));
  const SeenImage image = world.see(world.ids()[0]);
  const std::string path = (folder / "seen.png").string();
  drawSight(image, path);
  std::ifstream file(path, std::ios::binary);
  char head[24] = {};
  file.read(head, sizeof head);
  EXPECT_EQ(std::string(head + 1, 3), "PNG");
  const auto number = [&](int at) {
    int value = 0;
    for (int i = 0; i < 4; ++i) value = value * 256 + static_cast<unsigned char>(head[at + i]);
    return value;
  };
  EXPECT_EQ(number(16), DrawSettings{}.width);
  // Three panels, one of the whole width, two of half of it, each 4.4 times as wide as high.
  EXPECT_NEAR(number(20), 1.5 * DrawSettings{}.width / 4.4477, 0.15 * DrawSettings{}.width);
  EXPECT_THROW(drawSight(image, path), FileError);
  EXPECT_THROW(drawSight(image, (folder / "seen.svg").string()), InputError);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace throng
