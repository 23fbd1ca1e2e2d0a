#include "papers/towns.h"

#include <fmt/format.h>

namespace throng::papers {

Scene meshScene(const std::string& generator, double precision,
                const std::vector<std::pair<std::string, std::string>>& flows, std::uint32_t people_each) {
  const std::string text = fmt::format(
      R"({{"version": 1, "name": "{0}", "generate": {{"scene": "{0}", "seed": 1}},
          "navigation_graph": {{"precision": {1}}}, "run": {{"duration": 1000}}}})",
      generator, precision);
  SceneCheck check = checkSceneText(text);
  if (!check.scene) throw InputError(check.diagnostics);
  Scene scene = std::move(*check.scene);
  scene.profiles.front() = withModelsAlone(scene.profiles.front());
  scene.profiles.front().steering = {"orca", {}};
  scene.profiles.front().radius = Distribution::uniform(0.2, 0.25);
  scene.profiles.front().preferred_speed = Distribution::truncatedNormal(1.3, 0.2, 0.8, 1.8);
  for (const auto& [from, to] : flows) {
    Population& flow = scene.populations.emplace_back();
    flow.name = from + " - " + to;
    flow.flow = FlowEnds{from, to};
    flow.count = people_each;
  }
  return scene;
}

std::vector<std::pair<std::string, std::string>> cityPairs() {
  return {{"train station", "market square"},
          {"train station", "university"},
          {"hotel", "church"},
          {"hotel", "circus"},
          {"theatre", "park pavilion"},
          {"circus", "market square"},
          {"university", "park pavilion"}};
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> flowEnds(const Scene& scene, const NavigationGraph& graph) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
  for (const Population& population : scene.populations)
    if (population.flow)
      ends.emplace_back(graph.locate(scene, population.flow->from).value(),
                        graph.locate(scene, population.flow->to).value());
  return ends;
}

}  // namespace throng::papers
