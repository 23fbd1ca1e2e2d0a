// Densities, speeds and flows of made-up people, of whom they are known exactly, and files that are not as they should
// be.
#include "papers/measured_crowds.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <throng/throng.h>

namespace throng::papers {
namespace {

using testing::HasSubstr;

/// Rows of people 1 m apart in a corridor 2 m wide, one row along y = 0.5 and one along y = 1.5, for 4 s.
Trajectories twoRows(double speed, double other_speed, double rate = 10) {
  Trajectories people;
  people.rate = rate;
  for (std::int64_t frame = 0; frame <= static_cast<std::int64_t>(4 * rate); ++frame)
    for (std::uint32_t i = 0; i < 40; ++i) {
      const double way = (i % 2 == 0 ? speed : other_speed) * static_cast<double>(frame) / rate;
      people.sightings.push_back({i + 1, frame, {-5.0 + i / 2 + way, i % 2 == 0 ? 0.5 : 1.5}});
    }
  people.sort();
  return people;
}

const Watched kMiddle{{{-6, 0}, {16, 2}}, {{4, 0}, {6, 2}}, 0, 1000};

TEST(VoronoiSamples, OfPeopleOnAGrid) {
  const std::vector<Sample> samples = voronoiSamples(twoRows(0.5, 0.5), kMiddle);
  ASSERT_GE(samples.size(), 8u);
  for (const Sample& sample : samples) {
    EXPECT_NEAR(sample.density, 1, 1e-9);
    EXPECT_NEAR(sample.speed, 0.5, 1e-9);
  }
}

TEST(VoronoiSamples, AreTheMeanOfTwoRows) {
  // The borders between the rows are no straight line any more, but all cells are still alike.
  double density = 0, speed = 0;
  const std::vector<Sample> samples = voronoiSamples(twoRows(0.4, 1.4, 25), kMiddle);
  for (const Sample& sample : samples) density += sample.density, speed += sample.speed;
  EXPECT_NEAR(density / static_cast<double>(samples.size()), 1, 1e-9);
  EXPECT_NEAR(speed / static_cast<double>(samples.size()), 0.9, 0.02);
}

TEST(VoronoiSamples, ForwardsIsWhereEverybodyGoes) {
  for (const Sample& sample : voronoiSamples(twoRows(0.5, -0.5), kMiddle)) EXPECT_NEAR(sample.speed, 0.5, 1e-9);
}

TEST(VoronoiSamples, OneAloneHasTheWholeCorridor) {
  Trajectories people;
  for (std::int64_t frame = 0; frame < 100; ++frame)
    people.sightings.push_back({7, frame, {0.04 * static_cast<double>(frame), 1}});
  const std::vector<Sample> samples = voronoiSamples(people, {{{-2, 0}, {8, 2}}, {{0, 0}, {4, 2}}, 20, 60});
  ASSERT_FALSE(samples.empty());
  for (const Sample& sample : samples) {
    EXPECT_NEAR(sample.density, 1 / 20.0, 1e-12);  // people/m²: one in 10 m x 2 m
    EXPECT_NEAR(sample.speed, 1, 1e-9);
  }
}

TEST(VoronoiSamples, CellsShareWhatLiesBetween) {
  // The border is half-way, at x = 3: of the area from 2 to 4 half belongs to each.
  Trajectories people;
  for (std::int64_t frame = 0; frame < 50; ++frame) {
    people.sightings.push_back({1, frame, {1, 1}});
    people.sightings.push_back({2, frame, {5, 1}});
  }
  const std::vector<Sample> samples = voronoiSamples(people, {{{0, 0}, {10, 2}}, {{2, 0}, {4, 2}}, 0, 100});
  ASSERT_FALSE(samples.empty());
  EXPECT_NEAR(samples[0].density, (2 / 6.0 + 2 / 14.0) / 4, 1e-12);
}

TEST(FileSamples, HeadwayAndSpeed) {
  Trajectories people;
  for (std::int64_t frame = 0; frame <= 100; ++frame)
    for (std::uint32_t i = 0; i < 5; ++i)
      people.sightings.push_back({i, frame, {-0.8 * i - 0.012 * static_cast<double>(frame), 0}});
  const std::vector<Sample> samples = fileSamples(people);
  ASSERT_FALSE(samples.empty());
  for (const Sample& sample : samples) {
    EXPECT_NEAR(sample.density, 1.25, 1e-9);
    EXPECT_NEAR(sample.speed, 0.3, 1e-9);  // towards smaller x
  }
}

TEST(FileSamples, GoOnWhereThePlaceBeginsAgain) {
  Trajectories people;
  people.rate = 10, people.length = 4;
  for (std::int64_t frame = 0; frame <= 40; ++frame)
    for (std::uint32_t i = 0; i < 5; ++i)
      people.sightings.push_back({i, frame, {std::fmod(0.8 * i + 0.1 * static_cast<double>(frame), 4), 0}});
  const std::vector<Sample> samples = fileSamples(people);
  EXPECT_EQ(samples.size() % 5, 0u);  // nobody is without somebody in front
  for (const Sample& sample : samples) {
    EXPECT_NEAR(sample.density, 1.25, 1e-6);
    EXPECT_NEAR(sample.speed, 1, 1e-6);
  }
}

TEST(Bands, MeanAndQuantiles) {
  std::vector<Sample> samples;
  for (int i = 0; i <= 100; ++i) samples.push_back({1.3, i / 100.0});
  for (int i = 0; i < 29; ++i) samples.push_back({0.2, 1});  // too few
  const std::vector<Band> bands = bandsOf(samples, 0.5, 30);
  ASSERT_EQ(bands.size(), 1u);
  EXPECT_EQ(bands[0].samples, 101u);
  EXPECT_NEAR(bands[0].from, 1, 1e-12);
  EXPECT_NEAR(bands[0].to, 1.5, 1e-12);
  EXPECT_NEAR(bands[0].mean, 0.5, 1e-12);
  EXPECT_NEAR(bands[0].low, 0.05, 1e-12);
  EXPECT_NEAR(bands[0].high, 0.95, 1e-12);
}

/// One after the other down a line, 0.5 s apart, at 1 m/s; each turns back once they are at y = -1.
Trajectories oneByOne() {
  Trajectories people;
  for (std::int64_t frame = 0; frame <= 250; ++frame)
    for (std::uint32_t i = 0; i < 10; ++i) {
      const double way = static_cast<double>(frame) / 25 - 0.5 * i;
      people.sightings.push_back({i, frame, {0, way < 3 ? 2 - way : way - 4}});
    }
  return people;
}

TEST(Flow, OfPeopleOneByOne) {
  const std::vector<double> times = passingTimes(oneByOne(), 0);
  ASSERT_EQ(times.size(), 10u);
  for (std::size_t i = 0; i < times.size(); ++i) EXPECT_NEAR(times[i], 2 + 0.5 * static_cast<double>(i), 1e-9);
  EXPECT_NEAR(flowBetween(times, 1, 9), 2, 1e-9);
  EXPECT_EQ(flowBetween(times, 1, 10), 0);
  EXPECT_EQ(flowBetween(times, 3, 3), 0);
}

TEST(Flow, BetweenTwoFrames) {
  Trajectories people;
  people.rate = 10;
  people.sightings = {{1, 0, {0, 0.3}}, {1, 1, {0, -0.1}}};
  EXPECT_NEAR(passingTimes(people, 0).at(0), 0.075, 1e-12);
}

TEST(Density, OfAnAreaOverTime) {
  Trajectories people;
  people.rate = 10;
  for (std::int64_t frame = 0; frame < 20; ++frame) {
    people.sightings.push_back({1, frame, {0.5, 0.5}});
    if (frame >= 10) people.sightings.push_back({2, frame, {1.5, 0.5}});
    people.sightings.push_back({3, frame, {5, 0.5}});
  }
  EXPECT_NEAR(meanDensity(people, {{0, 0}, {2, 1}}, 0, 0.9), 0.5, 1e-12);
  EXPECT_NEAR(meanDensity(people, {{0, 0}, {2, 1}}, 0, 1.9), 0.75, 1e-12);
  EXPECT_NEAR(meanDensity(people, {{0, 0}, {2, 1}}, 3, 3.9), 0, 1e-12);  // nobody was there any more
}

class Reading : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    path_ = (std::filesystem::path(testing::TempDir()) / (std::string("throng-") + test->name() + ".txt")).string();
  }
  void TearDown() override { std::filesystem::remove(path_); }

