// What is recorded comes back: bit by bit in every format, and after every conversion between them.
#include <bit>
#include <gtest/gtest.h>
#include <map>

#include "record/random_run.h"

namespace throng::record_test {
namespace {

const std::vector<std::string> kNames = {"run.sqlite", "run.txt", "run.h5", "run.csv"};

struct Kept {
  bool everything = false;  // empty frames, radii, layers, arrivals, scene
  bool headings = false;    // to a float's precision when not everything
  bool populations = false;
};

Kept keptBy(const std::string& name) {
  switch (recordingFormat(name)) {
    case RecordingFormat::kSqlite:
      return {true, true, true};
    case RecordingFormat::kCsv:
      return {false, true, true};
    default:
      return {};
  }
}

void expectSame(const Story& run, Recording& recording, const Kept& kept) {
  EXPECT_EQ(recording.framesPerSecond(), run.frames_per_second);
  const auto found = readRun(recording);
  ASSERT_EQ(found.size(), run.moments.size());
  ASSERT_EQ(recording.frameCount(), run.moments.size());
  for (std::size_t f = 0; f < found.size(); ++f) {
    const FrameCopy& want = run.moments[f].frame;
    const FrameCopy& got = found[f].frame;
    EXPECT_EQ(got.index, want.index);
    EXPECT_EQ(got.time, want.time);
    ASSERT_EQ(got.person.size(), want.person.size()) << "frame " << f;
    const auto order = byPerson(want);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::size_t o = order[i];
      ASSERT_EQ(got.person[i], want.person[o]);
      ASSERT_EQ(got.x[i], want.x[o]);
      ASSERT_EQ(got.y[i], want.y[o]);
      ASSERT_EQ(got.z[i], want.z[o]);
      ASSERT_EQ(got.population[i], kept.populations ? want.population[o] : 0);
      if (kept.everything) {
        ASSERT_EQ(got.heading_x[i], want.heading_x[o]);
        ASSERT_EQ(got.heading_y[i], want.heading_y[o]);
        ASSERT_EQ(got.radius[i], want.radius[o]);
        ASSERT_EQ(got.layer[i], want.layer[o]);
      } else if (kept.headings) {
        ASSERT_NEAR(got.heading_x[i], want.heading_x[o], 1e-6);
        ASSERT_NEAR(got.heading_y[i], want.heading_y[o], 1e-6);
      } else {
        ASSERT_NEAR(std::hypot(got.heading_x[i], got.heading_y[i]), 1, 1e-5);
      }
    }
  }
}

std::map<std::uint32_t, double> arrivalTimes(const std::vector<Moment>& moments) {
  std::map<std::uint32_t, double> times;
  for (const auto& moment : moments) {
    for (const auto& arrival : moment.arrivals) {
      EXPECT_EQ(times.count(arrival.person), 0u);
      EXPECT_LE(arrival.time, moment.frame.time + 1e-9);
      times[arrival.person] = arrival.time;
    }
  }
  return times;
}

class EachFormat : public testing::TestWithParam<std::string> {};

TEST_P(EachFormat, GivesBackWhatWasRecorded) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Folder folder;
    const Story run = randomRun(seed, 60, 40, true);
    writeRun(run, folder / GetParam());
    Recording recording(folder / GetParam());
    expectSame(run, recording, keptBy(GetParam()));
    recording.rewind();
    expectSame(run, recording, keptBy(GetParam()));
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1) << "side files are left";
  }
}

TEST_P(EachFormat, KnowsWhoArrivedWhen) {
  const Folder folder;
  const Story run = randomRun(7, 80, 50, true);
  writeRun(run, folder / GetParam());
  Recording recording(folder / GetParam());
  const auto got = arrivalTimes(readRun(recording));
  const auto want = arrivalTimes(run.moments);
  ASSERT_GT(want.size(), 10u);
  ASSERT_EQ(got.size(), want.size());
  for (const auto& [person, time] : want) {
    ASSERT_EQ(got.count(person), 1u);
    if (keptBy(GetParam()).everything) {
      EXPECT_EQ(got.at(person), time);
    } else {  // the frame in which they are missing
      EXPECT_NEAR(got.at(person), time + 0.3 / run.frames_per_second, 1e-9);
    }
  }
}

TEST_P(EachFormat, KeepsGeometryUnlessCsv) {
  const Folder folder;
  writeRun(randomRun(3, 5, 5, true), folder / GetParam());
  const Recording recording(folder / GetParam());
  if (GetParam() == "run.csv") {
    EXPECT_EQ(recording.geometryWkt(), "");
  } else {
    EXPECT_EQ(recording.geometryWkt().rfind("POLYGON", 0), 0u) << recording.geometryWkt();
  }
}

TEST_P(EachFormat, AcceptsARecordingWithoutAnybody) {
  const Folder folder;
  Story run;
  writeRun(run, folder / GetParam());
  Recording recording(folder / GetParam());
  EXPECT_EQ(recording.frameCount(), 0u);
  EXPECT_EQ(recording.personCount(), 0u);
  FrameCopy frame;
  EXPECT_FALSE(recording.next(frame));
}

