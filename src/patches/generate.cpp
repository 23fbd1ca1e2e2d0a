#include <array>
#include <fmt/format.h>
#include <string_view>

#include "patches/generators.h"
#include "patches/walk_check.h"

namespace throng {
namespace {

using patches::Pair;

constexpr std::array<std::string_view, 4> kGenerators = {"straight", "particle", "orca", "optimised"};
constexpr std::array<std::string_view, 4> kPairings = {"random", "in-order", "stable", "least"};

template <class Kind, std::size_t n>
Kind named(std::string_view name, const char* what, const std::array<std::string_view, n>& names) {
  for (std::size_t i = 0; i < n; ++i)
    if (names[i] == name) return static_cast<Kind>(i);
  throw InputError(fmt::format("there is no {} \"{}\"; allowed: {}", what, name, fmt::join(names, ", ")));
}

}  // namespace

std::string_view nameOf(PatchGenerator generator) { return kGenerators[static_cast<std::size_t>(generator)]; }
std::string_view nameOf(PatchPairing pairing) { return kPairings[static_cast<std::size_t>(pairing)]; }
PatchGenerator patchGenerator(std::string_view name) {
  return named<PatchGenerator>(name, "way to generate walks", kGenerators);
}
PatchPairing patchPairing(std::string_view name) { return named<PatchPairing>(name, "pairing", kPairings); }

PatchResult generateWalks(const PatchDefinition& patch, const PatchSettings& settings) {
  if (auto found = check(patch); !found.empty()) throw InputError(std::move(found));
  if (settings.attempts < 1 || settings.attempts > 10000)
    throw InputError(fmt::format("{} attempts; allowed: 1 to 10000", settings.attempts));
  if (!(settings.preferred_speed >= 0.5 && settings.preferred_speed <= 1.8))
    throw InputError(fmt::format("a preferred speed of {:g} m/s; allowed: 0.5 to 1.8", settings.preferred_speed));
  PatchResult result;
  for (int attempt = 0; attempt < settings.attempts; ++attempt) {
    ++result.attempts;
    const std::vector<Pair> pairs = patches::pairUp(patch, settings, attempt);
    std::vector<PatchWalk> walks;
    const bool fine = settings.generator == PatchGenerator::kOptimised && attempt % 2 == 1;
    for (const Pair& pair : pairs) walks.push_back(patches::straightWalk(patch, pair, fine));
    const patches::Task task{patch, pairs, settings.preferred_speed};
    switch (settings.generator) {
      case PatchGenerator::kStraight:
        break;
      case PatchGenerator::kParticle:
        patches::moveAsParticles(task, walks);
        break;
      case PatchGenerator::kOrca:
        patches::moveByOrca(task, walks);
        break;
      case PatchGenerator::kOptimised:
        patches::optimise(task, base::Random(settings.seed, 0x6f707469u + static_cast<std::uint64_t>(attempt)), walks);
        break;
    }
    const auto faults = patches::faults(patch, walks, 1000);
    if (faults.empty()) {
      result.patch = Patch{patch, std::move(walks)};
      return result;
    }
    result.reasons.push_back(patches::reasonOf(faults));
  }
  return result;
}

}  // namespace throng
