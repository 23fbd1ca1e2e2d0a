#include "import/mesh_reader.h"

#include <algorithm>
#include <array>
#include <assimp/DefaultIOSystem.h>
#include <assimp/Importer.hpp>
#include <assimp/ProgressHandler.hpp>
#include <assimp/config.h>
#include <assimp/material.h>
#include <assimp/mesh.h>
#include <assimp/scene.h>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <sstream>
#include <system_error>

#include "import/polygon_triangles.h"

namespace throng::import {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEndings[] = {".obj", ".gltf", ".glb", ".dae", ".ply"};

[[noreturn]] void failAt(const std::string& file, const std::string& message) {
  throw InputError({Diagnostic{.file = file, .message = message}});
}

std::string endingOf(const std::string& path) {
  std::string ending = fs::path(path).extension().string();
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (std::find(std::begin(kEndings), std::end(kEndings), ending) == std::end(kEndings))
    failAt(path, fmt::format("the name ends in \"{}\"; meshes are read from {}", ending, fmt::join(kEndings, ", ")));
  return ending;
}

/// Serves the model and the files beneath its folder, and nothing else that the model may name.
class ModelFiles : public Assimp::DefaultIOSystem {
 public:
  /// `model` empty: nothing at all.
  ModelFiles(const std::string& model, std::string& refused) : model_(model), refused_(refused) {
    std::error_code ignored;
    if (model.empty()) return;
    const fs::path folder = fs::path(model).parent_path();
    folder_ = fs::weakly_canonical(folder.empty() ? fs::path(".") : folder, ignored);
  }

  bool Exists(const char* file) const override { return allowed(file) && DefaultIOSystem::Exists(file); }

  Assimp::IOStream* Open(const char* file, const char* mode) override {
    if (mode[0] != 'r' || !allowed(file)) return nullptr;
    return DefaultIOSystem::Open(file, mode);
  }

 private:
  bool allowed(const char* file) const {
    if (model_.empty()) return false;
    if (model_ == file) return true;
    std::error_code error;
    const fs::path path = fs::weakly_canonical(file, error);
    const auto [in_folder, in_path] = std::mismatch(folder_.begin(), folder_.end(), path.begin(), path.end());
    const bool beneath = !error && in_folder == folder_.end() && in_path != path.end();
    if (!beneath) refused_ = file;
    return beneath && fs::is_regular_file(path, error);
  }

  std::string model_;
  fs::path folder_;
  std::string& refused_;
};

/// Reading is the first 0.7 of the work.
class ReadingProgress : public Assimp::ProgressHandler {
 public:
  explicit ReadingProgress(const std::function<void(double)>& report) : report_(report) {}

  bool Update(float share) override {
    // The first half is the file, the second is for processing, of which nothing is asked.
    const double now = 0.7 * std::clamp(2.0 * double(share), 0.0, 1.0);
    if (now > last_) report_(last_ = now);
    return true;
  }

 private:
  const std::function<void(double)>& report_;
  double last_ = 0;
};

/// The number that the file most probably said: 0.1f is 0.1, not 0.100000001490116. Whatever comes from 32-bit floats
/// stays as exact as they are.
double decimal(float value) {
  if (!std::isfinite(value)) return value;
  std::array<char, 32> text;
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value);
  double result = value;
  std::from_chars(text.data(), written.ptr, result);
  return result;
}

