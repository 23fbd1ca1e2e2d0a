// The step as a table of systems, in order. A new capability is a module with a System and one line in systems.cpp.
#pragma once

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "districts/districts.h"
#include "flows/flows.h"
#include "goals/goals.h"
#include "levels/people.h"
#include "simulation/changes.h"
#include "simulation/endings.h"
#include "simulation/newcomers.h"
#include "steering/systems.h"
#include "step/system.h"

namespace throng::planning {
class PlanRoutes;
}

namespace throng::simulation {

class Systems {
 public:
  /// The context must stay where it is, and be given nobody yet. Throws InputError for models that are not known.
  /// `nobody`: not even those who are there at time 0 (World::continueFrom()).
  explicit Systems(step::StepContext& context, bool nobody = false);

  /// One step of context.dt.
  void run();

  struct Entry {
    std::unique_ptr<step::System> system;
    double last = 0, total = 0;  ///< s that it took in the last step, and since the beginning
  };
  std::vector<Entry>& table() { return table_; }
  const std::vector<Entry>& table() const { return table_; }
  /// A program's own, before the system of that name. Throws InputError when there is none, or one that is called the
  /// same.
  void insert(std::unique_ptr<step::System> system, std::string_view before);
  /// All systems make their columns, or find them again.
  void attach();

  /// Hears of every system before and after it runs, and after what it asked for was carried out.
  class Watcher {
   public:
    virtual ~Watcher() = default;
    virtual void before(const step::System&) {}
    virtual void after(const step::System&) {}
    virtual void carriedOut(const step::System&) {}
  };
  void watch(Watcher* watcher) { watcher_ = watcher; }

  std::size_t memory() const;

  // What systems of one module share.
  goals::Goals goals;
  flows::Flows flows;
  districts::Districts districts;
  levels::PeopleLevels levels{flows};
  steering::Steering steering;
  Newcomers newcomers;
  Changes changes;
  HappenEvents* events = nullptr;
  const planning::PlanRoutes* plan = nullptr;
  std::unique_ptr<Endings> endings;

 private:
  template <class S, class... Arguments>
  S& add(Arguments&&... arguments) {
    table_.push_back({std::make_unique<S>(std::forward<Arguments>(arguments)...)});
    return static_cast<S&>(*table_.back().system);
  }
  void listen();

  step::StepContext& context_;
  std::vector<Entry> table_;
  Watcher* watcher_ = nullptr;
};

}  // namespace throng::simulation
