#include "serve/show.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "serve/design_message.h"
#include "serve/scene_message.h"

namespace throng::serve {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;

constexpr auto kFrameInterval = 50ms, kStatusInterval = 200ms;
/// How far the simulation may fall behind the clock before it gives up catching up.
constexpr auto kLate = 200ms;

Message text(const json& object) {
  return {std::make_shared<const std::string>(object.dump(-1, ' ', false, json::error_handler_t::replace)), true};
}

double milliseconds(Clock::duration d) { return std::chrono::duration<double, std::milli>(d).count(); }

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

json personJson(const World& world, std::uint32_t number) {
  json person{{"type", "person"}, {"id", number}};
  const AgentId id = world.find(number);
  person["gone"] = !id;
  if (!id) return person;
  const Frame frame = world.frame();
  const std::size_t row = world.row(id);
  const Scene& scene = world.scene();
  person["x"] = frame.x[row];
  person["y"] = frame.y[row];
  person["z"] = frame.z[row];
  person["radius"] = frame.radius[row];
  person["speed"] = std::hypot(world.velocityX()[row], world.velocityY()[row]);
  person["layer"] = frame.layer[row] < scene.layers.size() ? scene.layers[frame.layer[row]].name : "";
  person["level"] = row < world.levels().size() ? world.levels()[row] : 0;
  if (frame.population[row] < scene.populations.size()) {
    const Population& population = scene.populations[frame.population[row]];
    person["population"] = population.name;
    person["errand"] = errand(population);
    person["profile"] = population.profile;
    for (const Profile& profile : scene.profiles)
      if (profile.name == population.profile) person["steering"] = profile.steering.model;
  }
  person["route"] = json::array();
  for (const Point p : world.route(id)) {
    person["route"].push_back(std::round(p.x * 100) / 100);
    person["route"].push_back(std::round(p.y * 100) / 100);
  }
  return person;
}

std::string listenName(const std::string& listen) {
  return listen == "0.0.0.0" || listen == "::"   ? "127.0.0.1"
         : listen.find(':') != std::string::npos ? "[" + listen + "]"
                                                 : listen;
}

}  // namespace

Show::Show(const Scene& scene, const StudioSettings& settings)
    : scene_(std::make_shared<const Scene>(scene)),
      file_(settings.file),
      settings_(settings),
      token_(makeToken()),
      playing_(settings.playing) {
  ServerSettings server{
      .address = settings.listen, .port = settings.port, .hosts = settings.hosts, .token = token_, .files = {}};
  // Who listens on an address of the machine may be called by it; for all of them at once, --host says the names.
  if (settings.listen != "0.0.0.0" && settings.listen != "::") server.hosts.push_back(settings.listen);
  for (const StudioFile& file : settings.files) server.files.push_back({file.path, file.type, file.bytes});
  server_ = std::make_unique<Server>(server, *this);
  useScene(false);
  editing_ = std::make_unique<Editing>(
      scene_, documentFileOf(*scene_, settings_.file), settings_.threads,
      [this](ClientId client, Message message) { server_->send(client, std::move(message)); });
  status_ = {std::make_shared<const std::string>(statusText("preparing", nullptr)), true};
  server_->start();
}

Show::~Show() {
  editing_.reset();
  shown_.reset();
  server_->stop("the studio has ended");
}

std::string Show::address() const {
  return fmt::format("http://{}:{}/#{}", listenName(settings_.listen), server_->port(), token_);
}

void Show::joined(ClientId client) {
  const std::lock_guard lock(mutex_);
  ++viewers_;
  server_->send(client, hello_);
  server_->send(client, scene_message_);
  if (mesh_) server_->send(client, *mesh_);
  if (walls_.bytes) server_->send(client, walls_);
  server_->send(client, status_);
}

void Show::left(ClientId client) {
  editing_->left(client);
  const std::lock_guard lock(mutex_);
  --viewers_;
  follows_.erase(client);
}

