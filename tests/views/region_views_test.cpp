#include <gtest/gtest.h>
#include <limits>

#include "throng/regions.h"
#include "throng/views.h"

#include "geometry/predicates.h"

namespace throng {
namespace {

Polygon box(double x0, double y0, double x1, double y1) { return {{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}, {}}; }

Scene lawn() {
  Scene scene;
  scene.layers.resize(2);
  scene.layers[1].name = "roof";
  scene.layers[0].regions = {{"grass", {box(0, 0, 10, 10)}}, {"path", {box(4, -5, 6, 15)}}};
  scene.layers[1].regions = {{"grass", {box(20, 0, 23, 3)}}};
  Profile walker, wheels;
  walker.name = "walker", wheels.name = "wheels";
  walker.region_weights["grass"] = Distribution::uniform(1.5, 4);
  wheels.region_weights["grass"] = Distribution::constant(std::numeric_limits<double>::infinity());
  wheels.region_weights["path"] = Distribution::constant(0.8);
  scene.profiles = {walker, wheels};
  return scene;
}

TEST(RegionViews, ShowEveryTypeWithALegend) {
  Overlay overlay;
  addRegions(overlay, lawn());
  ASSERT_EQ(overlay.keys.size(), 2u);
  EXPECT_EQ(overlay.keys[0].label, "grass");
  EXPECT_EQ(overlay.keys[1].label, "path");
  EXPECT_NE(overlay.keys[0].paint.rgb, overlay.keys[1].paint.rgb);
  double ground = 0, roof = 0;
  for (const Overlay::Area& area : overlay.areas) {
    (area.layer == 0 ? ground : roof) += geometry::area(area.pieces);
    EXPECT_EQ(area.paint.alpha, 1) << "what lies below would change the colours of the legend";
  }
  EXPECT_NEAR(ground, 100 + 20, 1e-9);  // what overlaps is there once
  EXPECT_NEAR(roof, 9, 1e-9);
}

TEST(RegionViews, ShowWhatAMetreCostsAProfile) {
  Overlay walker, wheels;
  addRegions(walker, lawn(), "walker");
  addRegions(wheels, lawn(), "wheels");
  EXPECT_EQ(walker.keys[0].label, "grass: 1.5 to 4");
  EXPECT_EQ(walker.keys[1].label, "path: 1");
  EXPECT_EQ(wheels.keys[0].label, "grass: never");
  EXPECT_EQ(wheels.keys[1].label, "path: 0.8");
  EXPECT_NE(wheels.keys[0].paint.rgb, walker.keys[0].paint.rgb);
  EXPECT_THROW(addRegions(walker, lawn(), "nobody"), InputError);
}

TEST(RegionAreas, AreThoseThatCount) {
  const std::vector<RegionArea> areas = regionAreas(lawn());
  ASSERT_EQ(areas.size(), 2u);
  EXPECT_EQ(areas[0].type, "grass");
  EXPECT_NEAR(areas[0].area, 80 + 9, 1e-9);
  EXPECT_EQ(areas[1].type, "path");
  EXPECT_NEAR(areas[1].area, 40, 1e-9);
  EXPECT_TRUE(regionAreas(Scene{}).empty());
}

}  // namespace
}  // namespace throng
