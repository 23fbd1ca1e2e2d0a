#include "throng/patch_world.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "base/parallel.h"
#include "geometry/box_index.h"
#include "geometry/polygons.h"
#include "patches/chains.h"
#include "patches/playback.h"
#include "patches/player.h"

namespace throng {
namespace {

/// Places per piece of work.
constexpr std::size_t kGrain = 64;
/// Steps of the index of places, per m.
constexpr double kIndexSteps = 16;

using Box = geometry::GridBox<std::int32_t>;

Box boxOf(Point min, Point max) {
  const auto whole = [](double v) { return static_cast<std::int32_t>(std::clamp(v * kIndexSteps, -2e9, 2e9)); };
  return {{whole(std::floor(min.x) - 1), whole(std::floor(min.y) - 1)},
          {whole(std::ceil(max.x) + 1), whole(std::ceil(max.y) + 1)}};
}

}  // namespace

struct PatchWorld::State {
  std::vector<Patch> library;
  std::vector<PlacedPatch> placed;
  PatchWorldSettings settings;
  std::vector<patches::Player> players;
  patches::Chains chains;
  geometry::BoxIndex<std::int32_t> index;
  base::Threads threads;
  double period = 10;
  patches::FrameCount frames;
  // Kept between frames for their memory; playing changes nothing else.
  mutable std::vector<patches::Present> present;
  mutable std::vector<std::uint32_t> seen;
  mutable std::vector<std::size_t> begin;

  State(std::vector<Patch> patches, std::vector<PlacedPatch> places, const PatchWorldSettings& wanted)
      : library(std::move(patches)),
        placed(std::move(places)),
        settings(wanted),
        threads(wanted.threads),
        frames(wanted.frames_per_second, wanted.duration) {}

