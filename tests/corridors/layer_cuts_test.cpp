// Lines and cells that reach over connections are cut there, and nothing gets lost.
#include "corridors/layer_cuts.h"

#include <gtest/gtest.h>

#include "corridors/map_scenes.h"
#include "corridors/named_map.h"

namespace throng::corridors {
namespace {

/// Three floors in a row, joined over their whole height at x = 10 and x = 16; a fourth lies below the second.
Scene rowOfFloors() {
  Scene scene = sceneOf({});
  scene.layers.resize(4);
  const auto floor = [&](std::size_t i, const char* name, Polygon area) {
    scene.layers[i].name = name;
    scene.layers[i].walkable = {std::move(area)};
  };
  floor(0, "west", box(0, 0, 10, 6));
  floor(1, "stair", box(10, 0, 16, 6));
  floor(2, "east", box(16, 0, 26, 6));
  floor(3, "cellar", box(2, 0, 24, 6));
  scene.layers[0].obstacles = {regular({6, 3}, 1, 5)};
  scene.layers[2].obstacles = {regular({20, 2}, 0.8, 6)};
  const Segment first{{10, 0}, {10, 6}}, second{{16, 0}, {16, 6}};
  scene.connections = {{"a", "west", first, "stair", first}, {"b", "stair", second, "east", second}};
  return scene;
}

TEST(LayerCuts, LinesChangeLayersWhereTheyCross) {
  const TestMap test(rowOfFloors());
  const LayerCuts cuts(test.map);
  std::vector<RoutePoint> points;
  const std::vector<Point> line{{2, 1}, {8, 5}, {24, 5}};
  cuts.cutLine(line, 0, points);
  ASSERT_EQ(points.size(), 5u);
  EXPECT_EQ(points[1].layer, 0);
  EXPECT_NEAR(points[2].at.x, 10, 1e-9);
  EXPECT_EQ(points[2].layer, 1) << "from here on";
  EXPECT_NEAR(points[3].at.x, 16, 1e-9);
  EXPECT_EQ(points[3].layer, 2);
  EXPECT_EQ(points[4].at, (Point{24, 5}));

  std::vector<LayerPolyline> pieces;
  cuts.addPieces(line, 0, pieces);
  ASSERT_EQ(pieces.size(), 3u);
  double sum = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    EXPECT_EQ(pieces[i].layer, i);
    const auto& piece = pieces[i].line.points;
    for (std::size_t k = 0; k + 1 < piece.size(); ++k) sum += length(piece[k + 1] - piece[k]);
  }
  EXPECT_NEAR(sum, length(line[1] - line[0]) + length(line[2] - line[1]), 1e-9);
}

TEST(LayerCuts, WhatPassesAboveOrBelowIsNotCut) {
  const TestMap test(rowOfFloors());
  std::vector<RoutePoint> points;
  LayerCuts(test.map).cutLine(std::vector<Point>{{3, 1}, {23, 1}}, 3, points);
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[1].layer, 3);
}

/// All cells together are the free space of each layer, up to the chords of parabolas.
TEST(LayerCuts, CellsFillTheirLayers) {
  const TestMap test(rowOfFloors());
  const LayerCuts cuts(test.map);
  std::vector<LayerPolygon> cells;
  for (std::uint32_t h = 0; h < test.map.halfEdges().size(); ++h)
    if (test.map.edge(h).origin != kNone) cuts.addCell(h, cells);
  std::vector<double> area(4, 0);
  for (const LayerPolygon& cell : cells) {
    const double size = geometry::signedArea(cell.polygon.outer);
    area[cell.layer] += std::abs(size);
    Point middle;
    for (const Point& p : cell.polygon.outer) middle += p / static_cast<double>(cell.polygon.outer.size());
    EXPECT_TRUE(test.map.locate(middle, cell.layer)) << middle.x << " " << middle.y << " on " << cell.layer;
  }
  const double pentagon = std::abs(geometry::signedArea(rowOfFloors().layers[0].obstacles[0].outer));
  const double hexagon = std::abs(geometry::signedArea(rowOfFloors().layers[2].obstacles[0].outer));
  EXPECT_NEAR(area[0], 60 - pentagon, 1e-3);
  EXPECT_NEAR(area[1], 36, 1e-3);
  EXPECT_NEAR(area[2], 60 - hexagon, 1e-3);
  EXPECT_NEAR(area[3], 22 * 6, 1e-3);
}

/// Every place of a sampled arc is as near to the walls on both sides, within the tolerance.
TEST(LayerCuts, ArcsKeepToTheirTolerance) {
  const TestMap test(rowOfFloors());
  const LayerCuts cuts(test.map);
  std::size_t bent = 0;
  for (std::uint32_t h = 0; h < test.map.halfEdges().size(); ++h) {
    if (test.map.edge(h).origin == kNone) continue;
    for (const double tolerance : {0.1, 0.001}) {
      std::vector<Point> arc;
      cuts.sampleArc(h, tolerance, arc);
      ASSERT_GE(arc.size(), 2u);
      EXPECT_EQ(arc.front(), test.map.origin(h).at);
      EXPECT_EQ(arc.back(), test.map.target(h).at);
      bent += arc.size() > 2;
      const Site left = test.map.edge(h).site, right = test.map.edge(CorridorMap::twin(h)).site;
      for (std::size_t i = 0; i + 1 < arc.size(); ++i) {
        const Point middle = (arc[i] + arc[i + 1]) * 0.5;
        EXPECT_NEAR(test.map.distanceTo(left, arc[i]), test.map.distanceTo(right, arc[i]), 1e-4);
        EXPECT_NEAR(test.map.distanceTo(left, middle), test.map.distanceTo(right, middle), 3 * tolerance + 1e-4);
      }
    }
  }
  EXPECT_GT(bent, 5u);
}

TEST(NamedMaps, KnowTheirLayers) {
  const TestMap test(rowOfFloors());
  const std::vector<std::string> names{"west", "stair", "east", "cellar"};
  const std::vector<std::vector<Polygon>> walkable(4);
  const NamedMap named{test.map, names, walkable};
  EXPECT_EQ(named.layer("east"), 2);
  EXPECT_EQ(named.layer(""), 0);
  try {
    named.layer("attic");
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("west, stair, east, cellar"), std::string::npos);
  }
  EXPECT_THROW(requireFinite({0, std::numeric_limits<double>::infinity()}, "place"), InputError);
}

}  // namespace
}  // namespace throng::corridors
