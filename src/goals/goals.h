// Where everybody is going: the journeys of a world, who uses them, and whether anybody still gets anywhere.
#pragma once

#include <cstdint>
#include <vector>

#include "goals/journey.h"
#include "goals/progress.h"
#include "goals/turns.h"
#include "step/system.h"

namespace throng::goals {

class Goals {
 public:
  const Journey& operator[](std::uint32_t journey) const { return journeys_[journey]; }
  const Journey& of(const agents::Crowd& crowd, std::uint32_t row) const { return journeys_[crowd.journey[row]]; }

  /// Returns its number. Those of populations come first, in their order.
  std::uint32_t add(Journey journey);
  void use(std::uint32_t journey) { ++journeys_[journey].users; }
  /// One user less; nobody's journey is forgotten.
  void release(std::uint32_t journey);
  /// A population more, whose journey comes after those of the others, and back. Other journeys change their numbers.
  void insertPopulation(agents::Crowd& crowd, std::size_t population);
  /// The journey of a population that had none yet.
  void setJourney(std::size_t population, Journey journey);
  void erasePopulation(agents::Crowd& crowd, std::size_t population);

  /// Sets out for the goal that somebody has come to, and asks for a route there.
  void begin(step::StepContext& context, std::uint32_t row);
  /// Goals of somebody's own instead of those they have; whatever led them does not any more.
  void give(step::StepContext& context, std::uint32_t row, const std::vector<Goal>& goals);

  /// m: nobody who is farther than this from their own place in a goal can have reached it.
  float reach() const { return reach_; }

  Progress& progress() { return progress_; }
  const Progress& progress() const { return progress_; }
  Turns& turns() { return turns_; }
  const Turns& turns() const { return turns_; }

  // For snapshots: of populations' journeys only how many use them, the rest is in the scene.
  struct Saved {
    std::vector<Journey> journeys;
    std::vector<std::uint32_t> free;
    Progress::Times times;
    std::vector<Progress::Watched> least;

    template <class Archive>
    void fields(Archive& f);
  };
  Saved saved(std::size_t own_populations) const;
  /// Throws InputError when it does not fit the snapshot; gives the populations' journeys their goals.
  void requireSound(Saved& saved, const step::Loading& loading) const;
  void restore(Saved saved);

 private:
  void measure(const Journey& journey);

  std::vector<Journey> journeys_;
  std::vector<std::uint32_t> free_;
  Progress progress_;
  Turns turns_;
  float reach_ = 0;  ///< of all journeys so far
};

}  // namespace throng::goals
