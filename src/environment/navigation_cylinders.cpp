// Where the cylinders of a navigation graph stand. Published (PETTRÉ 2008, section 2, step 4): the sample with the
// largest clearance becomes a cylinder, the samples inside it are disabled, and so on until none is left. Here centres
// lie exactly on the medial axis. A disc around a point of the axis is in no other free disc, and that around the place
// where a sample retracts to contains the sample and the whole disc around it. So no cylinder is needless, and all
// samples where a body fits can be covered.
#include <algorithm>
#include <cmath>
#include <utility>

#include "environment/navigation_graph_builder.h"
#include "environment/visibility.h"

namespace throng::environment {
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
  inside_.assign(grid_->size(), kNone);
  seen_.assign(grid_->size(), kNone);
  owner_.assign(axis_->size(), kNone);
  axis_mark_.assign(axis_->size(), kNone);
  gap_mark_.assign(axis_->size(), 0);
  gap_seen_.assign(grid_->size(), 0);
  coverAxis();
  coverSamples();
  ownAxis();
}

/// The ways of the medial axis first: near each centre, no other one is taken. In a corridor of half-width r two
/// cylinders 2 sqrt(2 r R - R²) apart leave no place free where a body of radius R fits, and share gates that are wide.
/// The samples that are nearest to the walls are somewhat farther away than R.
void GraphBuilder::coverAxis() {
  std::vector<std::pair<double, std::uint32_t>> candidates;
  for (std::uint32_t i = 0; i < axis_->size(); ++i)
    if (fits(i) && axis_->onWay(i)) candidates.emplace_back(axis_->radius(i), i);
  sortBySize(candidates);
  std::vector<std::uint32_t> disabled(axis_->size(), kNone);
  for (const auto& [r, point] : candidates) {
    if (disabled[point] != kNone) continue;
    const std::uint32_t vertex = take(point);
    if (vertex == kNone) continue;
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
    if (inside_[i] == kNone && grid_->clearance(i) >= radius_ && !grid_->tooSteep(grid_->floor(i)))
      left.emplace_back(0.0, i);
  constexpr std::size_t kGrain = 1024;
  threads_.forEach(left.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      left[i].first = map_.retract(grid_->cell(left[i].second), grid_->place(left[i].second)).clearance;
  });
  sortBySize(left);
  for (const auto& [r, sample] : left) {
    if (inside_[sample] != kNone) continue;
    const Retraction to = map_.retract(grid_->cell(sample), grid_->place(sample));
    // Clearance is largest at an arc's ends, so that one of the two points around that place has room for a body, too.
    const std::uint32_t point = axis_->nearest(to.edge, to.at, radius_);
    if (point == kNone) continue;  // there is room by less than rounding
    const std::uint32_t vertex = take(bestAround(sample, point));
    // A sample that rounding hides from its own cylinder is in it all the same.
    if (vertex != kNone && inside_[sample] == kNone) inside_[sample] = vertex;
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
      if (next == kNone || inside_[next] != kNone || !(grid_->clearance(next) >= radius_)) continue;
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
  if (owner != kNone && centre_[owner] == point) return owner;
  const Point at = axis_->at(point);
  const std::uint16_t floor = map_.floorAt(axis_->cell(point).cell, at);
  if (grid_->tooSteep(floor)) return kNone;
  const auto vertex = static_cast<std::uint32_t>(graph_.vertices_.size());
  GraphVertex& v = graph_.vertices_.emplace_back();
  v.centre = at;
  v.radius = axis_->radius(point);
  v.floor = floor;
  v.z = space_.floors()[floor].height({static_cast<float>(at.x), static_cast<float>(at.y)});
  centre_.push_back(point);
  // A body on these points is inside the cylinder, and so is its way to the centre.
  if (owner_[point] == kNone) reached_.push_back(point);
  owner_[point] = vertex;
  spread(point, v.radius - radius_, [&](std::uint32_t next) {
    if (owner_[next] == kNone) owner_[next] = vertex, reached_.push_back(next);
    return std::exchange(axis_mark_[next], vertex) != vertex;
  });
  fillCylinder(vertex);
  return vertex;
}

/// The node that is nearest to the centre, if it is inside.
std::uint32_t GraphBuilder::firstSample(std::uint32_t vertex) const {
  const GraphVertex& v = graph_.vertices_[vertex];
  const double step = grid_->step();
  const auto column = static_cast<std::int64_t>(std::floor(v.centre.x / step)),
             row = static_cast<std::int64_t>(std::floor(v.centre.y / step));
  std::uint32_t found = kNone;
  double best = v.radius * v.radius;
  for (std::int64_t y = row; y <= row + 1; ++y)
    for (std::int64_t x = column; x <= column + 1; ++x) {
      const Point node{static_cast<double>(x) * step, static_cast<double>(y) * step};
      const double squared = lengthSquared(node - v.centre);
      if (squared > best) continue;
      const Sight sight = lookAlong(map_, axis_->cell(centre_[vertex]), v.centre, node);
      const std::uint32_t sample = sight.clear ? grid_->at(sight.floor, x, y) : kNone;
      if (sample != kNone) best = squared, found = sample;
    }
  return found;
}

/// Marks the samples inside. They hang together, so that storeys above and below are left alone.
void GraphBuilder::fillCylinder(std::uint32_t vertex) {
  const std::uint32_t first = firstSample(vertex);
  if (first == kNone) return;
  const GraphVertex& v = graph_.vertices_[vertex];
  const double squared = v.radius * v.radius;
  queue_.assign(1, first);
  seen_[first] = vertex;
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const std::uint32_t sample = queue_[i];
    if (inside_[sample] == kNone) inside_[sample] = vertex;
    for (const std::uint32_t next : grid_->free(sample)) {
      if (next == kNone || seen_[next] == vertex) continue;
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
  const Sight sight = lookAlong(map_, axis_->cell(centre_[vertex]), v.centre, axis_->at(point), radius_);
  return sight.clear &&
         sameFloor(map_, sight.floor, map_.floorAt(axis_->cell(point).cell, axis_->at(point)), axis_->at(point));
}

/// Every point of the axis on the way from one cylinder to another gets one to which a body goes straight; where there
/// is none, another cylinder. Then whatever hangs together for a body hangs together in the graph, however coarse the
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
        if (owner_[next] != kNone || !needed_[next]) return;
        if (reaches(vertex, next))
          owner_[next] = vertex, reached_.push_back(next);
        else
          take(next);
      });
    }
  };
  goOn();
  for (std::uint32_t i = 0; i < axis_->size(); ++i)
    if (needed_[i] && owner_[i] == kNone) take(i), goOn();
}

}  // namespace throng::environment
