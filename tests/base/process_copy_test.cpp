// Work in a copy of the process: whatever becomes of the copy, this process hears how it ended and goes on.
#include "base/process_copy.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace throng::base {
namespace {

using End = ProcessOutcome::End;
using Report = ProcessCopy::Report;
using ::testing::HasSubstr;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kMemoryIsLimited = false;
#elif !defined(__has_feature)
constexpr bool kMemoryIsLimited = true;
#elif __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kMemoryIsLimited = false;
#else
constexpr bool kMemoryIsLimited = true;
#endif

TEST(ProcessCopy, GivesBackWhatTheWorkReturns) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{70'000}, std::size_t{30'000'000}}) {
    std::string wanted(size, 'x');
    for (std::size_t i = 0; i < size; i += 97) wanted[i] = static_cast<char>(i);
    std::vector<double> shares;
    ProcessCopy copy(
        [&](const Report& progress) {
          for (const double share : {0.25, 0.5, 1.0}) progress(share);
          return wanted;
        },
        {});
    const ProcessOutcome outcome = copy.wait([&](double share) { shares.push_back(share); });
    EXPECT_EQ(outcome.end, End::kDone);
    EXPECT_EQ(outcome.problem, "");
    EXPECT_TRUE(outcome.said == wanted) << size;
    EXPECT_THAT(shares, ::testing::ElementsAre(0.25, 0.5, 1.0));
  }
}

TEST(ProcessCopy, ChangesNothingHere) {
  int value = 1;
  ProcessCopy copy(
      [&](const Report&) {
        value = 2;
        return std::to_string(value);
      },
      {});
  EXPECT_EQ(copy.wait().said, "2");
  EXPECT_EQ(value, 1);
}

TEST(ProcessCopy, MayCrash) {
  const auto end = [](const ProcessCopy::Work& work) {
    ProcessCopy copy(work, {});
    return copy.wait();
  };
  const auto killed = end([](const Report&) -> std::string {
    std::raise(SIGSEGV);
    return "on";
  });
  EXPECT_EQ(killed.end, End::kCrashed);
  EXPECT_THAT(killed.problem, HasSubstr("crashed (signal 11)"));
  EXPECT_EQ(killed.said, "");
  EXPECT_EQ(end([](const Report&) -> std::string { ::_exit(0); }).end, End::kCrashed);
  EXPECT_EQ(end([](const Report&) -> std::string { throw std::runtime_error("out of it"); }).end, End::kCrashed);
}

TEST(ProcessCopy, MayHang) {
  ProcessCopy copy(
      [](const Report&) -> std::string {
        for (std::atomic<unsigned> turns{0};;) ++turns;
      },
      {1, 0});
  const ProcessOutcome outcome = copy.wait();
  EXPECT_EQ(outcome.end, End::kOutOfTime);
  EXPECT_EQ(outcome.problem, "took longer than 1 s");
}

TEST(ProcessCopy, MayAskForAllMemory) {
  if (!kMemoryIsLimited) GTEST_SKIP() << "sanitizers need all addresses there are";
  for (const bool at_once : {true, false}) {
    ProcessCopy copy(
        [&](const Report&) -> std::string {
          try {
            std::vector<std::vector<char>> all;
            while (true) all.emplace_back(at_once ? std::size_t{1} << 40 : std::size_t{1} << 20, 'x');
          } catch (const std::exception&) {
            return "libraries catch what they cannot mend";
          }
        },
        {10, std::uint64_t{100} << 20});
    const ProcessOutcome outcome = copy.wait();
    EXPECT_EQ(outcome.end, End::kOutOfMemory);
    EXPECT_EQ(outcome.problem, "used more than 100 MB");
  }
}

TEST(ProcessCopy, EndsWithWhoeverStartedIt) {
  {
    const ProcessCopy copy(
        [](const Report&) -> std::string {
          for (;;) ::pause();
        },
        {});
  }
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "no child is left";
}

TEST(ProcessCopy, CanBeMadeWhileOtherThreadsWork) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&] {
      while (!stop) std::vector<std::string> busy(100, std::string(100, 'y'));
    });
  for (int round = 0; round < 50; ++round) {
    ProcessCopy copy([&](const Report&) { return std::string(1000, 'z'); }, {});
    EXPECT_EQ(copy.wait().said.size(), 1000U);
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace throng::base
