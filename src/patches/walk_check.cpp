#include "patches/walk_check.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "geometry/convex_cells.h"
#include "patches/sides.h"

namespace throng::patches {
namespace {

/// m, m/s, s: what ends may miss their points by. Only rounding.
constexpr double kExact = 1e-9;
/// m; bodies that cross a border touch it at one instant.
constexpr double kTouch = 1e-6;

class Check {
 public:
  Check(const PatchDefinition& patch, const std::vector<PatchWalk>& walks, std::size_t most)
      : patch_(patch), walks_(walks), most_(most) {}

  std::vector<Fault> run() {
    for (std::uint32_t w = 0; w < walks_.size() && more(); ++w)
      if (form(w)) ends(w), speeds(w);
    if (!found_.empty()) return found_;
    for (const PatchWalk& walk : walks_)
      motions_.push_back(motionOf(walk, walk.from - inputOf(patch_, walk.input).gate,
                                  walk.until + outputOf(patch_, walk.output).gate));
    for (std::uint32_t w = 0; w < walks_.size() && more(); ++w) inside(w), objects(w), residents(w);
    people();
    return found_;
  }

 private:
  bool more() const { return found_.size() < most_; }
  void say(Fault fault) {
    if (more()) found_.push_back(std::move(fault));
  }

  /// Without which nothing else can be asked.
  bool form(std::uint32_t w) {
    const PatchWalk& walk = walks_[w];
    const auto fault = [&](std::string what) {
      say({w, kNobody, 0, 0, {}, std::move(what)});
      return false;
    };
    if (walk.input.side >= patch_.sides.size() || walk.input.point >= patch_.sides[walk.input.side].inputs.size())
      return fault("begins at an input that there is not");
    if (walk.output.side >= patch_.sides.size() || walk.output.point >= patch_.sides[walk.output.side].outputs.size())
      return fault("ends at an output that there is not");
    if (walk.control.size() < 3)
      return fault(fmt::format("{} control points; allowed: 3 and more", walk.control.size()));
    for (const Point p : walk.control)
      if (!std::isfinite(p.x) || !std::isfinite(p.y)) return fault("a control point is not a number");
    if (!(walk.step > 0.01 && walk.step < 100) || !std::isfinite(walk.first) || !(walk.until > walk.from) ||
        !(walk.until - walk.from < 100 * patch_.period))
      return fault("its times are not in order");
    const double last = walk.first + walk.step * static_cast<double>(stretches(walk));
    if (walk.from < walk.first - kExact || walk.until > last + kExact)
      return fault(fmt::format("its knots are from {:g} to {:g} s, its ends at {:g} and {:g} s", walk.first, last,
                               walk.from, walk.until));
    return true;
  }

  void ends(std::uint32_t w) {
    const PatchWalk& walk = walks_[w];
    const Crossing in = inputOf(patch_, walk.input), out = outputOf(patch_, walk.output);
    const double laps = (walk.until - out.time) / patch_.period;
    if (std::abs(walk.from - in.time) > kExact || std::abs(laps - std::round(laps)) > kExact)
      say({w, kNobody, walk.from, 0, in.position, "does not begin or end at the time of its points"});
    // Before and after, too: there it has to be where the other patch expects it.
    for (const double t : {-in.gate, 0.0, in.gate})
      end(w, stateAt(walk, walk.from + t), walk.from + t, in.at(in.time + t), in.velocity);
    for (const double t : {-out.gate, 0.0, out.gate})
      end(w, stateAt(walk, walk.until + t), walk.until + t, out.at(out.time + t), out.velocity);
  }
  void end(std::uint32_t w, const PatchState& state, double time, Point position, Point velocity) {
    const double missed = length(state.position - position), jump = length(state.velocity - velocity);
    if (!(missed <= kExact * 10))
      say({w, kNobody, time, missed, position, fmt::format("misses its point by {:.3g} m", missed)});
    else if (!(jump <= kExact * 100))
      say({w, kNobody, time, jump, position, fmt::format("has another velocity than its point, by {:.3g} m/s", jump)});
  }

  void speeds(std::uint32_t w) {
    const PatchWalk& walk = walks_[w];
    for (std::size_t k = 0; k < stretches(walk); ++k) {
      const Point u = (walk.control[k + 1] - walk.control[k]) / walk.step;
      const Point v = (walk.control[k + 2] - walk.control[k + 1]) / walk.step;
      const double slow = nearestToOrigin(u, v), fast = std::max(length(u), length(v));
      const double t = walk.first + (static_cast<double>(k) + 0.5) * walk.step;
      if (!(slow >= kPatchSlowest - kExact) || !(fast <= kPatchFastest + kExact)) {
        const double bad = fast > kPatchFastest ? fast : slow;
        return say({w, kNobody, t, bad, walk.control[k + 1],
                    fmt::format("walks at {:.2f} m/s; allowed: {:g} to {:g}", bad, kPatchSlowest, kPatchFastest)});
      }
    }
  }

