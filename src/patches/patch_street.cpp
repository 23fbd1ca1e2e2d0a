#include "throng/patch_street.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <fmt/format.h>
#include <map>

#include "base/random.h"
#include "patches/playback.h"
#include "patches/player.h"

namespace throng {

/// What a street keeps; named, because its State, which others may see declared, holds them.
namespace street {

/// What tells patches apart: the patterns on both sides, and what stands in it.
struct Key {
  int left = 0, right = 0, content = 0;
  auto operator<=>(const Key&) const = default;
};

/// Where somebody comes from: the point of border 0 and the periods since they crossed it there.
struct Origin {
  std::int32_t point = 0, periods = 0;
};
/// People who cross a border eastwards and westwards.
struct Border {
  std::vector<Origin> east, west;
};

struct Made {
  Patch patch;
  patches::Player player;
  std::size_t bytes = 0;
  std::uint64_t used = 0;

  explicit Made(Patch p) : patch(std::move(p)), player(patch) {
    bytes = sizeof(Made) + player.bytes();
    for (const PatchWalk& walk : patch.walks) bytes += sizeof(PatchWalk) + walk.control.size() * sizeof(Point);
    for (const PatchPattern& side : patch.definition.sides)
      bytes += sizeof(PatchPattern) + (side.inputs.size() + side.outputs.size()) * sizeof(PatchPoint);
  }
};

}  // namespace street

namespace {

using street::Border, street::Key, street::Made, street::Origin;

constexpr double kSide = 8;         ///< m
constexpr int kContents = 4;        ///< kinds of furniture and residents
constexpr int kTries = 40;          ///< seeds for a pattern or a patch
constexpr std::uint32_t kWest = 3;  ///< the side that people who walk east come in by
/// Borders of which it is known who crosses them: those around the last look. Others are found again from these.
constexpr std::size_t kMostBorders = 1024;
/// Numbers of residents begin here: walkers get there after thousands of years.
constexpr std::uint32_t kResidents = 0x80000000u;

std::uint64_t hashOf(std::uint64_t seed, std::uint64_t what, std::int64_t number) {
  return base::mix(base::mix(seed ^ what) ^ static_cast<std::uint64_t>(number));
}
/// 0, -1, 1, -2 … as 0, 1, 2, 3 …
std::uint64_t zigzag(std::int64_t n) {
  return n >= 0 ? 2 * static_cast<std::uint64_t>(n) : 2 * static_cast<std::uint64_t>(-(n + 1)) + 1;
}

Ring octagon(Point centre, double radius) {
  Ring ring;
  for (int i = 0; i < 8; ++i) {
    double s, c;
    base::sinCos(base::kPi * i / 4, s, c);
    ring.push_back({centre.x + radius * c, centre.y + radius * s});
  }
  return ring;
}

/// The street's furniture: something in the middle, away from the borders that people come over.
void furnish(PatchDefinition& patch, int content, base::Random& random) {
  const double y = random.uniform(2.5, 5.5), x = random.uniform(3.5, 4.5);
  if (content == 1) {
    patch.objects.push_back({"tree", octagon({x, y}, 0.3)});
    const double by = y > 4 ? 1.0 : 7.0;
    patch.objects.push_back(
        {"bench", {{x - 0.8, by - 0.25}, {x + 0.8, by - 0.25}, {x + 0.8, by + 0.25}, {x - 0.8, by + 0.25}}});
  }
  if (content == 2) patch.residents = {{"talking", {{x - 0.35, y}}, {1, 0}}, {"talking", {{x + 0.35, y}}, {-1, 0}}};
  if (content == 3) {
    patch.objects.push_back({"street light", octagon({x, y}, 0.12)});
    patch.residents.push_back({"waiting", {{x, y + (y > 4 ? -0.8 : 0.8)}}, {0, 1}});
  }
}

}  // namespace

struct EndlessStreet::State {
  explicit State(const StreetSettings& wanted) : settings(wanted), frames(wanted.frames_per_second, wanted.duration) {}

  StreetSettings settings;
  std::map<int, PatchPattern> patterns;
  std::map<Key, Made> kept;
  std::deque<Border> borders;  ///< from `first_border` on
  std::int64_t first_border = 0;
  std::size_t bytes = 0, made = 0;
  std::uint64_t clock = 0;  ///< looks so far, for what to forget first
  patches::FrameCount frames;
  patches::Present present;

