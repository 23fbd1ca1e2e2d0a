// WKT and GeoJSON: what is read, what is put right, and how a mistake is told. GEOS's own reader is the second opinion.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "geometry/geos.h"
#include "geometry/polygons.h"
#include "geometry/predicates.h"

namespace throng::geometry {
namespace {

using testing::HasSubstr;

std::string wktError(const std::string& text) {
  ShapeError error;
  EXPECT_FALSE(parseWkt(text, error)) << text;
  return error.message;
}

std::string geoJsonError(const std::string& text) {
  ShapeError error;
  EXPECT_FALSE(parseGeoJson(text, error)) << text;
  return error.pointer + ": " + error.message;
}

TEST(Wkt, ReadsEveryKind) {
  ShapeError error;
  const auto s = parseWkt(
      "GEOMETRYCOLLECTION (POINT (1 2), linestring(0 0,1 1, 2 0), POLYGON ((0 0, 4 0, 4 4, 0 0), (1 1, 2 1, 2 2, 1 "
      "1)),\n"
      "MULTIPOINT (1 2, (3 4), EMPTY), MULTILINESTRING ((0 0, 1 1), (5 5, 6 6)), MULTIPOLYGON (((0 0, 1 0, 1 1, 0 "
      "0))), "
      "POINT EMPTY, GEOMETRYCOLLECTION EMPTY)",
      error);
  ASSERT_TRUE(s) << error.message;
  EXPECT_EQ(s->points.size(), 3u);
  EXPECT_EQ(s->lines.size(), 3u);
  ASSERT_EQ(s->polygons.size(), 2u);
  EXPECT_EQ(s->polygons[0].outer, (Ring{{0, 0}, {4, 0}, {4, 4}}));
  EXPECT_EQ(s->polygons[0].holes.size(), 1u);
  EXPECT_TRUE(s->repairs.empty());
}

TEST(Wkt, ClosesRingsAndLeavesOutHeightsAndSaysSo) {
  ShapeError error;
  auto s = parseWkt("POLYGON ((0 0, 4 0, 4 4))", error);
  ASSERT_TRUE(s);
  EXPECT_EQ(s->polygons[0].outer.size(), 3u);
  ASSERT_EQ(s->repairs.size(), 1u);
  EXPECT_THAT(s->repairs[0].message, HasSubstr("not closed"));
  EXPECT_EQ(*s->repairs[0].at, (Point{4, 4}));
  s = parseWkt("LINESTRING Z (0 0 7, 1 1 8)", error);
  ASSERT_TRUE(s);
  ASSERT_EQ(s->repairs.size(), 1u);
  EXPECT_THAT(s->repairs[0].message, HasSubstr("heights"));
}

TEST(Wkt, TellsMistakesByTheirPlace) {
  EXPECT_THAT(wktError("POLYGON ((0 0, 1 x, 1 1))"), HasSubstr("character 18: expected a number, found \"x, 1 1))\""));
  EXPECT_THAT(wktError("POLYGON ((0 0, 1 0"), HasSubstr("found the end of the text"));
  EXPECT_THAT(wktError("POLYGON ((0 0, 1 0, 1 1, 0 0)) POINT (0 0)"), HasSubstr("goes on after"));
  EXPECT_THAT(wktError("CIRCULARSTRING (0 0, 1 1, 2 0)"), HasSubstr("allowed: POINT"));
  EXPECT_THAT(wktError(""), HasSubstr("end of the text"));
  EXPECT_THAT(wktError("POINT (nan 0)"), HasSubstr("not a finite number"));
  EXPECT_THAT(wktError("POINT (1e999 0)"), HasSubstr("not a finite number"));
  EXPECT_THAT(wktError("POINT (1 2 3 4 5)"), HasSubstr("expected ',' or ')'"));
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "GEOMETRYCOLLECTION (";
  EXPECT_THAT(wktError(deep), HasSubstr("collections within one another"));
}

TEST(Wkt, AgreesWithGeosOnRandomGeometries) {
  base::Random random(21);
  Geos geos;
  GEOSWKTReader* reader = GEOSWKTReader_create_r(geos.context());
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<Polygon> polygons(1 + random.below(3));
    for (auto& p : polygons) {
      for (std::size_t i = 0; i < 3 + random.below(5); ++i) {
        const double scale = random.below(2) ? 1e6 : 1e-9;
        p.outer.push_back({random.uniform(-scale, scale), random.uniform(-10, 10)});
      }
      if (random.below(2)) p.holes.push_back({{random.uniform(), 0}, {1, random.uniform()}, {0.5, 1}});
    }
    const std::string text = toWkt(polygons);
    ShapeError error;
    const auto ours = parseWkt(text, error);
    ASSERT_TRUE(ours) << error.message;
    const auto theirs = geos.own(GEOSWKTReader_read_r(geos.context(), reader, text.c_str()));
    ASSERT_TRUE(theirs) << geos.lastError();
    ASSERT_EQ(GEOSEqualsExact_r(geos.context(), theirs.get(), geos.polygons(ours->polygons).get(), 0) == 1 ||
                  GEOSEqualsExact_r(geos.context(), theirs.get(), geos.polygon(ours->polygons[0]).get(), 0) == 1,
              true)
        << text;
    // Written and read again: not a bit differs.
    ASSERT_EQ(ours->polygons.size(), polygons.size());
    for (std::size_t i = 0; i < polygons.size(); ++i) {
      ASSERT_EQ(ours->polygons[i].outer, polygons[i].outer);
      ASSERT_EQ(ours->polygons[i].holes, polygons[i].holes);
    }
  }
  GEOSWKTReader_destroy_r(geos.context(), reader);
}

TEST(Wkt, NeverFallsOverMutations) {
  base::Random random(22);
  const std::string seed =
      "GEOMETRYCOLLECTION (POINT (1 2), POLYGON ((0 0, 4 0, 4 4, 0 0), (1 1, 2 1, 2 2, 1 1)), MULTIPOINT (1 2, (3 4)))";
  int read = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = seed;
    for (std::uint64_t k = 0; k <= random.below(3); ++k) {
      const auto at = static_cast<std::size_t>(random.below(text.size()));
      if (random.below(2)) {
        text[at] = "(), 019.-+eEPZ\0\xff"[random.below(16)];
      } else {
        text.erase(at, 1 + random.below(5));
      }
    }
    ShapeError error;
    const auto shapes = parseWkt(text, error);
    read += shapes.has_value();
    ASSERT_EQ(shapes.has_value(), error.message.empty());
  }
  EXPECT_GT(read, 100);
}

