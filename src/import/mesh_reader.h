// Meshes from files (OBJ, glTF, GLB, COLLADA, PLY), with assimp behind it.
#pragma once

#include <string>
#include <string_view>

#include "throng/import.h"

namespace throng::import {

using MeshReaderOptions = throng::MeshOptions;
using MeshRepairs = throng::MeshRepairs;

/// Throws FileError when the file cannot be read, InputError when it is no mesh or has nothing in it.
Mesh readMesh(const std::string& path, const MeshReaderOptions& options = {}, MeshRepairs* repairs = nullptr);
/// The same for what stands in memory, as a file of that ending (".obj"); it can name no other files. `name` is for
/// messages.
Mesh readMeshFrom(std::string_view bytes, const std::string& ending, const std::string& name,
                  const MeshReaderOptions& options = {}, MeshRepairs* repairs = nullptr);
/// Triangles without area, with corners that are not there or not finite, and copies of others are left out; equal
/// vertices become one.
MeshRepairs clean(Mesh& mesh);

}  // namespace throng::import
