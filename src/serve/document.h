// The text of the scene that is being designed, and what can be undone. Every change is a few pieces of text that
// become others, so that what was not touched stays byte for byte, and undoing gives exactly what was there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scene/json_splice.h"
#include "serve/edit_message.h"

namespace throng::serve {

class Document {
 public:
  /// Steps that can be undone, and bytes that they may take; the oldest are forgotten.
  static constexpr std::size_t kMostUndo = 1000, kMostBytes = std::size_t{32} << 20;

  /// A door of the running world that opens or closes.
  struct DoorMove {
    std::string name;
    bool open = true;
  };

  explicit Document(std::string text) : text_(std::move(text)), saved_(text_) {}

  const std::string& text() const { return text_; }
  /// Counts all changes, and those back too.
  std::uint64_t revision() const { return revision_; }

  /// Throws InputError, which points to the step's place, and then nothing has changed.
  void apply(const EditRequest& edit);
  /// A door; also where the document need not change for it.
  void apply(const std::string& label, const std::vector<EditStep>& steps, DoorMove door);
  /// Doors that move with it; nothing when there is nothing to undo.
  std::optional<std::vector<DoorMove>> undo();
  std::optional<std::vector<DoorMove>> redo();
  /// What would be undone and done again; nothing when there is nothing.
  const std::string* undoLabel() const { return done_.empty() ? nullptr : &done_.back().label; }
  const std::string* redoLabel() const { return undone_.empty() ? nullptr : &undone_.back().label; }

  /// Differs from what was opened or saved last.
  bool changed() const { return text_ != saved_; }
  const std::string& saved() const { return saved_; }
  /// It is nowhere yet.
  void neverSaved() { saved_.clear(); }
  void markSaved() {
    saved_ = text_;
    if (!done_.empty()) done_.back().merge.clear();
  }

 private:
  struct Change {
    std::string label, merge;
    std::vector<scene::Splice> splices;
    std::vector<DoorMove> doors;

    std::size_t bytes() const;
  };
  std::vector<scene::Splice> carryOut(const std::vector<EditStep>& steps);
  void remember(Change change);
  static void join(std::vector<scene::Splice>& into, std::vector<scene::Splice> more);

  std::string text_, saved_;
  std::deque<Change> done_;
  std::vector<Change> undone_;
  std::size_t bytes_ = 0;  ///< of done_
  std::uint64_t revision_ = 1;
};

}  // namespace throng::serve
