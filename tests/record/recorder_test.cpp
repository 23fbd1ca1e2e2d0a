// The recorder as its user meets it: it refuses, waits, and tells of failures.
#include <csignal>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <limits>
#include <sys/resource.h>
#include <thread>

#include "record/frame_queue.h"
#include "record/random_run.h"

namespace throng::record_test {
namespace {

using testing::HasSubstr;

const std::vector<std::string> kNames = {"run.sqlite", "run.txt", "run.h5", "run.csv"};

std::string bytesOf(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

FrameCopy crowd(std::uint64_t number, std::uint32_t people) {
  FrameCopy frame;
  frame.index = number;
  frame.time = static_cast<double>(number) / 10;
  frame.resize(people);
  for (std::uint32_t i = 0; i < people; ++i) {
    frame.person[i] = i + 1;
    frame.x[i] = static_cast<float>(i);
    frame.heading_x[i] = 1;
    frame.radius[i] = 0.25f;
  }
  return frame;
}

template <class Action>
std::string fileError(Action action) {
  try {
    action();
  } catch (const FileError& e) {
    return e.what();
  }
  return "no error";
}

TEST(Recorder, RefusesAnExistingFile) {
  for (const auto& name : kNames) {
    const Folder folder;
    std::ofstream(folder / name) << "precious";
    EXPECT_THAT(fileError([&] { Recorder(folder / name, plainScene()); }), HasSubstr("exists already"));
    EXPECT_EQ(bytesOf(folder / name), "precious");
    RecorderSettings settings;
    settings.overwrite = true;
    Recorder recorder(folder / name, plainScene(), settings);
    recorder.record(crowd(0, 3).view());
    recorder.close();
    EXPECT_EQ(Recording(folder / name).frameCount(), 1u);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
  }
}

TEST(Recorder, KeepsTheOldFileWhenTheNewOneCannotBeMade) {
  for (const auto& name : kNames) {
    const Folder folder;
    std::ofstream(folder / name) << "precious";
    RecorderSettings settings;
    settings.overwrite = true;
    settings.frames_per_second = -1;
    EXPECT_THROW(Recorder(folder / name, plainScene(), settings), InputError);
    EXPECT_EQ(bytesOf(folder / name), "precious");
    // No room for a single byte.
    struct rlimit old;
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    struct rlimit none = old;
    none.rlim_cur = 0;
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &none), 0);
    settings.frames_per_second = 10;
    const std::string error = fileError([&] { Recorder(folder / name, plainScene(), settings); });
    ::setrlimit(RLIMIT_FSIZE, &old);
    std::signal(SIGXFSZ, handler);
    EXPECT_THAT(error, HasSubstr(name));
    EXPECT_EQ(bytesOf(folder / name), "precious");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
  }
}

TEST(Recorder, LeavesNothingBehindInAFolderThatIsNotThere) {
  const Folder folder;
  for (const auto& name : kNames) {
    EXPECT_THAT(fileError([&] { Recorder(folder / "missing/" + name, plainScene()); }),
                HasSubstr("there is no folder"));
  }
  EXPECT_THROW(Recorder(folder / "run.avi", plainScene()), InputError);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Recorder, TellsOfAFullDisk) {
  for (const auto& name : kNames) {
    const Folder folder;
    struct rlimit old;
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    struct rlimit little = old;
    little.rlim_cur = 400000;
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &little), 0);
    RecorderSettings settings;
    settings.commit_interval = 0;
    std::string error;
    std::uint64_t recorded = 0;
    {
      Recorder recorder(folder / name, plainScene(), settings);
      error = fileError([&] {
        for (; recorded < 100000; ++recorded) recorder.record(crowd(recorded, 200).view());
      });
      EXPECT_EQ(fileError([&] { recorder.record(crowd(200000, 1).view()); }), error);
      EXPECT_EQ(fileError([&] { recorder.close(); }), error);
    }
    ::setrlimit(RLIMIT_FSIZE, &old);
    std::signal(SIGXFSZ, handler);
    EXPECT_THAT(error, HasSubstr(name));
    EXPECT_THAT(error, HasSubstr("File too large"));
    // What was committed before is there, and whole.
    Recording recording(folder / name);
    const auto moments = readRun(recording);
    EXPECT_GE(moments.size(), 1u);
    EXPECT_LE(moments.size(), recorded);
    for (std::size_t f = 0; f < moments.size(); ++f) {
      ASSERT_EQ(moments[f].frame.index, f);
      ASSERT_EQ(moments[f].frame.person.size(), 200u) << name << " frame " << f;
    }
  }
}

