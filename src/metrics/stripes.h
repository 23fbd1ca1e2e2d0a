// Stripes where two streams cross: waves in the difference of the two streams' densities, by its power spectrum, which
// does not mind that the stripes move.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "throng/metrics.h"

#include "metrics/streams.h"

namespace throng::metrics {

class StripeWatch {
 public:
  explicit StripeWatch(MeetingPlace place);

  std::uint16_t layer() const { return place_.layer(); }
  void observe(std::uint32_t person, std::uint16_t population, Point place);
  void endLook();
  StripeReport report() const;

  /// The stripes of the report, where they fit the people (population, place) of one moment best.
  void addShapes(std::span<const std::pair<std::uint16_t, Point>> walkers, std::size_t streams,
                 std::vector<StripeShape>& shapes) const;

  // The spectrum: wave vectors are spacing() · (column, line), with |column| and |line| up to waves().
  int waves() const { return waves_; }
  double spacing() const { return spacing_; }  ///< rad/m
  /// Share of what is possible, over all looks; without the part that people have with themselves, so 0 on average
  /// when there is no order.
  double power(int column, int line) const;

 private:
  struct Walker {
    std::uint32_t person;
    Point offset;   ///< m, from the middle
    double weight;  ///< falls to 0 at the window's border, so that the border makes no waves
    double stream;  ///< 1 or -1
  };
  struct Complex {
    double re, im;
  };

  struct Peak {
    Point wave;  ///< rad/m; 0: none
    double power = 0;
  };
  Peak peak() const;
  std::optional<Walker> walker(std::uint32_t person, std::uint16_t population, Point place) const;
  /// How much one stream has more of than the other, -1 to 1, and the weights of all.
  static std::pair<double, double> balanceOf(const std::vector<Walker>& people);
  void addWaves(const Walker& who, double charge);
  std::size_t index(int column, int line) const;

  MeetingPlace place_;
  Point middle_;
  double radius_;   ///< m, of the window
  double spacing_;  ///< rad/m
  int waves_;
  std::uint64_t looks_ = 0;
  double possible_ = 0;
  std::vector<double> power_;  ///< columns 0 … waves, lines -waves … waves; the other half mirrors it
  // Scratch of one look.
  std::vector<Walker> people_;
  std::vector<Complex> amplitude_, columns_, lines_;
};

}  // namespace throng::metrics
