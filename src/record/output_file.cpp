#include "record/output_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/writer.h"

namespace throng::record {
namespace {

namespace fs = std::filesystem;

/// SQLite keeps these beside a database that a killed program left; they belong to it and go where it goes.
constexpr const char* kSideFiles[] = {"", "-wal", "-shm", "-journal"};

}  // namespace

void failFile(const std::string& path, int error) {
  throw FileError(fmt::format("{}: {}", path, std::strerror(error)));
}

void refuseExisting(const std::string& path) {
  struct stat status;
  if (::lstat(path.c_str(), &status) == 0) {
    throw FileError(fmt::format("{} exists already; choose another name, or use --force to replace it", path));
  }
}

NameClaim::NameClaim(const std::string& path, bool overwrite) : path_(path) {
  std::error_code error;
  const fs::file_status status = fs::status(path_, error);
  if (fs::is_directory(status)) failFile(path_, EISDIR);
  if (!overwrite) {
    refuseExisting(path_);
  } else if (fs::exists(status) && !fs::is_regular_file(status)) {
    device_ = true;  // /dev/null, a pipe: nothing to replace
    return;
  } else if (fs::exists(status)) {
    if (::access(path_.c_str(), W_OK) != 0) failFile(path_, errno);
    if (fs::is_symlink(path_, error)) path_ = fs::canonical(path_).string();
    moveAside();
  }
  const int descriptor = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) {
    const int reason = errno;
    if (!aside_.empty()) {
      for (const auto* side : kSideFiles) ::rename((aside_ + side).c_str(), (path_ + side).c_str());
    }
    if (reason == EEXIST) refuseExisting(path_);
    failFile(path_, reason);
  }
  ::close(descriptor);
  // Left by a database that is no longer there; SQLite would take them for the new one's.
  for (const auto* side : kSideFiles) {
    if (*side != '\0') ::unlink((path_ + side).c_str());
  }
}

void NameClaim::moveAside() {
  for (int i = 0; aside_.empty() || fs::exists(aside_); ++i) aside_ = fmt::format("{}.old{}", path_, i);
  if (::rename(path_.c_str(), aside_.c_str()) != 0) {
    const int reason = errno;
    aside_.clear();
    failFile(path_, reason);
  }
  for (const auto* side : kSideFiles) {
    if (*side != '\0') ::rename((path_ + side).c_str(), (aside_ + side).c_str());
  }
}

void NameClaim::keep() {
  kept_ = true;
  if (aside_.empty()) return;
  for (const auto* side : kSideFiles) ::unlink((aside_ + side).c_str());
}

NameClaim::~NameClaim() {
  if (kept_ || device_) return;
  for (const auto* side : kSideFiles) {
    ::unlink((path_ + side).c_str());
    if (!aside_.empty()) ::rename((aside_ + side).c_str(), (path_ + side).c_str());
  }
}

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) failFile(path_, errno);
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void OutputFile::writeAt(std::size_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) failFile(path_, errno);
    offset += static_cast<std::size_t>(written);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void OutputFile::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) failFile(path_, errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void OutputFile::truncate(std::size_t size) noexcept {
  // Nothing can be done when this fails too: the reader copes with what follows the last whole frame.
  if (descriptor_ >= 0 && ::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) return;
}

void OutputFile::close() {
  if (descriptor_ < 0) return;
  // EINVAL, EROFS: a device or pipe that has no disk behind it.
  const bool failed = ::fdatasync(descriptor_) != 0 && errno != EINVAL && errno != EROFS && errno != ENOTSUP;
  const int reason = errno;
  const int closed = ::close(descriptor_);
  descriptor_ = -1;
  if (failed) failFile(path_, reason);
  if (closed != 0 && errno != EINTR) failFile(path_, errno);
}

}  // namespace throng::record
