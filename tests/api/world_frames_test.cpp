// A running world as a source of frames: whatever is made from it is what is made from its recording.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <set>

#include "throng/throng.h"

namespace throng {
namespace {

using testing::HasSubstr;

class WorldAsFrames : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              ("throng-world-frames-" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  static std::string bytes(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  /// As a program does it step by step.
  std::string record(const Scene& scene, double rate) const {
    World world(scene);
    Recorder recorder(path("run.sqlite"), scene, {.frames_per_second = rate, .overwrite = true});
    recorder.observe(world.frame());
    while (!world.finished()) {
      world.step();
      recorder.observe(world.frame(), world.arrivals());
    }
    recorder.close();
    return path("run.sqlite");
  }

  std::filesystem::path folder_;
};

/// Ends between two frames, with people who arrive.
Scene shortRun() {
  Scene scene = loadScene(THRONG_SOURCE_DIR "/scenes/crossing.json");
  scene.run.duration = 20.25;
  scene.populations.at(0).goals = {{GoalPoint{{12, 0}, 4}}};
  scene.populations.at(1).goals = {{GoalPoint{{0, 12}, 4}}};
  return scene;
}

/// A door closes after 15 s.
Scene withADoor() {
  Scene scene = loadScene(THRONG_SOURCE_DIR "/scenes/doors.json");
  scene.run.duration = 30;
  return scene;
}

void expectSame(const FrameCopy& a, const FrameCopy& b) {
  EXPECT_NEAR(a.time, b.time, 1e-9);
  // A recording lists people by number.
  std::vector<std::size_t> row(a.person.size());
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = i;
  std::sort(row.begin(), row.end(), [&](std::size_t i, std::size_t j) { return a.person[i] < a.person[j]; });
  ASSERT_EQ(a.person.size(), b.person.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    EXPECT_EQ(a.person[row[i]], b.person[i]);
    EXPECT_EQ(a.x[row[i]], b.x[i]);
    EXPECT_EQ(a.y[row[i]], b.y[i]);
    EXPECT_EQ(a.z[row[i]], b.z[i]);
    EXPECT_EQ(a.heading_x[row[i]], b.heading_x[i]);
    EXPECT_EQ(a.radius[row[i]], b.radius[i]);
    EXPECT_EQ(a.population[row[i]], b.population[i]);
    EXPECT_EQ(a.layer[row[i]], b.layer[i]);
  }
}

TEST_F(WorldAsFrames, GiveWhatARecordingGives) {
  for (const Scene& scene : {shortRun(), withADoor()}) {
    const double rate = fittingRecordingRate(scene.run.dt, 5);
    Recording recording(record(scene, rate));
    World world(scene);
    WorldFrames frames(world, rate);
    EXPECT_EQ(frames.framesPerSecond(), recording.framesPerSecond());
    FrameCopy a, b;
    std::vector<Arrival> arrivals_a, arrivals_b;
    std::set<std::uint32_t> arrived, recorded;  // who goes back and forth arrives again; recordings keep the first
    const auto note = [](std::set<std::uint32_t>& people, const std::vector<Arrival>& arrivals) {
      for (const Arrival& arrival : arrivals) people.insert(arrival.person);
    };
    std::uint64_t count = 0;
    while (frames.next(a, &arrivals_a)) {
      ASSERT_TRUE(recording.next(b, &arrivals_b));
      expectSame(a, b);
      note(arrived, arrivals_a);
      note(recorded, arrivals_b);
      ++count;
    }
    note(arrived, arrivals_a);
    EXPECT_FALSE(recording.next(b));
    EXPECT_EQ(count, recording.frameCount());
    EXPECT_GT(count, 20u);
    EXPECT_EQ(arrived, recorded);
    EXPECT_FALSE(arrived.empty());
    ASSERT_TRUE(frames.changes() && recording.changes());
    EXPECT_EQ(*frames.changes(), *recording.changes());
    EXPECT_TRUE(world.finished());
  }
}

TEST_F(WorldAsFrames, AreRecordedTheSame) {
  const Scene scene = shortRun();
  const double rate = fittingRecordingRate(scene.run.dt, 5);
  Recording stepped(record(scene, rate));
  World world(scene);
  WorldFrames every_step(world);
  Recorder recorder(path("source.sqlite"), scene, {.frames_per_second = rate});
  EXPECT_EQ(recorder.observe(every_step), stepped.frameCount());
  recorder.close();
  Recording from_source(path("source.sqlite"));
  FrameCopy a, b;
  std::vector<Arrival> arrivals_a, arrivals_b;
  std::size_t arrivals = 0;
  while (stepped.next(a, &arrivals_a)) {
    ASSERT_TRUE(from_source.next(b, &arrivals_b));
    EXPECT_EQ(a.time, b.time);
    expectSame(a, b);
    ASSERT_EQ(arrivals_a.size(), arrivals_b.size());
    for (std::size_t i = 0; i < arrivals_a.size(); ++i) EXPECT_EQ(arrivals_a[i].person, arrivals_b[i].person);
    arrivals += arrivals_a.size();
  }
  EXPECT_GT(arrivals, 0u);
}

TEST_F(WorldAsFrames, AreMeasuredTheSame) {
  const Scene scene = shortRun();
  Recording recording(record(scene, 1 / scene.run.dt));
  World world(scene);
  WorldFrames frames(world);
  Metrics live(metricsSettings(scene)), recorded(metricsSettings(scene));
  live.observe(frames);
  recorded.observe(recording);
  const MetricsReport a = live.report(), b = recorded.report();
  EXPECT_EQ(a.frames, b.frames);
  EXPECT_EQ(a.people, b.people);
  EXPECT_EQ(a.arrivals, b.arrivals);
  EXPECT_GT(a.arrivals, 0u);
  EXPECT_EQ(a.collision_pairs, b.collision_pairs);
  EXPECT_NEAR(a.travel_time.mean, b.travel_time.mean, 1e-6);
  EXPECT_NEAR(a.distance.mean, b.distance.mean, 1e-6);
  EXPECT_NEAR(a.speed.mean, b.speed.mean, 1e-6);
  ASSERT_EQ(a.stripes.size(), 1u);
  EXPECT_EQ(a.stripes[0].angle_degrees, b.stripes[0].angle_degrees);
}

/// Rows of a world stand in another order than those of a file, so people may be painted in another one; who is alone
/// looks the same. Steps of an eighth: a number of steps times their length and a number of frames over their rate are
/// then the same to the last bit, and so is every pixel between two frames.
Scene withOneWalker() {
  Scene scene = withADoor();
  scene.run.dt = 0.125;
  scene.run.recording_rate = 8;
  scene.populations.resize(1);
  scene.populations[0].count = 1;
  scene.populations[0].start.shape = StartPoints{{{4, 4}}};
  return scene;
}

TEST_F(WorldAsFrames, AreDrawnTheSame) {
  const Scene scene = withOneWalker();
  const double rate = 1 / scene.run.dt;
  Recording recording(record(scene, rate));
  for (const PictureKind kind :
       {PictureKind::kMoment, PictureKind::kTrajectories, PictureKind::kDensity, PictureKind::kSpeed}) {
    DrawSettings settings;
    settings.kind = kind;
    settings.width = 400;
    settings.overwrite = true;
    if (kind == PictureKind::kTrajectories) settings.from = 2, settings.to = 7.33;
    drawRecording(recording, path("recording.svg"), settings);
    World world(scene);
    WorldFrames frames(world, rate);
    drawFrames(scene, frames, path("world.svg"), settings);
    EXPECT_EQ(bytes(path("recording.svg")), bytes(path("world.svg"))) << static_cast<int>(kind);
    if (settings.to) {
      EXPECT_EQ(world.time(), 7.375) << "not simulated any further than shown";
    }
  }
}

TEST_F(WorldAsFrames, AreFilmedTheSame) {
  Scene scene = withOneWalker();
  scene.run.duration = 3;
  const double rate = 1 / scene.run.dt;
  Recording recording(record(scene, rate));
  World world(scene);
  WorldFrames frames(world, rate);
  DrawSettings settings;
  settings.width = 320;
  if (std::system("ffmpeg -version > /dev/null 2>&1") != 0) GTEST_SKIP() << "ffmpeg is not installed";
  drawFilm(recording, path("recording.mp4"), settings);
  drawFilm(scene, frames, path("world.mp4"), settings);
  const std::string a = bytes(path("recording.mp4")), b = bytes(path("world.mp4"));
  EXPECT_GT(a.size(), 1000u);
  EXPECT_TRUE(a == b) << a.size() << " and " << b.size() << " bytes";
  EXPECT_THROW(drawFilm(scene, frames, path("world.mp4"), settings), FileError) << "it is there already";
}

TEST_F(WorldAsFrames, PatternsAreTheSame) {
  const Scene scene = shortRun();
  const double rate = fittingRecordingRate(scene.run.dt, 5);
  Recording recording(record(scene, rate));
  World world(scene);
  WorldFrames frames(world, rate);
  const std::array<Pattern, 1> patterns{Pattern::kStripes};
  const PatternView a = viewPatterns(recording, scene, patterns), b = viewPatterns(frames, scene, patterns);
  EXPECT_NEAR(a.time, b.time, 1e-9);
  EXPECT_EQ(a.overlay.caption, b.overlay.caption);
  ASSERT_EQ(a.overlay.lines.size(), b.overlay.lines.size());
  EXPECT_FALSE(a.overlay.lines.empty());
  // Sums over people, who stand in another order in a file.
  for (std::size_t i = 0; i < a.overlay.lines.size(); ++i) {
    ASSERT_EQ(a.overlay.lines[i].points.size(), b.overlay.lines[i].points.size());
    for (std::size_t k = 0; k < a.overlay.lines[i].points.size(); ++k)
      EXPECT_LT(length(a.overlay.lines[i].points[k] - b.overlay.lines[i].points[k]), 1e-9);
  }
}

TEST_F(WorldAsFrames, OnlyGoForwards) {
  World world(shortRun());
  WorldFrames frames(world);
  FrameCopy frame;
  ASSERT_TRUE(frames.at(0, frame)) << "as it is now";
  EXPECT_EQ(world.steps(), 0u);
  ASSERT_TRUE(frames.at(2, frame));
  EXPECT_NEAR(frame.time, 2, 1e-9);
  EXPECT_NEAR(world.time(), 2, 1e-9);
  ASSERT_TRUE(frames.at(2, frame)) << "the same moment again";
  EXPECT_NEAR(world.time(), 2, 1e-9);
  try {
    frames.at(1, frame);
    ADD_FAILURE() << "went back";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("no going back to 1 s"));
  }
  EXPECT_THROW(frames.rewind(), InputError);
  EXPECT_FALSE(frames.at(100, frame)) << "the run is shorter";
  EXPECT_THROW(WorldFrames(world, -1), InputError);
}

}  // namespace
}  // namespace throng
