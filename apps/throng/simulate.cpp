#include "simulate.h"

#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <vector>

#include "terminal.h"

namespace throng::app {

Simulated simulate(World& world, Recorder* recorder, bool show_progress) {
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  const RunSettings& run = world.scene().run;
  const double begin = world.time();

  Simulated result;
  Metrics metrics(metricsSettings(world.scene()));
  Progress progress(show_progress);
  metrics.observe(world.frame());
  if (recorder) result.frames += recorder->observe(world.frame());
  while (!world.finished()) {
    if ((result.interrupted = interrupted())) break;
    world.step();
    ++result.steps;
    result.agent_steps += world.frame().size();
    metrics.observe(world.frame(), world.arrivals());
    if (recorder) result.frames += recorder->observe(world.frame(), world.arrivals());
    if (progress.due()) {
      const double wall = elapsed();
      progress.show(fmt::format("step {}  {} people  {:.1f} s simulated{}  {:.1f} s  {:.1f} x real time", world.steps(),
                                grouped(world.frame().size()), world.time(),
                                run.duration ? fmt::format(" of {:g}", *run.duration) : "", wall,
                                (world.time() - begin) / wall));
    }
  }
  if (recorder) recorder->close();
  progress.finish();
  result.metrics = metrics.report();
  result.seconds = elapsed();
  result.simulated = world.time() - begin;
  result.waiting = world.waiting();
  result.unreachable = world.unreachable();
  result.ending = world.ending();
  result.not_arrived = world.notArrived();
  return result;
}

}  // namespace throng::app
