#include "steering/models.h"

#include "steering/anticipation_velocity.h"
#include "steering/collision_free_speed.h"
#include "steering/gcfm.h"
#include "steering/karamouzas.h"
#include "steering/karamouzas_2010.h"
#include "steering/khatib.h"
#include "steering/linear.h"
#include "steering/moussaid.h"
#include "steering/optimal_steps.h"
#include "steering/orca.h"
#include "steering/power_law.h"
#include "steering/seek.h"
#include "steering/short_term.h"
#include "steering/social_force.h"
#include "steering/time_gap.h"
#include "steering/vision.h"
#include "steering/vision_predictive.h"

namespace throng::steering {
namespace {

float noRange(std::span<const float>) { return 0; }

}  // namespace

base::Registry<Model>& models() {
  static base::Registry<Model> known(
      "steering model",
      {
          Model{{"throng", "time gaps, right of way and foreseen collisions: from an empty street to a packed door",
                 "Throng's own; speed by time gap: Tordeux, Chraibi & Seyfried, Collision-free speed model for "
                 "pedestrian dynamics, Traffic and Granular Flow '15, 2016",
                 throngParameters()},
                steerThrong,
                throngRange,
                512,
                false,
                nullptr,
                throngPreparation()},
          Model{{"linear", "straight on, blind to others", "Yersin, PhD thesis, EPFL 2009, section 4.2", {}},
                steerLinear,
                noRange},
          Model{{"seek", "limited acceleration, blind to others",
                 "Reynolds, Steering behaviors for autonomous characters, GDC 1999", seekParameters()},
                steerSeek,
                noRange},
          Model{
              {"orca", "optimal reciprocal collision avoidance",
               "van den Berg, Guy, Lin & Manocha, Reciprocal n-body collision avoidance, ISRR 2011", orcaParameters()},
              steerOrca,
              orcaRange},
          Model{{"social-force", "social and physical forces",
                 "Helbing, Farkas & Vicsek, Simulating dynamical features of escape panic, Nature 407, 2000; Helbing & "
                 "Molnár, Social force model for pedestrian dynamics, Phys. Rev. E 51, 1995",
                 socialForceParameters()},
                steerSocialForce,
                socialForceRange,
                512,
                true,
                &socialForceParts()},
          Model{{"moussaid", "heuristics of vision, and bodies that touch",
                 "Moussaïd, Helbing & Theraulaz, How simple rules determine pedestrian behavior and crowd disasters, "
                 "PNAS "
                 "108(17), 2011; foot point: Jaklin, PhD thesis, Utrecht 2016, section 10.3.5",
                 moussaidParameters()},
                steerMoussaid,
                moussaidRange,
                512,
                true,
                &moussaidParts()},
          Model{{"karamouzas", "evasion of the collisions foreseen",
                 "Karamouzas, Heil, van Beek & Overmars, A predictive collision avoidance model for pedestrian "
                 "simulation, "
                 "Motion in Games 2009",
                 karamouzasParameters()},
                steerKaramouzas,
                karamouzasRange},
          Model{{"karamouzas-2010", "the cheapest of many velocities, from few by when a collision is foreseen",
                 "Karamouzas & Overmars, Simulating human collision avoidance using a velocity-based approach, "
                 "VRIPHYS 2010",
                 karamouzas2010Parameters()},
                steerKaramouzas2010,
                karamouzas2010Range,
                128},
          Model{
              {"collision-free-speed", "speed by the distance to who is ahead, direction by who is around",
               "Tordeux, Chraibi & Seyfried, Collision-free speed model for pedestrian dynamics, Traffic and Granular "
               "Flow '15, 2016",
               collisionFreeSpeedParameters()},
              steerCollisionFreeSpeed,
              collisionFreeSpeedRange,
              512,
              true,
              &collisionFreeSpeedParts()},
          Model{{"anticipation-velocity", "the same, evading where others will be in a second",
                 "Xu, Chraibi & Seyfried, Anticipation in a velocity-based model for pedestrian dynamics, "
                 "Transportation Research Part C 133, 2021",
                 anticipationVelocityParameters()},
                steerAnticipationVelocity,
                anticipationVelocityRange,
                512,
                true},
          Model{{"power-law", "forces by the time to collision",
                 "Karamouzas, Skinner & Guy, Universal power law governing pedestrian interactions, Phys. Rev. Lett. "
                 "113, 2014",
                 powerLawParameters()},
                steerPowerLaw,
                powerLawRange,
                512,
                true,
                &powerLawParts()},
          Model{{"gcfm", "ellipses that repel by how fast they come nearer",
                 "Chraibi, Seyfried & Schadschneider, Generalized centrifugal-force model for pedestrian dynamics, "
                 "Phys. Rev. E 82, 2010",
                 gcfmParameters()},
                steerGcfm,
                gcfmRange,
                512,
                true,
                &gcfmParts()},
          Model{{"optimal-steps", "from footfall to footfall, to the best place in reach",
                 "Seitz & Köster, Natural discretization of pedestrian movement in continuous space, Phys. Rev. E 86, "
                 "2012; von Sivers & Köster, Dynamic stride length adaptation according to utility and personal space, "
                 "Transportation Research Part B 74, 2015",
                 optimalStepsParameters()},
                steerOptimalSteps,
                optimalStepsRange,
                512,
                true,
                nullptr,
                {},
                steerOptimalStepsInTurn},
          Model{
              {"khatib", "attraction and repulsion",
               "Khatib, Real-time obstacle avoidance for manipulators and mobile robots, Int. J. of Robotics Research "
               "5(1), "
               "1986; Yersin, PhD thesis, EPFL 2009, section 4.2.1",
               khatibParameters()},
              steerKhatib,
              khatibRange},
          Model{{"short-term-1", "way-points turned away from people ahead",
                 "Yersin, PhD thesis, EPFL 2009, section 5.1", shortTerm1Parameters()},
                steerShortTerm1,
                shortTerm1Range,
                512,
                true},
          Model{{"short-term-2", "detours over cells beside people ahead", "Yersin, PhD thesis, EPFL 2009, section 5.2",
                 shortTerm2Parameters()},
                steerShortTerm2,
                shortTerm2Range,
                512,
                true},
          Model{{"vision", "turning by what is seen, rendered for every walker",
                 "Ondřej, Pettré, Olivier & Donikian, A synthetic-vision based steering approach for crowd simulation, "
                 "ACM "
                 "TOG 29(4), 2010",
                 visionParameters()},
                steerVision,
                visionRange,
                8,
                true},
          Model{{"vision-points", "the same without images: one moving point per obstacle",
                 "Ondřej, Pettré, Olivier & Donikian 2010, section 5.2", visionPointsParameters()},
                steerVisionPoints,
                visionRange,
                64,
                true},
          Model{{"vision-predictive", "early evasion of what is seen, reciprocal avoidance of what is near",
                 "sight: Ondřej, Pettré, Olivier & Donikian 2010; evasion: Karamouzas et al. 2009; near: van den Berg "
                 "et al. "
                 "2011; their union is Throng's own",
                 visionPredictiveParameters()},
                steerVisionPredictive,
                visionPredictiveRange,
                8},
      });
  return known;
}

const Model* findModel(std::string_view name) { return models().find(name); }

}  // namespace throng::steering
