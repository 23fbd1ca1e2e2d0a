// A scene as the user describes it: where people can walk, who they are, where they start and go, how long it runs.
// Plain data with good defaults; fill it in code or load it from JSON (docs/scene-format.md).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "throng/base.h"
#include "throng/mesh.h"
#include "throng/shapes.h"

#pragma GCC visibility push(default)
namespace throng {

/// Ground of one type, such as "grass"; what it costs to walk on is in each Profile.
struct Region {
  std::string type;
  std::vector<Polygon> area;
};

/// A line people can pass while it is open and that is a wall without thickness (closed to both sides) while it is not.
struct Door {
  std::string name;  ///< unique in the scene
  Segment line;
  bool open = true;  ///< at time 0; see Event
};

/// One floor. Height above datum is elevation + slope · (x, y).
struct Layer {
  std::string name = "ground";
  std::vector<Polygon> walkable;   ///< empty: the whole plane
  std::vector<Polygon> obstacles;  ///< solid; cut out of the walkable area
  std::vector<Polyline> walls;     ///< obstacles without thickness, closed to both sides
  std::vector<Polygon> openings;   ///< always open: cut out of the obstacles and walls
  std::vector<Region> regions;
  double elevation = 0;    ///< m
  Point slope;             ///< m per m along x and y
  double wall_height = 3;  ///< m, for what people see and for pictures
  /// People who leave this rectangle on one side re-enter on the other, and see one another across the border.
  std::optional<Rectangle> wrap;
  std::vector<Door> doors;
  /// The ground people walk on where it is not a plane: triangles that tile the walkable area in plan. Heights are then
  /// theirs, and `elevation` and `slope` are ignored.
  std::vector<std::array<Point3, 3>> ground;
  /// Where the patches of districts lie (Scene::districts). Those who are simulated do not walk there; it is shown as
  /// ground, with what stands on it.
  std::vector<Polygon> played;
  std::vector<Polygon> played_objects;
};

/// Two borders, on two layers, that are the same place (the top of a stair and the floor it ends on).
struct Connection {
  std::string name;
  std::string from_layer;
  Segment from;
  std::string to_layer;
  Segment to;
};

/// A three-dimensional model that the layers and connections are found in (docs/import.md).
struct SceneMesh {
  std::string file;         ///< as the scene file names it; empty: made by a generator, or in code
  std::string generator;    ///< its name, where one made the mesh
  std::uint64_t seed = 1;   ///< the generator's
  std::string up = "auto";  ///< axis of the file that points up: "x", "y", "z", or "auto", by its format
  double unit = 1;          ///< m per unit of the file
  Walkability walkability;
  /// Type of region by name of material: ground of these materials becomes regions of the layers found.
  std::map<std::string, std::string> regions = {};
  std::shared_ptr<const Mesh> mesh;  ///< never null in a scene that was loaded
};

struct PatchLibrary;

/// An endless street of crowd patches, of which one sees what is around a camera (docs/patches.md).
struct PatchStreet {
  std::uint64_t seed = 1;
  int crossings = 4;   ///< people per period and direction, over every border
  int patterns = 10;   ///< different ones
  double period = 10;  ///< s
  double camera = 0;   ///< m along the street, at time 0
  double speed = 1.3;  ///< m/s, of the camera; negative: the other way
  double view = 60;    ///< m before and behind the camera
};

/// A part of the scene where people are played back from crowd patches instead of being simulated
/// (docs/patches.md). People walk into it and out of it through gates: sides of patches that adjoin ground to walk on.
struct PatchDistrict {
  std::string name;
  std::string library;  ///< the file of finished patches, as the scene file names it
  std::string map;      ///< or that of a map of templates
  std::optional<PatchStreet> street;
  Point at;           ///< m, where the patches' origin lies
  std::string layer;  ///< empty: the scene's first layer
  /// The finished patches; placeDistrict() puts them here. Null for a street.
  std::shared_ptr<const PatchLibrary> patches = {};
  std::uint64_t patches_hash = 0;  ///< of all that is in them
};

/// Somewhere people go, by name.
struct Place {
  std::string name;
  Point at;
  std::optional<double> z;  ///< m; tells floors above one another apart
  std::string layer;        ///< empty: the one whose ground is nearest to z, or the first
  double radius = 3;        ///< m; who is nearer than this (and on the same floor) is there
};

/// People who walk back and forth between two places for ever, each on a path and in a lane of their own
/// (docs/flows.md).
struct FlowEnds {
  std::string from, to;      ///< names of places
  double time = 0;           ///< s; when the flow is inserted
  std::uint32_t paths = 50;  ///< at most so many; 0: as many as there are
  /// Everybody has a route of their own from place to place, by their profile's planner. False: everybody takes the
  /// path that is the quickest now, as published.
  bool spread = false;
};

/// A number that differs from person to person.
struct Distribution {
  enum class Kind { kConstant, kUniform, kNormal, kTruncatedNormal };
  Kind kind = Kind::kConstant;
  double mean = 0;       ///< the value itself for kConstant
  double deviation = 0;  ///< kNormal, kTruncatedNormal
  double min = 0;        ///< kUniform, kTruncatedNormal
  double max = 0;

