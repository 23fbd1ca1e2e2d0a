#include "import/mesh_writer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "throng/base.h"
#include "throng/files.h"
#include "throng/import.h"

namespace throng::import {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

void check(const Mesh& mesh) {
  const auto fail = [](std::size_t triangle, const std::string& what) {
    throw InputError(fmt::format("triangle {} of the mesh {}", triangle, what));
  };
  const std::size_t n = mesh.triangles.size();
  if (n == 0) throw InputError("the mesh has no triangle");
  if (!mesh.material.empty() && mesh.material.size() != n)
    throw InputError(fmt::format("{} materials for {} triangles; allowed: one each, or none", mesh.material.size(), n));
  if (!mesh.object.empty() && mesh.object.size() != n)
    throw InputError(fmt::format("{} objects for {} triangles; allowed: one each, or none", mesh.object.size(), n));
  for (std::size_t t = 0; t < n; ++t) {
    for (const std::uint32_t v : mesh.triangles[t]) {
      if (v >= mesh.vertices.size()) fail(t, fmt::format("has vertex {} of {}", v, mesh.vertices.size()));
      const Point3& p = mesh.vertices[v];
      const double most = std::numeric_limits<float>::max();
      if (!(std::abs(p.x) <= most) || !(std::abs(p.y) <= most) || !(std::abs(p.z) <= most))
        fail(t, fmt::format("has a corner at ({}, {}, {}), which is no place", p.x, p.y, p.z));
    }
    if (!mesh.material.empty() && mesh.material[t] >= mesh.materials.size())
      fail(t, fmt::format("has material {} of {}", mesh.material[t], mesh.materials.size()));
    if (!mesh.object.empty() && mesh.object[t] >= mesh.objects.size())
      fail(t, fmt::format("has object {} of {}", mesh.object[t], mesh.objects.size()));
  }
}

/// Triangles of one object and one material.
struct Part {
  std::uint32_t object = 0, material = 0;
  std::vector<std::uint32_t> triangles;
};

/// Objects in the order in which they appear, parts of one together; triangles in their own.
std::vector<Part> partsOf(const Mesh& mesh) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> known;
  std::map<std::uint32_t, std::uint32_t> first;  // triangle of each object
  std::vector<Part> parts;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    const std::uint32_t object = mesh.object.empty() ? 0 : mesh.object[t];
    const std::uint32_t material = mesh.material.empty() ? 0 : mesh.material[t];
    first.try_emplace(object, t);
    const auto [found, fresh] = known.try_emplace({object, material}, parts.size());
    if (fresh) parts.push_back({object, material, {}});
    parts[found->second].triangles.push_back(t);
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [&](const Part& a, const Part& b) { return first.at(a.object) < first.at(b.object); });
  return parts;
}

std::string objectName(const Mesh& mesh, std::uint32_t object, const std::string& path) {
  return mesh.object.empty() || mesh.objects[object].empty() ? fs::path(path).stem().string() : mesh.objects[object];
}

// glTF

/// From what screens show (sRGB) to glTF's numbers, which are linear in light.
double linearValue(std::uint32_t channel) {
  const double shown = channel / 255.0;
  const double linear = shown <= 0.04045 ? shown / 12.92 : std::pow((shown + 0.055) / 1.055, 2.4);
  return std::round(linear * 1e7) / 1e7;
}

Json materialJson(const Mesh::Material& material) {
  const std::uint32_t c = material.rgb;
  return {{"name", material.name},
          {"doubleSided", true},
          {"pbrMetallicRoughness",
           {{"baseColorFactor", {linearValue(c >> 16 & 255), linearValue(c >> 8 & 255), linearValue(c & 255), 1.0}},
            {"metallicFactor", 0.0},
            {"roughnessFactor", 0.9}}}};
}

/// The binary buffer and what the JSON says about it.
struct Buffer {
  std::string bytes;
  Json views = Json::array(), accessors = Json::array();

  /// glTF is little-endian.
  void put(std::uint32_t word) {
    for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(word >> shift & 255);
  }

  std::size_t add(std::size_t begin, int target, const Json& accessor) {
    views.push_back({{"buffer", 0}, {"byteOffset", begin}, {"byteLength", bytes.size() - begin}, {"target", target}});
    accessors.push_back({{"bufferView", views.size() - 1}});
    accessors.back().update(accessor);
    return accessors.size() - 1;
  }
};

