#include "following/followers.h"

#include "following/direct.h"
#include "following/irm.h"
#include "following/miran.h"

namespace throng::following {

base::Registry<Follower>& followers() {
  static base::Registry<Follower> known(
      "follower",
      {{{"direct", "straight to the next way-point", "YERSIN 2009, section 3.3", kDirectParameters}, followDirect},
       {{"irm", "indicative route method: smoothly along the route, with the room there is",
         "Karamouzas, Geraerts and Overmars 2009; JAKLIN 2016, section 6.3", kIrmParameters},
        followIndicativeRoute,
        true},
       {{"miran", "modified indicative routes and navigation: along the route, with shortcuts that the ground is worth",
         "Jaklin, Cook and Geraerts 2013; JAKLIN 2016, chapters 6 and 7", kMiranParameters},
        followMiran,
        true,
        true}});
  return known;
}

const Follower* findFollower(std::string_view name) { return followers().find(name); }

}  // namespace throng::following
