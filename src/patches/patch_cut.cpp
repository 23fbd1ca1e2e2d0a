// A patch from life: the walks of one period of a recording, matched where the period ends and begins again, and bent
// together with least change.
#include "throng/patch_cut.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

#include "patches/definition_check.h"
#include "patches/generators.h"
#include "patches/part_crossings.h"
#include "patches/window.h"

namespace throng {
namespace patches {
namespace {

constexpr double kAroundWindow = 60;    ///< s before and after a window that people are followed for
constexpr double kStandsWithin = 0.35;  ///< m from their middle: who goes no farther in a period stands
constexpr double kMostLeftOut = 0.5;    ///< share of the people without whom it is no picture of the recording any more
constexpr std::size_t kFewFaults = 8;   ///< that pushing aside helps with
constexpr int kPushRounds = 6;          ///< of pushing aside, before somebody is left out
constexpr std::size_t kMostPeople = 400;
constexpr std::size_t kCandidates = 64;
constexpr double kAsMany = 0.8;  ///< of the mean number of people, at least, in windows that are chosen by themselves

/// A chain with the walk that it becomes.
struct Person {
  Chain chain;
  SideCrossing in, out;
  PatchWalk walk, reference;
  PatchResident resident, reference_resident;
  std::vector<Sighting> seen;
};

class Attempt {
 public:
  Attempt(const PatchDefinition& empty, const Tracks& tracks, const std::vector<Side>& sides, Window window)
      : empty_(empty), tracks_(tracks), sides_(sides), window_(std::move(window)) {
    for (Chain& chain : window_.chains) people_.push_back({std::move(chain), {}, {}, {}, {}, {}, {}, {}});
  }

  /// Bends walks whose ends have been parted with room to go straight on for so long (s). Returns how many faults are
  /// left; those who cannot cross count more.
  std::size_t tryOnce(double straight_on, base::Random random) {
    crossings(straight_on);
    for (Person& person : people_) person.chain.is_ring ? stay(person) : walk(person);
    return bendAll(random, 0).faults.size() + 1000 * leftOut(LeftOut::kCrossing);
  }

  /// Leaves out whom there is no room for; gives up when a larger share than `most` of all people is left out.
  void run(base::Random random, double most) {
    std::size_t worth_pushing = kFewFaults;
    int rounds = 0;
    while (true) {
      const auto [patch, found, wrong] = bendAll(random, rounds);
      if (found.empty() && wrong.empty()) {
        cut_.patch = patch;
        break;
      }
      // To push people aside takes long, and helps where few are in the way: when they are half as many as the last
      // time.
      const bool is_worth_it = rounds == 0 && !found.empty() && found.size() <= worth_pushing;
      rounds = is_worth_it ? kPushRounds : 0;
      if (is_worth_it) {
        worth_pushing = found.size() / 2;
        continue;
      }
      leaveOut(found, wrong);
      const std::size_t left = leftOutForRoom();
      const auto share = static_cast<double>(left) / static_cast<double>(window_.people);
      if (people_.empty() || share > std::min(kMostLeftOut, most)) {
        cut_.reasons.push_back(fmt::format("from {:g} s: {} of {} people would have to be left out; {}", window_.from,
                                           left, window_.people,
                                           found.empty() ? wrong.front().message : reasonOf(found)));
        break;
      }
    }
    report();
  }

  /// Lets those in again who were left out, one by one, where there is room after all.
  void letIn(base::Random random) {
    if (!cut_.patch) return;
    while (!removed_.empty()) {
      const std::vector<Person> before = people_;
      people_.push_back(std::move(removed_.back()));
      removed_.pop_back();
      people_.back().walk = people_.back().reference, people_.back().resident = people_.back().reference_resident;
      const auto [patch, found, wrong] = bendAll(random, 1);
      if (found.empty() && wrong.empty()) {
        cut_.patch = patch;
        leftOut(LeftOut::kNoRoom) -= people_.back().chain.parts.size();
      } else {
        people_ = before;
      }
    }
    report();
  }

  const PatchCut& cut() const { return cut_; }

