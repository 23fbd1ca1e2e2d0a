// The files that a verb is going to write, looked at before it does any work.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace throng::app {

class Outputs {
 public:
  /// `replace`: --force was given.
  explicit Outputs(bool replace) : replace_(replace) {}

  /// A file that the verb reads and must not write over. `option`: what the user named it with, for messages.
  void reads(const std::string& option, const std::string& path);
  /// A file that it writes; nothing when the path is empty. Throws FileError when it cannot be written there, or is
  /// read or written besides. `make_folder`: its folder is made where it is missing.
  void writes(const std::string& option, const std::string& path, bool make_folder = true);

 private:
  bool replace_;
  std::vector<std::pair<std::string, std::string>> taken_;  ///< option and path
};

/// The folder of a file that is going to be written, made where it is missing; at the end it goes again when nothing
/// has come to be in it.
class FolderFor {
 public:
  explicit FolderFor(const std::string& path);
  ~FolderFor();
  FolderFor(const FolderFor&) = delete;
  FolderFor& operator=(const FolderFor&) = delete;

 private:
  std::vector<std::string> made_;  ///< the outer ones first
};

/// Where to write when the user named no file: out/NAME.ENDING, or the first of out/NAME-2, -3 … that is free.
std::string freeName(const std::string& name, const std::string& ending);

}  // namespace throng::app