  static Distribution constant(double value) { return {Kind::kConstant, value, 0, value, value}; }
  static Distribution uniform(double min, double max) { return {Kind::kUniform, (min + max) / 2, 0, min, max}; }
  static Distribution normal(double mean, double deviation) { return {Kind::kNormal, mean, deviation, 0, 0}; }
  static Distribution truncatedNormal(double mean, double deviation, double min, double max) {
    return {Kind::kTruncatedNormal, mean, deviation, min, max};
  }
};

/// A planner, follower or steering model by name, with the parameters that differ from its defaults
/// (docs/models lists them, with units).
struct ModelChoice {
  std::string model;
  std::map<std::string, double> parameters;
};

/// The smallest and the largest number that is allowed.
struct Limits {
  double least, most;

  constexpr bool contain(double value) const { return value >= least && value <= most; }
};
/// What people can be like, whether a file or a program says it. Distributions keep to the same limits.
inline constexpr Limits kRadiusLimits{0.05, 10};          // m
inline constexpr Limits kPreferredSpeedLimits{0.05, 50};  // m/s
/// What a metre on ground of a type costs somebody, 1 on ground of no type; infinity besides: they never walk there.
inline constexpr Limits kRegionWeightLimits{0.001, 1e6};
/// What a metre of rise or fall can cost.
inline constexpr Limits kSlopeCostLimits{0, 1e4};
/// m: nobody with a larger radius goes into a district of patches.
inline constexpr double kWidestInDistricts = 0.25;

/// What hills and stairs cost besides the way itself.
struct SlopeCost {
  double up = 0;    ///< m of level ground that a metre of rise is worth
  double down = 0;  ///< and a metre of fall

