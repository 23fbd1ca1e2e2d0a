// Frames to a file. Writers are used by one thread at a time; the Recorder gives them one of their own.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "throng/recording.h"

#include "record/row.h"

namespace throng::record {

class Writer {
 public:
  /// What was not committed is lost, as if the program had been killed.
  virtual ~Writer() = default;
  /// People in ascending order; `number` greater than that of any frame before. Throws FileError, as all here do.
  virtual void write(std::int64_t number, const FrameCopy& frame, std::span<const Arrival> arrivals) = 0;
  /// Who arrived after the last frame. Formats without arrivals leave it alone.
  virtual void writeArrivals(std::span<const Arrival>) {}
  /// What has changed up to the next frame. Formats without room for it let it go.
  virtual void writeChange(const Change&) {}
  /// After this the file is whole, with every frame written so far, whatever happens to the program.
  virtual void commit() = 0;
  /// Commits, and closes the file. Nothing may be written after it.
  virtual void finish() = 0;
};

/// What a new recording is told beside its frames: rate, geometry, scene and populations of `facts`.
/// `path` must be an empty file, or none. On failure no file is left there.
std::unique_ptr<Writer> makeWriter(const std::string& path, RecordingFormat format, const Facts& facts);

std::unique_ptr<Writer> makeSqliteWriter(const std::string& path, const Facts& facts);
std::unique_ptr<Writer> makeTextWriter(const std::string& path, const Facts& facts);
std::unique_ptr<Writer> makeCsvWriter(const std::string& path, const Facts& facts);
std::unique_ptr<Writer> makeHdf5Writer(const std::string& path, const Facts& facts);

/// "run.sqlite: No space left on device"
[[noreturn]] void failFile(const std::string& path, int error);

}  // namespace throng::record
