#include "draw/mesh_people.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace throng::draw {
namespace {

constexpr double kHeight = 1.75;    // m
constexpr double kSizeStep = 0.04;  // m; radii are rounded to these
constexpr double kMostEnlarged = 2.2;
constexpr double kLeastWidth = 2.6;                                   // px on a page 1200 px wide, of the body
constexpr double kHeadMiddle = 1.58, kHead = 0.17, kShoulders = 1.4;  // m
constexpr double kSunk = 0.25;  // m; ground may rise this much around somebody's feet without hiding them
constexpr double kBlobAbove = 0.12, kBlobBelow = 0.4;  // m; a shadow lies on what is this near to level ground
constexpr int kRays = 4;                               // along each side of a pixel

/// Where a line of sight meets a figure that stands at the origin.
struct Hit {
  double depth = 0;
  Point3 normal;
  bool is_head = false;
};

/// The larger root of a·t² + 2·b·t + c = 0: the side that is seen.
std::optional<double> nearRoot(double a, double b, double c) {
  const double d = b * b - a * c;
  if (!(d >= 0) || a == 0) return {};
  const double r = std::sqrt(d);
  return std::max((-b + r) / a, (-b - r) / a);
}

class FigureShape {
 public:
  FigureShape(double radius, double size) : size_(size), foot_(0.6 * radius * size), top_(0.95 * radius * size) {}

  /// Along `from` + t · `towards`.
  std::optional<Hit> seen(const Point3& from, const Point3& towards) const {
    std::optional<Hit> best;
    const auto keep = [&](std::optional<double> t, const auto& normal, bool is_head) {
      if (!t || (best && best->depth >= *t)) return;
      const Point3 at = from + towards * *t;
      const Point3 n = normal(at);
      best = Hit{*t, n * (1 / std::max(length(n), 1e-12)), is_head};
    };
    const Point3 head{0, 0, kHeadMiddle * size_}, to_head = from - head;
    keep(
        nearRoot(1, dot(to_head, towards), dot(to_head, to_head) - square(kHead * size_)),
        [&](const Point3& p) { return p - head; }, true);
    keep(
        body(from, towards),
        [&](const Point3& p) {
          return Point3{p.x, p.y, taper() * -1 * radiusAt(p.z)};
        },
        false);
    keep(
        shoulders(from, towards),
        [](const Point3&) {
          return Point3{0, 0, 1};
        },
        false);
    return best;
  }

 private:
  static double square(double v) { return v * v; }
  double taper() const { return (top_ - foot_) / (kShoulders * size_); }
  double radiusAt(double z) const { return foot_ + taper() * z; }

  /// A cone without its tip.
  std::optional<double> body(const Point3& o, const Point3& d) const {
    const double k = taper(), r = radiusAt(o.z);
    const auto t = nearRoot(d.x * d.x + d.y * d.y - square(k * d.z), o.x * d.x + o.y * d.y - k * d.z * r,
                            o.x * o.x + o.y * o.y - r * r);
    if (!t) return {};
    const double z = o.z + d.z * *t;
    return z >= 0 && z <= kShoulders * size_ ? t : std::nullopt;
  }
  std::optional<double> shoulders(const Point3& o, const Point3& d) const {
    if (!(d.z > 1e-9)) return {};
    const double t = (kShoulders * size_ - o.z) / d.z;
    const Point3 p = o + d * t;
    return p.x * p.x + p.y * p.y <= top_ * top_ ? std::optional(t) : std::nullopt;
  }

  double size_, foot_, top_;
};

std::uint8_t toByte(double v) { return static_cast<std::uint8_t>(std::clamp(v * 255 + 0.5, 0.0, 255.0)); }

/// `over` with this alpha over a pixel.
std::uint32_t blended(std::uint32_t under, std::uint32_t over, unsigned alpha) {
  const auto part = [&](int shift) {
    const unsigned a = (under >> shift) & 0xff, b = (over >> shift) & 0xff;
    return (a * (255 - alpha) + b * alpha + 127) / 255 << shift;
  };
  return part(24) | part(16) | part(8) | part(0);
}

}  // namespace

Figures::Figures(const MeshImage& image, double unit) : image_(image), scale_(image.screen.scale) {
  enlarged_ = std::clamp(kLeastWidth * unit / (0.5 * scale_), 1.0, kMostEnlarged);
  const double tall = kHeight * enlarged_ * scale_;
  steps_ = tall < 30 ? 4 : tall < 120 ? 2 : 1;
}

