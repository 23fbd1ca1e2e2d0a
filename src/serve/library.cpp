#include "serve/library.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include "throng/base.h"
#include "throng/files.h"

#include "base/output_target.h"
#include "serve/messages.h"

namespace throng::serve {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t kMostOfAFolder = 200, kMostRecent = 12, kLongestFileName = 200, kLongestDescription = 240;
constexpr std::uintmax_t kLargestToDescribe = 1u << 20;  ///< bytes of a scene that is opened for its description

struct Ending {
  const char* text;
  FileKind kind;
};
constexpr std::array<Ending, 16> kEndings{{{".json", FileKind::kScene},
                                           {".sqlite", FileKind::kRecording},
                                           {".sqlite3", FileKind::kRecording},
                                           {".db", FileKind::kRecording},
                                           {".h5", FileKind::kRecording},
                                           {".hdf5", FileKind::kRecording},
                                           {".txt", FileKind::kRecording},
                                           {".trajectory", FileKind::kRecording},
                                           {".csv", FileKind::kRecording},
                                           {".obj", FileKind::kModel},
                                           {".gltf", FileKind::kModel},
                                           {".glb", FileKind::kModel},
                                           {".dae", FileKind::kModel},
                                           {".ply", FileKind::kModel},
                                           {".wkt", FileKind::kModel},
                                           {".geojson", FileKind::kModel}}};

std::string endingOf(std::string_view name) {
  std::string ending = fs::path(name).extension().string();
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return ending;
}

/// What models name: data of a glTF, materials of an OBJ.
bool belongsToOthers(std::string_view name) {
  const std::string ending = endingOf(name);
  return ending == ".bin" || ending == ".mtl";
}

/// A whole sentence at most, as a list shows it.
std::string shortened(const std::string& text) {
  if (text.size() <= kLongestDescription) return text;
  std::size_t end = kLongestDescription;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // not within a letter
  return text.substr(0, end) + " …";
}

/// Nothing for a file that is no scene.
std::optional<std::string> descriptionOf(const fs::path& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  if (error) return {};
  if (size > kLargestToDescribe) return "";
  std::ifstream in(path, std::ios::binary);
  const json scene = json::parse(in, nullptr, false);
  if (!scene.is_object() || !(scene.contains("layers") || scene.contains("generate") || scene.contains("mesh") ||
                              scene.contains("populations") || scene.contains("places")))
    return {};
  const auto found = scene.find("description");
  return found != scene.end() && found->is_string() ? shortened(found->get<std::string>()) : "";
}

const char* kindText(FileKind kind) {
  return kind == FileKind::kScene ? "scene" : kind == FileKind::kRecording ? "recording" : "model";
}

std::string recentFile(const std::string& cache) { return cache + "/studio-recent.json"; }
std::string addressFile(const std::string& cache) { return cache + "/studio-address"; }

/// Replaces a file that only this user may read.
void writePrivate(const std::string& path, const std::string& bytes) {
  makeFolder(fs::path(path).parent_path().string());
  const std::string partial = fmt::format("{}.{}.partial", path, ::getpid());
  ::unlink(partial.c_str());
  const int file = ::open(partial.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  bool written = file >= 0;
  for (std::size_t at = 0; written && at < bytes.size();) {
    const ssize_t n = ::write(file, bytes.data() + at, bytes.size() - at);
    written = n > 0;
    if (written) at += static_cast<std::size_t>(n);
  }
  if (file >= 0) written = ::close(file) == 0 && written;
  if (written) written = ::rename(partial.c_str(), path.c_str()) == 0;
  if (written) return;
  const std::string why = std::strerror(errno);
  ::unlink(partial.c_str());
  throw FileError(fmt::format("{} cannot be written: {}", path, why));
}

std::vector<std::string> recentPaths(const std::string& cache) {
  std::vector<std::string> paths;
  if (cache.empty()) return paths;
  std::ifstream in(recentFile(cache), std::ios::binary);
  const json list = json::parse(in, nullptr, false);
  if (!list.is_array()) return paths;
  for (const json& path : list)
    if (path.is_string() && paths.size() < kMostRecent) paths.push_back(path.get<std::string>());
  return paths;
}

/// Files of a folder that can be opened, by name; scenes first looked into.
std::vector<fs::path> filesOf(const std::string& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator it(folder, fs::directory_options::skip_permission_denied, error), end;
       !error && it != end; it.increment(error)) {
    std::error_code ignored;
    const auto kind = fileKind(it->path().string());
    if (kind && endingOf(it->path().string()) != ".txt" && it->is_regular_file(ignored)) files.push_back(it->path());
    if (files.size() >= 5 * kMostOfAFolder) break;
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

bool leadsOut(const std::string& path) { return !base::inFolder(base::folderOf(path), path); }

std::optional<FileKind> fileKind(std::string_view name) {
  const std::string ending = endingOf(name);
  for (const Ending& known : kEndings)
    if (ending == known.text) return known.kind;
  return {};
}

const std::string& knownEndings() {
  static const std::string kAll = [] {
    std::string all;
    for (const Ending& ending : kEndings) all += (all.empty() ? "" : " ") + std::string(ending.text);
    return all;
  }();
  return kAll;
}

Library::Library(std::vector<std::string> folders, std::string cache, std::string drop)
    : folders_(std::move(folders)), cache_(std::move(cache)), drop_(std::move(drop)) {}

std::uint32_t Library::add(const std::string& path, const std::string& group) {
  for (const LibraryEntry& entry : entries_)
    if (entry.path == path && entry.group == group) return entry.number;
  const auto kind = fileKind(path);
  if (!kind) return 0;
  LibraryEntry entry;
  entry.number = static_cast<std::uint32_t>(entries_.size() + 1);
  entry.path = path;
  entry.group = group;
  entry.kind = *kind;
  if (*kind == FileKind::kScene) {
    const auto description = descriptionOf(path);
    if (!description && group != "dropped") return 0;
    entry.description = description.value_or("");
  }
  entries_.push_back(entry);
  return entry.number;
}

void Library::look() {
  shown_.clear();
  const auto show = [&](const std::string& path, const std::string& group) {
    std::error_code error;
    if (leadsOut(path)) return;
    const auto size = fs::file_size(path, error);
    if (error) return;
    const std::uint32_t number = add(path, group);
    if (number == 0 || std::find(shown_.begin(), shown_.end(), number) != shown_.end()) return;
    entries_[number - 1].size = size;
    shown_.push_back(number);
  };
  for (const std::uint32_t number : dropped_) shown_.push_back(number);
  for (const std::string& path : recentPaths(cache_)) show(path, "recent");
  for (const std::string& folder : folders_) {
    std::size_t n = 0;
    for (const fs::path& file : filesOf(folder)) {
      if (++n > kMostOfAFolder) break;
      const FileKind kind = *fileKind(file.string());
      show(file.string(), kind == FileKind::kScene ? "scenes" : kind == FileKind::kRecording ? "recordings" : "models");
    }
  }
}

std::string Library::message(bool shown) {
  const std::lock_guard lock(mutex_);
  look();
  json object{{"type", "library"}, {"shown", shown}, {"endings", knownEndings()}, {"entries", json::array()}};
  object["largest"] = kLargestUpload;
  for (const std::uint32_t number : shown_) {
    const LibraryEntry& entry = entries_[number - 1];
    const fs::path path(entry.path);
    object["entries"].push_back({{"entry", number},
                                 {"name", path.stem().string()},
                                 {"file", path.filename().string()},
                                 {"folder", entry.group == "dropped" ? "" : path.parent_path().string()},
                                 {"group", entry.group},
                                 {"kind", kindText(entry.kind)},
                                 {"size", entry.size},
                                 {"description", entry.description}});
  }
  return dumped(object);
}

std::optional<LibraryEntry> Library::find(std::uint32_t number) const {
  const std::lock_guard lock(mutex_);
  if (number == 0 || number > entries_.size() || leadsOut(entries_[number - 1].path)) return {};
  return entries_[number - 1];
}

void Library::opened(const std::string& path) {
  const std::lock_guard lock(mutex_);
  if (cache_.empty() || path.rfind(drop_ + "/", 0) == 0) return;
  std::error_code error;
  const std::string whole = fs::absolute(path, error).lexically_normal().string();
  std::vector<std::string> paths = recentPaths(cache_);
  std::erase(paths, whole);
  paths.insert(paths.begin(), whole);
  if (paths.size() > kMostRecent) paths.resize(kMostRecent);
  try {
    writePrivate(recentFile(cache_), json(paths).dump(1, ' ', false, json::error_handler_t::replace));
  } catch (const FileError&) {
    // A list that cannot be kept is no reason not to open the file.
  }
}

std::variant<Library::Place, std::string> Library::take(std::string_view name, std::uint64_t size,
                                                        std::uint32_t beside) {
  const std::lock_guard lock(mutex_);
  const bool plain = !name.empty() && name.size() <= kLongestFileName && name.front() != '.' &&
                     std::none_of(name.begin(), name.end(),
                                  [](unsigned char c) { return c < 32 || c == '/' || c == '\\' || c == 127; });
  if (!plain) return std::string("this is no name of a file");
  if (!fileKind(name) && !(beside > 0 && belongsToOthers(name)))
    return fmt::format("the studio opens files that end in {}", knownEndings());
  if (size > kLargestUpload) return fmt::format("the file is too large: {} MB at most", kLargestUpload >> 20);
  if (uploaded_ + size > kMostUploads) return std::string("there is no room for more files that are dropped here");
  if (beside > 0) {
    if (std::find(dropped_.begin(), dropped_.end(), beside) == dropped_.end())
      return std::string("there is nothing to put it beside");
    const std::string path = base::folderOf(entries_[beside - 1].path) + std::string(name);
    std::error_code there;
    if (fs::exists(fs::symlink_status(path, there))) return std::string("there is a file of this name already");
    uploaded_ += size;
    return Place{path};
  }
  uploaded_ += size;
  // Each in a folder of its own, so that a name may come again.
  const std::string folder = fmt::format("{}/{}", drop_, ++uploads_);
  std::error_code error;
  if (!fs::create_directory(folder, error)) return std::string("there is no place to put it");
  return Place{folder + "/" + std::string(name)};
}

std::uint32_t Library::taken(const std::string& path) {
  const std::lock_guard lock(mutex_);
  const std::string folder = base::folderOf(path);
  for (const std::uint32_t other : dropped_)  // it came beside that
    if (base::folderOf(entries_[other - 1].path) == folder) return 0;
  const std::uint32_t number = add(path, "dropped");
  if (number == 0) return 0;
  std::error_code error;
  entries_[number - 1].size = fs::file_size(path, error);
  dropped_.insert(dropped_.begin(), number);
  return number;
}

PrivateFolder::PrivateFolder() {
  const char* place = std::getenv("TMPDIR");
  std::string name = fmt::format("{}/throng-studio-XXXXXX", place != nullptr && *place != '\0' ? place : "/tmp");
  if (::mkdtemp(name.data()) == nullptr)  // 0700
    throw FileError(fmt::format("a folder for temporary files cannot be made in {}: {}",
                                fs::path(name).parent_path().string(), std::strerror(errno)));
  path_ = name;
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::optional<KeptAddress> readAddress(const std::string& cache) {
  const std::string path = addressFile(cache);
  struct stat found {};
  // Whatever others could have read or written is worth nothing.
  if (::lstat(path.c_str(), &found) != 0 || !S_ISREG(found.st_mode) || found.st_uid != ::geteuid() ||
      (found.st_mode & 077) != 0)
    return {};
  std::ifstream in(path);
  unsigned port = 0;
  KeptAddress address;
  in >> port >> address.token;
  const bool sound = in && port > 0 && port < 65536 && address.token.size() == 32 &&
                     address.token.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!sound) return {};
  address.port = static_cast<std::uint16_t>(port);
  return address;
}

void keepAddress(const std::string& cache, const KeptAddress& address) {
  writePrivate(addressFile(cache), fmt::format("{} {}\n", address.port, address.token));
}

}  // namespace throng::serve
