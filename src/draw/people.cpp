#include "draw/people.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "draw/ground.h"
#include "draw/mesh_picture.h"

namespace throng::draw {
namespace {

constexpr double kSmallestDisc = 1.5;     // px; smaller people are squares, which are much faster to draw
constexpr double kSmallestTicked = 4;     // px
constexpr double kSmallestOnModel = 2.3;  // px on a page 1200 px wide
constexpr double kMostEnlarged = 4;  // on a model; where that is less, people are smaller, so that it stays in sight
constexpr double kCovered = 0.3;     // alpha
constexpr std::size_t kTrailShades = 6;
constexpr double kLongestPiece = 15;  // m/s; from layer to layer, more than this is a lift
constexpr int kMapShades = 64;
constexpr double kThinning = 1.0 / 3;  // px

bool isNear(const Rectangle& panel, Point p, double r) {
  return p.x + r >= panel.min.x && p.x - r <= panel.max.x && p.y + r >= panel.min.y && p.y - r <= panel.max.y;
}

bool jumps(Point a, Point b, Point d) { return length(b - a - d) > 1e-6 * (1 + length(b - a)); }

void paintDisc(Canvas& canvas, Point at, double r, Colour c, double unit) {
  if (r < kSmallestDisc) {
    const double half = std::max(r, 0.5);
    canvas.cell({{at.x - half, at.y - half}, {at.x + half, at.y + half}}, c);
    return;
  }
  // Two discs make a rim faster than a disc and a line do.
  const double rim = std::min(unit, 0.25 * r);
  canvas.disc(at, r, mixed(c, colour(0x000000), 0.35));
  canvas.disc(at, r - rim, c);
}

double radiusOnModel(double r, double unit) {
  return std::max({r, std::min(kMostEnlarged * r, kSmallestOnModel * unit), 0.8 * unit});
}

/// From 0 for east, a quarter for north, to 1.
double turnOf(Point heading) {
  const double turn = std::atan2(heading.y, heading.x) / (2 * std::numbers::pi);
  return turn < 0 ? turn + 1 : turn;
}

ColourMap mapFor(ColourBy by) {
  if (by == ColourBy::kTime) return ColourMap::kTime;
  return by == ColourBy::kDirection ? ColourMap::kDirection : ColourMap::kSpeed;
}

/// Pieces of trails of one colour, by age.
using Shades = std::array<Path, kTrailShades>;

/// Order of colours, so that pictures do not depend on anything else.
using ColourKey = std::array<double, 3>;

void appendPiece(Path& path, Point a, Point b) {
  if (!path.parts.empty() && path.parts.back().points.back() == a) {
    path.parts.back().points.push_back(b);
  } else {
    path.parts.push_back({{a, b}, false});
  }
}

}  // namespace

Colour Colouring::of(const Person& person, double time) const {
  switch (by) {
    case ColourBy::kSpeed:
      return mapColour(ColourMap::kSpeed, to > from ? (person.speed - from) / (to - from) : 0);
    case ColourBy::kDirection:
      return mapColour(ColourMap::kDirection, turnOf(person.heading));
    case ColourBy::kTime:
      return mapColour(ColourMap::kTime, to > from ? (time - from) / (to - from) : 0);
    case ColourBy::kPopulation:
      break;
  }
  return populationColour(person.population);
}

void paintPeople(Canvas& canvas, const PageTransform& page, const Moment& moment, const Colouring& colouring,
                 double unit, const Model* model) {
  canvas.beginGroup("people");
  Path ticks;
  std::vector<Dot> dots;
  double largest = 0;
  for (const Person& p : moment.people) {
    const Point at = page.toPage(p.position);
    const double r = model ? radiusOnModel(page.toPage(p.radius), unit) : page.toPage(p.radius);
    if (!isNear(page.panel(), at, r)) continue;
    const Colour c = colouring.of(p, moment.time);
    if (model) {
      const bool is_covered = model->covers(p);
      dots.push_back({at, r, std::min(0.7 * unit, 0.45 * r), withAlpha(c, is_covered ? kCovered : 1)});
      if (is_covered) continue;
    } else {
      paintDisc(canvas, at, r, c, unit);
    }
    if (r < kSmallestTicked || p.heading == Point{}) continue;
    const Point ahead{p.heading.x, -p.heading.y};
    ticks.parts.push_back({{at + ahead * (0.15 * r), at + ahead * (0.8 * r)}, false});
    largest = std::max(largest, r);
  }
  if (!dots.empty()) canvas.dots(dots);
  if (!ticks.empty()) canvas.stroke(ticks, {colour(0xffffff, 0.95), std::clamp(0.22 * largest, unit, 4 * unit)});
  canvas.endGroup();
}

void paintTrails(Canvas& canvas, const PageTransform& page, const Panel& panel, const Moment& moment,
                 const Playback& playback, double trail, const Colouring& colouring, double unit) {
  if (!(trail > 0)) return;
  const std::optional<Rectangle>& wrap = panel.wrap();
  std::map<ColourKey, Shades> shades;
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < moment.people.size(); ++i) {
    const Person& person = moment.people[i];
    if (!panel.shows(person.layer)) continue;
    const std::vector<Past>& past = playback.past(i);
    smallest = std::min(smallest, page.toPage(person.radius));
    const Colour c = colouring.of(person, moment.time);
    Shades& mine = shades[{c.red, c.green, c.blue}];
    for (std::size_t k = 0; k < past.size(); ++k) {
      const bool last = k + 1 == past.size();
      Point from = past[k].position;
      const Point to = last ? person.position : past[k + 1].position;
      const double begin = past[k].time, end = last ? moment.time : past[k + 1].time;
      const std::uint16_t to_layer = last ? person.layer : past[k + 1].layer;
      if (!panel.shows(past[k].layer) || !panel.shows(to_layer)) continue;
      if (past[k].layer != to_layer && length(to - from) > kLongestPiece * std::max(end - begin, 0.1)) continue;
      Point d = displacement(from, to, wrap);
      const double cut = std::clamp((moment.time - trail - begin) / std::max(end - begin, 1e-9), 0.0, 1.0);
      if (!(cut < 1) || d == Point{}) continue;
      const bool jump = jumps(from, to, d);
      from = from + d * cut;
      d = d * (1 - cut);
      const double age = (moment.time - std::max(begin, moment.time - trail)) / trail;
      const auto shade = std::min(static_cast<std::size_t>(age * kTrailShades), kTrailShades - 1);
      appendPiece(mine[shade], page.toPage(from), page.toPage(jump ? from + d : to));
      if (jump) appendPiece(mine[shade], page.toPage(to - d), page.toPage(to));
    }
  }
  const double widest = std::max(2.6 * unit, 0.35 * smallest);
  canvas.beginGroup("trails");
  if (wrap) canvas.clip(wrapPath(page, *wrap));
  for (const auto& [key, by_age] : shades) {
    for (std::size_t s = kTrailShades; s-- > 0;) {
      if (by_age[s].empty()) continue;
      const double youth = 1 - (static_cast<double>(s) + 0.5) / kTrailShades;
      canvas.stroke(by_age[s], {Colour{key[0], key[1], key[2], 0.55 * youth}, unit + (widest - unit) * youth});
    }
  }
  if (wrap) canvas.unclip();
  canvas.endGroup();
}

