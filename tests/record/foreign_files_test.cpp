// Files of other programs: JuPedSim's SQLite of all versions, PeTrack's text, HDF5 of Jülich's archive, plain CSV.
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <sqlite3.h>

#include "record/random_run.h"

namespace throng::record_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

void makeSqlite(const std::string& path, const std::string& sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
  sqlite3_close(database);
}

void writeText(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

std::string errorOf(const std::string& path) {
  try {
    Recording recording(path);
    readRun(recording);
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

const char* kMetadata =
    "CREATE TABLE metadata(key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);"
    "INSERT INTO metadata VALUES('fps', 25.0);";

TEST(JuPedSim, Version1HasOrientationsAndOneGeometry) {
  const Folder folder;
  makeSqlite(folder / "a.sqlite",
             std::string(kMetadata) +
                 "INSERT INTO metadata VALUES('version', 1);"
                 "CREATE TABLE trajectory_data(frame INTEGER NOT NULL, id INTEGER NOT NULL, pos_x REAL NOT NULL,"
                 " pos_y REAL NOT NULL, ori_x REAL NOT NULL, ori_y REAL NOT NULL);"
                 "CREATE TABLE geometry(wkt TEXT NOT NULL);"
                 "INSERT INTO geometry VALUES('POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0))');"
                 "INSERT INTO trajectory_data VALUES(0,4,1,1,0,2),(0,2,5,5,-1,0),(1,2,4,5,-1,0);");
  Recording recording(folder / "a.sqlite");
  EXPECT_EQ(recording.framesPerSecond(), 25);
  EXPECT_EQ(recording.frameCount(), 2u);
  EXPECT_EQ(recording.personCount(), 2u);
  EXPECT_EQ(recording.geometryWkt(), "POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0))");
  EXPECT_FALSE(recording.scene());
  const auto moments = readRun(recording);
  EXPECT_THAT(moments[0].frame.person, ElementsAre(2, 4));
  EXPECT_THAT(moments[0].frame.heading_x, ElementsAre(-1, 0));
  EXPECT_THAT(moments[0].frame.heading_y, ElementsAre(0, 1));
  EXPECT_THAT(moments[0].frame.radius, ElementsAre(0.25f, 0.25f));
  ASSERT_EQ(moments[1].arrivals.size(), 1u);
  EXPECT_EQ(moments[1].arrivals[0].person, 4u);
  EXPECT_EQ(moments[1].arrivals[0].time, 1 / 25.0);
}

TEST(JuPedSim, Version2UnitesGeometriesThatChange) {
  const Folder folder;
  makeSqlite(folder / "a.sqlite",
             std::string(kMetadata) +
                 "INSERT INTO metadata VALUES('version', 2);"
                 "CREATE TABLE trajectory_data(frame INTEGER NOT NULL, id INTEGER NOT NULL, pos_x REAL NOT NULL,"
                 " pos_y REAL NOT NULL, ori_x REAL NOT NULL, ori_y REAL NOT NULL);"
                 "CREATE TABLE geometry(hash INTEGER NOT NULL, wkt TEXT NOT NULL);"
                 "CREATE TABLE frame_data(frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL);"
                 "INSERT INTO geometry VALUES(1,'POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0))'),"
                 "(2,'POLYGON ((9 0, 18 0, 18 9, 9 9, 9 0))');"
                 "INSERT INTO frame_data VALUES(0,1),(1,1),(2,2);"
                 "INSERT INTO trajectory_data VALUES(0,1,1,1,1,0),(2,1,2,1,1,0);");
  Recording recording(folder / "a.sqlite");
  EXPECT_EQ(recording.frameCount(), 3u);  // the one in the middle without anybody
  EXPECT_THAT(recording.geometryWkt(), HasSubstr("18"));
  EXPECT_THAT(recording.geometryWkt(), testing::StartsWith("POLYGON"));
  const auto moments = readRun(recording);
  ASSERT_EQ(moments.size(), 3u);
  EXPECT_TRUE(moments[1].frame.person.empty());
  EXPECT_TRUE(moments[2].arrivals.empty());
}

std::string version3(const std::string& rows) {
  return std::string(kMetadata) +
         "INSERT INTO metadata VALUES('version', 3);"
         "CREATE TABLE trajectory_data(frame INTEGER NOT NULL, id INTEGER NOT NULL, pos_x REAL NOT NULL,"
         " pos_y REAL NOT NULL);"
         "INSERT INTO trajectory_data VALUES" +
         rows + ";";
}

TEST(JuPedSim, Version3HeadsWhereItMoves) {
  const Folder folder;
  makeSqlite(folder / "a.sqlite", version3("(5,1,0,0),(6,1,0,1),(7,1,1,1),(8,1,1,1)"));
  Recording recording(folder / "a.sqlite");
  const auto moments = readRun(recording);
  ASSERT_EQ(moments.size(), 4u);
  EXPECT_EQ(moments[0].frame.index, 5u);
  EXPECT_EQ(moments[0].frame.time, 5 / 25.0);
  std::vector<float> x, y;
  for (const auto& moment : moments) x.push_back(moment.frame.heading_x[0]), y.push_back(moment.frame.heading_y[0]);
  EXPECT_THAT(x, ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(y, ElementsAre(1, 1, 0, 0));
}

TEST(JuPedSim, RowsMayComeInAnyOrder) {
  const Folder folder;
  makeSqlite(folder / "a.sqlite", version3("(2,1,2,0),(0,1,0,0),(1,2,7,7),(1,1,1,0),(0,2,6,6)"));
  Recording recording(folder / "a.sqlite");
  const auto moments = readRun(recording);
  ASSERT_EQ(moments.size(), 3u);
  EXPECT_EQ(recording.frameCount(), 3u);
  for (int f = 0; f < 3; ++f) EXPECT_EQ(moments[f].frame.x[0], static_cast<float>(f));
  EXPECT_EQ(moments[2].arrivals.size(), 1u);
}

TEST(JuPedSim, SaysWhatIsWrong) {
  const Folder folder;
  makeSqlite(folder / "a.sqlite", "CREATE TABLE other(x)");
  EXPECT_THAT(errorOf(folder / "a.sqlite"), HasSubstr("trajectory_data"));
  makeSqlite(folder / "b.sqlite", version3("(0,1,0,0),(1,'x',0,0)"));
  EXPECT_THAT(errorOf(folder / "b.sqlite"), HasSubstr("row 2: 'x' in column id"));
  makeSqlite(folder / "c.sqlite", version3("(0,1,0,0)") + "UPDATE metadata SET value = 9 WHERE key = 'version'");
  EXPECT_THAT(errorOf(folder / "c.sqlite"), HasSubstr("version in table metadata is '9'"));
  makeSqlite(folder / "d.sqlite", version3("(0,1,0,0),(0,1,0,0)"));
  EXPECT_THAT(errorOf(folder / "d.sqlite"), HasSubstr("person 1 is in frame 0 twice"));
  makeSqlite(folder / "e.sqlite", version3("(0,1,0,0),(-4,1,0,0)"));
  EXPECT_THAT(errorOf(folder / "e.sqlite"), HasSubstr("frame is -4"));
  makeSqlite(folder / "f.sqlite", version3("(0,1,0,0)") + "DELETE FROM metadata WHERE key = 'fps'");
  EXPECT_THAT(errorOf(folder / "f.sqlite"), HasSubstr("fps"));
  makeSqlite(folder / "g.sqlite", version3("(0,5000000000,0,0)"));
  EXPECT_THAT(errorOf(folder / "g.sqlite"), HasSubstr("person is 5000000000"));
}

TEST(PeTrack, ReadsCentimetresByPerson) {
  const Folder folder;
  writeText(folder / "a.txt",
            "\xef\xbb\xbf# PeTrack project: x.pet\r\n# framerate: 16.00 fps\r\n# id frame x/cm y/cm z/cm\r\n"
            "1 10 100 -200 170\r\n1 11 150 -200 170\r\n1 13 200 -200 170\r\n7 11 0 50 180\r\n7 12 0 60 180\r\n");
  Recording recording(folder / "a.txt");
  EXPECT_EQ(recording.framesPerSecond(), 16);
  EXPECT_EQ(recording.personCount(), 2u);
  const auto moments = readRun(recording);
  ASSERT_EQ(moments.size(), 4u);
  EXPECT_EQ(moments[0].frame.index, 10u);
  EXPECT_THAT(moments[1].frame.person, ElementsAre(1, 7));
  EXPECT_THAT(moments[1].frame.x, ElementsAre(1.5f, 0));
  EXPECT_THAT(moments[1].frame.y, ElementsAre(-2, 0.5f));
  EXPECT_THAT(moments[1].frame.z, ElementsAre(1.7f, 1.8f));
  EXPECT_THAT(moments[2].frame.person, ElementsAre(7));
  ASSERT_EQ(moments[3].arrivals.size(), 1u);
  EXPECT_EQ(moments[3].arrivals[0].person, 7u);
  EXPECT_EQ(moments[3].arrivals[0].time, 13 / 16.0);
}

TEST(PeTrack, SaysWhichLineIsWrong) {
  const Folder folder;
  writeText(folder / "a.txt", "1 1 2 3 4\n");
  EXPECT_THAT(errorOf(folder / "a.txt"), HasSubstr("# framerate"));
  writeText(folder / "b.txt", "# framerate: 10\n1 1 2 3 4\n1 2 2 x 4\n");
  EXPECT_THAT(errorOf(folder / "b.txt"), HasSubstr("b.txt:3:1: error: 'x' in column y is not a finite number"));
  writeText(folder / "c.txt", "# framerate: 10\n1 1 2 3 4\n1 2 2\n");
  EXPECT_THAT(errorOf(folder / "c.txt"), HasSubstr("c.txt:3:1: error: the column y is missing"));
  writeText(folder / "d.txt", "# framerate: -3\n1 1 2 3 4\n");
  EXPECT_THAT(errorOf(folder / "d.txt"), HasSubstr("frame rate is -3"));
  writeText(folder / "e.txt", "");
  EXPECT_THAT(errorOf(folder / "e.txt"), HasSubstr("empty"));
  writeText(folder / "f.txt", "# framerate: 10\n1 1 nan 3 4\n");
  EXPECT_THAT(errorOf(folder / "f.txt"), HasSubstr("'nan' in column x"));
}

TEST(Csv, FindsColumnsByName) {
  const Folder folder;
  writeText(folder / "a.csv", "Y,extra,X,ID,Frame\n1,,2,3,4\n5,?,6,3,5\n");
  Recording recording(folder / "a.csv");
  EXPECT_EQ(recording.framesPerSecond(), 10);
  const auto moments = readRun(recording);
  ASSERT_EQ(moments.size(), 2u);
  EXPECT_THAT(moments[0].frame.x, ElementsAre(2));
  EXPECT_THAT(moments[1].frame.y, ElementsAre(5));
  writeText(folder / "b.csv", "frame,id,x\n1,2,3\n");
  EXPECT_THAT(errorOf(folder / "b.csv"), HasSubstr("names no column 'y'"));
  writeText(folder / "more.csv", "frame,id,x,y\n0,1,2,3\n1,1,2,5,3\n");
  EXPECT_THAT(errorOf(folder / "more.csv"), HasSubstr("more.csv:3:1: error: '3' follows the 4 columns"));
  writeText(folder / "comma.csv", "frame;id,x,y\n");  // and no column 'frame'
  EXPECT_THAT(errorOf(folder / "comma.csv"), HasSubstr("names no column 'frame'"));
  writeText(folder / "c.csv", "frame,id,x,y,population\n1,2,3,4,70000\n");
  EXPECT_THAT(errorOf(folder / "c.csv"), HasSubstr("c.csv:2:1: error: '70000' in column population"));
}

TEST(Csv, TakesItsRateFromTheTimes) {
  const Folder folder;
  writeText(folder / "a.csv", "frame,id,x,y,time\n0,1,0,0,0\n7,1,0,0,0.28\n");
  EXPECT_EQ(Recording(folder / "a.csv").framesPerSecond(), 25);
}

/// As PedPy's documentation describes the archive: other number types, more columns, chunks, ordered by person.
void makeArchive(const std::string& path, bool rate, const char* x_name) {
  struct ArchiveRow {
    std::int32_t frame;
    float x, y, z;
    std::int16_t id;
    std::int8_t flag;
  };
  const ArchiveRow rows[] = {{3, 1, 2, 1.7f, 1, 0}, {4, 1.5f, 2, 1.7f, 1, 0}, {3, 8, 8, 1.6f, 2, 0}};
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(ArchiveRow));
  H5Tinsert(type, "frame", offsetof(ArchiveRow, frame), H5T_NATIVE_INT32);
  H5Tinsert(type, x_name, offsetof(ArchiveRow, x), H5T_NATIVE_FLOAT);
  H5Tinsert(type, "y", offsetof(ArchiveRow, y), H5T_NATIVE_FLOAT);
  H5Tinsert(type, "z", offsetof(ArchiveRow, z), H5T_NATIVE_FLOAT);
  H5Tinsert(type, "id", offsetof(ArchiveRow, id), H5T_NATIVE_INT16);
  H5Tinsert(type, "flag", offsetof(ArchiveRow, flag), H5T_NATIVE_INT8);
  const hsize_t count = 3, most = H5S_UNLIMITED, chunk = 2;
  const hid_t space = H5Screate_simple(1, &count, &most);
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(creation, 1, &chunk);
  const hid_t table = H5Dcreate2(file, "trajectory", type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  H5Dwrite(table, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows);
  const hid_t scalar = H5Screate(H5S_SCALAR);
  if (rate) {
    const hid_t fps = H5Acreate2(table, "fps", H5T_NATIVE_INT32, scalar, H5P_DEFAULT, H5P_DEFAULT);
    const int value = 16;
    H5Awrite(fps, H5T_NATIVE_INT32, &value);
    H5Aclose(fps);
  }
  const char wkt[] = "POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0))";
  const hid_t text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, sizeof(wkt));
  const hid_t geometry = H5Acreate2(file, "wkt_geometry", text, scalar, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(geometry, text, wkt);
  for (const hid_t attribute : {geometry}) H5Aclose(attribute);
  H5Tclose(text), H5Tclose(type), H5Sclose(space), H5Sclose(scalar), H5Pclose(creation), H5Dclose(table),
      H5Fclose(file);
}

TEST(Archive, ReadsJuelichsHdf5) {
  const Folder folder;
  makeArchive(folder / "a.h5", true, "x");
  Recording recording(folder / "a.h5");
  EXPECT_EQ(recording.framesPerSecond(), 16);
  EXPECT_EQ(recording.geometryWkt(), "POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0))");
  const auto moments = readRun(recording);
  ASSERT_EQ(moments.size(), 2u);
  EXPECT_THAT(moments[0].frame.person, ElementsAre(1, 2));
  EXPECT_THAT(moments[0].frame.x, ElementsAre(1, 8));
  EXPECT_THAT(moments[1].frame.x, ElementsAre(1.5f));
  EXPECT_THAT(moments[1].frame.z, ElementsAre(1.7f));
  EXPECT_EQ(moments[1].arrivals.size(), 1u);
}

TEST(Archive, SaysWhatIsMissing) {
  const Folder folder;
  makeArchive(folder / "a.h5", false, "x");
  EXPECT_THAT(errorOf(folder / "a.h5"), HasSubstr("no attribute 'fps'"));
  makeArchive(folder / "b.h5", true, "q");
  EXPECT_THAT(errorOf(folder / "b.h5"), HasSubstr("no column 'x'"));
  H5Fclose(H5Fcreate((folder / "c.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  EXPECT_THAT(errorOf(folder / "c.h5"), HasSubstr("no dataset 'trajectory'"));
}

TEST(Opening, FailsByKind) {
  const Folder folder;
  EXPECT_THROW(Recording(folder / "missing.sqlite"), FileError);
  EXPECT_THROW(Recording(folder.path().string()), FileError);
  writeText(folder / "a.sqlite", "nothing of the kind");
  EXPECT_THAT(errorOf(folder / "a.sqlite"), HasSubstr("does not begin like a SQLite file"));
  writeText(folder / "a.h5", "nothing of the kind");
  EXPECT_THAT(errorOf(folder / "a.h5"), HasSubstr("does not begin like an HDF5 file"));
}

}  // namespace
}  // namespace throng::record_test
