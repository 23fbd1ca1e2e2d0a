// A file that bytes are appended to, and the claiming of its name.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace throng::record {

/// Makes the name of a new recording ours. A free name is used from the start, so that a killed run leaves its
/// recording there. A recording that is to be replaced stays as it is until the new one is whole: that is written
/// beside it, as NAME.part.ENDING (or .part-2, -3 … where one of another run is), which is what a killed run leaves.
class NameClaim {
 public:
  /// Throws FileError. Afterwards `path()` is an empty file (or a device). `always_beside`: a free name, too, is only
  /// taken when the file is whole.
  NameClaim(const std::string& path, bool overwrite, bool always_beside = false);
  /// Removes the new file, unless it was begun or kept.
  ~NameClaim();
  NameClaim(const NameClaim&) = delete;
  NameClaim& operator=(const NameClaim&) = delete;

  /// Where to write.
  const std::string& path() const { return path_; }
  /// True until keep() where the old file is still in its place.
  bool beside() const { return beside_; }
  const std::string& target() const { return target_; }
  /// There is something in the file: from now on it stays, whatever happens.
  void begun() { begun_ = true; }
  /// It is whole: puts it in its place. Throws FileError.
  void keep();

 private:
  std::string path_, target_;  ///< links followed
  bool beside_ = false, device_ = false, begun_ = false;
};

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
