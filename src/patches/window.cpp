#include "patches/window.h"

#include <algorithm>
#include <cmath>

#include "patches/matching.h"
#include "patches/pairing.h"

namespace throng::patches {
namespace {

constexpr double kShallow = 0.3;     ///< m: who does not come farther into the area only touches its edge
constexpr double kAroundSeam = 0.3;  ///< s before and after the seam that velocities are taken from
constexpr double kBlend = 2;         ///< s on each side of the seam in which a jump can be made up for
constexpr double kPerSecond = 0.15;  ///< m²/s: what it costs to follow somebody beyond the window
constexpr double kLeftOutCost = 1000;
constexpr double kImpossible = 50;
constexpr double kSlowly = 0.35, kFastly = 1.8;  ///< m/s on average around the seam that leave some room

/// A stay as far as it is in the window.
struct Piece {
  std::size_t stay = 0;
  double begin = 0, end = 0;
  bool from_before = false, goes_on = false;
};

class Plan {
 public:
  Plan(const Tracks& tracks, const std::vector<Stay>& stays, const std::vector<Side>& sides, Window& window)
      : tracks_(tracks), stays_(stays), sides_(sides), window_(window), end_(window.from + window.period) {}

  void make(base::Random random, bool varied) {
    pieces();
    Joints joints;
    for (std::size_t p = 0; p < pieces_.size(); ++p) {
      if (pieces_[p].goes_on) joints.ends.push_back(p);
      if (pieces_[p].from_before) joints.begins.push_back(p);
    }
    const auto luck = [&] { return varied ? random.uniform() : 0.0; };
    for (const std::size_t e : joints.ends) {
      const Stay& stay = stays_[pieces_[e].stay];
      joints.end_alone.push_back(stay.out ? kPerSecond * (stay.end - end_) * (1 + luck()) : kLeftOutCost);
      for (const std::size_t b : joints.begins) joints.cost.push_back(linkCost(e, b) * (1 + luck()) + 0.3 * luck());
    }
    for (const std::size_t b : joints.begins) {
      const Stay& stay = stays_[pieces_[b].stay];
      joints.begin_alone.push_back(stay.in ? kPerSecond * (window_.from - stay.begin) * (1 + luck()) : kLeftOutCost);
    }
    const std::vector<std::size_t> next = join(joints);
    window_.cost = costOf(joints, next);
    chains(joints, next);
  }

 private:
  void leaveOut(LeftOut why, std::size_t count = 1) { window_.left_out[static_cast<std::size_t>(why)] += count; }

  void pieces() {
    for (std::size_t s = 0; s < stays_.size(); ++s) {
      const Stay& stay = stays_[s];
      if (stay.end <= window_.from || stay.begin >= end_) continue;
      ++window_.people;
      window_.seconds += std::min(stay.end, end_) - std::max(stay.begin, window_.from);
      Piece piece{s, std::max(stay.begin, window_.from), std::min(stay.end, end_),
                  stay.begin<window_.from, stay.end> end_};
      // The recording may begin and end with the window.
      if (!stay.in && stay.begin <= window_.from + kRounding) piece.from_before = true;
      if (!stay.out && stay.end >= end_ - kRounding) piece.goes_on = true;
      if (stay.depth < kShallow && (!piece.from_before || !piece.goes_on)) {
        leaveOut(LeftOut::kEdge);
      } else if ((!piece.from_before && !stay.in) || (!piece.goes_on && !stay.out)) {
        leaveOut(LeftOut::kNoEnd);
      } else {
        pieces_.push_back(piece);
      }
    }
  }

  const Track& trackOf(const Piece& piece) const { return tracks_.tracks[stays_[piece.stay].track]; }

  /// What has to be made up for when the one goes on as the other: m².
  double linkCost(std::size_t e, std::size_t b) const {
    const Piece &last = pieces_[e], &first = pieces_[b];
    const Track &one = trackOf(last), &other = trackOf(first);
    const Line here = lineAt(one, end_, end_ - kAroundSeam, end_ + kAroundSeam);
    const Line there = lineAt(other, window_.from, window_.from - kAroundSeam, window_.from + kAroundSeam);
    double cost = lengthSquared(placeAt(other, window_.from) - placeAt(one, end_)) +
                  0.25 * lengthSquared(there.velocity - here.velocity);
    if (e == b) return cost;
    // Can it be walked at all?
    const double before = std::min(kBlend, end_ - last.begin), after = std::min(kBlend, first.end - window_.from);
    const double way = length(placeAt(other, window_.from + after) - placeAt(one, end_ - before)),
                 time = before + after;
    const double lack = std::max({0.0, way - kFastly * time, kSlowly * time - way});
    cost += 4 * lack * lack;
    if (!last.from_before && !first.goes_on) {
      const Passage &in = *stays_[last.stay].in, &out = *stays_[first.stay].out;
      const double whole = end_ - last.begin + first.end - window_.from;
      if (whole < shortestTime(crossing(in, false), crossing(out, true))) cost += kImpossible;
    }
    return cost;
  }

