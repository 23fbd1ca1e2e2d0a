// How long ways take while others are on them: travel times of the stretches of the medial axis, estimated from where
// everybody is and where they mean to go (van Toll et al. 2012b: density on the edges of the map; Ehtamo et al. 2010
// and Kemloh Wagoum et al. 2012: queues before exits).
//
// Times are kept as the metres that somebody would walk in them at their own pace, so that without anybody else they
// are lengths, to the last bit.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "planning/stretches.h"

namespace throng::planning {

/// What is known of everybody on and before the stretches that are not empty.
class Crowding {
 public:
  static constexpr std::uint32_t kRings = 16;

  /// Somebody is on a stretch.
  void countOn(std::uint32_t stretch) { ++loadOf(stretch).people; }
  /// They walk there, at this share of the speed they prefer.
  void countWalking(std::uint32_t stretch, double share) {
    Load& load = loadOf(stretch);
    ++load.walking, load.shares += share;
  }
  /// Somebody's next narrow place is that of a stretch, at a distance (m). Returns where they are counted.
  std::uint32_t countBefore(DirectedStretch stretch, double distance);
  static constexpr std::uint32_t kNotCounted = 0;
  /// Somebody means to pass the narrow place of a stretch, after so many m.
  void countComing(std::uint32_t stretch, double metres) {
    Load& load = loadOf(stretch);
    ++load.coming, load.metres += metres;
  }
  void clear();
  /// After all are counted: what follows from it.
  void estimate(const Stretches& stretches, std::size_t chains);
  /// The same as countBefore() of somebody who has just chosen their way, between two estimates.
  std::uint32_t announce(const Stretches& stretches, DirectedStretch stretch, double distance);
  /// They are counted there no more.
  void takeBack(const Stretches& stretches, std::uint32_t counted);

  /// Is nobody on any stretch of a chain, nor before it? One person alone is no crowd.
  bool isFree(std::uint32_t chain) const { return chain >= busy_chains_.size() || !busy_chains_[chain]; }
  /// How much longer than in the open walking takes, as a share.
  double slowdown(std::uint32_t stretch) const { return isBusy(stretch) ? loads_[index_[stretch]].slowdown : 0; }
  /// People per m² of the ground between its walls: who is there, or who will be, whichever is more.
  double density(std::uint32_t stretch) const { return isBusy(stretch) ? loads_[index_[stretch]].density : 0; }
  /// People per m² up to `kCrowd`, as a share of it.
  double crowdedness(std::uint32_t stretch) const { return isBusy(stretch) ? loads_[index_[stretch]].crowdedness : 0; }
  /// People in both directions, whose next narrow place this is, and who are nearer to it (m).
  double ahead(std::uint32_t stretch, double distance) const;
  /// However far.
  std::uint32_t before(std::uint32_t stretch) const { return isBusy(stretch) ? loads_[index_[stretch]].all_before : 0; }

  /// People per second whom a stretch can carry besides those who will come; 0 where people are held up.
  double room(const Stretches& stretches, std::uint32_t stretch) const;

  static constexpr double kCrowd = 0.2;  ///< people per m²

  template <class Archive>
  void fields(Archive& f) {
    f.list(loads_, [](auto& archive, Load& load) {
      archive(load.stretch), archive(load.people);
      for (std::uint32_t& count : load.before) archive(count);
      archive(load.walking), archive(load.shares), archive(load.coming), archive(load.metres);
    });
  }
  /// Are the numbers of a snapshot those of stretches?
  bool isOf(std::size_t stretches) const;
  std::size_t memory() const;

 private:
  struct Load {
    std::uint32_t stretch = 0;
    std::uint32_t people = 0;                    ///< on it
    std::array<std::uint32_t, kRings> before{};  ///< whose next narrow place it is, by distance: see ringOf()
    std::uint32_t all_before = 0;
    std::uint32_t walking = 0;  ///< of those on it,
    double shares = 0;          ///< and their speeds together, as shares of those they prefer
    std::uint32_t coming = 0;   ///< who mean to pass it,
    double metres = 0;          ///< and how far all of them together have to go there
    double slowdown = 0, crowdedness = 0, density = 0;
  };
  bool isBusy(std::uint32_t stretch) const { return stretch < index_.size() && index_[stretch] != corridors::kNone; }
  Load& loadOf(std::uint32_t stretch);
  static double expected(const Load& load);
  static double delay(const Load& load);
  bool isCrowd(std::uint32_t stretch) const;
  void estimateChain(const Stretches& stretches, std::uint32_t chain);

  std::vector<Load> loads_;
  std::vector<std::uint32_t> index_;  ///< by stretch: of its load, or kNone
  std::vector<std::uint8_t> busy_chains_;
};

/// Somebody who asks how long a way would take them.
struct Walker {
  Point at;
  double speed = 1.3;      ///< m/s, in the open
  std::uint64_t luck = 0;  ///< sets them apart: nobody judges a crowd exactly as others do
  /// The way they have. What is on it does not make them leave it.
  std::span<const DirectedStretch> own = {};
};

/// What ways cost one person.
class WayCosts {
 public:
  WayCosts(const Stretches& stretches, const Crowding& crowding, const Walker& walker)
      : stretches_(stretches), crowding_(crowding), walker_(walker) {}

  const Stretches& stretches() const { return stretches_; }
  bool isFree(std::uint32_t chain) const { return crowding_.isFree(chain); }
  /// People per m² beside an arc of the axis, from wall to wall.
  double density(std::uint32_t h) const {
    const std::uint32_t s = stretches_.of(h);
    return s != corridors::kNone ? crowding_.density(s) : 0;
  }
  /// Of somebody who has come so far at a cost and goes along a chain, between two places of it (m along it). Never
  /// less than the way's length, and never less for who comes later: a search need not look back.
  double along(double cost, std::uint32_t chain, double from, double to) const;
  /// Of a whole way to a goal, from where the walker is.
  double of(std::span<const DirectedStretch> way, Point goal) const;
  /// The same if nobody were there.
  double length(std::span<const DirectedStretch> way, Point goal) const;

 private:
  bool isOwn(std::uint32_t stretch) const;
  double judgement(std::uint32_t stretch) const;
  double walked(std::uint32_t stretch, double metres) const;
  double afterQueue(double cost, std::uint32_t stretch) const;
  template <class Walked, class Queued>
  double sum(std::span<const DirectedStretch> way, Point goal, const Walked& walked, const Queued& after_queue) const;

  const Stretches& stretches_;
  const Crowding& crowding_;
  const Walker walker_;
};

}  // namespace throng::planning
