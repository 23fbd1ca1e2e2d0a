// A recording as a source of frames, and a recorder that reads one.
#include <gtest/gtest.h>

#include "record/random_run.h"

namespace throng::record_test {
namespace {

MemoryFrames framesOf(const Story& run) {
  MemoryFrames frames(run.frames_per_second);
  for (const Moment& moment : run.moments) frames.add(moment.frame, moment.arrivals);
  return frames;
}

void expectSame(const FrameCopy& a, const FrameCopy& b) {
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.person, b.person);
  EXPECT_EQ(a.x, b.x);
  EXPECT_EQ(a.y, b.y);
  EXPECT_EQ(a.heading_x, b.heading_x);
  EXPECT_EQ(a.layer, b.layer);
}

TEST(RecordingFrames, AtAnyTime) {
  const Folder folder;
  const Story run = randomRun(7, 40, 12, true);
  for (const char* name : {"run.sqlite", "run.h5", "run.csv"}) {
    SCOPED_TRACE(name);
    Recorder recorder(folder / name, plainScene(), {.frames_per_second = run.frames_per_second});
    MemoryFrames source = framesOf(run);
    EXPECT_EQ(recorder.observe(source), run.moments.size());
    recorder.close();

    Recording recording(folder / name);
    ASSERT_EQ(recording.frameCount(), run.moments.size());
    MemoryFrames kept(recording);
    recording.rewind();
    base::Random random(3, 1);
    FrameCopy a, b;
    for (int i = 0; i < 60; ++i) {
      const double time = random.uniform(0, run.moments.back().frame.time + 0.2);
      const bool there = recording.at(time, a);
      ASSERT_EQ(there, kept.at(time, b)) << time;
      if (!there) continue;
      expectSame(a, b);
      EXPECT_GE(a.time, time - 1e-9);
      const bool more = recording.next(a);
      ASSERT_EQ(more, kept.next(b));
      if (more) expectSame(a, b);
    }
  }
}

/// Changes and arrivals of before, between and after the frames that are recorded.
TEST(RecordingFrames, ARecorderTakesFramesThatAreDueAndAllElse) {
  const Folder folder;
  MemoryFrames source(20);
  for (std::uint64_t k = 0; k <= 21; ++k) {
    FrameCopy frame;
    frame.time = static_cast<double>(k) / 20;
    frame.resize(1);
    frame.person[0] = 1;
    frame.heading_x[0] = 1;
    frame.radius[0] = 0.25f;
    std::vector<Arrival> arrivals;
    if (k == 7 || k == 21) arrivals.push_back({static_cast<std::uint32_t>(k), frame.time});
    source.add(frame, arrivals);
  }
  const std::vector<Change> changes{{0.01, Change::Kind::kCloseDoor, "a", 0, {{0, 0}, {1, 0}}},
                                    {0.52, Change::Kind::kOpenDoor, "a", 0, {{0, 0}, {1, 0}}},
                                    {1.04, Change::Kind::kCloseDoor, "a", 0, {{0, 0}, {1, 0}}}};
  source.setChanges(changes);
  Recorder recorder(folder / "run.sqlite", plainScene(), {.frames_per_second = 10});
  EXPECT_EQ(recorder.observe(source), 11u);
  recorder.close();

  Recording recording(folder / "run.sqlite");
  EXPECT_EQ(recording.frameCount(), 11u);
  ASSERT_TRUE(recording.changes());
  EXPECT_EQ(*recording.changes(), changes);
  FrameCopy frame;
  std::vector<Arrival> arrivals, all;
  while (recording.next(frame, &arrivals)) all.insert(all.end(), arrivals.begin(), arrivals.end());
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].person, 7u);
  EXPECT_EQ(all[1].person, 21u);
}

}  // namespace
}  // namespace throng::record_test
