// Runs made up at random: people who appear, walk about and leave.
#pragma once

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

#include "throng/recording.h"

#include "base/random.h"

namespace throng::record_test {

struct Moment {
  FrameCopy frame;
  std::vector<Arrival> arrivals;
};

/// What happened in a run.
struct Story {
  double frames_per_second = 10;
  std::vector<Moment> moments;
};

inline Scene plainScene() {
  Scene scene;
  scene.name = "test";
  Layer layer;
  layer.walkable = {{{{-60, -60}, {60, -60}, {60, 60}, {-60, 60}}, {}}};
  layer.obstacles = {{{{1, 1}, {2, 1}, {2, 2}, {1, 2}}, {}}};
  scene.layers = {layer};
  scene.profiles.emplace_back();
  for (const char* name : {"visitors", "staff"}) {
    Population population;
    population.name = name;
    population.count = 1;
    population.start.shape = StartPoints{{{0, 0}}};
    population.goals = {{GoalPoint{{10, 0}}}};
    scene.populations.push_back(population);
  }
  scene.run.duration = 10;
  return scene;
}

/// Rows in no order, numbers with all their bits in use; somebody is there in every frame when `never_empty`.
inline Story randomRun(std::uint64_t seed, int frames, std::uint32_t people, bool never_empty) {
  base::Random random(seed, 1);
  Story run;
  run.frames_per_second = random.below(2) == 0 ? 10 : 1 + static_cast<double>(random.below(60));
  struct Walker {
    std::uint32_t person;
    float x, y, z, angle, radius;
    std::uint16_t population;
  };
  std::vector<Walker> there;
  std::uint32_t next = 1;
  const std::uint64_t first = random.below(5);
  for (int f = 0; f < frames; ++f) {
    Moment moment;
    moment.frame.index = first + static_cast<std::uint64_t>(f);
    moment.frame.time = static_cast<double>(moment.frame.index) / run.frames_per_second;
    if (f > 0 && random.below(3) == 0 && there.size() > (never_empty ? 1u : 0u)) {
      const std::size_t who = random.below(there.size());
      moment.arrivals.push_back({there[who].person, moment.frame.time - 0.3 / run.frames_per_second});
      there.erase(there.begin() + static_cast<std::ptrdiff_t>(who));
    }
    while (next <= people && (random.below(2) == 0 || (never_empty && there.empty()))) {
      there.push_back({next++, static_cast<float>(random.uniform(-50, 50)), static_cast<float>(random.uniform(-50, 50)),
                       random.below(4) == 0 ? static_cast<float>(random.uniform()) : 0.0f,
                       static_cast<float>(random.uniform(-3, 3)), static_cast<float>(random.uniform(0.1, 0.4)),
                       static_cast<std::uint16_t>(random.below(2))});
    }
    for (std::size_t i = there.size(); i > 1; --i) std::swap(there[i - 1], there[random.below(i)]);
    for (auto& walker : there) {
      walker.x += static_cast<float>(random.uniform(-0.1, 0.1));
      walker.y += static_cast<float>(random.uniform(-0.1, 0.1));
      walker.angle += static_cast<float>(random.uniform(-0.1, 0.1));
      moment.frame.person.push_back(walker.person);
      moment.frame.x.push_back(walker.x);
      moment.frame.y.push_back(walker.y);
      moment.frame.z.push_back(walker.z);
      moment.frame.heading_x.push_back(std::cos(walker.angle));
      moment.frame.heading_y.push_back(std::sin(walker.angle));
      moment.frame.radius.push_back(walker.radius);
      moment.frame.population.push_back(walker.population);
      moment.frame.layer.push_back(static_cast<std::uint16_t>(walker.z > 0.5f));
    }
    run.moments.push_back(std::move(moment));
  }
  return run;
}

/// A new folder that goes away with this object.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "throng-record-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline void writeRun(const Story& run, const std::string& path, RecorderSettings settings = {}) {
  settings.frames_per_second = run.frames_per_second;
  Recorder recorder(path, plainScene(), settings);
  for (const auto& moment : run.moments) recorder.record(moment.frame.view(), moment.arrivals);
  recorder.close();
}

inline std::vector<Moment> readRun(Recording& recording) {
  std::vector<Moment> moments;
  for (Moment moment; recording.next(moment.frame, &moment.arrivals);) moments.push_back(moment);
  return moments;
}

/// Rows of a frame by person: position i holds the row of the i-th smallest number.
inline std::vector<std::size_t> byPerson(const FrameCopy& frame) {
  std::vector<std::size_t> order(frame.person.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return frame.person[a] < frame.person[b]; });
  return order;
}

}  // namespace throng::record_test
