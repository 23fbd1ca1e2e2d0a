#include "patches/matching.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace throng::patches {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kForbidden = 1e7;  ///< far above all costs, and few enough digits to keep theirs
constexpr int kBranches = 400;

/// A link that is not allowed.
using Link = std::pair<std::size_t, std::size_t>;

/// Rows are ends, then one for each begin that stays alone; columns are begins, then one for each end that does.
std::vector<std::size_t> matched(const Joints& joints, const std::vector<Link>& forbidden) {
  const std::size_t ends = joints.ends.size(), begins = joints.begins.size(), n = ends + begins;
  std::vector<double> cost(n * n);
  for (std::size_t e = 0; e < ends; ++e) {
    for (std::size_t b = 0; b < begins; ++b) cost[e * n + b] = joints.of(e, b);
    for (std::size_t k = begins; k < n; ++k) cost[e * n + k] = joints.end_alone[e];
  }
  for (std::size_t r = ends; r < n; ++r)
    for (std::size_t b = 0; b < begins; ++b) cost[r * n + b] = joints.begin_alone[b];
  for (const auto& [e, b] : forbidden) cost[e * n + b] = kForbidden;
  std::vector<std::size_t> next = leastCostMatching(n, cost);
  next.resize(ends);
  for (std::size_t& b : next)
    if (b >= begins) b = kAlone;
  return next;
}

/// The shortest ring of two pieces and more, as the ends whose links make it; empty when there is none.
std::vector<std::size_t> shortestRing(const Joints& joints, const std::vector<std::size_t>& next) {
  // The end of the piece that begins there, where it has one.
  std::vector<std::size_t> end_of(joints.begins.size(), kAlone);
  for (std::size_t b = 0; b < joints.begins.size(); ++b) {
    const auto found = std::find(joints.ends.begin(), joints.ends.end(), joints.begins[b]);
    if (found != joints.ends.end()) end_of[b] = static_cast<std::size_t>(found - joints.ends.begin());
  }
  std::vector<std::size_t> best;
  std::vector<char> seen(next.size());
  for (std::size_t start = 0; start < next.size(); ++start) {
    if (seen[start]) continue;
    std::vector<std::size_t> way;
    std::size_t e = start;
    while (e != kAlone && !seen[e]) {
      seen[e] = 1;
      way.push_back(e);
      e = next[e] == kAlone ? kAlone : end_of[next[e]];
    }
    // What leads into a way that was seen before is no ring of its own; what comes back to its start is.
    if (e == start && way.size() > 1 && (best.empty() || way.size() < best.size())) best = way;
  }
  return best;
}

class Search {
 public:
  explicit Search(const Joints& joints) : joints_(joints) {}

  std::vector<std::size_t> run() {
    std::vector<Link> forbidden;
    branch(forbidden);
    if (!best_) best_ = fallApart();
    return *best_;
  }

 private:
  void branch(std::vector<Link>& forbidden) {
    if (branches_++ >= kBranches) return;
    const std::vector<std::size_t> next = matched(joints_, forbidden);
    const double cost = costOf(joints_, next);
    for (std::size_t e = 0; e < next.size(); ++e)
      if (std::find(forbidden.begin(), forbidden.end(), Link{e, next[e]}) != forbidden.end()) return;
    if (best_ && cost >= best_cost_) return;
    const std::vector<std::size_t> ring = shortestRing(joints_, next);
    if (ring.empty()) {
      best_ = next, best_cost_ = cost;
      return;
    }
    // One of its links at least is not there.
    for (const std::size_t e : ring) {
      forbidden.push_back({e, next[e]});
      branch(forbidden);
      forbidden.pop_back();
    }
  }

  /// Every piece of a ring goes on as itself.
  std::vector<std::size_t> fallApart() const {
    std::vector<std::size_t> next = matched(joints_, {});
    for (auto ring = shortestRing(joints_, next); !ring.empty(); ring = shortestRing(joints_, next))
      for (const std::size_t e : ring) {
        const auto own = std::find(joints_.begins.begin(), joints_.begins.end(), joints_.ends[e]);
        next[e] = static_cast<std::size_t>(own - joints_.begins.begin());
      }
    return next;
  }

  const Joints& joints_;
  std::optional<std::vector<std::size_t>> best_;
  double best_cost_ = kInfinity;
  int branches_ = 0;
};

}  // namespace

std::vector<std::size_t> leastCostMatching(std::size_t n, const std::vector<double>& cost) {
  // Row and column 0 are nobody; potentials keep reduced costs at 0 or more.
  std::vector<double> row(n + 1), column(n + 1);
  std::vector<std::size_t> row_of(n + 1), before(n + 1);
  for (std::size_t r = 1; r <= n; ++r) {
    row_of[0] = r;
    std::size_t at = 0;
    std::vector<double> least(n + 1, kInfinity);
    std::vector<char> used(n + 1);
    do {
      used[at] = 1;
      const std::size_t from = row_of[at];
      double delta = kInfinity;
      std::size_t nearest = 0;
      for (std::size_t c = 1; c <= n; ++c) {
        if (used[c]) continue;
        const double reduced = cost[(from - 1) * n + c - 1] - row[from] - column[c];
        if (reduced < least[c]) least[c] = reduced, before[c] = at;
        if (least[c] < delta) delta = least[c], nearest = c;
      }
      for (std::size_t c = 0; c <= n; ++c) {
        if (used[c]) {
          row[row_of[c]] += delta, column[c] -= delta;
        } else {
          least[c] -= delta;
        }
      }
      at = nearest;
    } while (row_of[at] != 0);
    do {
      row_of[at] = row_of[before[at]];
      at = before[at];
    } while (at != 0);
  }
  std::vector<std::size_t> column_of(n);
  for (std::size_t c = 1; c <= n; ++c) column_of[row_of[c] - 1] = c - 1;
  return column_of;
}

double costOf(const Joints& joints, const std::vector<std::size_t>& next) {
  double sum = 0;
  std::vector<char> taken(joints.begins.size());
  for (std::size_t e = 0; e < next.size(); ++e) {
    if (next[e] == kAlone) {
      sum += joints.end_alone[e];
    } else {
      sum += joints.of(e, next[e]), taken[next[e]] = 1;
    }
  }
  for (std::size_t b = 0; b < taken.size(); ++b)
    if (!taken[b]) sum += joints.begin_alone[b];
  return sum;
}

std::vector<std::size_t> join(const Joints& joints) { return Search(joints).run(); }

}  // namespace throng::patches
