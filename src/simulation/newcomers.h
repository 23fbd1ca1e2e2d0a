// Who comes, when and where: people who are there at the beginning, who appear by rate or schedule, who are on flows,
// and whom programs add.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "districts/districts.h"
#include "flows/flows.h"
#include "goals/goals.h"
#include "goals/population.h"
#include "ground/placement.h"
#include "step/system.h"

namespace throng::simulation {

/// Populations have random streams too; they start beyond any person's number.
inline constexpr std::uint64_t kPopulationStream = std::uint64_t{1} << 40;

/// One person to be added by a program; what is absent is drawn from the profile.
struct NewPerson {
  Point position;
  std::uint16_t profile = 0, population = 0, layer = 0;
  std::optional<double> radius, preferred_speed;
  std::optional<std::uint32_t> number = {};  ///< of somebody who has one already
};

class Newcomers {
 public:
  Newcomers(step::StepContext& context, goals::Goals& goals, flows::Flows& flows, districts::Districts& districts)
      : context_(context), goals_(goals), flows_(flows), districts_(districts) {}

  /// At time 0. Throws InputError when they do not fit. `nobody`: they only get to know where they would go.
  void placeEverybody(bool nobody = false);
  /// Those who are due take a free place.
  void appear();
  /// Throws InputError when the place is in a wall, outside or taken.
  AgentId add(const NewPerson& person, const std::vector<Goal>& goals, OnArrival on_arrival);
  /// A flow between two of the scene's places, from now on. Throws InputError when they cannot be joined or a name is
  /// not known, and then nothing has changed. Returns the number of its population.
  std::uint16_t addFlow(Population population);

  // Going on from another world (continuation.cpp).
  /// Flows whose time has come, without people.
  void insertDueFlows();
  /// Somebody who is on the way already.
  AgentId takeOver(const NewPerson& person, std::uint32_t journey, base::Random random) {
    return join(person, journey, random);
  }
  /// After everybody has been taken over: populations that are new, or have more people than before, get theirs, as far
  /// as there is room; of those that have fewer now the last leave. `counterparts`: by population of before.
  void continueFrom(const Newcomers& before, const std::vector<Population>& earlier,
                    const std::vector<std::uint16_t>& counterparts);

  /// People who are due but found no free place yet.
  std::uint64_t waiting() const;
  /// Will people appear later than now?
  bool moreToCome() const;
  /// Has everybody appeared who ever will?
  bool everybodyIsThere() const;
  /// The number of the next person.
  std::uint32_t nextPerson() const { return next_person_; }

  // For snapshots.
  struct Saved {
    std::uint32_t next_person = 0;
    std::vector<goals::Source> sources;

    template <class Archive>
    void fields(Archive& f) {
      f(next_person);
      f.list(sources, [](auto& archive, goals::Source& source) {
        std::uint64_t state = source.random.state();
        archive(state), archive(source.appeared);
        source.random = base::Random(state);
      });
    }
  };
  Saved saved() const { return {next_person_, sources_}; }
  void restore(Saved saved) { next_person_ = saved.next_person, sources_ = std::move(saved.sources); }

 private:
  AgentId join(const NewPerson& person, std::uint32_t journey, base::Random random, std::int32_t first_goal = 0);
  goals::Journey::Leg legTo(const flows::FlowEnd& end) const;
  goals::Journey flowJourney(std::size_t population) const;
  void insertFlow(std::size_t population);
  void joinFlow(std::size_t population, std::uint32_t count);
  void joinStart(std::size_t population, std::uint32_t count);
  void joinDistrict(std::size_t population, const std::vector<districts::Districts::Newcomer>& people);
  std::vector<ground::Disc> peopleNear(const Start& start, std::uint16_t layer) const;

  step::StepContext& context_;
  goals::Goals& goals_;
  flows::Flows& flows_;
  districts::Districts& districts_;
  std::vector<goals::Source> sources_;  ///< one per population
  std::uint32_t next_person_ = 1;
};

/// People who are due by rate or schedule take a free place; flows are inserted when their time has come.
class Appear final : public step::System {
 public:
  explicit Appear(Newcomers& newcomers) : newcomers_(newcomers) {}
  std::string_view name() const override { return "appear"; }
  May may() const override { return {.add = true}; }
  void run(step::StepContext&) override { newcomers_.appear(); }
  void save(const step::StepContext& context, base::ArchiveWriter& writer) const override;
  void load(base::ArchiveReader& reader, const step::Loading& loading) override;
  void accept(step::StepContext& context) override;

 private:
  Newcomers& newcomers_;
  Newcomers::Saved loaded_;
};

}  // namespace throng::simulation