/// From the coordinates of a node to those of the model.
struct Placement {
  std::array<std::array<double, 4>, 3> rows{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

  Placement inside(const aiMatrix4x4& m) const {
    std::array<std::array<double, 4>, 4> child;
    for (unsigned r = 0; r < 4; ++r)
      for (unsigned c = 0; c < 4; ++c) child[r][c] = decimal(m[r][c]);
    Placement result;
    for (std::size_t r = 0; r < 3; ++r)
      for (std::size_t c = 0; c < 4; ++c) {
        double sum = c == 3 ? rows[r][3] : 0;
        for (std::size_t k = 0; k < 3; ++k) sum += rows[r][k] * child[k][c];
        result.rows[r][c] = sum;
      }
    return result;
  }

  Point3 operator()(const aiVector3D& v) const {
    const double x = decimal(v.x), y = decimal(v.y), z = decimal(v.z);
    const auto along = [&](const std::array<double, 4>& row) { return row[0] * x + row[1] * y + row[2] * z + row[3]; };
    return {along(rows[0]), along(rows[1]), along(rows[2])};
  }
};

/// The rotation that makes an axis of the file point up.
Placement upright(const std::string& up, double unit) {
  const double u = unit;
  if (up == "x") return {{{{0, -u, 0, 0}, {0, 0, -u, 0}, {u, 0, 0, 0}}}};
  if (up == "y") return {{{{u, 0, 0, 0}, {0, 0, -u, 0}, {0, u, 0, 0}}}};
  return {{{{u, 0, 0, 0}, {0, u, 0, 0}, {0, 0, u, 0}}}};
}

std::uint32_t channel(double value) {
  return static_cast<std::uint32_t>(std::lround(255 * std::clamp(std::isfinite(value) ? value : 0.0, 0.0, 1.0)));
}

/// glTF's colours are linear in light, those of the others as screens show them (sRGB).
double screenValue(double linear) {
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

Mesh::Material materialOf(const aiMaterial& from, bool linear) {
  Mesh::Material material;
  aiString name;
  if (from.Get(AI_MATKEY_NAME, name) == AI_SUCCESS) material.name = name.C_Str();
  aiColor4D colour;
  if (from.Get(AI_MATKEY_BASE_COLOR, colour) == AI_SUCCESS || from.Get(AI_MATKEY_COLOR_DIFFUSE, colour) == AI_SUCCESS) {
    const auto shown = [&](float value) { return channel(linear ? screenValue(value) : value); };
    material.rgb = shown(colour.r) << 16 | shown(colour.g) << 8 | shown(colour.b);
  }
  return material;
}

/// Collects a scene's triangles, in the order of its nodes.
class Collector {
 public:
  Collector(const aiScene& scene, std::string stem) : scene_(scene), stem_(std::move(stem)) {}

  void collect(const Placement& root, MeshRepairs& repairs) {
    struct Visit {
      const aiNode* node;
      Placement parent;
    };
    std::vector<Visit> stack;
    if (scene_.mRootNode) stack.push_back({scene_.mRootNode, root});
    while (!stack.empty()) {
      const Visit visit = stack.back();
      stack.pop_back();
      const Placement placement = visit.parent.inside(visit.node->mTransformation);
      for (unsigned m = 0; m < visit.node->mNumMeshes; ++m)
        if (visit.node->mMeshes[m] < scene_.mNumMeshes) add(*visit.node, visit.node->mMeshes[m], placement, repairs);
      for (unsigned c = visit.node->mNumChildren; c-- > 0;) stack.push_back({visit.node->mChildren[c], placement});
    }
  }

  /// With the materials that are used, in the file's order.
  Mesh take(const std::string& ending) {
    const bool gltf = ending == ".gltf" || ending == ".glb";
    std::vector<std::uint32_t> place(scene_.mNumMaterials, kNone);
    for (std::uint32_t& m : mesh_.material) place[m] = 0;
    for (std::size_t m = 0; m < place.size(); ++m) {
      if (place[m] == kNone) continue;
      Mesh::Material material = materialOf(*scene_.mMaterials[m], gltf);
      // What assimp gives to things without a material: one of this name, or without any.
      const bool none = material.name == AI_DEFAULT_MATERIAL_NAME ||
                        (material.name.empty() && (ending == ".ply" || material.rgb == 0xffffff));
      if (none) material = {"", Mesh::Material().rgb};
      if (material.name.empty()) material.name = none ? "default" : fmt::format("material {}", m);
      place[m] = static_cast<std::uint32_t>(mesh_.materials.size());
      mesh_.materials.push_back(std::move(material));
      only_default_ = none && mesh_.materials.size() == 1;
    }
    for (std::uint32_t& m : mesh_.material) m = place[m];
    if (only_default_) mesh_.materials.clear(), mesh_.material.clear();
    return std::move(mesh_);
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;

  std::uint32_t objectOf(const aiNode& node, const aiMesh& mesh) {
    std::string name = node.mName.C_Str();
    if (name.empty() || name == "defaultobject") name = mesh.mName.C_Str();
    // What assimp calls things that have no name in the file.
    if (name.empty() || name == "defaultobject" || name[0] == '<') name = stem_;
    const auto [found, fresh] = objects_.try_emplace(name, static_cast<std::uint32_t>(mesh_.objects.size()));
    if (fresh) mesh_.objects.push_back(name);
    return found->second;
  }

  void add(const aiNode& node, unsigned mesh_index, const Placement& placement, MeshRepairs& repairs) {
    const aiMesh& mesh = *scene_.mMeshes[mesh_index];
    if (!mesh.HasFaces() || !mesh.mVertices || mesh.mMaterialIndex >= scene_.mNumMaterials) return;
    const std::size_t base = mesh_.vertices.size();
    if (base + mesh.mNumVertices >= kNone)
      throw InputError(fmt::format("more than {} vertices; that is the most a mesh may have", kNone));
    for (unsigned v = 0; v < mesh.mNumVertices; ++v) mesh_.vertices.push_back(placement(mesh.mVertices[v]));
    const std::uint32_t object = objectOf(node, mesh);
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) addFace(mesh.mFaces[f], mesh, base, repairs);
    mesh_.material.resize(mesh_.triangles.size(), mesh.mMaterialIndex);
    mesh_.object.resize(mesh_.triangles.size(), object);
  }

  void addFace(const aiFace& face, const aiMesh& mesh, std::size_t base, MeshRepairs& repairs) {
    if (face.mNumIndices < 3) return;  // points and lines
    polygon_.clear();
    for (unsigned i = 0; i < face.mNumIndices; ++i) {
      if (face.mIndices[i] >= mesh.mNumVertices) {
        repairs.read += face.mNumIndices - 2;
        repairs.out_of_range += face.mNumIndices - 2;
        return;
      }
      polygon_.push_back(mesh_.vertices[base + face.mIndices[i]]);
    }
    const auto corner = [&](std::uint32_t i) { return static_cast<std::uint32_t>(base + face.mIndices[i]); };
    cutIntoTriangles(polygon_, scratch_, cut_);
    for (const auto& t : cut_) mesh_.triangles.push_back({corner(t[0]), corner(t[1]), corner(t[2])});
  }

  const aiScene& scene_;
  std::string stem_;
  Mesh mesh_;
  std::map<std::string, std::uint32_t> objects_;
  bool only_default_ = false;  ///< the file has no material
  std::vector<Point3> polygon_;
  PolygonScratch scratch_;
  std::vector<std::array<std::uint32_t, 3>> cut_;
};

void check(const MeshReaderOptions& options) {
  if (options.up != "auto" && options.up != "x" && options.up != "y" && options.up != "z")
    throw InputError(fmt::format("up is \"{}\"; allowed: x, y, z, auto", options.up));
  if (!(options.unit >= 1e-6) || !(options.unit <= 1e6))
    throw InputError(fmt::format("unit is {}; allowed: metres per unit of the file, from 1e-6 to 1e6", options.unit));
}

/// assimp never ends on a PLY file whose header does not, and makes room for as many things as it announces.
void checkPly(std::istream& file, std::uint64_t size, const std::string& name) {
  constexpr int kMostLines = 1000;
  std::string line;
  for (int number = 1; number <= kMostLines && std::getline(file, line); ++number) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line == "end_header") return;
    std::istringstream words(line);
    std::string word, what, count;
    if (!(words >> word) || word != "element") continue;
    std::uint64_t announced = 0;
    words >> what >> count;
    const auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), announced);
    if (error != std::errc() || end != count.data() + count.size() || announced > size)
      throw InputError({Diagnostic{.file = name,
                                   .message = fmt::format("\"{}\" in a file of {} bytes; allowed: a name and how many "
                                                          "of them follow",
                                                          line, size),
                                   .line = number,
                                   .column = 1}});
  }
  failAt(name, fmt::format("no .ply mesh: there is no line \"end_header\" among the first {}", kMostLines));
}

