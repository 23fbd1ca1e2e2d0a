#include <algorithm>
#include <cmath>
#include <iterator>

#include "throng/recording.h"

#include "serve/play.h"

namespace throng::serve {
namespace {

constexpr double kSameMoment = 1e-6;  // s
constexpr float kFarthest = 5;        // m/s; faster is somebody who was put there

/// A file and the frame of it that is shown, with velocities, which files do not hold.
class Run {
 public:
  explicit Run(const std::string& path) : recording_(path) {
    if (!recording_.next(frame_)) throw InputError(path + ": the recording has no frames");
    first_ = frame_.time;
    velocity_x_.assign(frame_.person.size(), 0);
    velocity_y_ = velocity_x_;
    last_ = recording_.lastTime();
  }

  const Recording& recording() const { return recording_; }
  double time() const { return frame_.time; }
  double first() const { return first_; }
  double last() const { return last_; }
  bool ended() const { return ended_; }

  bool next() {
    std::swap(before_, frame_);
    if (recording_.next(frame_)) {
      findVelocities();
      return true;
    }
    std::swap(before_, frame_);
    end();
    return false;
  }

  /// The first frame at or after this time, or the last one.
  void seek(double time) {
    time = std::clamp(time, first_, last_);
    // With the frame before it, from which people have their speed.
    const double before = std::max(first_, time - 1 / recording_.framesPerSecond());
    ended_ = false;
    FrameCopy found;
    if (!recording_.at(before, found)) return end();
    before_ = frame_ = found;
    velocity_x_.assign(frame_.person.size(), 0);
    velocity_y_ = velocity_x_;
    while (frame_.time < time - kSameMoment && next()) {
    }
  }

  Frame view() const {
    Frame frame = frame_.view();
    frame.velocity_x = velocity_x_;
    frame.velocity_y = velocity_y_;
    return frame;
  }

 private:
  void end() { ended_ = true; }

  void findVelocities() {
    const std::size_t n = frame_.person.size();
    velocity_x_.assign(n, 0);
    velocity_y_.assign(n, 0);
    const auto passed = static_cast<float>(frame_.time - before_.time);
    if (!(passed > 0)) return;
    std::size_t b = 0;  // frames of recordings are in the order of people
    for (std::size_t i = 0; i < n; ++i) {
      while (b < before_.person.size() && before_.person[b] < frame_.person[i]) ++b;
      if (b == before_.person.size()) return;
      if (before_.person[b] != frame_.person[i] || before_.layer[b] != frame_.layer[i]) continue;
      const Vec2 moved{frame_.x[i] - before_.x[b], frame_.y[i] - before_.y[b]};
      if (length(moved) > kFarthest * passed) continue;
      velocity_x_[i] = moved.x / passed;
      velocity_y_[i] = moved.y / passed;
    }
  }

  Recording recording_;
  FrameCopy before_, frame_;
  std::vector<float> velocity_x_, velocity_y_;
  double first_ = 0, last_ = 0;
  bool ended_ = false;
};

class RecordingPlay final : public Play {
 public:
  explicit RecordingPlay(const std::vector<std::string>& paths) : paths_(paths) {
    for (const std::string& path : paths) runs_.push_back(std::make_unique<Run>(path));
    interval_ = 1 / first().recording().framesPerSecond();
    time_ = beginning();
    gauge_.emplace(sceneOf(first().recording()));
    gauge_->observe(first().view());
  }

  double time() const override { return time_; }
  double interval() const override { return interval_; }
  std::size_t people() const override {
    std::size_t n = 0;
    for (const auto& run : runs_) n += run->view().size();
    return n;
  }

  std::optional<std::string> over() const override {
    const bool ended = std::all_of(runs_.begin(), runs_.end(), [](const auto& run) { return run->ended(); });
    if (ended || time_ >= end() - kSameMoment) return "The recording is over.";
    return {};
  }

  void step() override {
    time_ = std::min(time_ + interval_, end());
    for (const auto& run : runs_)
      while (run->time() < time_ - kSameMoment && run->next()) {
      }
    time_ = runs_.size() == 1 && !first().ended() ? first().time() : time_;
    gauge_->observe(first().view());
  }

