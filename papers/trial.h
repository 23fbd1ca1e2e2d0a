// One run of an experiment, measured, and many of them summed up.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "throng/metrics.h"
#include "throng/scene.h"
#include "throng/world.h"

namespace throng::papers {

struct Trial {
  Scene scene;
  /// Adds people whom the scene does not describe; may be empty.
  std::function<void(World&, std::uint64_t seed)> populate;
};

/// Runs until the scene is finished. Writes a recording when `recording` names one, replacing what is there.
MetricsReport runTrial(const Trial& trial, std::uint64_t seed, int threads, const std::string& recording = {});

/// The middle value, or the mean of the two in the middle.
double median(std::vector<double> values);

/// Draws everybody's way from a recording, in colours of time where there is one population, else of population.
void drawTrajectories(const std::string& recording, const std::string& picture, const std::string& title);

}  // namespace throng::papers
