// The forces of the social force model and the way they are integrated, for the kernel and its slow twin.
//
// On person i act (n: unit vector from the other to i, d: distance, r: sum of the radii, u: velocity relative to the
// other, g(x) = max(x, 0)):
//   driving     (v_preferred - v) / τ                                   1995, 2000
//   repulsion   w(φ) · A exp((r - d) / B) n                             2000; w(φ) = λ + (1-λ)(1 + cos φ)/2, where φ is
//                                                                       the angle at which i sees the other, from 1995
//   body        k g(r - d) n                                            2000, only in contact
//   friction    -κ g(r - d) u_t                                         2000, only in contact; u_t: tangential part of
//   u
// and the same from walls, with w = 1 and u = v. All divided by the mass. Two readings, without which people stop for
// good: whoever is pushed back turns their preferred velocity a little to the right, and a wall that one passes by on
// the way one wants to go pushes aside, not back (wall_points.h).
//
// The published equations are stiff: k/m = 1500 /s² and A/(mB) = 312 /s² need explicit steps of a few milliseconds.
// Here one step of any size up to 0.5 s is linearly implicit (as Baraff & Witkin 1998 do for cloth and Karamouzas et
// al. 2017 for crowds): the forces are taken at the distance d + dt·u·n expected at the end of the step, and their
// answer to the change of velocity Δv that is looked for is linearised:
//   [ (1 + dt/τ) I + Σ 2dt² K n nᵀ + 2dt κ' t tᵀ ] Δv = dt/τ (v_preferred - v) + dt Σ f
// K is the stiffness along n. The other person, who computes the same at the same time, is expected to give way as
// much: hence the 2 (walls stand still: 1). With it the matrix is at least that of the coupled implicit system of all
// people, so that no oscillation grows however many push. For small dt all this tends to the published equations.
// Taken in one step of 0.1 s it damps too much: a crowd passes an opening of 1 m at two thirds of the flow of short
// steps. So the world takes a step in parts of 0.01 s at most (parts.h), which gives the flows of short steps.
//
// The stiffness of the exponential is its tangent φ/B up to an overlap of B. Beyond, the tangent is far too steep (the
// force fades after a few B of yielding) and people who run into each other within one long step would hardly slow
// down; there it is the secant φ/(r - d), which takes the overlap back to touching.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "base/math.h"
#include "steering/models.h"
#include "steering/orca_lines.h"
#include "steering/parts.h"

namespace throng::steering::social_force {

enum Parameter {
  kRelaxationTime,
  kMass,
  kRepulsionStrength,
  kRepulsionDistance,
  kAnisotropy,
  kBodyStiffness,
  kSlidingFriction,
  kNeighbourRange,
  kParameterCount
};

/// (r - d)/B is cut off here: the repulsion grows no further when people overlap by more than 10 B.
inline constexpr float kMaxExponent = 10;
/// And here: exp(-80) A is nothing, and still a normal number.
inline constexpr float kMinExponent = -80;
/// How far those who are pushed back turn to the right, in units of orcaTurn's 0.0005 to 0.0015: half a degree on
/// average.
inline constexpr float kTurn = 10;
/// Nearer than this (squared, m²) people have no direction from one another; it is drawn from their numbers.
inline constexpr float kCoincidentSquared = 1e-12f;

/// What the terms need of the parameters and the step, computed once per call.
struct Coefficients {
  Coefficients(std::span<const float> parameters, float dt);

