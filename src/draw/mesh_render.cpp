#include "draw/mesh_render.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace throng::draw {
namespace {

constexpr int kFine = 2;       // samples along each side of a pixel
constexpr int kBandRows = 16;  // px
constexpr unsigned kNoMaterial = 0xd8d4cb;
constexpr int kPattern = 4;                // px; side of a square of pixels that look around together
constexpr double kNear = 1.2, kFar = 4.5;  // m; how far they look for what hides the sky
constexpr double kMostReach = 48;          // px
constexpr int kMostTexels = 4096;          // along a side of the shadow map

/// What a triangle sends to the viewer, and how far its shadow is looked up beside it, so that it throws none on
/// itself.
struct Surface {
  Light sky{}, sun{};
  std::array<float, 3> shift{};
};

/// From samples to texels of the shadow map and the depth there.
struct ToShadow {
  std::array<double, 3> start;
  std::array<std::array<double, 3>, 3> step;  ///< along x, y and depth

  ToShadow(const Screen& from, const Screen& to) {
    const auto seen = [&](const Point3& p) {
      const Point at = to.toScreen(p);
      return std::array<double, 3>{at.x, at.y, to.projection.depth(p)};
    };
    start = seen(from.place({0, 0}, 0));
    const std::array<Point3, 3> ends{from.place({1, 0}, 0), from.place({0, 1}, 0), from.place({0, 0}, 1)};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto end = seen(ends[k]);
      for (std::size_t i = 0; i < 3; ++i) step[k][i] = end[i] - start[i];
    }
  }
  std::array<float, 3> operator()(double x, double y, double depth, const std::array<float, 3>& shift) const {
    std::array<float, 3> at{};
    for (std::size_t i = 0; i < 3; ++i)
      at[i] = static_cast<float>(start[i] + x * step[0][i] + y * step[1][i] + depth * step[2][i]) + shift[i];
    return at;
  }
};

class Renderer {
 public:
  Renderer(const Mesh& mesh, MeshImage& image, const base::Threads& threads)
      : mesh_(mesh), image_(image), threads_(threads), fine_(image.screen) {
    fine_.scale *= kFine;
    fine_.origin = fine_.origin * kFine;
    fine_.width *= kFine;
    fine_.height *= kFine;
  }

  void draw(const Box& box) {
    image_.sun = sunOf(fine_.projection);
    image_.shadows = std::make_shared<ShadowMap>(mesh_, image_.sun, litPlaces(box), texels(), threads_);
    lightSurfaces();
    const ToShadow to_shadow(fine_, image_.shadows->screen());
    const Rasteriser rasteriser(mesh_, fine_, kBandRows * kFine, threads_);
    light_.resize(image_.depth.size());
    coverage_.resize(image_.depth.size());
    threads_.forEach(rasteriser.bandCount(), 1, [&](std::size_t begin, std::size_t end) {
      Samples samples;
      for (std::size_t band = begin; band < end; ++band) {
        rasteriser.draw(band, samples);
        for (int row = 0; row < samples.rows / kFine; ++row) shadeRow(samples, row, to_shadow);
      }
    });
    hidden_.resize(image_.depth.size());
    layPattern();
    eachRow([&](int y) {
      for (int x = 0; x < image_.raster.width; ++x)
        if (coverage_[pixelAt(x, y)] > 0) hidden_[pixelAt(x, y)] = hidden(x, y);
    });
    eachRow([&](int y) { finishRow(y); });
  }

 private:
  struct Look {
    int dx, dy;  ///< px
    float metres;
  };

  std::size_t pixelAt(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(image_.raster.width) + static_cast<std::size_t>(x);
  }
  template <class Row>
  void eachRow(const Row& row) const {
    threads_.forEach(static_cast<std::size_t>(image_.raster.height), kBandRows,
                     [&](std::size_t begin, std::size_t end) {
                       for (std::size_t y = begin; y < end; ++y) row(static_cast<int>(y));
                     });
  }

  int texels() const { return std::clamp(2 * std::max(image_.raster.width, image_.raster.height), 256, kMostTexels); }

  /// Corners of what can be seen: the part of the model's box that the picture shows, roughly.
  std::vector<Point3> litPlaces(const Box& box) const {
    const Point3& towards = fine_.projection.towards;
    std::vector<Point> ground;
    for (const double x : {0.0, static_cast<double>(fine_.width)})
      for (const double y : {0.0, static_cast<double>(fine_.height)})
        for (const double z : {box.min.z, box.max.z}) {
          const Point3 p = fine_.place({x, y}, 0);
          const double along = (z - p.z) / towards.z;
          ground.push_back({std::clamp(p.x + towards.x * along, box.min.x, box.max.x),
                            std::clamp(p.y + towards.y * along, box.min.y, box.max.y)});
        }
    const auto [x0, x1] = std::minmax_element(ground.begin(), ground.end(), [](Point a, Point b) { return a.x < b.x; });
    const auto [y0, y1] = std::minmax_element(ground.begin(), ground.end(), [](Point a, Point b) { return a.y < b.y; });
    std::vector<Point3> places;
    for (const double x : {x0->x, x1->x})
      for (const double y : {y0->y, y1->y})
        for (const double z : {box.min.z, box.max.z}) places.push_back({x, y, z});
    return places;
  }

