// Crowds of many shapes for the tests of the neighbour index.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "throng/shapes.h"

#include "agents/crowd.h"
#include "agents/link_zones.h"
#include "base/random.h"

namespace throng::agents {

struct CrowdCase {
  std::string name;
  Crowd crowd;
  std::vector<std::optional<Rectangle>> wrap;
  float range = 5;
  std::vector<Link> links = {};
};

inline void addPerson(Crowd& crowd, Vec2 position, std::uint16_t layer = 0) {
  PersonState person;
  person.position = position;
  person.layer = layer;
  person.person = static_cast<std::uint32_t>(crowd.size()) + 1;
  person.velocity = {static_cast<float>(crowd.size() % 7) * 0.1f, static_cast<float>(crowd.size() % 5) * -0.2f};
  person.radius = 0.2f + static_cast<float>(crowd.size() % 3) * 0.05f;
  crowd.add(person);
}

inline void addUniform(Crowd& crowd, base::Random& random, int count, Rectangle area, std::uint16_t layer = 0) {
  for (int i = 0; i < count; ++i) {
    addPerson(crowd,
              {static_cast<float>(random.uniform(area.min.x, area.max.x)),
               static_cast<float>(random.uniform(area.min.y, area.max.y))},
              layer);
  }
}

inline std::vector<CrowdCase> crowdCases() {
  std::vector<CrowdCase> cases;
  base::Random random(7);
  const auto begin = [&](const char* name, std::size_t layers = 1) -> CrowdCase& {
    cases.push_back({name, {}, std::vector<std::optional<Rectangle>>(layers), 5});
    return cases.back();
  };
  begin("nobody");
  addPerson(begin("one").crowd, {3, 4});
  {
    auto& c = begin("sparse");
    addUniform(c.crowd, random, 200, {{-300, -300}, {300, 300}});
  }
  {
    auto& c = begin("walking density");
    addUniform(c.crowd, random, 600, {{100, -20}, {145, 25}});
  }
  {
    auto& c = begin("dense");
    addUniform(c.crowd, random, 500, {{0, 0}, {10, 12}});
  }
  {
    auto& c = begin("clumps far apart");
    for (int clump = 0; clump < 12; ++clump) {
      const Point at{random.uniform(-5000, 5000), random.uniform(-5000, 5000)};
      addUniform(c.crowd, random, 40, {at, {at.x + 3, at.y + 3}});
    }
  }
  {
    auto& c = begin("all on one spot");
    for (int i = 0; i < 150; ++i) addPerson(c.crowd, {7.5f, -2.25f});
  }
  {
    auto& c = begin("on lattice points, many ties");
    for (int i = 0; i < 400; ++i) {
      addPerson(c.crowd, {static_cast<float>(random.below(15)), static_cast<float>(random.below(15))});
    }
  }
  {
    auto& c = begin("in a line");
    addUniform(c.crowd, random, 300, {{0, 5}, {2000, 5}});
  }
  {
    auto& c = begin("one very far away");
    addUniform(c.crowd, random, 100, {{0, 0}, {20, 20}});
    addPerson(c.crowd, {3e7f, -2e7f});
  }
  {
    auto& c = begin("three layers, the middle one empty", 4);
    addUniform(c.crowd, random, 150, {{0, 0}, {20, 20}}, 2);
    addUniform(c.crowd, random, 150, {{0, 0}, {20, 20}}, 0);
    addUniform(c.crowd, random, 50, {{-10, 0}, {20, 20}}, 3);
  }
  {
    auto& c = begin("wrapped", 2);
    c.wrap[0] = Rectangle{{0, 0}, {30, 20}};
    addUniform(c.crowd, random, 200, *c.wrap[0]);
    addUniform(c.crowd, random, 100, {{0, 0}, {20, 20}}, 1);
  }
  {
    auto& c = begin("wrapped more tightly than the range");
    c.wrap[0] = Rectangle{{-2, -3}, {1.5, 4}};
    addUniform(c.crowd, random, 60, *c.wrap[0]);
  }
  {
    auto& c = begin("one, wrapped tightly");
    c.wrap[0] = Rectangle{{0, 0}, {2, 2}};
    addPerson(c.crowd, {0.5f, 0.5f});
  }
  return cases;
}

/// `left_layer` on the left of a→b, `right_layer` on its right.
inline void addConnection(std::vector<Link>& links, std::uint16_t left_layer, std::uint16_t right_layer, Point a,
                          Point b) {
  links.push_back({left_layer, right_layer, {a, b}, true});
  links.push_back({right_layer, left_layer, {a, b}, false});
}

/// Three layers, one upon another in plan, with people on both sides of every connection's line on every layer.
inline std::vector<CrowdCase> linkedCases() {
  std::vector<CrowdCase> cases;
  base::Random random(11);
  const auto begin = [&](const char* name, int people, double side) -> CrowdCase& {
    cases.push_back({name, {}, std::vector<std::optional<Rectangle>>(3), 3, {}});
    for (int i = 0; i < people; ++i) {
      addUniform(cases.back().crowd, random, 1, {{0, 0}, {side, side}}, static_cast<std::uint16_t>(random.below(3)));
    }
    return cases.back();
  };
  {
    auto& c = begin("the ends of a stair", 700, 25);
    addConnection(c.links, 0, 1, {6, 8}, {9, 8.5});
    addConnection(c.links, 1, 2, {18, 14}, {17, 17});
  }
  {
    auto& c = begin("a stair shorter than the range", 500, 16);
    addConnection(c.links, 0, 1, {6, 8}, {9, 8});
    addConnection(c.links, 2, 1, {9, 6}, {6, 6});
  }
  {
    auto& c = begin("two flights side by side", 500, 16);
    addConnection(c.links, 0, 1, {6, 8}, {7.5, 8});
    addConnection(c.links, 2, 1, {7.75, 8}, {9.25, 8});
  }
  {
    auto& c = begin("two connections of the same layers, one turned round", 500, 16);
    addConnection(c.links, 0, 2, {4, 8}, {6, 8});
    addConnection(c.links, 2, 0, {9, 8}, {7, 8});
  }
  {
    auto& c = begin("nobody near", 100, 10);
    addConnection(c.links, 0, 1, {60, 8}, {70, 8});
  }
  {
    auto& c = begin("on lattice points, many on the line and on one spot", 0, 1);
    for (int i = 0; i < 600; ++i) {
      addPerson(c.crowd, {static_cast<float>(random.below(13)), static_cast<float>(random.below(13))},
                static_cast<std::uint16_t>(random.below(3)));
    }
    addConnection(c.links, 0, 1, {4, 3}, {4, 6});
    addConnection(c.links, 1, 2, {5, 8}, {9, 8});
  }
  {
    auto& c = begin("one layer wrapped, its connections ignored", 400, 16);
    c.wrap[2] = Rectangle{{0, 0}, {16, 16}};
    addConnection(c.links, 0, 1, {6, 8}, {9, 8});
    addConnection(c.links, 1, 2, {3, 3}, {3, 5});
  }
  return cases;
}

}  // namespace throng::agents
