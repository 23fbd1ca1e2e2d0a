#include "throng/frame.h"

namespace throng {

FrameCopy::FrameCopy(const Frame& frame) { assign(frame); }

void FrameCopy::assign(const Frame& f) {
  time = f.time;
  index = f.index;
  person.assign(f.person.begin(), f.person.end());
  x.assign(f.x.begin(), f.x.end());
  y.assign(f.y.begin(), f.y.end());
  z.assign(f.z.begin(), f.z.end());
  slope.assign(f.slope.begin(), f.slope.end());
  slope.resize(f.size(), 0);
  heading_x.assign(f.heading_x.begin(), f.heading_x.end());
  heading_y.assign(f.heading_y.begin(), f.heading_y.end());
  radius.assign(f.radius.begin(), f.radius.end());
  population.assign(f.population.begin(), f.population.end());
  layer.assign(f.layer.begin(), f.layer.end());
}

void FrameCopy::clear() { resize(0); }

void FrameCopy::resize(std::size_t n) {
  person.resize(n);
  for (auto* column : {&x, &y, &z, &slope, &heading_x, &heading_y, &radius}) column->resize(n);
  population.resize(n);
  layer.resize(n);
}

Frame FrameCopy::view() const {
  return {time, index, person, x, y, z, slope, heading_x, heading_y, radius, population, layer, {}};
}

}  // namespace throng
