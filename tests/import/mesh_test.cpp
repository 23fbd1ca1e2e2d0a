// Meshes from files and to files: what is written comes back, what is broken is put right or refused with a reason.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <tuple>
#include <unistd.h>

#include "import/mesh_reader.h"
#include "import/mesh_writer.h"
#include "import/polygon_triangles.h"

namespace throng::import {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Meshes : public ::testing::Test {
 protected:
  Meshes() {
    folder_ = fs::temp_directory_path() / ("throng-mesh-" + std::to_string(getpid()) + "-" +
                                           ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_ / "models");
  }
  ~Meshes() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  std::string file(const std::string& name) const { return (folder_ / "models" / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(file(name), std::ios::binary) << text;
    return file(name);
  }
  std::size_t filesInFolder() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_ / "models"), {}));
  }

  fs::path folder_;
};

/// A triangle as a person would describe it.
struct Described {
  std::array<Point3, 3> corners;
  std::string object, material;
  std::uint32_t rgb = 0;
  bool operator==(const Described&) const = default;
};

void PrintTo(const Described& d, std::ostream* out) {
  *out << d.object << '/' << d.material << '/' << std::hex << d.rgb << std::dec;
  for (const Point3& p : d.corners) *out << " (" << p.x << ", " << p.y << ", " << p.z << ")";
}

std::vector<Described> described(const Mesh& mesh) {
  std::vector<Described> all;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    Described d{mesh.corners(t), "", "", 0};
    if (!mesh.object.empty()) d.object = mesh.objects.at(mesh.object[t]);
    if (!mesh.material.empty()) d.material = mesh.materials.at(mesh.material[t]).name;
    if (!mesh.material.empty()) d.rgb = mesh.materials.at(mesh.material[t]).rgb;
    all.push_back(d);
  }
  return all;
}

