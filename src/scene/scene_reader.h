// The JSON of a scene to a SceneDraft: types, keys and geometry. Values and references are judged afterwards
// (scene_check.h).
#pragma once

#include "throng/scene.h"

#include "scene/geometry_reader.h"
#include "scene/scene_file.h"

namespace throng::scene {

/// More people than this in one population are refused.
inline constexpr std::uint32_t kMostPeople = 100'000'000;

class SceneReader {
 public:
  explicit SceneReader(const GeometryReader& geometry) : geometry_(geometry) {}

  /// What could be read; what could not is in the findings and has its default.
  void read(const Value& file, SceneDraft& draft) const;

 private:
  Layer layer(const Value& value, std::size_t index) const;
  void ground(const Value& file, SceneDraft& draft) const;
  MeshChoice mesh(const Value& value) const;
  Place place(const Value& value) const;
  DistrictChoice district(const Value& value) const;
  Door door(const Value& value) const;
  Region region(const Value& value) const;
  void elevation(const Value& value, Layer& layer) const;
  std::optional<Rectangle> wrap(const Value& value) const;
  Connection connection(const Value& value) const;
  void border(const Value& owner, const char* key, std::string& layer, Segment& line) const;
  Population population(const Value& value) const;
  void goalsOf(const Value& value, Population& population) const;
  void numbers(const Value& value, Population& population) const;
  Start start(const Value& value) const;
  StartCircle circle(const Value& value) const;
  Goal goal(const Value& value) const;
  Event event(const Value& value) const;
  InsertObstacle insertion(const Value& value) const;
  void measurements(const Value& value, Scene& scene) const;
  std::vector<Polygon> area(const Value& owner, const char* key) const;

  const GeometryReader& geometry_;
};

Profile readProfile(const Value& value, const std::string& name);
RunSettings readRun(const Value& value);
void readDistribution(const Value& owner, const char* key, Distribution& to);
Population readFlow(const Value& value);
NavigationGraphSettings readNavigationGraph(const Value& value);
LevelSettings readLevels(const Value& value);
GeneratorChoice readGenerator(const Value& value);

}  // namespace throng::scene
