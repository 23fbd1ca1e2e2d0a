// Models that lie about themselves, and models with random damage: a mesh or an InputError, and never much of anything.
#include <bit>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "import/mesh_reader.h"
#include "import/mesh_writer.h"
#include "import/model_check.h"

namespace throng::import {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kPlain = false;
#elif !defined(__has_feature)
constexpr bool kPlain = true;
#elif __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kPlain = false;
#else
constexpr bool kPlain = true;
#endif

class HostileModels : public ::testing::Test {
 protected:
  HostileModels() {
    folder_ = fs::temp_directory_path() / ("throng-hostile-" + std::to_string(getpid()) + "-" +
                                           ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  ~HostileModels() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  std::string write(const std::string& name, const std::string& text) const {
    const std::string path = (folder_ / name).string();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  /// Why a model is refused; empty when it is read.
  std::string refusal(const std::string& name, const std::string& text) const {
    try {
      readMesh(write(name, text));
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  }

  fs::path folder_;
};

/// The most memory that any copy of this process has had so far, in MB.
long mostMemory() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  return used.ru_maxrss / 1024;
}

/// MB; this process itself has some 30.
void expectLittleMemory(long megabytes = 150) {
  if (kPlain) {
    EXPECT_LT(mostMemory(), megabytes);
  }
}

std::string words(const std::vector<std::uint32_t>& values) {
  std::string bytes;
  for (const std::uint32_t v : values)
    for (int i = 0; i < 4; ++i) bytes += static_cast<char>(v >> 8 * i);
  return bytes;
}

std::string glb(std::string json, const std::string& data, std::uint32_t length_more = 0, std::uint32_t json_more = 0,
                std::uint32_t data_more = 0) {
  while (json.size() % 4 != 0) json += ' ';
  const auto json_size = static_cast<std::uint32_t>(json.size()), size = static_cast<std::uint32_t>(data.size());
  return words({0x46546C67, 2, 28 + json_size + size + length_more, json_size + json_more, 0x4E4F534A}) + json +
         words({size + data_more, 0x004E4942}) + data;
}

/// One triangle as glTF 2; what stands between ‹› can be replaced.
std::string triangle(
    const std::string& nodes = R"([{"mesh": 0}])",
    const std::string& accessor = R"({"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"})",
    const std::string& view = R"({"buffer": 0, "byteLength": 36})", const std::string& buffer = R"({"byteLength": 36})",
    const std::string& more = "") {
  return fmt::format(R"({{"asset": {{"version": "2.0"}}, "scene": 0, "scenes": [{{"nodes": [0]}}], "nodes": {},
    "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}}}]}}], "accessors": [{}], "bufferViews": [{}],
    "buffers": [{}]{}}})",
                     nodes, accessor, view, buffer, more);
}

std::string floats(const std::vector<float>& values) {
  std::vector<std::uint32_t> bits;
  for (const float v : values) bits.push_back(std::bit_cast<std::uint32_t>(v));
  return words(bits);
}

const std::string kData = floats({0, 0, 0, 1, 0, 0, 0, 0, 1});

TEST_F(HostileModels, GoodOnesAreRead) {
  EXPECT_EQ(refusal("a.glb", glb(triangle(), kData)), "");
  write("a.bin", kData);
  EXPECT_EQ(refusal("a.gltf", triangle("[{\"mesh\": 0}]",
                                       R"({"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"})",
                                       R"({"buffer": 0, "byteLength": 36})", R"({"byteLength": 36, "uri": "a.bin"})")),
            "");
}

TEST_F(HostileModels, BinaryGltfHasTheLengthsThatItSays) {
  EXPECT_THAT(refusal("a.glb", glb(triangle(), kData, 1000)), HasSubstr("bytes long, and there are"));
  EXPECT_THAT(refusal("a.glb", glb(triangle(), kData, 0xf0000000)), HasSubstr("bytes long, and there are"));
  EXPECT_THAT(refusal("a.glb", glb(triangle(), kData, 0, 0xf0000000)), HasSubstr("its JSON is said to be"));
  EXPECT_THAT(refusal("a.glb", glb(triangle(), kData, 0, 0, 0xf0000000)), HasSubstr("its data is said to be"));
  EXPECT_THAT(refusal("a.glb", glb(triangle("[{\"mesh\": 0}]", "{}", "{}", R"({"byteLength": 4100000000})"), kData)),
              AllOf(HasSubstr("/buffers/0/byteLength"), HasSubstr("4100000000"), HasSubstr("36 bytes")));
  const char* accessors[] = {
      R"({"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"})",
      R"({"bufferView": 0, "componentType": 5126, "count": 4000000000, "type": "VEC3"})",
      R"({"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "byteOffset": 1})",
      R"({"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "byteOffset": 9000000000000000})",
      R"({"bufferView": 0, "componentType": 5126, "count": -1, "type": "VEC3"})",
      R"({"bufferView": 0, "componentType": 5126, "count": 3e30, "type": "VEC3"})",
      R"({"bufferView": 0, "componentType": 1, "count": 3, "type": "VEC3"})",
      R"({"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC9"})",
      R"({"bufferView": 7, "componentType": 5126, "count": 3, "type": "VEC3"})",
      R"({"componentType": 5126, "count": 4000000000, "type": "VEC3"})",
      R"({"componentType": 5126, "count": 3, "type": "VEC3", "sparse": {"count": 4000000000}})",
      R"({"componentType": 5126, "count": 3, "type": "VEC3", "sparse": {"count": 3,
          "indices": {"bufferView": 0, "componentType": 5125}, "values": {"bufferView": 0, "byteOffset": 8}}})",
  };
  for (const char* accessor : accessors)
    EXPECT_THAT(refusal("a.glb", glb(triangle("[{\"mesh\": 0}]", accessor), kData)), HasSubstr("/accessors/0"))
        << accessor;
  for (const char* view :
       {R"({"buffer": 0, "byteLength": 37})", R"({"buffer": 0, "byteOffset": 4, "byteLength": 36})",
        R"({"buffer": 1, "byteLength": 36})", R"({"buffer": 0, "byteLength": 36, "byteStride": 70000})"})
    EXPECT_THAT(refusal("a.glb", glb(triangle("[{\"mesh\": 0}]", "{}", view), kData)), HasSubstr("/bufferViews/0"));
  expectLittleMemory();
}

