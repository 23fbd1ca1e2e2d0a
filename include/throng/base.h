// The vocabulary shared by every part of the interface: vectors, ids and errors.
// Units throughout Throng: metres, seconds, radians.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#pragma GCC visibility push(default)
namespace throng {

/// A vector in the plane: Point has 64 bits for scenes, Vec2 32 for motion.
template <class T>
struct BasicVec2 {
  T x{};
  T y{};

  friend constexpr BasicVec2 operator+(BasicVec2 a, BasicVec2 b) { return {a.x + b.x, a.y + b.y}; }
  friend constexpr BasicVec2 operator-(BasicVec2 a, BasicVec2 b) { return {a.x - b.x, a.y - b.y}; }
  friend constexpr BasicVec2 operator-(BasicVec2 a) { return {-a.x, -a.y}; }
  friend constexpr BasicVec2 operator*(BasicVec2 a, T s) { return {a.x * s, a.y * s}; }
  friend constexpr BasicVec2 operator*(T s, BasicVec2 a) { return {a.x * s, a.y * s}; }
  friend constexpr BasicVec2 operator/(BasicVec2 a, T s) { return {a.x / s, a.y / s}; }
  constexpr BasicVec2& operator+=(BasicVec2 b) { return *this = *this + b; }
  constexpr BasicVec2& operator-=(BasicVec2 b) { return *this = *this - b; }
  constexpr BasicVec2& operator*=(T s) { return *this = *this * s; }
  friend constexpr bool operator==(BasicVec2, BasicVec2) = default;
};

/// Motion is computed in 32-bit floats.
using Vec2 = BasicVec2<float>;
/// A place in a scene; geometry is read, checked and cut in 64-bit floats.
using Point = BasicVec2<double>;

template <class T>
constexpr T dot(BasicVec2<T> a, BasicVec2<T> b) {
  return a.x * b.x + a.y * b.y;
}
/// z of the cross product: positive when b lies to the left of a.
template <class T>
constexpr T det(BasicVec2<T> a, BasicVec2<T> b) {
  return a.x * b.y - a.y * b.x;
}
template <class T>
constexpr T lengthSquared(BasicVec2<T> a) {
  return dot(a, a);
}
template <class T>
T length(BasicVec2<T> a) {
  return std::sqrt(dot(a, a));
}
/// Unit vector along a; zero stays zero.
template <class T>
BasicVec2<T> normalized(BasicVec2<T> a) {
  const T l = length(a);
  return l > T(0) ? a / l : BasicVec2<T>{};
}
/// a turned left by a right angle.
template <class T>
constexpr BasicVec2<T> perpendicular(BasicVec2<T> a) {
  return {-a.y, a.x};
}

/// A person in a world: 32-bit index and generation. Zero is null. An id of somebody who has left never becomes the id
/// of somebody else; asking a world about it is an error that says so.
struct AgentId {
  std::uint64_t value = 0;

  constexpr AgentId() = default;
  constexpr AgentId(std::uint32_t index, std::uint32_t generation)
      : value((std::uint64_t{generation} << 32) | (std::uint64_t{index} + 1)) {}
  constexpr std::uint32_t index() const { return static_cast<std::uint32_t>(value) - 1; }
  constexpr std::uint32_t generation() const { return static_cast<std::uint32_t>(value >> 32); }
  constexpr explicit operator bool() const { return value != 0; }
  friend constexpr bool operator==(AgentId, AgentId) = default;
};

/// A layer, a door or an obstacle of a world or of a map: its number and nothing more. Zero is null. World and
/// NavigationMap give them by name. The numbers of layers and doors are those of the scene; that of an obstacle never
/// becomes another one's.
template <class Thing>
struct Handle {
  std::uint32_t value = 0;

  constexpr Handle() = default;
  constexpr explicit Handle(std::size_t index) : value(static_cast<std::uint32_t>(index + 1)) {}
  constexpr std::uint32_t index() const { return value - 1; }
  constexpr explicit operator bool() const { return value != 0; }
  friend constexpr bool operator==(Handle, Handle) = default;
};

/// index() is that in Scene::layers, and what frames and routes call `layer`. Null stands for the first layer.
using LayerId = Handle<struct Layer>;
/// index() counts all doors of a scene, layer by layer.
using DoorId = Handle<struct Door>;
using ObstacleId = Handle<struct Obstacle>;

/// One finding about somebody's input: where, what was found, what is allowed.
struct Diagnostic {
  enum class Severity { kWarning, kError };
  Severity severity = Severity::kError;
  std::string file;         ///< the file it stands in; empty for a scene built in code
  std::string pointer;      ///< JSON pointer (RFC 6901), such as /populations/0/start
  std::optional<Point> at;  ///< the coordinate, for geometry
  std::string message;      ///< what was found and what is allowed, one sentence
  int line = 0;             ///< 1-based, 0 when not known
  int column = 0;

  /// "scene.json:/layers/0/walkable at (3, 4): error: ..."
  std::string text() const;
};

/// Everything that Throng throws derives from this.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Bad input; the program ends with exit code 2.
class InputError : public Error {
 public:
  explicit InputError(std::vector<Diagnostic> diagnostics);
  explicit InputError(const std::string& message);
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

/// A file could not be read or written: missing, no permission, disk full.
class FileError : public Error {
 public:
  using Error::Error;
};

/// A file is there already and was not to be replaced.
class FileExistsError : public FileError {
 public:
  using FileError::FileError;
};

}  // namespace throng
#pragma GCC visibility pop
