// Meshes to files: glTF 2.0 (.gltf with its data inside, .glb) and OBJ (with .mtl), by name.
#pragma once

#include <string>

#include "throng/mesh.h"

namespace throng::import {

/// Never leaves half a file. Throws FileError, and InputError for a name of another kind.
void writeMesh(const Mesh& mesh, const std::string& path);

/// What writeMesh would write to a .gltf or .glb file of that name. Throws InputError.
std::string gltfBytes(const Mesh& mesh, const std::string& path);

}  // namespace throng::import
