// From the files of modelling programs to scenes, and back (docs/import.md).
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "throng/mesh.h"
#include "throng/scene.h"

#pragma GCC visibility push(default)
namespace throng {

/// How the axes and units of a model's file are to be read.
struct MeshOptions {
  std::string up = "auto";  ///< "x", "y", "z"; "auto": y for glTF and OBJ, what the file says for COLLADA, z for PLY
  double unit = 1;          ///< m per unit of the file (a COLLADA file's own unit is multiplied with it)
  std::function<void(double share)> progress;
};

/// What was put right.
struct MeshRepairs {
  std::size_t read = 0;  ///< triangles in the file; polygons count as the triangles they are cut into
  std::size_t out_of_range = 0, not_finite = 0, degenerate = 0, duplicate = 0;  ///< triangles left out
  std::size_t merged_vertices = 0;
  std::size_t open_edges = 0;  ///< edges with one triangle only: the rims of holes and sheets
};

/// Reads .obj, .gltf, .glb, .dae or .ply and repairs it. The file may be hostile: a copy of this process reads it
/// (fork), with limits of memory and time (docs/import.md). Throws FileError when the file cannot be read, InputError
/// when it is no mesh, has no triangle or is beyond a limit.
Mesh loadMesh(const std::string& path, const MeshOptions& options = {}, MeshRepairs* repairs = nullptr);

/// Writes .gltf, .glb or .obj (with an .mtl beside it), so that loadMesh gives the same mesh; coordinates become 32-bit
/// floats in glTF. An existing file is replaced, once the new one is whole. Throws FileError, and InputError for
/// another ending or a mesh with indices out of range.
void saveMesh(const Mesh& mesh, const std::string& path);
/// Throws InputError when saveMesh() does not write files of such a name.
void checkMeshName(const std::string& path);

/// A surface of a mesh that cannot be reached from the largest one.
struct SeparateFloor {
  std::string layer;   ///< that it is on, or most of it
  double area = 0;     ///< m²
  double height = 0;   ///< m, on average
  std::string reason;  ///< what is in the way where it comes nearest to another surface
};

/// The scene of a place: layers and connections where people can walk, one default profile, nobody yet, a run of 120 s.
/// `source` says what a body can walk on, and is kept in the scene. Throws InputError when there is nothing to walk on.
/// `separate` gets what is not connected with the rest, from large to small.
Scene sceneFromMesh(const Mesh& mesh, const SceneMesh& source, const std::function<void(double share)>& progress = {},
                    std::vector<SeparateFloor>* separate = nullptr);

}  // namespace throng
#pragma GCC visibility pop
