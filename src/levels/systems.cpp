#include "levels/systems.h"

namespace throng::levels {

void AssignLevels::save(const step::StepContext& context, base::ArchiveWriter& writer) const {
  PeopleLevels::Saved saved = levels_.saved(context);
  saved.fields(writer);
}

void AssignLevels::load(base::ArchiveReader& reader, const step::Loading& loading) {
  loaded_.fields(reader);
  PeopleLevels::requireSound(loaded_, loading);
}

void AssignLevels::accept(step::StepContext& context) { levels_.restore(std::move(loaded_), context); }

}  // namespace throng::levels