 private:
  /// Everybody together, as far as it goes, and what is wrong then.
  struct Bent {
    Patch patch;
    std::vector<Fault> faults;
    std::vector<Diagnostic> wrong;
  };
  Bent bendAll(base::Random random, int rounds) {
    Bent bent;
    std::vector<PatchWalk> reference;
    std::vector<PatchResident> residents;
    bent.patch.definition = assembled(bent.patch.walks, reference, residents);
    bent.faults = bend(bent.patch.definition, bent.patch.walks, reference, residents, random, rounds);
    bent.wrong = check(bent.patch.definition);
    takeBack(bent.patch.definition, bent.patch.walks);
    return bent;
  }

  std::size_t& leftOut(LeftOut why) { return window_.left_out[static_cast<std::size_t>(why)]; }
  std::size_t leftOutForRoom() { return leftOut(LeftOut::kCrossing) + leftOut(LeftOut::kNoRoom); }

  /// Where and when people cross, moved apart; who is in the way for good is left out.
  void crossings(double straight_on) {
    while (true) {
      std::vector<SideCrossing> all;
      std::vector<std::size_t> whose;
      for (std::size_t p = 0; p < people_.size(); ++p) {
        const Chain& chain = people_[p].chain;
        if (chain.is_ring) continue;
        all.push_back({chain.in.side, false, chain.in.point}), all.push_back({chain.out.side, true, chain.out.point});
        whose.push_back(p);
      }
      const auto culprit = partCrossings(empty_, all, straight_on);
      if (!culprit) {
        for (std::size_t i = 0; i < whose.size(); ++i)
          people_[whose[i]].in = all[2 * i], people_[whose[i]].out = all[2 * i + 1];
        return;
      }
      remove(whose[*culprit / 2], LeftOut::kCrossing);
    }
  }

  void remove(std::size_t p, LeftOut why) {
    leftOut(why) += people_[p].chain.parts.size();
    if (why == LeftOut::kNoRoom) removed_.push_back(people_[p]);
    people_.erase(people_.begin() + static_cast<std::ptrdiff_t>(p));
  }

  /// m between where a crossing was recorded and where it is now, at the same time.
  double shifted(const Passage& recorded, const SideCrossing& now) const {
    const Crossing then = crossingOf(sides_[recorded.side], recorded.point, now.out);
    return length(then.at(now.point.time) - crossingOf(sides_[now.side], now.point, now.out).position);
  }

  /// The walk with least change when nobody else is there.
  void walk(Person& person) {
    const double period = empty_.period;
    // Times count from the period in which the walk begins.
    const double earlier = period * std::floor(person.in.point.time / period);
    PatchDefinition alone = empty_;
    SideCrossing in = person.in, out = person.out;
    in.point.time -= earlier, out.point.time -= earlier;
    Pair pair{{static_cast<std::uint32_t>(in.side), 0}, {static_cast<std::uint32_t>(out.side), 0}};
    pair.laps = static_cast<int>(std::floor(out.point.time / period));
    out.point.time -= pair.laps * period;
    alone.sides[in.side].inputs = {in.point}, alone.sides[out.side].outputs = {out.point};
    person.walk = straightWalk(alone, pair);
    person.seen = sightingsOf(tracks_, person.chain);
    std::vector<Jump> jumps = jumpsOf(tracks_, person.chain, period);
    jumps.push_back({person.in.point.time, shifted(person.chain.in, person.in)});
    jumps.push_back({person.out.point.time, shifted(person.chain.out, person.out)});
    for (Sighting& seen : person.seen) seen.time -= earlier;
    for (Jump& jump : jumps) jump.time -= earlier;
    fitWalk(person.walk, person.seen, jumps);
    person.reference = person.walk;
    person.in = in, person.out = out;
  }

  void stay(Person& person) {
    person.seen = sightingsOf(tracks_, person.chain);
    const Track& track = tracks_.tracks[person.chain.parts.front().track];
    PatchResident& resident = person.resident;
    resident.name = fmt::format("person {}", track.person);
    Point middle, facing;
    for (const Sighting& seen : person.seen) middle += seen.place / static_cast<double>(person.seen.size());
    double farthest = 0;
    for (const Sighting& seen : person.seen) farthest = std::max(farthest, length(seen.place - middle));
    for (const Point heading : track.heading) facing += heading;
    if (length(facing) > 0.1) resident.facing = normalized(facing);
    resident.control = {middle};
    if (farthest > kStandsWithin)
      resident.control = fitRing(empty_.period, person.seen, jumpsOf(tracks_, person.chain, empty_.period));
    person.reference_resident = resident;
  }

