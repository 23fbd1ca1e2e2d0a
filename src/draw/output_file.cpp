#include "draw/output_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <unistd.h>

#include "throng/base.h"

namespace throng::draw {

std::string checkedExtension(const std::string& path, const std::vector<std::string>& allowed) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (std::find(allowed.begin(), allowed.end(), extension) != allowed.end()) return extension;
  throw InputError(
      fmt::format("the name \"{}\" ends in \"{}\"; allowed: {}", path, extension, fmt::join(allowed, ", ")));
}

OutputFile::OutputFile(const std::string& path, bool overwrite)
    : path_(path), partial_(fmt::format("{}.{}.partial", path, getpid())), overwrite_(overwrite) {
  refuseExisting();
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code ignored;
  if (!folder.empty() && !std::filesystem::is_directory(folder, ignored))
    throw FileError(fmt::format("{} cannot be written: there is no folder {}", path, folder.string()));
}

OutputFile::~OutputFile() {
  std::error_code ignored;
  std::filesystem::remove(partial_, ignored);
}

void OutputFile::refuseExisting() const {
  std::error_code ignored;
  if (std::filesystem::is_directory(path_, ignored))
    throw FileError(fmt::format("{} cannot be written: it is a folder", path_));
  if (!overwrite_ && std::filesystem::exists(path_, ignored))
    throw FileError(fmt::format("{} exists already; use --force to replace it, or another name", path_));
}

void OutputFile::write(const std::string& bytes) {
  std::ofstream file(partial_, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) throw FileError(fmt::format("{} cannot be written: {}", path_, std::strerror(errno)));
}

void OutputFile::keep() {
  refuseExisting();
  std::error_code error;
  std::filesystem::rename(partial_, path_, error);
  if (error) throw FileError(fmt::format("{} cannot be written: {}", path_, error.message()));
}

}  // namespace throng::draw