/// Samples a sprite pixel by pixel. `box`: m from the feet on the picture's plane, y up.
template <class Sample>
Figures::Sprite Figures::sampled(const Key& key, const Rectangle& box, const Sample& sample) const {
  Sprite sprite;
  const Point feet{(key.x + 0.5) / steps_, (key.y + 0.5) / steps_};
  sprite.left = static_cast<int>(std::floor(feet.x + box.min.x * scale_)) - 1;
  sprite.top = static_cast<int>(std::floor(feet.y - box.max.y * scale_)) - 1;
  sprite.width = static_cast<int>(std::ceil(feet.x + box.max.x * scale_)) + 1 - sprite.left;
  sprite.height = static_cast<int>(std::ceil(feet.y - box.min.y * scale_)) + 1 - sprite.top;
  for (int y = 0; y < sprite.height; ++y)
    for (int x = 0; x < sprite.width; ++x)
      sprite.texels.push_back(sample([&](const auto& ray) {
        for (int k = 0; k < kRays * kRays; ++k) {
          const double px = sprite.left + x + (k % kRays + 0.5) / kRays - feet.x;
          const double py = sprite.top + y + (k / kRays + 0.5) / kRays - feet.y;
          ray(Point{px / scale_, -py / scale_});
        }
      }));
  return sprite;
}

Figures::Sprite Figures::figureOf(const Key& key) const {
  const Projection& view = image_.screen.projection;
  const double radius = key.size * kSizeStep;
  const FigureShape shape(radius, enlarged_);
  const double reach = std::max(radius, kHead) * enlarged_;
  const double above = kHeight * enlarged_ * view.up.z + reach;
  return sampled(key, {{-reach, -reach}, {reach, above}}, [&](const auto& rays) {
    double count = 0, lift = 0, lit = 0, unlit = 0, head = 0;
    rays([&](Point at) {
      const auto hit = shape.seen(view.right * at.x + view.up * at.y, view.towards);
      if (!hit) return;
      ++count;
      lift += hit->depth;
      head += hit->is_head;
      // A darker rim keeps figures apart from what is behind them.
      const double rim = dot(hit->normal, view.towards) < 0.4 ? 0.72 : 1;
      const double sky = 0.62 + 0.14 * hit->normal.z;
      lit += rim * (sky + 0.42 * std::max(dot(hit->normal, image_.sun), 0.0));
      unlit += rim * (sky - 0.08);
    });
    if (count == 0) return Texel{};
    return Texel{static_cast<float>(lift / count), toByte(count / (kRays * kRays)), toByte(lit / count),
                 toByte(unlit / count), toByte(head / count)};
  });
}

/// On level ground: a soft blob around the feet and, in the sun, the shadow that the figure throws.
Figures::Sprite Figures::shadowOf(const Key& key) const {
  const Projection& view = image_.screen.projection;
  const Point3& sun = image_.sun;
  const double radius = key.size * kSizeStep * enlarged_;
  const Point fall = Point{-sun.x, -sun.y} * (kHeight * enlarged_ / sun.z);
  const Point end = view.plane({fall.x, fall.y, 0});
  const double reach = 1.6 * radius;
  const Rectangle box{{std::min(end.x, 0.0) - reach, std::min(end.y, 0.0) - reach},
                      {std::max(end.x, 0.0) + reach, std::max(end.y, 0.0) + reach}};
  return sampled(key, box, [&](const auto& rays) {
    double dark = 0, lift = 0;
    rays([&](Point at) {
      // The place on the ground through the feet that is seen there.
      const Point3 p = view.right * at.x + view.up * at.y;
      const double depth = -p.z / view.towards.z;
      const Point ground{p.x + view.towards.x * depth, p.y + view.towards.y * depth};
      lift += depth;
      const double around = throng::length(ground) / (1.5 * radius);
      double here = around < 1 ? 0.34 * (1 - around * around) : 0;
      if (key.is_lit) {
        const double along = std::clamp(dot(ground, fall) / dot(fall, fall), 0.0, 1.0);
        if (throng::length(ground - fall * along) < 0.75 * radius) here = std::max(here, 0.4);
      }
      dark += here;
    });
    constexpr double kAll = kRays * kRays;
    return Texel{static_cast<float>(lift / kAll), toByte(dark / kAll), 0, 0, 0};
  });
}

