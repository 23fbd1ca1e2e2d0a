#include "serve/workshop.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "throng/files.h"
#include "throng/recording.h"

#include "serve/messages.h"

namespace throng::serve {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr auto kProgressInterval = std::chrono::milliseconds(200);

/// Letters and digits of a scene's name, as a file may be called.
std::string fileName(const std::string& name) {
  std::string plain;
  for (const char c : name)
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_')
      plain.push_back(c);
    else if (!plain.empty() && plain.back() != '-')
      plain.push_back('-');
  return plain.empty() ? "throng" : plain.substr(0, 60);
}

const char* workText(Work::Kind kind) {
  return kind == Work::Kind::kFilm ? "film" : kind == Work::Kind::kReport ? "report" : "recording";
}

}  // namespace

Workshop::Workshop(std::string folder, std::function<void(ClientId, std::string)> tell)
    : folder_(std::move(folder)), tell_(std::move(tell)), thread_([this] { run(); }) {}

Workshop::~Workshop() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void Workshop::ask(Work work) {
  const ClientId client = work.client;
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.size() < kMostWaiting) {
      waiting_.push_back(std::move(work));
      wake_.notify_all();
      return;
    }
  }
  tell_(client, noticeMessage("warning", "There is too much to do already; ask again later."));
}

void Workshop::cancel(ClientId client) {
  const std::lock_guard lock(mutex_);
  std::erase_if(waiting_, [&](const Work& work) { return work.client == client; });
  if (working_for_ == client) given_up_ = true;
}

std::optional<Made> Workshop::find(std::string_view target) const {
  constexpr std::string_view kPlace = "/made/";
  if (target.substr(0, kPlace.size()) != kPlace) return {};
  const std::lock_guard lock(mutex_);
  for (const auto& [number, made] : made_)
    if (target.substr(kPlace.size()) == std::to_string(number)) return made;
  return {};
}

bool Workshop::unwanted(ClientId) const {
  const std::lock_guard lock(mutex_);
  return ending_ || given_up_;
}

void Workshop::run() {
  for (;;) {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [&] { return ending_ || !waiting_.empty(); });
    if (ending_) return;
    const Work work = waiting_.front();
    waiting_.pop_front();
    working_for_ = work.client;
    given_up_ = false;
    const std::uint32_t number = ++last_;
    lock.unlock();
    try {
      make(work, number);
    } catch (const std::exception& error) {
      tell(work, number, "failed", 0, error.what());
    }
    lock.lock();
    working_for_.reset();
  }
}

void Workshop::tell(const Work& work, std::uint32_t number, const char* state, double share, const std::string& more) {
  json object{{"type", "work"}, {"work", number}, {"kind", workText(work.kind)}, {"state", state}, {"share", share}};
  if (std::string_view(state) == "done") object["file"] = more;
  if (std::string_view(state) == "failed") object["why"] = more;
  tell_(work.client, dumped(object));
}

void Workshop::make(const Work& work, std::uint32_t number) {
  const char* endings[] = {"mp4", "html", "sqlite"};
  const char* types[] = {"video/mp4", "text/html; charset=utf-8", "application/octet-stream"};
  const auto kind = static_cast<std::size_t>(work.kind);
  const std::string path = fmt::format("{}/{}.{}", folder_, number, endings[kind]);
  const std::string name = fmt::format("{}.{}", fileName(work.name), endings[kind]);
  auto next = std::chrono::steady_clock::time_point{};
  const auto progress = [&](double share) {
    const auto now = std::chrono::steady_clock::now();
    if (now >= next) {
      next = now + kProgressInterval;
      tell(work, number, "working", share);
    }
    return !unwanted(work.client);
  };
  if (!progress(0)) return tell(work, number, "given up", 0);
  if (work.kind == Work::Kind::kFilm) {
    Recording recording(work.recording);
    drawFilm(recording, path, work.settings, progress);
  } else if (work.kind == Work::Kind::kReport) {
    const std::string html = reportHtml(work.recording, folder_, progress);
    if (!html.empty()) writeFile(path, html, true);
  } else {
    fs::copy_file(work.recording, path, fs::copy_options::overwrite_existing);
  }
  std::error_code error;
  if (unwanted(work.client) || !fs::exists(path, error)) {
    fs::remove(path, error);
    return tell(work, number, "given up", 0);
  }
  {
    const std::lock_guard lock(mutex_);
    made_[number] = {path, name, types[kind]};
    if (made_.size() > kMostMade) {
      fs::remove(made_.begin()->second.path, error);
      made_.erase(made_.begin());
    }
  }
  tell(work, number, "done", 1, name);
}

}  // namespace throng::serve
