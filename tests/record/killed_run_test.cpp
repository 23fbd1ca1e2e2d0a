// A run that is killed at any moment leaves a recording with every frame up to its last commit.
#include <fstream>
#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/random_run.h"

namespace throng::record_test {
namespace {

constexpr std::uint32_t kPeople = 61;

/// In the child: frames without end, 61 people each, of whom one arrives in every tenth frame.
[[noreturn]] void recordForever(const std::string& path, int ready) {
  RecorderSettings settings;
  settings.overwrite = true;
  settings.commit_interval = 0.0005;
  Recorder recorder(path, plainScene(), settings);
  if (::write(ready, "x", 1) != 1) ::_exit(1);
  FrameCopy frame;
  frame.resize(kPeople);
  for (std::uint64_t f = 0;; ++f) {
    frame.time = static_cast<double>(f) / 10;
    for (std::uint32_t i = 0; i < kPeople; ++i) {
      frame.person[i] = static_cast<std::uint32_t>(f / 10) + i + 1;
      frame.x[i] = static_cast<float>(f);
      frame.y[i] = static_cast<float>(i);
      frame.heading_x[i] = 1;
    }
    const Arrival arrival{static_cast<std::uint32_t>(f / 10), frame.time};
    recorder.record(frame.view(), {&arrival, f > 0 && f % 10 == 0 ? std::size_t{1} : std::size_t{0}});
  }
}

/// Number of frames left.
std::size_t expectWhole(const std::string& path) {
  std::vector<Moment> moments;
  try {
    Recording recording(path);
    moments = readRun(recording);
    EXPECT_EQ(moments.size(), recording.frameCount());
  } catch (const Error& e) {
    ADD_FAILURE() << e.what();
  }
  for (std::size_t f = 0; f < moments.size(); ++f) {
    const FrameCopy& frame = moments[f].frame;
    EXPECT_EQ(frame.index, f);
    EXPECT_EQ(frame.person.size(), kPeople) << path << ": frame " << f << " of " << moments.size();
    for (std::uint32_t i = 0; i < frame.person.size(); ++i) {
      EXPECT_EQ(frame.person[i], f / 10 + i + 1);
      EXPECT_EQ(frame.x[i], static_cast<float>(f));
      EXPECT_EQ(frame.y[i], static_cast<float>(i));
    }
    EXPECT_EQ(moments[f].arrivals.size(), f > 0 && f % 10 == 0 ? 1u : 0u);
    if (testing::Test::HasFailure()) return moments.size();
  }
  return moments.size();
}

/// Everything PedPy does with a text file: only whole lines.
void expectWholeLines(const std::string& path) {
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    int id = 0, frame = 0, used = 0;
    float x = -1, y = -1, z = -1;
    if (line.find_first_not_of(' ') == std::string::npos) continue;
    ASSERT_EQ(std::sscanf(line.c_str(), "%d %d %f %f %f%n", &id, &frame, &x, &y, &z, &used), 5) << line;
    ASSERT_EQ(x, static_cast<float>(frame));
    ASSERT_EQ(y, static_cast<float>(id - 1 - frame / 10));
  }
}

class Killed : public testing::TestWithParam<std::string> {};

TEST_P(Killed, LeavesEveryCommittedFrame) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "the thread sanitizer does not follow a fork";
#endif
  const int trials = 20;
  base::Random random(3, 3);
  std::size_t most = 0, sum = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const Folder folder;
    const std::string path = folder / GetParam();
    int ready[2];
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) recordForever(path, ready[1]);
    char byte;
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
    ::usleep(static_cast<useconds_t>(random.below(25000)));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    ::close(ready[0]);
    ::close(ready[1]);
    if (GetParam() == "run.txt") expectWholeLines(path);
    const std::size_t frames = expectWhole(path);
    if (HasFailure()) {
      std::filesystem::copy(path, testing::TempDir() + "/failed-" + GetParam(),
                            std::filesystem::copy_options::overwrite_existing);
      return;
    }
    most = std::max(most, frames);
    sum += frames;
    // It can be recorded over, side files and all.
    RecorderSettings settings;
    settings.overwrite = true;
    Recorder(path, plainScene(), settings).close();
    EXPECT_EQ(Recording(path).frameCount(), 0u);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
  }
  std::printf("%s: %d runs killed, %zu frames left in all, at most %zu\n", GetParam().c_str(), trials, sum, most);
  EXPECT_GT(sum, 0u);
}

/// A recording that is being replaced is there until the new one is whole, and what there is of that is beside it.
TEST_P(Killed, LeavesTheRecordingThatItWasToReplace) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "the thread sanitizer does not follow a fork";
#endif
  base::Random random(4, 4);
  for (int trial = 0; trial < 8; ++trial) {
    const Folder folder;
    const std::string path = folder / GetParam();
    const std::string part = folder / ("run.part" + GetParam().substr(3));
    {
      Recorder old(path, plainScene());
      FrameCopy frame;
      frame.resize(7);
      for (std::uint32_t i = 0; i < 7; ++i) frame.person[i] = i + 1;
      old.record(frame.view());
      old.close();
    }
    int ready[2];
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) recordForever(path, ready[1]);
    char byte;
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
    ::usleep(static_cast<useconds_t>(random.below(25000)));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ::close(ready[0]);
    ::close(ready[1]);
    Recording old(path);
    const auto moments = readRun(old);
    ASSERT_EQ(moments.size(), 1u);
    EXPECT_EQ(moments[0].frame.person.size(), 7u);
    expectWhole(part);
    if (HasFailure()) return;
  }
}

/// A plain program with nothing but SQLite, opened for reading only.
TEST(KilledSqlite, OpensForReadingOnly) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "the thread sanitizer does not follow a fork";
#endif
  for (int trial = 0; trial < 10; ++trial) {
    const Folder folder;
    const std::string path = folder / "run.sqlite";
    int ready[2];
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    if (child == 0) recordForever(path, ready[1]);
    char byte;
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
    ::usleep(20000 + 1000 * static_cast<useconds_t>(trial));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ::close(ready[0]);
    ::close(ready[1]);
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
    std::vector<std::string> values;
    const auto take = [](void* data, int, char** columns, char**) {
      static_cast<std::vector<std::string>*>(data)->emplace_back(columns[0] == nullptr ? "0" : columns[0]);
      return 0;
    };
    ASSERT_EQ(sqlite3_exec(database,
                           "SELECT max(frame) + 1 FROM frame_data; SELECT count(*) / 61.0 FROM trajectory_data;"
                           "PRAGMA integrity_check; SELECT CAST(value AS REAL) FROM metadata WHERE key = 'xmax'",
                           take, &values, nullptr),
              SQLITE_OK)
        << sqlite3_errmsg(database);
    sqlite3_close(database);
    ASSERT_EQ(values.size(), 4u);
    EXPECT_EQ(std::stod(values[0]), std::stod(values[1]));
    EXPECT_EQ(values[2], "ok");
    // Geometry reaches to 60; beyond it, the bounds are those of the frames in the same commit.
    EXPECT_EQ(std::stod(values[3]), std::max(60.0, std::stod(values[0]) - 1));
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, Killed, testing::Values("run.sqlite", "run.txt", "run.h5", "run.csv"),
                         [](const auto& name) { return name.param.substr(4); });

}  // namespace
}  // namespace throng::record_test
