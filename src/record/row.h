// What every format of recording comes down to: rows that say where one person was in one frame.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "throng/frame.h"
#include "throng/scene.h"

namespace throng::record {

/// m; for files that do not say how wide people are.
inline constexpr float kDefaultRadius = 0.25f;
/// Frames per second of a CSV file without times.
inline constexpr double kDefaultFrameRate = 10;

struct Row {
  std::int64_t frame = 0;
  std::int64_t id = 0;
  double x = 0, y = 0, z = 0;          // m
  float heading_x = 0, heading_y = 0;  // unit vector; zero when the file does not say
  std::uint16_t population = 0;
  std::uint64_t place = 0;  // line or row of the file, from 1
};

struct Person {
  std::uint16_t population = 0;
  float radius = kDefaultRadius;
};

/// What a recording holds beside its rows.
struct Facts {
  double frames_per_second = kDefaultFrameRate;
  std::string geometry_wkt;                           ///< empty when not known
  std::string scene_json;                             ///< empty when not known
  std::vector<std::string> populations;               ///< names; empty when not known
  bool headings = false;                              ///< the rows hold them
  std::optional<std::vector<std::int64_t>> frames;    ///< ascending, when listed apart from the rows
  std::unordered_map<std::uint32_t, Person> persons;  ///< empty when not known
  std::optional<std::vector<Arrival>> arrivals;       ///< by time, when the file holds them
  std::optional<std::vector<Change>> changes;         ///< as they happened, when the file has room for them
  bool layers = false;                                ///< the file says on which layer people are
};

/// Throws InputError about a file. `line` from 1, or 0 when there are no lines.
[[noreturn]] void badInput(const std::string& file, const std::string& message, std::uint64_t line = 0);

/// A recording as a stream of rows.
class RowSource {
 public:
  virtual ~RowSource() = default;
  /// Complete only after one pass over the rows for formats that spread it over them.
  virtual const Facts& facts() const = 0;
  /// False at the end.
  virtual bool next(Row& row) = 0;
  virtual void rewind() = 0;
  /// Like rewind(), but the rows of this frame come first, and those before it not at all. False, and nothing done,
  /// where that takes reading them.
  virtual bool rewindTo(std::int64_t frame) {
    (void)frame;
    return false;
  }
  /// Gives rows by frame from the next rewind() on, if the format can sort without this program's memory.
  virtual bool orderByFrame() { return false; }
  /// Fills in what the file keeps per frame instead of per row. People are in ascending order.
  virtual void complete(FrameCopy&) {}
  /// "row" or "line", for messages.
  virtual const char* placeName() const = 0;
};

/// Puts the people of a frame in ascending order.
void sortByPerson(FrameCopy& frame);

}  // namespace throng::record
