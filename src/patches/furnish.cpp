#include "patches/furnish.h"

#include <algorithm>
#include <cmath>

#include "geometry/boxes.h"
#include "patches/contact.h"
#include "patches/sides.h"

namespace throng::patches {
namespace {

constexpr int kThrows = 40;
constexpr double kFromPeople = 1.6;  ///< m from sides that people cross: who comes in has to turn aside first
constexpr double kPassage = 0.6;     ///< m beside things, to pass

/// A circle that something takes up.
struct Taken {
  Point centre;
  double reach = 0;
};

class Furnishing {
 public:
  Furnishing(PatchDefinition& patch, base::Random random) : patch_(patch), random_(random) {
    for (const PatchObject& object : patch.objects) {
      Point middle;
      for (const Point p : object.outline) middle += p / static_cast<double>(object.outline.size());
      taken_.push_back({middle, reachOf(object.outline, middle)});
    }
    for (std::size_t s = 0; s < patch.sides.size(); ++s) {
      sides_.push_back(sideOf(patch, s));
      is_open_.push_back(!patch.sides[s].inputs.empty() || !patch.sides[s].outputs.empty());
    }
    box_ = geometry::boxOf(patch.corners);
  }

  void object(const std::vector<PatchObject>& allowed) {
    PatchObject made;
    if (allowed.empty()) {
      const Point half{random_.uniform(0.15, 0.35), random_.uniform(0.15, 0.35)};
      made = {"object", {-half, {half.x, -half.y}, half, {-half.x, half.y}}};
    } else {
      made = allowed[random_.below(allowed.size())];
    }
    const Point turn = direction();
    for (Point& p : made.outline) p = turned(p, turn);
    const double reach = reachOf(made.outline, {});
    const auto place = find(reach);
    if (!place) return;
    for (Point& p : made.outline) p += *place;
    taken_.push_back({*place, reach});
    patch_.objects.push_back(std::move(made));
  }

  void group(const std::vector<PatchGroup>& allowed) {
    PatchGroup made{"resident", {{"resident", {{0, 0}}, {1, 0}}}};
    if (!allowed.empty()) made = allowed[random_.below(allowed.size())];
    const Point turn = direction();
    Ring all;
    for (PatchResident& resident : made.people) {
      for (Point& p : resident.control) p = turned(p, turn), all.push_back(p);
      resident.facing = turned(resident.facing, turn);
    }
    const double reach = reachOf(all, {}) + kPatchRadius;
    const auto place = find(reach);
    if (!place) return;
    for (PatchResident& resident : made.people)
      for (Point& p : resident.control) p += *place;
    taken_.push_back({*place, reach});
    patch_.residents.insert(patch_.residents.end(), made.people.begin(), made.people.end());
  }

 private:
  /// A random unit vector: of points in a square, those in the unit circle.
  Point direction() {
    for (;;) {
      const Point p{random_.uniform(-1, 1), random_.uniform(-1, 1)};
      if (lengthSquared(p) < 1 && lengthSquared(p) > 0.01) return normalized(p);
    }
  }
  static Point turned(Point p, Point by) { return by * p.x + perpendicular(by) * p.y; }
  static double reachOf(const Ring& points, Point from) {
    double reach = 0;
    for (const Point p : points) reach = std::max(reach, length(p - from));
    return reach;
  }
  std::optional<Point> find(double reach) {
    for (int attempt = 0; attempt < kThrows; ++attempt) {
      const Point p{random_.uniform(box_.min.x, box_.max.x), random_.uniform(box_.min.y, box_.max.y)};
      bool free = true;
      for (std::size_t s = 0; s < sides_.size(); ++s)
        free = free && sides_[s].depth(p) > reach + (is_open_[s] ? kFromPeople : kPassage);
      for (const Taken& other : taken_) free = free && length(p - other.centre) > reach + other.reach + kPassage;
      if (free) return p;
    }
    return {};
  }

  PatchDefinition& patch_;
  base::Random random_;
  std::vector<Side> sides_;
  std::vector<char> is_open_;
  std::vector<Taken> taken_;
  Rectangle box_;
};

}  // namespace

void furnish(PatchDefinition& patch, const PatchTemplate& kind, base::Random random) {
  Furnishing furnishing(patch, random);
  for (int i = 0; i < kind.objects; ++i) furnishing.object(kind.allowed_objects);
  for (int i = 0; i < kind.residents; ++i) furnishing.group(kind.allowed_residents);
}

}  // namespace throng::patches
