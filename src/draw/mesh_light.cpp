#include "draw/mesh_light.h"

#include <algorithm>
#include <cmath>

namespace throng::draw {
namespace {

// Degrees. From above it stands higher, so that narrow streets are not all shadow.
constexpr double kSunElevation = 48, kSunElevationAbove = 58;
// Together they show level ground in the sun in its own colour; what the sun does not reach is cooler.
constexpr Light kSun{0.82f, 0.775f, 0.70f};
constexpr Light kSky{0.36f, 0.40f, 0.46f};
constexpr Light kBounce{0.24f, 0.22f, 0.2f};
constexpr int kCurve = 4096;
constexpr int kShadowRows = 128;

double decoded(double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); }
double encoded(double v) { return v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055; }

/// The sRGB curve as a table.
const std::vector<unsigned char>& curve() {
  static const std::vector<unsigned char> table = [] {
    std::vector<unsigned char> values(kCurve + 1);
    for (int i = 0; i <= kCurve; ++i)
      values[static_cast<std::size_t>(i)] =
          static_cast<unsigned char>(std::lround(255 * encoded(double{1} * i / kCurve)));
    return values;
  }();
  return table;
}

}  // namespace

Light toLight(unsigned rgb) {
  const auto part = [&](int shift) { return static_cast<float>(decoded(((rgb >> shift) & 0xff) / 255.0)); };
  return {part(16), part(8), part(0)};
}

unsigned fromLight(const Light& light) {
  unsigned rgb = 0;
  for (const float v : light)
    rgb = rgb << 8 | curve()[static_cast<std::size_t>(std::clamp(v, 0.0f, 1.0f) * kCurve + 0.5f)];
  return rgb;
}

Point3 sunOf(const Projection& projection) {
  const Point3& right = projection.right;
  const Point3 ahead{-right.y, right.x, 0};
  const bool is_above = length(Point3{projection.towards.x, projection.towards.y, 0}) < 1e-6;
  const Point3 level_sun = right * -1 + ahead * (is_above ? 1.0 : -0.45);
  const Point3 east = directionOf(0, is_above ? kSunElevationAbove : kSunElevation);
  return level_sun * (east.x / length(level_sun)) + Point3{0, 0, east.z};
}

Light skyOn(const Point3& normal) {
  Light light;
  const auto up = static_cast<float>(0.5 + 0.5 * normal.z);
  for (std::size_t i = 0; i < 3; ++i) light[i] = kSky[i] * up + kBounce[i] * (1 - up);
  return light;
}

Light sunOn(const Point3& normal, const Point3& sun) {
  const auto share = static_cast<float>(std::max(dot(normal, sun), 0.0));
  return {kSun[0] * share, kSun[1] * share, kSun[2] * share};
}

ShadowMap::ShadowMap(const Mesh& mesh, const Point3& sun, const std::vector<Point3>& lit, int most_texels,
                     const base::Threads& threads) {
  const Point3 level{-sun.y, sun.x, 0};
  const Point3 right = level * (1 / length(level));
  screen_.projection = {right, cross(sun, right), sun, lit.front()};
  Point low = screen_.projection.plane(lit.front()), high = low;
  for (const Point3& p : lit) {
    const Point at = screen_.projection.plane(p);
    low = {std::min(low.x, at.x), std::min(low.y, at.y)};
    high = {std::max(high.x, at.x), std::max(high.y, at.y)};
  }
  const double size = std::max({high.x - low.x, high.y - low.y, 1e-3});
  screen_.scale = (most_texels - 4) / size;
  screen_.origin = {2 - low.x * screen_.scale, 2 + high.y * screen_.scale};
  screen_.width = static_cast<int>(std::ceil((high.x - low.x) * screen_.scale)) + 4;
  screen_.height = static_cast<int>(std::ceil((high.y - low.y) * screen_.scale)) + 4;
  depth_.resize(static_cast<std::size_t>(screen_.width) * static_cast<std::size_t>(screen_.height));
  const Rasteriser rasteriser(mesh, screen_, kShadowRows, threads);
  threads.forEach(rasteriser.bandCount(), 1, [&](std::size_t begin, std::size_t end) {
    Samples samples;
    for (std::size_t band = begin; band < end; ++band) {
      rasteriser.draw(band, samples);
      std::copy(samples.depth.begin(), samples.depth.end(),
                depth_.begin() + static_cast<std::ptrdiff_t>(samples.first_row) * screen_.width);
    }
  });
}

/// The four texels around a place, weighed by how near they are (Reeves et al. 1987, percentage closer filtering).
float ShadowMap::sunlight(float x, float y, float depth) const {
  const float left = std::floor(x - 0.5f), top = std::floor(y - 0.5f);
  if (!(left >= 0 && top >= 0 && left + 1 < static_cast<float>(screen_.width) &&
        top + 1 < static_cast<float>(screen_.height)))
    return 1;
  const float fx = x - 0.5f - left, fy = y - 0.5f - top;
  const float* above = depth_.data() + static_cast<std::size_t>(top) * static_cast<std::size_t>(screen_.width) +
                       static_cast<std::size_t>(left);
  const float* below = above + screen_.width;
  const auto free = [depth](float nearest) { return nearest <= depth ? 1.0f : 0.0f; };
  return (free(above[0]) * (1 - fx) + free(above[1]) * fx) * (1 - fy) +
         (free(below[0]) * (1 - fx) + free(below[1]) * fx) * fy;
}

float ShadowMap::sunlight(const Point3& p) const {
  const Point at = screen_.toScreen(p);
  return sunlight(static_cast<float>(at.x), static_cast<float>(at.y), static_cast<float>(screen_.projection.depth(p)));
}

}  // namespace throng::draw
