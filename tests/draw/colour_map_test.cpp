#include "draw/colour_map.h"

#include <cmath>
#include <gtest/gtest.h>

namespace throng::draw {
namespace {

double distance(Lab a, Lab b) { return std::hypot(a.lightness - b.lightness, a.a - b.a, a.b - b.b); }

TEST(ColourMaps, LightnessIsALineFromEndToEnd) {
  for (const ColourMap map : {ColourMap::kSpeed, ColourMap::kTime, ColourMap::kDensity}) {
    const double first = toLab(mapColour(map, 0)).lightness, last = toLab(mapColour(map, 1)).lightness;
    const double sign = map == ColourMap::kDensity ? -1 : 1;
    EXPECT_GT(sign * (last - first), 0.5);
    double before = first;
    for (int i = 1; i <= 200; ++i) {
      const double lightness = toLab(mapColour(map, i / 200.0)).lightness;
      EXPECT_GT(sign * (lightness - before), 0) << i;
      EXPECT_NEAR(lightness, first + (last - first) * i / 200, 2e-3) << i;
      before = lightness;
    }
  }
}

TEST(ColourMaps, EveryAnchorCanBeShown) {
  for (const ColourMap map : {ColourMap::kSpeed, ColourMap::kTime, ColourMap::kDensity})
    for (int i = 0; i <= 600; ++i) {
      const Colour shown = mapColour(map, i / 600.0);
      const Colour again = fromLab(toLab(shown));
      EXPECT_NEAR(again.red, shown.red, 1e-4);
      EXPECT_NEAR(again.green, shown.green, 1e-4);
      EXPECT_NEAR(again.blue, shown.blue, 1e-4);
    }
}

TEST(ColourMaps, DirectionsAreEquallyLightAndGoRound) {
  EXPECT_LT(distance(toLab(mapColour(ColourMap::kDirection, 0)), toLab(mapColour(ColourMap::kDirection, 1))), 1e-6);
  const Lab east = toLab(mapColour(ColourMap::kDirection, 0));
  for (int i = 0; i < 360; ++i) {
    const Colour shown = mapColour(ColourMap::kDirection, i / 360.0);
    for (const double part : {shown.red, shown.green, shown.blue}) {
      EXPECT_GE(part, 0) << i;
      EXPECT_LE(part, 1) << i;
    }
    EXPECT_NEAR(toLab(shown).lightness, east.lightness, 1e-3) << i;
    EXPECT_NEAR(distance(toLab(shown), toLab(mapColour(ColourMap::kDirection, (i + 1) / 360.0))), 0.00185, 1e-4) << i;
  }
}

TEST(ColourMaps, NumbersOutsideGetTheEnds) {
  EXPECT_EQ(mapColour(ColourMap::kSpeed, -3), mapColour(ColourMap::kSpeed, 0));
  EXPECT_EQ(mapColour(ColourMap::kSpeed, 7), mapColour(ColourMap::kSpeed, 1));
  EXPECT_EQ(mapColour(ColourMap::kSpeed, std::nan("")), mapColour(ColourMap::kSpeed, 0));
}

TEST(ColourMaps, PopulationsDifferFromOneAnotherAndFromTheFloor) {
  const Lab floor = toLab(colour(0xf5f3ee));
  for (std::size_t i = 0; i < 24; ++i) {
    EXPECT_GT(distance(toLab(populationColour(i)), floor), 0.2) << i;
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_GT(distance(toLab(populationColour(i)), toLab(populationColour(j))), 0.03) << i << " " << j;
  }
}

TEST(ColourMaps, RegionsAreLight) {
  for (const char* type : {"grass", "water", "queue", "lobby"})
    for (std::size_t place = 0; place < 8; ++place) EXPECT_GT(toLab(regionColour(type, place)).lightness, 0.85);
  EXPECT_EQ(regionColour("grass", 0), regionColour("grass", 5));
}

}  // namespace
}  // namespace throng::draw
