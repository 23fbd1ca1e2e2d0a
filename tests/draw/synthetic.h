// Runs made in memory, and files to draw them into.
#pragma once

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

#include "throng/frame_source.h"

#include "draw/motion.h"

namespace throng::draw {

struct Walker {
  std::uint32_t id = 1;
  double x = 0, y = 0;
  std::uint16_t population = 0, layer = 0;
  double radius = 0.25;
};

inline FrameCopy frameOf(double time, const std::vector<Walker>& walkers) {
  FrameCopy frame;
  frame.time = time;
  frame.resize(walkers.size());
  for (std::size_t i = 0; i < walkers.size(); ++i) {
    frame.person[i] = walkers[i].id;
    frame.x[i] = static_cast<float>(walkers[i].x);
    frame.y[i] = static_cast<float>(walkers[i].y);
    frame.z[i] = 0;
    frame.heading_x[i] = 1;
    frame.heading_y[i] = 0;
    frame.radius[i] = static_cast<float>(walkers[i].radius);
    frame.population[i] = walkers[i].population;
    frame.layer[i] = walkers[i].layer;
  }
  return frame;
}

inline MemoryFrames framesOf(const std::vector<FrameCopy>& frames) {
  MemoryFrames source;
  for (const FrameCopy& frame : frames) source.add(frame);
  return source;
}

/// One person who walks at 1 m/s from (1, 2) to the right for `seconds`.
inline MemoryFrames oneWalker(double seconds) {
  MemoryFrames source;
  for (int k = 0; k <= seconds * 10 + 0.5; ++k) source.add(frameOf(k * 0.1, {{1, 1 + k * 0.1, 2}}));
  return source;
}

inline Polygon box(double x0, double y0, double x1, double y1) {
  return {{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}, {}};
}

/// A room of 10 m by 5 m.
inline Scene roomScene() {
  Scene scene;
  scene.name = "room";
  scene.layers.emplace_back();
  scene.layers[0].walkable = {box(0, 0, 10, 5)};
  scene.populations.push_back({.name = "walkers"});
  return scene;
}

/// A folder that goes away with the test.
class Folder : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::temp_directory_path() / ("throng-draw-" + std::to_string(getpid()) + "-" +
                                                  ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::size_t fileCount() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
  }
  static std::string bytes(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::filesystem::path folder_;
};

/// What a call throws, as text; empty when it throws nothing of that kind.
template <class Exception, class Call>
std::string thrown(const Call& call) {
  try {
    call();
  } catch (const Exception& e) {
    return e.what();
  }
  return {};
}

}  // namespace throng::draw
