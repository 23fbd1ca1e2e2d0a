// Frames out of rows: gathers the rows of one frame, checks them, and works out what the file leaves open (headings
// from motion, arrivals from who is seen no more).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "record/row.h"

namespace throng::record {

class FrameReader {
 public:
  /// `name` of the file, for messages. Throws InputError when the rows are not a recording.
  FrameReader(std::unique_ptr<RowSource> rows, std::string name);

  const Facts& facts() const { return rows_->facts(); }
  std::uint64_t frameCount() const { return frames_.size(); }
  std::uint64_t personCount() const { return person_count_; }
  bool next(FrameCopy& frame, std::vector<Arrival>* arrivals);
  void rewind();
  /// next() goes on with the first frame at or after a time (s), where the rows can be found without reading those
  /// before. Else, and when that frame is near or lies behind, nothing happens.
  void skipTo(double time);
  /// s, of the last frame; 0 when there is none.
  double lastTime() const {
    return frames_.empty() ? 0 : static_cast<double>(frames_.back()) / facts().frames_per_second;
  }

 private:
  void survey();
  void check(const Row& row) const;
  bool gather(FrameCopy& frame);
  void headFromMotion(FrameCopy& frame) const;
  [[noreturn]] void bad(const Row& row, const std::string& message) const;

  std::unique_ptr<RowSource> rows_;
  std::string name_;
  std::vector<std::int64_t> frames_;
  std::vector<Arrival> arrivals_;
  std::uint64_t person_count_ = 0;

  std::size_t next_frame_ = 0;  ///< into frames_: the next to gather
  std::size_t next_arrival_ = 0;
  std::size_t given_ = 0;  ///< frames given out
  Row pending_;            ///< first row of the next frame
  bool has_pending_ = false;
  FrameCopy before_, ahead_;  ///< for headings from motion
  bool has_ahead_ = false;
};

}  // namespace throng::record
