// People as discs, their trails, and their trajectories.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "throng/draw.h"

#include "draw/canvas.h"
#include "draw/motion.h"
#include "draw/panels.h"

namespace throng::draw {

/// Which colour stands for what.
struct Colouring {
  ColourBy by = ColourBy::kPopulation;
  double from = 0, to = 1;  ///< s or m/s, for colours from a map

  Colour of(const Person& person, double time) const;
};

class Model;

/// Discs of true radius with a tick that shows the heading; a pixel at least. On a model they are a little larger at
/// least, with a light rim, and faint under its roofs.
void paintPeople(Canvas& canvas, const PageTransform& page, const Moment& moment, const Colouring& colouring,
                 double unit, const Model* model = nullptr);

/// Where the people of the moment came from, fading into the past.
void paintTrails(Canvas& canvas, const PageTransform& page, const Panel& panel, const Moment& moment,
                 const Playback& playback, double trail, const Colouring& colouring, double unit);

/// Lines that people walked, on the page, panel by panel. Points closer than a third of a pixel are left out, so that a
/// long run fits in memory.
class Trajectories {
 public:
  /// `pages` are those of the panels.
  Trajectories(const std::vector<Panel>& panels, const std::vector<PageTransform>& pages, const Colouring& colouring);

  /// The reader's next moment.
  void add(const MomentReader& reader);
  void paint(Canvas& canvas, std::size_t panel, double unit) const;

 private:
  struct Knot {
    float x, y;   ///< px
    float value;  ///< in [0, 1], for colours from a map
    bool begins;  ///< a new line, not joined to the knot before
  };
  struct Track {
    std::uint16_t population = 0;
    std::uint16_t panel = 0;
    bool is_first = true;  ///< the person's; on other panels they go on
    double time = 0;       ///< s; of the last moment
    std::vector<Knot> knots;
  };
  double shareOf(const Person& person, double time) const;
  void append(Track& track, Point at, double value, bool begins, bool keep) const;
  void strokePlain(Canvas& canvas, const Track& track, double alpha, double unit) const;
  void strokeByValue(Canvas& canvas, const Track& track, double alpha, double unit) const;

  const std::vector<Panel>& panels_;
  const std::vector<PageTransform>& pages_;
  Colouring colouring_;
  std::vector<Track> tracks_;  ///< one per person and panel
  std::unordered_map<std::uint64_t, std::size_t> track_of_;
  std::unordered_set<std::uint32_t> persons_;
};

}  // namespace throng::draw