/// What is at `path` must be the run of 3 frames with 5 people.
void expectTheOldOne(const std::string& path) {
  Recording recording(path);
  const auto moments = readRun(recording);
  ASSERT_EQ(moments.size(), 3u);
  for (const Moment& moment : moments) EXPECT_EQ(moment.frame.person.size(), 5u);
}

void recordTheOldOne(const std::string& path) {
  Recorder recorder(path, plainScene());
  for (std::uint64_t f = 0; f < 3; ++f) recorder.record(crowd(f, 5).view());
  recorder.close();
}

TEST(Recorder, AFullDiskDoesNotCostTheOldRecording) {
  for (const auto& name : kNames) {
    SCOPED_TRACE(name);
    const Folder folder;
    const std::string part = folder / ("run.part" + name.substr(3));
    recordTheOldOne(folder / name);
    struct rlimit old;
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    struct rlimit little = old;
    little.rlim_cur = 400000;
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &little), 0);
    RecorderSettings settings;
    settings.commit_interval = 0;
    settings.overwrite = true;
    const std::string error = fileError([&] {
      Recorder recorder(folder / name, plainScene(), settings);
      for (std::uint64_t f = 0; f < 100000; ++f) recorder.record(crowd(f, 200).view());
    });
    ::setrlimit(RLIMIT_FSIZE, &old);
    std::signal(SIGXFSZ, handler);
    EXPECT_THAT(error, HasSubstr("File too large"));
    EXPECT_THAT(error, HasSubstr("what was recorded before that is in " + part));
    EXPECT_THAT(error, HasSubstr(folder / name + " is as it was"));
    expectTheOldOne(folder / name);
    EXPECT_GE(Recording(part).frameCount(), 1u);
    // The next one takes another name meanwhile, replaces the old one and leaves that of the failed run alone.
    Recorder next(folder / name, plainScene(), settings);
    next.record(crowd(0, 2).view());
    expectTheOldOne(folder / name);
    next.close();
    EXPECT_EQ(Recording(folder / name).frameCount(), 1u);
    EXPECT_GE(Recording(part).frameCount(), 1u);
  }
}

TEST(Recorder, ARunThatFailsDoesNotReplaceTheOldRecording) {
  for (const auto& name : kNames) {
    SCOPED_TRACE(name);
    const Folder folder;
    recordTheOldOne(folder / name);
    RecorderSettings settings;
    settings.overwrite = true;
    try {
      Recorder recorder(folder / name, plainScene(), settings);
      recorder.record(crowd(0, 2).view());
      throw std::runtime_error("the model has failed");
    } catch (const std::runtime_error&) {
    }
    expectTheOldOne(folder / name);
    EXPECT_EQ(Recording(folder / ("run.part" + name.substr(3))).frameCount(), 1u);
  }
}

TEST(Recorder, WritesToADeviceThatIsFull) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  RecorderSettings settings;
  settings.overwrite = true;
  settings.format = RecordingFormat::kText;
  EXPECT_THAT(fileError([&] { Recorder("/dev/full", plainScene(), settings); }), HasSubstr("No space left on device"));
  EXPECT_TRUE(std::filesystem::exists("/dev/full"));
}

TEST(Recorder, RefusesFramesThatCannotBe) {
  const Folder folder;
  Recorder recorder(folder / "run.sqlite", plainScene());
  recorder.record(crowd(4, 3).view());
  EXPECT_THROW(recorder.record(crowd(4, 3).view()), InputError);
  EXPECT_THROW(recorder.record(crowd(3, 3).view()), InputError);
  FrameCopy bad = crowd(5, 3);
  bad.y[1] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(recorder.record(bad.view()), InputError);
  bad = crowd(5, 3);
  bad.x.pop_back();
  EXPECT_THROW(recorder.record(bad.view()), InputError);
  recorder.record(crowd(9, 3).view());
  recorder.close();
  recorder.close();
  EXPECT_THROW(recorder.record(crowd(10, 3).view()), FileError);
  Recording recording(folder / "run.sqlite");
  const auto moments = readRun(recording);
  ASSERT_EQ(moments.size(), 2u);
  EXPECT_EQ(moments[0].frame.index, 4u);
  EXPECT_EQ(moments[1].frame.index, 9u);
}