Trajectories::Trajectories(const std::vector<Panel>& panels, const std::vector<PageTransform>& pages,
                           const Colouring& colouring)
    : panels_(panels), pages_(pages), colouring_(colouring) {}

void Trajectories::append(Track& track, Point at, double value, bool begins, bool keep) const {
  const Knot knot{static_cast<float>(at.x), static_cast<float>(at.y), static_cast<float>(value), begins};
  if (!begins && !keep && !track.knots.empty()) {
    Knot& last = track.knots.back();
    const bool same_shade = static_cast<int>(last.value * kMapShades) == static_cast<int>(knot.value * kMapShades);
    if (same_shade && std::hypot(knot.x - last.x, knot.y - last.y) < kThinning) return;
  }
  track.knots.push_back(knot);
}

double Trajectories::shareOf(const Person& person, double time) const {
  if (colouring_.by == ColourBy::kDirection) return turnOf(person.heading);
  const double quantity = colouring_.by == ColourBy::kTime ? time : std::max(person.speed, 0.0);
  if (!(colouring_.to > colouring_.from)) return 0;
  return std::clamp((quantity - colouring_.from) / (colouring_.to - colouring_.from), 0.0, 1.0);
}

void Trajectories::add(const MomentReader& reader) {
  const Moment& now = reader.now();
  for (std::size_t i = 0; i < now.people.size(); ++i) {
    const Person& p = now.people[i];
    const Panel* panel = panelOf(panels_, p.layer);
    if (!panel) continue;
    const auto number = static_cast<std::uint16_t>(panel - panels_.data());
    const PageTransform& page = pages_[number];
    const auto [entry, is_new] = track_of_.try_emplace(std::uint64_t{p.id} << 16 | number, tracks_.size());
    if (is_new) tracks_.push_back({p.population, number, persons_.insert(p.id).second, 0, {}});
    Track& track = tracks_[entry->second];
    const double value = shareOf(p, now.time);
    const std::size_t row = reader.rows()[i];
    const bool joined = !is_new && row != Matching::kNobody && track.time == reader.before().time &&
                        !isElsewhere(reader.before().people[row], p, now.time - track.time);
    track.time = now.time;
    if (!joined) {
      append(track, page.toPage(p.position), value, true, true);
      continue;
    }
    const Point before = reader.before().people[row].position;
    const Point d = walked(reader.before().people[row], p, reader.layers());
    const bool jump = jumps(before, p.position, d);
    if (jump) {
      append(track, page.toPage(before + d), value, false, true);
      append(track, page.toPage(p.position - d), value, true, true);
    }
    append(track, page.toPage(p.position), value, false, jump);
  }
}

