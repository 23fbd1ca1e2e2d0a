// SQLite in JuPedSim's schema, version 3, with a few tables of our own beside it (docs/recording-formats.md).
//
// A write-ahead log while the run lasts: a commit is appended to it in one piece, so a killed run leaves a database
// that any reader opens at its last commit, also without the right to write it, and readers and the run do not lock one
// another out. At the end the log is folded into the file, which then stands alone.
#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include "base/hash.h"
#include "geometry/boxes.h"
#include "geometry/polygons.h"
#include "geometry/predicates.h"
#include "record/change_text.h"
#include "record/sqlite_database.h"
#include "record/writer.h"

namespace throng::record {
namespace {

constexpr const char* kSchema = R"(
  CREATE TABLE trajectory_data(frame INTEGER NOT NULL, id INTEGER NOT NULL, pos_x REAL NOT NULL, pos_y REAL NOT NULL);
  CREATE TABLE metadata(key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);
  CREATE TABLE geometry(hash INTEGER NOT NULL, wkt TEXT NOT NULL);
  CREATE UNIQUE INDEX geometry_hash ON geometry(hash);
  CREATE TABLE frame_data(frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL);
  CREATE INDEX frame_id_idx ON trajectory_data(frame, id);
  CREATE TABLE throng_frame(frame INTEGER PRIMARY KEY, heading BLOB NOT NULL, z BLOB, layer BLOB, slope BLOB);
  CREATE TABLE throng_person(id INTEGER PRIMARY KEY, population INTEGER, radius REAL, arrived REAL);
  CREATE TABLE throng_population(number INTEGER PRIMARY KEY, name TEXT NOT NULL);
  CREATE TABLE throng_scene(json TEXT NOT NULL);
  CREATE TABLE throng_change(number INTEGER PRIMARY KEY, time REAL NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL,
                             layer INTEGER NOT NULL, shape TEXT NOT NULL);
)";

/// Rows that one statement inserts: more of them cost less each, up to about here.
constexpr std::size_t kRowsAtOnce = 64;

std::string insertRows(std::size_t rows) {
  std::string sql = "INSERT INTO trajectory_data VALUES(?, ?, ?, ?)";
  for (std::size_t i = 1; i < rows; ++i) sql += ", (?, ?, ?, ?)";
  return sql;
}

/// Sets up an empty database before its statements are prepared.
Database created(const std::string& path) {
  Database database(path, Database::Mode::kCreate);
  // A file system without shared memory answers "delete": still safe, but readers and the run lock one another.
  database.text("PRAGMA journal_mode = WAL");
  database.execute("PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32768; BEGIN");
  database.execute(kSchema);
  return database;
}

class SqliteWriter : public Writer {
 public:
  SqliteWriter(const std::string& path, const Facts& facts)
      : database_(created(path)),
        insert_row_(database_, insertRows(1).c_str()),
        insert_rows_(database_, insertRows(kRowsAtOnce).c_str()),
        insert_frame_(database_, "INSERT INTO frame_data VALUES(?, ?)"),
        insert_more_(database_, "INSERT INTO throng_frame VALUES(?, ?, ?, ?, ?)"),
        insert_person_(database_,
                       "INSERT INTO throng_person VALUES(?, ?, ?, NULL) ON CONFLICT(id) DO UPDATE SET "
                       "population = coalesce(population, excluded.population), "
                       "radius = coalesce(radius, excluded.radius)"),
        insert_arrival_(database_,
                        "INSERT INTO throng_person VALUES(?, NULL, NULL, ?) "
                        "ON CONFLICT(id) DO UPDATE SET arrived = coalesce(arrived, excluded.arrived)"),
        insert_change_(database_, "INSERT INTO throng_change VALUES(NULL, ?, ?, ?, ?, ?)"),
        insert_metadata_(database_, "INSERT OR REPLACE INTO metadata VALUES(?, ?)") {
    describe(facts);
    database_.execute("COMMIT");
  }

  void write(std::int64_t number, const FrameCopy& frame, std::span<const Arrival> arrivals) override {
    begin();
    std::size_t i = 0;
    for (; i + kRowsAtOnce <= frame.person.size(); i += kRowsAtOnce) {
      for (std::size_t k = 0; k < kRowsAtOnce; ++k) bindRow(insert_rows_, k, number, frame, i + k);
      insert_rows_.run();
    }
    for (; i < frame.person.size(); ++i) {
      bindRow(insert_row_, 0, number, frame, i);
      insert_row_.run();
    }
    insert_frame_.bind(0, number).bind(1, geometry_hash_).run();
    writeMore(number, frame);
    writePeople(frame);
    writeArrivals(arrivals);
  }

  void writeArrivals(std::span<const Arrival> arrivals) override {
    begin();
    for (const Arrival& arrival : arrivals) {
      insert_arrival_.bind(0, std::int64_t{arrival.person}).bind(1, arrival.time).run();
    }
  }

  void writeChange(const Change& change) override {
    begin();
    insert_change_.bind(0, change.time)
        .bind(1, kindText(change.kind))
        .bind(2, change.name)
        .bind(3, std::int64_t{change.layer})
        .bind(4, shapeText(change.shape))
        .run();
  }

  void commit() override {
    if (!open_) return;
    writeBounds();
    database_.execute("COMMIT");
    open_ = false;
  }

