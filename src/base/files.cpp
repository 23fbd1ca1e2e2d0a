#include "throng/files.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "throng/base.h"

#include "base/output_target.h"

namespace throng {
namespace {

namespace fs = std::filesystem;
using base::cannotWrite;

/// An open file, closed at the end whatever happens.
struct Descriptor {
  explicit Descriptor(int opened) : number(opened) {}
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number;
};

[[noreturn]] void cannotRead(const std::string& path, const std::string& why) {
  throw FileError(fmt::format("{} cannot be read: {}", path, why));
}

std::string reason(int error) {
  switch (error) {
    case EISDIR:
      return "it is a folder";
    case ENOENT:
      return "there is no such file";
    default:
      return std::strerror(error);
  }
}

/// What stands in the way of `folder` being a folder; empty when it is one.
std::string wrongWithFolder(const std::string& folder) {
  struct stat status;
  if (::stat(folder.c_str(), &status) == 0)
    return S_ISDIR(status.st_mode) ? "" : fmt::format("{} is a file, not a folder", folder);
  const int error = errno;
  if (::lstat(folder.c_str(), &status) == 0 && S_ISLNK(status.st_mode))
    return fmt::format("{} is a link to something that is not there", folder);
  return error == ENOENT ? fmt::format("there is no folder {}", folder)
                         : fmt::format("{}: {}", folder, std::strerror(error));
}

std::string withoutSlash(std::string folder) {
  while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
  return folder.empty() ? "." : folder;
}

/// Also for what is not there yet: its folder as it is, and its name.
fs::path wholePath(const std::string& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error);  // of a relative one, nothing is there to begin with
  const fs::path whole = fs::weakly_canonical(absolute, error);
  return error ? absolute.lexically_normal() : whole;
}

}  // namespace

namespace base {

std::string folderOf(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }
std::string nameOf(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::optional<std::string> inFolder(const std::string& folder, const std::string& path) {
  // Absolute first: of a relative path nothing may be there to begin with.
  std::error_code of_root, of_path;
  const fs::path root = fs::weakly_canonical(fs::absolute(folder.empty() ? "." : folder, of_root), of_root);
  const fs::path whole = fs::weakly_canonical(fs::absolute(path, of_path), of_path);
  const fs::path inside = whole.lexically_relative(root);
  if (of_root || of_path || inside.empty() || *inside.begin() == "..") return {};
  // A link that is left is one to what is not there yet.
  fs::path above = root;
  for (const fs::path& part : inside)
    if (fs::is_symlink(fs::symlink_status(above /= part, of_path))) return {};
  return whole.string();
}

void cannotWrite(const std::string& path, int error) {
  throw FileError(fmt::format("{} cannot be written: {}", path, reason(error)));
}

bool makeEmptyFile(const std::string& file, const std::string& path) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0 && errno == EEXIST) return false;
  if (descriptor < 0) cannotWrite(path, errno);
  ::close(descriptor);
  return true;
}

int writeAll(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

int waitForDisk(int descriptor) {
  if (::fdatasync(descriptor) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP) return 0;
  return errno;
}

OutputTarget outputTarget(const std::string& path, bool replace) {
  const auto refuse = [&](const std::string& why) {
    throw FileError(fmt::format("{} cannot be written: {}", path, why));
  };
  if (path.empty()) throw FileError("a file without a name cannot be written");
  if (path.find('\0') != std::string::npos)
    throw FileError("a file whose name has a zero byte in it cannot be written");
  OutputTarget target{path, false, false};
  struct stat status;
  const bool named = ::lstat(path.c_str(), &status) == 0;
  if (!named && errno != ENOENT && errno != ENOTDIR) cannotWrite(path, errno);
  if (named && S_ISLNK(status.st_mode)) {
    std::error_code error;
    const fs::path whole = fs::canonical(path, error);
    if (error) refuse("it is a link to something that is not there");
    target.path = whole.string();
  }
  if (named && ::stat(target.path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) refuse("it is a folder");
    if (!replace) throw FileExistsError(fmt::format("{} exists already", path));
    target.exists = true;
    target.device = !S_ISREG(status.st_mode);
    if (::access(target.path.c_str(), W_OK) != 0) cannotWrite(path, errno);
  }
  const std::string folder = withoutSlash(folderOf(target.path));
  if (const std::string wrong = wrongWithFolder(folder); !wrong.empty()) refuse(wrong);
  if (nameOf(path).empty()) refuse("it names a folder, not a file");
  return target;
}

}  // namespace base

