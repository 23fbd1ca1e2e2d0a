#include "serve/play.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace throng::serve {
namespace {

/// What the scene says will happen.
std::vector<Happening> planned(const Scene& scene) {
  std::vector<Happening> list;
  for (const Event& event : scene.events) {
    struct Words {
      std::string operator()(const OpenDoor& e) const { return "door " + e.door + " opens"; }
      std::string operator()(const CloseDoor& e) const { return "door " + e.door + " closes"; }
      std::string operator()(const InsertObstacle& e) const { return e.name + " is put there"; }
      std::string operator()(const RemoveObstacle& e) const { return e.name + " is taken away"; }
    };
    list.push_back({event.time, std::visit(Words{}, event.change)});
  }
  return list;
}

class WorldPlay final : public Play {
 public:
  WorldPlay(const Scene& scene, const WorldOptions& options, std::function<void(const World&)> advanced)
      : world_(scene, options), advanced_(std::move(advanced)), gauge_(scene), beginning_(world_.snapshot()) {
    gauge_.observe(world_.frame());
  }

  double time() const override { return world_.time(); }
  double interval() const override { return world_.scene().run.dt; }
  std::size_t people() const override { return world_.frame().size(); }
  std::uint64_t waiting() const override { return world_.waiting(); }

  /// A scene's duration is for runs that are recorded; who looks on may do so for longer.
  std::optional<std::string> over() const override {
    const RunEnd end = world_.ending();
    if (end == RunEnd::kAllArrived) return "Everybody has arrived.";
    if (end == RunEnd::kNoProgress) return "Nobody gets any further.";
    return {};
  }

  void step() override {
    world_.step();
    gauge_.observe(world_.frame(), world_.arrivals().size());
    if (advanced_) advanced_(world_);
  }

  void restart() override {
    world_.restore(beginning_);
    gauge_.observe(world_.frame());
  }

  std::pair<double, std::optional<double>> span() const override { return {0, world_.scene().run.duration}; }

  PublishedFrame publish(const Box& box) const override {
    const Frame frame = world_.frame();
    return serve::publish(frame, world_.levels(), boxFor(frame, box));
  }

  PersonNews person(std::uint32_t number) const override {
    const AgentId id = world_.find(number);
    if (!id) return {.number = number};
    PersonNews news = newsOf(world_.row(id));
    news.route = world_.route(id);
    return news;
  }

  std::vector<PersonNews> inside(const ViewArea& area) const override {
    const Frame frame = world_.frame();
    std::vector<PersonNews> list;
    for (std::size_t row = 0; row < frame.size(); ++row)
      if (area.contains({frame.x[row], frame.y[row]})) list.push_back(newsOf(row));
    std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
    return list;
  }

  /// Those of the scene's events that have not happened yet, after everything that has, however it came about.
  std::vector<Happening> happenings() const override {
    std::vector<Happening> list;
    for (const Change& change : world_.frame().changes)
      if (change.time > 0) list.push_back({change.time, happeningText(change)});
    for (Happening& event : planned(world_.scene()))
      if (event.time > world_.time()) list.push_back(std::move(event));
    return list;
  }

  Figures figures() override { return gauge_.sample(world_.frame()); }

  std::vector<std::pair<std::string, double>> systems() const override {
    std::vector<std::pair<std::string, double>> list;
    for (const SystemTime& system : world_.systemTimes())
      list.emplace_back(std::string(system.name), 1e3 * system.last);
    return list;
  }

  World* world() override { return &world_; }
  void changed(const Scene& scene, bool restarted) override {
    gauge_ = Gauge(scene);
    gauge_.observe(world_.frame());
    if (restarted) beginning_ = world_.snapshot();
  }

 private:
  PersonNews newsOf(std::size_t row) const {
    const Frame frame = world_.frame();
    PersonNews news;
    news.number = frame.person[row];
    news.gone = false;
    news.at = {frame.x[row], frame.y[row]};
    news.z = frame.z[row];
    news.radius = frame.radius[row];
    news.speed = std::hypot(world_.velocityX()[row], world_.velocityY()[row]);
    news.layer = frame.layer[row];
    news.population = frame.population[row];
    if (row < world_.levels().size()) news.level = world_.levels()[row];
    if (row < frame.group.size()) news.group = frame.group[row];
    return news;
  }

  World world_;
  std::function<void(const World&)> advanced_;
  Gauge gauge_;
  std::vector<std::byte> beginning_;
};

}  // namespace

std::unique_ptr<Play> playWorld(const Scene& scene, const WorldOptions& options,
                                std::function<void(const World&)> advanced) {
  return std::make_unique<WorldPlay>(scene, options, std::move(advanced));
}

std::string happeningText(const Change& change) {
  switch (change.kind) {
    case Change::Kind::kOpenDoor:
      return fmt::format("door {} opens", change.name);
    case Change::Kind::kCloseDoor:
      return fmt::format("door {} closes", change.name);
    case Change::Kind::kInsertObstacle:
      return fmt::format("{} is put there", change.name);
    case Change::Kind::kRemoveObstacle:
      return fmt::format("{} is taken away", change.name);
  }
  return {};
}

}  // namespace throng::serve
