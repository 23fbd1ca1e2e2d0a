#include "import/mesh_reader.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <set>
#include <system_error>
#include <type_traits>

#include "base/process_copy.h"
#include "import/assimp_reader.h"
#include "import/model_check.h"

namespace throng::import {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEndings[] = {".obj", ".gltf", ".glb", ".dae", ".ply"};
/// What reading may take (docs/import.md): some ten times what honest models need.
constexpr std::uint64_t kMemory = std::uint64_t{512} << 20, kMemoryPerByte = 64;
constexpr unsigned kSeconds = 10, kSecondsPerMebibyte = 2;

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

void check(const MeshReaderOptions& options) {
  if (options.up != "auto" && options.up != "x" && options.up != "y" && options.up != "z")
    throw InputError(fmt::format("up is \"{}\"; allowed: x, y, z, auto", options.up));
  if (!(options.unit >= 1e-6) || !(options.unit <= 1e6))
    throw InputError(fmt::format("unit is {}; allowed: metres per unit of the file, from 1e-6 to 1e6", options.unit));
}

/// Bytes of a file that a model names, nothing when there is none.
std::optional<std::uint64_t> sizeBeside(const std::string& model, const std::string& uri) {
  if (model.empty() || uri.empty()) return std::nullopt;
  std::error_code error;
  const fs::path path = fs::path(model).parent_path() / uri;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  const std::uint64_t size = fs::file_size(path, error);
  return error ? std::nullopt : std::optional(size);
}

/// Bytes of a model and of the files that a .gltf names: reading may take more of everything for large ones.
std::uint64_t sizeWithOthers(const Model& model) {
  std::uint64_t size = model.bytes.size();
  if (model.ending != ".gltf") return size;
  constexpr std::string_view kKey = "\"uri\"";
  std::set<std::string_view> named;
  for (std::size_t at = 0; (at = model.bytes.find(kKey, at)) != std::string_view::npos;) {
    at += kKey.size();
    const std::size_t begin = model.bytes.find('"', at);
    const std::size_t end = begin == std::string_view::npos ? begin : model.bytes.find('"', begin + 1);
    if (end == std::string_view::npos) break;
    const std::string_view uri = model.bytes.substr(begin + 1, end - begin - 1);
    if (uri.size() < 1000 && named.insert(uri).second) size += sizeBeside(model.path, std::string(uri)).value_or(0);
    at = end;
  }
  return size;
}

// What the copy of the process says: a letter, and then a mesh or what is wrong.

class Packer {
 public:
  explicit Packer(char kind) : text_(1, kind) {}
  template <class T>
  Packer& add(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    text_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  template <class T>
  Packer& addList(const std::vector<T>& list) {
    add<std::uint64_t>(list.size());
    text_.append(reinterpret_cast<const char*>(list.data()), list.size() * sizeof(T));
    return *this;
  }
  Packer& addText(const std::string& text) {
    add<std::uint64_t>(text.size());
    text_ += text;
    return *this;
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

/// Believes nothing that it reads: whoever made the copy crash may have made it lie.
class Unpacker {
 public:
  explicit Unpacker(std::string_view text) : rest_(text) {}

  template <class T>
  T take() {
    T value{};
    std::memcpy(&value, bytes(sizeof value).data(), sizeof value);
    return value;
  }
  template <class T>
  std::vector<T> takeList() {
    const std::uint64_t size = take<std::uint64_t>();
    if (size > rest_.size() / sizeof(T)) fail();
    std::vector<T> list(size);
    if (size > 0) std::memcpy(list.data(), bytes(size * sizeof(T)).data(), size * sizeof(T));
    return list;
  }
  std::string takeText() { return std::string(bytes(take<std::uint64_t>())); }
  [[noreturn]] static void fail() { throw InputError("the reader of this model gave half of a mesh"); }

 private:
  std::string_view bytes(std::uint64_t size) {
    if (size > rest_.size()) fail();
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  std::string_view rest_;
};

std::string packed(const RawMesh& raw) {
  const Mesh& mesh = raw.mesh;
  Packer packer('m');
  packer.add(raw.out_of_range).addList(mesh.vertices).addList(mesh.triangles).addList(mesh.material);
  packer.addList(mesh.object).add<std::uint64_t>(mesh.materials.size());
  for (const Mesh::Material& material : mesh.materials) packer.addText(material.name).add(material.rgb);
  packer.add<std::uint64_t>(mesh.objects.size());
  for (const std::string& object : mesh.objects) packer.addText(object);
  return packer.take();
}

RawMesh unpackedMesh(Unpacker from) {
  RawMesh raw;
  Mesh& mesh = raw.mesh;
  raw.out_of_range = from.take<std::uint64_t>();
  mesh.vertices = from.takeList<Point3>();
  mesh.triangles = from.takeList<Mesh::Corners>();
  mesh.material = from.takeList<std::uint32_t>();
  mesh.object = from.takeList<std::uint32_t>();
  for (std::uint64_t left = from.take<std::uint64_t>(); left > 0; --left) {
    Mesh::Material& material = mesh.materials.emplace_back();
    material.name = from.takeText();
    material.rgb = from.take<std::uint32_t>();
  }
  for (std::uint64_t left = from.take<std::uint64_t>(); left > 0; --left) mesh.objects.push_back(from.takeText());
  for (const std::uint32_t m : mesh.material)
    if (m >= mesh.materials.size()) Unpacker::fail();
  for (const std::uint32_t o : mesh.object)
    if (o >= mesh.objects.size()) Unpacker::fail();
  return raw;
}

std::string packed(const std::vector<Diagnostic>& findings) {
  Packer packer('e');
  packer.add<std::uint64_t>(findings.size());
  for (const Diagnostic& d : findings)
    packer.addText(d.file).addText(d.pointer).addText(d.message).add(d.line).add(d.column);
  return packer.take();
}

[[noreturn]] void throwFindings(Unpacker from) {
  std::vector<Diagnostic> findings;
  for (std::uint64_t left = from.take<std::uint64_t>(); left > 0; --left) {
    Diagnostic& d = findings.emplace_back();
    d.file = from.takeText();
    d.pointer = from.takeText();
    d.message = from.takeText();
    d.line = from.take<int>();
    d.column = from.take<int>();
  }
  throw InputError(std::move(findings));
}

/// In the copy: looks at the file's structure, and lets assimp read it.
std::string readAndPack(const Model& model, const MeshReaderOptions& options,
                        const base::ProcessCopy::Report& progress) {
  try {
    return packed(readModelHere(model, options.up, options.unit, progress));
  } catch (const InputError& error) {
    return packed(error.diagnostics());
  } catch (const std::exception& error) {
    return packed(
        {Diagnostic{.file = model.name, .message = fmt::format("no {} mesh: {}", model.ending, error.what())}});
  }
}

/// Reading is the first 0.7 of the work.
RawMesh readInACopy(const Model& model, const MeshReaderOptions& options) {
  using End = base::ProcessOutcome::End;
  const std::uint64_t size = sizeWithOthers(model);
  const auto mebibytes = static_cast<unsigned>(std::min<std::uint64_t>(size >> 20, 100'000));
  const base::ProcessLimits limits{kSeconds + kSecondsPerMebibyte * mebibytes, kMemory + kMemoryPerByte * size};
  const auto work = [&](const base::ProcessCopy::Report& progress) { return readAndPack(model, options, progress); };
  base::ProcessCopy copy(work, limits);
  const base::ProcessOutcome outcome = copy.wait([&](double share) {
    if (options.progress) options.progress(0.7 * std::clamp(share, 0.0, 1.0));
  });
  if (outcome.end == End::kNotStarted)
    throw FileError(fmt::format("{} cannot be read: its reader {}", model.name, outcome.problem));
  if (outcome.end != End::kDone)
    failAt(model.name, fmt::format("the reader of this model {}; allowed for its {} bytes: {} MB and {} s",
                                   outcome.problem, size, limits.memory >> 20, limits.cpu_seconds));
  if (outcome.said.empty()) Unpacker::fail();
  const Unpacker from(std::string_view(outcome.said).substr(1));
  if (outcome.said[0] != 'm') throwFindings(from);
  return unpackedMesh(from);
}

Mesh readModel(const Model& model, const MeshReaderOptions& options, MeshRepairs* repairs) {
  RawMesh raw = readInACopy(model, options);
  Mesh& mesh = raw.mesh;
  if (options.progress) options.progress(0.8);
  MeshRepairs found = clean(mesh);
  if (options.progress) options.progress(1);
  found.read += raw.out_of_range;
  found.out_of_range += raw.out_of_range;
  if (mesh.triangles.empty())
    failAt(model.name,
           found.read == 0
               ? "there is no triangle in it"
               : fmt::format("none of its {} triangles can be used: {} with corners out of range, {} with corners "
                             "that are not finite, {} without area",
                             found.read, found.out_of_range, found.not_finite, found.degenerate));
  if (repairs) *repairs = found;
  return std::move(raw.mesh);
}

/// All of a file. It may be a pipe or a device, which have no end.
std::string contents(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) throw FileError(fmt::format("{} cannot be read: there is no such file", path));
  if (fs::is_directory(status)) throw FileError(fmt::format("{} cannot be read: it is a folder", path));
  if (!fs::is_regular_file(status)) throw FileError(fmt::format("{} cannot be read: it is no ordinary file", path));
  endingOf(path);
  std::ifstream file(path, std::ios::binary);
  std::string bytes(fs::file_size(path, error), '\0');
  if (!file || error || !file.read(bytes.data(), static_cast<std::streamsize>(bytes.size())))
    throw FileError(fmt::format("{} cannot be read", path));
  return bytes;
}

}  // namespace

RawMesh readModelHere(const Model& model, const std::string& up, double unit,
                      const std::function<void(double share)>& progress) {
  checkModel(model, [&](const std::string& uri) { return sizeBeside(model.path, uri); });
  return readWithAssimp(model, up, unit, progress);
}

Mesh readMesh(const std::string& path, const MeshReaderOptions& options, MeshRepairs* repairs) {
  check(options);
  const std::string bytes = contents(path);
  return readModel({path, endingOf(path), path, bytes}, options, repairs);
}

Mesh readMeshFrom(std::string_view bytes, const std::string& ending, const std::string& name,
                  const MeshReaderOptions& options, MeshRepairs* repairs) {
  check(options);
  return readModel({name, endingOf("mesh" + ending), "", bytes}, options, repairs);
}

}  // namespace throng::import