  PatchDefinition assembled(std::vector<PatchWalk>& walks, std::vector<PatchWalk>& reference,
                            std::vector<PatchResident>& residents) {
    PatchDefinition patch = empty_;
    for (Person& person : people_) {
      if (person.chain.is_ring) {
        patch.residents.push_back(person.resident), residents.push_back(person.reference_resident);
        continue;
      }
      auto &inputs = patch.sides[person.in.side].inputs, &outputs = patch.sides[person.out.side].outputs;
      person.walk.input.point = static_cast<std::uint32_t>(inputs.size());
      person.walk.output.point = static_cast<std::uint32_t>(outputs.size());
      inputs.push_back(person.in.point), outputs.push_back(person.out.point);
      walks.push_back(person.walk), reference.push_back(person.reference);
    }
    return patch;
  }

  void takeBack(const PatchDefinition& patch, const std::vector<PatchWalk>& walks) {
    std::size_t w = 0, r = 0;
    for (Person& person : people_) {
      if (person.chain.is_ring) {
        person.resident = patch.residents[r++];
      } else {
        person.walk = walks[w++];
      }
    }
  }

  /// Those who are most in the way: of every eight faults one, and one at least.
  void leaveOut(std::vector<Fault> found, const std::vector<Diagnostic>& wrong) {
    std::vector<std::size_t> walkers, residents;
    for (std::size_t p = 0; p < people_.size(); ++p) (people_[p].chain.is_ring ? residents : walkers).push_back(p);
    std::vector<std::size_t> chosen;
    const std::size_t enough = 1 + found.size() / 8;
    while (!found.empty() && chosen.size() < enough) {
      std::vector<std::size_t> count(walkers.size());
      for (const Fault& fault : found) {
        ++count[fault.walk];
        if (fault.other != kNobody && fault.other != fault.walk) ++count[fault.other];
      }
      const auto worst = static_cast<std::uint32_t>(std::max_element(count.begin(), count.end()) - count.begin());
      chosen.push_back(walkers[worst]);
      std::erase_if(found, [&](const Fault& f) { return f.walk == worst || f.other == worst; });
    }
    // What is wrong with the definition is a resident's fault: crossings have been parted.
    if (chosen.empty())
      for (const Diagnostic& finding : wrong) {
        constexpr std::string_view kWhere = "/residents/";
        if (!finding.pointer.starts_with(kWhere)) continue;
        chosen.push_back(residents.at(std::stoul(finding.pointer.substr(kWhere.size()))));
        break;
      }
    if (chosen.empty()) chosen.push_back(0);
    std::sort(chosen.rbegin(), chosen.rend());
    for (const std::size_t p : chosen) remove(p, LeftOut::kNoRoom);
  }

  void report() {
    PatchCut& cut = cut_;
    cut.from = window_.from, cut.people = window_.people, cut.joined = cut.beyond = 0;
    cut.left_out = window_.left_out;
    std::vector<double> change;
    for (const Person& person : people_) {
      cut.joined += person.chain.parts.size() - 1, cut.beyond += person.chain.is_beyond;
      for (const Sighting& seen : person.seen) {
        const PatchState now =
            person.chain.is_ring ? stateAt(person.resident, empty_.period, seen.time) : stateAt(person.walk, seen.time);
        change.push_back(length(now.position - seen.place));
      }
    }
    if (change.empty()) return;
    std::sort(change.begin(), change.end());
    cut.mean_change = std::accumulate(change.begin(), change.end(), 0.0) / static_cast<double>(change.size());
    cut.change_95 = change[static_cast<std::size_t>(0.95 * static_cast<double>(change.size() - 1))];
    cut.most_change = change.back();
  }

