#include "import/assimp_reader.h"

#include <algorithm>
#include <array>
#include <assimp/BaseImporter.h>
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
#include <map>
#include <set>
#include <system_error>

#include "import/polygon_triangles.h"

namespace throng::import {
namespace {

namespace fs = std::filesystem;

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

class ReadingProgress : public Assimp::ProgressHandler {
 public:
  explicit ReadingProgress(const std::function<void(double)>& report) : report_(report) {}

  bool Update(float share) override {
    // The first half is the file, the second is for processing, of which nothing is asked.
    const double now = std::clamp(2.0 * double(share), 0.0, 1.0);
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

  void collect(const Placement& root, RawMesh& raw) {
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
        if (visit.node->mMeshes[m] < scene_.mNumMeshes) add(*visit.node, visit.node->mMeshes[m], placement, raw);
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

  void add(const aiNode& node, unsigned mesh_index, const Placement& placement, RawMesh& raw) {
    const aiMesh& mesh = *scene_.mMeshes[mesh_index];
    if (!mesh.HasFaces() || !mesh.mVertices || mesh.mMaterialIndex >= scene_.mNumMaterials) return;
    const std::size_t base = mesh_.vertices.size();
    if (base + mesh.mNumVertices >= kNone)
      throw InputError(fmt::format("more than {} vertices; that is the most a mesh may have", kNone));
    for (unsigned v = 0; v < mesh.mNumVertices; ++v) mesh_.vertices.push_back(placement(mesh.mVertices[v]));
    const std::uint32_t object = objectOf(node, mesh);
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) addFace(mesh.mFaces[f], mesh, base, raw);
    mesh_.material.resize(mesh_.triangles.size(), mesh.mMaterialIndex);
    mesh_.object.resize(mesh_.triangles.size(), object);
  }

  void addFace(const aiFace& face, const aiMesh& mesh, std::size_t base, RawMesh& raw) {
    if (face.mNumIndices < 3) return;  // points and lines
    polygon_.clear();
    for (unsigned i = 0; i < face.mNumIndices; ++i) {
      if (face.mIndices[i] >= mesh.mNumVertices) {
        raw.out_of_range += face.mNumIndices - 2;
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

/// assimp asks all of its fifty readers what a file is, whatever its name says; only those of its ending may answer.
void leaveOnly(Assimp::Importer& importer, const std::string& ending) {
  for (std::size_t i = importer.GetImporterCount(); i-- > 0;) {
    Assimp::BaseImporter* reader = importer.GetImporter(i);
    std::set<std::string> endings;
    reader->GetExtensionList(endings);
    if (endings.count(ending.substr(1)) > 0) continue;
    importer.UnregisterLoader(reader);
    delete reader;
  }
}

void prepare(Assimp::Importer& importer, const Model& model, const std::string& up) {
  leaveOnly(importer, model.ending);
  // Otherwise a COLLADA file comes with the axis it names turned to y, and its unit is applied in either case.
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, up != "auto");
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_USE_COLLADA_NAMES, true);
}

}  // namespace

RawMesh readWithAssimp(const Model& model, const std::string& up, double unit,
                       const std::function<void(double share)>& progress) {
  std::string refused;
  Assimp::Importer importer;
  importer.SetIOHandler(new ModelFiles(model.path, refused));  // which the importer takes over, as the next
  if (progress) importer.SetProgressHandler(new ReadingProgress(progress));
  prepare(importer, model, up);
  if (model.path.empty()) {
    importer.ReadFileFromMemory(model.bytes.data(), model.bytes.size(), 0, model.ending.c_str() + 1);
  } else {
    importer.ReadFile(model.path, 0);
  }
  const aiScene* scene = importer.GetScene();
  if (!scene) {
    std::string message = fmt::format("no {} mesh: {}", model.ending, importer.GetErrorString());
    if (!refused.empty())
      message += fmt::format(" (it names {}; only files beneath the model's folder are read)", refused);
    throw InputError({Diagnostic{.file = model.name, .message = message}});
  }
  const std::string axis = up != "auto" ? up : model.ending == ".ply" ? "z" : "y";
  RawMesh raw;
  Collector collector(*scene, fs::path(model.name).stem().string());
  collector.collect(upright(axis, unit), raw);
  raw.mesh = collector.take(model.ending);
  return raw;
}

}  // namespace throng::import
