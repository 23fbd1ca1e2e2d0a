#include "patches/contact.h"

#include <limits>

namespace throng::patches {
namespace {

/// Halvings of a stretch. A difference that is neither proven nor refuted then is of 1e-7 m or less.
constexpr int kHalvings = 24;

void grow(Motion& motion) {
  motion.least_x = motion.least_y = std::numeric_limits<double>::infinity();
  motion.most_x = motion.most_y = -motion.least_x;
  for (const Motion::Piece& piece : motion.pieces)
    for (const Point p : {piece.curve.a, piece.curve.b, piece.curve.c}) {
      motion.least_x = std::min(motion.least_x, p.x), motion.most_x = std::max(motion.most_x, p.x);
      motion.least_y = std::min(motion.least_y, p.y), motion.most_y = std::max(motion.most_y, p.y);
    }
}

/// m, how far a parabola gets from its own middle at most: it lies in the hull of its points.
double spread(const Parabola& p, Point middle) {
  return std::sqrt(std::max({lengthSquared(p.a - middle), lengthSquared(p.b - middle), lengthSquared(p.c - middle)}));
}

struct FoundContact {
  double u, distance;
};

/// The share at which a parabola, by the distance that `far` gives to a point, comes nearer than `limit`.
template <class Far>
std::optional<FoundContact> search(const Parabola& p, double u, double w, double limit, int halvings, const Far& far) {
  const double mid = 0.5 * (u + w);
  const Point middle = p.at(0.5);
  const double d = far(middle);
  if (d < limit) return FoundContact{mid, d};
  if (d - spread(p, middle) >= limit) return {};
  if (halvings == 0) return FoundContact{mid, d};
  if (const auto found = search(p.part(0, 0.5), u, mid, limit, halvings - 1, far)) return found;
  return search(p.part(0.5, 1), mid, w, limit, halvings - 1, far);
}

double nearestOnSegment(Point p, Point a, Point b) { return nearestToOrigin(a - p, b - p); }

}  // namespace

double distance(Point p, const Ring& convex) {
  double least = std::numeric_limits<double>::infinity();
  bool inside = true;
  for (std::size_t i = 0; i < convex.size(); ++i) {
    const Point a = convex[i], b = convex[(i + 1) % convex.size()];
    inside = inside && det(b - a, p - a) >= 0;
    least = std::min(least, nearestOnSegment(p, a, b));
  }
  return inside ? 0 : least;
}

Motion motionOf(const PatchWalk& walk, double begin, double end) {
  Motion motion;
  for (std::size_t k = 0; k < stretches(walk); ++k) {
    const double t = walk.first + static_cast<double>(k) * walk.step;
    const bool is_last = k + 1 == stretches(walk);
    const double b = k == 0 ? begin : std::max(begin, t), e = is_last ? end : std::min(end, t + walk.step);
    if (!(b < e)) continue;
    const Parabola curve = parabola(walk.control[k], walk.control[k + 1], walk.control[k + 2]);
    motion.pieces.push_back({b, e, curve.part((b - t) / walk.step, (e - t) / walk.step)});
  }
  grow(motion);
  return motion;
}

Motion motionOf(const PatchResident& resident, double period, double until) {
  Motion motion;
  const std::size_t n = resident.control.size();
  const double step = period / static_cast<double>(n);
  for (std::size_t k = 0; static_cast<double>(k) * step < until; ++k) {
    const double b = static_cast<double>(k) * step;
    motion.pieces.push_back(
        {b, b + step, parabola(resident.control[k % n], resident.control[(k + 1) % n], resident.control[(k + 2) % n])});
  }
  grow(motion);
  return motion;
}

std::optional<Contact> findContact(const Motion& a, const Motion& b, double shift, double limit) {
  if (a.least_x > b.most_x + limit || b.least_x > a.most_x + limit || a.least_y > b.most_y + limit ||
      b.least_y > a.most_y + limit)
    return {};
  const auto far = [](Point p) { return length(p); };
  std::size_t j = 0;
  for (const Motion::Piece& p : a.pieces) {
    while (j < b.pieces.size() && b.pieces[j].end + shift <= p.begin) ++j;
    for (std::size_t k = j; k < b.pieces.size() && b.pieces[k].begin + shift < p.end; ++k) {
      const Motion::Piece& q = b.pieces[k];
      const double begin = std::max(p.begin, q.begin + shift), end = std::min(p.end, q.end + shift);
      const double lp = p.end - p.begin, lq = q.end - q.begin;
      const Parabola own = p.curve.part((begin - p.begin) / lp, (end - p.begin) / lp);
      const Parabola other = q.curve.part((begin - shift - q.begin) / lq, (end - shift - q.begin) / lq);
      if (const auto found = search(own - other, 0, 1, limit, kHalvings, far))
        return Contact{begin + found->u * (end - begin), found->distance, own.at(found->u)};
    }
  }
  return {};
}

std::optional<Contact> findContact(const Motion& a, const Ring& convex, double limit) {
  const auto far = [&](Point p) { return distance(p, convex); };
  for (const Motion::Piece& p : a.pieces)
    if (const auto found = search(p.curve, 0, 1, limit, kHalvings, far))
      return Contact{p.begin + found->u * (p.end - p.begin), found->distance, p.curve.at(found->u)};
  return {};
}

std::optional<Contact> sampleContact(const Motion& a, const Motion& b, double shift, double limit, int samples) {
  const auto at = [](const Motion& motion, double t) {
    for (const Motion::Piece& piece : motion.pieces)
      if (t <= piece.end) return piece.curve.at((t - piece.begin) / (piece.end - piece.begin));
    return motion.pieces.back().curve.c;
  };
  const double begin = std::max(a.begin(), b.begin() + shift), end = std::min(a.end(), b.end() + shift);
  for (int i = 0; i <= samples && begin < end; ++i) {
    const double t = begin + (end - begin) * i / samples;
    const Point p = at(a, t);
    const double d = length(p - at(b, t - shift));
    if (d < limit) return Contact{t, d, p};
  }
  return {};
}

double leastDepth(const Motion& motion, Point corner, Point inward, double begin, double end) {
  double least = std::numeric_limits<double>::infinity();
  for (const Motion::Piece& piece : motion.pieces) {
    const double b = std::max(begin, piece.begin), e = std::min(end, piece.end);
    if (!(b < e)) continue;
    const double l = piece.end - piece.begin;
    const Parabola p = piece.curve.part((b - piece.begin) / l, (e - piece.begin) / l);
    const double d0 = dot(p.a - corner, inward), d1 = dot(p.b - corner, inward), d2 = dot(p.c - corner, inward);
    least = std::min({least, d0, d2});
    // The parabola's own lowest point, where it has one inside.
    const double bend = d0 - 2 * d1 + d2;
    if (bend > 0 && d1 < d0 && d1 < d2) least = std::min(least, d0 - (d0 - d1) * (d0 - d1) / bend);
  }
  return least;
}

}  // namespace throng::patches
