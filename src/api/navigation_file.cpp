// Navigation maps as files: names, walkable areas and doors as lines of text, then the corridor map as bytes.
#include <fmt/format.h>
#include <fstream>
#include <istream>
#include <iterator>
#include <ostream>

#include "api/navigation_state.h"

namespace throng {
namespace {

constexpr std::string_view kFirstLine = "throng-navigation-map 1";

std::string named(const std::string& name) { return fmt::format("{} {}", name.size(), name); }

std::string listed(const Ring& ring) {
  std::string text = fmt::format("{}", ring.size());
  for (const Point& p : ring) text += fmt::format(" {} {}", p.x, p.y);
  return text;
}

class TextReader {
 public:
  explicit TextReader(std::istream& in) : in_(in) {}

  template <class T>
  T number() {
    T value{};
    if (!(in_ >> value)) fail();
    return value;
  }
  std::string name() {
    const auto size = number<std::size_t>();
    if (size > kLongestName || in_.get() != ' ') fail();
    std::string text(size, ' ');
    if (!in_.read(text.data(), static_cast<std::streamsize>(size))) fail();
    return text;
  }
  Point point() {
    const auto x = number<double>();
    return {x, number<double>()};
  }
  Ring ring() {
    Ring ring;
    for (auto n = number<std::size_t>(); n > 0; --n) ring.push_back(point());
    return ring;
  }
  void line(std::string_view expected) {
    std::string text;
    if (!std::getline(in_, text) || text != expected) fail();
  }
  void word(std::string_view expected) {
    std::string text;
    if (!(in_ >> text) || text != expected) fail();
  }
  [[noreturn]] static void fail() {
    throw InputError("This is no navigation map, or a damaged one: its first lines are not what save() writes.");
  }

 private:
  static constexpr std::size_t kLongestName = 1 << 16;
  std::istream& in_;
};

}  // namespace

void NavigationMap::State::save(std::ostream& out) const {
  out << kFirstLine << "\nlayers " << layers.size() << '\n';
  for (std::size_t i = 0; i < layers.size(); ++i) {
    out << named(layers[i]) << ' ' << walkable[i].size() << '\n';
    for (const Polygon& polygon : walkable[i]) {
      out << polygon.holes.size() << ' ' << listed(polygon.outer) << '\n';
      for (const Ring& hole : polygon.holes) out << listed(hole) << '\n';
    }
  }
  out << "connections " << connections.size() << '\n';
  for (const std::string& name : connections) out << named(name) << '\n';
  out << "doors " << doors.size() << '\n';
  for (const MapDoor& door : doors)
    out << fmt::format("{} {} {} {} {} {} {}\n", named(door.name), door.layer, door.line.a.x, door.line.a.y,
                       door.line.b.x, door.line.b.y, door.obstacle ? static_cast<std::int64_t>(*door.obstacle) : -1);
  out << "map\n";
  map.save(out);
}

NavigationMap::State NavigationMap::State::load(std::istream& in) {
  TextReader read(in);
  State state;
  read.line(kFirstLine);
  read.word("layers");
  for (auto n = read.number<std::size_t>(); n > 0; --n) {
    state.layers.push_back(read.name());
    state.walkable.emplace_back();
    for (auto polygons = read.number<std::size_t>(); polygons > 0; --polygons) {
      const auto holes = read.number<std::size_t>();
      Polygon polygon{read.ring(), {}};
      for (std::size_t i = 0; i < holes; ++i) polygon.holes.push_back(read.ring());
      state.walkable.back().push_back(std::move(polygon));
    }
  }
  read.word("connections");
  for (auto n = read.number<std::size_t>(); n > 0; --n) state.connections.push_back(read.name());
  read.word("doors");
  for (auto n = read.number<std::size_t>(); n > 0; --n) {
    MapDoor door{read.name(), read.number<std::uint16_t>(), {}, {}};
    door.line.a = read.point();
    door.line.b = read.point();
    const auto obstacle = read.number<std::int64_t>();
    if (obstacle >= 0) door.obstacle = static_cast<std::uint32_t>(obstacle);
    if (door.layer >= state.layers.size()) TextReader::fail();
    state.doors.push_back(std::move(door));
  }
  read.word("map");
  if (in.get() != '\n') TextReader::fail();
  state.map = environment::CorridorMap::load(in);
  if (state.layers.empty() || state.map.floors() != state.layers.size() ||
      state.map.connections().size() != state.connections.size())
    TextReader::fail();
  for (const MapDoor& door : state.doors)
    if (door.obstacle && !state.map.contains(*door.obstacle)) TextReader::fail();
  return state;
}

NavigationMap NavigationMap::load(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw FileError(path + ": cannot be read");
  try {
    return NavigationMap(std::make_unique<State>(State::load(file)));
  } catch (const InputError& error) {
    throw InputError({{Diagnostic::Severity::kError, path, {}, {}, error.diagnostics().front().message}});
  }
}

void NavigationMap::save(const std::string& path) const {
  std::ofstream file(path, std::ios::binary);
  state_->save(file);
  file.close();
  if (!file) throw FileError(path + ": cannot be written");
}

}  // namespace throng
