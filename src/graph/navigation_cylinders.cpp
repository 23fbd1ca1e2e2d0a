// Where the cylinders of a navigation graph stand. Published (PETTRÉ 2008, section 2, step 4): the sample with the
// largest clearance becomes a cylinder, the samples inside it are disabled, and so on until none is left. Here centres
// lie exactly on the medial axis. A disc around a point of the axis is in no other free disc, and that around the place
// where a sample retracts to contains the sample and the whole disc around it. So no cylinder is needless, and all
// samples where a body fits can be covered.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/narrowing.h"
#include "corridors/visibility.h"
#include "graph/navigation_graph_builder.h"

namespace throng::graph {
namespace {

/// Orders by size, the largest first; those of one size by number.
void sortBySize(std::vector<std::pair<double, std::uint32_t>>& list) {
  std::sort(list.begin(), list.end(),
            [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
}

}  // namespace

template <class Visit>
void GraphBuilder::spread(std::uint32_t point, double reach, const Visit& visit) {
  const Point from = axis_->at(point);
  const double squared = reach * reach;
  queue_.assign(1, point);
  visit(point);
  for (std::size_t i = 0; i < queue_.size(); ++i)
    axis_->around(queue_[i], [&](std::uint32_t next) {
      if (lengthSquared(axis_->at(next) - from) <= squared && visit(next)) queue_.push_back(next);
    });
}

void GraphBuilder::placeCylinders() {
  // So near that the disc around one of them contains every sample that retracts to the axis between them.
  const double spacing = std::min(graph_.precision_ / 2, 0.8 * radius_);
  axis_.emplace(map_, spacing, threads_);
  inside_.assign(grid_->size(), corridors::kNone);
  seen_.assign(grid_->size(), corridors::kNone);
  findRuns();
  owner_.assign(axis_->size(), corridors::kNone);
  axis_mark_.assign(axis_->size(), corridors::kNone);
  next_unowned_.resize(axis_->size() + 1);
  std::iota(next_unowned_.begin(), next_unowned_.end(), 0u);
  gap_mark_.assign(axis_->size(), 0);
  gap_seen_.assign(grid_->size(), 0);
  coverAxis();
  coverSamples();
  ownAxis();
}

/// Samples of one row of a floor that are neighbours have numbers that follow one another.
void GraphBuilder::findRuns() {
  const auto count = static_cast<std::uint32_t>(grid_->size());
  next_.resize(count + 1);
  std::iota(next_.begin(), next_.end(), 0u);
  runs_.clear();
  for (std::uint32_t sample = 0; sample < count; ++sample)
    if (sample == 0 || grid_->free(sample - 1)[0] != sample) runs_.push_back(sample);
  runs_.push_back(count);
}

/// The ways of the medial axis first: near each centre, no other one is taken. In a corridor of half-width r two
/// cylinders 2 sqrt(2 r R - R²) apart leave no place free where a body of radius R fits, and share gates that are wide.
/// The samples that are nearest to the walls are somewhat farther away than R.
void GraphBuilder::coverAxis() {
  std::vector<std::pair<double, std::uint32_t>> candidates;
  for (std::uint32_t i = 0; i < axis_->size(); ++i)
    if (fits(i) && axis_->onWay(i)) candidates.emplace_back(axis_->radius(i), i);
  sortBySize(candidates);
  std::vector<std::uint32_t> disabled(axis_->size(), corridors::kNone);
  for (const auto& [r, point] : candidates) {
    if (disabled[point] != corridors::kNone) continue;
    const std::uint32_t vertex = take(point);
    if (vertex == corridors::kNone) continue;
    const double side = std::min(r, radius_ + graph_.precision_ / 4);
    const double wide = std::max(1.2 * (r - radius_), radius_ / 2);  // narrow ones: room for a body in both
    spread(point, std::min(wide, 2 * std::sqrt(side * (2 * r - side))),
           [&](std::uint32_t next) { return std::exchange(disabled[next], vertex) != vertex; });
  }
}

/// Then everywhere else: corners, and what is left between cylinders.
void GraphBuilder::coverSamples() {
  std::vector<std::pair<double, std::uint32_t>> left;
  for (std::uint32_t i = 0; i < grid_->size(); ++i)
    if (inside_[i] == corridors::kNone && grid_->clearance(i) >= radius_ && !grid_->tooSteep(grid_->floor(i)))
      left.emplace_back(0.0, i);
  constexpr std::size_t kGrain = 1024;
  threads_.forEach(left.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      left[i].first = map_.retract(grid_->cell(left[i].second), grid_->place(left[i].second)).clearance;
  });
  sortBySize(left);
  for (const auto& [r, sample] : left) {
    if (inside_[sample] != corridors::kNone) continue;
    const corridors::Retraction to = map_.retract(grid_->cell(sample), grid_->place(sample));
    // Clearance is largest at an arc's ends, so that one of the two points around that place has room for a body, too.
    const std::uint32_t point = axis_->nearest(to.edge, to.at, radius_);
    if (point == corridors::kNone) continue;  // there is room by less than rounding
    const std::uint32_t vertex = take(bestAround(sample, point));
    // A sample that rounding hides from its own cylinder is in it all the same.
    if (vertex != corridors::kNone && inside_[sample] == corridors::kNone)
      inside_[sample] = vertex, next_[sample] = sample + 1;
  }
}

/// Of the points of the axis near one, all with discs that contain a sample: the one whose disc contains most of the
/// samples that are left there.
std::uint32_t GraphBuilder::bestAround(std::uint32_t sample, std::uint32_t point) {
  constexpr std::size_t kMost = 256;
  gap_.clear();
  queue_.assign(1, sample);
  ++gap_round_;
  for (std::size_t i = 0; i < queue_.size() && i < kMost; ++i) {
    gap_.push_back(grid_->place(queue_[i]));
    for (const std::uint32_t next : grid_->free(queue_[i])) {
      if (next == corridors::kNone || inside_[next] != corridors::kNone || !(grid_->clearance(next) >= radius_))
        continue;
      if (std::exchange(gap_seen_[next], gap_round_) != gap_round_) queue_.push_back(next);
    }
  }
  const Point place = grid_->place(sample);
  std::uint32_t best = point;
  std::ptrdiff_t most = 0;
  spread(point, axis_->radius(point), [&](std::uint32_t next) {
    if (std::exchange(gap_mark_[next], gap_round_) == gap_round_) return false;
    const double squared = axis_->radius(next) * axis_->radius(next);
    const Point at = axis_->at(next);
    if (!fits(next) || lengthSquared(place - at) > squared) return false;
    const auto count =
        std::count_if(gap_.begin(), gap_.end(), [&](Point g) { return lengthSquared(g - at) <= squared; });
    if (count > most) most = count, best = next;
    return true;
  });
  return best;
}

/// A cylinder around a point of the axis, if there is none yet and its floor can be walked on.
std::uint32_t GraphBuilder::take(std::uint32_t point) {
  const std::uint32_t owner = owner_[point];
  if (owner != corridors::kNone && centre_[owner] == point) return owner;
  const Point at = axis_->at(point);
  const std::uint16_t floor = map_.floorAt(axis_->cell(point).cell, at);
  if (grid_->tooSteep(floor)) return corridors::kNone;
  const auto vertex = static_cast<std::uint32_t>(graph_.vertices_.size());
  GraphVertex& v = graph_.vertices_.emplace_back();
  v.centre = at;
  v.radius = axis_->radius(point);
  v.floor = floor;
  v.z = space_.floors()[floor].height(narrow(at));
  centre_.push_back(point);
  // A body on these points is inside the cylinder, and so is its way to the centre.
  const auto reached_before = static_cast<std::ptrdiff_t>(reached_.size());
  if (owner_[point] == corridors::kNone) reached_.push_back(point);
  owner_[point] = vertex;
  if (quick_)
    ownAround(point, v.radius - radius_, vertex);
  else
    spread(point, v.radius - radius_, [&](std::uint32_t next) {
      if (owner_[next] == corridors::kNone) owner_[next] = vertex, reached_.push_back(next);
      return std::exchange(axis_mark_[next], vertex) != vertex;
    });
  std::sort(reached_.begin() + reached_before, reached_.end());
  fillCylinder(vertex);
  return vertex;
}

/// Gives a cylinder the points of the axis that nobody owns yet, of those connected with a point within a distance.
/// Goes from arc to arc: in open places the discs of many cylinders contain most of the axis.
void GraphBuilder::ownAround(std::uint32_t point, double reach, std::uint32_t vertex) {
  const Point from = axis_->at(point);
  const double squared = reach * reach;
  const auto near = [&](std::uint32_t next) { return lengthSquared(axis_->at(next) - from) <= squared; };
  const auto own = [&](std::uint32_t first, std::uint32_t end) {
    for (std::uint32_t i = unowned(first); i < end; i = unowned(i + 1)) {
      next_unowned_[i] = i + 1;
      if (owner_[i] == corridors::kNone) owner_[i] = vertex, reached_.push_back(i);
    }
  };
  const auto goTo = [&](std::uint32_t next) {
    if (near(next) && std::exchange(axis_mark_[next], vertex) != vertex) queue_.push_back(next), own(next, next + 1);
  };
  // On an arc from one end, or from before one of its inner points, as far as it is near.
  const auto walk = [&](std::uint32_t h, std::uint32_t first, std::uint32_t end, std::uint32_t target) {
    const bool along = (h & 1u) == 0;
    std::uint32_t count = end - first;  // how many are near
    if (!axis_->inner(h).straight) {
      count = 0;
      while (count < end - first && near(along ? first + count : end - 1 - count)) ++count;
    } else if (!near(target)) {  // a line leaves a disc once
      std::uint32_t least = 0;
      while (least < count) {
        const std::uint32_t middle = least + (count - least) / 2;
        if (near(along ? first + middle : end - 1 - middle))
          least = middle + 1;
        else
          count = middle;
      }
    }
    along ? own(first, first + count) : own(end - count, end);
    if (count == end - first) goTo(target);
  };
  const auto targetOf = [&](std::uint32_t h) { return map_.edge(corridors::CorridorMap::twin(h)).origin; };
  queue_.clear();
  if (axis_->isVertex(point)) {
    axis_mark_[point] = vertex;
    queue_.push_back(point);
  } else {
    const std::uint32_t h = axis_->cell(point).cell & ~1u;
    const NavigationAxis::Inner arc = axis_->inner(h);
    walk(h, point + 1, arc.end, targetOf(h));
    walk(corridors::CorridorMap::twin(h), arc.first, point, targetOf(corridors::CorridorMap::twin(h)));
  }
  for (std::size_t i = 0; i < queue_.size(); ++i)
    axis_->leaving(queue_[i], [&](std::uint32_t h) {
      const NavigationAxis::Inner arc = axis_->inner(h);
      walk(h, arc.first, arc.end, targetOf(h));
    });
}

/// The first point of the axis from one on that may have no owner.
std::uint32_t GraphBuilder::unowned(std::uint32_t point) {
  while (next_unowned_[point] != point) point = next_unowned_[point] = next_unowned_[next_unowned_[point]];
  return point;
}

/// The node that is nearest to the centre, if it is inside.
std::uint32_t GraphBuilder::firstSample(std::uint32_t vertex) const {
  const GraphVertex& v = graph_.vertices_[vertex];
  const double step = grid_->step();
  const auto column = static_cast<std::int64_t>(std::floor(v.centre.x / step)),
             row = static_cast<std::int64_t>(std::floor(v.centre.y / step));
  std::uint32_t found = corridors::kNone;
  double best = v.radius * v.radius;
  for (std::int64_t y = row; y <= row + 1; ++y)
    for (std::int64_t x = column; x <= column + 1; ++x) {
      const Point node{static_cast<double>(x) * step, static_cast<double>(y) * step};
      const double squared = lengthSquared(node - v.centre);
      if (squared > best) continue;
      const corridors::Sight sight = lookAlong(map_, axis_->cell(centre_[vertex]), v.centre, node);
      const std::uint32_t sample = sight.clear ? grid_->at(sight.floor, x, y) : corridors::kNone;
      if (sample != corridors::kNone) best = squared, found = sample;
    }
  return found;
}

/// Marks the samples inside. They are connected, so that storeys above and below are left alone.
void GraphBuilder::fillCylinder(std::uint32_t vertex) {
  const std::uint32_t first = firstSample(vertex);
  if (first == corridors::kNone) return;
  if (!quick_ || !fillRows(vertex, first)) fillFrom(vertex, first);
}

/// The samples inside, row by row: in open places most are in many cylinders, and only those that are in none yet are
/// looked at. False, with nothing done, unless every row inside is a run of samples with nothing between them, on one
/// floor, and so is the column through the first.
bool GraphBuilder::fillRows(std::uint32_t vertex, std::uint32_t first) {
  const GraphVertex& v = graph_.vertices_[vertex];
  const double squared = v.radius * v.radius, step = grid_->step();
  const auto inside = [&](std::uint32_t sample) { return lengthSquared(grid_->place(sample) - v.centre) <= squared; };
  // A row has a sample inside when that of the nearest column is.
  if (std::abs(grid_->place(first).x - v.centre.x) > step / 2) return false;
  rows_.clear();
  constexpr unsigned kNorth = 1, kSouth = 3;
  const auto row = [&](std::uint32_t middle) {
    const auto run = std::upper_bound(runs_.begin(), runs_.end(), middle);
    const std::uint32_t from = *(run - 1), to = *run - 1;
    const double y = grid_->place(middle).y - v.centre.y, x = grid_->place(middle).x - v.centre.x;
    const double half = std::sqrt(std::max(0.0, squared - y * y));
    const auto reach = [&](double length, std::uint32_t most) {
      return static_cast<std::uint32_t>(std::clamp(length / step, 0.0, static_cast<double>(most)));
    };
    std::uint32_t west = middle - reach(half + x, middle - from), east = middle + reach(half - x, to - middle);
    // What rounding leaves out, or takes in.
    while (west < middle && !inside(west)) ++west;
    while (west > from && inside(west - 1)) --west;
    while (east > middle && !inside(east)) --east;
    while (east < to && inside(east + 1)) ++east;
    rows_.emplace_back(west, east);
    // A run that ends inside goes on elsewhere, or is cut.
    const auto open = [&](double length) { return length > step * (1 - 1e-9); };
    return !(west == from && open(half + grid_->place(west).x - v.centre.x)) &&
           !(east == to && open(half - grid_->place(east).x + v.centre.x));
  };
  for (const unsigned direction : {kNorth, kSouth}) {
    std::uint32_t at = first;
    if (direction == kNorth && !row(at)) return false;
    for (;;) {
      const std::uint32_t next = grid_->free(at)[direction];
      if (next == corridors::kNone) {
        const double y = grid_->place(at).y - v.centre.y + (direction == kNorth ? step : -step);
        const double x = grid_->place(at).x - v.centre.x;
        if (x * x + y * y <= squared * (1 + 1e-9)) return false;
        break;
      }
      if (!inside(next)) break;
      if (grid_->floor(next) != grid_->floor(first) || !row(next)) return false;
      at = next;
    }
  }
  for (const auto& [west, east] : rows_)
    for (std::uint32_t sample = uncovered(west); sample <= east; sample = uncovered(sample + 1)) {
      inside_[sample] = vertex;
      next_[sample] = sample + 1;
    }
  return true;
}

/// The first sample from one on that is in no cylinder yet; the number of samples when all are.
std::uint32_t GraphBuilder::uncovered(std::uint32_t sample) {
  while (next_[sample] != sample) sample = next_[sample] = next_[next_[sample]];
  return sample;
}

/// The samples inside that are connected with one of them, whatever the ground is like.
void GraphBuilder::fillFrom(std::uint32_t vertex, std::uint32_t first) {
  const GraphVertex& v = graph_.vertices_[vertex];
  const double squared = v.radius * v.radius;
  queue_.assign(1, first);
  seen_[first] = vertex;
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const std::uint32_t sample = queue_[i];
    if (inside_[sample] == corridors::kNone) inside_[sample] = vertex, next_[sample] = sample + 1;
    for (const std::uint32_t next : grid_->free(sample)) {
      if (next == corridors::kNone || seen_[next] == vertex) continue;
      if (lengthSquared(grid_->place(next) - v.centre) > squared) continue;
      seen_[next] = vertex;
      queue_.push_back(next);
    }
  }
}

/// Is a point of the axis inside a cylinder, with the straight way to its centre free for a body?
bool GraphBuilder::reaches(std::uint32_t vertex, std::uint32_t point) const {
  if (centre_[vertex] == point) return true;
  const GraphVertex& v = graph_.vertices_[vertex];
  const double squared = lengthSquared(axis_->at(point) - v.centre);
  if (squared > v.radius * v.radius) return false;
  const corridors::Sight sight = lookAlong(map_, axis_->cell(centre_[vertex]), v.centre, axis_->at(point), radius_);
  return sight.clear &&
         sameFloor(map_, sight.floor, map_.floorAt(axis_->cell(point).cell, axis_->at(point)), axis_->at(point));
}

/// Every point of the axis on the way from one cylinder to another gets one to which a body goes straight; where there
/// is none, another cylinder. Then whatever is connected for a body is connected in the graph, however coarse the
/// samples are.
void GraphBuilder::ownAxis() {
  needed_.assign(axis_->size(), 0);
  for (std::uint32_t i = 0; i < axis_->size(); ++i) needed_[i] = fits(i) && axis_->onWay(i);
  for (const std::uint32_t point : centre_)
    axis_->towardsWay(point, [&](std::uint32_t next) { needed_[next] = fits(next); });
  std::size_t done = 0;
  const auto goOn = [&] {
    for (; done < reached_.size(); ++done) {
      const std::uint32_t point = reached_[done], vertex = owner_[point];
      axis_->around(point, [&](std::uint32_t next) {
        if (owner_[next] != corridors::kNone || !needed_[next]) return;
        if (reaches(vertex, next))
          owner_[next] = vertex, reached_.push_back(next);
        else
          take(next);
      });
    }
  };
  goOn();
  for (std::uint32_t i = 0; i < axis_->size(); ++i)
    if (needed_[i] && owner_[i] == corridors::kNone) take(i), goOn();
}

}  // namespace throng::graph
