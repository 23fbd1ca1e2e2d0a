#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <exception>
#include <fmt/format.h>
#include <mutex>
#include <thread>

#include "throng/recording.h"

#include "agents/frame_times.h"
#include "record/frame_queue.h"
#include "record/output_file.h"
#include "record/scene_facts.h"
#include "record/writer.h"

namespace throng {
namespace {

using Clock = std::chrono::steady_clock;
using record::QueuedFrame;

/// A commit after so many frames or rows, however fast they come: what is not committed yet takes up memory or log.
constexpr std::uint64_t kFramesPerCommit = 1000;
constexpr std::uint64_t kRowsPerCommit = 2'000'000;

void check(const RecorderSettings& settings) {
  const double rate = settings.frames_per_second;
  if (!(rate > 0) || !std::isfinite(rate)) {
    throw InputError(fmt::format("frames_per_second is {}; it must be a positive number", rate));
  }
  if (!(settings.commit_interval >= 0)) {
    throw InputError(fmt::format("commit_interval is {} s; it must not be negative", settings.commit_interval));
  }
}

/// Changes are in the order in which they happened; a source may know those to come as well.
std::span<const Change> changesUntil(std::span<const Change> changes, double time) {
  constexpr double kSameTime = 1e-9;
  std::size_t count = 0;
  while (count < changes.size() && changes[count].time <= time + kSameTime) ++count;
  return changes.first(count);
}

void check(const Frame& frame) {
  const std::size_t n = frame.size();
  if (frame.x.size() != n || frame.y.size() != n || frame.z.size() != n || frame.heading_x.size() != n ||
      frame.heading_y.size() != n || frame.radius.size() != n || frame.population.size() != n ||
      frame.layer.size() != n) {
    throw InputError("the columns of a frame differ in length");
  }
  for (std::size_t i = 0; i < n; ++i) {
    const bool finite = std::isfinite(frame.x[i]) && std::isfinite(frame.y[i]) && std::isfinite(frame.z[i]) &&
                        std::isfinite(frame.heading_x[i]) && std::isfinite(frame.heading_y[i]) &&
                        std::isfinite(frame.radius[i]);
    if (!finite) {
      throw InputError(
          fmt::format("at {} s person {} is at ({}, {}, {}), heading ({}, {}), with radius {}: not all of "
                      "these are finite, so the frame is not recorded",
                      frame.time, frame.person[i], frame.x[i], frame.y[i], frame.z[i], frame.heading_x[i],
                      frame.heading_y[i], frame.radius[i]));
    }
  }
}

}  // namespace

struct Recorder::State {
  State(const std::string& path, const Scene& scene, const RecorderSettings& given)
      : settings(given), queue(given.queue_bytes) {
    const auto format = given.format ? *given.format : recordingFormat(path);
    const auto facts = record::sceneFacts(scene, given.frames_per_second);
    claim.emplace(path, given.overwrite);
    try {
      writer = record::makeWriter(claim->path(), format, facts);
    } catch (const FileError& e) {
      throw FileError(claim->beside() ? fmt::format("{} cannot be replaced: {}", path, e.what()) : e.what());
    }
    claim->begun();
    thread = std::thread([this] { work(); });
  }
  ~State() {
    // A run that fails must not replace a whole recording by what there is of it.
    if (std::uncaught_exceptions() > exceptions) whole = false;
    end();
  }

  /// Of all changes of a world, those that no frame has been recorded after.
  void keepUnrecorded(std::span<const Change> all) {
    const auto late = all.subspan(std::min(changes, all.size()));
    late_changes.assign(late.begin(), late.end());
  }

  void end() {
    if (!thread.joinable()) return;
    if (!unrecorded.empty() || !late_changes.empty())
      queue.push({QueuedFrame::kNoFrame, {}, std::move(unrecorded), std::move(late_changes)});
    queue.end();
    thread.join();
  }

  /// The writing thread.
  void work() {
    try {
      writeAll();
    } catch (const std::exception& e) {
      const std::lock_guard lock(mutex);
      writer.reset();
      error = fmt::format("{}; what was recorded before that is in {}", e.what(), claim->path());
      if (claim->beside()) error += fmt::format(", and {} is as it was", claim->target());
    }
    queue.abandon();
  }

