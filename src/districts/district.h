// One district of crowd patches in a world: its walks, how they lead on into one another, and its gates.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "throng/patch_files.h"
#include "throng/scene.h"

#include "ground/walkable_space.h"
#include "patches/sides.h"

namespace throng::districts {

inline constexpr std::uint32_t kNothing = ~std::uint32_t{0};

/// A walk at a place, or somebody who stays there.
struct Part {
  std::uint32_t place = 0, walk = 0;
  std::uint32_t next = kNothing;  ///< the part that the walk leads on into
  std::int32_t laps = 0;          ///< periods from its beginning to that of the next
  double from = 0, until = 0;     ///< s since the period in which somebody set out began
  std::uint32_t gate = kNothing;  ///< that it ends at
  std::uint32_t exit = 0;         ///< which of that gate's outputs
  bool is_resident = false;
  bool is_source = false;  ///< people come in from nowhere: over an outer side that is no gate
};

/// A point of the pattern of a gate.
struct GatePoint {
  std::uint32_t part = 0;      ///< that begins or ends here
  patches::Crossing crossing;  ///< in the scene's coordinates
  Point way;                   ///< unit vector of the velocity
  double room = 0;             ///< m of free ground straight outside
};

/// A side of a patch that adjoins ground to walk on: people come in and go out.
struct Gate {
  std::uint32_t place = 0;
  patches::Side side;  ///< in the scene's coordinates
  std::vector<GatePoint> inputs, outputs;

  /// m outside the border.
  double outside(Point p) const { return -side.depth(p); }
};

class District {
 public:
  /// The floor is that which the district lies on. Throws InputError when ground before a gate is not free.
  District(const PatchDistrict& about, std::uint16_t layer, const ground::Floor& floor, std::uint64_t seed);

  std::uint16_t layer() const { return layer_; }
  double period() const { return period_; }
  const std::vector<Part>& parts() const { return parts_; }
  const std::vector<Gate>& gates() const { return gates_; }
  /// The parts that people come into from nowhere.
  const std::vector<std::uint32_t>& sources() const { return sources_; }
  std::size_t memory() const { return parts_.capacity() * sizeof(Part); }

  /// s, when somebody who set out in that round is at the beginning and the end of a walk.
  double begin(std::uint32_t part, std::int64_t round) const {
    return parts_[part].from + static_cast<double>(round) * period_;
  }
  double end(std::uint32_t part, std::int64_t round) const {
    return parts_[part].until + static_cast<double>(round) * period_;
  }
  /// Where they are, and how fast, in the scene's coordinates.
  PatchState at(std::uint32_t part, std::int64_t round, double time) const;
  /// Where somebody looks who does not move.
  Point facing(std::uint32_t part) const;
  bool stands(std::uint32_t part) const;

 private:
  void link();
  void findGates(const PatchDistrict& about, const ground::Floor& floor);
  Point origin(std::uint32_t place) const { return at_ + library_->placed[place].at; }

  std::shared_ptr<const PatchLibrary> library_;
  Point at_;
  std::uint16_t layer_ = 0;
  std::uint64_t seed_ = 1;
  double period_ = 10;
  std::vector<Part> parts_;
  std::vector<std::uint32_t> sources_;
  std::vector<Gate> gates_;
};

}  // namespace throng::districts
