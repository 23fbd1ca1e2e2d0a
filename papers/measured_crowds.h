// What cameras saw of real people, read and measured with the methods of the field. People who are simulated are
// measured by the same code.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "throng/shapes.h"

namespace throng::papers {

/// Somebody at one moment.
struct Sighting {
  std::uint32_t person = 0;
  std::int64_t frame = 0;
  Point at;  ///< m
};

/// Where people were, moment by moment, in order of frame, then of person.
struct Trajectories {
  double rate = 25;   ///< frames/s
  double length = 0;  ///< m along x after which the place begins again; 0: it does not
  std::vector<Sighting> sightings;

  /// Puts the sightings in order.
  void sort();
};

/// The folder of the experiments: in that named by THRONG_DATA, else beside the source tree in shared/data.
std::filesystem::path experimentsFolder();

/// What a file does not say itself.
struct FileFacts {
  double rate = 25;  ///< frames/s
  double unit = 1;   ///< m
};
/// Lines of person, frame, x, y and anything else, with blanks or commas between; those with # are comments, and the
/// first may name the columns. Throws FileError when it cannot be read, InputError with the line when it is malformed.
Trajectories readTrajectories(const std::string& path, const FileFacts& facts);

/// Density and speed at one moment, in people per m² (in single file: per m) and m/s.
struct Sample {
  double density = 0, speed = 0;
};

/// A corridor along x, and when and where in it is measured.
struct Watched {
  Rectangle corridor;                ///< m, as far as the cameras saw
  Rectangle area;                    ///< m, in which is measured
  std::int64_t first = 0, last = 0;  ///< frames
};

inline constexpr double kSpeedTime = 0.4;    // s before and after a moment, between which speed is taken
inline constexpr double kSampleTime = 0.24;  // s from one sample to the next, at least

/// Everybody has the Voronoi cell around them, which ends at the walls. The density of the area is the sum over people
/// of the share of their cell that lies in it, divided by its size; the speed is the mean over its size of the speeds
/// of those to whom its parts belong (Steffen & Seyfried 2010). Speeds are along x, forwards being where a person gets
/// to in the end. Moments without anybody are no samples.
std::vector<Sample> voronoiSamples(const Trajectories& people, const Watched& watched);

/// People one behind the other along x: density is 1 / the distance to the one in front; one sample per person and
/// moment.
std::vector<Sample> fileSamples(const Trajectories& people);

/// The samples of one range of densities.
struct Band {
  double from = 0, to = 0;  ///< density
  std::size_t samples = 0;
  double mean = 0, low = 0, high = 0;  ///< m/s: of the speeds, with 5 % of them below `low` and 5 % above `high`
};
/// Ranges `width` wide, beginning at 0, that have at least `least` samples.
std::vector<Band> bandsOf(std::span<const Sample> samples, double width, std::size_t least);

/// s, in order: when each person first passes a line across y downwards, on the straight way between two frames.
std::vector<double> passingTimes(const Trajectories& people, double y);
/// People/s between two of those who pass, such as from the 10 % person to the 90 % person.
double flowBetween(std::span<const double> passing, std::size_t from, std::size_t to);
/// Mean over the frames of a time of the number of people in an area, per m².
double meanDensity(const Trajectories& people, const Rectangle& area, double from, double to);

}  // namespace throng::papers
