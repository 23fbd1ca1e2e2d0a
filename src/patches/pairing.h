// Which input leads to which output, and in how many periods.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "throng/patches.h"

#include "patches/sides.h"

namespace throng::patches {

/// A way from an input to an output, before it is known.
struct Pair {
  PatchEnd input, output;
  int laps = 0;       ///< periods that the output's time is later
  double length = 0;  ///< m, about
  double time = 0;    ///< s, from end to end
};

/// Splits by the period until the speed is one that people walk (Yersin 2009, Eq. 7.4 and 7.5).
Pair pairOf(const PatchDefinition& patch, PatchEnd input, PatchEnd output);

/// All inputs, each with an output. `attempt` 0 is the pairing as described, later ones vary it. Random and stable
/// pairings avoid ways back through the same side; pairs that cannot be walked are exchanged where that helps.
std::vector<Pair> pairUp(const PatchDefinition& patch, const PatchSettings& settings, int attempt);

/// For each proposer the receiver that it gets (Gale & Shapley 1962): no two would both rather have each other. Costs
/// are n × n, by row: what `proposer` thinks of `receiver`, and what that one thinks in turn.
std::vector<std::size_t> stableMatching(std::size_t n, const std::vector<double>& proposer_cost,
                                        const std::vector<double>& receiver_cost);

/// s that a walk between two points takes at least: it has straight ends, and something between them.
double shortestTime(const Crossing& in, const Crossing& out);

/// Exchanges partners (of n × n costs) while a pair that costs `too_much` and more gets better by it and both together
/// do.
void exchangePairs(const std::vector<double>& cost, std::size_t n, double too_much, std::vector<std::size_t>& partner);

/// The walk of a pair with its ends in place and a straight line between them. `fine`: with about twice as many control
/// points, which can turn aside sooner behind a border, but take longer to work on.
PatchWalk straightWalk(const PatchDefinition& patch, const Pair& pair, bool fine = false);
/// Control points at each end of a walk that the patterns decide: all that govern the time in which the body is over a
/// border.
std::size_t fixedControls(const PatchWalk& walk);
/// Where a walk lies at the time that a control point stands for.
double timeOfControl(const PatchWalk& walk, std::size_t control);

/// Way-points that waste time (Jordao 2015, Alg. 1): where the straight line would be walked at less than half the
/// preferred speed, the walk is bowed sideways until it is not, as far as the patch has room.
void wasteTime(const PatchDefinition& patch, PatchWalk& walk, const Pair& pair, double preferred_speed, bool left);

}  // namespace throng::patches
