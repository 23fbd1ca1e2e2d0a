#include "record/sqlite_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <optional>

#include "geometry/polygons.h"
#include "record/change_text.h"
#include "record/sqlite_database.h"

namespace throng::record {
namespace {

/// Version 1 has no frame_data and one geometry without hash; versions 1 and 2 have orientations; version 3 neither.
/// Columns beyond those we know are left alone.
class SqliteRows : public RowSource {
 public:
  explicit SqliteRows(const std::string& path) : database_(path, Database::Mode::kRead) {
    database_.execute(
        "BEGIN");  // one state of the file for as long as it is read, though its run may still be going on
    if (!hasTable("trajectory_data") || !hasTable("metadata")) {
      badInput(path, "has no tables trajectory_data and metadata, so it is not a recording of Throng or JuPedSim");
    }
    oriented_ = hasColumns("trajectory_data", {"ori_x", "ori_y"});
    if (!hasColumns("trajectory_data", {"frame", "id", "pos_x", "pos_y"})) {
      badInput(path, "table trajectory_data lacks one of the columns frame, id, pos_x, pos_y");
    }
    readMetadata();
    readGeometry();
    if (hasTable("frame_data")) readFrames();
    if (hasTable("throng_frame") && hasTable("throng_person")) readOurs();
    if (hasTable("throng_change")) readChanges();
    facts_.headings = oriented_ || more_.has_value();
  }

  const Facts& facts() const override { return facts_; }
  const char* placeName() const override { return "row"; }
  bool orderByFrame() override {
    ordered_ = true;
    return true;
  }

  void rewind() override {
    // Without ORDER BY the rows come in the order they were written in, by frame, at the speed of the disk and without
    // need of an index; whether they do is checked.
    const std::string sql = fmt::format("SELECT frame, id, pos_x, pos_y{} FROM trajectory_data{}",
                                        oriented_ ? ", ori_x, ori_y" : "", ordered_ ? " ORDER BY frame, id" : "");
    rows_.emplace(database_, sql.c_str());
    place_ = 0;
  }

  /// With the index that JuPedSim and we make: without one every row would be looked at.
  bool rewindTo(std::int64_t frame) override {
    if (!indexed_) {
      Statement statement(database_,
                          "SELECT 1 FROM pragma_index_list('trajectory_data') AS list, pragma_index_info(list.name) AS "
                          "info WHERE info.seqno = 0 AND info.name = 'frame' AND list.partial = 0");
      indexed_ = statement.step();
    }
    if (!*indexed_) return false;
    // Rows that were written by frame are read on in that order, as rewind() does.
    Statement first(database_, "SELECT min(rowid) FROM trajectory_data WHERE frame = ?");
    first.bind(0, frame);
    const bool there = first.step() && first.type(0) == SQLITE_INTEGER;
    if (!ordered_ && !there) return false;  // nobody is in that frame
    const std::string sql = fmt::format("SELECT frame, id, pos_x, pos_y{} FROM trajectory_data WHERE {} >= ?{}",
                                        oriented_ ? ", ori_x, ori_y" : "", ordered_ ? "frame" : "rowid",
                                        ordered_ ? " ORDER BY frame, id" : "");
    const std::int64_t from = ordered_ ? frame : first.integer(0);
    rows_.emplace(database_, sql.c_str());
    rows_->bind(0, from);
    place_ = 0;
    return true;
  }

  bool next(Row& row) override {
    if (!rows_->step()) return false;
    row = {};
    row.place = ++place_;
    row.frame = whole(*rows_, 0, "frame");
    row.id = whole(*rows_, 1, "id");
    row.x = number(*rows_, 2, "pos_x");
    row.y = number(*rows_, 3, "pos_y");
    if (oriented_) {
      const double x = number(*rows_, 4, "ori_x"), y = number(*rows_, 5, "ori_y");
      const double size = std::hypot(x, y);
      row.heading_x = size > 0 && std::isfinite(size) ? static_cast<float>(x / size) : 1.0f;
      row.heading_y = size > 0 && std::isfinite(size) ? static_cast<float>(y / size) : 0.0f;
    }
    return true;
  }