  const PatchPattern& pattern(int number);
  int patternAt(std::int64_t border) const {
    return static_cast<int>(hashOf(settings.seed, 0x626f72, border) % static_cast<std::uint64_t>(settings.patterns));
  }
  Key keyAt(std::int64_t patch) const {
    return {patternAt(patch), patternAt(patch + 1),
            static_cast<int>(hashOf(settings.seed, 0x636f6e, patch) % kContents)};
  }
  Made& at(std::int64_t patch);
  Patch make(const Key& key);
  void forget();
  void reach(std::int64_t border);
  void forgetBorders(std::int64_t first, std::int64_t last);
  const Border& border(std::int64_t number) { return borders[static_cast<std::size_t>(number - first_border)]; }
  std::uint32_t person(bool east, const Origin& origin, std::int64_t period) const;
};

const PatchPattern& EndlessStreet::State::pattern(int number) {
  const auto found = patterns.find(number);
  if (found != patterns.end()) return found->second;
  const auto wanted = static_cast<std::size_t>(settings.crossings);
  base::Random random(settings.seed, 0x70000000u + static_cast<std::uint64_t>(number));
  // Some with lanes, where people keep to one side of the street, others without.
  PatternType type;
  if (number % 2 == 0) type = {PatternType::Kind::kSpace, false, true};
  for (int attempt = 0; attempt < kTries; ++attempt) {
    PatchPattern found_room = makePattern(type, kSide, settings.period, wanted, wanted, random.bits());
    if (found_room.inputs.size() != wanted || found_room.outputs.size() != wanted) continue;
    found_room.name = fmt::format("border {}", number);
    return patterns.emplace(number, std::move(found_room)).first->second;
  }
  throw InputError(
      fmt::format("{} people per direction do not find room on a border of {:g} m in {:g} s; allowed: fewer",
                  settings.crossings, kSide, settings.period));
}

Patch EndlessStreet::State::make(const Key& key) {
  ++made;
  std::uint64_t seed = hashOf(settings.seed, 0x706174, (key.left * 1000 + key.right) * 10 + key.content);
  std::string reason;
  for (int attempt = 0; attempt < kTries; ++attempt, ++seed) {
    PatchDefinition patch;
    patch.name = fmt::format("street {}-{}-{}", key.left, key.right, key.content);
    patch.corners = {{0, 0}, {kSide, 0}, {kSide, kSide}, {0, kSide}};
    patch.period = settings.period;
    const PatchPattern wall{"wall", kSide, settings.period, {}, {}};
    patch.sides = {wall, pattern(key.right), wall, mirrored(pattern(key.left))};
    base::Random random(seed);
    furnish(patch, key.content, random);
    PatchSettings how;
    how.seed = seed, how.attempts = 2;
    PatchResult result = generateWalks(patch, how);
    if (!result.patch) {
      reason = result.reasons.front();
      continue;
    }
    const bool through = std::all_of(result.patch->walks.begin(), result.patch->walks.end(),
                                     [](const PatchWalk& w) { return w.input.side != w.output.side; });
    if (through) return std::move(*result.patch);
    reason = "somebody turns back";
  }
  throw InputError(fmt::format("no walks were found for a part of the street: {}; allowed: fewer people", reason));
}

Made& EndlessStreet::State::at(std::int64_t patch) {
  const Key key = keyAt(patch);
  auto found = kept.find(key);
  if (found == kept.end()) {
    found = kept.emplace(key, Made(make(key))).first;
    bytes += found->second.bytes;
  }
  found->second.used = clock;
  return found->second;
}

/// Those that were not looked at for longest, but none of the present look.
void EndlessStreet::State::forget() {
  while (bytes > settings.memory) {
    auto oldest = kept.end();
    for (auto it = kept.begin(); it != kept.end(); ++it)
      if (it->second.used < clock && (oldest == kept.end() || it->second.used < oldest->second.used)) oldest = it;
    if (oldest == kept.end()) return;
    bytes -= oldest->second.bytes;
    kept.erase(oldest);
  }
}

/// All but those from `first` to `last` where there are too many; one always stays, from which others can be reached.
void EndlessStreet::State::forgetBorders(std::int64_t first, std::int64_t last) {
  const auto end = [&] { return first_border + static_cast<std::int64_t>(borders.size()); };
  while (borders.size() > kMostBorders && first_border < first) borders.pop_front(), ++first_border;
  while (borders.size() > kMostBorders && end() > last + 1) borders.pop_back();
}

/// Follows everybody from border 0 to this one. Walks lead from side to side, so nobody is lost on the way.
void EndlessStreet::State::reach(std::int64_t number) {
  const auto points = static_cast<std::size_t>(settings.crossings);
  if (borders.empty()) {
    Border zero{std::vector<Origin>(points), std::vector<Origin>(points)};
    for (std::size_t i = 0; i < points; ++i) zero.east[i].point = zero.west[i].point = static_cast<std::int32_t>(i);
    borders.push_back(std::move(zero));
  }
  const auto step = [&](std::int64_t patch, bool to_east) {
    const Made& through = at(patch);
    const Border& known = to_east ? borders.back() : borders.front();
    Border found{std::vector<Origin>(points), std::vector<Origin>(points)};
    for (const PatchWalk& walk : through.patch.walks) {
      const double out = through.patch.definition.sides[walk.output.side].outputs[walk.output.point].time;
      const auto laps = static_cast<std::int32_t>(std::llround((walk.until - out) / settings.period));
      // From the border that is known to the other: forwards in time for those who walk that way, else back.
      const bool eastwards = walk.input.side == kWest;
      const bool with_time = eastwards == to_east;
      const std::uint32_t from = with_time ? walk.input.point : walk.output.point;
      const std::uint32_t to = with_time ? walk.output.point : walk.input.point;
      const Origin& origin = (eastwards ? known.east : known.west)[from];
      (eastwards ? found.east : found.west)[to] = {origin.point, origin.periods + (with_time ? laps : -laps)};
    }
    if (to_east) {
      borders.push_back(std::move(found));
    } else {
      borders.push_front(std::move(found)), --first_border;
    }
    forget();
  };
  while (number < first_border) ++clock, step(first_border - 1, false);
  while (number >= first_border + static_cast<std::int64_t>(borders.size()))
    ++clock, step(first_border + static_cast<std::int64_t>(borders.size()) - 1, true);
}

std::uint32_t EndlessStreet::State::person(bool east, const Origin& origin, std::int64_t period) const {
  const auto points = static_cast<std::uint64_t>(settings.crossings);
  const std::uint64_t number =
      2 * points * zigzag(period - origin.periods) + static_cast<std::uint64_t>(origin.point) + (east ? 0 : points);
  return static_cast<std::uint32_t>(1 + number % (kResidents - 1));
}

EndlessStreet::EndlessStreet(const StreetSettings& settings) : state_(std::make_unique<State>(settings)) {
  const auto refuse = [](const char* what, double found, const char* allowed) {
    throw InputError(fmt::format("{} is {:g}; allowed: {}", what, found, allowed));
  };
  if (settings.crossings < 1 || settings.crossings > 30)
    refuse("the number of crossings", settings.crossings, "1 to 30");
  if (settings.patterns < 1 || settings.patterns > 1000)
    refuse("the number of patterns", settings.patterns, "1 to 1000");
  if (!(settings.period >= 5 && settings.period <= 100)) refuse("the period", settings.period, "5 to 100 s");
  if (!(settings.view > 0 && settings.view <= 10000)) refuse("the view", settings.view, "up to 10000 m");
  if (!(std::abs(settings.camera) <= 1e6)) refuse("the camera's place", settings.camera, "within 1000 km");
  if (!(std::abs(settings.camera_speed) <= 100)) refuse("the camera's speed", settings.camera_speed, "up to 100 m/s");
  if (!(settings.frames_per_second > 0 && settings.frames_per_second <= 1000))
    refuse("the number of frames per second", settings.frames_per_second, "up to 1000");
  if (!(settings.duration >= 0)) refuse("the duration", settings.duration, "0 and more");
}
EndlessStreet::~EndlessStreet() = default;
EndlessStreet::EndlessStreet(EndlessStreet&&) noexcept = default;
EndlessStreet& EndlessStreet::operator=(EndlessStreet&&) noexcept = default;

void EndlessStreet::frameAt(double time, double from, double to, FrameCopy& frame) {
  State& s = *state_;
  if (!(std::abs(time) <= 1e7 && std::abs(from) <= 1e7 && std::abs(to) <= 1e7))
    throw InputError(fmt::format("the street at {} s from {} to {} m; allowed: within 1e7", time, from, to));
  const auto round = static_cast<std::int64_t>(std::floor(time / s.settings.period));
  const auto phase = static_cast<float>(time - static_cast<double>(round) * s.settings.period);
  const auto first = static_cast<std::int64_t>(std::floor(from / kSide)),
             last = static_cast<std::int64_t>(std::floor(to / kSide));
  s.reach(first), s.reach(last + 1);
  s.forgetBorders(first, last + 1);
  ++s.clock;
  frame.clear();
  frame.time = time;
  frame.index = time > 0 ? static_cast<std::uint64_t>(time * s.settings.frames_per_second + 0.5) : 0;
  for (std::int64_t number = first; number <= last; ++number) {
    const Made& here = s.at(number);
    here.player.play(phase, s.present);
    const double left = kSide * static_cast<double>(number);
    for (std::size_t i = 0; i < s.present.size; ++i) {
      const double x = left + s.present.x[i];
      if (x < from || x > to) continue;
      const std::uint32_t walk = s.present.walk[i];
      const bool is_walker = walk < here.patch.walks.size();
      std::uint32_t person = 0;
      if (is_walker) {
        const PatchEnd input = here.patch.walks[walk].input;
        const bool east = input.side == kWest;
        const Border& border = s.border(east ? number : number + 1);
        person = s.person(east, (east ? border.east : border.west)[input.point], round - s.present.lap[i]);
      } else {
        const auto resident = static_cast<std::uint32_t>(walk - here.patch.walks.size());
        person = kResidents + static_cast<std::uint32_t>(4 * zigzag(number)) + resident;
      }
      frame.person.push_back(person);
      frame.x.push_back(static_cast<float>(x)), frame.y.push_back(s.present.y[i]);
      frame.heading_x.push_back(s.present.heading_x[i]), frame.heading_y.push_back(s.present.heading_y[i]);
      frame.population.push_back(is_walker ? 0 : 1);
    }
  }
  const std::size_t n = frame.person.size();
  frame.z.assign(n, 0), frame.slope.assign(n, 0), frame.layer.assign(n, 0);
  frame.radius.assign(n, static_cast<float>(kPatchRadius));
  s.forget();
}

const Patch& EndlessStreet::patch(std::int64_t number) { return state_->at(number).patch; }
std::size_t EndlessStreet::patchesMade() const { return state_->made; }
std::size_t EndlessStreet::patchBytes() const { return state_->bytes; }
std::size_t EndlessStreet::borderBytes() const {
  return state_->borders.size() *
         (sizeof(Border) + 2 * sizeof(Origin) * static_cast<std::size_t>(state_->settings.crossings));
}
double EndlessStreet::framesPerSecond() const { return state_->settings.frames_per_second; }

Scene EndlessStreet::scene(double from, double to) {
  const auto first = static_cast<std::int64_t>(std::floor(from / kSide)),
             last = static_cast<std::int64_t>(std::floor(to / kSide));
  Layer layer;
  const double left = kSide * static_cast<double>(first), right = kSide * static_cast<double>(last + 1);
  layer.walkable.push_back({{{left, 0}, {right, 0}, {right, kSide}, {left, kSide}}, {}});
  ++state_->clock;
  for (std::int64_t number = first; number <= last; ++number)
    for (const PatchObject& object : patch(number).definition.objects) {
      Ring outline = object.outline;
      for (Point& p : outline) p.x += kSide * static_cast<double>(number);
      layer.obstacles.push_back({outline, {}});
    }
  return patches::sceneOf("endless street", std::move(layer), state_->frames);
}

bool EndlessStreet::read(FrameCopy& frame, std::vector<Arrival>*) {
  if (state_->frames.isOver()) return false;
  const StreetSettings& settings = state_->settings;
  const double time = state_->frames.time(), camera = settings.camera + settings.camera_speed * time;
  frameAt(time, camera - settings.view, camera + settings.view, frame);
  frame.index = state_->frames.number();
  state_->frames.advance();
  return true;
}

void EndlessStreet::restart() { state_->frames.restart(); }

void EndlessStreet::skipTo(double time) { state_->frames.skipTo(time); }

}  // namespace throng