constexpr int kArrayBuffer = 34962, kElementArrayBuffer = 34963, kFloat = 5126, kUnsignedInt = 5125;

/// A part's own vertices, in the order in which its triangles use them.
Json primitiveJson(const Mesh& mesh, const Part& part, Buffer& buffer) {
  std::map<std::uint32_t, std::uint32_t> place;
  std::vector<std::uint32_t> vertices, indices;
  for (const std::uint32_t t : part.triangles)
    for (const std::uint32_t v : mesh.triangles[t]) {
      const auto [found, fresh] = place.try_emplace(v, static_cast<std::uint32_t>(vertices.size()));
      if (fresh) vertices.push_back(v);
      indices.push_back(found->second);
    }
  std::array<float, 3> least, most;
  least.fill(std::numeric_limits<float>::max());
  most.fill(std::numeric_limits<float>::lowest());
  std::size_t begin = buffer.bytes.size();
  for (const std::uint32_t v : vertices) {
    const Point3& p = mesh.vertices[v];
    const std::array<double, 3> turned{p.x, p.z, 0 - p.y};  // y up
    for (std::size_t i = 0; i < 3; ++i) {
      const float value = static_cast<float>(turned[i]);
      least[i] = std::min(least[i], value);
      most[i] = std::max(most[i], value);
      buffer.put(std::bit_cast<std::uint32_t>(value));
    }
  }
  const std::size_t position = buffer.add(
      begin, kArrayBuffer,
      {{"componentType", kFloat}, {"count", vertices.size()}, {"type", "VEC3"}, {"min", least}, {"max", most}});
  begin = buffer.bytes.size();
  for (const std::uint32_t i : indices) buffer.put(i);
  const std::size_t index = buffer.add(
      begin, kElementArrayBuffer, {{"componentType", kUnsignedInt}, {"count", indices.size()}, {"type", "SCALAR"}});
  Json primitive{{"attributes", {{"POSITION", position}}}, {"indices", index}};
  if (!mesh.material.empty()) primitive["material"] = part.material;
  return primitive;
}

Json gltfOf(const Mesh& mesh, const std::string& path, Buffer& buffer) {
  Json meshes = Json::array(), nodes = Json::array(), roots = Json::array();
  const std::vector<Part> parts = partsOf(mesh);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (p == 0 || parts[p].object != parts[p - 1].object) {
      const std::string name = objectName(mesh, parts[p].object, path);
      roots.push_back(nodes.size());
      nodes.push_back({{"name", name}, {"mesh", meshes.size()}});
      meshes.push_back({{"name", name}, {"primitives", Json::array()}});
    }
    meshes.back()["primitives"].push_back(primitiveJson(mesh, parts[p], buffer));
  }
  Json materials = Json::array();
  for (const Mesh::Material& material : mesh.materials) materials.push_back(materialJson(material));
  Json json{{"asset", {{"version", "2.0"}, {"generator", "Throng"}}},
            {"scene", 0},
            {"scenes", Json::array({{{"nodes", roots}}})},
            {"nodes", nodes},
            {"meshes", meshes},
            {"accessors", buffer.accessors},
            {"bufferViews", buffer.views},
            {"buffers", Json::array({{{"byteLength", buffer.bytes.size()}}})}};
  if (!materials.empty()) json["materials"] = materials;
  return json;
}

/// Names may hold any bytes; what is no UTF-8 becomes U+FFFD.
std::string textOf(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k)
      word = word << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) text += i + k > bytes.size() ? '=' : kDigits[word >> (18 - 6 * k) & 63];
  }
  return text;
}

