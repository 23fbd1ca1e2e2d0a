// The rules of a scene that go beyond its types: ranges, names that must exist, and things that must lie where people
// walk.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "scene/findings.h"
#include "scene/scene_file.h"

namespace throng::scene {

/// Reports whatever is wrong with the scene, except what is a consequence of an error that was reported before.
void checkRules(const Scene& scene, const KnownModels& models, Findings& findings);

// The parts of it.
void checkProfiles(const Scene& scene, const KnownModels& models, Findings& findings);
void checkRun(const Scene& scene, Findings& findings);
/// Places, navigation graph, levels and cameras.
void checkMeshScene(const Scene& scene, Findings& findings);
void checkWalkability(const Walkability& walkability, const std::string& here, Findings& findings);
/// Districts of patches, their populations, and who goes there.
void checkDistricts(const Scene& scene, Findings& findings);
void checkDoors(const Scene& scene, Findings& findings);
/// Names, times and order of what happens, and the obstacles that come.
void checkEvents(const Scene& scene, Findings& findings);
/// The shapes themselves: finite, not too far out, valid, not empty.
void checkShapes(const Scene& scene, Findings& findings);
/// Where things lie: on what can be walked on, and out of obstacles.
void checkPlaces(const Scene& scene, Findings& findings);
/// Slivers, and people who are sent to regions where they never walk.
void checkRegions(const Scene& scene, Findings& findings);

/// The longest run and the latest event, in s: four months.
inline constexpr double kLongestRun = 1e7;

/// Numbers in their ranges. Nothing is said about a value that is broken already.
class Range {
 public:
  explicit Range(Findings& findings) : findings_(findings) {}

  /// min <= value <= max; `unit` is for the message.
  bool within(const std::string& pointer, double value, double min, double max, std::string_view unit) const;
  /// 0 < value <= max.
  bool positive(const std::string& pointer, double value, double max, std::string_view unit) const;

 private:
  Findings& findings_;
};

/// Names of one list must differ, and be there when `required`.
class Names {
 public:
  Names(const char* what, bool required, Findings& findings) : what_(what), required_(required), findings_(findings) {}

  void add(const std::string& pointer, const std::string& name);

 private:
  const char* what_;
  bool required_;
  Findings& findings_;
  std::set<std::string> seen_;
};

void checkLayerName(const Scene& scene, const std::string& pointer, const std::string& name, Findings& findings);

/// The layer that a place lies on: the one it names; else of those that can be walked on there the one whose ground is
/// nearest to its z, or without a z the first. -1 when there is none.
int layerOf(const Scene& scene, const Place& place);
/// The index of the layer of that name (the first for an empty one), or -1.
int layerIndex(const Scene& scene, const std::string& name);
std::string at(const char* list, std::size_t index);

}  // namespace throng::scene