void Trajectories::strokePlain(Canvas& canvas, const Track& track, double alpha, double unit) const {
  Path path;
  for (const Knot& knot : track.knots) {
    if (knot.begins || path.empty()) path.parts.push_back({});
    path.parts.back().points.push_back({knot.x, knot.y});
  }
  canvas.stroke(path, {withAlpha(populationColour(track.population), alpha), 1.5 * unit});
}

void Trajectories::strokeByValue(Canvas& canvas, const Track& track, double alpha, double unit) const {
  const ColourMap map = mapFor(colouring_.by);
  Path path;
  int shade = -1;
  const auto flush = [&] {
    if (!path.empty()) canvas.stroke(path, {withAlpha(mapColour(map, (shade + 0.5) / kMapShades), alpha), 1.5 * unit});
    path = {};
  };
  for (std::size_t i = 1; i < track.knots.size(); ++i) {
    const Knot &a = track.knots[i - 1], &b = track.knots[i];
    if (b.begins) continue;
    const int now = std::min(static_cast<int>(b.value * kMapShades), kMapShades - 1);
    if (now != shade) {
      flush();
      shade = now;
    }
    appendPiece(path, {a.x, a.y}, {b.x, b.y});
  }
  flush();
}

void Trajectories::paint(Canvas& canvas, std::size_t panel, double unit) const {
  const double count = std::max<double>(static_cast<double>(persons_.size()), 1);
  const bool plain = colouring_.by == ColourBy::kPopulation;
  const double alpha = std::clamp((plain ? 0.75 : 0.9) * std::sqrt(100 / count), 0.15, plain ? 0.75 : 0.9);
  canvas.beginGroup("trajectories");
  for (const Track& track : tracks_)
    if (track.panel == panel)
      plain ? strokePlain(canvas, track, alpha, unit) : strokeByValue(canvas, track, alpha, unit);
  if (persons_.size() <= 2000) {
    for (const Track& track : tracks_) {
      if (track.panel != panel || !track.is_first) continue;
      const Knot& first = track.knots.front();
      const Colour c = plain ? populationColour(track.population) : mapColour(mapFor(colouring_.by), first.value);
      canvas.disc({first.x, first.y}, 2.6 * unit, c);
    }
  }
  canvas.endGroup();
}

}  // namespace throng::draw
