// Whatever is in a mesh: cleaning leaves one that is in order, and what is written as glTF comes back the same. Files
// of other people are tried in model_fuzzer.cpp.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "import/mesh_reader.h"
#include "import/mesh_writer.h"
#include "import/model_check.h"

namespace {

using throng::Mesh;

/// Vertices, indices and kinds from arbitrary bytes.
Mesh meshFrom(std::string_view bytes) {
  Mesh mesh;
  const auto take = [&](auto& value) {
    if (bytes.size() < sizeof value) return false;
    std::memcpy(&value, bytes.data(), sizeof value);
    bytes.remove_prefix(sizeof value);
    return true;
  };
  std::uint8_t vertices = 0;
  take(vertices);
  for (std::uint8_t v = 0; v < vertices; ++v) {
    std::array<float, 3> p;
    if (!take(p)) break;
    mesh.vertices.push_back({p[0], p[1], p[2]});
  }
  std::array<std::uint8_t, 4> triangle;
  while (take(triangle)) {
    mesh.triangles.push_back({triangle[0], triangle[1], triangle[2]});
    mesh.object.push_back(triangle[3] % 4);
    mesh.material.push_back(triangle[3] / 4 % 3);
  }
  mesh.objects = {"a", "b", std::string(bytes), "\xff\xc0 \"\\"};
  mesh.materials = {{"m", 0x123456}, {"n", 0xffffff}, {"", 0}};
  return mesh;
}

void expectInOrder(const Mesh& mesh) {
  for (const Mesh::Corners& t : mesh.triangles) {
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) std::abort();
    for (const std::uint32_t v : t)
      if (v >= mesh.vertices.size()) std::abort();
  }
  Mesh again = mesh;
  const throng::MeshRepairs repairs = throng::import::clean(again);
  if (repairs.read != mesh.triangles.size() || again.triangles != mesh.triangles || again.vertices != mesh.vertices)
    std::abort();
}

/// Our own files, without another process for each.
Mesh readBack(const std::string& bytes, const std::string& ending) {
  Mesh mesh = throng::import::readModelHere({"fuzz" + ending, ending, "", bytes}, "auto", 1, {}).mesh;
  throng::import::clean(mesh);
  return mesh;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace throng::import;
  Mesh mesh = meshFrom({reinterpret_cast<const char*>(data), size});
  clean(mesh);
  expectInOrder(mesh);
  try {
    // 32-bit floats on the way may merge vertices; the second time nothing may change.
    const Mesh once = readBack(gltfBytes(mesh, "fuzz.glb"), ".glb");
    const Mesh twice = readBack(gltfBytes(once, "fuzz.gltf"), ".gltf");
    expectInOrder(once);
    if (twice.triangles.size() != once.triangles.size() || twice.objects != once.objects) std::abort();
    for (std::size_t t = 0; t < once.triangles.size(); ++t)
      if (twice.corners(t) != once.corners(t) || twice.object[t] != once.object[t]) std::abort();
  } catch (const throng::InputError&) {  // nothing was left of it
  }
  return 0;
}
