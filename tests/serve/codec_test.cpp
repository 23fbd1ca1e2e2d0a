// Frames on the wire: what is written is what is read, in few bytes, whatever people do between two frames.
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <vector>

#include "serve/frame_codec.h"
#include "serve/published_frame.h"

namespace throng::serve {
namespace {

using Random = std::mt19937;

unsigned draw(Random& random, unsigned most) { return static_cast<unsigned>(random() % (std::uint64_t{most} + 1)); }

Walker anybody(Random& random, std::uint32_t id) {
  Walker w;
  w.id = id;
  w.x = draw(random, Box::kMost);
  w.y = draw(random, Box::kMost);
  w.z = static_cast<std::uint16_t>(draw(random, Box::kMostHeight));
  w.heading = static_cast<std::uint8_t>(draw(random, 255));
  w.speed = static_cast<std::uint8_t>(draw(random, 255));
  w.state = static_cast<std::uint8_t>(draw(random, 63));
  w.population = static_cast<std::uint8_t>(draw(random, 255));
  return w;
}

/// A crowd some moments later: some stay, some walk, some jump, some leave, some come.
std::vector<Walker> later(Random& random, const std::vector<Walker>& before, std::uint32_t widest_gap) {
  std::map<std::uint32_t, Walker> now;
  for (Walker w : before) {
    switch (random() % 6) {
      case 0:
        continue;
      case 1:
        break;
      case 2:
        w.x = draw(random, Box::kMost), w.z = static_cast<std::uint16_t>(draw(random, Box::kMostHeight));
        break;
      case 3:
        w.state = static_cast<std::uint8_t>(draw(random, 63));
        break;
      default:
        w.x = std::min(Box::kMost, w.x + draw(random, 140));
        w.y -= std::min(w.y, draw(random, 140));
        w.heading = static_cast<std::uint8_t>(random() & 255u);
    }
    now[w.id] = w;
  }
  std::uint32_t id = 1 + draw(random, widest_gap);
  for (unsigned i = 0; i < 40; ++i, id += 1 + draw(random, widest_gap))
    if (!now.contains(id) && !std::ranges::binary_search(before, id, {}, &Walker::id)) now[id] = anybody(random, id);
  std::vector<Walker> list;
  for (const auto& [key, w] : now) list.push_back(w);
  return list;
}

TEST(FrameCodec, ReadsWhatItWrote) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const Box box = Box::around({-double(seed), 3}, {700.0 * seed, 40}, -2, 30);
    std::vector<Walker> people = later(random, {}, seed % 2 == 0 ? 3 : 90'000'000);
    auto read = decodeFrame(encodeKeyFrame({1, 0.5, 77}, box, people), {});
    ASSERT_TRUE(read) << seed;
    EXPECT_EQ(read->walkers, people);
    EXPECT_EQ(read->box, box);
    for (std::uint32_t k = 2; k < 12; ++k) {
      const std::vector<Walker> next = later(random, people, seed % 2 == 0 ? 5 : 90'000'000);
      const FrameHead head{k, k * 0.1, k + 1000};
      read = decodeFrame(encodeDeltaFrame(head, people, next), *read);
      ASSERT_TRUE(read) << seed << ' ' << k;
      EXPECT_EQ(read->walkers, next);
      EXPECT_EQ(read->head, head);
      people = next;
    }
  }
}

TEST(FrameCodec, TakesAtMostTwelveBytesAPerson) {
  Random random(5);
  std::vector<Walker> people, walked;
  for (std::uint32_t id = 1; id <= 20'000; ++id) {
    people.push_back(anybody(random, id * 3));
    walked.push_back(people.back());
    walked.back().x = (walked.back().x + 60) & Box::kMost;
  }
  const std::size_t fixed = 64;
  EXPECT_LE(encodeKeyFrame({}, {}, people).size(), fixed + 12 * people.size());
  EXPECT_LE(encodeDeltaFrame({}, people, walked).size(), fixed + 5 * people.size());
  EXPECT_LE(encodeDeltaFrame({}, people, people).size(), fixed + people.size() / 4);
  // Everybody jumps at once: still no more.
  for (Walker& w : walked) w.z ^= 1u;
  EXPECT_LE(encodeDeltaFrame({}, people, walked).size(), fixed + 12 * people.size());
}

TEST(FrameCodec, RefusesWhatIsCutOrChanged) {
  Random random(9);
  const std::vector<Walker> people = later(random, {}, 100), next = later(random, people, 100);
  const std::string key = encodeKeyFrame({1, 0, 0}, {}, people), delta = encodeDeltaFrame({2, 0, 0}, people, next);
  const auto before = decodeFrame(key, {});
  ASSERT_TRUE(before);
  for (const std::string& bytes : {key, delta})
    for (std::size_t n = 0; n < bytes.size(); ++n) EXPECT_FALSE(decodeFrame(bytes.substr(0, n), *before)) << n;
  EXPECT_FALSE(decodeFrame(key + "x", *before));
  EXPECT_FALSE(decodeFrame(delta, {}));  // the frame before it is missing
  for (int i = 0; i < 20'000; ++i) {
    std::string wrong = i % 2 == 0 ? key : delta;
    for (unsigned k = 0; k < 1 + random() % 4; ++k) wrong[random() % wrong.size()] = static_cast<char>(random());
    decodeFrame(wrong, *before);  // anything but a crash
  }
}

