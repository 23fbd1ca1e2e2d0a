// Models as assimp reads them. It trusts what a file says: to be called in a copy of the process (base/process_copy.h),
// after a look at the file's structure (model_check.h).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "throng/mesh.h"

namespace throng::import {

struct Model {
  std::string name;             ///< for messages, and of its parts where they have none
  std::string ending;           ///< ".obj", in small letters
  std::string path;             ///< of its file; empty: it can name no others
  std::string_view bytes = {};  ///< all of it
};

/// Not cleaned yet.
struct RawMesh {
  Mesh mesh;
  std::uint64_t out_of_range = 0;  ///< triangles that were left out for corners that are not there
};

/// `up` is "x", "y", "z" or "auto", `unit` in m. Throws InputError.
RawMesh readWithAssimp(const Model& model, const std::string& up, double unit,
                       const std::function<void(double share)>& progress);

}  // namespace throng::import