  Trajectories read(const std::string& text, const FileFacts& facts = {}) {
    writeFile(path_, text, true);
    return readTrajectories(path_, facts);
  }
  /// What is said about a file that cannot be understood.
  std::string complaint(const std::string& text) {
    try {
      read(text);
    } catch (const InputError& error) {
      return error.what();
    }
    return "nothing";
  }

  std::string path_;
};

TEST_F(Reading, TextInCentimetres) {
  const Trajectories people = read("# a comment\n2 5 100 -50 176\n\n1\t5\t20\t30\n1 4 10 30 1 2 3\n", {16, 0.01});
  EXPECT_EQ(people.rate, 16);
  ASSERT_EQ(people.sightings.size(), 3u);
  EXPECT_EQ(people.sightings[0].frame, 4);
  EXPECT_EQ(people.sightings[1].person, 1u);
  EXPECT_EQ(people.sightings[2].person, 2u);
  EXPECT_NEAR(people.sightings[2].at.x, 1, 1e-12);
  EXPECT_NEAR(people.sightings[2].at.y, -0.5, 1e-12);
}

TEST_F(Reading, CommasAndNamesOfColumns) {
  const Trajectories people = read("ID,Frame,x,y,v_x,v_y\r\n21,1010,0.25,-0.5,0.4,0.1\r\n");
  ASSERT_EQ(people.sightings.size(), 1u);
  EXPECT_EQ(people.sightings[0].person, 21u);
  EXPECT_EQ(people.sightings[0].frame, 1010);
  EXPECT_EQ(people.sightings[0].at.y, -0.5);
}

