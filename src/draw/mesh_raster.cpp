#include "draw/mesh_raster.h"

#include <algorithm>
#include <array>

#include "base/math.h"

namespace throng::draw {
namespace {

constexpr std::size_t kGrain = 4096;  // triangles

bool isFinite(const Point3& p) { return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z); }

bool isDrawable(const Mesh& mesh, const Mesh::Corners& corners) {
  return std::all_of(corners.begin(), corners.end(),
                     [&](std::uint32_t c) { return c < mesh.vertices.size() && isFinite(mesh.vertices[c]); });
}

/// The first sample at or after x, between 0 and `count`.
int sampleAfter(double x, int count) {
  return static_cast<int>(std::clamp(std::ceil(x - 0.5), 0.0, static_cast<double>(count)));
}

}  // namespace

std::optional<Box> boundsOf(const Mesh& mesh) {
  std::optional<Box> box;
  for (const Mesh::Corners& corners : mesh.triangles) {
    if (!isDrawable(mesh, corners)) continue;
    for (const std::uint32_t c : corners) {
      const Point3& p = mesh.vertices[c];
      if (!box) box = Box{p, p};
      box->min = {std::min(box->min.x, p.x), std::min(box->min.y, p.y), std::min(box->min.z, p.z)};
      box->max = {std::max(box->max.x, p.x), std::max(box->max.y, p.y), std::max(box->max.z, p.z)};
    }
  }
  return box;
}

Point3 directionOf(double azimuth, double elevation) {
  double sin_a = 0, cos_a = 0, sin_e = 0, cos_e = 0;
  base::sinCos(azimuth * base::kPi / 180, sin_a, cos_a);
  base::sinCos(elevation * base::kPi / 180, sin_e, cos_e);
  return {cos_a * cos_e, sin_a * cos_e, sin_e};
}

Projection fromAbove(const Point3& centre) { return {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, centre}; }

Projection obliquely(const Oblique& view, const Point3& centre) {
  const Point3 ahead = directionOf(view.azimuth, 0);
  const Point3 down = directionOf(view.azimuth, -view.elevation);
  const Point3 right{ahead.y, -ahead.x, 0};
  return {right, cross(right, down), down * -1, centre};
}

bool Rasteriser::project(std::size_t triangle, Piece& piece) const {
  const Mesh::Corners& corners = mesh_.triangles[triangle];
  if (!isDrawable(mesh_, corners)) return false;
  struct Seen {
    Corner at;
    double depth;
  };
  std::array<Seen, 3> seen;
  for (std::size_t k = 0; k < 3; ++k) {
    const Point3& p = mesh_.vertices[corners[k]];
    const Point at = screen_.toScreen(p);
    seen[k] = {{at.x, at.y}, screen_.projection.depth(p)};
  }
  std::sort(seen.begin(), seen.end(),
            [](const Seen& a, const Seen& b) { return a.at.y != b.at.y ? a.at.y < b.at.y : a.at.x < b.at.x; });
  const auto& [a, b, c] = seen;
  const double bx = b.at.x - a.at.x, by = b.at.y - a.at.y, cx = c.at.x - a.at.x, cy = c.at.y - a.at.y;
  const double area = bx * cy - cx * by;
  // Seen edge-on (or so far away that it has no area), it hides nothing.
  if (!(area != 0) || !std::isfinite(area)) return false;
  const double left = std::min({a.at.x, b.at.x, c.at.x}), right = std::max({a.at.x, b.at.x, c.at.x});
  if (c.at.y < 0.5 || a.at.y > screen_.height || right < 0.5 || left > screen_.width) return false;
  const double db = b.depth - a.depth, dc = c.depth - a.depth;
  const auto [low, high] = std::minmax({a.depth, b.depth, c.depth});
  piece = {{a.at, b.at, c.at},
           a.depth,
           (db * cy - dc * by) / area,
           (dc * bx - db * cx) / area,
           static_cast<float>(high),
           static_cast<float>(low),
           static_cast<std::uint32_t>(triangle)};
  return true;
}