  void checkVersions() const;
  /// The patch of the library that a place plays in a period.
  std::uint32_t played(std::uint32_t place, std::int64_t round) const {
    return patches::versionPlayed(settings.versions, placed[place].patch, settings.seed, place, round);
  }
  void see() const;
  void play(double time, FrameCopy& frame, bool plainly) const;
  void place(std::uint32_t who, std::int64_t round, std::size_t at, FrameCopy& frame) const;
  void cull(FrameCopy& frame) const;
};

PatchWorld::PatchWorld(std::vector<Patch> library, std::vector<PlacedPatch> placed, const PatchWorldSettings& settings)
    : state_(std::make_unique<State>(std::move(library), std::move(placed), settings)) {
  State& s = *state_;
  if (s.library.empty() || s.placed.empty())
    throw InputError("a world of patches needs at least one patch and one place");
  if (!(settings.frames_per_second > 0) || !std::isfinite(settings.frames_per_second))
    throw InputError(fmt::format("{} frames per second; allowed: a positive number", settings.frames_per_second));
  if (!(settings.duration >= 0))
    throw InputError(fmt::format("a duration of {} s; allowed: 0 and more", settings.duration));
  s.period = s.library.front().definition.period;
  for (const Patch& patch : s.library) {
    if (auto found = check(patch.definition); !found.empty()) throw InputError(std::move(found));
    std::size_t inputs = 0;
    for (const PatchPattern& side : patch.definition.sides) inputs += side.inputs.size();
    if (patch.walks.size() != inputs)
      throw InputError(fmt::format("patch \"{}\" has {} walks for {} inputs; allowed: one each", patch.definition.name,
                                   patch.walks.size(), inputs));
    if (patch.definition.period != s.period)
      throw InputError(fmt::format("patch \"{}\" repeats after {:g} s, others after {:g} s; allowed: one period",
                                   patch.definition.name, patch.definition.period, s.period));
    s.players.emplace_back(patch);
  }
  s.checkVersions();
  std::vector<Box> boxes;
  for (const PlacedPatch& place : s.placed) {
    if (place.patch >= s.library.size())
      throw InputError(fmt::format("a place has patch {}; allowed: 0 to {}", place.patch, s.library.size() - 1));
    Point min = s.library[place.patch].definition.corners[0], max = min;
    for (const Point p : s.library[place.patch].definition.corners)
      min = {std::min(min.x, p.x), std::min(min.y, p.y)}, max = {std::max(max.x, p.x), std::max(max.y, p.y)};
    boxes.push_back(boxOf(min + place.at, max + place.at));
  }
  s.index = geometry::BoxIndex<std::int32_t>(std::move(boxes));
  s.chains = patches::chainsOf(s.library, s.placed);
  s.present.resize(s.library.size());
  s.see();
}

PatchWorld::~PatchWorld() = default;
PatchWorld::PatchWorld(PatchWorld&&) noexcept = default;
PatchWorld& PatchWorld::operator=(PatchWorld&&) noexcept = default;

void PatchWorld::State::checkVersions() const {
  for (std::size_t l = 0; l < settings.versions.size(); ++l)
    for (const std::uint32_t other : settings.versions[l]) {
      if (l >= library.size() || other >= library.size())
        throw InputError(fmt::format("patch {} has version {}; allowed: 0 to {}", l, other, library.size() - 1));
      const Patch &a = library[l], &b = library[other];
      const auto refuse = [&](const std::string& what) {
        throw InputError(
            fmt::format("patch {} cannot be played as patch {}: {}; allowed: versions of it", l, other, what));
      };
      if (!(a.definition == b.definition)) refuse("their definitions differ");
      for (std::size_t w = 0; w < a.walks.size(); ++w) {
        const PatchWalk &p = a.walks[w], &q = b.walks[w];
        if (p.input != q.input || p.output != q.output || p.until != q.until)
          refuse(fmt::format("walk {} leads elsewhere", w));
        for (int number = static_cast<int>(std::ceil(p.from / period)); number * period < p.until; ++number) {
          const double t = number * period;
          const PatchState s = stateAt(p, t), r = stateAt(q, t);
          if (length(s.position - r.position) > 1e-6 || length(s.velocity - r.velocity) > 1e-5)
            refuse(fmt::format("walk {} is elsewhere when a period begins", w));
        }
      }
    }
}

/// The places that the region touches, in order.
void PatchWorld::State::see() const {
  seen.clear();
  if (settings.region) {
    index.query(boxOf(settings.region->min, settings.region->max), [&](std::uint32_t place) { seen.push_back(place); });
    std::sort(seen.begin(), seen.end());
  } else {
    for (std::uint32_t p = 0; p < placed.size(); ++p) seen.push_back(p);
  }
}

void PatchWorld::State::place(std::uint32_t who, std::int64_t round, std::size_t at, FrameCopy& frame) const {
  const PlacedPatch& here = placed[who];
  const patches::Present& there = present[played(who, round)];
  const patches::ChainPart* parts = chains.parts.data() + chains.first[who];
  const auto dx = static_cast<float>(here.at.x), dy = static_cast<float>(here.at.y);
  const auto end = static_cast<std::ptrdiff_t>(there.size), to = static_cast<std::ptrdiff_t>(at);
  std::transform(there.x.begin(), there.x.begin() + end, frame.x.begin() + to, [&](float x) { return x + dx; });
  std::transform(there.y.begin(), there.y.begin() + end, frame.y.begin() + to, [&](float y) { return y + dy; });
  std::copy_n(there.heading_x.begin(), there.size, frame.heading_x.begin() + to);
  std::copy_n(there.heading_y.begin(), there.size, frame.heading_y.begin() + to);
  std::copy_n(there.resident.begin(), there.size, frame.population.begin() + to);
  for (std::size_t i = 0; i < there.size; ++i)
    frame.person[at + i] = chains.person(parts[there.walk[i]], round - there.lap[i]);
}

void PatchWorld::State::play(double time, FrameCopy& frame, bool plainly) const {
  const auto round = static_cast<std::int64_t>(std::floor(time / period));
  const auto phase = static_cast<float>(time - static_cast<double>(round) * period);
  std::vector<char> wanted(library.size());
  for (const std::uint32_t p : seen) wanted[played(p, round)] = 1;
  const auto playOne = [&](std::size_t first, std::size_t end) {
    for (std::size_t l = first; l < end; ++l)
      if (wanted[l]) plainly ? players[l].playPlainly(phase, present[l]) : players[l].play(phase, present[l]);
  };
  threads.forEach(library.size(), 8, playOne);
  begin.resize(seen.size() + 1);
  begin[0] = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) begin[i + 1] = begin[i] + present[played(seen[i], round)].size;
  const std::size_t n = begin.back();
  frame.resize(n);
  frame.time = time;
  const auto fill = [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; ++i) place(seen[i], round, begin[i], frame);
    const auto from = static_cast<std::ptrdiff_t>(begin[first]);
    const std::size_t count = begin[end] - begin[first];
    std::fill_n(frame.z.begin() + from, count, 0.0f), std::fill_n(frame.slope.begin() + from, count, 0.0f);
    std::fill_n(frame.radius.begin() + from, count, static_cast<float>(kPatchRadius));
    std::fill_n(frame.layer.begin() + from, count, std::uint16_t{0});
  };
  threads.forEach(seen.size(), kGrain, fill);
  if (settings.region) cull(frame);
}

