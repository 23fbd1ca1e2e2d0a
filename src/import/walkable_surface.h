// Which parts of a mesh people can walk on, exactly: for every triangle that is flat enough, what remains of it when
// everything is taken away that stands in the way of a body's height above it. What is left is put together to layers
// that do not lie above themselves, joined by connections.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "throng/import.h"
#include "throng/mesh.h"
#include "throng/scene.h"

#include "base/parallel.h"

namespace throng::import {

struct WalkableSurface {
  std::vector<Layer> layers;  ///< each with its walkable area, walls without thickness, and ground; largest first
  std::vector<Connection> connections;
  std::vector<SeparateFloor> separate;  ///< what cannot be reached from the largest surface, from large to small
  struct Statistics {
    std::size_t triangles = 0;         ///< of the mesh
    std::size_t ground_triangles = 0;  ///< flat enough, and of a walkable material
    double area = 0;                   ///< m² that can be walked on
    double dropped_area = 0;           ///< m² in pieces too small to stand in, or that cannot be reached from the rest
    double seconds = 0;
  } statistics;
};

/// Somewhere that people must get to; without a z at any height.
struct SurfaceSeed {
  Point at;
  std::optional<double> z;  ///< m
};

struct SurfaceOptions {
  /// Only what is connected with one of these is kept: streets, and not every roof that somebody could stand on.
  /// None: everything.
  std::vector<SurfaceSeed> seeds;
  /// Type of region by name of material.
  std::map<std::string, std::string> regions;
  double least_area = 4;  ///< m²; surfaces that are connected and are smaller than this are left out
  std::function<void(double share)> progress;
};

/// Throws InputError when there is nothing to walk on.
WalkableSurface walkableSurface(const Mesh& mesh, const Walkability& walkability, const SurfaceOptions& options,
                                const base::Threads& threads);

/// The surface that was asked for last, for whoever asks again and again: the same question, or one with seeds that lie
/// on the same pieces of ground, is answered at once.
class SurfaceMemory {
 public:
  SurfaceMemory();
  ~SurfaceMemory();
  SurfaceMemory(const SurfaceMemory&) = delete;
  SurfaceMemory& operator=(const SurfaceMemory&) = delete;

  /// What walkableSurface() gives, until the next call.
  const WalkableSurface& surface(const std::shared_ptr<const Mesh>& mesh, const Walkability& walkability,
                                 const SurfaceOptions& options, const base::Threads& threads);
  /// How often it had to be worked out.
  std::size_t searches() const { return searches_; }

 private:
  struct State;
  std::unique_ptr<State> state_;
  std::size_t searches_ = 0;
};

}  // namespace throng::import
