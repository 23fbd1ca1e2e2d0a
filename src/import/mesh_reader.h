// Meshes from files (OBJ, glTF, GLB, COLLADA, PLY), with assimp behind it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "throng/base.h"
#include "throng/mesh.h"

namespace throng::import {

struct MeshReaderOptions {
  std::string up = "auto";  ///< "x", "y", "z"; "auto": y for glTF and OBJ, what the file says for COLLADA, z for PLY
  double unit = 1;          ///< m per unit of the file (COLLADA's own unit counts besides)
  std::function<void(double share)> progress;
};

/// What was put right.
struct MeshRepairs {
  std::size_t read = 0;  ///< triangles in the file
  std::size_t not_finite = 0, degenerate = 0, duplicate = 0;
  std::size_t merged_vertices = 0;
  std::size_t open_edges = 0;  ///< edges with one triangle only: the rims of holes and sheets
};

/// Throws FileError when the file cannot be read, InputError when it is no mesh or has nothing in it.
Mesh readMesh(const std::string& path, const MeshReaderOptions& options = {}, MeshRepairs* repairs = nullptr);
/// Triangles without area, with corners that are not finite, and copies of others are left out; equal vertices become
/// one.
MeshRepairs clean(Mesh& mesh);

}  // namespace throng::import
