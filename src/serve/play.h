// What is shown, and what its clock does: a world that runs, or recordings that are played.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "throng/recording.h"
#include "throng/world.h"

#include "serve/figures.h"
#include "serve/published_frame.h"

namespace throng::serve {

/// Something that happens at a moment of the run, for the time line.
struct Happening {
  double time = 0;  ///< s
  std::string text;
  bool operator==(const Happening&) const = default;
};

/// Who somebody is, for a card.
struct PersonNews {
  std::uint32_t number = 0;
  bool gone = true;
  Point at;
  double z = 0, speed = 0, radius = 0;
  std::uint16_t layer = 0, population = 0;
  unsigned level = 0;
  std::uint32_t group = 0;
  std::vector<Point> route;  ///< that is left; empty when that is not known
};

class Play {
 public:
  virtual ~Play() = default;

  virtual double time() const = 0;
  /// s from one step to the next.
  virtual double interval() const = 0;
  virtual std::size_t people() const = 0;
  /// People who are due but found no place yet.
  virtual std::uint64_t waiting() const { return 0; }
  /// Why it does not go on, as a sentence; nothing while it does.
  virtual std::optional<std::string> over() const = 0;
  virtual void step() = 0;
  /// So many steps are due: leaves out those that nobody would see, and says how many. What has to be computed leaves
  /// out none.
  virtual std::uint64_t leaveOut(std::uint64_t due) {
    (void)due;
    return 0;
  }
  virtual void restart() = 0;
  /// From when to when there is something to see; `to` is nothing where that is open.
  virtual std::pair<double, std::optional<double>> span() const = 0;
  virtual bool canSeek() const { return false; }
  /// Goes to the first frame at or after a time (s), or to the last one.
  virtual void seek(double time) { (void)time; }

  /// The same box while it holds everybody, else a larger one.
  virtual PublishedFrame publish(const Box& box) const = 0;
  virtual PersonNews person(std::uint32_t number) const = 0;
  /// Everybody in an area, in the order of their numbers.
  virtual std::vector<PersonNews> inside(const ViewArea& area) const = 0;
  /// Of the time line: what has happened and what is known to come.
  virtual std::vector<Happening> happenings() const = 0;
  /// Of a recording: what has changed until now; a world is asked itself.
  virtual std::vector<Change> changes() const { return {}; }
  virtual Figures figures() = 0;
  /// ms of each part of a step; empty where nothing is computed.
  virtual std::vector<std::pair<std::string, double>> systems() const { return {}; }
  /// Where there is one, to change it and to ask it more.
  virtual World* world() { return nullptr; }
  /// The world has become that of another scene, at time 0 where it begins anew.
  virtual void changed(const Scene& scene, bool restarted) { (void)scene, (void)restarted; }
  /// A file with all of it, where there is one.
  virtual std::string recording() const { return {}; }
};

/// A world that runs. `advanced` is told after every step.
std::unique_ptr<Play> playWorld(const Scene& scene, const WorldOptions& options,
                                std::function<void(const World&)> advanced = {});
/// One recording, or two beside one another: people of the second have kSecondRun added to their numbers.
std::unique_ptr<Play> playRecordings(const std::vector<std::string>& paths);
inline constexpr std::uint32_t kSecondRun = 1u << 31;

/// "door south closes"
std::string happeningText(const Change& change);

}  // namespace throng::serve
