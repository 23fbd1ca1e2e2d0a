// Our SQLite files against what JuPedSim writes (sqlite_serialization.py, schema version 3) and what PedPy asks
// of them, by the same SQL.
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sqlite3.h>
#include <sstream>

#include "record/random_run.h"

namespace throng::record_test {
namespace {

/// All rows of a query as text, columns joined by '|', rows by newlines.
std::string query(const std::string& path, const std::string& sql) {
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
  std::string result;
  char* message = nullptr;
  sqlite3_exec(
      database, sql.c_str(),
      [](void* data, int columns, char** values, char**) {
        auto& text = *static_cast<std::string*>(data);
        for (int i = 0; i < columns; ++i) {
          text += i > 0 ? "|" : "";
          text += values[i] == nullptr ? "NULL" : values[i];
        }
        text += '\n';
        return 0;
      },
      &result, &message);
  EXPECT_EQ(message, nullptr) << message << " in " << sql;
  sqlite3_free(message);
  sqlite3_close(database);
  return result;
}

/// JuPedSim's tables, by hand, to compare with.
void makeJuPedSimTables(const std::string& path) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(database,
                         "CREATE TABLE trajectory_data (   frame INTEGER NOT NULL,   id INTEGER NOT NULL,"
                         "   pos_x REAL NOT NULL,   pos_y REAL NOT NULL);"
                         "CREATE TABLE metadata(key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);"
                         "CREATE TABLE geometry(   hash INTEGER NOT NULL,    wkt TEXT NOT NULL);"
                         "CREATE UNIQUE INDEX geometry_hash on geometry( hash);"
                         "CREATE TABLE frame_data(   frame INTEGER NOT NULL,   geometry_hash INTEGER NOT NULL);"
                         "CREATE INDEX frame_id_idx ON trajectory_data(frame, id);",
                         nullptr, nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(database);
}

TEST(Schema, IsJuPedSims) {
  const Folder folder;
  const std::string ours = folder / "run.sqlite", theirs = folder / "jupedsim.sqlite";
  writeRun(randomRun(1, 20, 10, true), ours);
  makeJuPedSimTables(theirs);
  for (const char* table : {"trajectory_data", "metadata", "geometry", "frame_data"}) {
    for (const char* pragma : {"table_info", "index_list"}) {
      const std::string sql = std::string("PRAGMA ") + pragma + "(" + table + ")";
      EXPECT_EQ(query(ours, sql), query(theirs, sql)) << sql;
    }
  }
  for (const char* index : {"frame_id_idx", "geometry_hash"}) {
    const std::string sql = std::string("PRAGMA index_info(") + index + ")";
    EXPECT_EQ(query(ours, sql), query(theirs, sql)) << sql;
  }
  EXPECT_EQ(query(ours, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'throng_%' ORDER BY 1"),
            query(theirs, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1"));
}

TEST(Schema, HoldsWhatReadersAskFor) {
  const Folder folder;
  const std::string path = folder / "run.sqlite";
  const Story run = randomRun(4, 40, 20, true);
  writeRun(run, path);
  EXPECT_EQ(query(path, "SELECT value, typeof(value) FROM metadata WHERE key = 'version'"), "3|text\n");
  EXPECT_EQ(std::stod(query(path, "SELECT value FROM metadata WHERE key = 'fps'")), run.frames_per_second);
  std::size_t rows = 0;
  for (const auto& moment : run.moments) rows += moment.frame.person.size();
  EXPECT_EQ(query(path, "SELECT count(*) FROM (SELECT frame, id, pos_x AS x, pos_y AS y FROM trajectory_data)"),
            std::to_string(rows) + "\n");
  EXPECT_EQ(query(path, "SELECT DISTINCT typeof(frame), typeof(id), typeof(pos_x), typeof(pos_y) FROM trajectory_data"),
            "integer|integer|real|real\n");
  EXPECT_EQ(query(path, "SELECT count(*) FROM frame_data"), std::to_string(run.moments.size()) + "\n");
  // Every frame has its geometry, which is one polygon with one hole.
  EXPECT_EQ(query(path, "SELECT count(*) FROM frame_data JOIN geometry ON hash = geometry_hash"),
            std::to_string(run.moments.size()) + "\n");
  EXPECT_EQ(query(path, "SELECT substr(wkt, 1, 7) FROM geometry"), "POLYGON\n");
  EXPECT_EQ(query(path, "PRAGMA journal_mode"), "delete\n");
  EXPECT_EQ(query(path, "PRAGMA integrity_check"), "ok\n");
}

TEST(Schema, BoundsHoldGeometryAndPeople) {
  const Folder folder;
  const std::string path = folder / "run.sqlite";
  Story run = randomRun(4, 10, 20, true);
  run.moments[7].frame.x[0] = 123.5f;
  run.moments[8].frame.y[0] = -77.25f;
  writeRun(run, path);
  EXPECT_EQ(query(path, "SELECT key, CAST(value AS REAL) FROM metadata WHERE key LIKE '_m__' ORDER BY key"),
            "xmax|123.5\nxmin|-60.0\nymax|60.0\nymin|-77.25\n");
}

TEST(Schema, BoundsOfAPlaneHoldStartsGoalsAndObstacles) {
  const Folder folder;
  Scene scene = plainScene();
  scene.layers[0].walkable.clear();
  scene.layers[0].obstacles = {{{{-20, 1}, {2, 1}, {2, 2}, {-20, 2}}, {}}};
  scene.populations[0].start.shape = StartCircle{{0, 0}, 30};
  Recorder(folder / "run.sqlite", scene).close();
  EXPECT_EQ(query(folder / "run.sqlite", "SELECT CAST(value AS REAL) FROM metadata WHERE key LIKE '_m__' ORDER BY key"),
            "35.0\n-35.0\n35.0\n-35.0\n");
}

/// The SQL of docs/recording-formats.md runs, and gives something.
TEST(Documentation, SqlExamplesRun) {
  const Folder folder;
  const std::string path = folder / "run.sqlite";
  writeRun(randomRun(4, 40, 20, true), path);
  std::ifstream in(THRONG_SOURCE_DIR "/docs/recording-formats.md");
  ASSERT_TRUE(in) << "docs/recording-formats.md is missing";
  std::string line, sql;
  int examples = 0;
  bool inside = false;
  while (std::getline(in, line)) {
    if (line == "```sql") {
      inside = true;
      sql.clear();
    } else if (inside && line == "```") {
      inside = false;
      if (sql.find("CREATE") != std::string::npos) continue;  // the schema itself is compared above
      ++examples;
      EXPECT_NE(query(path, sql), "") << sql;
    } else if (inside) {
      sql += line + "\n";
    }
  }
  EXPECT_GE(examples, 2);
}

TEST(Sqlite, ReadsOursWithoutIndex) {
  const Folder folder;
  const std::string path = folder / "run.sqlite";
  const Story run = randomRun(9, 30, 20, true);
  writeRun(run, path);
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(database, "DROP INDEX frame_id_idx", nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(database);
  Recording recording(path);
  EXPECT_EQ(readRun(recording).size(), run.moments.size());
}

TEST(Sqlite, CanBeReadWhileItIsWritten) {
  const Folder folder;
  const std::string path = folder / "run.sqlite";
  const Story run = randomRun(9, 30, 20, true);
  RecorderSettings settings;
  settings.frames_per_second = run.frames_per_second;
  Recorder recorder(path, plainScene(), settings);
  recorder.record(run.moments[0].frame.view());
  {
    Recording recording(path);
    readRun(recording);
    for (std::size_t i = 1; i < run.moments.size(); ++i) recorder.record(run.moments[i].frame.view());
  }
  recorder.close();
  EXPECT_EQ(Recording(path).frameCount(), run.moments.size());
}

}  // namespace
}  // namespace throng::record_test
