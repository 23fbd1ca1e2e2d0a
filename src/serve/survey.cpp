#include "serve/survey.h"

#include <chrono>

#include "throng/recording.h"

namespace throng::serve {
namespace {

constexpr auto kCurveInterval = std::chrono::seconds(1);
constexpr double kFirstInterval = 0.5;  // s from one sample to the next, of a short run

}  // namespace

Survey::Survey(const std::string& path, std::function<void(const Found&)> found)
    : thread_([this, path, found = std::move(found)] { read(path, found); }) {}

Survey::~Survey() {
  ending_ = true;
  thread_.join();
}

void Survey::read(const std::string& path, const std::function<void(const Found&)>& found) {
  try {
    Recording recording(path);
    const Scene scene = sceneOf(recording);
    Gauge gauge(scene);
    Curves curves(kFirstInterval);
    Found result;
    result.lines = gauge.lines();
    FrameCopy before, frame;
    std::vector<Arrival> arrivals;
    auto next = std::chrono::steady_clock::now() + kCurveInterval;
    while (!ending_ && recording.next(frame, &arrivals)) {
      gauge.observe(frame.view(), arrivals.size());
      if (curves.due(frame.time)) {
        Figures figures = gauge.sample(frame.view());
        figures.speed = meanSpeed(before, frame);
        curves.add(std::move(figures));
      }
      std::swap(before, frame);
      if (std::chrono::steady_clock::now() < next) continue;
      next = std::chrono::steady_clock::now() + kCurveInterval;
      result.curve = curves.all();
      found(result);
    }
    if (ending_) return;
    // Nobody has come from anywhere in the first frame: its speed is that of the next sample.
    result.curve = curves.all();
    if (result.curve.size() > 1) result.curve[0].speed = result.curve[1].speed;
    result.complete = true;
    found(result);
  } catch (const Error&) {
    // Whoever plays the recording comes to the same place, and is told.
  }
}

}  // namespace throng::serve