/// Boxes with names, materials and colours of all kinds; grouped by object and material as files have them.
Mesh boxes() {
  Mesh mesh;
  mesh.materials = {{"stone", 0x8899aa}, {"water, deep", 0x0a0be0}, {"Ünlit wood", 0xff0001}};
  mesh.objects = {"town hall", "bridge", "well"};
  for (std::uint32_t o = 0; o < 3; ++o) {
    const auto base = static_cast<std::uint32_t>(mesh.vertices.size());
    for (int v = 0; v < 8; ++v)
      mesh.vertices.push_back({o * 10.5 + (v & 1) * 2.25, (v & 2) != 0 ? -1.4 : -3.1, (v & 4) != 0 ? 0.3 : o * 1e-3});
    const std::uint32_t faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                       {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (std::uint32_t f = 0; f < 6; ++f) {
      const auto* c = faces[f];
      for (const Mesh::Corners& t : {Mesh::Corners{c[0], c[1], c[2]}, Mesh::Corners{c[0], c[2], c[3]}}) {
        mesh.triangles.push_back({base + t[0], base + t[1], base + t[2]});
        mesh.object.push_back(o);
        mesh.material.push_back(f < 3 ? o % 2 : 2);
      }
    }
  }
  return mesh;
}

void expectSame(const std::vector<Described>& found, const std::vector<Described>& wanted, const std::string& where) {
  ASSERT_EQ(found.size(), wanted.size()) << where;
  for (std::size_t t = 0; t < found.size(); ++t) ASSERT_EQ(found[t], wanted[t]) << where << ", triangle " << t;
}

template <class Error>
std::string message(const std::function<void()>& what) {
  try {
    what();
  } catch (const Error& e) {
    return e.what();
  }
  return "(nothing was thrown)";
}

TEST_F(Meshes, AreTheSameAfterWritingAndReading) {
  const Mesh mesh = boxes();
  for (const char* name : {"boxes.glb", "boxes.gltf", "boxes.obj", "Boxes.GLB"}) {
    writeMesh(mesh, file(name));
    auto wanted = described(mesh);
    if (std::string(name) == "boxes.obj")  // whose names have no spaces
      for (Described& d : wanted)
        for (std::string* text : {&d.object, &d.material}) std::replace(text->begin(), text->end(), ' ', '_');
    MeshRepairs repairs;
    const Mesh again = readMesh(file(name), {}, &repairs);
    expectSame(described(again), wanted, name);
    EXPECT_EQ(again.vertices.size(), 24U) << name;
    EXPECT_EQ(again.materials.size(), 3U) << name;
    EXPECT_EQ(repairs.read, 36U) << name;
    EXPECT_EQ(repairs.open_edges + repairs.degenerate + repairs.duplicate + repairs.not_finite, 0U) << name;
    writeMesh(again, file(name));  // over the old one
    expectSame(described(readMesh(file(name))), wanted, name);
  }
  EXPECT_EQ(filesInFolder(), 5U) << "with the .mtl, and nothing half-written";
}

TEST_F(Meshes, WithoutMaterialsAndObjectsStayWithout) {
  Mesh mesh = boxes();
  mesh.material.clear();
  mesh.materials.clear();
  mesh.object.clear();
  mesh.objects.clear();
  for (const char* name : {"plain.glb", "plain.gltf", "plain.obj"}) {
    writeMesh(mesh, file(name));
    const Mesh again = readMesh(file(name));
    EXPECT_TRUE(again.material.empty() && again.materials.empty()) << name;
    EXPECT_THAT(again.objects, ElementsAre("plain")) << name;
    ASSERT_EQ(again.triangles.size(), 36U);
    for (std::size_t t = 0; t < 36; ++t) EXPECT_EQ(again.corners(t), mesh.corners(t)) << name;
  }
}

TEST_F(Meshes, EqualNamesOfMaterialsAreToldApartInObj) {
  Mesh mesh = boxes();
  mesh.materials[2].name = "stone";
  mesh.objects[0] = "two\nlines # and more";
  writeMesh(mesh, file("names.obj"));
  const Mesh again = readMesh(file("names.obj"));
  ASSERT_EQ(again.materials.size(), 3U);
  EXPECT_EQ(described(again)[6].material, "stone-2");
  EXPECT_EQ(described(again)[6].rgb, 0xff0001U);
  EXPECT_EQ(again.objects[0], "two_lines___and_more");
}

TEST_F(Meshes, ThatCannotBeWrittenLeaveNothing) {
  Mesh mesh = boxes();
  EXPECT_THAT(message<InputError>([&] { writeMesh(mesh, file("a.stl")); }),
              AllOf(HasSubstr(".stl"), HasSubstr(".glb")));
  EXPECT_THROW(writeMesh(mesh, file("nowhere/a.glb")), FileError);
  EXPECT_THROW(writeMesh(Mesh{}, file("a.glb")), InputError);
  mesh.triangles[3][1] = 24;
  EXPECT_THAT(message<InputError>([&] { writeMesh(mesh, file("a.glb")); }), HasSubstr("triangle 3"));
  mesh = boxes();
  mesh.vertices[0].z = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(writeMesh(mesh, file("a.obj")), InputError);
  mesh = boxes();
  mesh.material.pop_back();
  EXPECT_THROW(writeMesh(mesh, file("a.obj")), InputError);
  EXPECT_EQ(filesInFolder(), 0U);
}

/// One triangle (0,0,0), (2,0,0), (0,0,3) in a node that is moved by (10, 20, 30), as COLLADA.
std::string collada(const std::string& asset) {
  return R"(<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset>)" +
         asset + R"(</asset>
<library_effects><effect id="e"><profile_COMMON><technique sid="c"><lambert><diffuse><color>1 0.5 0 1</color></diffuse>
</lambert></technique></profile_COMMON></effect></library_effects>
<library_materials><material id="m" name="brick"><instance_effect url="#e"/></material></library_materials>
<library_geometries><geometry id="g" name="roof shape"><mesh>
<source id="p"><float_array id="pa" count="9">0 0 0 2 0 0 0 0 3</float_array><technique_common>
<accessor source="#pa" count="3" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="1" material="s"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="vs"><node id="n" name="roof"><translate>10 20 30</translate>
<instance_geometry url="#g"><bind_material><technique_common><instance_material symbol="s" target="#m"/>
</technique_common></bind_material></instance_geometry></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#vs"/></scene></COLLADA>)";
}

TEST_F(Meshes, OfColladaHaveTheUnitAndTheAxisThatTheFileNames) {
  const auto corners = [&](const std::string& asset, const MeshReaderOptions& options = {}) {
    return readMesh(write("roof.dae", collada(asset)), options).corners(0);
  };
  using Corners = std::array<Point3, 3>;
  const Corners z_up{{{10, 20, 30}, {12, 20, 30}, {10, 20, 33}}};
  const Corners y_up{{{10, -30, 20}, {12, -30, 20}, {10, -33, 20}}};
  const Corners x_up{{{-20, -30, 10}, {-20, -30, 12}, {-20, -33, 10}}};
  EXPECT_EQ(corners("<up_axis>Z_UP</up_axis>"), z_up);
  EXPECT_EQ(corners("<up_axis>Y_UP</up_axis>"), y_up);
  EXPECT_EQ(corners(""), y_up) << "COLLADA's default";
  EXPECT_EQ(corners("<up_axis>X_UP</up_axis>"), x_up);
  for (const char* says : {"X", "Y", "Z"}) {
    const std::string asset = "<up_axis>" + std::string(says) + "_UP</up_axis>";
    EXPECT_EQ(corners(asset, {.up = "x"}), x_up) << says;
    EXPECT_EQ(corners(asset, {.up = "y"}), y_up) << says;
    EXPECT_EQ(corners(asset, {.up = "z"}), z_up) << says;
  }
  const auto inches = corners("<unit name=\"inch\" meter=\"0.0254\"/><up_axis>Z_UP</up_axis>");
  const auto tenfold = corners("<unit name=\"inch\" meter=\"0.0254\"/><up_axis>Z_UP</up_axis>", {.unit = 10});
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(inches[i].x, 0.0254 * z_up[i].x, 1e-12);
    EXPECT_NEAR(inches[i].z, 0.0254 * z_up[i].z, 1e-12);
    EXPECT_NEAR(tenfold[i].y, 0.254 * z_up[i].y, 1e-12);
  }
  const Mesh mesh = readMesh(file("roof.dae"));
  EXPECT_EQ(mesh.objects, std::vector<std::string>{"roof"});
  ASSERT_EQ(mesh.materials.size(), 1U);
  EXPECT_EQ(mesh.materials[0].name, "brick");
  EXPECT_EQ(mesh.materials[0].rgb, 0xff8000U);
}

