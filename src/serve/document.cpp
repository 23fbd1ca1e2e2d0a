#include "serve/document.h"

#include <iterator>

#include "throng/base.h"

namespace throng::serve {

std::size_t Document::Change::bytes() const {
  std::size_t sum = sizeof(Change);
  for (const scene::Splice& splice : splices) sum += splice.bytes() + sizeof(splice);
  return sum;
}

std::vector<scene::Splice> Document::carryOut(const std::vector<EditStep>& steps) {
  std::vector<scene::Splice> splices;
  try {
    for (const EditStep& step : steps) {
      scene::Splice splice = step.kind == EditStep::Kind::kSet      ? scene::setValue(text_, step.at, step.value)
                             : step.kind == EditStep::Kind::kInsert ? scene::insertValue(text_, step.at, step.value)
                                                                    : scene::removeValue(text_, step.at);
      scene::apply(text_, splice);
      splices.push_back(std::move(splice));
    }
  } catch (const InputError&) {
    for (auto it = splices.rbegin(); it != splices.rend(); ++it) scene::takeBack(text_, *it);
    throw;
  }
  return splices;
}

/// A slider that moved on: only where it was at first and where it is now counts.
void Document::join(std::vector<scene::Splice>& into, std::vector<scene::Splice> more) {
  if (into.size() == 1 && more.size() == 1 && into[0].at == more[0].at && into[0].after == more[0].before)
    into[0].after = std::move(more[0].after);
  else
    into.insert(into.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

void Document::remember(Change change) {
  undone_.clear();
  ++revision_;
  if (!change.merge.empty() && !done_.empty() && done_.back().merge == change.merge) {
    bytes_ -= done_.back().bytes();
    join(done_.back().splices, std::move(change.splices));
  } else {
    done_.push_back(std::move(change));
  }
  bytes_ += done_.back().bytes();
  while (done_.size() > 1 && (done_.size() > kMostUndo || bytes_ > kMostBytes)) {
    bytes_ -= done_.front().bytes();
    done_.pop_front();
  }
}

void Document::apply(const EditRequest& edit) {
  std::vector<scene::Splice> splices = carryOut(edit.steps);
  remember({edit.label, edit.merge, std::move(splices), {}});
}

void Document::apply(const std::string& label, const std::vector<EditStep>& steps, DoorMove door) {
  std::vector<scene::Splice> splices = carryOut(steps);
  remember({label, {}, std::move(splices), {std::move(door)}});
}

std::optional<std::vector<Document::DoorMove>> Document::undo() {
  if (done_.empty()) return std::nullopt;
  Change change = std::move(done_.back());
  done_.pop_back();
  bytes_ -= change.bytes();
  change.merge.clear();
  for (auto it = change.splices.rbegin(); it != change.splices.rend(); ++it) scene::takeBack(text_, *it);
  std::vector<DoorMove> doors;
  for (const DoorMove& door : change.doors) doors.push_back({door.name, !door.open});
  undone_.push_back(std::move(change));
  ++revision_;
  return doors;
}

std::optional<std::vector<Document::DoorMove>> Document::redo() {
  if (undone_.empty()) return std::nullopt;
  Change change = std::move(undone_.back());
  undone_.pop_back();
  for (const scene::Splice& splice : change.splices) scene::apply(text_, splice);
  const std::vector<DoorMove> doors = change.doors;
  bytes_ += change.bytes();
  done_.push_back(std::move(change));
  ++revision_;
  return doors;
}

}  // namespace throng::serve
