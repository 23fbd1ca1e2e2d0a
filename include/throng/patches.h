// Crowd patches (Yersin 2009, Jordao 2015): small pieces of crowd that repeat after a period and fit together at their
// sides. See docs/patches.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "throng/base.h"
#include "throng/shapes.h"

#pragma GCC visibility push(default)
namespace throng {

/// What every walker of a patch keeps to.
inline constexpr double kPatchRadius = 0.25;        ///< m, of a body
inline constexpr double kPatchSlowest = 0.3;        ///< m/s
inline constexpr double kPatchFastest = 2.0;        ///< m/s
inline constexpr double kPatchSlowestAcross = 0.5;  ///< m/s, across a side: so a border is crossed in good time

/// Where, when and how fast somebody crosses a side. The published patterns have place and time only; with the velocity
/// both patches know how the walk goes on behind the border, so that neither its direction nor its speed jumps.
struct PatchPoint {
  double position = 0;  ///< m from the side's first corner
  double time = 0;      ///< s, from 0 to the period
  double speed = 1.3;   ///< m/s across the side
  double along = 0;     ///< m/s along the side, towards its second corner

  friend bool operator==(const PatchPoint&, const PatchPoint&) = default;
};

/// The limit conditions on one side of a patch: who comes in and goes out.
struct PatchPattern {
  std::string name;
  double length = 8;   ///< m
  double period = 10;  ///< s
  std::vector<PatchPoint> inputs, outputs;

  friend bool operator==(const PatchPattern&, const PatchPattern&) = default;
};

/// The pattern of the patch on the other side: inputs become outputs, and positions count from the other corner, since
/// every patch has its corners anticlockwise.
PatchPattern mirrored(const PatchPattern& pattern);

/// Something that stands in a patch: a bench, a tree.
struct PatchObject {
  std::string name;
  Ring outline;  ///< convex, anticlockwise

  friend bool operator==(const PatchObject&, const PatchObject&) = default;
};

/// Somebody who stays in the patch (endogenous): stands on one point, or goes round a closed uniform quadratic B-spline
/// of at least three points once per period.
struct PatchResident {
  std::string name;
  std::vector<Point> control;
  Point facing{1, 0};  ///< of one who stands

  friend bool operator==(const PatchResident&, const PatchResident&) = default;
};

/// A patch before anybody walks in it.
struct PatchDefinition {
  std::string name;
  Ring corners;                     ///< convex, anticlockwise
  double period = 10;               ///< s
  std::vector<PatchPattern> sides;  ///< sides[i] is the one from corners[i] to the next
  std::vector<PatchObject> objects;
  std::vector<PatchResident> residents;

  friend bool operator==(const PatchDefinition&, const PatchDefinition&) = default;
};

/// One of a pattern's points.
struct PatchEnd {
  std::uint32_t side = 0, point = 0;

  friend bool operator==(const PatchEnd&, const PatchEnd&) = default;
};

/// How somebody gets from an input to an output: a uniform quadratic B-spline in time, so position and velocity are
/// continuous and the acceleration is constant between knots. The knots are at first, first + step, …; each stretch
/// between two is governed by three control points. Somebody sets out on every walk once per period. A walk that is
/// longer than the period is split by it, as the publications do: several people are on it at once.
struct PatchWalk {
  PatchEnd input, output;
  double from = 0;   ///< s, the input's time
  double until = 0;  ///< s, the output's time and as many periods as it takes
  double first = 0;  ///< s, the first knot, a little before `from`
  double step = 0;   ///< s between knots
  std::vector<Point> control;

  friend bool operator==(const PatchWalk&, const PatchWalk&) = default;
};

/// Where somebody is on a walk, and how fast.
struct PatchState {
  Point position;
  Point velocity;
};
PatchState stateAt(const PatchWalk& walk, double time);
PatchState stateAt(const PatchResident& resident, double period, double time);

/// A definition with a walk for every input.
struct Patch {
  PatchDefinition definition;
  std::vector<PatchWalk> walks;

