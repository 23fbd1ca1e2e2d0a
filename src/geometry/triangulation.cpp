// Incremental insertion along a Hilbert curve with Lawson's flips, then edges by flipping what crosses them (Sloan
// 1993).
#include "geometry/triangulation.h"

#include <algorithm>

namespace throng::geometry {
namespace {

using Spot = Triangulation::Spot;

/// Position along a Hilbert curve over the square that holds all spots.
std::uint64_t hilbert(Spot s) {
  constexpr int kBits = 29;
  auto x = static_cast<std::uint32_t>(s.x + (1 << 28)), y = static_cast<std::uint32_t>(s.y + (1 << 28));
  std::uint64_t d = 0;
  for (std::uint32_t half = 1u << (kBits - 1); half > 0; half >>= 1) {
    const std::uint32_t rx = (x & half) != 0, ry = (y & half) != 0;
    d += std::uint64_t{half} * half * ((3 * rx) ^ ry);
    if (ry == 0) {
      if (rx == 1) x = (half - 1) - (x & (half - 1)), y = (half - 1) - (y & (half - 1));
      std::swap(x, y);
    }
  }
  return d;
}

}  // namespace

bool inCircle(Spot a, Spot b, Spot c, Spot p) {
  const auto away = [&](Spot v, std::int64_t& x, std::int64_t& y) {
    x = std::int64_t{v.x} - p.x, y = std::int64_t{v.y} - p.y;
    return x * x + y * y;
  };
  std::int64_t ax, ay, bx, by, cx, cy;
  const std::int64_t sa = away(a, ax, ay), sb = away(b, bx, by), sc = away(c, cx, cy);
  return Int128{sa} * (bx * cy - by * cx) + Int128{sb} * (cx * ay - cy * ax) + Int128{sc} * (ax * by - ay * bx) > 0;
}

Triangulation::Triangulation(std::vector<Spot> nodes, std::span<const PlaceEdge> edges) : points_(std::move(nodes)) {
  first_far_ = static_cast<std::uint32_t>(points_.size());
  constexpr std::int32_t kFar = kReach + 1024;
  for (const Spot s : {Spot{-kFar, -kFar}, {kFar, -kFar}, {kFar, kFar}, {-kFar, kFar}}) points_.push_back(s);
  at_.assign(points_.size(), 0);
  triangles_.reserve(2 * points_.size());
  triangles_.resize(2);
  const std::uint32_t f = first_far_;
  set(0, {f, f + 1, f + 2}, {kNone, kNone, 1});
  set(1, {f, f + 2, f + 3}, {0, kNone, kNone});

  std::vector<std::pair<std::uint64_t, std::uint32_t>> order;
  order.reserve(f);
  for (std::uint32_t i = 0; i < f; ++i) order.emplace_back(hilbert(points_[i]), i);
  std::sort(order.begin(), order.end());
  for (const auto& [place, i] : order) insert(i);
  for (const PlaceEdge& edge : edges) fix(edge.a, edge.b);
}

std::size_t Triangulation::sideOf(std::uint32_t t, std::uint32_t neighbour) const {
  const auto& n = triangles_[t].n;
  return n[0] == neighbour ? 0 : n[1] == neighbour ? 1 : 2;
}

std::uint32_t Triangulation::locate(std::uint32_t p) const {
  std::uint32_t t = last_, from = kNone;
  for (;;) {
    const Triangle& triangle = triangles_[t];
    std::size_t i = 0;
    for (; i < 3; ++i)
      if (triangle.n[i] != from && triangle.n[i] != kNone && side(triangle.v[i], triangle.v[next(i)], p) < 0) break;
    if (i == 3) return t;
    from = t, t = triangle.n[i];
  }
}

void Triangulation::insert(std::uint32_t p) {
  const std::uint32_t t = locate(p);
  for (std::size_t i = 0; i < 3; ++i)
    if (side(triangles_[t].v[i], triangles_[t].v[next(i)], p) == 0) {
      splitSide(t, i, p);
      legalise();
      return;
    }
  splitFace(t, p);
  legalise();
}

void Triangulation::set(std::uint32_t t, std::array<std::uint32_t, 3> v, std::array<std::uint32_t, 3> n) {
  triangles_[t].v = v, triangles_[t].n = n;
  for (const std::uint32_t vertex : v) at_[vertex] = t;
}

void Triangulation::relink(std::uint32_t t, std::uint32_t from, std::uint32_t to) {
  if (t != kNone) triangles_[t].n[sideOf(t, from)] = to;
}

void Triangulation::splitFace(std::uint32_t t, std::uint32_t p) {
  const auto [v, n, fixed] = triangles_[t];
  const auto u = static_cast<std::uint32_t>(triangles_.size()), w = u + 1;
  triangles_.resize(triangles_.size() + 2);
  set(t, {v[0], v[1], p}, {n[0], u, w});
  set(u, {v[1], v[2], p}, {n[1], w, t});
  set(w, {v[2], v[0], p}, {n[2], t, u});
  relink(n[1], t, u), relink(n[2], t, w);
  doubtful_.insert(doubtful_.end(), {{t, n[0]}, {u, n[1]}, {w, n[2]}});
  last_ = t;
}

/// p lies on side i of t: both triangles there become two.
void Triangulation::splitSide(std::uint32_t t, std::size_t i, std::uint32_t p) {
  const Triangle one = triangles_[t];
  const std::uint32_t o = one.n[i];
  const std::size_t j = sideOf(o, t);
  const Triangle two = triangles_[o];
  const std::uint32_t a = one.v[i], b = one.v[next(i)], c = one.v[previous(i)], d = two.v[previous(j)];
  const std::uint32_t bc = one.n[next(i)], ca = one.n[previous(i)], ad = two.n[next(j)], db = two.n[previous(j)];
  const auto u = static_cast<std::uint32_t>(triangles_.size()), w = u + 1;
  triangles_.resize(triangles_.size() + 2);
  set(t, {c, a, p}, {ca, o, u});
  set(u, {b, c, p}, {bc, t, w});
  set(o, {a, d, p}, {ad, w, t});
  set(w, {d, b, p}, {db, u, o});
  relink(bc, t, u), relink(db, o, w);
  doubtful_.insert(doubtful_.end(), {{t, ca}, {u, bc}, {o, ad}, {w, db}});
  last_ = t;
}

void Triangulation::legalise() {
  while (!doubtful_.empty()) {
    const auto [t, u] = doubtful_.back();
    doubtful_.pop_back();
    if (u == kNone) continue;
    const std::size_t i = sideOf(t, u), j = sideOf(u, t);
    if (triangles_[t].n[i] != u || triangles_[u].n[j] != t) continue;
    const auto& v = triangles_[t].v;
    if (!inCircle(points_[v[0]], points_[v[1]], points_[v[2]], points_[triangles_[u].v[previous(j)]])) continue;
    const std::uint32_t beyond[2] = {triangles_[u].n[next(j)], triangles_[u].n[previous(j)]};
    flip(t, i);
    doubtful_.emplace_back(t, beyond[0]);
    doubtful_.emplace_back(u, beyond[1]);
  }
}

/// t = (a, b, p) and its neighbour (b, a, q) become (p, a, q) and (q, b, p).
void Triangulation::flip(std::uint32_t t, std::size_t i) {
  const Triangle one = triangles_[t];
  const std::uint32_t u = one.n[i];
  const std::size_t j = sideOf(u, t);
  const Triangle two = triangles_[u];
  const std::uint32_t a = one.v[i], b = one.v[next(i)], p = one.v[previous(i)], q = two.v[previous(j)];
  const std::uint32_t bp = one.n[next(i)], pa = one.n[previous(i)], aq = two.n[next(j)], qb = two.n[previous(j)];
  const auto bit = [](const Triangle& triangle, std::size_t k) { return triangle.fixed >> k & 1; };
  set(t, {p, a, q}, {pa, aq, u});
  set(u, {q, b, p}, {qb, bp, t});
  triangles_[t].fixed = static_cast<std::uint8_t>(bit(one, previous(i)) | bit(two, next(j)) << 1);
  triangles_[u].fixed = static_cast<std::uint8_t>(bit(two, previous(j)) | bit(one, next(i)) << 1);
  relink(aq, u, t), relink(bp, t, u);
}

std::uint32_t Triangulation::find(std::uint32_t a, std::uint32_t b, std::size_t& i) const {
  const std::uint32_t start = at_[a];
  std::uint32_t t = start;
  do {  // all corners but those of the far square have triangles all around
    const Triangle& triangle = triangles_[t];
    i = triangle.v[0] == a ? 0 : triangle.v[1] == a ? 1 : 2;
    if (triangle.v[next(i)] == b) return t;
    t = triangle.n[previous(i)];
  } while (t != start && t != kNone);
  return kNone;
}

/// The sides that the way from a to b crosses, up to the first vertex on it, which is returned; kNone when a side that
/// is an edge already is in the way.
std::uint32_t Triangulation::cutToward(std::uint32_t a, std::uint32_t b, std::deque<PlaceEdge>& crossed) const {
  const std::uint32_t start = at_[a];
  std::uint32_t t = start;
  std::size_t i = 0;
  for (;;) {
    const Triangle& triangle = triangles_[t];
    i = triangle.v[0] == a ? 0 : triangle.v[1] == a ? 1 : 2;
    const std::uint32_t right = triangle.v[next(i)], left = triangle.v[previous(i)];
    const std::int64_t on_right = side(a, b, right), on_left = side(a, b, left);
    const auto ahead = [&](std::uint32_t v) {
      const Spot p = points_[a], q = points_[b], r = points_[v];
      return (std::int64_t{q.x} - p.x) * (std::int64_t{r.x} - p.x) +
                 (std::int64_t{q.y} - p.y) * (std::int64_t{r.y} - p.y) >
             0;
    };
    if (on_right == 0 && ahead(right)) return right;
    if (on_right < 0 && on_left > 0) break;
    t = triangle.n[previous(i)];
    if (t == start || t == kNone) return kNone;
  }
  for (i = next(i);;) {  // the side opposite to where we come from
    const Triangle& triangle = triangles_[t];
    if (triangle.fixed >> i & 1 || triangle.n[i] == kNone) return kNone;
    crossed.push_back({triangle.v[i], triangle.v[next(i)]});  // right, left
    const std::uint32_t u = triangle.n[i];
    const std::size_t j = sideOf(u, t);
    const std::uint32_t apex = triangles_[u].v[previous(j)];
    const std::int64_t where = side(a, b, apex);
    if (where == 0) return apex;
    // u = (left, right, apex): the way leaves between right and apex, or between apex and left.
    t = u, i = where > 0 ? next(j) : previous(j);
  }
}

void Triangulation::fix(std::uint32_t a, std::uint32_t b) {
  std::deque<PlaceEdge> crossed;
  while (a != b) {
    crossed.clear();
    const std::uint32_t end = cutToward(a, b, crossed);
    if (end == kNone) return;  // edges meet at their ends only: never
    std::size_t budget = 64 + 16 * crossed.size() * crossed.size();
    while (!crossed.empty() && budget-- > 0) {
      const auto [right, left] = crossed.front();
      crossed.pop_front();
      std::size_t i = 0;
      const std::uint32_t t = find(right, left, i);
      if (t == kNone) continue;
      const std::uint32_t u = triangles_[t].n[i];
      const std::uint32_t p = triangles_[t].v[previous(i)], q = triangles_[u].v[previous(sideOf(u, t))];
      if (side(p, right, q) <= 0 || side(q, left, p) <= 0) {  // not convex: others first
        crossed.push_back({right, left});
        continue;
      }
      flip(t, i);
      const std::int64_t sp = p == a || p == end ? 0 : side(a, end, p), sq = q == a || q == end ? 0 : side(a, end, q);
      if ((sp > 0 && sq < 0) || (sp < 0 && sq > 0)) crossed.push_back(sp < 0 ? PlaceEdge{p, q} : PlaceEdge{q, p});
    }
    for (const auto& [from, to] : {std::pair(a, end), std::pair(end, a)}) {
      std::size_t i = 0;
      const std::uint32_t t = find(from, to, i);
      if (t != kNone) triangles_[t].fixed = static_cast<std::uint8_t>(triangles_[t].fixed | 1u << i);
    }
    a = end;
  }
}

}  // namespace throng::geometry
