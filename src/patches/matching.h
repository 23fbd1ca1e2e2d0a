// Who goes on as whom, with the least cost in all.
#pragma once

#include <cstddef>
#include <vector>

namespace throng::patches {

/// For each row of n × n costs (by row) its column; the sum is the least there is (Kuhn 1955, by shortest augmenting
/// paths as in Jonker & Volgenant 1987).
std::vector<std::size_t> leastCostMatching(std::size_t n, const std::vector<double>& cost);

/// Pieces of paths that end where others begin.
struct Joints {
  std::vector<std::size_t> ends, begins;  ///< numbers of the pieces that end, and begin, at the seam
  std::vector<double> cost;               ///< ends × begins, by row: of going on as
  std::vector<double> end_alone, begin_alone;

  double of(std::size_t end, std::size_t begin) const { return cost[end * begins.size() + begin]; }
};
inline constexpr std::size_t kAlone = ~std::size_t{0};

/// For each end the begin that it goes on as, or kAlone, at the least cost in all. A piece may go on as itself: then it
/// is a ring. No ring has two pieces or more: patches have no room for people who take each other's place.
/// Exact by branching on the links of such rings (as travelling-salesman bounds do) up to some hundreds of branches;
/// then rings fall apart into their pieces.
std::vector<std::size_t> join(const Joints& joints);

/// What a joining costs.
double costOf(const Joints& joints, const std::vector<std::size_t>& next);

}  // namespace throng::patches
