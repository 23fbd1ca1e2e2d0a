// What is a part of a step: a system. The step is a table of systems (simulation/systems.cpp); each has a name, owns
// columns that it attaches to the crowd, runs on a context that is frozen but for what it owns, and saves and loads
// itself. The table times it.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "base/archive.h"
#include "step/context.h"

namespace throng::step {

/// A snapshot while it is read: what systems may compare theirs with. Nothing of it is in use yet.
struct Loading {
  const StepContext& now;
  double time = 0;  ///< s: of the snapshot
  const agents::Crowd& crowd;
  const std::vector<Population>& populations;
  const corridors::CorridorMap* map = nullptr;
  const graph::NavigationGraph* graph = nullptr;

  /// Throws InputError unless it holds. The checksum finds every damage; this finds what a program with another idea
  /// of the format, or of the same scene, has written.
  static void require(bool holds, const char* what);
};

class System {  // NOLINT(cppcoreguidelines-special-member-functions): made once, and stays where it is
 public:
  System() = default;
  System(const System&) = delete;
  System& operator=(const System&) = delete;
  virtual ~System() = default;

  /// As it is shown with times, and as others are put before it.
  virtual std::string_view name() const = 0;
  /// What it may do beside writing columns of its own and asking for things (`Requests`). Nobody else may; that is
  /// tested.
  struct May {
    bool move = false;    ///< places, velocities, headings, layers
    bool add = false;     ///< people who come
    bool remove = false;  ///< people who go
  };
  virtual May may() const { return {}; }

  /// Makes its columns where they are needed, and finds them again after a snapshot was loaded.
  virtual void attach(StepContext&) {}
  virtual void run(StepContext& context) = 0;
  /// Wants to run once more in this step, after what it asked for has been carried out.
  virtual bool again(const StepContext&) const { return false; }
  /// Somebody sets out for another goal than before.
  virtual void setsOut(StepContext&, std::uint32_t /*row*/) {}

  /// Everything that goes on from step to step and is in no column.
  virtual void save(const StepContext&, base::ArchiveWriter&) const {}
  /// Reads what save() wrote and checks it, but leaves what is in use as it is; throws InputError.
  virtual void load(base::ArchiveReader&, const Loading&) {}
  /// Every system could be loaded, and the context is that of the snapshot: now what was read is in use.
  virtual void accept(StepContext&) {}

  virtual std::size_t memory() const { return 0; }
};

}  // namespace throng::step
