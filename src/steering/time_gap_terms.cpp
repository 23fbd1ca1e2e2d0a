#include "steering/time_gap_terms.h"

#include <array>

#include "base/math.h"
#include "steering/time_gap.h"

namespace throng::steering {
namespace {

constexpr std::array<ModelParameter, time_gap::kParameterCount> kParameters{{
    {"time_gap", "s", 0.55, 0.2, 5,
     "T: people close in on others no faster than the gap divided by this. Short: hurried people; long: people with "
     "time."},
    {"time_horizon", "s", 16, 0.5, 60, "Collisions farther away than this do not matter."},
    {"view_distance", "m", 12, 1.5, 50, "How far people look at most; in a crowd they look less far."},
    {"turning_time", "s", 0.15, 0.01, 5, "How long people take to turn into the direction they chose."},
    {"side_preference", "1", 0.8, -2, 2,
     "How much rather people pass on the right (negative: on the left) of those who come the other way."},
}};

}  // namespace

std::span<const ModelParameter> throngParameters() { return kParameters; }

float throngRange(std::span<const float> parameters) { return parameters[time_gap::kViewDistance]; }

namespace time_gap {
namespace {

struct Fan {
  alignas(base::kVectorBytes) float cosine[kDirections];
  alignas(base::kVectorBytes) float sine[kDirections];