  friend bool operator==(const Patch&, const Patch&) = default;
};

/// People per m², averaged over the period; residents count.
double density(const Patch& patch);
double area(const PatchDefinition& patch);

/// Which input leads to which output.
enum class PatchPairing {
  kRandom,   ///< any other side
  kInOrder,  ///< the first input to the first output …
  kStable,   ///< stable matching by direction, opposite side and speed (Ramirez et al. 2014)
  kLeast,    ///< the least sum of what kStable matches by: nobody is left with what nobody wants
};

/// How walks are found.
enum class PatchGenerator {
  kStraight,   ///< straight lines, blind to others
  kParticle,   ///< attraction to the straight line, repulsion from others (Yersin 2009)
  kOrca,       ///< optimal reciprocal collision avoidance towards ends in space and time (Jordao 2015)
  kOptimised,  ///< control points that minimise roughness, wrong speed and collisions (Ramirez et al. 2014)
};

/// How walks are looked for.
struct PatchSettings {
  PatchGenerator generator = PatchGenerator::kOptimised;
  PatchPairing pairing = PatchPairing::kStable;
  std::uint64_t seed = 1;
  int attempts = 8;              ///< with other pairings each
  double preferred_speed = 1.3;  ///< m/s
};

/// What came of generating walks.
struct PatchResult {
  std::optional<Patch> patch;        ///< nothing when no attempt succeeded
  int attempts = 0;                  ///< that were made
  std::vector<std::string> reasons;  ///< why the attempts failed, one sentence each
};

/// Everything that is wrong with a definition: corners that are not convex, periods and lengths that differ, more
/// inputs than outputs, points on obstacles or too near to one another. Messages name the pattern and the point.
std::vector<Diagnostic> check(const PatchDefinition& patch);
/// The same, and everything that is wrong with the walks, at any instant: ends missed in space, time or velocity,
/// speeds out of range, bodies that leave the patch, touch an object or one another.
std::vector<Diagnostic> check(const Patch& patch);

/// Finds walks for a definition. Throws InputError when the definition is wrong. What it gives has passed check().
PatchResult generateWalks(const PatchDefinition& patch, const PatchSettings& settings = {});

/// Other walks for the same pairs, between the same patterns and with everybody in the same place and at the same
/// velocity whenever a period begins (Jordao 2015, 6.1): so any may follow any other. People keep their walk's number
/// and ends. There may be fewer than asked for: those that pass check(). The first is the patch itself.
std::vector<Patch> makeVersions(const Patch& patch, int count, std::uint64_t seed = 1);

/// What kind of points a pattern gets (Yersin 2009, 7.4.3).
struct PatternType {
  enum class Kind {
    kEmpty,   ///< a wall
    kOneWay,  ///< inputs or outputs only
    kSpace,   ///< in a part of the side: a door; or inputs and outputs in lanes of their own
    kTime,    ///< in a part of the period: a traffic light
    kRandom,  ///< anywhere, at any time
  };
  Kind kind = Kind::kRandom;
  bool out = false;         ///< kOneWay: outputs
  bool lanes = false;       ///< kSpace: inputs in the first half of the part, outputs in the second
  double from = 0, to = 1;  ///< share of the side (kSpace) or of the period (kTime)
};

/// How much room the points of a pattern have. The sides of a corner are made without regard to each other: those who
/// cross near it need room to turn.
struct PatternRoom {
  double corner = 1.1;       ///< m from corners, at most a quarter of the side, and never less than 0.5
  double straight_on = 0.7;  ///< s before and after crossing for which two have 0.6 m between them
};

/// Points of a pattern at random, with room between them to walk. There may be fewer than asked for: as many as find
/// room. One-way and empty patterns have only what their type allows.
PatchPattern makePattern(const PatternType& type, double length, double period, std::size_t inputs, std::size_t outputs,
                         std::uint64_t seed, double speed = 1.3, const PatternRoom& room = {});

/// A square with random patterns on all sides, as many people per m² as asked for (±5 %) when walks are paired
/// by stable matching: what success rates are measured on.
PatchDefinition randomPatch(double density, std::uint64_t seed, double side = 8, double period = 10,
                            const PatternRoom& room = {});
/// The same in any convex polygon, corners anticlockwise; with what stands in it, which patterns keep clear of.
PatchDefinition randomPatch(const Ring& corners, double density, std::uint64_t seed, double period = 10,
                            const PatternRoom& room = {}, std::vector<PatchObject> objects = {},
                            std::vector<PatchResident> residents = {});
/// A convex polygon with so many sides, 3 to 100, about so many m across.
Ring randomConvexRing(std::size_t sides, double across, std::uint64_t seed);

/// Names as files and the command line have them.
std::string_view nameOf(PatchGenerator generator);
std::string_view nameOf(PatchPairing pairing);
/// Throws InputError that lists the names.
PatchGenerator patchGenerator(std::string_view name);
PatchPairing patchPairing(std::string_view name);

}  // namespace throng
#pragma GCC visibility pop
