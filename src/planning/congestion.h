// The part of a step in which people look how crowded their way is, and take another when that is quicker.
#pragma once

#include <optional>
#include <vector>

#include "planning/crowding.h"
#include "planning/planners.h"
#include "step/system.h"

namespace throng::planning {

/// Which way everybody means to go, as the stretches whose narrowest places they will still pass. Each is a part of one
/// list; what is passed is taken from its front.
class Ways {
 public:
  void attach(agents::Crowd& crowd);
  std::span<const DirectedStretch> of(std::uint32_t row) const {
    return std::span(stretches_).subspan((*start_)[row], (*count_)[row]);
  }
  void set(std::uint32_t row, std::span<const DirectedStretch> way);
  void pass(std::uint32_t row, std::uint32_t count) { (*start_)[row] += count, (*count_)[row] -= count; }
  void forget(std::uint32_t row) { (*count_)[row] = 0; }
  /// Clears out what nobody needs any more, when that is most of it.
  void tidy();
  /// The list on a map that has changed; what is gone is kNone.
  std::vector<DirectedStretch> renumbered(const Stretches& before, const Stretches& after) const;
  std::size_t memory() const { return (stretches_.capacity() + spare_.capacity()) * sizeof(DirectedStretch); }

  const std::vector<DirectedStretch>& stretches() const { return stretches_; }
  void assign(std::vector<DirectedStretch> stretches) { stretches_ = std::move(stretches); }
  /// Throws InputError unless the columns of a snapshot refer to this list.
  static void requireSound(const agents::Crowd& crowd, const std::vector<DirectedStretch>& stretches);

 private:
  std::vector<DirectedStretch> stretches_, spare_;
  base::Column<std::uint32_t>*start_ = nullptr, *count_ = nullptr;
};

/// Counts who is where and who queues before what (crowding.h). Whoever asks for a route gets the one that is quickest
/// by that; everybody else looks again now and then, each at times of their own, whether another would be so much
/// quicker that it is worth turning round. Who has turned round keeps to that for a while, and turns round less easily
/// the next time.
class Congestion final : public step::System {
 public:
  explicit Congestion(const Scene& scene);
  std::string_view name() const override { return "congestion"; }
  void attach(step::StepContext& context) override;
  void run(step::StepContext& context) override;
  void setsOut(step::StepContext& context, std::uint32_t row) override;
  void save(const step::StepContext& context, base::ArchiveWriter& writer) const override;
  void load(base::ArchiveReader& reader, const step::Loading& loading) override;
  void accept(step::StepContext& context) override;
  std::size_t memory() const override;

  /// Do people of a profile mind others?
  bool minds(std::uint16_t profile) const { return active_ && minds_[profile] != 0; }
  const Stretches& stretches() const { return stretches_; }
  /// The stretches whose narrowest places the person of a row will still pass.
  std::span<const DirectedStretch> wayOf(std::uint32_t row) const { return ways_.of(row); }
  /// How many people per second the way that is the quickest now can carry besides those who are on it; 0 where people
  /// stand. A great number where nothing is known.
  double room(const step::StepContext& context, Point from, std::uint16_t from_layer, Point to, std::uint16_t to_layer,
              double radius) const;
  /// What people who mind the ground plan by; shared with planning, which outlives no step of this.
  void useMaps(RegionMaps& maps) { region_maps_ = &maps; }

  // For planning.
  /// Are ways on the map of now remembered?
  bool knows(const step::StepContext& context) const;
  /// What ways cost the person of a row who needs a route; nothing for those who do not mind others.
  std::optional<WayCosts> costsFor(const step::StepContext& context, std::uint32_t row) const;
  void listWay(const step::StepContext& context, const MedialPath& path, std::vector<DirectedStretch>& way) const;
  /// The next who choose know of it.
  void remember(const step::StepContext& context, std::uint32_t row, std::span<const DirectedStretch> way);

 private:
  struct Saved {
    std::vector<DirectedStretch> ways;
    Crowding crowding;
    double next_count = 0, changed = 0;

    template <class Archive>
    void fields(Archive& f);
  };
  /// Somebody who looks whether another way would be quicker.
  struct Look {
    std::uint32_t row = 0;
    double better = 0;    ///< what another way must cost less than
    bool search = false;  ///< others are in the way
    bool turn = false;    ///< another is quicker
  };

  void followMap(step::StepContext& context);
  void count(step::StepContext& context);
  bool isBeforeDoor(std::span<const DirectedStretch> way, Point here) const;
  void countComing(std::span<const DirectedStretch> way, Point here);
  void passNarrowPlaces(const step::StepContext& context, std::uint32_t row);
  bool hasJustChanged(const step::StepContext& context) const;
  bool needsNewWay(const step::StepContext& context, std::uint32_t row) const;
  void findWhoLooks(step::StepContext& context);
  void findWhoSearches(const step::StepContext& context);
  void look(step::StepContext& context);
  void compare(const step::StepContext& context, Look& look, Scratch& scratch) const;
  Walker walkerOf(const step::StepContext& context, std::uint32_t row) const;
  AxisClimb groundOf(const step::StepContext& context, std::uint32_t row, std::vector<float>& rates) const;
  double groundCost(const AxisClimb& ground, std::span<const DirectedStretch> way) const;

  RegionMaps* region_maps_ = nullptr;
  std::shared_ptr<const AxisGrounds> grounds_;  ///< of the map of now; null: nobody minds the ground
  std::vector<std::uint8_t> minds_;             ///< by profile: whether its people mind others
  std::vector<std::uint8_t> by_strips_;         ///< by profile: whether they mind the ground as well
  bool active_ = false;
  Stretches stretches_;
  Crowding crowding_;
  Ways ways_;
  double next_count_ = 0;                ///< s: when everybody is counted again
  double changed_ = 0;                   ///< s: when the map changed last, so that everybody looks for shorter ways
  base::Column<float>* wait_ = nullptr;  ///< s until somebody looks again
  base::Column<std::uint8_t>* turns_ = nullptr;  ///< 0: has not looked since setting out; else 1 + times turned round
  base::Column<std::uint32_t>* counted_ = nullptr;  ///< see Crowding::countBefore
  std::vector<Look> looks_;                         ///< scratch
  std::vector<std::uint32_t> on_;                   ///< scratch, by row: the stretch
  Saved loaded_;
};

}  // namespace throng::planning
