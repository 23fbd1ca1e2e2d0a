// Each person's way, from frame to frame: how long, how far, how fast, and whether they are stuck.
//
// Only what lies between two frames in a row that both show somebody is measured: somebody who is missing from a frame,
// or who changes layers (whose coordinates need not continue), is not followed across it.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <unordered_map>
#include <vector>

#include "throng/frame.h"
#include "throng/metrics.h"

namespace throng::metrics {

/// What somebody did between the last frame and this one.
struct Move {
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};

  bool known = false;           ///< false: not seen in the frame before, or on another layer
  Point from, to;               ///< m; `to` as it stands in the frame
  Point shift;                  ///< m; add to `to` where the border of a wrapped layer was crossed
  double start = 0;             ///< s
  double duration = 0;          ///< s
  double speed = 0;             ///< m/s
  bool on_way = false;          ///< known, and neither arrived before nor of a population without a goal
  std::uint32_t who = kNobody;  ///< place among everybody ever seen
  Point travelled;              ///< m, net, since they came into view or onto this layer
  bool changed_layer = false;   ///< not known, but seen in the frame before, at `from` on `from_layer`
  std::uint16_t from_layer = 0;
};

class Journeys {
 public:
  explicit Journeys(const MetricsSettings& settings);

  void arrive(const Arrival& arrival);
  /// Once per frame, before its people.
  void beginFrame(const Frame& frame);
  /// Row `row` of the frame that has begun.
  Move advance(const Frame& frame, std::size_t row);

  /// Was somebody on the way at that time?
  bool onWayAt(std::uint32_t person, std::uint16_t population, double time) const;

  /// Fills the report's fields about people, their ways and who is stuck.
  void report(MetricsReport& report) const;

 private:
  /// Places of the past for the stuck test: enough to cover stuck_time at kPerWindow marks in it.
  static constexpr std::size_t kPerWindow = 8;
  static constexpr std::size_t kMarks = kPerWindow + 2;
  /// Numbers below this have an entry of their own in dense_.
  static constexpr std::uint32_t kDense = 1u << 24;
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  /// Times that differ by less are the same moment: recordings round them.
  static constexpr double kSameTime = 1e-6;  // s

  struct Person {
    double first_seen = kNever;    ///< s
    double arrival = kNever;       ///< s
    double seen_since = 0;         ///< s; in every frame and on one layer since then
    Point place;                   ///< m, in the last frame that showed them
    Point travelled;               ///< m, net since seen_since, across wrapped borders
    double distance = 0;           ///< m, on the way
    double on_the_way = 0;         ///< s observed on the way
    double slow = 0;               ///< s of that below slow_speed
    double staying = 0;            ///< s between two ways, at a place
    double energy = 0;             ///< m²/s²: sum of |Δ(v²/2)| on the way
    double last_kinetic = -1;      ///< m²/s²: v²/2 in the last interval; negative: none
    std::uint64_t last_frame = 0;  ///< number of the frame that showed them last, counted from 1
    std::uint64_t first_mark = 0;  ///< the first mark made since seen_since
    std::uint32_t energy_steps = 0;
    std::uint16_t layer = 0;
    bool standing = false, endless = false;
    bool stays = false;              ///< in the last frame
    std::array<Vec2, kMarks> marks;  ///< m: `travelled` at mark m is in marks[m % kMarks]
  };

  /// Place in people_ of the person of that number.
  std::uint32_t personPlace(std::uint32_t number);
  void restart(Person& who, const Frame& frame, std::size_t row, Point place);
  void measure(Person& who, const Move& move) const;
  static bool staysNow(const Frame& frame, std::size_t row, const Person& who);
  bool onWay(const Person& who, const Move& move) const;
  bool stuck(const Person& who) const;

  double slow_speed_, stuck_time_, stuck_distance_;
  std::vector<std::optional<Rectangle>> wrap_;
  std::vector<std::uint16_t> standing_, endless_;

  std::vector<Person> people_;        ///< in order of appearance here
  std::vector<std::uint32_t> dense_;  ///< person number → place in people_ + 1, for the usual small numbers
  std::unordered_map<std::uint32_t, std::uint32_t> sparse_;  ///< the same for large ones (other programs' recordings)
  std::uint64_t arrivals_ = 0;

  std::uint64_t frames_ = 0;
  double time_ = 0, last_time_ = 0;       ///< s, of this frame and the one before
  std::uint64_t marks_ = 0;               ///< made so far
  bool marking_ = false;                  ///< in this frame
  std::array<double, kMarks> mark_time_;  ///< s, of mark m in [m % kMarks]
};

}  // namespace throng::metrics