std::string readFile(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number < 0) cannotRead(path, reason(errno));
  struct stat status;
  if (::fstat(file.number, &status) != 0) cannotRead(path, reason(errno));
  if (S_ISDIR(status.st_mode)) cannotRead(path, reason(EISDIR));
  if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode)) cannotRead(path, "it is a device, not a file");
  std::string bytes;
  bytes.resize(S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) + 1 : 1u << 16);
  std::size_t size = 0;
  for (;;) {
    const ssize_t got = ::read(file.number, bytes.data() + size, bytes.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) cannotRead(path, reason(errno));
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
    if (size == bytes.size()) bytes.resize(2 * size);
  }
  bytes.resize(size);
  return bytes;
}

void checkOutput(const std::string& path, bool replace) { const WholeFile probe(path, replace); }

void makeFolder(const std::string& path) {
  if (path.empty()) return;
  std::error_code error;
  // What is in the way may be the folder itself or one above it: the first that is there and is no folder.
  fs::path above;
  for (const fs::path& part : fs::path(path)) {
    above /= part;
    if (fs::symlink_status(above, error).type() == fs::file_type::not_found) break;
    if (const std::string wrong = wrongWithFolder(above.string()); !wrong.empty())
      throw FileError(fmt::format("the folder {} cannot be made: {}", path, wrong));
  }
  fs::create_directories(path, error);
  if (error) throw FileError(fmt::format("the folder {} cannot be made: {}", path, error.message()));
}

bool sameFile(const std::string& a, const std::string& b) {
  std::error_code error;
  if (fs::equivalent(a, b, error)) return true;
  return wholePath(a) == wholePath(b);
}

WholeFile::WholeFile(const std::string& path, bool replace) : path_(path), replace_(replace) {
  const base::OutputTarget target = base::outputTarget(path, replace);
  target_ = target.path;
  device_ = target.device;
  partial_ = target_;
  if (device_) return;
  // Names may have 255 bytes.
  const std::string name = base::nameOf(target_).substr(0, 200);
  partial_ = base::newFileBeside(path, target, [&](int i) {
    return i == 0 ? fmt::format("{}.{}.partial", name, ::getpid())
                  : fmt::format("{}.{}-{}.partial", name, ::getpid(), i);
  });
  struct stat status;  // the new file may be read and written by whom the old one may
  if (target.exists && ::stat(target_.c_str(), &status) == 0) (void)::chmod(partial_.c_str(), status.st_mode & 07777);
}

WholeFile::~WholeFile() {
  if (!device_ && !partial_.empty()) ::unlink(partial_.c_str());
}

void WholeFile::write(std::string_view bytes) {
  const Descriptor file(::open(partial_.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC));
  if (file.number < 0) cannotWrite(path_, errno);
  if (const int error = base::writeAll(file.number, bytes)) cannotWrite(path_, error);
  if (const int error = base::waitForDisk(file.number)) cannotWrite(path_, error);
}

void WholeFile::keep() {
  if (device_) return;
  // Somebody else may have taken the name meanwhile.
  if (!replace_ && ::renameat2(AT_FDCWD, partial_.c_str(), AT_FDCWD, target_.c_str(), RENAME_NOREPLACE) == 0) {
    partial_.clear();
    return;
  }
  if (!replace_ && (errno == EINVAL || errno == ENOSYS || errno == EEXIST)) base::outputTarget(path_, replace_);
  if (::rename(partial_.c_str(), target_.c_str()) != 0) cannotWrite(path_, errno);
  partial_.clear();
}

void writeFile(const std::string& path, std::string_view bytes, bool replace) {
  WholeFile file(path, replace);
  file.write(bytes);
  file.keep();
}

}  // namespace throng