  void lightSurfaces() {
    surfaces_.resize(mesh_.triangles.size());
    std::vector<Light> colours;
    for (const Mesh::Material& material : mesh_.materials) colours.push_back(toLight(material.rgb));
    const Light plain = toLight(kNoMaterial);
    threads_.forEach(surfaces_.size(), 4096, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const std::size_t material = i < mesh_.material.size() ? mesh_.material[i] : colours.size();
        surfaces_[i] = surfaceOf(i, material < colours.size() ? colours[material] : plain);
      }
    });
  }

  Surface surfaceOf(std::size_t triangle, const Light& colour) const {
    Surface surface;
    for (const std::uint32_t c : mesh_.triangles[triangle])
      if (c >= mesh_.vertices.size()) return surface;
    const auto [a, b, c] = mesh_.corners(triangle);
    Point3 normal = cross(b - a, c - a);
    const double size = length(normal);
    if (!(size > 0) || !std::isfinite(size)) return surface;
    // Nothing depends on the order of corners: the side that is seen is the outside.
    normal = normal * (dot(normal, fine_.projection.towards) < 0 ? -1 / size : 1 / size);
    surface.sky = skyOn(normal);
    surface.sun = sunOn(normal, image_.sun);
    for (std::size_t i = 0; i < 3; ++i) surface.sky[i] *= colour[i], surface.sun[i] *= colour[i];
    const Screen& shadow = image_.shadows->screen();
    const Point3 away = normal * (1.5 * image_.shadows->texel()) + image_.sun * 0.02;
    const Point across = shadow.projection.plane(away);
    surface.shift = {static_cast<float>(across.x * shadow.scale), static_cast<float>(-across.y * shadow.scale),
                     static_cast<float>(dot(shadow.projection.towards, away))};
    return surface;
  }

  /// Means over the samples of each pixel, in proportion to light.
  void shadeRow(const Samples& samples, int row, const ToShadow& to_shadow) {
    const auto fine_width = static_cast<std::size_t>(samples.width);
    const int y = samples.first_row / kFine + row;
    for (int x = 0; x < image_.raster.width; ++x) {
      Light sum{};
      float nearest = kNoDepth;
      int seen = 0;
      for (int k = 0; k < kFine * kFine; ++k) {
        const int fine_x = x * kFine + k % kFine, fine_y = row * kFine + k / kFine;
        const std::size_t at = static_cast<std::size_t>(fine_y) * fine_width + static_cast<std::size_t>(fine_x);
        if (samples.triangle[at] == kNoTriangle) continue;
        const Surface& surface = surfaces_[samples.triangle[at]];
        float sun = 0;
        if (surface.sun[0] > 0 || surface.sun[1] > 0 || surface.sun[2] > 0) {
          const auto place =
              to_shadow(fine_x + 0.5, samples.first_row + fine_y + 0.5, samples.depth[at], surface.shift);
          sun = image_.shadows->sunlight(place[0], place[1], place[2]);
        }
        for (std::size_t i = 0; i < 3; ++i) sum[i] += surface.sky[i] + sun * surface.sun[i];
        nearest = std::max(nearest, samples.depth[at]);
        ++seen;
      }
      const std::size_t pixel = pixelAt(x, y);
      image_.depth[pixel] = nearest;
      coverage_[pixel] = static_cast<unsigned char>(seen);
      for (std::size_t i = 0; i < 3 && seen > 0; ++i) light_[pixel][i] = sum[i] / static_cast<float>(seen);
    }
  }

  /// How deep a pixel lies between two others on opposite sides of it, in m; nothing counts more than `most`. On a
  /// plane, however steep, that is nothing (after Luft et al. 2006, who unsharpen the depth buffer), and so it is
  /// beside the picture's border and the model's, where one of the two is not known.
  float hollow(int x, int y, int dx, int dy, float most) const {
    const int left = std::min(x + dx, x - dx), top = std::min(y + dy, y - dy);
    if (left < 0 || top < 0 || 2 * x - left >= image_.raster.width || 2 * y - top >= image_.raster.height) return 0;
    const float here = image_.depthAt(x, y), one = image_.depthAt(x + dx, y + dy), two = image_.depthAt(x - dx, y - dy);
    if (one == kNoDepth || two == kNoDepth) return 0;
    return std::clamp(one - here, -most, most) + std::clamp(two - here, -most, most);
  }

  /// Where to look for what hides the sky: in four directions and at two distances, which differ between the pixels of
  /// each square of sixteen.
  void layPattern() {
    const double pixel = 1 / image_.screen.scale;
    for (std::size_t cell = 0; cell < pattern_.size(); ++cell) {
      // Neighbours get turns and distances that are far apart.
      const double turn = static_cast<double>(cell * 7 % 16) / 16,
                   nearness = 0.3 + 0.7 * static_cast<double>(cell * 5 % 16) / 15;
      for (const double reach : {kNear, kFar}) {
        const double metres = std::clamp(reach * nearness, 1.5 * pixel, kMostReach * pixel);
        for (int way = 0; way < 4; ++way) {
          const Point3 to = directionOf(45 * (way + turn), 0) * (metres / pixel);
          pattern_[cell].push_back(
              {static_cast<int>(std::lround(to.x)), static_cast<int>(std::lround(to.y)), static_cast<float>(metres)});
        }
      }
    }
  }

  /// How much of the sky is hidden by what stands around, from 0 to 1.
  float hidden(int x, int y) const {
    const auto& looks = pattern_[static_cast<std::size_t>(y % kPattern * kPattern + x % kPattern)];
    float sum = 0;
    for (const Look& look : looks)
      sum += std::clamp(hollow(x, y, look.dx, look.dy, look.metres) / look.metres, 0.0f, 1.0f);
    return sum / static_cast<float>(looks.size());
  }

  /// The same, smoothly: the mean over the sixteen pixels around that belong to about the same surface.
  float hiddenAround(int x, int y) const {
    const float here = image_.depthAt(x, y), slack = 0.4f + static_cast<float>(kPattern / image_.screen.scale);
    float sum = 0, count = 0;
    for (int v = std::max(y - kPattern / 2, 0); v < std::min(y + kPattern / 2, image_.raster.height); ++v)
      for (int u = std::max(x - kPattern / 2, 0); u < std::min(x + kPattern / 2, image_.raster.width); ++u) {
        if (!(std::abs(image_.depthAt(u, v) - here) < slack)) continue;
        sum += hidden_[pixelAt(u, v)];
        ++count;
      }
    return count > 0 ? sum / count : 0;
  }

  /// Corners and the feet of walls get less of the sky, and steps a thin line.
  float darkness(int x, int y) const {
    const auto pixel = static_cast<float>(1 / image_.screen.scale);
    const float step = std::max(std::abs(hollow(x, y, 1, 0, 2)), std::abs(hollow(x, y, 0, 1, 2)));
    const float line = std::clamp(step / (0.4f + pixel) - 0.15f, 0.0f, 1.0f);
    return (1 - 0.55f * hiddenAround(x, y)) * (1 - 0.3f * line);
  }

  void finishRow(int y) {
    for (int x = 0; x < image_.raster.width; ++x) {
      const std::size_t pixel = pixelAt(x, y);
      if (coverage_[pixel] == 0) continue;
      Light light = light_[pixel];
      const float dim = darkness(x, y);
      for (float& part : light) part *= dim;
      const unsigned rgb = fromLight(light), alpha = coverage_[pixel] * 255u / (kFine * kFine);
      const auto part = [&](int shift) { return (((rgb >> shift) & 0xff) * alpha + 127) / 255 << shift; };
      image_.raster.pixels[pixel] = alpha << 24 | part(16) | part(8) | part(0);
    }
  }

  const Mesh& mesh_;
  MeshImage& image_;
  const base::Threads& threads_;
  Screen fine_;
  std::vector<Surface> surfaces_;
  std::vector<Light> light_;
  std::array<std::vector<Look>, kPattern * kPattern> pattern_;
  std::vector<float> hidden_;            ///< share of the sky
  std::vector<unsigned char> coverage_;  ///< samples of each pixel that show something
};

}  // namespace

MeshImage renderMesh(const Mesh& mesh, const Projection& projection, const PageTransform& page,
                     const base::Threads& threads) {
  MeshImage image;
  const Rectangle& panel = page.panel();
  image.left = static_cast<int>(std::floor(panel.min.x));
  image.top = static_cast<int>(std::floor(panel.min.y));
  const int width = std::max(static_cast<int>(std::ceil(panel.max.x)) - image.left, 1);
  const int height = std::max(static_cast<int>(std::ceil(panel.max.y)) - image.top, 1);
  const Point corner{static_cast<double>(image.left), static_cast<double>(image.top)};
  image.screen = {projection, page.toPage(1.0), page.toPage(Point{}) - corner, width, height};
  const std::size_t count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  image.raster = {width, height, std::vector<std::uint32_t>(count)};
  image.depth.assign(count, kNoDepth);
  if (const auto box = boundsOf(mesh)) Renderer(mesh, image, threads).draw(*box);
  return image;
}

}  // namespace throng::draw