TEST(Recorder, ClosesWhenItGoesAway) {
  for (const auto& name : kNames) {
    const Folder folder;
    {
      Recorder first(folder / name, plainScene());
      first.record(crowd(0, 3).view());
      Recorder second = std::move(first);
      second.record(crowd(1, 3).view());
    }
    EXPECT_EQ(Recording(folder / name).frameCount(), 2u);
  }
}

TEST(Recorder, CommitsWhileNothingHappens) {
  for (const auto& name : kNames) {
    const Folder folder;
    RecorderSettings settings;
    settings.commit_interval = 0.05;
    Recorder recorder(folder / name, plainScene(), settings);
    for (std::uint64_t f = 0; f < 5; ++f) recorder.record(crowd(f, 3).view());
    std::uint64_t found = 0;
    for (int i = 0; i < 500 && found < 5; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      try {
        found = Recording(folder / name).frameCount();
      } catch (const InputError&) {
        // The HDF5 library asks for the file's size, then reads it; a commit in between looks like a file cut short.
        ASSERT_EQ(name, "run.h5");
      }
    }
    EXPECT_EQ(found, 5u) << name;
    recorder.close();
  }
}

TEST(Recorder, SeveralAtOnce) {
  const Folder folder;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&folder, t] {
      const std::string name = std::to_string(t) + kNames[static_cast<std::size_t>(t) % 4];
      const Story run = randomRun(static_cast<std::uint64_t>(t) + 1, 40, 20, true);
      RecorderSettings settings;
      settings.queue_bytes = 5000;
      writeRun(run, folder / name, settings);
      Recording recording(folder / name);
      EXPECT_EQ(readRun(recording).size(), run.moments.size());
    });
  }
  for (auto& thread : threads) thread.join();
}

record::QueuedFrame queued(std::int64_t number, std::uint32_t people) {
  return {number, crowd(static_cast<std::uint64_t>(number), people), {}};
}

TEST(Queue, NeverHoldsMoreThanItsLimit) {
  const std::size_t limit = 5 * queued(0, 100).bytes();
  record::FrameQueue queue(limit);
  std::thread taker([&queue] {
    std::int64_t expected = 0;
    while (!queue.finished()) {
      if (const auto frame = queue.pop(std::chrono::steady_clock::now() + std::chrono::milliseconds(20))) {
        EXPECT_EQ(frame->number, expected++);
        if (expected % 64 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        queue.done();
      }
    }
    EXPECT_EQ(expected, 2000);
  });
  for (std::int64_t f = 0; f < 2000; ++f) ASSERT_TRUE(queue.push(queued(f, static_cast<std::uint32_t>(f % 101))));
  queue.end();
  taker.join();
  EXPECT_LE(queue.peakBytes(), limit);
  EXPECT_GT(queue.peakBytes(), limit / 2);
}

TEST(Queue, LetsALargeFrameThroughAlone) {
  record::FrameQueue queue(10);
  ASSERT_TRUE(queue.push(queued(0, 1000)));
  std::thread taker([&queue] {
    while (!queue.finished()) {
      if (queue.pop(std::chrono::steady_clock::now() + std::chrono::milliseconds(20))) queue.done();
    }
  });
  ASSERT_TRUE(queue.push(queued(1, 2000)));
  queue.end();
  taker.join();
  EXPECT_EQ(queue.peakBytes(), queued(1, 2000).bytes());
}

TEST(Queue, FreesWhoWaitsWhenTheWriterHasFailed) {
  record::FrameQueue queue(10);
  ASSERT_TRUE(queue.push(queued(0, 10)));
  std::thread failing([&queue] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    queue.abandon();
  });
  EXPECT_FALSE(queue.push(queued(1, 10)));
  failing.join();
}

}  // namespace
}  // namespace throng::record_test
