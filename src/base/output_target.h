// Where a file that somebody names will really be, and whether it can be written there.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace throng::base {

struct OutputTarget {
  std::string path;     ///< links followed
  bool exists = false;  ///< and may be replaced
  bool device = false;  ///< or a pipe: written to as it is
};

/// Throws FileError when there is no such folder, the path is a folder, or it exists and may not be replaced.
OutputTarget outputTarget(const std::string& path, bool replace);

/// Makes an empty file in the folder of `target`, under the name that `name(i)` gives for the first i = 0, 1, 2 … that
/// is free, and returns its path. Throws FileError about `path`.
template <class Name>
std::string newFileBeside(const std::string& path, const OutputTarget& target, const Name& name);

/// The part of a path up to and with the last '/', and the rest.
std::string folderOf(const std::string& path);
std::string nameOf(const std::string& path);

/// The path with links followed, when it then lies in the folder or beneath it; nothing when it leads out of it.
std::optional<std::string> inFolder(const std::string& folder, const std::string& path);

/// True when the file was made, false when the name is taken. Throws FileError about `path` for anything else.
bool makeEmptyFile(const std::string& file, const std::string& path);

/// Writes all of it, with as many system calls as it takes. The error, or 0.
int writeAll(int descriptor, std::string_view bytes);
/// Waits until the disk has it; a device or a pipe has no disk behind it. The error, or 0.
int waitForDisk(int descriptor);

/// "run.sqlite cannot be written: No space left on device"
[[noreturn]] void cannotWrite(const std::string& path, int error);

template <class Name>
std::string newFileBeside(const std::string& path, const OutputTarget& target, const Name& name) {
  for (int i = 0;; ++i) {
    std::string file = folderOf(target.path) + name(i);
    if (makeEmptyFile(file, path)) return file;
  }
}

}  // namespace throng::base