void prepare(Assimp::Importer& importer, const MeshReaderOptions& options) {
  // Otherwise a COLLADA file comes with the axis it names turned to y, and its unit is applied in either case.
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, options.up != "auto");
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_USE_COLLADA_NAMES, true);
  if (options.progress) importer.SetProgressHandler(new ReadingProgress(options.progress));  // which takes it over
}

/// What assimp has read, as one mesh; assimp's own copy is gone before it is cleaned.
Mesh convert(Assimp::Importer& importer, const std::string& ending, const std::string& name, const std::string& refused,
             const MeshReaderOptions& options, MeshRepairs* repairs) {
  const aiScene* scene = importer.GetScene();
  if (!scene) {
    std::string message = fmt::format("no {} mesh: {}", ending, importer.GetErrorString());
    if (!refused.empty())
      message += fmt::format(" (it names {}; only files beneath the model's folder are read)", refused);
    failAt(name, message);
  }
  const std::string up = options.up != "auto" ? options.up : ending == ".ply" ? "z" : "y";
  MeshRepairs found;
  Collector collector(*scene, fs::path(name).stem().string());
  collector.collect(upright(up, options.unit), found);
  Mesh mesh = collector.take(ending);
  importer.FreeScene();
  if (options.progress) options.progress(0.8);
  const MeshRepairs cleaned = clean(mesh);
  if (options.progress) options.progress(1);
  found.read += cleaned.read;
  found.not_finite = cleaned.not_finite;
  found.degenerate = cleaned.degenerate;
  found.duplicate = cleaned.duplicate;
  found.merged_vertices = cleaned.merged_vertices;
  found.open_edges = cleaned.open_edges;
  if (mesh.triangles.empty())
    failAt(name,
           found.read == 0
               ? "there is no triangle in it"
               : fmt::format("none of its {} triangles can be used: {} with corners out of range, {} with corners "
                             "that are not finite, {} without area",
                             found.read, found.out_of_range, found.not_finite, found.degenerate));
  if (repairs) *repairs = found;
  return mesh;
}

}  // namespace

