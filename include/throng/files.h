// Files that are there whole or not at all, with errors that say in plain words what is wrong.
#pragma once

#include <string>
#include <string_view>

#pragma GCC visibility push(default)
namespace throng {

/// Everything that is in a file. Throws FileError: it is not there, it is a folder, it may not be read.
std::string readFile(const std::string& path);

/// Throws FileError unless a file can be written to this path now: its folder is there and may be written, it is not a
/// folder itself, and it does not exist unless it may be replaced (else FileExistsError). Leaves everything as it was.
void checkOutput(const std::string& path, bool replace);

/// Makes a folder and those above it where they are missing. Throws FileError.
void makeFolder(const std::string& path);

/// Are these the same file, or would they be once they are written?
bool sameFile(const std::string& a, const std::string& b);

/// A file that is written beside its place, as NAME.PROCESS.partial, and put there by keep() when it is complete.
/// Without keep() nothing is left behind, and what was there before stays. A link stays a link: the file it leads to is
/// replaced. Devices and pipes are written to as they are.
class WholeFile {
 public:
  /// As checkOutput() does.
  WholeFile(const std::string& path, bool replace);
  ~WholeFile();
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  /// Where to write until then; an empty file at first.
  const std::string& partial() const { return partial_; }
  /// All of it. Throws FileError when it cannot be written (the disk is full, say).
  void write(std::string_view bytes);
  /// Throws FileError when it cannot be put in its place.
  void keep();

 private:
  std::string path_;     ///< as it was given, for messages
  std::string target_;   ///< links followed
  std::string partial_;  ///< the target itself for a device
  bool replace_, device_ = false;
};

/// A file at once: whole, or an error and what was there before.
void writeFile(const std::string& path, std::string_view bytes, bool replace);

}  // namespace throng
#pragma GCC visibility pop
