// Frames forwards, backwards and at any time.
#include "throng/frame_source.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "agents/reread.h"

namespace throng {
namespace {

using testing::HasSubstr;

FrameCopy frameAt(double time) {
  FrameCopy frame;
  frame.time = time;
  frame.resize(1);
  frame.person[0] = 1;
  frame.x[0] = static_cast<float>(time);
  return frame;
}

/// Ten frames, one every 0.5 s, somebody arrives just before each; and one more after the last.
class Forwards final : public FrameSource {
 public:
  bool canGoBack() const override { return false; }
  double framesPerSecond() const override { return 2; }
  const std::optional<std::vector<Change>>& changes() const override { return changes_; }
  int read_so_far = 0;

 private:
  bool read(FrameCopy& frame, std::vector<Arrival>* arrivals) override {
    if (arrivals) arrivals->push_back({static_cast<std::uint32_t>(read_so_far), 0.5 * read_so_far - 0.1});
    if (read_so_far == 10) return false;
    frame = frameAt(0.5 * read_so_far++);
    return true;
  }
  std::optional<std::vector<Change>> changes_{std::vector<Change>{{1, Change::Kind::kOpenDoor, "gate", 0, {}}}};
};

template <class Call>
std::string inputError(const Call& call) {
  try {
    call();
  } catch (const InputError& e) {
    return e.what();
  }
  return {};
}

TEST(FrameSources, GoForwardsToAnyTime) {
  Forwards source;
  FrameCopy frame;
  ASSERT_TRUE(source.at(1.0, frame));
  EXPECT_EQ(frame.time, 1.0);
  ASSERT_TRUE(source.next(frame));
  EXPECT_EQ(frame.time, 1.5);
  ASSERT_TRUE(source.at(2.7, frame)) << "between two frames: the later one";
  EXPECT_EQ(frame.time, 3.0);
  ASSERT_TRUE(source.at(4.5 + 1e-12, frame)) << "but for rounding";
  EXPECT_EQ(frame.time, 4.5);
  EXPECT_FALSE(source.at(5, frame));
  EXPECT_THROW(source.at(std::numeric_limits<double>::quiet_NaN(), frame), InputError);
}

TEST(FrameSources, ThatOnlyGoForwardsSayWhen) {
  Forwards source;
  FrameCopy frame;
  ASSERT_TRUE(source.at(3, frame));
  EXPECT_THAT(inputError([&] { source.at(1, frame); }),
              testing::AllOf(HasSubstr("no going back to 1 s"), HasSubstr("3 s was read already")));
  EXPECT_THAT(inputError([&] { source.rewind(); }), HasSubstr("only go forwards"));
  ASSERT_TRUE(source.next(frame)) << "and go on";
  EXPECT_EQ(frame.time, 3.5);
}

TEST(FrameSources, InMemoryGoAnywhere) {
  Forwards source;
  MemoryFrames kept(source);
  EXPECT_EQ(kept.frames().size(), 10u);
  EXPECT_EQ(kept.framesPerSecond(), 2);
  ASSERT_TRUE(kept.changes());
  EXPECT_EQ(kept.changes()->size(), 1u);
  FrameCopy frame;
  for (const double time : {4.0, 0.0, 2.2, 2.4, 2.5, 4.5, 0.5, 0.5}) {
    ASSERT_TRUE(kept.at(time, frame));
    EXPECT_EQ(frame.time, std::ceil(time * 2) / 2) << time;
    EXPECT_EQ(frame.x.at(0), static_cast<float>(frame.time));
  }
  ASSERT_TRUE(kept.next(frame));
  EXPECT_EQ(frame.time, 1.0);
  // Everybody arrives once in each pass, the last one after the last frame.
  for (int pass = 0; pass < 2; ++pass) {
    kept.rewind();
    std::vector<Arrival> arrivals;
    std::uint32_t next = 0;
    while (kept.next(frame, &arrivals)) {
      ASSERT_EQ(arrivals.size(), 1u);
      EXPECT_EQ(arrivals[0].person, next++);
    }
    ASSERT_EQ(arrivals.size(), 1u);
    EXPECT_EQ(arrivals[0].person, 10u);
  }
}

TEST(FrameSources, OnlyAsMuchAsIsWantedIsKept) {
  Forwards source;
  agents::Reread run(source, 1.7);
  EXPECT_EQ(source.read_so_far, 5) << "up to 2 s";
  EXPECT_TRUE(run.frames().canGoBack());
  FrameCopy frame;
  int count = 0;
  while (run.frames().next(frame)) ++count;
  EXPECT_EQ(count, 5);
  // What can go back is not kept again.
  MemoryFrames memory;
  memory.add(frameAt(0));
  EXPECT_EQ(&agents::Reread(memory).frames(), &memory);
}

TEST(FrameSources, FramesInMemoryComeInOrder) {
  MemoryFrames memory;
  memory.add(frameAt(1));
  EXPECT_THAT(inputError([&] { memory.add(frameAt(1)); }), HasSubstr("cannot follow one at 1 s"));
  EXPECT_THROW(memory.add(frameAt(std::numeric_limits<double>::infinity())), InputError);
  EXPECT_THROW(MemoryFrames(0.0), InputError);
  EXPECT_FALSE(memory.changes());
}

}  // namespace
}  // namespace throng
