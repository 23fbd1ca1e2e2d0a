// What viewers are told besides places: who somebody is, figures and curves, the time line; and what they have made.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

#include "serve/messages.h"
#include "serve/show.h"
#include "serve/sight_message.h"

namespace throng::serve {
namespace {

using nlohmann::json;

constexpr std::size_t kMostListed = 200;  ///< of the people in an area

/// "from hotel to church", or where the goals are.
std::string errand(const Population& population) {
  if (population.flow) return fmt::format("between {} and {}", population.flow->from, population.flow->to);
  if (!population.district.empty()) return fmt::format("in {}", population.district);
  if (population.goals.empty()) return "stays where they are";
  if (population.goals.size() > 1) return fmt::format("to {} goals, one after the other", population.goals.size());
  if (const auto* point = std::get_if<GoalPoint>(&population.goals[0].target))
    return fmt::format("to ({:.0f}, {:.0f})", point->point.x, point->point.y);
  if (const auto* district = std::get_if<GoalDistrict>(&population.goals[0].target))
    return "into " + district->district;
  if (std::holds_alternative<GoalDirection>(population.goals[0].target)) return "straight on, for ever";
  return std::holds_alternative<GoalArea>(population.goals[0].target) ? "to a place in an area"
                                                                      : "to the opposite side";
}

const Population* populationOf(const Scene& scene, const PersonNews& news) {
  return news.population < scene.populations.size() ? &scene.populations[news.population] : nullptr;
}

json personJson(const Scene& scene, const PersonNews& news) {
  json person{{"type", "person"}, {"id", news.number}, {"gone", news.gone}};
  if (news.gone) return person;
  person["x"] = news.at.x;
  person["y"] = news.at.y;
  person["z"] = news.z;
  person["radius"] = news.radius;
  person["speed"] = news.speed;
  person["layer"] = news.layer < scene.layers.size() ? scene.layers[news.layer].name : "";
  person["level"] = news.level;
  person["group"] = news.group;
  if (const Population* population = populationOf(scene, news)) {
    person["population"] = population->name;
    person["errand"] = errand(*population);
    person["profile"] = population->profile;
    for (const Profile& profile : scene.profiles)
      if (profile.name == population->profile) person["steering"] = profile.steering.model;
  }
  person["route"] = json::array();
  Point last = news.at;
  double left = 0;
  for (const Point p : news.route) {
    left += length(p - last);
    last = p;
    person["route"].push_back(rounded(p.x, 100));
    person["route"].push_back(rounded(p.y, 100));
  }
  if (!news.route.empty()) person["left"] = rounded(left, 10);
  return person;
}

json sampleJson(const Figures& figures) {
  json sample{rounded(figures.time), figures.people, rounded(figures.speed), rounded(figures.density), figures.arrived};
  for (const double flow : figures.flow) sample.push_back(rounded(flow));
  return sample;
}

std::string curvesText(std::size_t run, const std::vector<std::string>& lines, const std::vector<Figures>& samples,
                       bool complete) {
  json object{{"type", "curves"}, {"run", run}, {"lines", lines}, {"complete", complete}, {"samples", json::array()}};
  for (const Figures& figures : samples) object["samples"].push_back(sampleJson(figures));
  return dumped(object);
}

json peopleJson(const Scene& scene, const std::vector<PersonNews>& people) {
  json object{{"type", "people"}, {"count", people.size()}, {"listed", json::array()}};
  std::map<std::string, std::size_t> populations;
  double speed = 0;
  std::size_t standing = 0;
  for (const PersonNews& news : people) {
    const Population* population = populationOf(scene, news);
    ++populations[population != nullptr ? population->name : "–"];
    speed += news.speed;
    standing += news.speed < 0.2 ? 1 : 0;
    if (object["listed"].size() >= kMostListed) continue;
    object["listed"].push_back({{"id", news.number},
                                {"population", population != nullptr ? population->name : ""},
                                {"errand", population != nullptr ? errand(*population) : ""},
                                {"speed", rounded(news.speed, 100)}});
  }
  object["speed"] = people.empty() ? 0 : rounded(speed / static_cast<double>(people.size()));
  object["standing"] = standing;
  object["populations"] = json::array();
  for (const auto& [name, count] : populations) object["populations"].push_back({{"name", name}, {"count", count}});
  return object;
}

}  // namespace

bool Show::answerWatching(Play& play, ClientId client, const Request& request) {
  if (const auto* follow = std::get_if<FollowRequest>(&request)) {
    const std::lock_guard lock(mutex_);
    if (follow->person)
      follows_[client] = *follow->person;
    else
      follows_.erase(client);
    return true;
  }
  if (const auto* see = std::get_if<SeeRequest>(&request)) {
    const std::lock_guard lock(mutex_);
    if (see->person)
      sees_[client] = *see->person;
    else
      sees_.erase(client);
    return true;
  }
  if (const auto* area = std::get_if<PeopleRequest>(&request)) {
    try {
      server_->send(client, message(peopleJson(scene_, play.inside(ViewArea(area->area)))));
    } catch (const InputError& error) {
      server_->send(client, message(noticeMessage("error", error.what())));
    }
    return true;
  }
  if (const auto* wish = std::get_if<RecordRequest>(&request)) {
    record(play, client, wish->on);
    return true;
  }
  Work work;
  work.client = client;
  work.name = scene_.name;
  if (const auto* film = std::get_if<FilmRequest>(&request)) {
    work.settings.from = film->from;
    work.settings.to = film->to;
    work.settings.width = static_cast<int>(film->width);
    work.settings.film_speed = film->speed;
    make(play, std::move(work));
    return true;
  }
  const bool report = std::holds_alternative<ReportRequest>(request);
  if (!report && !std::holds_alternative<CopyRequest>(request)) return false;
  work.kind = report ? Work::Kind::kReport : Work::Kind::kCopy;
  make(play, std::move(work));
  return true;
}

void Show::record(Play& play, ClientId client, bool on) {
  const auto say = [&](const char* severity, const std::string& words) {
    server_->send(client, message(noticeMessage(severity, words)));
  };
  if (play.world() == nullptr) return say("warning", "This is a recording already.");
  try {
    if (on)
      tape_.start(*play.world());
    else
      tape_.stop();
  } catch (const Error& error) {
    say("error", error.what());
  }
  next_status_ = {};
}

void Show::make(Play& play, Work work) {
  const auto refuse = [&](const std::string& words) {
    server_->send(work.client, message(noticeMessage("warning", words)));
  };
  work.recording = play.recording();
  if (work.recording.empty()) {
    try {
      work.recording = tape_.stop();
    } catch (const Error& error) {
      return refuse(error.what());
    }
  }
  if (work.recording.empty()) return refuse("Nothing has been recorded yet: press Record, and let it run for a while.");
  if (work.kind == Work::Kind::kFilm && play.recording().empty()) {
    work.settings.from = std::clamp(work.settings.from, tape_.from(), tape_.to());
    work.settings.to = std::clamp(*work.settings.to, work.settings.from, tape_.to());
  }
  stage_.workshop.ask(std::move(work));
}

/// Doors and obstacles as they are at the moment of a recording that is shown.
void Show::tellRecordedWalls(Play& play) {
  Walls there = wallsOf(play.changes(), scene_);
  Message walls = wallsMessage(there);
  {
    const std::lock_guard lock(mutex_);
    if (walls_.bytes && *walls_.bytes == *walls.bytes) return;
    walls_ = walls;
    shown_->overlays.stand(std::move(there));
  }
  server_->broadcast(std::move(walls));
}

void Show::publishPeople(Play& play) {
  std::map<ClientId, std::uint32_t> follows, sees;
  {
    const std::lock_guard lock(mutex_);
    follows = follows_;
    sees = sees_;
  }
  for (const auto& [client, person] : follows) server_->send(client, message(personJson(scene_, play.person(person))));
  if (const World* world = play.world()) {
    for (const auto& [client, person] : sees) {
      const AgentId id = world->find(person);
      if (!id) continue;
      server_->send(client,
                    {std::make_shared<const std::string>(sightMessage(person, play.time(), world->see(id))), false});
    }
  }
}

void Show::publishFigures(Play& play) {
  publishTimeline(play);
  json object{{"type", "figures"}, {"time", rounded(play.time())}, {"stepMs", rounded(step_ms_)}};
  object["factor"] = playing_ ? rounded(factor_) : 0;
  object["systems"] = json::array();
  for (const auto& [name, ms] : play.systems()) object["systems"].push_back({name, rounded(ms)});
  // Of recordings the whole curve comes from a survey of the file.
  if (recordings_.empty() && curves_.due(play.time())) {
    const std::size_t before = curves_.all().size();
    curves_.add(play.figures());
    object["sample"] = sampleJson(curves_.all().back());
    std::string all = curvesText(0, lineNames(), curves_.all(), true);
    const bool thinned = curves_.all().size() <= before && before > 0;
    {
      const std::lock_guard lock(mutex_);
      curves_text_[0] = all;
    }
    if (thinned) server_->broadcast(message(std::move(all)));
  }
  server_->broadcast(message(object));
}

std::vector<std::string> Show::lineNames() const {
  std::vector<std::string> names;
  for (const MeasurementLine& line : scene_.lines) names.push_back(line.name);
  return names;
}

void Show::publishSurvey(std::size_t run, const Survey::Found& found) {
  std::string all = curvesText(run, found.lines, found.curve, found.complete);
  {
    const std::lock_guard lock(mutex_);
    curves_text_[run] = all;
  }
  server_->broadcast(message(std::move(all)));
}

void Show::sendCurves(ClientId client) {
  std::map<std::size_t, std::string> curves;
  {
    const std::lock_guard lock(mutex_);
    curves = curves_text_;
  }
  for (auto& [run, all] : curves) server_->send(client, message(std::move(all)));
}

void Show::publishTimeline(Play& play) {
  const auto [from, to] = play.span();
  json object{{"type", "timeline"},
              {"kind", recordings_.empty() ? "world" : "recording"},
              {"from", from},
              {"to", nullptr},
              {"seekable", play.canSeek()},
              {"runs", json::array()},
              {"lines", lineNames()},
              {"happenings", json::array()}};
  if (to) object["to"] = *to;
  for (const std::string& path : recordings_) object["runs"].push_back(std::filesystem::path(path).filename().string());
  for (const Happening& happening : play.happenings())
    object["happenings"].push_back({{"time", rounded(happening.time)}, {"text", happening.text}});
  Message made = message(object);
  {
    const std::lock_guard lock(mutex_);
    if (timeline_.bytes && *timeline_.bytes == *made.bytes) return;
    timeline_ = made;
  }
  server_->broadcast(std::move(made));
}

}  // namespace throng::serve
