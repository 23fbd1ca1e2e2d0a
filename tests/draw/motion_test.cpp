#include "draw/motion.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "synthetic.h"

namespace throng::draw {
namespace {

const std::optional<Rectangle> kWrap = Rectangle{{0, 0}, {10, 4}};
constexpr double kForever = std::numeric_limits<double>::infinity();

TEST(Motion, TheShortWayRoundAWrappedLayer) {
  EXPECT_EQ(displacement({1, 1}, {9, 1}, {}), (Point{8, 0}));
  EXPECT_EQ(displacement({1, 1}, {9, 1}, kWrap), (Point{-2, 0}));
  EXPECT_EQ(displacement({9, 3.5}, {1, 0.5}, kWrap), (Point{2, 1}));
  EXPECT_EQ(folded({-1, 5}, kWrap), (Point{9, 1}));
}

TEST(Motion, MatchingFindsEverybodyInAnyOrder) {
  std::mt19937 random(5);
  Matching matching;
  for (int round = 0; round < 50; ++round) {
    Moment before, now;
    for (Moment* moment : {&before, &now}) {
      std::vector<std::uint32_t> ids;
      for (std::uint32_t id = 1; id <= 60; ++id)
        if (random() % 3 != 0) ids.push_back(id);
      if (round % 2 == 1) std::shuffle(ids.begin(), ids.end(), random);
      for (const std::uint32_t id : ids) {
        Person p;
        p.id = id;
        moment->people.push_back(p);
      }
    }
    const auto& rows = matching.match(before, now);
    ASSERT_EQ(rows.size(), now.people.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::size_t expected = Matching::kNobody;
      for (std::size_t j = 0; j < before.people.size(); ++j)
        if (before.people[j].id == now.people[i].id) expected = j;
      EXPECT_EQ(rows[i], expected);
    }
  }
}

TEST(Motion, MomentsKeepOneLayerAndRealPlaces) {
  FrameCopy frame = frameOf(3, {{1, 1, 1, 0, 0}, {2, 2, 2, 0, 1}, {3, 3, 3, 0, 0}, {4, 4, 4, 0, 0}});
  frame.x[2] = std::numeric_limits<float>::quiet_NaN();
  frame.radius[3] = 0;
  const Moment moment = momentOf(frame.view(), 0);
  ASSERT_EQ(moment.people.size(), 2u);
  EXPECT_EQ(moment.people[0].id, 1u);
  EXPECT_EQ(moment.people[1].id, 4u);
  EXPECT_GT(moment.people[1].radius, 0);
}

TEST(Motion, SurveyCountsEverybodyOnceInsideTheInterval) {
  MemoryFrames source = framesOf({frameOf(0, {{1, 0, 0, 0}}), frameOf(1, {{1, 1, 0, 0}, {2, 5, 5, 1}}),
                                  frameOf(2, {{2, 5, 6.5, 1}, {3, 9, 0, 1}}), frameOf(3, {{4, 50, 50, 0}})});
  const Survey found = survey(source, 0, 0.5, 2.5);
  EXPECT_EQ(found.frames, 4u);
  EXPECT_EQ(found.frames_inside, 2u);
  EXPECT_EQ(found.people, (std::vector<std::uint64_t>{1, 2}));
  EXPECT_DOUBLE_EQ(found.first, 0);
  EXPECT_DOUBLE_EQ(found.last, 3);
  EXPECT_NEAR(found.bounds->max.x, 9.25, 1e-6);
  EXPECT_NEAR(found.bounds->max.y, 6.75, 1e-6);
  EXPECT_NEAR(found.fast, 1.5, 0.011);
}

TEST(Motion, PlaybackIsStraightBetweenFramesAndPeopleVanish) {
  MemoryFrames source = framesOf({frameOf(0, {{1, 0, 0}, {2, 4, 4}}), frameOf(1, {{1, 2, 0}, {3, 7, 7}})});
  MomentReader reader(source, 0);
  Playback playback(reader, 1);
  EXPECT_EQ(playback.at(0).people.size(), 2u);
  const Moment& middle = playback.at(0.25);
  ASSERT_EQ(middle.people.size(), 1u);
  EXPECT_DOUBLE_EQ(middle.people[0].position.x, 0.5);
  EXPECT_DOUBLE_EQ(middle.people[0].speed, 2);
  EXPECT_EQ(playback.at(1).people.size(), 2u);
  EXPECT_EQ(playback.at(1).people[1].id, 3u);
}

TEST(Motion, PlaybackGoesAcrossAWrappedBorder) {
  MemoryFrames source = framesOf({frameOf(0, {{1, 9.5, 1}}), frameOf(1, {{1, 0.5, 1}})});
  MomentReader reader(source, {0, kWrap});
  Playback playback(reader, 0);
  EXPECT_NEAR(playback.at(0.25).people[0].position.x, 9.75, 1e-6);
  EXPECT_NEAR(playback.at(0.75).people[0].position.x, 0.25, 1e-6);
  EXPECT_NEAR(playback.at(0.75).people[0].speed, 1, 1e-6);
}

TEST(Motion, TrailsReachBackAsFarAsAsked) {
  MemoryFrames source = oneWalker(5);
  MomentReader reader(source, 0);
  Playback playback(reader, 1);
  playback.at(0);
  EXPECT_EQ(playback.past(0).size(), 1u);
  playback.at(3.05);
  const std::vector<Past>& past = playback.past(0);
  EXPECT_LE(past.front().time, 2.05);
  EXPECT_GE(past.front().time, 1.85);
  EXPECT_NEAR(past.back().time, 3.0, 1e-9);
  for (const Past& p : past) EXPECT_NEAR(p.position.x, 1 + p.time, 1e-5);
  EXPECT_EQ(survey(source, 0, 0, kForever).frames, 51u);
}

}  // namespace
}  // namespace throng::draw