Mesh readMesh(const std::string& path, const MeshReaderOptions& options, MeshRepairs* repairs) {
  check(options);
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) throw FileError(fmt::format("{} cannot be read: there is no such file", path));
  if (fs::is_directory(status)) throw FileError(fmt::format("{} cannot be read: it is a folder", path));
  const std::string ending = endingOf(path);
  std::ifstream file(path, std::ios::binary);
  if (!file) throw FileError(fmt::format("{} cannot be read", path));
  if (ending == ".ply") checkPly(file, fs::file_size(path), path);
  std::string refused;
  Assimp::Importer importer;
  importer.SetIOHandler(new ModelFiles(path, refused));  // which the importer takes over
  prepare(importer, options);
  importer.ReadFile(path, 0);
  return convert(importer, ending, path, refused, options, repairs);
}

Mesh readMeshFrom(std::string_view bytes, const std::string& ending, const std::string& name,
                  const MeshReaderOptions& options, MeshRepairs* repairs) {
  check(options);
  endingOf("mesh" + ending);
  if (ending == ".ply") {
    std::istringstream file{std::string(bytes)};
    checkPly(file, bytes.size(), name);
  }
  std::string refused;
  Assimp::Importer importer;
  importer.SetIOHandler(new ModelFiles("", refused));
  prepare(importer, options);
  importer.ReadFileFromMemory(bytes.data(), bytes.size(), 0, ending.c_str() + 1);
  return convert(importer, ending, name, refused, options, repairs);
}

}  // namespace throng::import