constexpr const char* kPly = R"(ply
format ascii 1.0
element vertex 5
property float x
property float y
property float z
element face 2
property list uchar int vertex_indices
end_header
0 0 0
4 0 0
4 4 0
0 4 0
1.5 0.25 3
4 0 1 2 3
3 0 1 4
)";

TEST_F(Meshes, OfPlyHaveZUpAndPolygons) {
  MeshRepairs repairs;
  const Mesh mesh = readMesh(write("sheet.ply", kPly), {.unit = 0.01}, &repairs);
  ASSERT_EQ(mesh.triangles.size(), 3U);
  EXPECT_EQ(mesh.vertices[4], (Point3{0.015, 0.0025, 0.03}));
  EXPECT_THAT(mesh.objects, ElementsAre("sheet"));
  EXPECT_TRUE(mesh.materials.empty());
  EXPECT_EQ(repairs.read, 3U);
  EXPECT_EQ(repairs.open_edges, 5U);
  EXPECT_EQ(readMesh(file("sheet.ply"), {.up = "y"}).vertices[4], (Point3{1.5, -3, 0.25}));
}

TEST_F(Meshes, WithCornersThatAreNotThereLoseThoseFaces) {
  std::string ply = kPly;
  ply.replace(ply.find("3 0 1 4"), 7, "3 0 1 9");
  MeshRepairs repairs;
  EXPECT_EQ(readMesh(write("a.ply", ply), {}, &repairs).triangles.size(), 2U);
  EXPECT_EQ(repairs.out_of_range, 1U);
  EXPECT_EQ(repairs.read, 3U);
  ply.replace(ply.find("4 0 1 2 3"), 9, "4 0 1 2 7");
  EXPECT_THAT(message<InputError>([&] { readMesh(write("b.ply", ply)); }),
              AllOf(HasSubstr("b.ply"), HasSubstr("3 with corners out of range")));
  EXPECT_THROW(readMesh(write("c.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n")), InputError);

  // Four triangles in glTF, the indices of one of them changed in the file.
  Mesh mesh = boxes();
  mesh.triangles.resize(4);
  mesh.material.assign(4, 0);
  mesh.object.assign(4, 0);
  writeMesh(mesh, file("d.glb"));
  std::ifstream in(file("d.glb"), std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  bytes[bytes.size() - 4] = 100;
  EXPECT_EQ(readMesh(write("d.glb", bytes)).triangles.size(), 3U);
}

TEST_F(Meshes, OfPlyHaveAHeaderThatEndsAndCanBeTrue) {
  std::string ply = kPly;
  ply.replace(ply.find("end_header"), 10, "end_adheer");
  EXPECT_THAT(message<InputError>([&] { readMesh(write("a.ply", ply)); }), HasSubstr("end_header"));
  for (const char* count : {"4000000000", "-1", "x", ""}) {
    ply = kPly;
    ply.replace(ply.find("face 2"), 6, "face " + std::string(count));
    EXPECT_THAT(message<InputError>([&] { readMesh(write("b.ply", ply)); }),
                HasSubstr("b.ply:7:1: error: \"element face"));
  }
}

TEST_F(Meshes, InObjAreRepaired) {
  const std::string text = R"(
v 0 0 0
v 1 0 0
v 1 0 1
v 0 0 1
v 1 0 1
v 2 0 2
v nan 0 0
p 1
l 1 2
f 1 2 3
f 3 1 2
f -4 -6 -7
f 1 3 6
f 1 2 2
f 1 2 7
f 1 3 4
)";
  MeshRepairs repairs;
  const Mesh mesh = readMesh(write("broken.obj", text), {}, &repairs);
  EXPECT_EQ(repairs.read, 7U);
  EXPECT_EQ(repairs.duplicate, 1U);
  EXPECT_EQ(repairs.degenerate, 2U);
  EXPECT_EQ(repairs.not_finite, 1U);
  EXPECT_EQ(mesh.triangles.size(), 3U);
}

