// The conditions under which patterns make a patch (Yersin 2009, 7.2 and 7.3.1): a convex shape, one period, lengths
// that fit, as many inputs as outputs, no input or output on an obstacle; and room for a body at every point.
#include "patches/definition_check.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "geometry/convex_cells.h"
#include "patches/contact.h"
#include "patches/sides.h"

namespace throng::patches {
namespace {

/// m; lengths of sides and positions of points are sums of numbers that users write.
constexpr double kSameLength = 1e-6;
/// m from the ends of a side: bodies that cross there stay apart from those that cross the next side.
constexpr double kFromCorner = 2 * kPatchRadius;

class Check {
 public:
  Check(const PatchDefinition& patch, std::vector<Diagnostic>& found) : patch_(patch), found_(found) {}

  void point(std::size_t s, bool out, const PatchPoint& p) { point({}, s, out, 0, p); }

  void run() {
    if (!std::isfinite(patch_.period) || patch_.period < 1 || patch_.period > 1000)
      say("/period", {}, fmt::format("the period is {:g} s; allowed: 1 to 1000", patch_.period));
    if (!isConvex("/corners", patch_.corners)) return;
    if (patch_.sides.size() != patch_.corners.size()) {
      say("/sides", {},
          fmt::format("{} patterns for {} sides; allowed: one each", patch_.sides.size(), patch_.corners.size()));
      return;
    }
    objects();
    residents();
    std::size_t in = 0, out = 0;
    for (std::size_t s = 0; s < patch_.sides.size(); ++s) {
      side(s);
      in += patch_.sides[s].inputs.size(), out += patch_.sides[s].outputs.size();
    }
    if (in != out)
      say("/sides", {}, fmt::format("{} inputs and {} outputs; allowed: as many of one as of the other", in, out));
    if (found_.empty()) apart();
  }

 private:
  void say(std::string where, std::optional<Point> at, std::string what) {
    found_.push_back({Diagnostic::Severity::kError, {}, std::move(where), at, std::move(what)});
  }

  static std::string called(const char* what, const std::string& name, std::size_t number) {
    return name.empty() ? fmt::format("{} {}", what, number) : fmt::format("{} \"{}\"", what, name);
  }
  std::string pattern(std::size_t s) const { return called("pattern", patch_.sides[s].name, s); }
  std::string pointName(std::size_t s, bool out, std::size_t i) const {
    return fmt::format("{} {} of {}", out ? "output" : "input", i, pattern(s));
  }

  bool isConvex(const std::string& where, const Ring& ring) {
    if (ring.size() < 3) {
      say(where, {}, fmt::format("{} corners; allowed: at least 3", ring.size()));
      return false;
    }
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const Point a = ring[i], b = ring[(i + 1) % ring.size()], c = ring[(i + 2) % ring.size()];
      if (!std::isfinite(a.x) || !std::isfinite(a.y) || std::abs(a.x) > 1e5 || std::abs(a.y) > 1e5) {
        say(where, {}, fmt::format("corner {} is at ({}, {}); allowed: within 100 km of the origin", i, a.x, a.y));
        return false;
      }
      if (!(length(b - a) > 1e-3)) {
        say(where, a, "two corners are in one place; allowed: 1 mm apart and more");
        return false;
      }
      // Straight on is fine: a side may be in two parts, with another neighbour each. But not back.
      if (dot(c - b, perpendicular(normalized(b - a))) < -geometry::kStraightCorner ||
          (dot(b - a, c - b) < 0 && det(b - a, c - b) <= 0)) {
        say(where, b, "the corners are not convex and anticlockwise here; allowed: left turns only");
        return false;
      }
    }
    // A star turns left at every corner, too, but more than once around.
    for (std::size_t i = 0; i < ring.size(); ++i)
      for (std::size_t j = 0; j < ring.size(); ++j)
        if (dot(ring[j] - ring[i], perpendicular(normalized(ring[(i + 1) % ring.size()] - ring[i]))) <
            -geometry::kStraightCorner) {
          say(where, ring[j], "the corners go around more than once; allowed: a convex polygon");
          return false;
        }
    return true;
  }

