#include <fmt/format.h>

#include "throng/files.h"
#include "throng/patch_files.h"

#include "patches/readers.h"

namespace throng {
namespace patches {
namespace {

template <class Archive>
void fields(Archive& f, Point& p) {
  f(p.x), f(p.y);
}
constexpr auto kPoint = [](auto& f, Point& p) { fields(f, p); };
constexpr auto kCrossing = [](auto& f, PatchPoint& p) { f(p.position), f(p.time), f(p.speed), f(p.along); };

template <class Archive>
void fields(Archive& f, PatchDefinition& patch) {
  f(patch.name), f(patch.period);
  f.list(patch.corners, kPoint);
  f.list(patch.sides, [](auto& g, PatchPattern& side) {
    g(side.name), g(side.length), g(side.period);
    g.list(side.inputs, kCrossing), g.list(side.outputs, kCrossing);
  });
  f.list(patch.objects, [](auto& g, PatchObject& object) { g(object.name), g.list(object.outline, kPoint); });
  f.list(patch.residents, [](auto& g, PatchResident& resident) {
    g(resident.name), g.list(resident.control, kPoint), fields(g, resident.facing);
  });
}

template <class Archive>
void fields(Archive& f, PatchLibrary& library) {
  f.list(library.patches, [](auto& g, Patch& patch) {
    fields(g, patch.definition);
    g.list(patch.walks, [](auto& h, PatchWalk& walk) {
      h(walk.input.side), h(walk.input.point), h(walk.output.side), h(walk.output.point);
      h(walk.from), h(walk.until), h(walk.first), h(walk.step);
      h.list(walk.control, kPoint);
    });
  });
  f.list(library.placed, [](auto& g, PlacedPatch& place) { g(place.patch), fields(g, place.at); });
  f.list(library.versions, [](auto& g, std::vector<std::uint32_t>& others) { g.list(others, base::kFields); });
}

}  // namespace

std::string bytesOf(const PatchLibrary& library) {
  base::ArchiveWriter writer;
  PatchLibrary copy = library;  // one function names the fields for both directions
  fields(writer, copy);
  return base::sealed(kLibraryKind, 0, writer.bytes());
}

PatchLibrary libraryFrom(std::string_view bytes, const std::string& name) {
  PatchLibrary library;
  try {
    base::ArchiveReader reader(base::unsealed(kLibraryKind, bytes).content, kLibraryKind.name, true);
    fields(reader, library);
    reader.expectEnd();
    for (const PlacedPatch& place : library.placed)
      if (place.patch >= library.patches.size())
        reader.fail(fmt::format("a place of patch {}, where there are {}", place.patch, library.patches.size()));
    for (const auto& others : library.versions)
      for (const std::uint32_t other : others)
        if (other >= library.patches.size())
          reader.fail(fmt::format("a version that is patch {}, where there are {}", other, library.patches.size()));
  } catch (const InputError& error) {
    std::vector<Diagnostic> found = error.diagnostics();
    for (Diagnostic& finding : found) finding.file = name;
    throw InputError(std::move(found));
  }
  std::vector<Diagnostic> found;
  for (std::size_t i = 0; i < library.patches.size(); ++i)
    for (Diagnostic& finding : check(library.patches[i])) {
      finding.file = name, finding.pointer = fmt::format("/patches/{}{}", i, finding.pointer);
      found.push_back(std::move(finding));
    }
  if (!found.empty()) throw InputError(std::move(found));
  return library;
}

}  // namespace patches

void savePatches(const std::string& path, const PatchLibrary& library, bool overwrite) {
  writeFile(path, patches::bytesOf(library), overwrite);
}

PatchLibrary loadPatches(const std::string& path) { return patches::libraryFrom(readFile(path), path); }

}  // namespace throng