TEST_F(Meshes, AreReadFromTheirOwnFolderOnly) {
  Mesh mesh = boxes();
  writeMesh(mesh, file("inside.obj"));
  fs::rename(file("inside.mtl"), folder_ / "outside.mtl");
  std::ifstream in(file("inside.obj"));
  std::string text{std::istreambuf_iterator<char>(in), {}};
  text.replace(text.find("inside.mtl"), 10, "../outside.mtl");
  const Mesh again = readMesh(write("names.obj", text));
  EXPECT_EQ(again.materials.size(), 3U) << "named, but";
  EXPECT_NE(again.materials[0].rgb, 0x8899aaU) << "without the colour of a file outside";

  std::ofstream(folder_ / "outside.bin") << std::string(36, '\0');
  const std::string gltf = R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
    "nodes": [{"mesh": 0}], "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
    "bufferViews": [{"buffer": 0, "byteLength": 36}], "buffers": [{"byteLength": 36, "uri": "../outside.bin"}]})";
  EXPECT_THAT(message<InputError>([&] { readMesh(write("out.gltf", gltf)); }),
              AllOf(HasSubstr("outside.bin"), HasSubstr("beneath")));
  fs::create_symlink(folder_ / "outside.bin", file("link.bin"));
  std::string linked = gltf;
  linked.replace(linked.find("../outside.bin"), 14, "link.bin");
  EXPECT_THAT(message<InputError>([&] { readMesh(write("link.gltf", linked)); }), HasSubstr("beneath"));

  // The same buffer inside is three times the same place.
  fs::remove(file("link.bin"));
  fs::rename(folder_ / "outside.bin", file("link.bin"));
  EXPECT_THAT(message<InputError>([&] { readMesh(write("link.gltf", linked)); }), HasSubstr("1 without area"));
}

