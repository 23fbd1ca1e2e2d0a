// What was found while reading and checking one scene.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "throng/base.h"

namespace throng::scene {

class Findings {
 public:
  explicit Findings(std::string file = {}) : file_(std::move(file)) {}

  void error(const std::string& pointer, std::string message, std::optional<Point> at = {});
  void warning(const std::string& pointer, std::string message, std::optional<Point> at = {});
  /// A syntax error: the end of reading.
  void syntaxError(int line, int column, std::string message);

  bool failed() const { return errors_ > 0; }
  /// Is there an error at the pointer, beneath it or above it? Then whatever else is wrong there is its consequence.
  /// (Errors of the file as a whole, such as a missing key, do not count as above.)
  bool broken(std::string_view pointer) const;
  /// Is there an error at the pointer or above it? Then it could not be read at all.
  bool unreadable(std::string_view pointer) const;
  /// From now on, what is said about `pointer` and beneath is said about `instead`.
  void rename(std::string pointer, std::string instead);

  std::vector<Diagnostic>& list() { return list_; }
  std::vector<Diagnostic> take() { return std::move(list_); }

 private:
  void add(Diagnostic::Severity severity, const std::string& pointer, std::string message, std::optional<Point> at);
  std::string renamed(const std::string& pointer) const;

  std::string file_;
  std::vector<Diagnostic> list_;
  std::vector<std::pair<std::string, std::string>> renames_;
  std::size_t errors_ = 0;
};

/// A key as a part of a JSON pointer (RFC 6901: ~ and / are escaped).
std::string pointerPart(std::string_view key);
/// `"text"` for a message: without control characters, and not longer than a line bears.
std::string inQuotes(std::string_view text);
/// `"a", "b", "c"`.
std::string listed(const std::vector<std::string_view>& names);
/// The name that `name` was most likely meant to be, by edit distance; empty when none is near.
std::string_view nearest(std::string_view name, const std::vector<std::string_view>& names);
/// `; did you mean "orca"?` or nothing, then `; allowed: "orca", "linear"`.
std::string suggestion(std::string_view name, const std::vector<std::string_view>& names);

}  // namespace throng::scene
