// The ways to find walks. Each gets straight walks whose ends are in place, and moves the control points between them.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "patches/pairing.h"
#include "patches/walk_check.h"

namespace throng::patches {

struct Task {
  const PatchDefinition& patch;
  const std::vector<Pair>& pairs;
  double preferred_speed = 1.3;  ///< m/s
};

/// People as particles that follow a point on their straight walk and are pushed apart (Yersin 2009, lines "Collision
/// Avoidance" of 7.3.3).
void moveAsParticles(const Task& task, std::vector<PatchWalk>& walks);
/// People who avoid each other reciprocally and hurry or dawdle to be at their ends in time (Jordao 2015, Alg. 1).
void moveByOrca(const Task& task, std::vector<PatchWalk>& walks);
/// Control points that minimise roughness, wrong speed and collisions (Ramirez et al. 2014).
void optimise(const Task& task, base::Random random, std::vector<PatchWalk>& walks);

/// Another version of walks that are sound already: what they are near the beginning of periods stays, the rest is
/// drawn to other places.
void vary(const Task& task, base::Random random, std::vector<PatchWalk>& walks);

/// Bends walks and the patch's residents with least change until nobody touches anybody and speeds can be walked, near
/// to those that are given: as many as there are, each with the same knots and ends. Up to `rounds` times those who
/// are caught are pushed aside. Returns the faults that are left, none when the walks are sound; residents who touch
/// something are found by check() only.
std::vector<Fault> bend(PatchDefinition& patch, std::vector<PatchWalk>& walks, const std::vector<PatchWalk>& reference,
                        const std::vector<PatchResident>& residents, base::Random random, int rounds);

/// Everybody who is in the patch at one time of the period, from border to border of it: what the period splits a walk
/// into (Yersin 2009, Eq. 7.5). Simulations run all of them through one period.
struct Leg {
  std::uint32_t walk = 0;
  double lap = 0;                          ///< s to add to the period's time for the walk's
  double begin = 0, end = 0;               ///< s, of the walk
  bool is_first = false, is_last = false;  ///< begins, ends outside the patch
  std::vector<Point> path;                 ///< at the period's steps from the one at or after `begin`
  std::size_t first_step = 0;              ///< that step
};
std::vector<Leg> legsOf(const std::vector<PatchWalk>& walks, double period, double dt);
/// Who walks a leg, as simulated.
struct LegWalker {
  Point x, v;  ///< m, m/s
  bool there = false;
};
/// At a step of the period: those whose leg begins come in as on their straight walk, those whose leg has ended are
/// gone, and where everybody else is is written down.
void enter(std::vector<Leg>& legs, const std::vector<PatchWalk>& straight, std::size_t step, double dt,
           std::vector<LegWalker>& walkers);
/// Control points from simulated legs: what a leg misses its end by is taken back little by little along it, and the
/// spline smooths the rest.
void takeOver(const std::vector<Leg>& legs, const std::vector<PatchWalk>& straight, double dt,
              std::vector<PatchWalk>& walks);

}  // namespace throng::patches
