// A file that bytes are appended to, and the claiming of its name.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace throng::record {

/// Makes the name of a new recording ours: refuses an existing file unless `overwrite`, and keeps an existing one aside
/// until the new one has been made, so that a failure leaves it as it was.
class NameClaim {
 public:
  /// Throws FileError. Afterwards `path()` is an empty file (or a device).
  NameClaim(const std::string& path, bool overwrite);
  /// Restores the old file unless kept.
  ~NameClaim();
  NameClaim(const NameClaim&) = delete;
  NameClaim& operator=(const NameClaim&) = delete;

  const std::string& path() const { return path_; }
  /// The new file is there: removes the old one.
  void keep();

 private:
  void moveAside();

  std::string path_;
  std::string aside_;  ///< where the old file is meanwhile; empty when there was none
  bool device_ = false;
  bool kept_ = false;
};

/// Throws FileError when `path` exists and is not to be replaced.
void refuseExisting(const std::string& path);

/// Bytes written to a place in a file with as many system calls as it takes. Throws FileError.
class OutputFile {
 public:
  /// Opens a file for writing; throws FileError.
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  const std::string& path() const { return path_; }
  /// At a place in the file.
  void writeAt(std::size_t offset, std::string_view bytes);
  /// After what was written last; for devices and pipes too.
  void append(std::string_view bytes);
  /// Cuts the file; best effort, for tidying up after a failure.
  void truncate(std::size_t size) noexcept;
  /// Waits for the disk and closes.
  void close();

 private:
  std::string path_;
  int descriptor_ = -1;
};

}  // namespace throng::record
