#include "districts/district.h"

#include <cmath>

#include "patches/chains.h"
#include "patches/playback.h"

namespace throng::districts {

District::District(const PatchDistrict& about, std::uint16_t layer, const ground::Floor& floor, std::uint64_t seed)
    : library_(about.patches), at_(about.at), layer_(layer), seed_(seed) {
  period_ = library_->patches.front().definition.period;
  link();
  findGates(about, floor);
  for (std::uint32_t i = 0; i < parts_.size(); ++i)
    if (parts_[i].is_source) sources_.push_back(i);
}

void District::link() {
  patches::WalkLinks links;
  const patches::Chains chains = patches::chainsOf(library_->patches, library_->placed, &links);
  parts_.resize(chains.parts.size());
  for (std::uint32_t place = 0; place < library_->placed.size(); ++place) {
    const Patch& patch = library_->patches[library_->placed[place].patch];
    for (std::size_t i = chains.first[place]; i < chains.first[place + 1]; ++i) {
      Part& part = parts_[i];
      part.place = place, part.walk = static_cast<std::uint32_t>(i - chains.first[place]);
      part.is_resident = part.walk >= patch.walks.size();
      if (part.is_resident) {
        part.walk -= static_cast<std::uint32_t>(patch.walks.size());
        continue;
      }
      part.from = patch.walks[part.walk].from, part.until = patch.walks[part.walk].until;
      part.laps = links.laps[i];
      if (links.next[i] != patches::WalkLinks::kNone) part.next = static_cast<std::uint32_t>(links.next[i]);
      part.is_source = !links.has_previous[i];
    }
  }
}

PatchState District::at(std::uint32_t index, std::int64_t round, double time) const {
  const Part& part = parts_[index];
  const auto now = static_cast<std::int64_t>(std::floor(time / period_));
  const std::uint32_t played =
      patches::versionPlayed(library_->versions, library_->placed[part.place].patch, seed_, part.place, now);
  const Patch& patch = library_->patches[played];
  PatchState state = part.is_resident ? stateAt(patch.definition.residents[part.walk], period_, time)
                                      : stateAt(patch.walks[part.walk], time - static_cast<double>(round) * period_);
  state.position += origin(part.place);
  return state;
}

Point District::facing(std::uint32_t index) const {
  const Part& part = parts_[index];
  const PatchDefinition& patch = library_->patches[library_->placed[part.place].patch].definition;
  return part.is_resident ? normalized(patch.residents[part.walk].facing) : Point{1, 0};
}

bool District::stands(std::uint32_t index) const {
  const Part& part = parts_[index];
  const PatchDefinition& patch = library_->patches[library_->placed[part.place].patch].definition;
  return part.is_resident && patch.residents[part.walk].control.size() == 1;
}

}  // namespace throng::districts