std::string gltfText(const Mesh& mesh, const std::string& path) {
  Buffer buffer;
  Json json = gltfOf(mesh, path, buffer);
  json["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64(buffer.bytes);
  return textOf(json);
}

std::string glbBytes(const Mesh& mesh, const std::string& path) {
  Buffer buffer;
  std::string json = textOf(gltfOf(mesh, path, buffer));
  json.resize((json.size() + 3) / 4 * 4, ' ');  // the buffer is made of words and needs no padding
  const std::size_t size = 12 + 8 + json.size() + 8 + buffer.bytes.size();
  if (size > std::numeric_limits<std::uint32_t>::max())
    throw InputError(fmt::format("{}: {} bytes, more than the 4 GiB that a .glb can have; use .obj", path, size));
  Buffer file;
  file.bytes.reserve(size);
  for (const std::size_t word : {std::size_t{0x46546c67}, std::size_t{2}, size, json.size(), std::size_t{0x4e4f534a}})
    file.put(static_cast<std::uint32_t>(word));
  file.bytes += json;
  for (const std::size_t word : {buffer.bytes.size(), std::size_t{0x004e4942}})
    file.put(static_cast<std::uint32_t>(word));
  return std::move(file.bytes) + buffer.bytes;
}

// OBJ

/// As one word: in OBJ a space or the end of the line ends a name.
std::string wordOf(std::string name) {
  for (char& c : name)
    if (static_cast<unsigned char>(c) <= ' ' || c == 127 || c == '\\' || c == '#') c = '_';
  return name.empty() ? "unnamed" : name;
}

/// OBJ knows materials by their names alone.
std::vector<std::string> materialNames(const Mesh& mesh) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const Mesh::Material& material : mesh.materials) {
    const std::string base = wordOf(material.name);
    std::string name = base;
    for (int i = 2; !taken.insert(name).second; ++i) name = fmt::format("{}-{}", base, i);
    names.push_back(name);
  }
  return names;
}

std::string mtlText(const Mesh& mesh, const std::vector<std::string>& names) {
  std::string text = "# Throng\n";
  for (std::size_t m = 0; m < names.size(); ++m) {
    const std::uint32_t c = mesh.materials[m].rgb;
    text += fmt::format("newmtl {}\nKd {:.6f} {:.6f} {:.6f}\n", names[m], (c >> 16 & 255) / 255.0,
                        (c >> 8 & 255) / 255.0, (c & 255) / 255.0);
  }
  return text;
}

std::string objText(const Mesh& mesh, const std::vector<std::string>& names, const std::string& path,
                    const std::string& mtl) {
  std::string text = "# Throng; metres, y up\n";
  if (!names.empty()) text += fmt::format("mtllib {}\n", mtl);
  for (const Point3& p : mesh.vertices) text += fmt::format("v {} {} {}\n", p.x, p.z, 0 - p.y);
  const std::vector<Part> parts = partsOf(mesh);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (p == 0 || parts[p].object != parts[p - 1].object)
      text += fmt::format("o {}\n", wordOf(objectName(mesh, parts[p].object, path)));
    if (!mesh.material.empty()) text += fmt::format("usemtl {}\n", names[parts[p].material]);
    for (const std::uint32_t t : parts[p].triangles) {
      const Mesh::Corners& c = mesh.triangles[t];
      text += fmt::format("f {} {} {}\n", std::size_t{c[0]} + 1, std::size_t{c[1]} + 1, std::size_t{c[2]} + 1);
    }
  }
  return text;
}

void writeObj(const Mesh& mesh, const std::string& path) {
  const std::vector<std::string> names = materialNames(mesh);
  const fs::path mtl = fs::path(path).replace_extension(".mtl");
  WholeFile obj(path, true);
  obj.write(objText(mesh, names, path, mtl.filename().string()));
  if (!names.empty()) writeFile(mtl.string(), mtlText(mesh, names), true);
  obj.keep();
}

std::string endingToWrite(const std::string& path) {
  std::string ending = fs::path(path).extension().string();
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (ending != ".gltf" && ending != ".glb" && ending != ".obj")
    throw InputError(
        fmt::format("the name \"{}\" ends in \"{}\"; meshes are written to .gltf, .glb, .obj", path, ending));
  return ending;
}

}  // namespace

std::string gltfBytes(const Mesh& mesh, const std::string& path) {
  check(mesh);
  return endingToWrite(path) == ".glb" ? glbBytes(mesh, path) : gltfText(mesh, path);
}

void writeMesh(const Mesh& mesh, const std::string& path) {
  if (endingToWrite(path) != ".obj") return writeFile(path, gltfBytes(mesh, path), true);
  check(mesh);
  writeObj(mesh, path);
}

}  // namespace throng::import

namespace throng {

void checkMeshName(const std::string& path) { import::endingToWrite(path); }

}  // namespace throng
