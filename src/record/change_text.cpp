#include "record/change_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace throng::record {
namespace {

constexpr std::array<std::string_view, 4> kKinds = {"open_door", "close_door", "insert_obstacle", "remove_obstacle"};

template <class Number>
bool parse(std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

bool take(std::string_view& text, std::string_view beginning) {
  if (text.substr(0, beginning.size()) != beginning) return false;
  text.remove_prefix(beginning.size());
  return true;
}

std::string_view takeUntil(std::string_view& text, char separator) {
  const std::size_t end = text.find(separator);
  const std::string_view field = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  return field;
}

/// Names may hold anything; a line may not, and blanks at its end go unseen.
std::string escaped(std::string_view name) {
  std::string text;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (c == '\\' || (c >= 0 && c < ' ') || (c == ' ' && i + 1 == name.size())) {
      text += fmt::format("\\{:02x}", static_cast<unsigned>(c));
    } else {
      text += c;
    }
  }
  return text;
}

std::optional<std::string> unescaped(std::string_view text) {
  std::string name;
  while (!text.empty()) {
    if (text.front() != '\\') {
      name += text.front();
      text.remove_prefix(1);
      continue;
    }
    int code = 0;
    const auto digits = text.substr(1, 2);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    if (digits.size() != 2 || error != std::errc{} || end != digits.data() + 2) return std::nullopt;
    name += static_cast<char>(code);
    text.remove_prefix(3);
  }
  return name;
}

}  // namespace

std::string_view kindText(Change::Kind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

std::optional<Change::Kind> kindOfText(std::string_view text) {
  for (std::size_t i = 0; i < kKinds.size(); ++i)
    if (kKinds[i] == text) return static_cast<Change::Kind>(i);
  return std::nullopt;
}

std::string shapeText(const std::vector<Point>& shape) {
  std::string text;
  for (const Point p : shape) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", p.x, p.y);
  if (shape.size() < 3) return fmt::format("LINESTRING ({})", text);
  return fmt::format("POLYGON (({}, {} {}))", text, shape[0].x, shape[0].y);
}

std::optional<std::vector<Point>> shapeOfText(std::string_view text) {
  const bool is_polygon = take(text, "POLYGON ((");
  if (!is_polygon && !take(text, "LINESTRING (")) return std::nullopt;
  const std::string_view end = is_polygon ? "))" : ")";
  if (text.size() < end.size() || text.substr(text.size() - end.size()) != end) return std::nullopt;
  text.remove_suffix(end.size());
  std::vector<Point> shape;
  while (!text.empty()) {
    std::string_view corner = takeUntil(text, ',');
    if (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    Point p;
    if (!parse(takeUntil(corner, ' '), p.x) || !parse(corner, p.y)) return std::nullopt;
    if (!std::isfinite(p.x) || !std::isfinite(p.y)) return std::nullopt;
    shape.push_back(p);
  }
  if (!is_polygon) return shape;
  if (shape.size() < 4 || shape.front() != shape.back()) return std::nullopt;
  shape.pop_back();
  return shape;
}

std::string changeText(const Change& change) {
  return fmt::format("{}\t{}\t{}\t{}\t{}", change.time, kindText(change.kind), change.layer, shapeText(change.shape),
                     escaped(change.name));
}

std::optional<Change> changeOfText(std::string_view line) {
  Change change;
  if (!parse(takeUntil(line, '\t'), change.time) || !std::isfinite(change.time)) return std::nullopt;
  const auto kind = kindOfText(takeUntil(line, '\t'));
  if (!kind || !parse(takeUntil(line, '\t'), change.layer)) return std::nullopt;
  auto shape = shapeOfText(takeUntil(line, '\t'));
  auto name = unescaped(line);
  if (!shape || !name) return std::nullopt;
  change.kind = *kind;
  change.shape = std::move(*shape);
  change.name = std::move(*name);
  return change;
}

}  // namespace throng::record