  float dt;
  float drive;      ///< dt/τ
  float strength;   ///< A/m, m/s²
  float inverse_b;  ///< 1/B
  float b;          ///< m
  float lambda;     ///< λ
  float half_rest;  ///< (1-λ)/2
  float body;       ///< k/m, 1/s²
  float friction;   ///< κ/m, 1/(m s)
  float range;      ///< m
  float range_squared;
  float gap;  ///< m: from farther away, edge to edge, nobody is pushed by more than a millimetre per s²
};

/// Sums over everybody and everything that pushes one person: right-hand side and the symmetric matrix without its
/// driving part.
struct Sums {
  float fx = 0, fy = 0;
  float mxx = 0, mxy = 0, myy = 0;
};

/// e^x for kMinExponent <= x <= kMaxExponent, relative error < 1e-6: 2^n times the Taylor polynomial of the rest. The
/// kernel has the same in vectors.
inline constexpr float kLog2E = 1.44269504f;
using base::kRounder;
/// ln 2 in two parts (Cody & Waite 1980).
inline constexpr float kLn2High = 0.693359375f, kLn2Low = -2.12194440e-4f;
inline constexpr float kExp[] = {1.0f / 720, 1.0f / 120, 1.0f / 24, 1.0f / 6, 0.5f, 1.0f, 1.0f};

inline float exponential(float x) {
  const float shifted = x * kLog2E + kRounder;
  const float n = shifted - kRounder;
  const float rest = (x - n * kLn2High) - n * kLn2Low;
  float sum = kExp[0];
  for (int i = 1; i < 7; ++i) sum = sum * rest + kExp[i];
  return base::timesPowerOf2(sum, shifted);
}

/// Adds the push of one other. (nx, ny): from the other to the person, unit length; `overlap`: by how much they
/// overlap, m, negative when they do not touch; (ux, uy): relative velocity. `yields`: 2 for people, who both give way,
/// 1 for walls.
inline void addPush(const Coefficients& c, float nx, float ny, float overlap, float ux, float uy, float weight,
                    float yields, Sums& sums) {
  const float leaving = ux * nx + uy * ny;
  const float expected = overlap - c.dt * leaving;  // overlap at the end of the step
  float exponent = expected * c.inverse_b;
  exponent = exponent < kMaxExponent ? exponent : kMaxExponent;
  exponent = exponent > kMinExponent ? exponent : kMinExponent;
  const float secant = exponent > 1.0f ? exponent : 1.0f;
  const float repulsion = c.strength * exponential(exponent) * weight;
  const float squeezed = overlap > 0 && expected > 0 ? expected : 0.0f;
  const float push = repulsion + c.body * squeezed;
  const float stiffness = repulsion * c.inverse_b / secant + (squeezed > 0 ? c.body : 0.0f);
  const float rubbing = c.friction * (overlap > 0 ? overlap : 0.0f);
  sums.fx += c.dt * (push * nx - rubbing * (ux - leaving * nx));
  sums.fy += c.dt * (push * ny - rubbing * (uy - leaving * ny));
  const float along = yields * c.dt * c.dt * stiffness;
  const float across = yields * c.dt * rubbing;
  const float difference = along - across;
  sums.mxx += across + difference * nx * nx;
  sums.mxy += difference * nx * ny;
  sums.myy += across + difference * ny * ny;
}

/// Direction in which the first of two people who stand in exactly the same place leaves it; opposite for the second.
Vec2 partingDirection(std::uint32_t person, std::uint32_t other);

/// Where somebody looks to: along their preferred velocity (1995), or as they stand when they do not want to go.
inline Vec2 facing(const agents::Crowd& crowd, std::uint32_t row) {
  const Vec2 preferred{crowd.preferred_vx[row], crowd.preferred_vy[row]};
  const float squared = lengthSquared(preferred);
  if (squared > 1e-12f) return preferred * (1.0f / std::sqrt(squared));
  return {crowd.heading_x[row], crowd.heading_y[row]};
}

/// Adds the walls' push on the person in `row`, who is at `place` and walks at `velocity`. `found` is scratch.
void addWalls(const Coefficients& c, const ground::Walls& walls, const agents::Crowd& crowd, std::uint32_t row,
              Vec2 place, Vec2 velocity, std::vector<std::uint32_t>& found, Sums& sums);

/// Solves for the new velocity of the person in `row`, who walks at `velocity`, and writes it, at most their max_speed
/// long.
inline void finish(const Coefficients& c, const agents::Crowd& crowd, std::uint32_t row, Vec2 velocity,
                   const Sums& sums, VelocityOutput out) {
  const float vx = velocity.x, vy = velocity.y;
  Vec2 wanted{crowd.preferred_vx[row], crowd.preferred_vy[row]};
  if (wanted.x * sums.fx + wanted.y * sums.fy < 0) {
    const float turn = kTurn * orcaTurn(crowd.person[row]);
    wanted = {wanted.x + turn * wanted.y, wanted.y - turn * wanted.x};
  }
  const float rx = c.drive * (wanted.x - vx) + sums.fx;
  const float ry = c.drive * (wanted.y - vy) + sums.fy;
  // The determinant in parts that are positive by themselves: rounding can make it too large at worst.
  const float m = 1.0f + c.drive;
  const float rest = sums.mxx * sums.myy - sums.mxy * sums.mxy;
  const float determinant = m * m + m * (sums.mxx + sums.myy) + (rest > 0 ? rest : 0.0f);
  float x = vx + ((m + sums.myy) * rx - sums.mxy * ry) / determinant;
  float y = vy + ((m + sums.mxx) * ry - sums.mxy * rx) / determinant;
  const float limit = crowd.max_speed[row];
  const float squared = x * x + y * y;
  if (squared > limit * limit) {
    const float scale = limit / std::sqrt(squared);
    x *= scale;
    y *= scale;
  }
  out.vx[row] = x;
  out.vy[row] = y;
}

/// Two who stand in exactly the same place: the way from `other` to `row`, of hardly any length.
inline void part(const agents::Crowd& crowd, std::uint32_t row, std::uint32_t other, float& dx, float& dy) {
  if (!(dx * dx + dy * dy < kCoincidentSquared)) return;
  const Vec2 apart = partingDirection(crowd.person[row], crowd.person[other]);
  dx = apart.x * 1e-6f, dy = apart.y * 1e-6f;
}

/// s. With the published numbers a pair at the moment of touching swings at 60 rad/s.
inline constexpr float kLongestPart = 0.01f;

/// Walls and driving force of one part of a step (parts.h).
inline void finishPart(const StepInput& input, const Coefficients& c, std::uint32_t row, const Within& now,
                       std::vector<std::uint32_t>& found, Sums& sums, VelocityOutput out) {
  const agents::Crowd& crowd = input.crowd;
  const Vec2 velocity{now.vx[row], now.vy[row]};
  const ground::Walls& walls = input.floors[crowd.layer[row]].walls;
  if (walls.size() > 0) {
    const Vec2 place{crowd.x[row] + now.x[row], crowd.y[row] + now.y[row]};
    addWalls(c, walls, crowd, row, place, velocity, found, sums);
  }
  finish(c, crowd, row, velocity, sums, out);
}

}  // namespace throng::steering::social_force
