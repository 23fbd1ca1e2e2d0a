#include "serve/show.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "serve/messages.h"
#include "serve/scene_message.h"

namespace throng::serve {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;

constexpr auto kFrameInterval = 50ms, kStatusInterval = 200ms, kFiguresInterval = 500ms;
/// How far the simulation may fall behind the clock before it gives up catching up.
constexpr auto kLate = 200ms;

double milliseconds(Clock::duration d) { return std::chrono::duration<double, std::milli>(d).count(); }

}  // namespace

Show::Show(const Scene& scene, const StudioSettings& settings, const Stage& stage)
    : scene_(scene),
      settings_(settings),
      stage_(stage),
      server_(&stage.server),
      box_(sceneBox(scene)),
      tape_(stage.folder),
      playing_(settings.playing) {
  begin_ = [this] {
    return playWorld(scene_, {.threads = settings_.threads}, [this](const World& world) { tape_.observe(world); });
  };
  prepare();
}

Show::Show(const std::vector<std::string>& recordings, const StudioSettings& settings, const Stage& stage)
    : scene_(sceneOf(Recording(recordings.at(0)))),
      settings_(settings),
      stage_(stage),
      server_(&stage.server),
      recordings_(recordings),
      box_(sceneBox(scene_)),
      tape_(stage.folder),
      playing_(settings.playing) {
  // Read now, so that what is wrong with a file is told before anything is shown.
  auto play = std::make_shared<std::unique_ptr<Play>>(playRecordings(recordings));
  begin_ = [play] { return std::move(*play); };
  prepare();
}

void Show::prepare() {
  const auto scene = std::make_shared<const Scene>(scene_);
  useScene(scene, false);
  if (recordings_.empty()) {
    DocumentFile file = documentFileOf(scene_, settings_.file);
    file.passing = file.folder.starts_with(stage_.folder + "/");
    editing_ =
        std::make_unique<Editing>(scene, std::move(file), settings_.threads,
                                  [this](ClientId client, Message news) { server_->send(client, std::move(news)); });
  }
  status_ = message(statusText("preparing", nullptr));
}

Show::~Show() {
  surveys_.clear();
  editing_.reset();
  shown_.reset();
}

void Show::joined(ClientId client) {
  {
    const std::lock_guard lock(mutex_);
    ++viewers_;
    server_->send(client, hello_);
    server_->send(client, scene_message_);
    if (mesh_) server_->send(client, *mesh_);
    if (walls_.bytes) server_->send(client, walls_);
    server_->send(client, status_);
    if (timeline_.bytes) server_->send(client, timeline_);
  }
  sendCurves(client);
}

void Show::left(ClientId client) {
  stage_.workshop.cancel(client);
  if (editing_) editing_->left(client);
  const std::lock_guard lock(mutex_);
  --viewers_;
  follows_.erase(client);
  sees_.erase(client);
}

bool Show::asked(ClientId client, Request request) {
  if (const auto* overlay = std::get_if<OverlayRequest>(&request)) {
    const std::lock_guard lock(mutex_);
    shown_->overlays.ask(client, overlay->name);
    return true;
  }
  if (auto* design = std::get_if<DesignMessage>(&request)) {
    if (editing_)
      editing_->ask(client, std::move(*design));
    else
      server_->send(client, message(noticeMessage("warning", "This is a recording: there is nothing to design.")));
    return true;
  }
  if (std::holds_alternative<CancelRequest>(request)) {
    stage_.workshop.cancel(client);
    return true;
  }
  {
    const std::lock_guard lock(mutex_);
    if (asked_.size() >= kMostAsked) return false;
    asked_.emplace_back(client, std::move(request));
  }
  wake_.notify_all();
  return true;
}

void Show::answerAll(Play& play) {
  std::deque<std::pair<ClientId, Request>> asked;
  {
    const std::lock_guard lock(mutex_);
    asked.swap(asked_);
  }
  for (const auto& [client, request] : asked) answer(play, client, request);
  if (!asked.empty()) next_status_ = {};
}

/// Time goes on from here: nothing is due.
void Show::setClock(const Play& play) {
  next_step_ = measured_ = Clock::now();
  measured_time_ = play.time();
}