Rasteriser::Rasteriser(const Mesh& mesh, const Screen& screen, int band_rows, const base::Threads& threads)
    : mesh_(mesh), screen_(screen), band_rows_(band_rows) {
  std::vector<Piece> all(mesh.triangles.size());
  std::vector<char> is_seen(all.size());
  threads.forEach(all.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) is_seen[i] = project(i, all[i]);
  });
  for (std::size_t i = 0; i < all.size(); ++i)
    if (is_seen[i]) pieces_.push_back(all[i]);

  const auto bands = static_cast<std::size_t>((screen.height + band_rows - 1) / band_rows);
  const auto each = [&](const Piece& piece, const auto& visit) {
    const int first = sampleAfter(piece.corner[0].y, screen_.height);
    const int end = sampleAfter(piece.corner[2].y, screen_.height);
    for (int band = first / band_rows_; first < end && band <= (end - 1) / band_rows_; ++band)
      visit(static_cast<std::size_t>(band));
  };
  band_begin_.assign(bands + 1, 0);
  for (const Piece& piece : pieces_) each(piece, [&](std::size_t band) { ++band_begin_[band + 1]; });
  for (std::size_t i = 0; i < bands; ++i) band_begin_[i + 1] += band_begin_[i];
  band_pieces_.resize(band_begin_.back());
  std::vector<std::size_t> next(band_begin_.begin(), band_begin_.end() - 1);
  for (std::size_t i = 0; i < pieces_.size(); ++i)
    each(pieces_[i], [&](std::size_t band) { band_pieces_[next[band]++] = static_cast<std::uint32_t>(i); });
}

void Rasteriser::draw(std::size_t band, Samples& samples) const {
  samples.first_row = static_cast<int>(band) * band_rows_;
  samples.rows = std::min(band_rows_, screen_.height - samples.first_row);
  samples.width = screen_.width;
  const std::size_t count = static_cast<std::size_t>(samples.rows) * static_cast<std::size_t>(samples.width);
  samples.depth.assign(count, kNoDepth);
  samples.triangle.assign(count, kNoTriangle);
  for (std::size_t i = band_begin_[band]; i < band_begin_[band + 1]; ++i) drawPiece(pieces_[band_pieces_[i]], samples);
}

/// Row by row, between the two edges that the row crosses.
void Rasteriser::drawPiece(const Piece& piece, Samples& samples) {
  const Corner &a = piece.corner[0], &b = piece.corner[1], &c = piece.corner[2];
  const auto at = [](const Corner& from, const Corner& to, double y) {
    return from.x + (to.x - from.x) * ((y - from.y) / (to.y - from.y));
  };
  const int last = samples.first_row + samples.rows;
  const int begin = std::max(sampleAfter(a.y, last), samples.first_row), end = sampleAfter(c.y, last);
  for (int row = begin; row < end; ++row) {
    const double y = row + 0.5;
    const double one = at(a, c, y), other = y < b.y ? at(a, b, y) : at(b, c, y);
    const int from = sampleAfter(std::min(one, other), samples.width);
    const int to = sampleAfter(std::max(one, other), samples.width);
    const auto start = static_cast<float>(piece.depth + (from + 0.5 - a.x) * piece.depth_x + (y - a.y) * piece.depth_y);
    const auto step = static_cast<float>(piece.depth_x);
    const std::size_t line =
        static_cast<std::size_t>(row - samples.first_row) * static_cast<std::size_t>(samples.width);
    float* depth = samples.depth.data() + line;
    std::uint32_t* triangle = samples.triangle.data() + line;
    for (int x = from; x < to; ++x) {
      // Rounding must not carry a triangle that is nearly edge-on beyond its own corners.
      const float d = std::min(std::max(start + step * static_cast<float>(x - from), piece.farthest), piece.nearest);
      const bool is_nearer = d > depth[x];
      depth[x] = is_nearer ? d : depth[x];
      triangle[x] = is_nearer ? piece.triangle : triangle[x];
    }
  }
}

}  // namespace throng::draw