TEST_F(Meshes, ThatAreNoneSayWhy) {
  EXPECT_THAT(message<InputError>([&] { readMesh(write("a.skp", "?")); }),
              AllOf(HasSubstr("a.skp"), HasSubstr("\".skp\""), HasSubstr(".obj, .gltf, .glb, .dae, .ply")));
  EXPECT_THAT(message<FileError>([&] { readMesh(file("none.obj")); }), HasSubstr("none.obj"));
  EXPECT_THROW(readMesh(folder_.string()), FileError);
  EXPECT_THAT(message<InputError>([&] { readMesh(write("empty.obj", "# nothing\n")); }), HasSubstr("empty.obj"));
  EXPECT_THAT(message<InputError>([&] { readMesh(write("points.obj", "v 0 0 0\nv 1 0 0\nl 1 2\n")); }),
              HasSubstr("no triangle"));
  for (const char* name : {"a.glb", "a.gltf", "a.dae", "a.ply", "a.obj"}) {
    EXPECT_THAT(message<InputError>([&] { readMesh(write(name, "hello, world")); }), HasSubstr(name));
    EXPECT_THROW(readMesh(write(name, "")), InputError) << name;
  }
  writeMesh(boxes(), file("whole.glb"));
  std::ifstream in(file("whole.glb"), std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  for (std::size_t size = 0; size < bytes.size(); size += 97)
    EXPECT_THROW(readMesh(write("half.glb", bytes.substr(0, size))), InputError) << size;
  EXPECT_THROW(readMesh(file("whole.glb"), {.up = "w"}), InputError);
  for (const double unit : {0.0, -1.0, 1e9, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_THROW(readMesh(file("whole.glb"), {.unit = unit}), InputError) << unit;
}

TEST_F(Meshes, OfTheSharedDataAreReadWhole) {
  const char* variable = std::getenv("THRONG_DATA");
  const fs::path data = (variable ? fs::path(variable) : fs::path(THRONG_SOURCE_DIR) / "../shared/data") / "meshes";
  if (!fs::exists(data)) GTEST_SKIP() << "no meshes in " << data << "; THRONG_DATA names the folder";
  for (const auto& [name, triangles] : {std::pair{"nav_test.obj", 1612U}, std::pair{"dungeon.obj", 10133U}}) {
    double last = 0;
    bool rising = true;
    MeshReaderOptions options;
    options.progress = [&](double share) {
      rising = rising && share >= last;
      last = share;
    };
    MeshRepairs repairs;
    const Mesh mesh = readMesh((data / name).string(), options, &repairs);
    EXPECT_EQ(repairs.read, triangles);
    EXPECT_EQ(mesh.triangles.size(), triangles - repairs.degenerate - repairs.duplicate);
    EXPECT_TRUE(rising);
    EXPECT_EQ(last, 1);
    writeMesh(mesh, file("again.glb"));
    // Objects of one name are put together when they are written.
    auto wanted = described(mesh), found = described(readMesh(file("again.glb")));
    const auto before = [](const Described& a, const Described& b) {
      const auto numbers = [](const Described& d) {
        std::array<double, 9> all;
        for (std::size_t i = 0; i < 3; ++i)
          all[3 * i] = d.corners[i].x, all[3 * i + 1] = d.corners[i].y, all[3 * i + 2] = d.corners[i].z;
        return all;
      };
      return numbers(a) < numbers(b);
    };
    std::sort(wanted.begin(), wanted.end(), before);
    std::sort(found.begin(), found.end(), before);
    expectSame(found, wanted, name);
    std::printf("%s: %zu of %zu triangles, %zu vertices, %zu open edges\n", name, mesh.triangles.size(), repairs.read,
                mesh.vertices.size(), repairs.open_edges);
  }
}

// Cleaning, against a twin that compares everything with everything.

bool same(const Point3& a, const Point3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

MeshRepairs slowClean(const Mesh& mesh, std::vector<std::array<Point3, 3>>& kept) {
  MeshRepairs found;
  found.read = mesh.triangles.size();
  const auto finite = [](const Point3& p) { return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z); };
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    bool earlier = false;
    for (std::size_t w = 0; w < v; ++w) earlier = earlier || same(mesh.vertices[v], mesh.vertices[w]);
    found.merged_vertices += finite(mesh.vertices[v]) && earlier ? 1 : 0;
  }
  std::vector<std::array<Point3, 3>> all;
  const auto has = [](const std::array<Point3, 3>& t, const Point3& p) {
    return same(t[0], p) || same(t[1], p) || same(t[2], p);
  };
  for (const Mesh::Corners& c : mesh.triangles) {
    if (std::max({c[0], c[1], c[2]}) >= mesh.vertices.size()) {
      ++found.out_of_range;
      continue;
    }
    const std::array<Point3, 3> t{mesh.vertices[c[0]], mesh.vertices[c[1]], mesh.vertices[c[2]]};
    if (!finite(t[0]) || !finite(t[1]) || !finite(t[2])) {
      ++found.not_finite;
      continue;
    }
    // Small whole numbers: exact.
    const double ux = t[1].x - t[0].x, uy = t[1].y - t[0].y, uz = t[1].z - t[0].z;
    const double vx = t[2].x - t[0].x, vy = t[2].y - t[0].y, vz = t[2].z - t[0].z;
    if (uy * vz == uz * vy && uz * vx == ux * vz && ux * vy == uy * vx) {
      ++found.degenerate;
      continue;
    }
    bool copy = false;
    for (const auto& other : kept) copy = copy || (has(other, t[0]) && has(other, t[1]) && has(other, t[2]));
    found.duplicate += copy ? 1 : 0;
    if (!copy) kept.push_back(t);
  }
  for (std::size_t t = 0; t < kept.size(); ++t)
    for (std::size_t i = 0; i < 3; ++i) {
      std::size_t users = 0;
      for (const auto& other : kept) users += has(other, kept[t][i]) && has(other, kept[t][(i + 1) % 3]) ? 1 : 0;
      found.open_edges += users == 1 ? 1 : 0;
    }
  return found;
}

TEST(Cleaning, AgreesWithItsSlowTwin) {
  std::mt19937_64 random(7);
  const auto below = [&](std::uint64_t n) { return static_cast<std::uint32_t>(random() % n); };
  MeshRepairs total;
  for (int round = 0; round < 400; ++round) {
    Mesh mesh;
    const std::uint32_t vertices = 1 + below(30), side = 1 + below(4);
    const double odd[] = {NAN, INFINITY, -INFINITY, -0.0};
    const auto coordinate = [&] { return below(60) == 0 ? odd[below(4)] : double(below(side)) - 1; };
    for (std::uint32_t v = 0; v < vertices; ++v) mesh.vertices.push_back({coordinate(), coordinate(), coordinate()});
    const std::uint32_t triangles = below(40);
    for (std::uint32_t t = 0; t < triangles; ++t) {
      const std::uint32_t range = vertices + (below(20) == 0 ? 1 : 0);
      mesh.triangles.push_back({below(range), below(range), below(range)});
      mesh.material.push_back(t % 3);
      mesh.object.push_back(t);
    }
    mesh.materials = {{"a", 1}, {"b", 2}, {"c", 3}};
    mesh.objects.assign(triangles, "part");
    const Mesh before = mesh;
    std::vector<std::array<Point3, 3>> kept;
    const MeshRepairs slow = slowClean(mesh, kept), fast = clean(mesh);
    const auto numbers = [](const MeshRepairs& r) {
      return std::array{r.read,      r.out_of_range, r.not_finite,     r.degenerate,
                        r.duplicate, r.open_edges,   r.merged_vertices};
    };
    ASSERT_EQ(numbers(fast), numbers(slow)) << round;
    ASSERT_EQ(mesh.triangles.size(), kept.size());
    std::vector<bool> used(mesh.vertices.size(), false);
    for (std::size_t t = 0; t < kept.size(); ++t) {
      ASSERT_EQ(mesh.corners(t), kept[t]);
      ASSERT_EQ(mesh.material[t], mesh.object[t] % 3) << "they stay with their triangles";
      const Mesh::Corners& was = before.triangles[mesh.object[t]];
      for (std::size_t i = 0; i < 3; ++i) ASSERT_TRUE(same(before.vertices[was[i]], kept[t][i]));
      for (const std::uint32_t v : mesh.triangles[t]) used[v] = true;
    }
    ASSERT_EQ(std::count(used.begin(), used.end(), false), 0) << "no vertex without a triangle";
    const MeshRepairs again = clean(mesh);
    ASSERT_EQ(again.read, kept.size());
    ASSERT_EQ(again.merged_vertices + again.degenerate + again.duplicate + again.not_finite, 0U);
    total.duplicate += fast.duplicate;
    total.not_finite += fast.not_finite;
    total.out_of_range += fast.out_of_range;
    total.degenerate += fast.degenerate;
  }
  std::printf("%zu copies, %zu not finite, %zu out of range, %zu without area\n", total.duplicate, total.not_finite,
              total.out_of_range, total.degenerate);
  EXPECT_GT(std::min({total.duplicate, total.not_finite, total.out_of_range, total.degenerate}), 20U);
}

TEST(Cleaning, FarAwayIsNoPlaceAndLinesHaveNoArea) {
  Mesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1e300, 0, 0}, {0.5, 1e-10, 0}, {0.5, 1e-6, 0}};
  mesh.triangles = {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}, {0, 1, 5}};
  const MeshRepairs repairs = clean(mesh);
  EXPECT_EQ(repairs.not_finite, 1U);
  EXPECT_EQ(repairs.degenerate, 1U);
  EXPECT_EQ(mesh.triangles.size(), 2U);
}