TEST(GeoJson, ReadsEveryKind) {
  ShapeError error;
  const auto s = parseGeoJson(R"({"type": "FeatureCollection", "features": [
    {"type": "Feature", "properties": null, "geometry": {"type": "Polygon", "coordinates": [[[0,0],[4,0],[4,4],[0,0]]]}},
    {"type": "Feature", "geometry": null},
    {"type": "GeometryCollection", "geometries": [
      {"type": "MultiPolygon", "coordinates": [[[[0,0],[4,0],[4,4],[0,0]], [[1,1],[2,1],[2,2],[1,1]]]]},
      {"type": "MultiLineString", "coordinates": [[[0,0],[1,1]]]}, {"type": "LineString", "coordinates": [[0,0],[1,1]]},
      {"type": "MultiPoint", "coordinates": [[0,0],[1,1]]}, {"type": "Point", "coordinates": [5, 6, 7]}]}]})",
                              error);
  ASSERT_TRUE(s) << error.message;
  EXPECT_EQ(s->polygons.size(), 2u);
  EXPECT_EQ(s->polygons[1].holes.size(), 1u);
  EXPECT_EQ(s->lines.size(), 2u);
  EXPECT_EQ(s->points.size(), 3u);
  ASSERT_EQ(s->repairs.size(), 1u);
  EXPECT_EQ(s->repairs[0].pointer, "/features/2/geometries/4/coordinates");
}

TEST(GeoJson, ClosesRingsAndSaysWhere) {
  ShapeError error;
  const auto s = parseGeoJson(R"({"type": "Polygon", "coordinates": [[[0,0],[4,0],[4,4]]]})", error);
  ASSERT_TRUE(s);
  EXPECT_EQ(s->polygons[0].outer.size(), 3u);
  ASSERT_EQ(s->repairs.size(), 1u);
  EXPECT_EQ(s->repairs[0].pointer, "/coordinates/0");
}

TEST(GeoJson, TellsMistakesByTheirPointer) {
  EXPECT_THAT(geoJsonError(R"({"type": "Polygon", "coordinates": [[[0,0],[4,"x"],[4,4]]]})"),
              HasSubstr("/coordinates/0/1: GeoJSON: expected a position"));
  EXPECT_THAT(geoJsonError(R"({"type": "Circle", "coordinates": [0,0]})"), HasSubstr("\"Circle\" is no geometry"));
  EXPECT_THAT(geoJsonError(R"({"type": "Polygon"})"), HasSubstr("\"coordinates\" is missing"));
  EXPECT_THAT(geoJsonError(R"([1, 2])"), HasSubstr("expected an object"));
  EXPECT_THAT(geoJsonError(R"({"type": "Polygon", "coordinates": 3})"), HasSubstr("expected an array of rings"));
  EXPECT_THAT(geoJsonError(R"({"type": "Point", "coordinates": [1e999, 0]})"), HasSubstr("GeoJSON"));
  EXPECT_THAT(geoJsonError(R"({"type": )"), HasSubstr("parse error"));
  std::string deep, end;
  for (int i = 0; i < 1000; ++i) deep += R"({"type": "GeometryCollection", "geometries": [)", end += "]}";
  EXPECT_THAT(geoJsonError(deep + end), HasSubstr("collections within one another"));
}

}  // namespace
}  // namespace throng::geometry