TEST_F(Reading, SaysWhatIsWrongAndWhere) {
  EXPECT_THAT(complaint("1 0 0 0\n1 1 0\n"), HasSubstr("has 3 columns; it takes person, frame, x and y"));
  EXPECT_THAT(complaint("1 0 0 0\n1 1 0\n"), HasSubstr(path_ + ":2"));
  EXPECT_THAT(complaint("1 0 0 0\nx 1 0 0\n"), HasSubstr("\"x\" is no number of a person"));
  EXPECT_THAT(complaint("-1 0 0 0\n"), HasSubstr("\"-1\" is no number of a person"));
  EXPECT_THAT(complaint("1 -3 0 0\n"), HasSubstr("\"-3\" is no number of a frame"));
  EXPECT_THAT(complaint("1 0.5 0 0\n"), HasSubstr("\"0.5\" is no number of a frame"));
  EXPECT_THAT(complaint("1 0 1,5m 0\n"), HasSubstr("\"5m\" is no coordinate"));
  EXPECT_THAT(complaint("1 0 0 nan\n"), HasSubstr("\"nan\" is no coordinate"));
  EXPECT_THAT(complaint("1 0 0 1e999\n"), HasSubstr("\"1e999\" is no coordinate"));
  EXPECT_THAT(complaint("1 0 0 0\n1 0 1 1\n"), HasSubstr("person 1 is in frame 0 twice"));
  EXPECT_THAT(complaint("# nothing but this\n"), HasSubstr("nobody is in it"));
  EXPECT_THAT(complaint(""), HasSubstr("nobody is in it"));
  EXPECT_THROW(readTrajectories(path_ + ".not-there", {}), FileError);
}

TEST(Experiments, AreAsTheirTablesSay) {
  const std::filesystem::path folder = experimentsFolder();
  if (!std::filesystem::exists(folder))
    GTEST_SKIP() << "no experiments in " << folder << "; THRONG_DATA names the folder of the data";
  const Trajectories people = readTrajectories((folder / "bottleneck/040_c_56_h-.txt").string(), {25, 1});
  const std::vector<double> times = passingTimes(people, 0);
  EXPECT_EQ(times.size(), 75u);
  EXPECT_NEAR(flowBetween(times, 7, 67), 1.15, 0.05);  // people/s, as published
}

}  // namespace
}  // namespace throng::papers
