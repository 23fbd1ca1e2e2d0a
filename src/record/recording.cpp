#include "throng/recording.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

#include "throng/files.h"

#include "geometry/polygons.h"
#include "record/frame_reader.h"
#include "record/hdf5_reader.h"
#include "record/layer_finder.h"
#include "record/output_file.h"
#include "record/scene_facts.h"
#include "record/sqlite_reader.h"
#include "record/text_reader.h"
#include "record/writer.h"

namespace throng {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSqliteMark("SQLite format 3\0", 16);
constexpr std::string_view kHdf5Mark("\x89HDF\r\n\x1a\n", 8);

std::optional<RecordingFormat> formatOfName(const std::string& path) {
  std::string extension = fs::path(path).extension().string();
  for (char& c : extension) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (extension == ".sqlite" || extension == ".sqlite3" || extension == ".db") return RecordingFormat::kSqlite;
  if (extension == ".txt" || extension == ".trajectory") return RecordingFormat::kText;
  if (extension == ".h5" || extension == ".hdf5") return RecordingFormat::kHdf5;
  if (extension == ".csv") return RecordingFormat::kCsv;
  return std::nullopt;
}

std::string reasonOf(int error) {
  return error == EISDIR ? "it is a folder" : error == ENOENT ? "there is no such file" : std::strerror(error);
}

/// By the first bytes; the name only tells CSV from text.
std::unique_ptr<record::RowSource> openRows(const std::string& path) {
  std::error_code error;
  const bool folder = fs::is_directory(path, error);
  errno = folder ? EISDIR : 0;
  std::ifstream in;
  if (!folder) in.open(path, std::ios::binary);
  if (folder || !in) throw FileError(fmt::format("{} cannot be read: {}", path, reasonOf(errno)));
  std::array<char, 16> bytes{};
  in.read(bytes.data(), bytes.size());
  const std::string_view beginning(bytes.data(), static_cast<std::size_t>(in.gcount()));
  in.close();
  if (beginning.empty()) record::badInput(path, "the file is empty");
  if (beginning == kSqliteMark) return record::readSqlite(path);
  if (beginning.substr(0, kHdf5Mark.size()) == kHdf5Mark) return record::readHdf5(path);
  const auto format = formatOfName(path);
  if (format == RecordingFormat::kSqlite) record::badInput(path, "does not begin like a SQLite file");
  if (format == RecordingFormat::kHdf5) record::badInput(path, "does not begin like an HDF5 file");
  return record::readTextFile(path, format == RecordingFormat::kCsv);
}

}  // namespace

RecordingFormat recordingFormat(const std::string& path) {
  if (const auto format = formatOfName(path)) return *format;
  throw InputError(fmt::format(
      "{}: the name says no format of recording; it must end in .sqlite, .sqlite3 or .db (SQLite), .txt or .trajectory "
      "(PeTrack text), .h5 or .hdf5 (HDF5), or .csv",
      path));
}

struct Recording::State {
  explicit State(const std::string& path)
      : reader(openRows(path), path), scene(record::sceneOfText(facts().scene_json)) {
    if (!facts().layers && scene && scene->layers.size() > 1) layers.emplace(*scene);
  }
  const record::Facts& facts() const { return reader.facts(); }

  record::FrameReader reader;
  std::optional<Scene> scene;
  std::optional<record::LayerFinder> layers;
};

Recording::Recording(const std::string& path) : state_(std::make_unique<State>(path)) {}
Recording::~Recording() = default;
Recording::Recording(Recording&&) noexcept = default;
Recording& Recording::operator=(Recording&&) noexcept = default;

double Recording::framesPerSecond() const { return state_->facts().frames_per_second; }
std::uint64_t Recording::frameCount() const { return state_->reader.frameCount(); }
std::uint64_t Recording::personCount() const { return state_->reader.personCount(); }
const std::string& Recording::geometryWkt() const { return state_->facts().geometry_wkt; }
const std::optional<Scene>& Recording::scene() const { return state_->scene; }
const std::optional<std::vector<Change>>& Recording::changes() const { return state_->facts().changes; }
bool Recording::hasLayers() const { return state_->facts().layers; }
const std::vector<std::string>& Recording::populations() const { return state_->facts().populations; }
bool Recording::read(FrameCopy& frame, std::vector<Arrival>* arrivals) {
  if (!state_->reader.next(frame, arrivals)) return false;
  if (state_->layers) state_->layers->assign(frame);
  return true;
}
void Recording::restart() { state_->reader.rewind(); }
void Recording::skipTo(double time) { state_->reader.skipTo(time); }
double Recording::lastTime() const { return state_->reader.lastTime(); }

std::uint64_t convertRecording(const std::string& from, const std::string& to, bool overwrite) {
  const RecordingFormat format = recordingFormat(to);
  if (sameFile(from, to)) throw InputError(fmt::format("{}: cannot be converted into itself", from));
  checkOutput(to, overwrite);
  record::FrameReader reader(openRows(from), from);
  // Whatever goes wrong, there is either the whole new file or what was there before.
  record::NameClaim claim(to, overwrite, true);
  auto writer = record::makeWriter(claim.path(), format, reader.facts());
  for (const Change& change : record::knownChanges(reader.facts())) writer->writeChange(change);
  std::uint64_t frames = 0;
  FrameCopy frame;
  for (std::vector<Arrival> arrivals; reader.next(frame, &arrivals); ++frames) {
    writer->write(static_cast<std::int64_t>(frame.index), frame, arrivals);
    if (frames % 1000 == 999) writer->commit();
  }
  writer->finish();
  writer.reset();
  claim.keep();
  return frames;
}

Scene sceneOf(const Recording& recording) {
  if (recording.scene()) return *recording.scene();
  Scene scene;
  scene.layers.emplace_back();
  for (const std::string& name : recording.populations()) scene.populations.push_back({.name = name});
  if (recording.geometryWkt().empty()) return scene;
  geometry::ShapeError error;
  auto shapes = geometry::parseWkt(recording.geometryWkt(), error);
  if (!shapes) throw InputError("the recording's walkable area is not valid WKT: " + error.message);
  scene.layers[0].walkable = std::move(shapes->polygons);
  scene.layers[0].walls = std::move(shapes->lines);
  return scene;
}

}  // namespace throng
