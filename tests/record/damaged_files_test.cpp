// Damage of any kind ends in an error that can be caught (or is not noticed), never in a crash.
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

#include "record/random_run.h"

namespace throng::record_test {
namespace {

std::string bytesOf(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// True when it could be read to the end.
bool survives(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
  try {
    Recording recording(path);
    readRun(recording);
    return true;
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find(std::filesystem::path(path).filename()), std::string::npos) << e.what();
    return false;
  }
}

class Damaged : public testing::TestWithParam<std::string> {};

TEST_P(Damaged, CutShortAnywhere) {
  const Folder folder;
  writeRun(randomRun(1, 40, 25, true), folder / GetParam());
  const std::string whole = bytesOf(folder / GetParam());
  base::Random random(1, 1);
  int refused = 0;
  for (int i = 0; i < 120; ++i) {
    const std::size_t size = i < 40 ? static_cast<std::size_t>(i) * 3 : random.below(whole.size());
    refused += !survives(folder / ("cut-" + GetParam()), whole.substr(0, size));
  }
  EXPECT_GT(refused, 10);
}

TEST_P(Damaged, BytesChangedAnywhere) {
  const Folder folder;
  writeRun(randomRun(2, 40, 25, true), folder / GetParam());
  const std::string whole = bytesOf(folder / GetParam());
  base::Random random(2, 2);
  int refused = 0;
  const int trials =
      GetParam() == "run.h5" ? 80 : 250;  // HDF5 is read by a copy of the process first, which takes time
  for (int i = 0; i < trials; ++i) {
    std::string damaged = whole;
    // Half of them near the beginning, where the formats say what follows.
    const std::size_t reach = i % 2 == 0 ? std::min<std::size_t>(whole.size(), 2048) : whole.size();
    for (std::uint64_t k = 1 + random.below(4); k > 0; --k) {
      damaged[random.below(reach)] = static_cast<char>(random.below(256));
    }
    refused += !survives(folder / ("flip-" + GetParam()), damaged);
  }
  EXPECT_GT(refused, 10);
}

INSTANTIATE_TEST_SUITE_P(Formats, Damaged, testing::Values("run.sqlite", "run.txt", "run.h5", "run.csv"),
                         [](const auto& name) { return name.param.substr(4); });

}  // namespace
}  // namespace throng::record_test