  const PatchDefinition& empty_;
  const Tracks& tracks_;
  const std::vector<Side>& sides_;
  Window window_;
  std::vector<Person> people_, removed_;
  PatchCut cut_;
};

double leftOutShare(const PatchCut& cut) {
  return static_cast<double>(cut.leftOut()) / static_cast<double>(cut.people);
}

bool isBetter(const PatchCut& a, const PatchCut& b) {
  if (a.patch.has_value() != b.patch.has_value()) return a.patch.has_value();
  // By share: windows have different numbers of people.
  const double left_a = leftOutShare(a), left_b = leftOutShare(b);
  return left_a != left_b ? left_a < left_b : a.mean_change < b.mean_change;
}

/// Pairs who come nearer to each other in the window than bodies of patches may.
std::size_t crowdedPairs(const Tracks& tracks, const std::vector<Side>& sides, double from, double until) {
  const auto inside = [&](Point p) {
    return std::all_of(sides.begin(), sides.end(), [&](const Side& side) { return side.depth(p) >= 0; });
  };
  const auto touch = [&](const Track& a, const Track& b) {
    std::size_t i = 0, j = 0;
    while (i < a.time.size() && j < b.time.size()) {
      if (a.time[i] == b.time[j] && a.time[i] >= from && a.time[i] < until &&
          length(a.place[i] - b.place[j]) < 2 * kPatchRadius && inside(a.place[i]) && inside(b.place[j]))
        return true;
      a.time[i] < b.time[j] ? ++i : ++j;
    }
    return false;
  };
  std::size_t pairs = 0;
  for (std::size_t a = 0; a < tracks.tracks.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const Track &one = tracks.tracks[a], &other = tracks.tracks[b];
      if (one.time.front() <= other.time.back() && other.time.front() <= one.time.back()) pairs += touch(one, other);
    }
  return pairs;
}

class Cut {
 public:
  Cut(FrameSource& recording, const PatchCutSettings& settings) : settings_(settings) {
    refuse();
    empty_ = emptyPatch(settings.area, settings.period);
    empty_.name = settings.name, empty_.objects = settings.objects;
    if (auto found = check(empty_); !found.empty()) throw InputError(std::move(found));
    for (std::size_t s = 0; s < empty_.sides.size(); ++s) sides_.push_back(sideOf(empty_, s));
    const double most = std::numeric_limits<double>::infinity();
    tracks_ =
        readTracks(recording, empty_.corners, settings.layer, settings.from ? *settings.from - kAroundWindow : -most,
                   settings.from ? *settings.from + settings.period + kAroundWindow : most);
    stays_ = staysIn(tracks_, sides_);
  }

  PatchCut run() {
    const std::vector<double> windows = chosenWindows();
    std::optional<Attempt> best;
    std::vector<std::string> reasons;
    for (const double from : windows)
      for (int attempt = 0; attempt < settings_.attempts; ++attempt) {
        const Window window = windowOf(tracks_, stays_, sides_, from, settings_.period, settings_.seed, attempt);
        // Whatever leaves out more people than the best so far is not worth the time.
        const double most = best && best->cut().patch ? leftOutShare(best->cut()) : 1;
        Attempt made = bent(window, luck(attempt), most);
        const PatchCut& cut = made.cut();
        reasons.insert(reasons.end(), cut.reasons.begin(), cut.reasons.end());
        const bool is_whole = cut.patch && cut.left_out[static_cast<std::size_t>(LeftOut::kNoRoom)] == 0 &&
                              cut.left_out[static_cast<std::size_t>(LeftOut::kCrossing)] == 0;
        if (!best || isBetter(cut, best->cut())) best.emplace(std::move(made));
        if (is_whole) break;
      }
    best->letIn(luck(settings_.attempts));
    PatchCut cut = best->cut();
    cut.windows = windows;
    cut.reasons = cut.patch ? std::vector<std::string>{} : reasons;
    cut.crowded = crowdedPairs(tracks_, sides_, cut.from, cut.from + settings_.period);
    return cut;
  }

 private:
  base::Random luck(int attempt) const { return {settings_.seed, 0x62656e64u + static_cast<std::uint64_t>(attempt)}; }

  /// With as little room behind borders as does; more of it moves more crossings.
  Attempt bent(const Window& window, base::Random random, double most) const {
    std::optional<Attempt> best;
    std::size_t fewest = ~std::size_t{0};
    for (const double straight_on : {kStraightOn, 0.45, 0.7}) {
      Attempt attempt(empty_, tracks_, sides_, window);
      const std::size_t found = attempt.tryOnce(straight_on, random);
      if (found < fewest) fewest = found, best.emplace(std::move(attempt));
      if (fewest == 0) break;
    }
    best->run(random, most);
    return std::move(*best);
  }