/// Who is in a patch that the region touches, but not in the region.
void PatchWorld::State::cull(FrameCopy& frame) const {
  const auto min_x = static_cast<float>(settings.region->min.x), max_x = static_cast<float>(settings.region->max.x);
  const auto min_y = static_cast<float>(settings.region->min.y), max_y = static_cast<float>(settings.region->max.y);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < frame.x.size(); ++i) {
    if (!(frame.x[i] >= min_x && frame.x[i] <= max_x && frame.y[i] >= min_y && frame.y[i] <= max_y)) continue;
    frame.x[kept] = frame.x[i], frame.y[kept] = frame.y[i], frame.person[kept] = frame.person[i];
    frame.heading_x[kept] = frame.heading_x[i], frame.heading_y[kept] = frame.heading_y[i];
    frame.population[kept++] = frame.population[i];
  }
  frame.resize(kept);
}

void PatchWorld::frameAt(double time, FrameCopy& frame) const {
  if (!std::isfinite(time) || std::abs(time) > 1e9)
    throw InputError(fmt::format("a frame at {} s; allowed: within 1e9 s of the beginning", time));
  state_->play(time, frame, false);
  frame.index = time > 0 ? static_cast<std::uint64_t>(time * state_->settings.frames_per_second + 0.5) : 0;
}

void PatchWorld::frameAtPlainly(double time, FrameCopy& frame) const {
  state_->play(time, frame, true);
  frame.index = time > 0 ? static_cast<std::uint64_t>(time * state_->settings.frames_per_second + 0.5) : 0;
}

void PatchWorld::setRegion(std::optional<Rectangle> region) {
  state_->settings.region = region;
  state_->see();
}

const std::vector<Patch>& PatchWorld::library() const { return state_->library; }
const std::vector<PlacedPatch>& PatchWorld::placed() const { return state_->placed; }
double PatchWorld::period() const { return state_->period; }
double PatchWorld::framesPerSecond() const { return state_->settings.frames_per_second; }

double PatchWorld::people() const {
  double people = 0;
  for (const PlacedPatch& place : state_->placed)
    people += density(state_->library[place.patch]) * area(state_->library[place.patch].definition);
  return people;
}

std::size_t PatchWorld::motionBytes() const {
  std::size_t bytes = 0;
  for (const patches::Player& player : state_->players) bytes += player.bytes();
  return bytes;
}

double PatchWorld::bytesPerPersonSecond() const {
  double seconds = 0;
  for (const Patch& patch : state_->library)
    seconds += density(patch) * area(patch.definition) * patch.definition.period;
  return seconds > 0 ? static_cast<double>(motionBytes()) / seconds : 0;
}

std::size_t PatchWorld::placeBytes() const {
  return state_->chains.parts.size() * sizeof(patches::ChainPart) +
         state_->placed.size() * (sizeof(PlacedPatch) + sizeof(std::size_t) + sizeof(Box));
}

Scene PatchWorld::scene() const {
  Layer layer;
  std::vector<Polygon> ground;
  for (const PlacedPatch& place : state_->placed) {
    const auto moved = [&](Ring ring) {
      for (Point& p : ring) p += place.at;
      return ring;
    };
    const PatchDefinition& patch = state_->library[place.patch].definition;
    ground.push_back({moved(patch.corners), {}});
    for (const PatchObject& object : patch.objects) layer.obstacles.push_back({moved(object.outline), {}});
  }
  layer.walkable = geometry::unionOf(ground);
  return patches::sceneOf("patches", std::move(layer), state_->frames);
}

bool PatchWorld::read(FrameCopy& frame, std::vector<Arrival>*) {
  if (state_->frames.isOver()) return false;
  frameAt(state_->frames.time(), frame);
  frame.index = state_->frames.number();
  state_->frames.advance();
  return true;
}

void PatchWorld::restart() { state_->frames.restart(); }

void PatchWorld::skipTo(double time) { state_->frames.skipTo(time); }

}  // namespace throng