  bool any() const { return up > 0 || down > 0; }
};

/// What kind of people: their bodies and speeds, and the models that they walk by.
struct Profile {
  std::string name = "default";
  Distribution radius = Distribution::constant(0.25);          ///< m
  Distribution preferred_speed = Distribution::constant(1.3);  ///< m/s
  double max_speed_factor = 1.5;  ///< nobody walks faster than this times their preferred speed
  /// Cost per metre by region type, another for each person; 1 where not listed, infinity (a constant): never.
  std::map<std::string, Distribution> region_weights;
  SlopeCost slope_cost;
  /// No name: "regions" where there are region_weights, else "corridor".
  ModelChoice planner;
  ModelChoice follower{"irm", {}};
  ModelChoice steering{"throng", {}};
  /// Follow streams of people, whatever the steering model: the parameters of the Stream layer that differ from its
  /// defaults. Nothing: everybody for themselves.
  std::optional<std::map<std::string, double>> stream;
  // What people do whatever their models are. Faithful runs of what was published go without: see withModelsAlone().
  /// Whoever does not get on sidesteps or steps back for a moment.
  bool unstuck = true;
  /// At doors too narrow for two, people of one side go at a time; they keep to their half of corridors, and full
  /// crossings clear.
  bool give_way = true;
  /// Whoever has a jam of people before them who want to go elsewhere passes it on the quicker side.
  bool go_round = false;
  /// Whoever has a queue before them takes another way, when that is quicker.
  bool avoid_congestion = true;
  /// People of flows that spread set out when the way on carries them; needs avoid_congestion.
  bool take_turns = false;
  /// Whoever cannot get to their goal for those who stand there has arrived.
  bool share_goals = true;
  /// Whoever has to wait before a narrow place anyway walks there more slowly; needs avoid_congestion.
  bool harmonise_speed = false;
};

/// People who do what their models say and no more: without `unstuck`, `give_way`, `go_round`, `avoid_congestion`,
/// `take_turns`, `harmonise_speed` and `share_goals`. For runs that do what was published.
inline Profile withModelsAlone(Profile profile) {
  profile.unstuck = profile.give_way = profile.go_round = false;
  profile.avoid_congestion = profile.take_turns = profile.harmonise_speed = profile.share_goals = false;
  return profile;
}

/// One person at each point, in this order.
struct StartPoints {
  std::vector<Point> points;
};
/// Uniformly at random in an area.
struct StartArea {
  std::vector<Polygon> area;
};
/// Evenly along a line.
struct StartLine {
  Polyline line;
};
/// Evenly around a circle; the first person at angle `phase`.
struct StartCircle {
  Point centre;
  double radius = 0;  ///< m
  double phase = 0;   ///< radians
};
/// Row by row in an area.
struct StartGrid {
  std::vector<Polygon> area;
  double spacing = 0;  ///< m between centres; 0: as tight as the radii allow
};
/// At random in an area, nobody nearer to anybody than `spacing`.
struct StartPoissonDisc {
  std::vector<Polygon> area;
  double spacing = 0;  ///< m between centres; 0: as tight as the radii allow
};

/// Where people begin.
struct Start {
  std::variant<StartPoints, StartArea, StartLine, StartCircle, StartGrid, StartPoissonDisc> shape;
  double jitter = 0;  ///< m; every place is moved by a uniform offset in this square's half-width
};

/// To a place; nearer than `tolerance` is arrived.
struct GoalPoint {
  Point point;
  double tolerance = 0.5;  ///< m
};
/// To a place of one's own in an area; inside is arrived.
struct GoalArea {
  std::vector<Polygon> area;
};
/// To the start mirrored at a point.
struct GoalOpposite {
  Point centre;
  double tolerance = 0.5;  ///< m; nearer than this is arrived
};
/// This way, for ever.
struct GoalDirection {
  Point direction{1, 0};  ///< need not be a unit vector
};

/// Into a district of patches, through the nearest gate. It is reached at the gate; whoever comes out again goes on to
/// the next goal, or without one back in through another gate.
struct GoalDistrict {
  std::string district;  ///< its name
};

/// Where people go next.
struct Goal {
  std::variant<GoalPoint, GoalArea, GoalOpposite, GoalDirection, GoalDistrict> target;
  std::string layer = {};  ///< empty: the layer the population starts on
};

enum class OnArrival { kLeave, kStay, kGoBack };

/// `count` people appear at `time`.
struct Wave {
  double time = 0;
  std::uint32_t count = 0;
};

/// People who belong together: how many, where they start, where they go.
struct Population {
  std::string name;
  std::string profile = "default";
  std::string layer;                        ///< empty: the scene's first layer
  std::uint32_t count = 0;                  ///< people who are there at time 0
  double rate = 0;                          ///< people per second who appear, evenly in time
  std::optional<std::uint32_t> rate_limit;  ///< at most this many through `rate`
  std::vector<Wave> schedule;
  Start start;
  std::vector<Goal> goals;  ///< walked through in order; empty: stay where one is
  OnArrival on_arrival = OnArrival::kLeave;
  /// A navigation flow: `count` people, spread along its paths at first. Start, goals and on_arrival are ignored then.
  std::optional<FlowEnds> flow;
  /// Flows only: where between the left (0) and the right (1) end of every gate somebody walks, p in Pettré et al.
  /// 2006.
  Distribution lane = Distribution::uniform(0, 1);
  /// The people of this district of patches: who is played in it at time 0 and who comes in from nowhere later. Count,
  /// rate and start are ignored then; the goals are those of people who come out through a gate.
  std::string district = {};
};

/// People crossing it are counted by direction.
struct MeasurementLine {
  std::string name;
  Segment line;
  std::string layer;
};

/// Density and speed are taken inside it.
struct MeasurementArea {
  std::string name;
  std::vector<Polygon> area;
  std::string layer;
};

/// A door can be passed from now on.
struct OpenDoor {
  std::string door;  ///< its name
};
/// A door is a wall from now on.
struct CloseDoor {
  std::string door;  ///< its name
};
/// Something solid is put there.
struct InsertObstacle {
  std::string name;   ///< by which it can be removed
  std::string layer;  ///< empty: the scene's first layer
  Polygon obstacle;   ///< convex, without holes
};
/// What InsertObstacle has put there is taken away.
struct RemoveObstacle {
  std::string name;
};

/// A change of the world while it runs. Events happen in the order of their times, those of one time in the order of
/// the list.
struct Event {
  double time = 0;  ///< s
  std::variant<OpenDoor, CloseDoor, InsertObstacle, RemoveObstacle> change;
};

/// How the navigation graph is made (docs/navigation-graph.md).
struct NavigationGraphSettings {
  double precision = 0.5;     ///< m between samples of the ground
  double body_radius = 0.25;  ///< m; in scenes with a mesh its walkability says it
};

/// Somebody looks from here. People in sight are simulated with more care than others (docs/levels.md).
struct Camera {
  Point3 position;
  Point3 direction{1, 0, 0};  ///< need not be a unit vector
  double field_of_view = 60;  ///< degrees, horizontally
};

/// How carefully people of one level are simulated.
struct SimulationLevel {
  std::uint32_t every = 1;  ///< steps from one decision to the next; in between people walk straight on
  bool avoidance = true;    ///< the profile's steering model; false: nobody is avoided
  bool seek = true;         ///< without avoidance: velocities change smoothly (Reynolds' seek); false: at once
};

/// Levels of simulation (Pettré et al. 2006, 2008). Level 0 is for those whom nobody sees.
struct LevelSettings {
  std::vector<Camera> cameras;  ///< none: everybody gets the highest level
  std::vector<SimulationLevel> levels{
      {16, false, false}, {8, false, false}, {4, false, true}, {1, false, true}, {1, true, true}};
  double near_distance = 30;  ///< m around a camera, behind it too: the highest level
  double far_distance = 150;  ///< m: visible, but one level lower beyond this
  double budget = 0;          ///< ms that a step may take; distances shrink and grow to keep it. 0: they stay
};

/// s, of a step. Places are 32-bit floats: in less than a millisecond a walker far from the origin would not move at
/// all.
inline constexpr double kShortestStep = 0.001, kLongestStep = 0.5;

/// How long and in which steps a scene is simulated.
struct RunSettings {
  double dt = 0.1;  ///< s; kShortestStep to kLongestStep
  std::uint64_t seed = 1;
  std::optional<double> duration;  ///< s
  bool until_all_arrived = false;  ///< end when nobody is on the way any more (or at `duration`)
  /// s; with until_all_arrived the run ends, too, when nobody has come nearer to their goal for so long.
  double patience = 120;
  double recording_rate = 10;  ///< frames per simulated second; a whole number of steps lies between two of them
};

/// Why a run is over.
enum class RunEnd {
  kNotYet,
  kDuration,    ///< the scene's duration is over
  kAllArrived,  ///< nobody is on the way any more, and nobody will come
  kNoProgress,  ///< everybody who is left can get no nearer to their goal, and nothing that could help is due
};

/// Frames are taken after whole steps: the rate nearest to `wanted` (frames per s) with which that goes, exactly.
double fittingRecordingRate(double dt, double wanted);

/// Everything that a user describes: places, people and how to run them (docs/scene-format.md).
struct Scene {
  std::string name;
  std::string description;
  std::vector<Layer> layers;  ///< at least one
  std::vector<Connection> connections;
  std::vector<Profile> profiles;  ///< at least one
  std::vector<Population> populations;
  std::vector<MeasurementLine> lines;
  std::vector<MeasurementArea> areas;
  std::vector<Event> events;
  RunSettings run;
  std::optional<SceneMesh> mesh;  ///< where the layers come from
  std::vector<Place> places;
  std::vector<PatchDistrict> districts;
  NavigationGraphSettings navigation;
  LevelSettings levels;
};

/// What was found in a scene file. `scene` is there when there is no error.
struct SceneCheck {
  std::optional<Scene> scene;
  std::vector<Diagnostic> diagnostics;
};

/// Reads and validates a scene file: syntax, keys, values and geometry. Never throws for what the file says.
SceneCheck checkScene(const std::string& path);
/// The same for text; files named in it are looked for in `directory`.
SceneCheck checkSceneText(const std::string& json, const std::string& directory = ".");
/// Reads a scene, or throws InputError with every error found. Warnings are in `warnings` when given.
Scene loadScene(const std::string& path, std::vector<Diagnostic>* warnings = nullptr);
/// Fills in the file, line and column of findings about a scene that was loaded from that file, such as those of a
/// World.
void locateInFile(const std::string& path, std::vector<Diagnostic>& findings);
/// The scene as JSON; loadScene of it gives the same scene.
std::string sceneToJson(const Scene& scene);

}  // namespace throng
#pragma GCC visibility pop