bool Show::asked(ClientId client, Request request) {
  if (const auto* overlay = std::get_if<OverlayRequest>(&request)) {
    const std::lock_guard lock(mutex_);
    shown_->overlays.ask(client, overlay->name);
    return true;
  }
  if (auto* design = std::get_if<DesignMessage>(&request)) {
    editing_->ask(client, std::move(*design));
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

void Show::answerAll(World& world) {
  std::deque<std::pair<ClientId, Request>> asked;
  {
    const std::lock_guard lock(mutex_);
    asked.swap(asked_);
  }
  for (const auto& [client, request] : asked) answer(world, client, request);
  if (!asked.empty()) next_status_ = {};
}

void Show::answer(World& world, ClientId client, const Request& request) {
  const auto now = Clock::now();
  if (const auto* play = std::get_if<PlayRequest>(&request)) {
    playing_ = play->playing;
    next_step_ = measured_ = now;
    measured_time_ = world.time();
  } else if (const auto* steps = std::get_if<StepRequest>(&request)) {
    playing_ = false;
    // In pieces, so that a large number can be interrupted: the rest comes back as a request of its own.
    const std::uint32_t piece = std::min<std::uint32_t>(steps->count, 10);
    for (std::uint32_t i = 0; i < piece; ++i) step(world);
    if (steps->count > piece) asked(client, StepRequest{steps->count - piece});
  } else if (const auto* speed = std::get_if<SpeedRequest>(&request)) {
    speed_ = speed->factor;
    next_step_ = measured_ = now;
    measured_time_ = world.time();
  } else if (std::holds_alternative<RestartRequest>(request)) {
    if (beginning_.empty()) return editing_->restart();
    world.restore(beginning_);
    walls_changed_ = 0;
    over_ = false;
    moved_ = true;
    next_step_ = measured_ = now;
    measured_time_ = world.time();
  } else if (const auto* follow = std::get_if<FollowRequest>(&request)) {
    const std::lock_guard lock(mutex_);
    if (follow->person)
      follows_[client] = *follow->person;
    else
      follows_.erase(client);
  }
}

void Show::step(World& world) {
  const auto begin = Clock::now();
  world.step();
  moved_ = true;
  const double took = milliseconds(Clock::now() - begin);
  step_ms_ = step_ms_ == 0 ? took : 0.9 * step_ms_ + 0.1 * took;
}

void Show::advance(World& world) {
  const auto begin = Clock::now();
  const auto interval =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(scene_->run.dt / speed_));
  while (playing_ && Clock::now() >= next_step_ && Clock::now() - begin < kFrameInterval) {
    // A scene's duration is for runs that are recorded; who looks on may do so for longer.
    const RunEnd end = world.ending();
    if (!over_ && (end == RunEnd::kAllArrived || end == RunEnd::kNoProgress)) {
      over_ = true;
      playing_ = false;
      server_->broadcast(
          {std::make_shared<const std::string>(noticeMessage(
               "info", end == RunEnd::kAllArrived ? "Everybody has arrived." : "Nobody gets any further.")),
           true});
      next_status_ = {};
      return;
    }
    step(world);
    next_step_ += interval;
  }
  if (playing_ && Clock::now() - next_step_ > kLate) next_step_ = Clock::now();
}

void Show::publishFrame(World& world) {
  const Frame frame = world.frame();
  box_ = boxFor(frame, box_);
  server_->publish(std::make_shared<const PublishedFrame>(publish(frame, world.levels(), box_)));
  moved_ = false;
  next_frame_ = Clock::now() + kFrameInterval;
}

std::string Show::statusText(const std::string& phase, const World* world) {
  json status{{"type", "status"}, {"phase", phase}, {"playing", playing_}, {"speed", speed_}, {"viewers", viewers_}};
  status["time"] = world != nullptr ? world->time() : 0;
  status["people"] = world != nullptr ? world->frame().size() : 0;
  status["waiting"] = world != nullptr ? world->waiting() : 0;
  status["factor"] = playing_ ? factor_ : 0;
  status["stepMs"] = step_ms_;
  return status.dump();
}

void Show::publishStatus(World& world) {
  const auto now = Clock::now();
  const double seconds = std::chrono::duration<double>(now - measured_).count();
  if (seconds >= 1) {
    factor_ = (world.time() - measured_time_) / seconds;
    measured_ = now;
    measured_time_ = world.time();
  }
  Message message;
  {
    const std::lock_guard lock(mutex_);
    message = status_ = {std::make_shared<const std::string>(statusText("running", &world)), true};
  }
  server_->broadcast(std::move(message));
  next_status_ = now + kStatusInterval;
}

void Show::publishPeople(World& world) {
  std::map<ClientId, std::uint32_t> follows;
  {
    const std::lock_guard lock(mutex_);
    follows = follows_;
  }
  for (const auto& [client, person] : follows) server_->send(client, text(personJson(world, person)));
}

/// From the scene that runs now.
void Show::useScene(bool tell) {
  auto shown = std::make_shared<Shown>(
      scene_, [this](ClientId client, Message message) { server_->send(client, std::move(message)); });
  const std::shared_ptr<const Mesh> mesh = scene_->mesh ? scene_->mesh->mesh : nullptr;
  const bool same_mesh = tell && mesh == shown_mesh_;
  box_ = sceneBox(*scene_);
  {
    const std::lock_guard lock(mutex_);
    hello_ = text({{"type", "hello"}, {"protocol", kProtocolVersion}, {"overlays", shown->overlays.names()}});
    scene_message_ = {std::make_shared<const std::string>(sceneMessage(*scene_, file_)), true};
    if (!same_mesh) {
      auto bytes = meshMessage(*scene_);
      mesh_ =
          bytes ? std::optional(Message{std::make_shared<const std::string>(std::move(*bytes)), false}) : std::nullopt;
    }
    shown_mesh_ = mesh;
    shown_.swap(shown);
  }
  if (shown) editing_->discard(std::move(shown));
  if (!tell) return;
  server_->broadcast({std::make_shared<const std::string>(sceneMessage(*scene_, file_, same_mesh)), true});
  if (mesh_ && !same_mesh) server_->broadcast(*mesh_);
}

void Show::carryOutEdits(World& world) {
  const Editing::Outcome done = editing_->carryOut(world, scene_);
  if (!done.scene) return;
  file_ = done.file;
  beginning_.clear();
  if (done.restarted) {
    beginning_ = world.snapshot();
    over_ = false;
    measured_time_ = world.time();
    next_step_ = measured_ = Clock::now();
  }
  walls_changed_ = 0;
  moved_ = true;
  next_status_ = {};
  useScene(true);
}

void Show::tellWalls(World& world) {
  const std::size_t changes = world.frame().changes.size() + 1;
  if (changes == walls_changed_) return;
  walls_changed_ = changes;
  Message walls = wallsMessage(world, *scene_);
  {
    const std::lock_guard lock(mutex_);
    walls_ = walls;
  }
  server_->broadcast(std::move(walls));
}

void Show::waitUntil(Clock::time_point due) {
  std::unique_lock lock(mutex_);
  wake_.wait_until(lock, std::min(due, Clock::now() + kFrameInterval), [&] { return !asked_.empty(); });
}

void Show::run(const std::function<bool()>& stop) {
  World world(*scene_, {.threads = settings_.threads});
  beginning_ = world.snapshot();
  next_step_ = measured_ = Clock::now();
  while (!stop()) {
    answerAll(world);
    carryOutEdits(world);
    advance(world);
    tellWalls(world);
    const auto now = Clock::now();
    if (moved_ && now >= next_frame_) publishFrame(world);
    if (now >= next_status_) {
      publishStatus(world);
      publishPeople(world);
    }
    waitUntil(std::min(playing_ ? next_step_ : next_status_, moved_ ? next_frame_ : next_status_));
  }
  server_->stop("the studio has ended");
}

}  // namespace throng::serve
