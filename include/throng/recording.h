// Runs on disk (docs/recording-formats.md): SQLite in JuPedSim's version-3 schema, PeTrack text, HDF5, CSV.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "throng/frame.h"
#include "throng/frame_source.h"
#include "throng/scene.h"

#pragma GCC visibility push(default)
namespace throng {

enum class RecordingFormat { kSqlite, kText, kHdf5, kCsv };

/// By file name: .sqlite .sqlite3 .db, .txt .trajectory, .h5 .hdf5, .csv. Throws InputError for any other.
RecordingFormat recordingFormat(const std::string& path);

/// How a run is written.
struct RecorderSettings {
  std::optional<RecordingFormat> format;  ///< by file name when absent
  double frames_per_second = 10;
  bool overwrite = false;               ///< replace an existing file
  double commit_interval = 1.0;         ///< wall-clock s between commits: what a killed run can lose
  std::size_t queue_bytes = 64u << 20;  ///< memory for frames that wait to be written; record() waits when it is full
};

/// Writes frames in a background thread. Under a free name the file grows where it is. An existing file that may be
/// replaced stays until the new one is whole; until then that is NAME.part.ENDING beside it, which is also what a run
/// that is killed or fails leaves.
class Recorder {
 public:
  /// Makes the file. Throws FileError when it exists (and may not be replaced) or cannot be made.
  Recorder(const std::string& path, const Scene& scene, const RecorderSettings& settings = {});
  /// Closes the file, swallowing errors; call close() to learn of them.
  ~Recorder();
  Recorder(Recorder&&) noexcept;
  Recorder& operator=(Recorder&&) noexcept;

  /// Copies the frame and returns; also what has changed in its world since the frame before. Throws FileError when
  /// writing failed since the last call (disk full, say).
  void record(const Frame& frame, std::span<const Arrival> arrivals = {});
  /// After every step: records the frame when it is time for one (a whole number of 1 / frames_per_second), and keeps
  /// arrivals until then; those after the last frame are written by close(). True when the frame was recorded.
  bool observe(const Frame& frame, std::span<const Arrival> arrivals = {});
  /// The same for every frame that a source has left, with what has changed until then. Returns how many frames were
  /// recorded.
  std::uint64_t observe(FrameSource& frames);
  /// Waits until everything is on disk. Throws FileError.
  void close();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Reads a recording frame by frame; also JuPedSim's, PeTrack's and PedPy's own files. With its last frame, next() also
/// tells who arrived after it: runs may end between two frames. Everybody arrives once: for the first time.
class Recording final : public FrameSource {
 public:
  /// Throws FileError when it cannot be opened, InputError when it is not a recording.
  explicit Recording(const std::string& path);
  ~Recording() override;
  Recording(Recording&&) noexcept;
  Recording& operator=(Recording&&) noexcept;

  double framesPerSecond() const override;
  std::uint64_t frameCount() const;
  std::uint64_t personCount() const;
  /// s, of the last frame; 0 when there are no frames.
  double lastTime() const;
  /// Walkable area, as WKT; empty when the file has none.
  const std::string& geometryWkt() const;
  /// The scene it was made from, when the file holds it (ours do).
  const std::optional<Scene>& scene() const;
  /// Doors that opened and closed, obstacles that came and went; nothing when the file does not say.
  const std::optional<std::vector<Change>>& changes() const override;
  /// True when the file says on which layer people are. If it does not, but holds the scene, that is found from their
  /// heights.
  bool hasLayers() const;
  /// Names of the populations; empty when the file has none.
  const std::vector<std::string>& populations() const;

 private:
  bool read(FrameCopy& frame, std::vector<Arrival>* arrivals) override;
  void restart() override;
  void skipTo(double time) override;

  struct State;
  std::unique_ptr<State> state_;
};

/// The scene that a recording holds, or one made of the walkable area that files of other programs hold; the whole
/// plane when they say nothing. Throws InputError when that area is not valid.
Scene sceneOf(const Recording& recording);

/// Reads one file and writes another; the formats follow the names. Returns the number of frames.
std::uint64_t convertRecording(const std::string& from, const std::string& to, bool overwrite = false);

}  // namespace throng
#pragma GCC visibility pop