const Figures::Sprite& Figures::sprite(const Key& key) {
  const auto found = sprites_.find(key);
  if (found != sprites_.end()) return found->second;
  return sprites_.emplace(key, key.is_shadow ? shadowOf(key) : figureOf(key)).first->second;
}

template <class Blend>
void Figures::stamp(Raster& raster, const Standing& person, const Sprite& sprite, const Blend& blend) const {
  const int left = person.x + sprite.left, top = person.y + sprite.top;
  const int x0 = std::max(left, 0), x1 = std::min(left + sprite.width, raster.width);
  const int y0 = std::max(top, 0), y1 = std::min(top + sprite.height, raster.height);
  for (int y = y0; y < y1; ++y) {
    const Texel* texel = sprite.texels.data() + static_cast<std::ptrdiff_t>(y - top) * sprite.width + (x0 - left);
    const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(y) * raster.width;
    for (int x = x0; x < x1; ++x, ++texel) {
      if (texel->alpha == 0) continue;
      const auto at = static_cast<std::size_t>(row + x);
      blend(*texel, static_cast<float>(person.depth) + texel->lift, image_.depth[at], raster.pixels[at]);
    }
  }
}

void Figures::paintShadow(Raster& raster, const Standing& person) const {
  const auto above = static_cast<float>(kBlobAbove + 1 / scale_), below = static_cast<float>(kBlobBelow + 1 / scale_);
  stamp(raster, person, *person.shadow, [=](const Texel& texel, float depth, float there, std::uint32_t& pixel) {
    if (there < depth + above && there > depth - below)
      pixel = (pixel & 0xff000000u) | (blended(pixel, 0x10141c, texel.alpha) & 0xffffffu);
  });
}

void Figures::paintFigure(Raster& raster, const Standing& person) const {
  const Colour& c = person.colour;
  const Colour head = mixed(c, colour(0xf6e3d0), 0.55);
  const auto slack = static_cast<float>(kSunk + 1 / scale_);
  stamp(raster, person, *person.figure, [&](const Texel& texel, float depth, float there, std::uint32_t& pixel) {
    if (there > depth + slack) return;
    const double shade = (person.is_lit ? texel.lit : texel.unlit) / 255.0, share = texel.head / 255.0;
    const auto part = [&](double body, double crown) {
      return static_cast<std::uint32_t>(toByte((body + (crown - body) * share) * shade));
    };
    const std::uint32_t over =
        0xff000000u | part(c.red, head.red) << 16 | part(c.green, head.green) << 8 | part(c.blue, head.blue);
    pixel = blended(pixel, over, texel.alpha);
  });
}

void Figures::paint(Raster& raster, const Moment& moment, const Colouring& colouring) {
  standing_.clear();
  const double margin = 3 * kHeight * enlarged_ * scale_;
  for (const Person& p : moment.people) {
    const Point3 feet{p.position.x, p.position.y, p.z};
    const Point at = image_.screen.toScreen(feet);
    if (!(at.x > -margin && at.y > -margin && at.x < raster.width + margin && at.y < raster.height + margin)) continue;
    const double left = std::floor(at.x), top = std::floor(at.y);
    Key key{static_cast<int>(std::clamp(std::round(p.radius / kSizeStep), 2.0, 25.0)),
            static_cast<int>((at.x - left) * steps_), static_cast<int>((at.y - top) * steps_), false, true};
    const bool is_lit = !image_.shadows || image_.shadows->sunlight(feet + Point3{0, 0, 1}) > 0.5f;
    const Sprite& figure = sprite(key);
    key.is_shadow = true;
    key.is_lit = is_lit;
    standing_.push_back({image_.screen.projection.depth(feet), static_cast<int>(left), static_cast<int>(top), &figure,
                         &sprite(key), colouring.of(p, moment.time), is_lit});
  }
  for (const Standing& person : standing_) paintShadow(raster, person);
  // From the farthest to the nearest: those in front hide those behind.
  std::stable_sort(standing_.begin(), standing_.end(),
                   [](const Standing& a, const Standing& b) { return a.depth < b.depth; });
  for (const Standing& person : standing_) paintFigure(raster, person);
}

}  // namespace throng::draw