/// Star-shaped polygons, in any position in space: the triangles have its area together, and none is turned over.
TEST(PolygonTriangles, TileThePolygon) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> unit(0, 1);
  PolygonScratch scratch;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = 3 + random() % 40;
    std::vector<Point> flat;
    for (std::size_t i = 0; i < n; ++i) {
      const double angle = 2 * M_PI * double(i) / double(n), radius = 0.2 + unit(random);
      flat.push_back({radius * std::cos(angle), radius * std::sin(angle)});
    }
    Point3 u{unit(random) - 0.5, unit(random) - 0.5, unit(random) - 0.5}, v{u.y, -u.x, 0.3 * unit(random)};
    std::vector<Point3> corners;
    for (const Point p : flat)
      corners.push_back({5 + u.x * p.x + v.x * p.y, u.y * p.x + v.y * p.y, u.z * p.x + v.z * p.y});
    cutIntoTriangles(corners, scratch, triangles);
    ASSERT_EQ(triangles.size(), n - 2);
    double area = 0, sum = 0;
    for (std::size_t i = 0; i < n; ++i) area += det(flat[i], flat[(i + 1) % n]);
    for (const auto& t : triangles) {
      const double part = det(flat[t[1]] - flat[t[0]], flat[t[2]] - flat[t[0]]);
      EXPECT_GT(part, -1e-12);
      sum += part;
    }
    ASSERT_NEAR(sum, area, 1e-9) << round;
  }
  const std::vector<Point3> square{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  cutIntoTriangles(square, scratch, triangles);
  EXPECT_THAT(triangles, ElementsAre(std::array{0U, 1U, 2U}, std::array{0U, 2U, 3U}));
}

