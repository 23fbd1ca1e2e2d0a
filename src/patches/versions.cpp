// Permutation (Jordao 2015, 6.1). There versions differ in which input leads to which output; here pairs stay, so that
// whoever is followed keeps on being the same person whatever is played.
#include <fmt/format.h>

#include "throng/patch_files.h"

#include "patches/generators.h"
#include "patches/walk_check.h"

namespace throng {

std::vector<Patch> makeVersions(const Patch& patch, int count, std::uint64_t seed) {
  if (count < 1 || count > 1000) throw InputError(fmt::format("{} versions; allowed: 1 to 1000", count));
  if (auto found = check(patch); !found.empty()) throw InputError(std::move(found));
  std::vector<patches::Pair> pairs;
  for (const PatchWalk& walk : patch.walks) pairs.push_back(patches::pairOf(patch.definition, walk.input, walk.output));
  const patches::Task task{patch.definition, pairs};
  std::vector<Patch> versions{patch};
  // Some come out with a collision; those are left out, and others tried.
  for (int attempt = 0; attempt < 4 * count && static_cast<int>(versions.size()) < count; ++attempt) {
    Patch version = patch;
    patches::vary(task, base::Random(seed, 0x76657273u + static_cast<std::uint64_t>(attempt)), version.walks);
    if (patches::faults(version.definition, version.walks, 1).empty()) versions.push_back(std::move(version));
  }
  return versions;
}

void addVersions(PatchLibrary& library, int count, std::uint64_t seed) {
  const std::size_t patches = library.patches.size();
  std::vector<char> is_version(patches);
  for (const auto& list : library.versions)
    for (const std::uint32_t other : list) is_version.at(other) = 1;
  library.versions.resize(patches);
  for (std::size_t l = 0; l < patches; ++l) {
    if (is_version[l] || !library.versions[l].empty()) continue;
    std::vector<Patch> versions = makeVersions(library.patches[l], count, seed);
    for (std::size_t v = 1; v < versions.size(); ++v) {
      library.versions[l].push_back(static_cast<std::uint32_t>(library.patches.size()));
      library.patches.push_back(std::move(versions[v]));
    }
  }
  library.versions.resize(library.patches.size());
}

}  // namespace throng
