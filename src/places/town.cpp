// "town": streets, squares and a canal on 630 m × 430 m, in three dimensions, with eight places to go to.
#include "places/town.h"

namespace throng::places {
namespace town {

Materials::Materials(MeshBuilder& mesh)
    : asphalt(mesh.material("asphalt", 0x6f7073)),
      pavement(mesh.material("pavement", 0xb9b3a8)),
      kerb(mesh.material("kerb", 0x9a958c)),
      cobbles(mesh.material("cobbles", 0x9f9588)),
      plaza(mesh.material("plaza", 0xcbbfa9)),
      lawn(mesh.material("lawn", 0x86a562)),
      gravel(mesh.material("gravel", 0xd3c3a0)),
      court(mesh.material("courtyard", 0xa3ab85)),
      water(mesh.material("water", 0x4f7f93)),
      quay(mesh.material("quay", 0x8d867b)),
      steps(mesh.material("steps", 0xc4bbab)),
      deck(mesh.material("bridge deck", 0xaaa294)),
      parapet(mesh.material("bridge", 0x978c7d)),
      stone(mesh.material("stone", 0xcfc5b3)),
      window(mesh.material("window", 0x55636f)),
      shop(mesh.material("shop window", 0x3f4e57)),
      door(mesh.material("door", 0x5c3d2a)),
      trunk(mesh.material("trunk", 0x5d4a38)),
      lamp(mesh.material("lamp", 0x33383a)),
      wood(mesh.material("wood", 0x8a6744)),
      tent_red(mesh.material("tent red", 0xb23a35)),
      tent_white(mesh.material("white", 0xf0e9da)),
      copper(mesh.material("copper", 0x6c9a8b)),
      slate(mesh.material("slate", 0x565b63)),
      glass_roof(mesh.material("glass roof", 0x8fa9b3)),
      bronze(mesh.material("bronze", 0x4d5a4c)),
      flowers(mesh.material("flowers", 0xc0607a)),
      walls{mesh.material("sand wall", 0xe3d2ae),  mesh.material("cream wall", 0xefe4c9),
            mesh.material("rose wall", 0xd9b09c),  mesh.material("brick wall", 0xa9664f),
            mesh.material("ochre wall", 0xd8b470), mesh.material("grey wall", 0xc4c3bb),
            mesh.material("clay wall", 0xc58c6a),  mesh.material("olive wall", 0xb9b78f),
            mesh.material("blue wall", 0xa9bac0)},
      plinths{mesh.material("light plinth", 0xb3a793), mesh.material("dark plinth", 0x857a6c),
              mesh.material("white plinth", 0xdcd5c6)},
      roofs{mesh.material("red tiles", 0xa9543c), mesh.material("brown tiles", 0x8a4b39),
            mesh.material("orange tiles", 0xb9694a), mesh.material("dark tiles", 0x6b504a)},
      leaves{mesh.material("leaves", 0x5f8a46), mesh.material("dark leaves", 0x4c763f),
             mesh.material("light leaves", 0x7a9d4f)},
      awnings{mesh.material("red awning", 0xb5473f), mesh.material("green awning", 0x4f7d5c),
              mesh.material("yellow awning", 0xd9a944), mesh.material("blue awning", 0x4a6f93)},
      zebra(mesh.material("zebra", 0xd8d6cf)) {}

}  // namespace town

Scene townPlace(std::uint64_t seed) {
  town::Town town(seed);
  town::landmarks(town);
  town::houses(town);
  town::ground(town);
  town::furniture(town);
  return sceneOf(town.mesh.take(), std::move(town.places));
}

}  // namespace throng::places