  void refuse() const {
    const auto say = [](const std::string& what) { throw InputError("a patch from a recording: " + what); };
    if (!(settings_.period >= 2 && settings_.period <= 1000))
      say(fmt::format("a period of {:g} s; allowed: 2 to 1000", settings_.period));
    if (settings_.from && !std::isfinite(*settings_.from)) say("it begins at no time; allowed: s of the recording");
    if (settings_.windows < 1 || settings_.windows > 100)
      say(fmt::format("{} windows; allowed: 1 to 100", settings_.windows));
    if (settings_.attempts < 1 || settings_.attempts > 100)
      say(fmt::format("{} attempts; allowed: 1 to 100", settings_.attempts));
  }

  void refuseCrowd(const Window& window) const {
    if (window.people > kMostPeople)
      throw InputError(
          fmt::format("{} people are in the area from {:g} to {:g} s; allowed: up to {}, in a smaller area "
                      "or a shorter period",
                      window.people, window.from, window.from + settings_.period, kMostPeople));
  }
  [[noreturn]] void nobody() const {
    const Rectangle& seen = tracks_.seen;
    throw InputError(fmt::format(
        "nobody is in the area {}; people were seen at x from {:.2f} to {:.2f} m, y from {:.2f} to {:.2f} m, {:g} to "
        "{:g} s",
        settings_.from ? fmt::format("from {:g} to {:g} s", *settings_.from, *settings_.from + settings_.period)
                       : "for a whole period",
        seen.min.x, seen.max.x, seen.min.y, seen.max.y, tracks_.begin, tracks_.end));
  }

  /// Where to begin: as asked for, or where the matching costs least per person.
  std::vector<double> chosenWindows() const {
    const double last = tracks_.end - settings_.period;
    const auto plan = [&](double from) {
      Window window = windowOf(tracks_, stays_, sides_, from, settings_.period, settings_.seed, 0);
      refuseCrowd(window);
      return window;
    };
    // What counts is a frame at the end; the last of a recording may be missing by rounding.
    if (settings_.from.value_or(tracks_.begin) < tracks_.begin - 1e-6 || settings_.from.value_or(last) > last + 1e-6 ||
        last < tracks_.begin - 1e-6)
      throw InputError(fmt::format("the recording is from {:g} to {:g} s; allowed: a window of {:g} s within it",
                                   tracks_.begin, tracks_.end, settings_.period));
    if (settings_.from) {
      if (plan(*settings_.from).chains.empty()) nobody();
      return {*settings_.from};
    }
    std::vector<Window> all;
    const double step = std::max(0.25 * settings_.period, (last - tracks_.begin) / static_cast<double>(kCandidates));
    double seconds = 0;
    for (double from = tracks_.begin; from <= last; from += step) {
      Window window = plan(from);
      if (window.chains.empty()) continue;
      seconds += window.seconds;
      all.push_back(std::move(window));
    }
    if (all.empty()) nobody();
    const double enough = kAsMany * seconds / static_cast<double>(all.size());
    std::erase_if(all, [&](const Window& window) { return window.seconds < enough; });
    std::stable_sort(all.begin(), all.end(), [](const Window& a, const Window& b) {
      return a.cost * static_cast<double>(b.people) < b.cost * static_cast<double>(a.people);
    });
    std::vector<double> chosen;
    for (const Window& window : all)
      if (chosen.size() < static_cast<std::size_t>(settings_.windows)) chosen.push_back(window.from);
    return chosen;
  }

  const PatchCutSettings& settings_;
  PatchDefinition empty_;
  std::vector<Side> sides_;
  Tracks tracks_;
  std::vector<Stay> stays_;
};

}  // namespace
}  // namespace patches

std::string_view nameOf(LeftOut why) {
  constexpr std::array<std::string_view, kLeftOutKinds> kNames = {"edge", "no end", "crossing", "no room"};
  return kNames[static_cast<std::size_t>(why)];
}

PatchCut cutPatch(FrameSource& recording, const PatchCutSettings& settings) {
  return patches::Cut(recording, settings).run();
}

}  // namespace throng