  void complete(FrameCopy& frame) override {
    if (!more_) return;
    more_->reset();
    more_->bind(0, static_cast<std::int64_t>(frame.index));
    if (!more_->step()) {
      badInput(database_.path(), fmt::format("table throng_frame has no row for frame {}", frame.index));
    }
    const std::size_t n = frame.person.size();
    std::vector<float> headings(2 * n);
    column(0, headings, frame.index, "heading");
    for (std::size_t i = 0; i < n; ++i) {
      if (!std::isfinite(headings[2 * i]) || !std::isfinite(headings[2 * i + 1])) {
        badInput(database_.path(),
                 fmt::format("table throng_frame: a heading of frame {} is not a number", frame.index));
      }
      frame.heading_x[i] = headings[2 * i];
      frame.heading_y[i] = headings[2 * i + 1];
    }
    if (more_->type(1) != SQLITE_NULL) column(1, frame.z, frame.index, "z");
    if (more_->type(2) != SQLITE_NULL) column(2, frame.layer, frame.index, "layer");
    if (more_->type(3) != SQLITE_NULL) column(3, frame.slope, frame.index, "slope");
    const auto unsound = [](const std::vector<float>& values) {
      return std::any_of(values.begin(), values.end(), [](float value) { return !std::isfinite(value); });
    };
    if (unsound(frame.z) || unsound(frame.slope)) {
      badInput(database_.path(),
               fmt::format("table throng_frame: a height or slope of frame {} is not a number", frame.index));
    }
  }