TEST_P(EachFormat, ConvertsIntoEveryOther) {
  for (const auto& goal : kNames) {
    const Folder folder;
    const Story run = randomRun(11, 50, 30, true);
    writeRun(run, folder / GetParam());
    const std::string to = folder / ("copy-" + goal);
    EXPECT_EQ(convertRecording(folder / GetParam(), to), run.moments.size());
    Recording recording(to);
    const Kept a = keptBy(GetParam()), b = keptBy(goal);
    expectSame(run, recording,
               {a.everything && b.everything, a.headings && b.headings, a.populations && b.populations});
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 2);
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, EachFormat, testing::ValuesIn(kNames),
                         [](const auto& name) { return name.param.substr(4); });

TEST(Sqlite, KeepsFramesWithoutAnybody) {
  const Folder folder;
  const Story run = randomRun(5, 60, 6, false);
  ASSERT_TRUE(
      std::any_of(run.moments.begin(), run.moments.end(), [](const auto& m) { return m.frame.person.empty(); }));
  writeRun(run, folder / "run.sqlite");
  Recording recording(folder / "run.sqlite");
  expectSame(run, recording, keptBy("run.sqlite"));
}

TEST(Sqlite, KeepsSceneAndPopulations) {
  const Folder folder;
  const Story run = randomRun(2, 5, 5, true);
  writeRun(run, folder / "run.sqlite");
  convertRecording(folder / "run.sqlite", folder / "copy.sqlite");
  for (const char* name : {"run.sqlite", "copy.sqlite"}) {
    const Recording recording(folder / name);
    EXPECT_EQ(recording.populations(), (std::vector<std::string>{"visitors", "staff"}));
    ASSERT_TRUE(recording.scene().has_value());
    EXPECT_EQ(recording.scene()->populations.size(), 2u);
    EXPECT_EQ(recording.scene()->layers.at(0).obstacles.size(), 1u);
  }
}

TEST(Sqlite, RemembersSomebodyWhoCameAndWentBetweenFrames) {
  const Folder folder;
  Story run = randomRun(2, 5, 5, true);
  run.moments[3].arrivals.push_back({77, run.moments[3].frame.time - 0.001});
  writeRun(run, folder / "run.sqlite");
  Recording recording(folder / "run.sqlite");
  EXPECT_EQ(arrivalTimes(readRun(recording)).count(77), 1u);
}

TEST(Text, GivesBackEveryFloat) {
  base::Random random(1, 1);
  Story run;
  for (int f = 0; f < 3; ++f) {
    Moment moment;
    moment.frame.index = static_cast<std::uint64_t>(f);
    moment.frame.time = f * 0.1;
    for (std::uint32_t i = 0; i < 20000; ++i) {
      const auto any = [&random] {
        for (;;) {
          const auto bits = static_cast<std::uint32_t>(random.bits());
          const float value = std::bit_cast<float>(bits);
          if (std::isfinite(value)) return value;
        }
      };
      moment.frame.person.push_back(i);
      moment.frame.x.push_back(any());
      moment.frame.y.push_back(any());
      moment.frame.z.push_back(any());
      moment.frame.heading_x.push_back(1);
      moment.frame.heading_y.push_back(0);
      moment.frame.radius.push_back(0.25f);
      moment.frame.population.push_back(0);
      moment.frame.layer.push_back(0);
    }
    run.moments.push_back(moment);
  }
  for (const auto& name : kNames) {
    const Folder folder;
    writeRun(run, folder / name);
    Recording recording(folder / name);
    const auto found = readRun(recording);
    ASSERT_EQ(found.size(), 3u);
    for (int f = 0; f < 3; ++f) {
      ASSERT_EQ(found[f].frame.x, run.moments[f].frame.x) << name;
      ASSERT_EQ(found[f].frame.y, run.moments[f].frame.y) << name;
      ASSERT_EQ(found[f].frame.z, run.moments[f].frame.z) << name;
    }
  }
}

TEST(Conversion, LeavesTheGoalAloneWhenItFails) {
  const Folder folder;
  writeRun(randomRun(2, 5, 5, true), folder / "run.sqlite");
  writeRun(randomRun(3, 9, 5, true), folder / "old.h5");
  EXPECT_THROW(convertRecording(folder / "run.sqlite", folder / "old.h5"), FileError);
  EXPECT_THROW(convertRecording(folder / "missing.sqlite", folder / "old.h5", true), FileError);
  EXPECT_THROW(convertRecording(folder / "run.sqlite", folder / "run.sqlite", true), InputError);
  EXPECT_EQ(Recording(folder / "old.h5").frameCount(), 9u);
  EXPECT_EQ(convertRecording(folder / "run.sqlite", folder / "old.h5", true), 5u);
  EXPECT_EQ(Recording(folder / "old.h5").frameCount(), 5u);
}

TEST(Format, FollowsTheName) {
  EXPECT_EQ(recordingFormat("a/b.SQLITE"), RecordingFormat::kSqlite);
  EXPECT_EQ(recordingFormat("b.db"), RecordingFormat::kSqlite);
  EXPECT_EQ(recordingFormat("b.trajectory"), RecordingFormat::kText);
  EXPECT_EQ(recordingFormat("b.hdf5"), RecordingFormat::kHdf5);
  EXPECT_EQ(recordingFormat("b.csv"), RecordingFormat::kCsv);
  EXPECT_THROW(recordingFormat("b.mp4"), InputError);
  EXPECT_THROW(recordingFormat("sqlite"), InputError);
}

}  // namespace
}  // namespace throng::record_test