  /// All but the last of many: what lies between would be drawn over before anybody saw it.
  std::uint64_t leaveOut(std::uint64_t due) override {
    if (due < kMany) return 0;
    seek(time_ + interval_ * static_cast<double>(due - 1));
    return due - 1;
  }

  void restart() override { seek(beginning()); }
  std::pair<double, std::optional<double>> span() const override { return {beginning(), end()}; }
  bool canSeek() const override { return true; }

  void seek(double time) override {
    time_ = std::clamp(time, beginning(), end());
    for (const auto& run : runs_) run->seek(time_);
    if (runs_.size() == 1) time_ = first().time();
    gauge_->observe(first().view());
  }

  PublishedFrame publish(const Box& box) const override {
    Box all = box;
    for (const auto& run : runs_) all = boxFor(run->view(), all);
    PublishedFrame frame = serve::publish(first().view(), {}, all);
    frame.time = time_;
    for (std::size_t i = 1; i < runs_.size(); ++i)
      for (Walker walker : serve::publish(runs_[i]->view(), {}, all).walkers) {
        walker.id |= kSecondRun;
        frame.walkers.push_back(walker);
      }
    return frame;
  }

  PersonNews person(std::uint32_t number) const override {
    const bool second = runs_.size() > 1 && (number & kSecondRun) != 0;
    const Frame frame = (second ? *runs_[1] : first()).view();
    const std::uint32_t wanted = second ? number & ~kSecondRun : number;
    const auto found = std::lower_bound(frame.person.begin(), frame.person.end(), wanted);
    if (found == frame.person.end() || *found != wanted) return {.number = number};
    PersonNews news = newsOf(frame, static_cast<std::size_t>(found - frame.person.begin()));
    news.number = number;
    return news;
  }

  std::vector<PersonNews> inside(const ViewArea& area) const override {
    std::vector<PersonNews> list;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const Frame frame = runs_[i]->view();
      for (std::size_t row = 0; row < frame.size(); ++row) {
        if (!area.contains({frame.x[row], frame.y[row]})) continue;
        list.push_back(newsOf(frame, row));
        if (i > 0) list.back().number |= kSecondRun;
      }
    }
    return list;
  }

  std::vector<Happening> happenings() const override {
    std::vector<Happening> list;
    const auto& changes = first().recording().changes();
    if (changes)
      for (const Change& change : *changes) list.push_back({change.time, happeningText(change)});
    return list;
  }

  std::vector<Change> changes() const override {
    std::vector<Change> list;
    if (const auto& all = first().recording().changes())
      std::copy_if(all->begin(), all->end(), std::back_inserter(list),
                   [&](const Change& change) { return change.time <= time_ + kSameMoment; });
    return list;
  }

  Figures figures() override { return gauge_->sample(first().view()); }
  std::string recording() const override { return paths_.front(); }

 private:
  static constexpr std::uint64_t kMany = 4;

  const Run& first() const { return *runs_.front(); }
  double beginning() const {
    double time = first().first();
    for (const auto& run : runs_) time = std::min(time, run->first());
    return time;
  }
  double end() const {
    double time = first().last();
    for (const auto& run : runs_) time = std::max(time, run->last());
    return time;
  }

  static PersonNews newsOf(const Frame& frame, std::size_t row) {
    PersonNews news;
    news.number = frame.person[row];
    news.gone = false;
    news.at = {frame.x[row], frame.y[row]};
    news.z = frame.z[row];
    news.radius = frame.radius[row];
    news.speed = std::hypot(frame.velocity_x[row], frame.velocity_y[row]);
    news.layer = frame.layer[row];
    news.population = frame.population[row];
    return news;
  }

  std::vector<std::string> paths_;
  std::vector<std::unique_ptr<Run>> runs_;
  double interval_ = 0.1, time_ = 0;
  std::optional<Gauge> gauge_;
};

}  // namespace

std::unique_ptr<Play> playRecordings(const std::vector<std::string>& paths) {
  return std::make_unique<RecordingPlay>(paths);
}

}  // namespace throng::serve