  Crossing crossing(const Passage& passage, bool out) const {
    return crossingOf(sides_[passage.side], passage.point, out);
  }

  void chains(const Joints& joints, const std::vector<std::size_t>& next) {
    // By piece: what it goes on as, and whether something goes on as it.
    std::vector<std::size_t> after(pieces_.size(), kAlone);
    std::vector<char> is_after(pieces_.size());
    for (std::size_t e = 0; e < next.size(); ++e)
      if (next[e] != kAlone) after[joints.ends[e]] = joints.begins[next[e]], is_after[joints.begins[next[e]]] = 1;
    for (std::size_t p = 0; p < pieces_.size(); ++p) {
      if (after[p] == p) ring(p);
      if (!is_after[p]) walk(p, after);
    }
  }

  ChainPart partOf(const Piece& piece, double shift) const {
    return {piece.stay, stays_[piece.stay].track, piece.begin, piece.end, shift};
  }

  void ring(std::size_t p) { window_.chains.push_back({{partOf(pieces_[p], -window_.from)}, true, false, {}, {}}); }

  void walk(std::size_t p, const std::vector<std::size_t>& after) {
    Chain chain;
    const Stay& first = stays_[pieces_[p].stay];
    double shift = -window_.from;
    for (std::size_t at = p; at != kAlone; at = after[at], shift += window_.period) {
      chain.parts.push_back(partOf(pieces_[at], shift));
      p = at;
    }
    const Stay& last = stays_[pieces_[p].stay];
    if (!first.in || !last.out) return leaveOut(LeftOut::kNoEnd, chain.parts.size());
    // Who stays alone is followed beyond the window.
    ChainPart &front = chain.parts.front(), &back = chain.parts.back();
    chain.is_beyond = first.begin < front.begin || last.end > back.end;
    front.begin = first.begin, back.end = last.end;
    chain.in = *first.in, chain.out = *last.out;
    chain.in.point.time += front.shift, chain.out.point.time += back.shift;
    const double time = chain.out.point.time - chain.in.point.time;
    if (time < shortestTime(crossing(chain.in, false), crossing(chain.out, true)))
      return leaveOut(LeftOut::kEdge, chain.parts.size());
    window_.chains.push_back(std::move(chain));
  }

  static constexpr double kRounding = 1e-6;  ///< s
  const Tracks& tracks_;
  const std::vector<Stay>& stays_;
  const std::vector<Side>& sides_;
  Window& window_;
  double end_ = 0;  ///< s of the recording
  std::vector<Piece> pieces_;
};

}  // namespace

Window windowOf(const Tracks& tracks, const std::vector<Stay>& stays, const std::vector<Side>& sides, double from,
                double period, std::uint64_t seed, int attempt) {
  Window window;
  window.from = from, window.period = period;
  Plan(tracks, stays, sides, window)
      .make(base::Random(seed, 0x6d617463u + static_cast<std::uint64_t>(attempt)), attempt > 0);
  return window;
}

std::vector<Sighting> sightingsOf(const Tracks& tracks, const Chain& chain) {
  std::vector<Sighting> seen;
  for (const ChainPart& part : chain.parts) {
    const Track& track = tracks.tracks[part.track];
    for (std::size_t i = 0; i < track.time.size(); ++i)
      if (track.time[i] >= part.begin && track.time[i] <= part.end)
        seen.push_back({track.time[i] + part.shift, track.place[i]});
  }
  return seen;
}

std::vector<Jump> jumpsOf(const Tracks& tracks, const Chain& chain, double period) {
  std::vector<Jump> jumps;
  const auto add = [&](const ChainPart& one, const ChainPart& other, double time) {
    const Point here = placeAt(tracks.tracks[one.track], one.end);
    jumps.push_back({time, length(placeAt(tracks.tracks[other.track], other.begin) - here)});
  };
  for (std::size_t i = 1; i < chain.parts.size(); ++i)
    add(chain.parts[i - 1], chain.parts[i], chain.parts[i].begin + chain.parts[i].shift);
  if (chain.is_ring) add(chain.parts.back(), chain.parts.front(), period);
  return jumps;
}

}  // namespace throng::patches
