// What a walker can see, before it is rendered: the camera, and people and walls around in the walker's own frame
// (x ahead, y to the left, eyes above the origin). Shared by the kernel (vision.cpp) and its slow twin, which differ in
// how they find what is near and which object a pixel shows.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "base/column.h"
#include "steering/models.h"
#include "steering/vision_law.h"

namespace throng::steering::vision {

/// Tangent of 75°: how far to the side walkers see.
inline constexpr float kSide = 3.73205081f;

/// The parameters of the model as the renderer needs them.
struct Sight {
  Sight() = default;
  explicit Sight(std::span<const float> parameters);
  void setCones(float eye_height, float height, float base_radius);
  float range_squared = 0, range = 0, goal_range = 0, imminent = 0;
  bool escape = false;
  int columns = 0, rows = 0;
  float eye = 0;     ///< m
  float slope = 0;   ///< of a cone: metres of radius per metre below its tip
  float radius = 0;  ///< m, of a cone on the ground
  float tip = 0;     ///< m: radius of a cone at eye height
};

/// A pinhole camera, 150° wide and 80° high, tilted by -40° so that its upper plane is horizontal (section 4). The ray
/// of a pixel is (f, s, -d): ahead, to the left, down; f and d belong to the row, s to the column.
struct Camera {
  int columns = 0, rows = 0;
  base::Column<float> s;       ///< descending: the leftmost first
  base::Column<float> f, d;    ///< per row, from the horizon down; d > 0
  base::Column<float> base;    ///< per row: f² - slope²·d²
  base::Column<float> lift;    ///< per row: slope·tip·d
  base::Column<float> growth;  ///< per row: slope·d/f, radius of what it shows of cones, per metre ahead
  float slope = -1, tip = -1;
  float columns_per_s = 0;

  void fit(const Sight& sight);
  /// Where the ray with this s would be, in columns from the left, 0 being the centre of the first pixel.
  float column(float at_s) const { return 0.5f * static_cast<float>(columns - 1) - at_s * columns_per_s; }
};

struct SeenWall {
  float ax, ay;     ///< m: one end
  float ex, ey;     ///< m: from there to the other
  float per_area;   ///< 1/m²: one over a × e
  float low, high;  ///< m²: bounds of (P - a)·e for points P of the wall, a hair wider than the wall itself
};

/// Who looks, and what is around. People are numbered from 0, the near ones first; all walls have the number
/// after the last person. Number i moves with (ux[i], uy[i]) relative to the walker.
struct View {
  std::uint32_t own_slot = 0;
  Vec2 position, heading;
  float vx = 0, vy = 0;  ///< m/s: the walker's own velocity, in its frame
  base::Column<float> x, y, c, per_c, ux, uy;
  base::Column<std::uint32_t> slot;
  std::vector<SeenWall> walls;
  float wall_top = 0;               ///< m
  std::vector<std::uint32_t> near;  // scratch

  std::uint32_t wallNumber() const { return static_cast<std::uint32_t>(x.size()); }
  /// Forgets what was around.
  void begin(const StepInput& input, std::uint32_t slot);
  /// Notes somebody, if in range and not wholly behind.
  void addPerson(const StepInput& input, const Sight& sight, std::uint32_t other);
  /// Puts people into order, the nearest first, and notes the walls.
  void finish(const StepInput& input, const Sight& sight);

 private:
  void sortPeople(const Sight& sight);
  void addWalls(const StepInput& input, const Sight& sight);
  std::vector<std::uint32_t> order_, start_;
  base::Column<float> sorted_;
  base::Column<std::uint32_t> sorted_slot_;
};

/// How near a cone is along the ray (f, s, -d): one over the ray's parameter there, so that no division is needed; 0
/// when it is not hit above the ground. `c` is x² + y² - tip², positive, `per_c` one over it; row_b is f·x + lift.
inline float coneNearness(float base, float row_b, float s, float d, float y, float c, float per_c, float eye) {
  const float a = base + s * s;
  const float b = row_b + s * y;
  const float discriminant = b * b - a * c;
  if (!(discriminant >= 0)) return 0;
  const float nearness = (b + std::sqrt(discriminant)) * per_c;
  return nearness > 0 && d <= eye * nearness ? nearness : 0.0f;
}

/// The same for a wall from the ground to wall_top; `over` is eye - wall_top.
inline float wallNearness(const SeenWall& wall, float f, float s, float d, float eye, float over) {
  const float nearness = (f * wall.ey - s * wall.ex) * wall.per_area;
  const float along = (f - nearness * wall.ax) * wall.ex + (s - nearness * wall.ay) * wall.ey;
  const bool on = along >= wall.low * nearness && along <= wall.high * nearness;
  return nearness > 0 && on && d <= eye * nearness && d >= over * nearness ? nearness : 0.0f;
}

/// What the pixel at (f, s) with this nearness and relative velocity (ux, uy) asks for.
inline void perceivePixel(const Threshold& own, float nearness, float f, float s, float ux, float uy,
                          Stimulus& stimulus) {
  const float ahead = f * ux + s * uy;
  perceive(own, -ahead * nearness, (f * uy - s * ux) * nearness, f * f + s * s, stimulus);
}

/// The nearest places of the walls within 45° of straight ahead, as points after the people; for the model without
/// images.
void addWallPoints(View& view);

/// The same for somebody, or a place of a wall, seen as one point: nothing when it is outside of the 150°.
inline void perceivePoint(const Threshold& own, float x, float y, float ux, float uy, Stimulus& stimulus) {
  const float aside = y < 0 ? -y : y;
  if (!(aside <= kSide * x)) return;
  perceive(own, -(x * ux + y * uy), x * uy - y * ux, x * x + y * y, stimulus);
}

/// This person's own thresholds.
Threshold thresholdOf(std::span<const float> parameters, std::uint32_t person);

/// Chooses θ̇ and v from what was perceived and writes the new velocity of the person in `row`.
void walk(const StepInput& input, const Sight& sight, const View& view, std::uint32_t row, const Stimulus& stimulus,
          VelocityOutput out);

}  // namespace throng::steering::vision
