// What the start page offers: the scenes at hand, what was opened lately, and what has been dropped into the page. The
// page names an entry by its number and never a path, so there is no path to go astray.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace throng::serve {

/// What can be done with a file.
enum class FileKind { kScene, kRecording, kModel };

/// Is it a link to something outside of the folder that it lies in? What nobody put there is neither shown nor written.
bool leadsOut(const std::string& path);
/// By its ending; nothing for what the studio cannot open.
std::optional<FileKind> fileKind(std::string_view name);
/// "json, sqlite, …": the endings that it can open.
const std::string& knownEndings();

struct LibraryEntry {
  std::uint32_t number = 0;
  std::string path;
  std::string group;        ///< "scenes", "recordings", "recent", "dropped"
  std::string description;  ///< a scene's own, shortened
  std::uint64_t size = 0;
  FileKind kind = FileKind::kScene;
};

/// Used from any thread.
class Library {
 public:
  static constexpr std::uint64_t kLargestUpload = std::uint64_t{1} << 30;
  static constexpr std::uint64_t kMostUploads = std::uint64_t{4} << 30;  ///< bytes, all together

  /// Looks in these folders; remembers what was opened in `cache` (empty: nowhere), and puts what is dropped into
  /// `drop`, a folder that nobody else can look into.
  Library(std::vector<std::string> folders, std::string cache, std::string drop);

  /// `{"type":"library", …}`
  std::string message(bool shown);
  /// The file of an entry that message() has named. Nothing when a link that leads out of its folder has come in its
  /// place.
  std::optional<LibraryEntry> find(std::uint32_t number) const;
  /// Comes first in the list of what was opened lately.
  void opened(const std::string& path);

  /// Where to put a file of this name and size that is dropped into the page, or why it may not come.
  struct Place {
    std::string path;
  };
  /// `beside`: of an entry that was dropped before and names this file: 0 or its number.
  std::variant<Place, std::string> take(std::string_view name, std::uint64_t size, std::uint32_t beside = 0);
  /// It has come: its number. 0 for what only belongs to something else.
  std::uint32_t taken(const std::string& path);

 private:
  void look();
  std::uint32_t add(const std::string& path, const std::string& group);

  const std::vector<std::string> folders_;
  const std::string cache_, drop_;
  mutable std::mutex mutex_;
  std::vector<LibraryEntry> entries_;  ///< numbers are never reused
  std::vector<std::uint32_t> shown_;   ///< in this order
  std::vector<std::uint32_t> dropped_;
  std::uint64_t uploaded_ = 0;  ///< bytes
  std::uint32_t uploads_ = 0;
};

/// A folder of this user's own that goes with the object, and all that is in it.
class PrivateFolder {
 public:
  /// Throws FileError.
  PrivateFolder();
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// Port and token of the studio before, so that pages that are open find this one. Kept in a file that only this user
/// can read.
struct KeptAddress {
  std::uint16_t port = 0;
  std::string token;
};
/// Nothing when there is none that is sound.
std::optional<KeptAddress> readAddress(const std::string& cache);
/// Throws FileError.
void keepAddress(const std::string& cache, const KeptAddress& address);

}  // namespace throng::serve