  Fan() {
    constexpr double kDegrees[] = {0, 7, -7, 15, -15, 25, -25, 37, -37, 51, -51, 68, -68, 90, -90, 0};
    for (std::size_t i = 0; i < kDirections; ++i) {
      double s, c;
      base::sinCos(kDegrees[i] * base::kPi / 180, s, c);
      cosine[i] = static_cast<float>(c), sine[i] = static_cast<float>(s);
    }
  }
};

}  // namespace

Coefficients::Coefficients(std::span<const float> p, float step)
    : dt(step),
      time_gap(std::max(p[kTimeGap], 2 * step)),
      going(std::max(kGoing, 2 * step)),
      parting(std::max(kParting, step)),
      creeping(std::min(kCreeping, kSqueeze / step)),
      back(std::min(kStepBackSpeed, kStepBack / (2 * step))),
      inverse_horizon(1.0f / p[kTimeHorizon]),
      view(p[kViewDistance]),
      turn(static_cast<float>(1.0 - base::exponential(-double{step} / double{p[kTurningTime]}))),
      side(p[kSidePreference]) {
  while (reaches < kReaches && kReach[reaches - 1] < view) ++reaches;
  static const Fan kFan;
  cosine = kFan.cosine, sine = kFan.sine;
}

void WallsNear::look(const ground::Walls& walls, Vec2 place, float radius) {
  sides.clear(), corners.clear();
  if (walls.size() == 0 || walls.grid.nothingNear(place, kWallReach)) return;
  found.clear();
  walls.grid.query(place, kWallReach, found);
  for (const std::uint32_t i : found) {
    const Vec2 from_a = place - walls.a[i];
    const Vec2 along = walls.direction[i];
    const float height = -det(along, from_a);
    if (height >= 0 && height < kWallReach)
      sides.push_back({{along.y, -along.x},
                       along,
                       std::max(0.0f, height - radius),
                       dot(from_a, along),
                       dot(walls.b[i] - walls.a[i], along)});
    const float squared = lengthSquared(from_a);
    if (walls.convex[i] != 0 && squared < kWallReach * kWallReach)
      corners.push_back({{-from_a.x, -from_a.y}, squared - radius * radius});
  }
}

void WallsNear::addLine(Vec2 normal, float room) {
  constexpr float kEndless = 1e6f;  // m
  sides.push_back({normal, {-normal.y, normal.x}, room, kEndless, 2 * kEndless});
}

namespace {

/// As much of a velocity as does not lead into anybody near: of a gap each takes half in a step. What people walk and
/// what they step back or aside keeps each to the gaps in its own direction; the sum of both may not.
Vec2 keptOut(const Coefficients& c, std::span<const Body> touching, Vec2 velocity) {
  constexpr int kPasses = 3;  // between several people no more is gained
  for (int pass = 0; pass < kPasses; ++pass) {
    for (const Body& o : touching) {
      const Vec2 n = o.to * o.inverse;
      const float closing = dot(velocity, n), most = std::max(0.0f, o.gap + kTouch) * 0.5f / c.dt;
      if (closing > most) velocity = velocity - n * (closing - most);
    }
  }
  return velocity;
}

/// Away from those whose turn it is, as far as there is room.
Vec2 stepBack(const Coefficients& c, const Walker& w, std::span<const Body> touching, const WallsNear& walls) {
  Vec2 back{0, 0};
  if (touching.empty()) return back;
  for (const Body& o : touching) {
    const Vec2 n = o.to * o.inverse;
    const float cosine = dot(w.wanted, n);
    if (!(cosine >= 0) || o.towards < kInMyWay) continue;
    const float y = behind(o, cosine);
    if (y <= 0.5f) continue;
    back = back - n * (std::min(c.back, (kStepBack - o.gap) / c.going) * (2.0f * y - 1.0f));
  }
  const float wish = length(back);
  if (!(wish > 1e-4f)) return {0, 0};
  back = back / wish;
  struct Turn {
    float cosine, sine;
  };
  constexpr Turn kTurns[] = {{1, 0}, {0.76f, 0.65f}, {0.76f, -0.65f}, {0.27f, 0.963f}, {0.27f, -0.963f}};
  Vec2 best{0, 0};
  float gained = 1e-4f;
  for (const Turn& turn : kTurns) {
    const Vec2 u{back.x * turn.cosine - back.y * turn.sine, back.y * turn.cosine + back.x * turn.sine};
    float room = std::min(1.0f, walls.way(u.x, u.y));
    for (const Body& o : touching) {
      const float cosine = dot(o.to, u) * o.inverse;
      if (!(cosine > 0)) continue;
      room = std::min(room, std::max(0.0f, o.gap) / cosine);
    }
    const float speed = std::min(std::min(wish, c.back), room / c.going);
    if (speed * turn.cosine > gained) gained = speed * turn.cosine, best = u * speed;
  }
  return best;
}

}  // namespace

Vec2 velocityFor(const Coefficients& c, const Walker& w, std::span<const Body> touching, const WallsNear& walls,
                 Vec2 direction, float speed, Vec2 turned, float turned_speed, float blocked) {
  Vec2 out{0, 0};
  if (w.wanted_speed > kStanding) {
    // Not into what is in the way of before, and less so in the one that was chosen; nor away from that.
    float walked = turned_speed;
    if (walked < std::min(speed, blocked) || dot(turned, direction) < 0) turned = direction, walked = speed;
    walked = std::min(walked, std::max(0.0f, dot(w.velocity, turned)) + kAcceleration * c.dt);
    out = walked >= w.wanted_speed && dot(turned, w.wanted) > 0.999999f ? w.preferred : turned * walked;
    const Vec2 back = stepBack(c, w, touching, walls);
    const float faster = length(back);
    if (faster > 0) {
      const Vec2 u = back / faster;
      out = out + u * (faster - std::min(0.0f, dot(out, u)));
    }
  }
  for (const Body& o : touching) {
    if (o.gap < 0) out = out + o.to * (o.inverse * (0.5f * o.gap / c.parting));
  }
  out = keptOut(c, touching, out);
  // Who touches somebody gives way a little more than that, and presses on whom they meet: pressure goes through a
  // crowd until somebody has room. Otherwise a few who are wedged together before a door hold one another for minutes.
  for (const Body& o : touching) {
    if (o.gap < 0) out = out + o.to * (o.inverse * (kPressure * o.gap / c.parting));
  }
  const float fast = length(out);
  return fast > w.max_speed ? out * (w.max_speed / fast) : out;
}

}  // namespace time_gap
}  // namespace throng::steering
