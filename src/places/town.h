// The parts of "town" (docs/scene-generators.md). Its plan is a lattice of lines that a smooth map bends: the cells
// between two lines of a street are street, those between streets are lots, those of the canal are water. Everything
// that stands or lies in the town ends on edges of cells, so that nothing overlaps and nothing is left open.
#pragma once

#include <map>
#include <vector>

#include "base/random.h"
#include "places/generate.h"
#include "places/mesh_builder.h"

namespace throng::places::town {

inline constexpr double kLength = 630, kWidth = 430;     // m, west to east and south to north
inline constexpr double kKerb = 0.12;                    // m
inline constexpr double kWaterZ = -3, kTowpathZ = -2.6;  // m; the quays are at 0
inline constexpr double kRiser = 0.16, kTread = 0.32;    // m

/// What a column or row of cells belongs to.
enum class Band : std::uint8_t { kBorder, kLots, kLane, kPavement, kOuterPavement, kRoad, kTowpath, kWater };

enum class Cell : std::uint8_t {
  kBuilt,  ///< no ground
  kRoad,
  kPavement,
  kLane,
  kPlaza,
  kLawn,
  kPath,
  kCourt,
  kSteps,  ///< public stairs, up to the north
  kWater,
  kTowpath,
  kTowSteps,  ///< down from the quay, to the east
  kTowRamp,   ///< up to the quay, to the east
  kRound,     ///< ground around something round
};

/// Cells [i0, i1) × [j0, j1).
struct Cells {
  int i0 = 0, i1 = 0, j0 = 0, j1 = 0;
};

enum class Use : std::uint8_t { kHouses, kStation, kHotel, kChurch, kCircus, kMarket, kTheatre, kUniversity, kPark };

struct Block {
  Cells cells;
  Use use = Use::kHouses;
};

/// A side of a cell: from node (i, j) one step east or north.
struct Edge {
  int i, j;
  bool east;
  auto operator<=>(const Edge&) const = default;
};

/// Consecutive cells of an axis that belong together: a street with its pavements, or the lots between two streets.
struct Strip {
  int first, last;  ///< cells [first, last)
  bool lots;
  bool main;  ///< an avenue or street, not a lane
};

struct Plan {
  explicit Plan(std::uint64_t seed);

  int columns() const { return static_cast<int>(column_bands.size()); }
  int rows() const { return static_cast<int>(row_bands.size()); }
  Cell& cell(int i, int j) { return cells_[static_cast<std::size_t>(j * columns() + i)]; }
  Cell cell(int i, int j) const { return cells_[static_cast<std::size_t>(j * columns() + i)]; }
  /// Where the pavement of one street goes on across the road of another.
  bool zebra(int i, int j) const;
  bool inside(int i, int j) const { return i >= 0 && j >= 0 && i < columns() && j < rows(); }
  Point node(int i, int j) const { return nodes_[at(i, j)]; }
  double z(int i, int j) const { return z_[at(i, j)]; }
  /// Height of a cell's ground at one of its nodes.
  double cornerZ(int i, int j, int node_i, int node_j) const;
  /// A place in lattice coordinates, such as (3.5, 7.25).
  Point pointAt(double u, double v) const;
  double heightAt(Point p) const;
  /// Height of the deck of a bridge above a node.
  double deckZ(int i, int j, int south) const;
  /// The first row of what a bridge spans in these columns.
  int bridgeSouth(int column) const {
    return cell(column, towpath_row) == Cell::kTowpath ? towpath_row : water_rows.j0;
  }
  Point onEdge(const Edge& edge, double share) const;

  std::uint64_t seed;
  std::vector<Band> column_bands, row_bands;
  std::vector<Strip> column_strips, row_strips;
  std::vector<Block> blocks;
  std::vector<Strip> bridges;  ///< columns
  std::vector<Cells> stairs;   ///< cells with public stairs, whole width
  Cells water_rows;            ///< j only
  int towpath_row = 0;
  int tow_first = 0, tow_last = 0, tow_ramp = 0;  ///< columns of the steps, past the ramp, where the ramp begins
  std::map<Edge, std::vector<double>> doorposts;  ///< corners of doors on the edges of lots

 private:
  std::size_t at(int i, int j) const { return static_cast<std::size_t>(j * (columns() + 1) + i); }
  void axes();
  void bend();
  void raise();
  void fillCells();
  void makeBlocks();
  void makeStairs();
  void makeTowpath();
  Cell crossing(int i, int j) const;
  bool bridged(int column) const;

  base::Random random_;
  std::vector<double> xs_, ys_;
  std::vector<Cell> cells_;
  std::vector<Point> nodes_;
  std::vector<double> z_;
  Point hill_;
};

struct Materials {
  explicit Materials(MeshBuilder& mesh);
  std::uint32_t asphalt, pavement, kerb, cobbles, plaza, lawn, gravel, court, water, quay, steps, deck, parapet, stone,
      window, shop, door, trunk, lamp, wood, tent_red, tent_white, copper, slate, glass_roof, bronze, flowers;
  std::vector<std::uint32_t> walls, plinths, roofs, leaves, awnings;
  std::uint32_t zebra;
};

struct Town {
  explicit Town(std::uint64_t seed) : plan(seed), material(mesh) {}
  MeshBuilder mesh;
  Plan plan;
  Materials material;
  std::vector<Place> places;
  struct Lot {
    Cells cells;
    bool ridge_east;
  };
  std::vector<Lot> lots;  ///< for houses beside landmarks
  struct Disc {
    Point middle;
    double radius;
  };
  std::vector<Disc> taken;  ///< by things that stand around, and what must stay free
  bool free(Point p, double radius) const;
  double ground(int i, int j) const { return plan.z(i, j) + kKerb; }
};

/// A house or a landmark on whole cells.
struct Building {
  Cells cells;
  double eaves = 0;   ///< m above datum
  double base = 0;    ///< m; where the walls begin
  double street = 0;  ///< m; the highest ground at its walls
  int storeys = 3;
  enum class Roof : std::uint8_t { kGableEast, kGableNorth, kHip, kFlat } roof = Roof::kFlat;
  double pitch = 0.8;  ///< m of roof per m
  std::uint32_t wall = 0, plinth = 0, roofing = 0, awning = 0;
  bool shop = false, doors = true, gateway = false, chimney = false;
  double bay = 2.7;  ///< m from window to window
};

void landmarks(Town& town);  ///< before houses and ground: they claim cells
void houses(Town& town);     ///< before ground: doors divide its edges
/// One that has no neighbours wall to wall.
void building(Town& town, const Building& house);
void ground(Town& town);
void furniture(Town& town);
/// Ground between whole cells and a ring of corners inside them, which is left open.
void groundAround(Town& town, const Cells& cells, const std::vector<Point3>& hole, std::uint32_t material);
/// Steps from one line up to another, each level and from left to right as seen on the way up.
void flight(MeshBuilder& mesh, const std::vector<Point3>& bottom, const std::vector<Point3>& top,
            std::uint32_t material);
void tree(Town& town, Point p, double z, base::Random& random);
void lamp(Town& town, Point p, double z);

}  // namespace throng::places::town