  void finish() override {
    commit();
    // Somebody who reads the file meanwhile keeps the log alive; then it stays, and nothing is lost.
    const int folded =
        sqlite3_wal_checkpoint_v2(database_.get(), nullptr, SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
    if (folded != SQLITE_OK && (folded & 0xff) != SQLITE_BUSY && (folded & 0xff) != SQLITE_LOCKED)
      database_.fail(folded);
    if (folded == SQLITE_OK) {
      sqlite3_exec(database_.get(), "PRAGMA journal_mode = DELETE", nullptr, nullptr, nullptr);
    }
  }

 private:
  void begin() {
    if (open_) return;
    database_.execute("BEGIN");
    open_ = true;
  }

  /// Person i of the frame, as row k of a statement.
  void bindRow(Statement& statement, std::size_t k, std::int64_t number, const FrameCopy& frame, std::size_t i) {
    const double x = frame.x[i], y = frame.y[i];
    const int first = static_cast<int>(4 * k);
    statement.bind(first, number).bind(first + 1, std::int64_t{frame.person[i]}).bind(first + 2, x).bind(first + 3, y);
    geometry::include(bounds_, Point{x, y});
  }

  void describe(const Facts& facts) {
    setMetadata("version", "3");
    setMetadata("fps", fmt::format("{}", facts.frames_per_second));
    base::Hash hash;
    hash.add(std::span<const char>(facts.geometry_wkt));
    geometry_hash_ = static_cast<std::int64_t>(hash.value());
    if (!facts.geometry_wkt.empty()) {
      Statement(database_, "INSERT INTO geometry VALUES(?, ?)")
          .bind(0, geometry_hash_)
          .bind(1, facts.geometry_wkt)
          .run();
      geometry::ShapeError error;
      const auto shapes = geometry::parseWkt(facts.geometry_wkt, error);
      const auto bounds = shapes ? geometry::bounds(shapes->polygons) : std::nullopt;
      if (bounds) bounds_ = *bounds;
    }
    writeBounds();
    for (std::size_t i = 0; i < facts.populations.size(); ++i) {
      Statement(database_, "INSERT INTO throng_population VALUES(?, ?)")
          .bind(0, static_cast<std::int64_t>(i))
          .bind(1, facts.populations[i])
          .run();
    }
    if (!facts.scene_json.empty()) {
      Statement(database_, "INSERT INTO throng_scene VALUES(?)").bind(0, facts.scene_json).run();
    }
  }

  void setMetadata(std::string_view key, const std::string& value) {
    insert_metadata_.bind(0, key).bind(1, value).run();
  }

  /// The geometry and everybody's places so far.
  void writeBounds() {
    if (geometry::isEmpty(bounds_)) return;
    setMetadata("xmin", fmt::format("{}", bounds_.min.x));
    setMetadata("xmax", fmt::format("{}", bounds_.max.x));
    setMetadata("ymin", fmt::format("{}", bounds_.min.y));
    setMetadata("ymax", fmt::format("{}", bounds_.max.y));
  }

  /// Headings, and heights and layers where they are not all zero, as one value per frame: a row of a table per person
  /// and frame would double the file and the time.
  void writeMore(std::int64_t number, const FrameCopy& frame) {
    headings_.resize(2 * frame.person.size());
    for (std::size_t i = 0; i < frame.person.size(); ++i) {
      headings_[2 * i] = frame.heading_x[i];
      headings_[2 * i + 1] = frame.heading_y[i];
    }
    // An empty vector has no address, and SQLite takes that for NULL.
    insert_more_.bind(0, number).bindBytes(1, headings_.empty() ? "" : static_cast<const void*>(headings_.data()),
                                           headings_.size() * sizeof(float));
    const auto bindColumn = [this](int i, const auto& column) {
      if (std::all_of(column.begin(), column.end(), [](auto v) { return v == 0; })) {
        insert_more_.bindNull(i);
      } else {
        insert_more_.bindBytes(i, column.data(), column.size() * sizeof(column[0]));
      }
    };
    bindColumn(2, frame.z);
    bindColumn(3, frame.layer);
    bindColumn(4, frame.slope);
    insert_more_.run();
  }

  /// Those who were not in the frame before.
  void writePeople(const FrameCopy& frame) {
    auto before = before_.begin();
    for (std::size_t i = 0; i < frame.person.size(); ++i) {
      while (before != before_.end() && *before < frame.person[i]) ++before;
      if (before != before_.end() && *before == frame.person[i]) continue;
      insert_person_.bind(0, std::int64_t{frame.person[i]})
          .bind(1, std::int64_t{frame.population[i]})
          .bind(2, static_cast<double>(frame.radius[i]))
          .run();
    }
    before_ = frame.person;
  }

  Database database_;
  Statement insert_row_, insert_rows_, insert_frame_, insert_more_, insert_person_, insert_arrival_, insert_change_,
      insert_metadata_;
  std::int64_t geometry_hash_ = 0;
  bool open_ = false;  ///< a transaction
  std::vector<float> headings_;
  std::vector<std::uint32_t> before_;
  Rectangle bounds_ = geometry::kEmptyBox;
};

}  // namespace

std::unique_ptr<Writer> makeSqliteWriter(const std::string& path, const Facts& facts) {
  return std::make_unique<SqliteWriter>(path, facts);
}

}  // namespace throng::record