 private:
  bool hasTable(std::string_view name) {
    // A view could stand for anything, also for something without end.
    Statement statement(database_, "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
    statement.bind(0, name);
    return statement.step();
  }

  bool hasColumns(std::string_view table, std::initializer_list<std::string_view> names) {
    return std::all_of(names.begin(), names.end(), [&](std::string_view name) {
      Statement statement(database_, "SELECT 1 FROM pragma_table_info(?) WHERE name = ?");
      statement.bind(0, table).bind(1, name);
      return statement.step();
    });
  }

  [[noreturn]] void badRow(std::string_view column, Statement& statement, int i) const {
    const std::string_view found = statement.text(i);
    badInput(database_.path(),
             fmt::format("row {}: '{}' in column {} is not a number in range", place_, found.substr(0, 40), column));
  }

  std::int64_t whole(Statement& statement, int i, std::string_view column) const {
    if (statement.type(i) == SQLITE_INTEGER) return statement.integer(i);
    const double real = statement.type(i) == SQLITE_FLOAT ? statement.real(i) : 0.5;
    if (real != std::floor(real) || std::abs(real) > 9e15) badRow(column, statement, i);
    return static_cast<std::int64_t>(real);
  }

  double number(Statement& statement, int i, std::string_view column) const {
    if (statement.type(i) != SQLITE_FLOAT && statement.type(i) != SQLITE_INTEGER) badRow(column, statement, i);
    return statement.real(i);
  }

  /// A column of a frame out of the statement's column i.
  template <class T>
  void column(int i, std::vector<T>& values, std::uint64_t frame, std::string_view name) {
    const std::string_view bytes = more_->bytes(i);
    if (bytes.size() != values.size() * sizeof(T)) {
      badInput(database_.path(), fmt::format("table throng_frame: frame {} has {} bytes in column {}, but {} people",
                                             frame, bytes.size(), name, values.size()));
    }
    if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  }

  void readMetadata() {
    const std::string version = database_.text("SELECT value FROM metadata WHERE key = 'version'");
    if (version != "1" && version != "2" && version != "3") {
      badInput(database_.path(),
               fmt::format("the version in table metadata is '{}'; 1, 2 and 3 are known", version.substr(0, 40)));
    }
    const std::string rate = database_.text("SELECT value FROM metadata WHERE key = 'fps'");
    const auto [end, error] = std::from_chars(rate.data(), rate.data() + rate.size(), facts_.frames_per_second);
    if (rate.empty() || error != std::errc{} || end != rate.data() + rate.size()) {
      badInput(database_.path(),
               fmt::format("the frame rate 'fps' in table metadata is '{}', not a number", rate.substr(0, 40)));
    }
  }

  /// The union of all, as PedPy does, when the geometry changed during the run.
  void readGeometry() {
    if (!hasTable("geometry") || !hasColumns("geometry", {"wkt"})) return;
    std::vector<std::string> all;
    Statement statement(database_, "SELECT wkt FROM geometry");
    while (statement.step()) all.emplace_back(statement.text(0));
    if (all.size() == 1) facts_.geometry_wkt = all[0];
    if (all.size() < 2) return;
    std::vector<Polygon> polygons;
    for (const auto& wkt : all) {
      geometry::ShapeError error;
      const auto shapes = geometry::parseWkt(wkt, error);
      if (!shapes) badInput(database_.path(), fmt::format("table geometry: {}", error.message));
      polygons.insert(polygons.end(), shapes->polygons.begin(), shapes->polygons.end());
    }
    facts_.geometry_wkt = geometry::toWkt(geometry::unionOf(polygons));
  }

  void readFrames() {
    facts_.frames.emplace();
    Statement statement(database_, "SELECT DISTINCT frame FROM frame_data ORDER BY frame");
    while (statement.step()) {
      ++place_;
      const std::int64_t frame = whole(statement, 0, "frame of table frame_data");
      if (frame < 0) badRow("frame of table frame_data", statement, 0);
      facts_.frames->push_back(frame);
    }
  }

  void readOurs() {
    const bool slopes = hasColumns("throng_frame", {"slope"});
    more_.emplace(database_, slopes ? "SELECT heading, z, layer, slope FROM throng_frame WHERE frame = ?"
                                    : "SELECT heading, z, layer, NULL FROM throng_frame WHERE frame = ?");
    facts_.layers = true;
    facts_.arrivals.emplace();
    Statement people(database_, "SELECT id, population, radius, arrived FROM throng_person ORDER BY arrived, id");
    while (people.step()) {
      const std::int64_t id = people.integer(0);
      const std::int64_t population = people.integer(1);
      const double radius = people.type(2) == SQLITE_NULL ? kDefaultRadius : people.real(2);
      if (id < 0 || id > 0xffffffff || population < 0 || population > 0xffff || !(radius >= 0) || !(radius < 1e6)) {
        badInput(database_.path(),
                 fmt::format("table throng_person: person {} of population {} with radius {} cannot be", id, population,
                             radius));
      }
      facts_.persons[static_cast<std::uint32_t>(id)] = {static_cast<std::uint16_t>(population),
                                                        static_cast<float>(radius)};
      if (people.type(3) == SQLITE_NULL) continue;
      facts_.arrivals->push_back({static_cast<std::uint32_t>(id), number(people, 3, "arrived of table throng_person")});
    }
    if (hasTable("throng_scene")) facts_.scene_json = database_.text("SELECT json FROM throng_scene");
    if (!hasTable("throng_population")) return;
    Statement populations(database_, "SELECT name FROM throng_population ORDER BY number");
    while (populations.step()) facts_.populations.emplace_back(populations.text(0));
  }

  void readChanges() {
    facts_.changes.emplace();
    Statement rows(database_, "SELECT time, kind, name, layer, shape FROM throng_change ORDER BY number");
    for (int row = 1; rows.step(); ++row) {
      const auto kind = kindOfText(rows.text(1));
      auto shape = shapeOfText(rows.text(4));
      const std::int64_t layer = rows.integer(3);
      if (!kind || !shape || layer < 0 || layer > 0xffff || !std::isfinite(rows.real(0)))
        badInput(database_.path(),
                 fmt::format("table throng_change: row {} is not a change: '{}', layer {}, shape '{}'", row,
                             rows.text(1).substr(0, 40), layer, rows.text(4).substr(0, 40)));
      facts_.changes->push_back(
          {rows.real(0), *kind, std::string(rows.text(2)), static_cast<std::uint16_t>(layer), std::move(*shape)});
    }
  }

  Database database_;
  Facts facts_;
  bool oriented_ = false, ordered_ = false;
  std::optional<bool> indexed_;  ///< by frame; not asked yet
  std::optional<Statement> rows_;
  std::optional<Statement> more_;  ///< what our files keep per frame
  std::uint64_t place_ = 0;
};

}  // namespace

std::unique_ptr<RowSource> readSqlite(const std::string& path) { return std::make_unique<SqliteRows>(path); }

}  // namespace throng::record
