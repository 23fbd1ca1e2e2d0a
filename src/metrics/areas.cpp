#include "metrics/areas.h"

#include <fmt/format.h>
#include <utility>

#include "geometry/boxes.h"
#include "geometry/predicates.h"
#include "metrics/spread.h"

namespace throng::metrics {

AreaWatch::AreaWatch(MeasurementArea area, std::uint16_t layer)
    : area_(std::move(area)), size_(geometry::area(area_.area)), layer_(layer) {
  if (!(size_ > 0)) throw InputError(fmt::format("measurement area \"{}\" must enclose more than 0 m²", area_.name));
  bounds_ = geometry::bounds(area_.area).value();
}

void AreaWatch::observe(Point place, const Move& move) {
  if (!geometry::boxContains(bounds_, place) || !geometry::contains(area_.area, place)) return;
  ++inside_;
  if (!move.known) return;
  ++moving_;
  speeds_ += move.speed;
}

void AreaWatch::endFrame() {
  density_.push_back(static_cast<double>(inside_) / size_);
  if (moving_ > 0) speed_.push_back(speeds_ / static_cast<double>(moving_));
  inside_ = moving_ = 0;
  speeds_ = 0;
}

AreaReport AreaWatch::report() const { return {area_.name, spreadOf(density_), spreadOf(speed_)}; }

}  // namespace throng::metrics
