// Navigation maps as archives (base/archive.h): names, walkable areas and doors, then the corridor map, itself an
// archive.
#include <utility>

#include "throng/files.h"

#include "engine/file_errors.h"
#include "engine/navigation_state.h"
#include "geometry/archive_fields.h"

namespace throng {
namespace {

constexpr base::ArchiveKind kKind{"navigation map", 2};

/// One list of fields for both directions; `map`: the corridor map's bytes.
template <class Archive, class State>
void content(Archive& f, State& state, std::string& map) {
  f.list(state.layers, base::kFields);
  f.list(state.walkable, [](auto& archive, std::vector<Polygon>& polygons) { archive.list(polygons, base::kFields); });
  f.list(state.connections, base::kFields);
  f.list(state.doors, [](auto& archive, auto& door) {
    std::int64_t obstacle = door.obstacle ? static_cast<std::int64_t>(*door.obstacle) : -1;
    archive(door.name), archive(door.layer), fields(archive, door.line), archive(obstacle);
    door.obstacle.reset();
    if (obstacle >= 0) door.obstacle = static_cast<std::uint32_t>(obstacle);
  });
  f(map);
}

}  // namespace

std::string NavigationMap::State::save() const {
  State copy = *this;  // one list of fields serves both directions, and reading writes to them
  std::string bytes = map.save();
  base::ArchiveWriter writer;
  content(writer, copy, bytes);
  return base::sealed(kKind, scene, writer.bytes());
}

NavigationMap::State NavigationMap::State::load(std::string_view bytes) {
  const base::Unsealed file = base::unsealed(kKind, bytes);
  base::ArchiveReader reader(file.content, kKind.name, true);
  State state;
  state.scene = file.scene;
  std::string map;
  content(reader, state, map);
  reader.expectEnd();
  state.map = corridors::CorridorMap::load(map);
  bool sound = !state.layers.empty() && state.map.floors() == state.layers.size() &&
               state.walkable.size() == state.layers.size() &&
               state.map.connections().size() == state.connections.size();
  for (const MapDoor& door : state.doors)
    sound = sound && door.layer < state.layers.size() && (!door.obstacle || state.map.contains(*door.obstacle));
  if (!sound) reader.fail("its layers, connections and doors are not those of its map");
  return state;
}

NavigationMap NavigationMap::load(const std::string& path) {
  const std::string bytes = readFile(path);
  return engine::inFile(path, [&] { return NavigationMap(std::make_unique<State>(State::load(bytes))); });
}

void NavigationMap::save(const std::string& path) const { writeFile(path, state_->save(), true); }

}  // namespace throng
