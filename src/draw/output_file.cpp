#include "draw/output_file.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "throng/base.h"
#include "throng/draw.h"

#include "draw/encoder.h"

namespace throng::draw {

std::string checkedExtension(const std::string& path, const std::vector<std::string>& allowed) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (std::find(allowed.begin(), allowed.end(), extension) != allowed.end()) return extension;
  throw InputError(
      fmt::format("the name \"{}\" ends in \"{}\"; allowed: {}", path, extension, fmt::join(allowed, ", ")));
}

}  // namespace throng::draw

namespace throng {

void checkPictureName(const std::string& path, bool film) {
  const std::string extension = draw::checkedExtension(
      path, film ? std::vector<std::string>{".png", ".svg", ".mp4"} : std::vector<std::string>{".png", ".svg"});
  if (extension == ".mp4") draw::requireEncoder();
}

}  // namespace throng
