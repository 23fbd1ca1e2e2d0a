#include "outputs.h"

#include <filesystem>
#include <fmt/format.h>

#include "throng/base.h"
#include "throng/files.h"

namespace throng::app {

namespace fs = std::filesystem;

void Outputs::reads(const std::string& option, const std::string& path) {
  if (!path.empty()) taken_.emplace_back(option, path);
}

void Outputs::writes(const std::string& option, const std::string& path, bool make_folder) {
  if (path.empty()) return;
  for (const auto& [other, file] : taken_)
    if (sameFile(file, path))
      throw FileError(fmt::format("{} {} and {} {} are the same file; choose another name", other, file, option, path));
  if (make_folder) makeFolder(fs::path(path).parent_path().string());
  checkOutput(path, replace_);
  taken_.emplace_back(option, path);
}

FolderFor::FolderFor(const std::string& path) {
  std::error_code error;
  const fs::path folder = fs::path(path).parent_path();
  for (fs::path p = folder; !p.empty() && !fs::exists(p, error) && !error; p = p.parent_path())
    made_.insert(made_.begin(), p.string());
  makeFolder(folder.string());
}

FolderFor::~FolderFor() {
  std::error_code in_use;
  for (auto folder = made_.rbegin(); folder != made_.rend(); ++folder) fs::remove(*folder, in_use);
}

std::string freeName(const std::string& name, const std::string& ending) {
  // A name of a scene may be anything; that of a file may not.
  std::string file = name.substr(0, 100);
  for (char& c : file)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '/' || c == '\\') c = '-';
  if (file.empty() || file.front() == '.') file.insert(0, "scene");
  const fs::path folder = "out";
  const auto taken = [](const fs::path& path) {
    std::error_code error;
    return fs::symlink_status(path, error).type() != fs::file_type::not_found && !error;
  };
  fs::path path = folder / (file + ending);
  for (int i = 2; taken(path); ++i) path = folder / fmt::format("{}-{}{}", file, i, ending);
  return path.string();
}

}  // namespace throng::app
