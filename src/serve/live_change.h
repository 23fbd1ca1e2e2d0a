// What a change of the scene means for the world that runs it: what can be done while people walk, and whether a world
// has to be made anew that they go on in.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "throng/scene.h"
#include "throng/world.h"

#include "serve/document.h"

namespace throng::serve {

/// An obstacle or a wall as the scene has it: what tells it from others is its layer and its shape.
struct StandingShape {
  std::uint16_t layer = 0;
  std::vector<Ring> pieces;  ///< convex; two points are a wall
};
using StandingShapes = std::map<std::string, StandingShape>;  ///< by that

struct LiveChange {
  StandingShapes come;        ///< obstacles and walls
  std::set<std::string> go;   ///< of those that have come since the world was made
  std::vector<Place> places;  ///< more than before
  std::vector<Population> flows;
  std::vector<Document::DoorMove> doors;
  bool anew = false;  ///< that is not all: a world has to be made from the scene
};

/// `standing`: what came since the world was made, by what tells it from others.
LiveChange liveChange(const Scene& before, const Scene& after, const std::set<std::string>& standing);

/// The changes of a running world, and what has been put there by them.
class LiveWorld {
 public:
  /// Throws InputError when the world cannot: a flow has no way, say.
  void apply(World& world, const LiveChange& change);
  /// Takes away all that has been put there, so that a world made from the scene may have it instead. Returns it.
  StandingShapes clear(World& world);

 private:
  struct Standing {
    StandingShape shape;
    std::vector<ObstacleId> ids;
  };
  std::map<std::string, Standing> standing_;
};

}  // namespace throng::serve