/// Large polygons of all kinds: round, jagged, square with corners in a row on its sides, with noise, folded, crossing
/// themselves, with places that are none.
std::vector<Point3> largePolygon(int kind, std::size_t n, std::mt19937_64& random) {
  std::uniform_real_distribution<double> unit(0, 1);
  std::vector<Point3> corners;
  for (std::size_t i = 0; i < n; ++i) {
    const double share = double(i) / double(n), angle = 2 * M_PI * share, side = std::floor(4 * share);
    const double radius = kind == 1 ? 0.2 + unit(random) : kind == 2 ? 1 + 0.5 * double(i % 2) : 1;
    Point p{radius * std::cos(angle), radius * std::sin(angle)};
    const double along = 4 * share - side;
    if (kind == 3 || kind == 4)
      p = side == 0   ? Point{along, 0}
          : side == 1 ? Point{1, along}
          : side == 2 ? Point{1 - along, 1}
                      : Point{0, 1 - along};
    if (kind == 4) p = {p.x + 1e-15 * unit(random), p.y + 1e-15 * unit(random)};
    if (kind == 5) p = {std::floor(8 * unit(random)), std::floor(8 * unit(random))};
    if (kind == 6 && random() % 50 == 0) p.x = std::numeric_limits<double>::quiet_NaN();
    corners.push_back({p.x, p.y, 0.25 * p.x});
  }
  return corners;
}

