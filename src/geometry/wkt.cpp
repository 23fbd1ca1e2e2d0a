// Well-known text (OGC 06-103r4, clause 7), read by ourselves so that a mistake is told by its place, a ring that is
// not closed can be closed, and nesting has a limit.
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

#include "geometry/polygons.h"

namespace throng::geometry {
namespace {

constexpr int kDeepestCollection = 16;  ///< collections within collections

class WktReader {
 public:
  explicit WktReader(const std::string& text) : text_(text) {}

  std::optional<Shapes> read(ShapeError& error) {
    if (geometry(0)) {
      skipSpace();
      if (place_ == text_.size()) return std::move(shapes_);
      fail(fmt::format("the text goes on after the geometry with {}", found()));
    }
    error = std::move(error_);
    return std::nullopt;
  }

 private:
  bool fail(const std::string& message) {
    if (error_.message.empty()) error_ = {fmt::format("WKT, character {}: {}", place_ + 1, message), last_, {}};
    return false;
  }

  void skipSpace() {
    while (place_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[place_]))) ++place_;
  }

  std::string found() const {
    if (place_ >= text_.size()) return "the end of the text";
    std::string piece;
    for (const char c : text_.substr(place_, 16)) piece += std::isprint(static_cast<unsigned char>(c)) ? c : '?';
    return "\"" + piece + "\"";
  }

  bool take(char c) {
    skipSpace();
    if (place_ >= text_.size() || text_[place_] != c) return false;
    ++place_;
    return true;
  }

  bool expect(char c) { return take(c) || fail(fmt::format("expected '{}', found {}", c, found())); }

  std::string word() {
    skipSpace();
    std::string word;
    while (place_ < text_.size() && std::isalpha(static_cast<unsigned char>(text_[place_]))) {
      word += static_cast<char>(std::toupper(static_cast<unsigned char>(text_[place_++])));
    }
    return word;
  }

  /// Takes the word when it comes next.
  bool take(const char* expected) {
    const std::size_t before = place_;
    if (word() == expected) return true;
    place_ = before;
    return false;
  }

  bool number(double& value) {
    skipSpace();
    const char* begin = text_.data() + place_;
    const char* end = text_.data() + text_.size();
    if (begin != end && *begin == '+') ++begin;
    const auto [rest, code] = std::from_chars(begin, end, value);
    if (code == std::errc::invalid_argument) return fail(fmt::format("expected a number, found {}", found()));
    if (code != std::errc() || !std::isfinite(value)) {
      return fail(fmt::format("{} is not a finite number", found()));
    }
    place_ = static_cast<std::size_t>(rest - text_.data());
    return true;
  }

  bool point(Point& p) {
    if (!number(p.x) || !number(p.y)) return false;
    last_ = p;
    for (int extra = 0;; ++extra) {
      skipSpace();
      if (place_ >= text_.size() || text_[place_] == ',' || text_[place_] == ')') return true;
      double ignored;
      if (extra == 2) return fail(fmt::format("expected ',' or ')', found {}", found()));
      if (!number(ignored)) return false;
      noteHeight(p);
    }
  }

  void noteHeight(Point p) {
    if (!heights_) shapes_.repairs.push_back({"heights (a third number) were left out", p, {}});
    heights_ = true;
  }

  bool points(std::vector<Point>& list) {
    if (!expect('(')) return false;
    do {
      if (!point(list.emplace_back())) return false;
    } while (take(','));
    return expect(')');
  }

  bool ring(Ring& ring) {
    if (!points(ring)) return false;
    if (ring.size() > 1 && ring.front() == ring.back()) {
      ring.pop_back();
    } else {
      shapes_.repairs.push_back({"a ring is not closed; its first point was repeated at the end", ring.back(), {}});
    }
    return true;
  }

  bool polygon() {
    if (take("EMPTY")) return true;
    if (!expect('(')) return false;
    Polygon polygon;
    if (!ring(polygon.outer)) return false;
    while (take(',')) {
      if (!ring(polygon.holes.emplace_back())) return false;
    }
    shapes_.polygons.push_back(std::move(polygon));
    return expect(')');
  }

  bool line() {
    if (take("EMPTY")) return true;
    return points(shapes_.lines.emplace_back().points);
  }

  bool singlePoint() {
    if (take("EMPTY")) return true;
    return expect('(') && point(shapes_.points.emplace_back()) && expect(')');
  }

  /// MULTIPOINT (1 2, 3 4) is as common as MULTIPOINT ((1 2), (3 4)).
  bool memberPoint() {
    skipSpace();
    if (place_ < text_.size() && (text_[place_] == '(' || std::isalpha(static_cast<unsigned char>(text_[place_])))) {
      return singlePoint();
    }
    return point(shapes_.points.emplace_back());
  }

  template <class Member>
  bool members(const Member& member) {
    if (take("EMPTY")) return true;
    if (!expect('(')) return false;
    do {
      if (!member()) return false;
    } while (take(','));
    return expect(')');
  }

  bool geometry(int depth) {
    skipSpace();
    const std::size_t start = place_;
    const std::string type = word();
    if (!take("ZM") && !take("Z")) take("M");
    if (type == "POINT") return singlePoint();
    if (type == "LINESTRING" || type == "LINEARRING") return line();
    if (type == "POLYGON") return polygon();
    if (type == "MULTIPOINT") return members([this] { return memberPoint(); });
    if (type == "MULTILINESTRING") return members([this] { return line(); });
    if (type == "MULTIPOLYGON") return members([this] { return polygon(); });
    if (type == "GEOMETRYCOLLECTION") {
      if (depth == kDeepestCollection)
        return fail(fmt::format("more than {} collections within one another", kDeepestCollection));
      return members([this, depth] { return geometry(depth + 1); });
    }
    place_ = start;
    return fail(fmt::format(
        "{} is no geometry that can be used; allowed: POINT, LINESTRING, POLYGON, MULTIPOINT, MULTILINESTRING, "
        "MULTIPOLYGON, GEOMETRYCOLLECTION",
        found()));
  }

  const std::string& text_;
  std::size_t place_ = 0;
  std::optional<Point> last_;
  bool heights_ = false;
  Shapes shapes_;
  ShapeError error_;
};

std::string pointText(Point p) { return fmt::format("{} {}", p.x, p.y); }

std::string pointsText(const std::vector<Point>& points, bool close) {
  std::string text = "(";
  for (const Point p : points) text += (text.size() > 1 ? ", " : "") + pointText(p);
  if (close && !points.empty()) text += ", " + pointText(points.front());
  return text + ")";
}

}  // namespace

std::optional<Shapes> parseWkt(const std::string& text, ShapeError& error) { return WktReader(text).read(error); }

std::string toWkt(const std::vector<Polygon>& polygons) {
  if (polygons.empty()) return "MULTIPOLYGON EMPTY";
  std::string text;
  for (const auto& polygon : polygons) {
    text += (text.empty() ? "(" : ", (") + pointsText(polygon.outer, true);
    for (const auto& hole : polygon.holes) text += ", " + pointsText(hole, true);
    text += ")";
  }
  return polygons.size() == 1 ? "POLYGON " + text : "MULTIPOLYGON (" + text + ")";
}

std::string toWkt(const Polyline& line) {
  return line.points.empty() ? "LINESTRING EMPTY" : "LINESTRING " + pointsText(line.points, false);
}

std::string toWkt(Point point) { return "POINT (" + pointText(point) + ")"; }

}  // namespace throng::geometry
