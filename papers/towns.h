// The three environments of YERSIN 2009, Table 3.2, as generated places, and the flows in them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "throng/navigation_graph.h"
#include "throng/scene.h"

namespace throng::papers {

/// The scene of a generated mesh with flows between pairs of its places.
Scene meshScene(const std::string& generator, double precision,
                const std::vector<std::pair<std::string, std::string>>& flows, std::uint32_t people_each);
/// The seven pairs of scenes/city.json.
std::vector<std::pair<std::string, std::string>> cityPairs();
/// Vertices of the ends of a scene's flows.
std::vector<std::pair<std::uint32_t, std::uint32_t>> flowEnds(const Scene& scene, const NavigationGraph& graph);

}  // namespace throng::papers
