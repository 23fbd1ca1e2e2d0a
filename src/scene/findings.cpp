#include "scene/findings.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace throng::scene {
namespace {

/// More than anybody reads; keeps a file that is wrong everywhere from filling the memory with complaints.
constexpr std::size_t kMostFindings = 1000;

bool beneath(std::string_view pointer, std::string_view root) {
  return pointer.substr(0, root.size()) == root && (pointer.size() == root.size() || pointer[root.size()] == '/');
}

/// Levenshtein distance where upper and lower case are the same; two neighbours swapped count once.
std::size_t editDistance(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), current(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      current[j] = std::min({last[j] + 1, current[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) current[j] = std::min(current[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, current);
  }
  return last[b.size()];
}

}  // namespace

void Findings::error(const std::string& pointer, std::string message, std::optional<Point> at) {
  ++errors_;
  add(Diagnostic::Severity::kError, pointer, std::move(message), at);
}

void Findings::warning(const std::string& pointer, std::string message, std::optional<Point> at) {
  add(Diagnostic::Severity::kWarning, pointer, std::move(message), at);
}

void Findings::syntaxError(int line, int column, std::string message) {
  error("", std::move(message));
  list_.back().line = line;
  list_.back().column = column;
}

void Findings::add(Diagnostic::Severity severity, const std::string& pointer, std::string message,
                   std::optional<Point> at) {
  if (list_.size() > kMostFindings) return;
  if (list_.size() == kMostFindings) {
    severity = Diagnostic::Severity::kError;
    message = fmt::format("and more: only the first {} findings are shown", kMostFindings);
    at.reset();
    ++errors_;
  }
  Diagnostic finding;
  finding.severity = severity;
  finding.file = file_;
  finding.pointer = renamed(pointer);
  finding.at = at;
  finding.message = std::move(message);
  list_.push_back(std::move(finding));
}

bool Findings::broken(std::string_view pointer) const {
  const std::string place = renamed(std::string(pointer));
  return std::any_of(list_.begin(), list_.end(), [&](const Diagnostic& d) {
    return d.severity == Diagnostic::Severity::kError && !d.pointer.empty() &&
           (beneath(d.pointer, place) || beneath(place, d.pointer));
  });
}

bool Findings::unreadable(std::string_view pointer) const {
  const std::string place = renamed(std::string(pointer));
  return std::any_of(list_.begin(), list_.end(), [&](const Diagnostic& d) {
    return d.severity == Diagnostic::Severity::kError && !d.pointer.empty() && beneath(place, d.pointer);
  });
}

void Findings::rename(std::string pointer, std::string instead) {
  renames_.emplace_back(std::move(pointer), std::move(instead));
}

std::string Findings::renamed(const std::string& pointer) const {
  for (const auto& [from, to] : renames_) {
    if (beneath(pointer, from)) return to + pointer.substr(from.size());
  }
  return pointer;
}

std::string pointerPart(std::string_view key) {
  std::string part;
  for (const char c : key) {
    if (c == '~') {
      part += "~0";
    } else if (c == '/') {
      part += "~1";
    } else {
      part += c;
    }
  }
  return part;
}

std::string inQuotes(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string result = "\"";
  std::size_t end = std::min(text.size(), kLongest);
  // Do not cut a UTF-8 character in two.
  while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  for (const char c : text.substr(0, end)) result += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  return result + (end < text.size() ? "…\"" : "\"");
}

std::string listed(const std::vector<std::string_view>& names) {
  constexpr std::size_t kShown = 40;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) text += (i ? ", " : "") + inQuotes(names[i]);
  return names.size() > kShown ? text + ", …" : text;
}

std::string_view nearest(std::string_view name, const std::vector<std::string_view>& names) {
  constexpr std::size_t kLongest = 64;
  if (name.size() > kLongest) return {};
  std::string_view best;
  std::size_t least = std::max<std::size_t>(1, name.size() / 2);
  for (const auto candidate : names) {
    if (candidate.size() > kLongest) continue;
    const std::size_t distance = editDistance(name, candidate);
    if (distance < least || (best.empty() && distance <= least)) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

std::string suggestion(std::string_view name, const std::vector<std::string_view>& names) {
  const auto meant = nearest(name, names);
  std::string text = meant.empty() ? "" : fmt::format("; did you mean {}?", inQuotes(meant));
  if (!names.empty()) text += (meant.empty() ? "; allowed: " : " Allowed: ") + listed(names);
  return text;
}

}  // namespace throng::scene
