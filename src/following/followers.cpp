#include "following/followers.h"

#include "following/direct.h"
#include "following/irm.h"

namespace throng::following {

base::Registry<Follower>& followers() {
  static base::Registry<Follower> known(
      "follower",
      {{{"direct", "straight to the next way-point", "YERSIN 2009, section 3.3", kDirectParameters}, followDirect},
       {{"irm", "indicative route method: smoothly along the route, with the room there is",
         "Karamouzas, Geraerts and Overmars 2009; JAKLIN 2016, section 6.3", kIrmParameters},
        followIndicativeRoute,
        true}});
  return known;
}

const Follower* findFollower(std::string_view name) { return followers().find(name); }

}  // namespace throng::following