void Show::answer(Play& play, ClientId client, const Request& request) {
  if (answerWatching(play, client, request)) return;
  if (const auto* wish = std::get_if<PlayRequest>(&request)) {
    playing_ = wish->playing;
    // Who presses play at the end of a recording wants to see it again.
    if (playing_ && play.canSeek() && play.over()) play.restart();
    if (playing_) over_ = false;
    setClock(play);
  } else if (const auto* steps = std::get_if<StepRequest>(&request)) {
    playing_ = false;
    // In pieces, so that a large number can be interrupted: the rest comes back as a request of its own.
    const std::uint32_t piece = std::min<std::uint32_t>(steps->count, 10);
    for (std::uint32_t i = 0; i < piece; ++i) step(play);
    if (steps->count > piece) asked(client, StepRequest{steps->count - piece});
  } else if (const auto* speed = std::get_if<SpeedRequest>(&request)) {
    speed_ = speed->factor;
    setClock(play);
  } else if (std::holds_alternative<RestartRequest>(request)) {
    if (changed_) return editing_->restart();
    play.restart();
    over_ = false;
    moved_ = true;
    walls_changed_ = 0;
    setClock(play);
  } else if (const auto* seek = std::get_if<SeekRequest>(&request)) {
    if (!play.canSeek()) return;
    play.seek(seek->time);
    over_ = false;
    moved_ = true;
    setClock(play);
  }
}

void Show::step(Play& play) {
  const auto begin = Clock::now();
  play.step();
  moved_ = true;
  const double took = milliseconds(Clock::now() - begin);
  step_ms_ = step_ms_ == 0 ? took : 0.9 * step_ms_ + 0.1 * took;
}

void Show::advance(Play& play) {
  const auto begin = Clock::now();
  const auto interval =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(play.interval() / speed_));
  if (playing_ && begin > next_step_) {
    const auto due = static_cast<std::uint64_t>((begin - next_step_) / interval) + 1;
    next_step_ += interval * static_cast<Clock::duration::rep>(play.leaveOut(due));
  }
  while (playing_ && Clock::now() >= next_step_ && Clock::now() - begin < kFrameInterval) {
    if (const auto why = play.over(); why && !over_) {
      over_ = true;
      playing_ = false;
      server_->broadcast(message(noticeMessage("info", *why)));
      next_status_ = {};
      return;
    }
    step(play);
    next_step_ += interval;
  }
  if (playing_ && Clock::now() - next_step_ > kLate) next_step_ = Clock::now();
}

void Show::publishFrame(Play& play) {
  auto frame = std::make_shared<const PublishedFrame>(play.publish(box_));
  box_ = frame->box;
  server_->publish(std::move(frame));
  moved_ = false;
  next_frame_ = Clock::now() + kFrameInterval;
}

std::string Show::statusText(const std::string& phase, const Play* play) {
  json status{{"type", "status"}, {"phase", phase}, {"playing", playing_}, {"speed", speed_}, {"viewers", viewers_}};
  status["time"] = play != nullptr ? play->time() : 0;
  status["people"] = play != nullptr ? play->people() : 0;
  status["waiting"] = play != nullptr ? play->waiting() : 0;
  status["factor"] = playing_ ? factor_ : 0;
  status["stepMs"] = step_ms_;
  status["recording"] = tape_.running();
  status["recorded"] = recordings_.empty() ? tape_.to() - tape_.from() : 0;
  return dumped(status);
}

void Show::publishStatus(Play& play) {
  const auto now = Clock::now();
  const double seconds = std::chrono::duration<double>(now - measured_).count();
  if (seconds >= 1) {
    factor_ = (play.time() - measured_time_) / seconds;
    measured_ = now;
    measured_time_ = play.time();
  }
  Message news;
  {
    const std::lock_guard lock(mutex_);
    news = status_ = message(statusText("running", &play));
  }
  server_->broadcast(std::move(news));
  next_status_ = now + kStatusInterval;
}

void Show::waitUntil(Clock::time_point due) {
  std::unique_lock lock(mutex_);
  wake_.wait_until(lock, std::min(due, Clock::now() + kFrameInterval), [&] { return !asked_.empty(); });
}

void Show::run(const std::function<bool()>& stop) {
  const std::unique_ptr<Play> play = begin_();
  publishTimeline(*play);
  for (std::size_t i = 0; i < recordings_.size(); ++i)
    surveys_.push_back(
        std::make_unique<Survey>(recordings_[i], [this, i](const Survey::Found& found) { publishSurvey(i, found); }));
  setClock(*play);
  while (!stop()) {
    answerAll(*play);
    carryOutEdits(*play);
    advance(*play);
    tellWalls(*play);
    const auto now = Clock::now();
    if (moved_ && now >= next_frame_) publishFrame(*play);
    if (now >= next_status_) {
      publishStatus(*play);
      publishPeople(*play);
    }
    if (now >= next_figures_) {
      publishFigures(*play);
      next_figures_ = now + kFiguresInterval;
    }
    waitUntil(std::min(playing_ ? next_step_ : next_status_, moved_ ? next_frame_ : next_status_));
  }
}

}  // namespace throng::serve
