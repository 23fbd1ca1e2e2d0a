#include "record/output_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

#include "base/output_target.h"
#include "record/writer.h"

namespace throng::record {
namespace {

namespace fs = std::filesystem;

/// SQLite keeps these beside a database that a killed program left; they belong to it and go where it goes.
constexpr const char* kSideFiles[] = {"-wal", "-shm", "-journal"};

void removeSideFiles(const std::string& path) {
  for (const auto* side : kSideFiles) ::unlink((path + side).c_str());
}

}  // namespace

void failFile(const std::string& path, int error) {
  throw FileError(fmt::format("{}: {}", path, std::strerror(error)));
}

NameClaim::NameClaim(const std::string& path, bool overwrite, bool always_beside) {
  const base::OutputTarget target = base::outputTarget(path, overwrite);
  target_ = path_ = target.path;
  device_ = target.device;
  if (device_) return;  // nothing to replace
  beside_ = target.exists || always_beside;
  if (!beside_) {
    // Not there a moment ago; whoever was quicker keeps it.
    if (!base::makeEmptyFile(path_, path)) base::outputTarget(path, false);
    // Left by a database that is no longer there; SQLite would take them for the new one's.
    removeSideFiles(path_);
    return;
  }
  const fs::path name = base::nameOf(target_);
  const std::string stem = name.stem().string().substr(0, 200), ending = name.extension().string();
  path_ = base::newFileBeside(path, target, [&](int i) {
    return i == 0 ? fmt::format("{}.part{}", stem, ending) : fmt::format("{}.part-{}{}", stem, i + 1, ending);
  });
  removeSideFiles(path_);
}

void NameClaim::keep() {
  begun_ = true;
  if (!beside_) return;
  // Of a database that is replaced; SQLite would take them for the new one's.
  removeSideFiles(target_);
  if (::rename(path_.c_str(), target_.c_str()) != 0) base::cannotWrite(target_, errno);
  // Somebody who reads the new one keeps its log alive.
  for (const auto* side : kSideFiles) ::rename((path_ + side).c_str(), (target_ + side).c_str());
  path_ = target_;
  beside_ = false;
}

NameClaim::~NameClaim() {
  if (begun_ || device_) return;
  ::unlink(path_.c_str());
  removeSideFiles(path_);
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
  if (const int error = base::writeAll(descriptor_, bytes)) failFile(path_, error);
}

void OutputFile::truncate(std::size_t size) noexcept {
  // Nothing can be done when this fails too: the reader copes with what follows the last whole frame.
  if (descriptor_ >= 0 && ::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) return;
}

void OutputFile::close() {
  if (descriptor_ < 0) return;
  const int failed = base::waitForDisk(descriptor_);
  const int closed = ::close(descriptor_);
  descriptor_ = -1;
  if (failed) failFile(path_, failed);
  if (closed != 0 && errno != EINTR) failFile(path_, errno);
}

}  // namespace throng::record