  void writeAll() {
    const auto interval = std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(std::min(settings.commit_interval, 1e6)));
    auto deadline = Clock::now() + interval;
    std::uint64_t frames = 0, rows = 0;
    while (!queue.finished()) {
      if (auto next = queue.pop(deadline)) {
        for (const Change& change : next->changes) writer->writeChange(change);
        if (next->number == QueuedFrame::kNoFrame) {
          writer->writeArrivals(next->arrivals);
        } else {
          record::sortByPerson(next->frame);
          writer->write(next->number, next->frame, next->arrivals);
        }
        ++frames;
        rows += next->frame.person.size();
        next.reset();
        queue.done();
      }
      if (frames >= kFramesPerCommit || rows >= kRowsPerCommit || Clock::now() >= deadline) {
        writer->commit();
        frames = rows = 0;
        deadline = Clock::now() + interval;
      }
    }
    writer->finish();
    writer.reset();
    if (whole) claim->keep();
  }

  void throwError() {
    const std::lock_guard lock(mutex);
    if (!error.empty()) throw FileError(error);
  }

  RecorderSettings settings;
  record::FrameQueue queue;
  std::optional<record::NameClaim> claim;
  const int exceptions = std::uncaught_exceptions();  ///< on their way when the recording began
  std::atomic<bool> whole{true};                      ///< the recording may take its name at the end
  std::unique_ptr<record::Writer> writer;             ///< the thread's own once it runs
  std::int64_t last_number = -1;
  std::vector<Arrival> unrecorded;   ///< told by observe() since the last frame
  std::size_t changes = 0;           ///< of the world, taken so far
  std::vector<Change> late_changes;  ///< after the last frame of a source
  std::mutex mutex;
  std::string error;  ///< guarded by the mutex
  std::thread thread;
};

Recorder::Recorder(const std::string& path, const Scene& scene, const RecorderSettings& settings) {
  check(settings);
  state_ = std::make_unique<State>(path, scene, settings);
}

Recorder::~Recorder() = default;
Recorder::Recorder(Recorder&&) noexcept = default;
Recorder& Recorder::operator=(Recorder&&) noexcept = default;

void Recorder::record(const Frame& frame, std::span<const Arrival> arrivals) {
  if (!state_->thread.joinable()) {
    state_->throwError();
    throw FileError("the recording has been closed; no frame can be added");
  }
  check(frame);
  const double number = std::round(frame.time * state_->settings.frames_per_second);
  if (!(number >= 0 && number < 9e15)) throw InputError(fmt::format("a frame at {} s cannot be recorded", frame.time));
  if (static_cast<std::int64_t>(number) <= state_->last_number) {
    throw InputError(
        fmt::format("the frame at {} s would be number {}, which is not after number {}; with {} frames per second, "
                    "record one every "
                    "{} s, in order",
                    frame.time, number, state_->last_number, state_->settings.frames_per_second,
                    1 / state_->settings.frames_per_second));
  }
  const auto news = frame.changes.subspan(std::min(state_->changes, frame.changes.size()));
  QueuedFrame queued{static_cast<std::int64_t>(number),
                     FrameCopy(frame),
                     {arrivals.begin(), arrivals.end()},
                     {news.begin(), news.end()}};
  if (!state_->queue.push(std::move(queued))) state_->throwError();
  state_->last_number = static_cast<std::int64_t>(number);
  state_->changes += news.size();
  state_->late_changes.clear();
}

bool Recorder::observe(const Frame& frame, std::span<const Arrival> arrivals) {
  std::vector<Arrival>& unrecorded = state_->unrecorded;
  unrecorded.insert(unrecorded.end(), arrivals.begin(), arrivals.end());
  if (!agents::isFrameTime(frame.time, state_->settings.frames_per_second)) return false;
  record(frame, unrecorded);
  unrecorded.clear();
  return true;
}

std::uint64_t Recorder::observe(FrameSource& frames) {
  FrameCopy frame;
  std::vector<Arrival> arrivals;
  std::uint64_t recorded = 0;
  while (frames.next(frame, &arrivals)) {
    Frame now = frame.view();
    if (frames.changes()) now.changes = changesUntil(*frames.changes(), frame.time);
    recorded += observe(now, arrivals);
  }
  // Who arrived after the last frame, and what changed after it: close() writes both.
  state_->unrecorded.insert(state_->unrecorded.end(), arrivals.begin(), arrivals.end());
  if (frames.changes()) state_->keepUnrecorded(*frames.changes());
  return recorded;
}

void Recorder::close() {
  state_->end();
  state_->throwError();
}

}  // namespace throng