  /// A body stays inside but for the side that it is crossing. While it does, it goes straight on, and the definition
  /// says that it is clear of all other sides.
  void inside(std::uint32_t w) {
    const PatchWalk& walk = walks_[w];
    const double in = walk.from + inputOf(patch_, walk.input).gate,
                 out = walk.until - outputOf(patch_, walk.output).gate;
    for (std::size_t s = 0; s < patch_.sides.size(); ++s) {
      const Side side = sideOf(patch_, s);
      const double depth = leastDepth(motions_[w], side.corner, side.inward, in, out);
      // A side in two parts need not be quite straight.
      const bool in_line = inLine(s, walk.input.side) || inLine(s, walk.output.side);
      if (depth < kPatchRadius - (in_line ? 2 * geometry::kStraightCorner : kTouch))
        say({w,
             kNobody,
             in,
             depth,
             {},
             fmt::format("its body leaves the patch over side {}, by {:.3f} m", s, kPatchRadius - depth)});
    }
  }

  bool inLine(std::size_t s, std::size_t crossed) const {
    const Side side = sideOf(patch_, crossed);
    const auto near = [&](Point p) { return std::abs(side.depth(p)) <= geometry::kStraightCorner; };
    return s != crossed && near(patch_.corners[s]) && near(patch_.corners[(s + 1) % patch_.corners.size()]);
  }

  void objects(std::uint32_t w) {
    for (std::size_t o = 0; o < patch_.objects.size(); ++o)
      if (const auto contact = findContact(motions_[w], patch_.objects[o].outline, kPatchRadius))
        say({w, kNobody, contact->time, contact->distance, contact->at,
             fmt::format("touches object {} \"{}\" at {:.2f} s", o, patch_.objects[o].name, contact->time), 0,
             static_cast<std::uint32_t>(o)});
  }

  void residents(std::uint32_t w) {
    for (const PatchResident& resident : patch_.residents) {
      const Motion& own = motions_[w];
      const double shift = patch_.period * std::floor(own.begin() / patch_.period);
      const Motion other = motionOf(resident, patch_.period, own.end() - shift);
      if (const auto contact = findContact(own, other, shift, 2 * kPatchRadius))
        say({w, kNobody, contact->time, contact->distance, contact->at,
             fmt::format("comes within {:.3f} m of resident \"{}\" at {:.2f} s", contact->distance, resident.name,
                         contact->time)});
    }
  }

  /// Everybody with everybody, in all the periods in which both can be there; also with those who are on the same walk.
  void people() {
    for (std::uint32_t a = 0; a < walks_.size(); ++a)
      for (std::uint32_t b = a; b < walks_.size(); ++b) {
        const Motion &p = motions_[a], &q = motions_[b];
        const double period = patch_.period;
        const auto first = static_cast<int>(std::ceil((p.begin() - q.end()) / period));
        const auto last = static_cast<int>(std::floor((p.end() - q.begin()) / period));
        for (int lap = a == b ? 1 : first; lap <= last && more(); ++lap)
          if (const auto contact = findContact(p, q, lap * period, 2 * kPatchRadius - kExact))
            say({a, b, contact->time, contact->distance, contact->at,
                 fmt::format("comes within {:.3f} m of walk {} at {:.2f} s; allowed: {:g} m", contact->distance, b,
                             contact->time, 2 * kPatchRadius),
                 contact->time - lap * period});
      }
  }

  const PatchDefinition& patch_;
  const std::vector<PatchWalk>& walks_;
  std::size_t most_;
  std::vector<Motion> motions_;
  std::vector<Fault> found_;
};

}  // namespace

std::vector<Fault> faults(const PatchDefinition& patch, const std::vector<PatchWalk>& walks, std::size_t most) {
  return Check(patch, walks, most).run();
}

std::string reasonOf(const std::vector<Fault>& faults) {
  std::string text = fmt::format("walk {} {}", faults.front().walk, faults.front().what);
  if (faults.size() > 1) text += fmt::format(", and {} more", faults.size() - 1);
  return text;
}

}  // namespace throng::patches

namespace throng {

std::vector<Diagnostic> check(const Patch& patch) {
  std::vector<Diagnostic> found = check(patch.definition);
  if (!found.empty()) return found;
  const auto say = [&](std::string where, std::optional<Point> at, std::string what) {
    found.push_back({Diagnostic::Severity::kError, {}, std::move(where), at, std::move(what)});
  };
  // Every point is used once.
  std::vector<std::vector<int>> in, out;
  std::size_t points = 0;
  for (const PatchPattern& side : patch.definition.sides) {
    in.emplace_back(side.inputs.size()), out.emplace_back(side.outputs.size());
    points += side.inputs.size();
  }
  if (patch.walks.size() != points)
    say("/walks", {}, fmt::format("{} walks for {} inputs; allowed: one each", patch.walks.size(), points));
  for (const auto& fault : patches::faults(patch.definition, patch.walks, 100))
    say(fmt::format("/walks/{}", fault.walk), fault.at, fmt::format("walk {} {}", fault.walk, fault.what));
  if (!found.empty()) return found;
  for (const PatchWalk& walk : patch.walks)
    ++in[walk.input.side][walk.input.point], ++out[walk.output.side][walk.output.point];
  for (std::size_t s = 0; s < in.size(); ++s)
    for (const bool is_out : {false, true})
      for (std::size_t i = 0; i < (is_out ? out : in)[s].size(); ++i)
        if (const int uses = (is_out ? out : in)[s][i]; uses != 1)
          say(fmt::format("/sides/{}", s), {},
              fmt::format("{} {} of pattern \"{}\" has {} walks; allowed: one", is_out ? "output" : "input", i,
                          patch.definition.sides[s].name, uses));
  return found;
}

}  // namespace throng