TEST(PolygonTriangles, OfLargePolygonsAgreeWithTheSlowTwin) {
  std::mt19937_64 random(5);
  PolygonScratch scratch;
  std::vector<std::array<std::uint32_t, 3>> fast, slow;
  for (int kind = 0; kind < 7; ++kind)
    for (int round = 0; round < 20; ++round) {
      const std::size_t n = 60 + random() % 300;
      const std::vector<Point3> corners = largePolygon(kind, n, random);
      cutIntoTriangles(corners, scratch, fast);
      cutIntoTrianglesSlowly(corners, scratch, slow);
      ASSERT_EQ(fast, slow) << kind << ", " << n;
      ASSERT_EQ(fast.size(), n - 2);
      double wanted = 0, found = 0, turned = 0;
      const auto flat = [&](std::size_t i) { return Point{corners[i].x, corners[i].y}; };
      for (std::size_t i = 0; i < n; ++i) wanted += det(flat(i), flat((i + 1) % n));
      for (const auto& t : fast) {
        const double part = det(flat(t[1]) - flat(t[0]), flat(t[2]) - flat(t[0]));
        found += part;
        turned = std::min(turned, part);
      }
      if (kind < 5) {
        ASSERT_NEAR(found, wanted, 1e-9) << kind << ", " << n;
        ASSERT_GT(turned, -1e-12) << kind << ", " << n;
      }
    }
}

/// With every corner compared with every other, these would take minutes each.
TEST(PolygonTriangles, OfHugePolygonsAreFound) {
  std::mt19937_64 random(6);
  PolygonScratch scratch;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  for (int kind = 0; kind < 7; ++kind) {
    const std::vector<Point3> corners = largePolygon(kind, 100'000, random);
    cutIntoTriangles(corners, scratch, triangles);
    EXPECT_EQ(triangles.size(), corners.size() - 2) << kind;
  }
}

}  // namespace
}  // namespace throng::import
