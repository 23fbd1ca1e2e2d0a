// People as small figures on a model that is seen obliquely.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "draw/mesh_render.h"
#include "draw/people.h"

namespace throng::draw {

/// Figures 1.75 m tall, as wide as the person, with a head and a shadow. Where that would be smaller than a few pixels
/// they are drawn larger, up to about twice. What the model hides is not drawn.
class Figures {
 public:
  /// `unit`: px on the page; the smallest figure follows it.
  Figures(const MeshImage& image, double unit);

  /// Onto `raster`, which begins as a copy of the image's own.
  void paint(Raster& raster, const Moment& moment, const Colouring& colouring);

 private:
  /// One pixel of a figure, as the sun and as the shade show it.
  struct Texel {
    float lift;  ///< m nearer to the viewer than the figure's feet
    std::uint8_t alpha, lit, unlit, head;
  };
  /// Figures of one size whose feet have the same place within a pixel look the same.
  struct Sprite {
    int left = 0, top = 0, width = 0, height = 0;  ///< px from the pixel of the feet
    std::vector<Texel> texels;
  };
  struct Standing {
    double depth;
    int x, y;
    const Sprite *figure, *shadow;
    Colour colour;
    bool is_lit;
  };
  struct Key {
    int size, x, y;
    bool is_shadow, is_lit;
    auto operator<=>(const Key&) const = default;
  };

  const Sprite& sprite(const Key& key);
  Sprite figureOf(const Key& key) const;
  Sprite shadowOf(const Key& key) const;
  template <class Sample>
  Sprite sampled(const Key& key, const Rectangle& box, const Sample& sample) const;
  template <class Blend>
  void stamp(Raster& raster, const Standing& person, const Sprite& sprite, const Blend& blend) const;
  void paintShadow(Raster& raster, const Standing& person) const;
  void paintFigure(Raster& raster, const Standing& person) const;

  const MeshImage& image_;
  double scale_;     ///< px per m
  double enlarged_;  ///< how much larger than life figures are
  int steps_;        ///< places within a pixel, along each side
  std::map<Key, Sprite> sprites_;
  std::vector<Standing> standing_;
};

}  // namespace throng::draw
