#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace throng::base {
namespace {

using Pieces = std::vector<std::pair<std::size_t, std::size_t>>;

Pieces piecesOf(const Threads& threads, std::size_t n, std::size_t grain) {
  Pieces pieces;
  std::mutex mutex;
  threads.forEach(n, grain, [&](std::size_t begin, std::size_t end) {
    const std::lock_guard lock(mutex);
    pieces.emplace_back(begin, end);
  });
  std::sort(pieces.begin(), pieces.end());
  return pieces;
}

TEST(Threads, CutTheSamePiecesWhateverTheirNumber) {
  for (const std::size_t n : {0u, 1u, 5u, 63u, 64u, 65u, 1000u}) {
    for (const std::size_t grain : {1u, 7u, 64u, 5000u}) {
      Pieces expected;
      for (std::size_t begin = 0; begin < n; begin += grain) expected.emplace_back(begin, std::min(n, begin + grain));
      for (const int count : {1, 2, 3, 8}) {
        EXPECT_EQ(piecesOf(Threads(count), n, grain), expected) << n << " by " << grain << " on " << count;
      }
    }
  }
}

TEST(Threads, CountThemselves) {
  EXPECT_EQ(Threads(3).count(), 3);
  EXPECT_EQ(Threads(1).count(), 1);
  EXPECT_GE(Threads(0).count(), 1);
  EXPECT_GE(Threads(-1).count(), 1);
}

// Each piece waits for the other six, which takes seven threads, also where there are only two cores.
TEST(Threads, AsManyAsAskedForRunAtOnce) {
  std::atomic<int> here{0};
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  Threads(7).forEach(7, 1, [&](std::size_t, std::size_t) {
    ++here;
    while (here < 7 && std::chrono::steady_clock::now() < give_up) std::this_thread::yield();
    EXPECT_EQ(here, 7);
  });
}

// Every piece writes its own part, and the caller reads all of it: the loop's end is a barrier.
TEST(Threads, WritesOfThePiecesAreSeenAfterTheLoop) {
  const Threads threads(4);
  std::vector<int> values(100'000);
  for (int round = 1; round <= 20; ++round) {
    threads.forEach(values.size(), 1000, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) values[i] += static_cast<int>(i % 7);
    });
    const long long sum = std::accumulate(values.begin(), values.end(), 0LL);
    long long expected = 0;
    for (std::size_t i = 0; i < values.size(); ++i) expected += static_cast<long long>(i % 7) * round;
    ASSERT_EQ(sum, expected);
  }
}

TEST(Threads, UseNoMoreThanTheyAreAllowed) {
  for (const int count : {1, 2, 4}) {
    const Threads threads(count);
    std::atomic<int> inside{0}, most{0};
    threads.forEach(400, 1, [&](std::size_t, std::size_t) {
      const int now = ++inside;
      int seen = most.load();
      while (now > seen && !most.compare_exchange_weak(seen, now)) {
      }
      std::this_thread::yield();
      --inside;
    });
    EXPECT_LE(most.load(), count);
    EXPECT_GE(most.load(), 1);
  }
}

TEST(Threads, AnExceptionComesOutOfTheLoop) {
  for (const int count : {1, 4}) {
    const Threads threads(count);
    try {
      threads.forEach(1000, 1, [&](std::size_t begin, std::size_t) {
        if (begin == 500) throw std::runtime_error("piece 500");
      });
      ADD_FAILURE() << "nothing was thrown on " << count;
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "piece 500");
    }
    // And the threads are good for the next loop.
    EXPECT_EQ(piecesOf(threads, 10, 3).size(), 4u);
  }
}

TEST(Threads, LoopsMayStandInsideLoops) {
  for (const int count : {1, 2, 4}) {
    const Threads threads(count);
    std::vector<std::vector<int>> table(40, std::vector<int>(300));
    threads.forEach(table.size(), 3, [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row) {
        threads.forEach(table[row].size(), 16, [&, row](std::size_t from, std::size_t to) {
          for (std::size_t i = from; i < to; ++i) table[row][i] = static_cast<int>(row * 1000 + i);
        });
      }
    });
    for (std::size_t row = 0; row < table.size(); ++row) {
      for (std::size_t i = 0; i < table[row].size(); ++i) ASSERT_EQ(table[row][i], static_cast<int>(row * 1000 + i));
    }
  }
}

TEST(Threads, SeveralCallersMayShareThem) {
  const Threads threads(3);
  std::vector<std::vector<int>> results(4, std::vector<int>(5000));
  std::vector<std::thread> callers;
  for (std::size_t c = 0; c < results.size(); ++c) {
    callers.emplace_back([&, c] {
      threads.forEach(results[c].size(), 50, [&, c](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) results[c][i] = static_cast<int>(c + i);
      });
    });
  }
  for (auto& caller : callers) caller.join();
  for (std::size_t c = 0; c < results.size(); ++c) {
    for (std::size_t i = 0; i < results[c].size(); ++i) ASSERT_EQ(results[c][i], static_cast<int>(c + i));
  }
}

TEST(Threads, CanBeMoved) {
  Threads first(2);
  Threads second = std::move(first);
  EXPECT_EQ(second.count(), 2);
  first = std::move(second);
  EXPECT_EQ(piecesOf(first, 4, 1).size(), 4u);
}

}  // namespace
}  // namespace throng::base