  void objects() {
    for (std::size_t i = 0; i < patch_.objects.size(); ++i) {
      const PatchObject& object = patch_.objects[i];
      const std::string where = fmt::format("/objects/{}", i), name = called("object", object.name, i);
      if (!isConvex(where + "/outline", object.outline)) continue;
      for (const Point p : object.outline)
        for (std::size_t s = 0; s < patch_.sides.size(); ++s)
          if (sideOf(patch_, s).depth(p) < 0) {
            say(where, p, fmt::format("{} sticks out over {}; allowed: inside the patch", name, pattern(s)));
            return;
          }
    }
  }

  void residents() {
    for (std::size_t i = 0; i < patch_.residents.size(); ++i) {
      const PatchResident& resident = patch_.residents[i];
      const std::size_t n = resident.control.size();
      if (n != 1 && n < 3)
        say(fmt::format("/residents/{}/control", i), {},
            fmt::format("{} has {} points; allowed: one to stand on, or three and more to go round",
                        called("resident", resident.name, i), n));
      for (const Point p : resident.control)
        if (!std::isfinite(p.x) || !std::isfinite(p.y))
          say(fmt::format("/residents/{}/control", i), {}, "a point is not a number");
      if (found_.empty()) room(i);
      if (!(length(resident.facing) > 0) || !std::isfinite(length(resident.facing)))
        say(fmt::format("/residents/{}/facing", i), {}, "looks in no direction; allowed: a vector longer than 0");
    }
  }

  /// Residents and objects are not moved for anybody: they have to keep apart by themselves.
  void room(std::size_t i) {
    const PatchResident& resident = patch_.residents[i];
    const std::string where = fmt::format("/residents/{}", i), name = called("resident", resident.name, i);
    const std::size_t n = resident.control.size();
    for (std::size_t k = 0; n > 1 && k < n; ++k) {
      const double way = length(resident.control[(k + 1) % n] - resident.control[k]);
      if (const double speed = way * static_cast<double>(n) / patch_.period; !(speed <= kPatchFastest + 1e-9))
        return say(where, resident.control[k],
                   fmt::format("{} goes round at {:.2f} m/s; allowed: up to {:g}", name, speed, kPatchFastest));
    }
    const Motion motion = motionOf(resident, patch_.period, patch_.period);
    for (std::size_t s = 0; s < patch_.sides.size(); ++s) {
      const Side border = sideOf(patch_, s);
      if (leastDepth(motion, border.corner, border.inward, 0, patch_.period) < kPatchRadius)
        return say(
            where, resident.control[0],
            fmt::format("{} comes within {:g} m of {}; allowed: inside the patch", name, kPatchRadius, pattern(s)));
    }
    for (std::size_t o = 0; o < patch_.objects.size(); ++o)
      if (const auto contact = findContact(motion, patch_.objects[o].outline, kPatchRadius))
        return say(where, contact->at, fmt::format("{} touches {}", name, called("object", patch_.objects[o].name, o)));
    for (std::size_t other = 0; other < i; ++other)
      if (const auto contact =
              findContact(motion, motionOf(patch_.residents[other], patch_.period, patch_.period), 0, 2 * kPatchRadius))
        return say(where, contact->at,
                   fmt::format("{} touches {}", name, called("resident", patch_.residents[other].name, other)));
  }

  void side(std::size_t s) {
    const PatchPattern& side = patch_.sides[s];
    const std::string where = fmt::format("/sides/{}", s);
    if (std::abs(side.period - patch_.period) > 1e-9)
      say(where + "/period", {},
          fmt::format("{} repeats after {:g} s, the patch after {:g} s; allowed: the same", pattern(s), side.period,
                      patch_.period));
    const double own = sideOf(patch_, s).length;
    if (!(std::abs(side.length - own) <= kSameLength))
      say(where + "/length", {},
          fmt::format("{} is {:g} m long, its side {:g} m; allowed: the same", pattern(s), side.length, own));
    for (const bool out : {false, true}) {
      const auto& points = out ? side.outputs : side.inputs;
      for (std::size_t i = 0; i < points.size(); ++i)
        point(where + (out ? "/outputs/" : "/inputs/") + std::to_string(i), s, out, i, points[i]);
    }
  }