TEST_F(HostileModels, DepthIsLimited) {
  for (const char* open : {"[", "{\"a\":"}) {
    std::string deep;
    for (int i = 0; i < 200'000; ++i) deep += open;
    EXPECT_THAT(refusal("a.gltf", deep), HasSubstr("nested more than 100 deep"));
    EXPECT_THAT(refusal("a.glb", glb(deep, "")), HasSubstr("nested more than 100 deep"));
  }
  std::string chain = "[";
  for (int i = 1; i < 100'000; ++i) chain += fmt::format("{{\"children\": [{}]}}, ", i);
  EXPECT_THAT(refusal("b.glb", glb(triangle(chain + "{\"mesh\": 0}]"), kData)), HasSubstr("nested more than 500 deep"));
  std::string xml = "<COLLADA>";
  for (int i = 0; i < 100'000; ++i) xml += "<node>";
  EXPECT_THAT(refusal("c.dae", xml), HasSubstr("nested more than 1000 deep"));
  expectLittleMemory();
}

TEST_F(HostileModels, PartsThatMultiplyAreLimited) {
  // Every node has the next one ten times.
  std::string nodes = "[";
  for (int i = 1; i < 20; ++i) {
    nodes += "{\"children\": [";
    for (int copy = 0; copy < 10; ++copy) nodes += fmt::format("{}{}", copy ? "," : "", i);
    nodes += "]}, ";
  }
  EXPECT_THAT(refusal("a.glb", glb(triangle(nodes + "{\"mesh\": 0}]"), kData)), HasSubstr("more than 1000000 parts"));
  EXPECT_THAT(refusal("b.glb", glb(triangle(R"([{"children": [1]}, {"children": [0], "mesh": 0}])"), kData)),
              HasSubstr("contains itself"));
  EXPECT_THAT(refusal("b.glb", glb(triangle(R"([{"children": [0], "mesh": 0}])"), kData)),
              HasSubstr("contains itself"));
  EXPECT_THAT(refusal("b.glb", glb(triangle(R"([{"children": [9], "mesh": 0}])"), kData)),
              AllOf(HasSubstr("/nodes/0/children"), HasSubstr("one of the 1 nodes")));
  // glTF 1 has names instead of numbers.
  std::string old = R"({"asset": {"version": "1.0"}, "scene": "s", "scenes": {"s": {"nodes": ["n0"]}}, "nodes": {)";
  for (int i = 0; i < 60; ++i) old += fmt::format("\"n{}\": {{\"children\": [\"n{}\", \"n{}\"]}}, ", i, i + 1, i + 1);
  EXPECT_THAT(refusal("c.gltf", old + "\"n60\": {}}}"), HasSubstr("more than 1000000 parts"));
  // COLLADA has copies of nodes by their names.
  std::string dae = "<COLLADA version=\"1.4.1\"><library_nodes>";
  for (int i = 0; i < 60; ++i)
    dae +=
        fmt::format("<node id=\"n{0}\"><instance_node url=\"#n{1}\"/><instance_node url=\"#n{1}\"/></node>", i, i + 1);
  EXPECT_THAT(refusal("d.dae", dae + "<node id=\"n60\"/></library_nodes></COLLADA>"),
              HasSubstr("more than 1000000 parts"));
  EXPECT_THAT(refusal("e.dae", "<COLLADA><node id=\"a\"><node><instance_node url=\"#a\"/></node></node></COLLADA>"),
              HasSubstr("contains itself"));
  expectLittleMemory();
}

TEST_F(HostileModels, NamesAreGivenOnce) {
  // Of two values of one name, one reader takes the first and another the last.
  EXPECT_THAT(refusal("a.glb", glb(triangle("[{\"mesh\": 0}]", "{}", "{}", "{}", R"(, "nodes": [])"), kData)),
              HasSubstr("two values \"nodes\""));
}

TEST_F(HostileModels, TextFormatsHaveTheNumbersThatTheySay) {
  EXPECT_THAT(refusal("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 4\n"),
              AllOf(HasSubstr("a.obj:5:1"), HasSubstr("vertex 4"), HasSubstr("has 3")));
  EXPECT_THAT(refusal("a.obj", "v 0 0 0\nf 1 1 99999999999999999999\n"), HasSubstr("a.obj:2:1"));
  EXPECT_THAT(refusal("a.obj", "v 0 0 0\nf 1 1 -2\n"), HasSubstr("a.obj:2:1"));
  const std::string ply =
      "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
      "element face 1\nproperty list uint int vertex_indices\nend_header\n";
  const std::string good = ply + kData + words({3, 0, 1, 2});
  EXPECT_EQ(refusal("a.ply", good), "");
  EXPECT_THAT(refusal("b.ply", ply + kData + words({0xfffffff0, 0, 1, 2})),
              AllOf(HasSubstr("b.ply:7:1"), HasSubstr("face 1 of 1 does not fit")));
  EXPECT_THAT(refusal("c.ply", good.substr(0, good.size() - 1)), HasSubstr("does not fit"));
  EXPECT_THAT(refusal("d.ply",
                      "ply\nformat ascii 1.0\nelement vertex 60\nproperty float x\nproperty float y\n"
                      "property float z\nend_header\n0 0 0\n"),
              HasSubstr("announces 180 numbers"));
  EXPECT_THAT(refusal("e.dae", "<COLLADA><float_array count=\"4000000000\">1</float_array></COLLADA>"),
              AllOf(HasSubstr("e.dae:1:1"), HasSubstr("4000000000")));
  EXPECT_THAT(refusal("e.dae", "<COLLADA><vcount>3 4000000000</vcount></COLLADA>"), HasSubstr("vcount"));
  EXPECT_THAT(refusal("e.dae", "<COLLADA>\n<p>0 1 x2</p></COLLADA>"), AllOf(HasSubstr("e.dae:2:1"), HasSubstr("x2")));
  EXPECT_THAT(
      refusal("g.ply", "ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int i\nend_header\n99999 1\n"),
      AllOf(HasSubstr("g.ply:6:1"), HasSubstr("99999")));
  EXPECT_THAT(refusal("f.dae", "<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]><COLLADA>&b;</COLLADA>"),
              HasSubstr("entities"));
  expectLittleMemory();
}

TEST_F(HostileModels, PipesAndDevicesAreNoModels) {
  const std::string pipe = (folder_ / "pipe.obj").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THROW(readMesh(pipe), FileError);
  fs::create_symlink("/dev/zero", folder_ / "zero.glb");
  EXPECT_THROW(readMesh((folder_ / "zero.glb").string()), FileError);
}

/// Files of all kinds with the same few boxes in them.
std::vector<std::pair<std::string, std::string>> goodFiles(const fs::path& folder) {
  Mesh mesh;
  mesh.materials = {{"stone", 0x808080}, {"wood", 0xff0001}};
  mesh.objects = {"a", "b"};
  for (std::uint32_t q = 0; q < 12; ++q) {
    const auto base = static_cast<std::uint32_t>(mesh.vertices.size());
    for (int v = 0; v < 4; ++v) mesh.vertices.push_back({q + (v & 1) * 0.75, (v & 2) * 0.5, q * 0.25});
    mesh.triangles.push_back({base, base + 1, base + 2});
    mesh.triangles.push_back({base + 1, base + 3, base + 2});
    mesh.object.insert(mesh.object.end(), 2, q / 6);
    mesh.material.insert(mesh.material.end(), 2, q % 2);
  }
  std::vector<std::pair<std::string, std::string>> files;
  const auto text = [](const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return std::string{std::istreambuf_iterator<char>(in), {}};
  };
  for (const char* name : {"good.obj", "good.gltf", "good.glb"}) {
    writeMesh(mesh, (folder / name).string());
    files.emplace_back(name, text(folder / name));
  }
  std::string ply = fmt::format(
      "element vertex {}\nproperty float x\nproperty float y\nproperty float z\n"
      "element face {}\nproperty list uchar int vertex_indices\nend_header\n",
      mesh.vertices.size(), mesh.triangles.size());
  std::string ascii = "ply\nformat ascii 1.0\n" + ply, binary = "ply\nformat binary_little_endian 1.0\n" + ply;
  std::string dae =
      "<?xml version=\"1.0\"?>\n<COLLADA version=\"1.4.1\"><asset><up_axis>Z_UP</up_axis></asset><library_geometries>"
      "<geometry id=\"g\"><mesh><source id=\"p\">" +
      fmt::format("<float_array id=\"pa\" count=\"{}\">", 3 * mesh.vertices.size());
  for (const Point3& p : mesh.vertices) {
    ascii += fmt::format("{} {} {}\n", p.x, p.y, p.z);
    binary += floats({float(p.x), float(p.y), float(p.z)});
    dae += fmt::format("{} {} {} ", p.x, p.y, p.z);
  }
  dae += fmt::format(
      "</float_array><technique_common><accessor source=\"#pa\" count=\"{}\" stride=\"3\"><param name=\"X\" type="
      "\"float\"/><param name=\"Y\" type=\"float\"/><param name=\"Z\" type=\"float\"/></accessor></technique_common>"
      "</source><vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices><triangles count=\"{}\">"
      "<input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>",
      mesh.vertices.size(), mesh.triangles.size());
  for (const Mesh::Corners& t : mesh.triangles) {
    ascii += fmt::format("3 {} {} {}\n", t[0], t[1], t[2]);
    binary += '\3' + words({t[0], t[1], t[2]});
    dae += fmt::format("{} {} {} ", t[0], t[1], t[2]);
  }
  dae +=
      "</p></triangles></mesh></geometry></library_geometries><library_nodes><node id=\"l\"><instance_geometry url="
      "\"#g\"/></node></library_nodes><library_visual_scenes><visual_scene id=\"s\"><node id=\"n\"><instance_node url="
      "\"#l\"/></node></visual_scene></library_visual_scenes><scene><instance_visual_scene "
      "url=\"#s\"/></scene></COLLADA>";
  files.emplace_back("ascii.ply", ascii);
  files.emplace_back("binary.ply", binary);
  files.emplace_back("good.dae", dae);
  return files;
}

/// A byte changed, a piece taken away, doubled or replaced by digits, the end cut off.
std::string damaged(std::string text, std::mt19937_64& random) {
  const auto place = [&] { return random() % text.size(); };
  for (std::size_t times = 1 + random() % 4; times > 0 && text.size() > 8; --times) {
    switch (random() % 6) {
      case 0:
        text[place()] = static_cast<char>(random());
        break;
      case 1:
        text[place()] ^= static_cast<char>(1 << random() % 8);
        break;
      case 2:
        text.resize(place());
        break;
      case 3:
        text.erase(place(), 1 + random() % 40);
        break;
      case 4: {
        const std::string piece = text.substr(place(), 1 + random() % 60);
        text.insert(place(), piece);
        break;
      }
      default: {
        const std::size_t digit = text.find_first_of("0123456789", place());
        if (digit != std::string::npos) text.replace(digit, 1, std::to_string(random() >> random() % 64));
      }
    }
  }
  return text;
}

TEST_F(HostileModels, WithRandomDamageGiveAMeshOrAReason) {
  const char* more = std::getenv("THRONG_THOROUGH");
  const int rounds = more ? std::max(1, std::atoi(more)) * 1000 : 60;
  std::mt19937_64 random(12);
  for (const auto& [name, text] : goodFiles(folder_)) {
    MeshRepairs repairs;
    const Mesh good = readMesh(write(name, text), {}, &repairs);
    EXPECT_EQ(good.triangles.size(), 24U) << name;
    // What comes through the pipe is what is read without it.
    const Model model{(folder_ / name).string(), fs::path(name).extension().string(), (folder_ / name).string(), text};
    RawMesh here = readModelHere(model, "auto", 1, {});
    clean(here.mesh);
    EXPECT_EQ(good.vertices, here.mesh.vertices) << name;
    EXPECT_EQ(good.triangles, here.mesh.triangles) << name;
    EXPECT_EQ(good.material, here.mesh.material) << name;
    EXPECT_EQ(good.object, here.mesh.object) << name;
    EXPECT_EQ(good.objects, here.mesh.objects) << name;
    int read = 0;
    for (int round = 0; round < rounds; ++round) {
      const std::string broken = damaged(text, random);
      SCOPED_TRACE(fmt::format("{} {}", name, round));
      try {
        const Mesh mesh = readMesh(write(name, broken));
        ++read;
        for (const Mesh::Corners& t : mesh.triangles)
          for (const std::uint32_t v : t) ASSERT_LT(v, mesh.vertices.size());
      } catch (const InputError& error) {
        EXPECT_THAT(error.what(), HasSubstr(name));
        if (more && std::string(error.what()).find("the reader of this model") != std::string::npos)
          std::printf("%s\n", error.what());
      }
    }
    std::printf("%s: %d of %d read\n", name.c_str(), read, rounds);
  }
  expectLittleMemory(600);  // the limit, should the structure of one be good enough to deceive
}

}  // namespace
}  // namespace throng::import
