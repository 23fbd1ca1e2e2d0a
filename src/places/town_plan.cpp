// The plan of "town": where streets, lots and the canal are, and how high the ground is.
#include <algorithm>
#include <cmath>

#include "places/town.h"

namespace throng::places::town {
namespace {

enum class Way : std::uint8_t { kBorder, kRing, kRingEnd, kLots, kLane, kStreet, kAvenue, kQuayAndCanal };

constexpr Way kColumns[] = {Way::kBorder, Way::kRing,   Way::kLots, Way::kStreet,  Way::kLots,  Way::kLane,
                            Way::kLots,   Way::kAvenue, Way::kLots, Way::kLane,    Way::kLots,  Way::kStreet,
                            Way::kLots,   Way::kLane,   Way::kLots, Way::kAvenue,  Way::kLots,  Way::kStreet,
                            Way::kLots,   Way::kLane,   Way::kLots, Way::kRingEnd, Way::kBorder};
constexpr Way kRows[] = {Way::kBorder,       Way::kRing,   Way::kLots,   Way::kLane,    Way::kLots,
                         Way::kQuayAndCanal, Way::kLots,   Way::kStreet, Way::kLots,    Way::kAvenue,
                         Way::kLots,         Way::kStreet, Way::kLots,   Way::kRingEnd, Way::kBorder};

struct Landmark {
  Use use;
  int west, east, south, north;  // blocks, both ends included
};
constexpr Landmark kLandmarks[] = {{Use::kStation, 5, 6, 0, 0},    {Use::kHotel, 8, 9, 1, 1},
                                   {Use::kChurch, 1, 2, 2, 2},     {Use::kCircus, 8, 9, 5, 5},
                                   {Use::kMarket, 3, 4, 4, 4},     {Use::kTheatre, 8, 8, 3, 3},
                                   {Use::kUniversity, 1, 2, 5, 5}, {Use::kPark, 1, 2, 0, 1}};
constexpr int kStairsRow = 3;  // of blocks: south of the market, where the hill is steep
constexpr double kHill = 6.3, kHilltop = 30, kHillside = 120;  // m high, across its flat top, from there to its foot
constexpr double kArch = 0.5;                                  // m that a bridge rises to its middle

double smooth(double t) {
  t = std::clamp(t, 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

double wave(double angle) { return unitAt(angle).y; }

/// One axis: the widths of its cells, with 0 for lots, which share what is left.
struct Axis {
  std::vector<Band> bands;
  std::vector<Strip> strips;
  std::vector<double> widths;

  void add(Band band, double width) {
    bands.push_back(band);
    widths.push_back(width);
  }
  int size() const { return static_cast<int>(bands.size()); }
};

constexpr double kHouseDepth = 11.5;  // m

/// Lots: one house deep at both ends, and some in between. Widths are relative, negative, until the rest is known.
void addLots(Axis& axis, int between, base::Random& random) {
  axis.add(Band::kLots, kHouseDepth);
  for (int i = 0; i < between; ++i) axis.add(Band::kLots, -random.uniform(0.8, 1.25));
  axis.add(Band::kLots, kHouseDepth);
}

void addStreet(Axis& axis, double pavement, double road, Band first = Band::kPavement, Band last = Band::kPavement) {
  axis.add(first, pavement);
  axis.add(Band::kRoad, road);
  axis.add(last, pavement);
}

void addWay(Axis& axis, Way way, int between, base::Random& random) {
  const int first = axis.size();
  const auto close = [&](bool lots, bool main) { axis.strips.push_back({first, axis.size(), lots, main}); };
  switch (way) {
    case Way::kBorder:
      axis.add(Band::kBorder, 12);
      return close(false, false);
    case Way::kRing:
      addStreet(axis, 2.4, 8, Band::kOuterPavement);
      return close(false, true);
    case Way::kRingEnd:
      addStreet(axis, 2.4, 8, Band::kPavement, Band::kOuterPavement);
      return close(false, true);
    case Way::kLots:
      addLots(axis, between, random);
      return close(true, false);
    case Way::kLane:
      axis.add(Band::kLane, random.uniform(7.5, 8.5));
      return close(false, false);
    case Way::kStreet:
      addStreet(axis, 2.8, random.uniform(7.4, 8.6));
      return close(false, true);
    case Way::kAvenue:
      addStreet(axis, 4.5, random.uniform(11, 12));
      return close(false, true);
    case Way::kQuayAndCanal:
      break;
  }
  addStreet(axis, 3.2, 5.6, Band::kPavement, Band::kOuterPavement);
  axis.add(Band::kTowpath, 6.5);
  for (int i = 0; i < 3; ++i) axis.add(Band::kWater, 3.8);
  addStreet(axis, 3.2, 5.6, Band::kOuterPavement, Band::kPavement);
  close(false, true);
}

/// Lines from 0 to `total`.
std::vector<double> lines(Axis& axis, double total) {
  double fixed = 0, shares = 0;
  for (const double w : axis.widths) (w > 0 ? fixed : shares) += std::abs(w);
  std::vector<double> at = {0};
  for (const double w : axis.widths) at.push_back(at.back() + (w > 0 ? w : -w * (total - fixed) / shares));
  at.back() = total;
  return at;
}

}  // namespace

Plan::Plan(std::uint64_t town_seed) : seed(town_seed), random_(town_seed, 0x70a) {
  axes();
  bend();
  raise();
  fillCells();
  makeBlocks();
  makeStairs();
  makeTowpath();
}

void Plan::axes() {
  Axis across, up;
  for (const Way way : kColumns) addWay(across, way, 3, random_);
  for (const Way way : kRows) addWay(up, way, 2, random_);
  xs_ = lines(across, kLength);
  ys_ = lines(up, kWidth);
  column_bands = across.bands, column_strips = across.strips;
  row_bands = up.bands, row_strips = up.strips;
  for (int j = 0; j < rows(); ++j) {
    if (row_bands[static_cast<std::size_t>(j)] == Band::kTowpath) towpath_row = j;
  }
  water_rows = {0, 0, towpath_row + 1, towpath_row + 4};
  for (const auto& strip : column_strips) {
    if (strip.main) bridges.push_back(strip);
  }
  cells_.assign(static_cast<std::size_t>(columns() * rows()), Cell::kBuilt);
  nodes_.resize(static_cast<std::size_t>((columns() + 1) * (rows() + 1)));
  z_.resize(nodes_.size());
}

/// Streets wind: columns are pushed sideways by an amount that depends on y, rows by one that depends on x, and around
/// the market the old town is turned. All of it fades towards the border, so that the town keeps its size.
void Plan::bend() {
  const double p1 = random_.uniform(0, 6), p2 = random_.uniform(0, 6), p3 = random_.uniform(0, 6),
               p4 = random_.uniform(0, 6);
  const double turn = (random_.below(2) ? 1 : -1) * random_.uniform(0.26, 0.38);
  const auto strip = [](const std::vector<Strip>& strips, int n) {  // the n-th with lots
    return *std::find_if(strips.begin(), strips.end(), [&](const Strip& s) { return s.lots && n-- == 0; });
  };
  const auto west = strip(column_strips, 3), east = strip(column_strips, 4), middle = strip(row_strips, 4);
  const auto at_line = [](const std::vector<double>& v, int i) { return v[static_cast<std::size_t>(i)]; };
  hill_ = {(at_line(xs_, west.first) + at_line(xs_, east.last)) / 2,
           (at_line(ys_, middle.first) + at_line(ys_, middle.last)) / 2};
  constexpr double kTurned = 92;  // m
  for (int j = 0; j <= rows(); ++j) {
    for (int i = 0; i <= columns(); ++i) {
      const double x = at_line(xs_, i), y = at_line(ys_, j);
      const double fade_x = smooth(x / 105) * smooth((kLength - x) / 105);
      const double fade_y = smooth(y / 95) * smooth((kWidth - y) / 95);
      Point p{x + fade_x * (12 * wave(2 * base::kPi * y / 340 + p1) + 3.5 * wave(2 * base::kPi * y / 130 + p2)),
              y + fade_y * (12 * wave(2 * base::kPi * x / 400 + p3) + 4 * wave(2 * base::kPi * x / 150 + p4))};
      const Point d = p - hill_;
      const double r2 = dot(d, d) / (kTurned * kTurned);
      if (r2 < 1) {
        const Point along = unitAt(turn * (1 - r2) * (1 - r2));
        p = hill_ + along * d.x + perpendicular(along) * d.y;
      }
      nodes_[at(i, j)] = toMillimetres(p);
    }
  }
}

double Plan::heightAt(Point p) const {
  const Point d = p - hill_;
  const double off = std::sqrt(d.x * d.x / 1.7 + d.y * d.y);
  const double canal = (ys_[static_cast<std::size_t>(towpath_row)] + 9.0), away = std::abs(p.y - canal);
  const double rolling = 0.45 * (1 + wave(p.x / 47 + static_cast<double>(seed % 7)) * wave(p.y / 53 + 1));
  return kHill * (1 - smooth((off - kHilltop) / kHillside)) + rolling * smooth((away - 42) / 50);
}

void Plan::raise() {
  for (std::size_t k = 0; k < nodes_.size(); ++k) z_[k] = std::floor(heightAt(nodes_[k]) * 1000 + 0.5) / 1000;
}

bool Plan::bridged(int column) const {
  return std::any_of(bridges.begin(), bridges.end(),
                     [&](const Strip& s) { return column >= s.first && column < s.last; });
}

Cell Plan::crossing(int i, int j) const {
  const Band c = column_bands[static_cast<std::size_t>(i)], r = row_bands[static_cast<std::size_t>(j)];
  const auto open = [](Band band) { return band == Band::kLots || band == Band::kLane; };
  const auto alone = [](Band band) {  // a street's cell beside lots
    return band == Band::kRoad ? Cell::kRoad : band == Band::kLane ? Cell::kLane : Cell::kPavement;
  };
  if (c == Band::kBorder || r == Band::kBorder) return Cell::kBuilt;
  if (r == Band::kWater) return Cell::kWater;
  const bool canal_side = j == towpath_row || j == towpath_row - 1 || j == water_rows.j1;
  if (canal_side) return bridged(i) ? Cell::kRoad : Cell::kPavement;
  if (open(c) && open(r)) return c == Band::kLots && r == Band::kLots ? Cell::kBuilt : Cell::kLane;
  if (open(c)) return alone(r);
  if (open(r)) return alone(c);
  if (c == Band::kOuterPavement || r == Band::kOuterPavement) return Cell::kPavement;
  return c == Band::kRoad || r == Band::kRoad ? Cell::kRoad : Cell::kPavement;
}

bool Plan::zebra(int i, int j) const {
  const Band c = column_bands[static_cast<std::size_t>(i)], r = row_bands[static_cast<std::size_t>(j)];
  const auto pavement = [](Band band) { return band == Band::kPavement || band == Band::kOuterPavement; };
  // At the ends of bridges the pavements beside the road, too.
  return cell(i, j) == Cell::kRoad && (pavement(c) || (c == Band::kRoad && pavement(r))) && r != Band::kLots &&
         r != Band::kLane;
}

void Plan::fillCells() {
  for (int j = 0; j < rows(); ++j) {
    for (int i = 0; i < columns(); ++i) cell(i, j) = crossing(i, j);
  }
}

void Plan::makeBlocks() {
  std::vector<Strip> across, up;
  for (const auto& s : column_strips) {
    if (s.lots) across.push_back(s);
  }
  for (const auto& s : row_strips) {
    if (s.lots) up.push_back(s);
  }
  const int nx = static_cast<int>(across.size()), ny = static_cast<int>(up.size());
  std::vector<char> used(static_cast<std::size_t>(nx * ny));
  const auto add = [&](Use use, int west, int east, int south, int north) {
    const auto at_strip = [](const std::vector<Strip>& v, int i) { return v[static_cast<std::size_t>(i)]; };
    const Cells cells{at_strip(across, west).first, at_strip(across, east).last, at_strip(up, south).first,
                      at_strip(up, north).last};
    for (int j = cells.j0; j < cells.j1; ++j) {
      for (int i = cells.i0; i < cells.i1; ++i) cell(i, j) = Cell::kBuilt;
    }
    for (int y = south; y <= north; ++y) {
      for (int x = west; x <= east; ++x) used[static_cast<std::size_t>(y * nx + x)] = 1;
    }
    blocks.push_back({cells, use});
  };
  for (const auto& l : kLandmarks) add(l.use, l.west, l.east, l.south, l.north);
  const auto is_used = [&](int x, int y) { return used[static_cast<std::size_t>(y * nx + x)] != 0; };
  for (int y = 0; y < ny; ++y) {
    for (int x = 0; x < nx; ++x) {
      if (is_used(x, y)) continue;
      const bool lane =
          x + 1 < nx && across[static_cast<std::size_t>(x + 1)].first - across[static_cast<std::size_t>(x)].last == 1;
      const bool closed = lane && !is_used(x + 1, y) && y != kStairsRow && random_.below(3) == 0;
      add(Use::kHouses, x, closed ? x + 1 : x, y, y);
    }
  }
}

/// Two streets climb the hill by a flight of steps each, the rest of the way between gently.
void Plan::makeStairs() {
  int n = kStairsRow;
  const auto row =
      *std::find_if(row_strips.begin(), row_strips.end(), [&](const Strip& s) { return s.lots && n-- == 0; });
  for (const int number : {9, 11}) {
    const Strip strip = column_strips[static_cast<std::size_t>(number)];
    const int flight_row = row.first + 1;
    double bottom = 0, top = 0;
    for (int i = strip.first; i <= strip.last; ++i) bottom += z(i, row.first), top += z(i, row.last);
    bottom /= strip.last - strip.first + 1, top /= strip.last - strip.first + 1;
    const double west = length(node(strip.first, flight_row + 1) - node(strip.first, flight_row));
    const double east = length(node(strip.last, flight_row + 1) - node(strip.last, flight_row));
    const double steps = std::floor(std::min((std::min(west, east) - 0.8) / kTread, (top - bottom) * 0.95 / kRiser));
    if (steps < 6) continue;
    const double rest = top - bottom - steps * kRiser;
    const double low = std::floor((bottom + rest / 3) * 1000 + 0.5) / 1000, high = low + steps * kRiser;
    for (int i = strip.first; i <= strip.last; ++i) {
      z_[at(i, flight_row)] = low;
      for (int j = flight_row + 1; j < row.last; ++j) {
        const double share = static_cast<double>(j - flight_row - 1) / (row.last - flight_row - 1);
        z_[at(i, j)] = high + (z(i, row.last) - high) * share;
      }
    }
    for (int j = row.first; j < row.last; ++j) {
      for (int i = strip.first; i < strip.last; ++i) cell(i, j) = j == flight_row ? Cell::kSteps : Cell::kLane;
    }
    stairs.push_back({strip.first, strip.last, flight_row, flight_row + 1});
  }
}

/// Along the south side of the water, under the bridge of the western avenue.
void Plan::makeTowpath() {
  int n = 1, m = 4;
  const auto west =
      *std::find_if(column_strips.begin(), column_strips.end(), [&](const Strip& s) { return s.lots && n-- == 0; });
  const auto east =
      *std::find_if(column_strips.begin(), column_strips.end(), [&](const Strip& s) { return s.lots && m-- == 0; });
  tow_first = west.first + 1;
  tow_last = east.first + 2;
  tow_ramp = tow_last - 1;
  while (length(node(tow_last, towpath_row) - node(tow_ramp, towpath_row)) < 29) --tow_ramp;
  for (int i = tow_first; i < tow_last; ++i) {
    cell(i, towpath_row) = i == tow_first ? Cell::kTowSteps : i < tow_ramp ? Cell::kTowpath : Cell::kTowRamp;
  }
}

double Plan::cornerZ(int i, int j, int node_i, int node_j) const {
  switch (cell(i, j)) {
    case Cell::kWater:
      return kWaterZ;
    case Cell::kTowpath:
    case Cell::kTowSteps:
      return kTowpathZ;
    case Cell::kTowRamp: {
      const auto x = [&](int k) { return xs_[static_cast<std::size_t>(k)]; };
      const double share = (x(node_i) - x(tow_ramp)) / (x(tow_last) - x(tow_ramp));
      return kTowpathZ + (z(node_i, node_j) + kKerb - kTowpathZ) * share;
    }
    case Cell::kRoad:
      return z(node_i, node_j);
    default:
      return z(node_i, node_j) + kKerb;
  }
}

Point Plan::pointAt(double u, double v) const {
  const int i = std::min(static_cast<int>(u), columns() - 1), j = std::min(static_cast<int>(v), rows() - 1);
  const double a = u - i, b = v - j;
  return (node(i, j) * (1 - a) + node(i + 1, j) * a) * (1 - b) +
         (node(i, j + 1) * (1 - a) + node(i + 1, j + 1) * a) * b;
}

double Plan::deckZ(int i, int j, int south) const {
  const auto y = [&](int k) { return ys_[static_cast<std::size_t>(k)]; };
  const double t = (y(j) - y(south)) / (y(water_rows.j1) - y(south));
  return z(i, south) * (1 - t) + z(i, water_rows.j1) * t + kArch * 4 * t * (1 - t);
}

Point Plan::onEdge(const Edge& e, double share) const {
  const Point a = node(e.i, e.j), b = e.east ? node(e.i + 1, e.j) : node(e.i, e.j + 1);
  return toMillimetres(a + (b - a) * share);
}

}  // namespace throng::places::town