/// Columns of a frame of people at random places.
struct Columns {
  explicit Columns(Random& random, std::size_t n, double size) {
    std::vector<std::uint32_t> ids;
    for (std::uint32_t i = 0; i < n; ++i) ids.push_back(1 + i * 7);
    std::shuffle(ids.begin(), ids.end(), random);
    copy.resize(n);
    std::uniform_real_distribution<float> place(-static_cast<float>(size), static_cast<float>(size)), turn(-3, 3);
    for (std::size_t i = 0; i < n; ++i) {
      copy.person[i] = ids[i];
      copy.x[i] = place(random), copy.y[i] = place(random), copy.z[i] = place(random) / 20;
      const float a = turn(random);
      copy.heading_x[i] = std::cos(a), copy.heading_y[i] = std::sin(a);
      copy.population[i] = static_cast<std::uint16_t>(random() % 300);
    }
  }
  FrameCopy copy;
};

TEST(PublishedFrame, HoldsEverybodyInTheOrderOfIdsWithinHalfAStep) {
  for (const double size : {5.0, 400.0, 9000.0}) {
    Random random(3);
    const Columns columns(random, 500, size);
    const Box box = boxFor(columns.copy.view(), Box::around({0, 0}, {1, 1}, 0, 1));
    const PublishedFrame frame = publish(columns.copy.view(), {}, box);
    ASSERT_EQ(frame.walkers.size(), 500U);
    for (std::size_t i = 0; i < 500; ++i) {
      const Walker& w = frame.walkers[i];
      EXPECT_EQ(w.id, 1 + i * 7);
      const auto row = static_cast<std::size_t>(
          std::find(columns.copy.person.begin(), columns.copy.person.end(), w.id) - columns.copy.person.begin());
      EXPECT_NEAR(box.x + w.x * box.step, columns.copy.x[row], box.step * 0.51 + 1e-9);
      EXPECT_NEAR(box.y + w.y * box.step, columns.copy.y[row], box.step * 0.51 + 1e-9);
      EXPECT_NEAR(box.z + w.z * box.height_step, columns.copy.z[row], box.height_step * 0.51 + 1e-9);
      const double angle = w.heading * 6.283185307 / 256;
      EXPECT_GT(std::cos(angle) * columns.copy.heading_x[row] + std::sin(angle) * columns.copy.heading_y[row], 0.9998);
    }
  }
}

TEST(ViewArea, SeesThoseInsideAndWithinTheMargin) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    Random random(seed);
    const Columns columns(random, 300, 100);
    const PublishedFrame frame = publish(columns.copy.view(), {}, boxFor(columns.copy.view(), {}));
    // A triangle, turned and mirrored at random.
    std::uniform_real_distribution<double> place(-120, 120);
    std::vector<Point> corners{
        {place(random), place(random)}, {place(random), place(random)}, {place(random), place(random)}};
    if (std::abs(det(corners[1] - corners[0], corners[2] - corners[0])) < 50) continue;
    std::vector<Walker> seen;
    ViewArea(corners).select(frame, 5, seen);
    std::vector<std::uint32_t> expected;
    const double turn = det(corners[1] - corners[0], corners[2] - corners[0]) > 0 ? 1 : -1;
    for (const Walker& w : frame.walkers) {
      const Point p{frame.box.x + w.x * frame.box.step, frame.box.y + w.y * frame.box.step};
      bool inside = true;
      for (int k = 0; k < 3; ++k) {
        const Point a = corners[k], along = normalized(corners[(k + 1) % 3] - a);
        inside = inside && turn * det(along, p - a) >= -5;
      }
      if (inside) expected.push_back(w.id);
    }
    std::vector<std::uint32_t> ids;
    for (const Walker& w : seen) ids.push_back(w.id);
    EXPECT_EQ(ids, expected) << seed;
  }
}

TEST(ViewArea, IsConvexAndFinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(ViewArea(std::vector<Point>{{0, 0}, {4, 0}, {1, 1}, {0, 4}}), InputError);
  EXPECT_THROW(ViewArea(std::vector<Point>{{0, 0}, {nan, 0}, {1, 1}}), InputError);
  EXPECT_THROW(ViewArea(std::vector<Point>{{0, 0}, {1, 0}}), InputError);
  EXPECT_NO_THROW(ViewArea(std::vector<Point>{{0, 0}, {0, 4}, {4, 4}, {4, 0}}));
}

TEST(Publish, HeadingsAreThoseOfTheArctangent) {
  std::mt19937 random(8);
  std::uniform_real_distribution<float> number(-1, 1);
  int different = 0;
  for (int i = 0; i < 100'000; ++i) {
    float x = number(random), y = number(random);
    if (i % 100 == 0) x = 0;
    if (i % 150 == 0) y = 0;
    const int off = (int(headingByte(x, y)) - int(exactHeadingByte(x, y)) + 384) % 256 - 128;
    ASSERT_LE(std::abs(off), 1) << x << ' ' << y;
    different += off != 0 ? 1 : 0;
  }
  EXPECT_LT(different, 4000);  // those that lie between two
  EXPECT_EQ(headingByte(0, 0), 0);
  EXPECT_EQ(headingByte(-1, 0), 128);
  EXPECT_EQ(headingByte(0, -1), 192);
}

}  // namespace
}  // namespace throng::serve