  void point(const std::string& where, std::size_t s, bool out, std::size_t i, const PatchPoint& p) {
    const Side side = sideOf(patch_, s);
    const std::string name = pointName(s, out, i);
    if (!(p.time >= 0 && p.time <= patch_.period))
      return say(where + "/time", {}, fmt::format("{} is at {:g} s; allowed: 0 to {:g}", name, p.time, patch_.period));
    if (!(p.position >= kFromCorner - kSameLength && p.position <= side.length - kFromCorner + kSameLength))
      return say(where + "/position", {},
                 fmt::format("{} is at {:g} m; allowed: {:g} to {:g}, {:g} m from the corners", name, p.position,
                             kFromCorner, side.length - kFromCorner, kFromCorner));
    if (!(p.speed >= kPatchSlowestAcross && p.speed <= kPatchFastest && std::abs(p.along) <= p.speed &&
          p.speed * p.speed + p.along * p.along <= kPatchFastest * kPatchFastest))
      return say(
          where + "/speed", {},
          fmt::format("{} crosses at {:g} m/s and {:g} m/s along the side; allowed: {:g} to {:g} m/s in all, not "
                      "faster along than across",
                      name, p.speed, p.along, kPatchSlowestAcross, kPatchFastest));
    const Crossing crossing = crossingOf(side, p, out);
    for (std::size_t o = 0; o < patch_.objects.size(); ++o)
      for (const double t : {p.time - crossing.gate, p.time, p.time + crossing.gate})
        if (distance(crossing.at(t), patch_.objects[o].outline) < kPatchRadius)
          return say(where, crossing.at(t),
                     fmt::format("{} is on {}; allowed: {:g} m from obstacles", name,
                                 called("object", patch_.objects[o].name, o), kPatchRadius));
    const Segment path{crossing.at(p.time - crossing.gate), crossing.at(p.time + crossing.gate)};
    for (std::size_t other = 0; other < patch_.sides.size(); ++other)
      if (other != s && distanceToSide(patch_, other, path) < kPatchRadius - kSameLength)
        return say(where, crossing.position,
                   fmt::format("{} comes within {:g} m of {} while it crosses; allowed: farther from the corner", name,
                               kPatchRadius, pattern(other)));
  }

  /// Nobody can get out of the way while they cross: points too near to one another are the pattern's fault.
  void apart() {
    struct Named {
      std::size_t side;
      bool out;
      std::size_t point;
      Crossing crossing;
    };
    std::vector<Named> all;
    for (std::size_t s = 0; s < patch_.sides.size(); ++s) {
      const Side side = sideOf(patch_, s);
      for (std::size_t i = 0; i < patch_.sides[s].inputs.size(); ++i)
        all.push_back({s, false, i, crossingOf(side, patch_.sides[s].inputs[i], false)});
      for (std::size_t i = 0; i < patch_.sides[s].outputs.size(); ++i)
        all.push_back({s, true, i, crossingOf(side, patch_.sides[s].outputs[i], true)});
    }
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t j = i + 1; j < all.size(); ++j) {
        const Named &a = all[i], &b = all[j];
        const double d = leastDistance(a.crossing, a.crossing.gate, b.crossing, b.crossing.gate, patch_.period);
        if (d < 2 * kPatchRadius)
          say(fmt::format("/sides/{}/{}/{}", a.side, a.out ? "outputs" : "inputs", a.point), a.crossing.position,
              fmt::format("{} and {} come within {:.3g} m of each other; allowed: {:g} m, room for two bodies",
                          pointName(a.side, a.out, a.point), pointName(b.side, b.out, b.point), d, 2 * kPatchRadius));
      }
  }

  const PatchDefinition& patch_;
  std::vector<Diagnostic>& found_;
};

}  // namespace

bool fits(const PatchDefinition& patch, std::size_t side, bool out, const PatchPoint& point) {
  std::vector<Diagnostic> found;
  Check(patch, found).point(side, out, point);
  return found.empty();
}

PatchDefinition emptyPatch(Ring corners, double period) {
  PatchDefinition patch;
  patch.corners = std::move(corners), patch.period = period;
  if (area(patch) < 0) std::reverse(patch.corners.begin(), patch.corners.end());
  const std::size_t n = patch.corners.size();
  for (std::size_t s = 0; s < n; ++s)
    patch.sides.push_back(
        {fmt::format("side {}", s), length(patch.corners[(s + 1) % n] - patch.corners[s]), period, {}, {}});
  if (auto found = check(patch); !found.empty()) throw InputError(std::move(found));
  return patch;
}

}  // namespace throng::patches

namespace throng {

std::vector<Diagnostic> check(const PatchDefinition& patch) {
  std::vector<Diagnostic> found;
  patches::Check(patch, found).run();
  return found;
}

}  // namespace throng
