// What a model file says about itself, looked at before a library believes it: lengths against the file's size, numbers
// of things against the bytes that are there, how deep things are nested, and how many there are once all copies are
// made. Everything here takes time and memory in proportion to the file.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "import/assimp_reader.h"

namespace throng::import {

/// The most that a model may have (docs/import.md).
inline constexpr std::size_t kDeepestJson = 100;                ///< lists and objects in one another
inline constexpr std::size_t kDeepestXml = 1000;                ///< elements in one another
inline constexpr std::size_t kDeepestNodes = 500;               ///< parts in one another
inline constexpr std::uint64_t kMostNodes = 1'000'000;          ///< parts, copies counted
inline constexpr std::uint64_t kMostCorners = 100'000'000;      ///< of triangles, copies counted
inline constexpr std::uint64_t kMostEmptyElements = 1'000'000;  ///< of a glTF list that has no data

/// Bytes of the file that a model names, when it may be read.
using SizeOfFile = std::function<std::optional<std::uint64_t>(const std::string& uri)>;

/// Throws InputError with the place (line, or pointer) of the first thing that cannot be.
void checkModel(const Model& model, const SizeOfFile& size_of);

/// checkModel and readWithAssimp, in this process: what readMesh does in a copy of it.
RawMesh readModelHere(const Model& model, const std::string& up, double unit,
                      const std::function<void(double share)>& progress);

void checkGltf(const Model& model, const SizeOfFile& size_of);  ///< .gltf and .glb
void checkCollada(const Model& model);
void checkObj(const Model& model);
void checkPly(const Model& model);

/// Things that have others in them, and may be in several: adds up what all copies of all parts are. Throws
/// InputError when that is too much, too deep or without end.
class PartTree {
 public:
  explicit PartTree(std::string file) : file_(std::move(file)) {}

  /// `where` is for messages, `corners` those of its own triangles.
  std::size_t add(std::string where, std::uint64_t corners);
  void addCorners(std::size_t part, std::uint64_t corners) { parts_[part].corners += corners; }
  void contains(std::size_t part, std::size_t other);
  void check() const;

 private:
  struct Part {
    std::string where;
    std::uint64_t corners = 0;
    std::vector<std::size_t> parts;
  };
  struct Sum {
    std::uint64_t nodes = 0, corners = 0, depth = 0;
  };

  void add(std::size_t part, std::vector<Sum>& sums) const;
  [[noreturn]] void fail(std::size_t part, const std::string& message) const;

  std::string file_;
  std::vector<Part> parts_;
};

}  // namespace throng::import
