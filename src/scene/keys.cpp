#include "scene/keys.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace throng::scene {
namespace {

using Name = std::string_view;

constexpr std::array kScene = {
    Name("$schema"),     Name("version"),   Name("name"),        Name("description"),  Name("generate"),
    Name("mesh"),        Name("layers"),    Name("connections"), Name("places"),       Name("profiles"),
    Name("populations"), Name("flows"),     Name("events"),      Name("measurements"), Name("navigation_graph"),
    Name("levels"),      Name("districts"), Name("run")};
constexpr std::array kGenerate = {Name("scene"), Name("seed"), Name("vertices")};
constexpr std::array kMesh = {Name("file"), Name("up"), Name("unit"), Name("walkability"), Name("regions")};
constexpr std::array kWalkability = {Name("max_slope"), Name("step_height"), Name("body_height"), Name("body_radius"),
                                     Name("unwalkable_materials")};
constexpr std::array kPlace = {Name("name"), Name("at"), Name("layer"), Name("radius")};
constexpr std::array kFlow = {Name("name"),  Name("from"), Name("to"),   Name("count"), Name("profile"),
                              Name("paths"), Name("lane"), Name("time"), Name("choice")};
constexpr std::array kDistrict = {Name("name"),   Name("library"), Name("map"),
                                  Name("street"), Name("at"),      Name("layer")};
constexpr std::array kStreet = {Name("seed"),   Name("crossings"), Name("patterns"), Name("period"),
                                Name("camera"), Name("speed"),     Name("view")};
constexpr std::array kNavigationGraph = {Name("precision"), Name("body_radius")};
constexpr std::array kLevels = {Name("cameras"), Name("levels"), Name("near_distance"), Name("far_distance"),
                                Name("budget")};
constexpr std::array kCamera = {Name("position"), Name("direction"), Name("field_of_view")};
constexpr std::array kLevel = {Name("every"), Name("avoidance"), Name("seek")};
constexpr std::array kLayer = {Name("name"),        Name("walkable"), Name("obstacles"),
                               Name("openings"),    Name("regions"),  Name("elevation"),
                               Name("wall_height"), Name("wrap"),     Name("doors")};
constexpr std::array kDoor = {Name("name"), Name("line"), Name("open")};
constexpr std::array kRegion = {Name("type"), Name("area")};
constexpr std::array kElevation = {Name("height"), Name("slope")};
constexpr std::array kConnection = {Name("name"), Name("from"), Name("to")};
constexpr std::array kBorder = {Name("layer"), Name("line")};
constexpr std::array kProfile = {
    Name("radius"),      Name("preferred_speed"), Name("max_speed_factor"), Name("region_weights"),
    Name("planner"),     Name("follower"),        Name("steering"),         Name("stream"),
    Name("unstuck"),     Name("give_way"),        Name("go_round"),         Name("avoid_congestion"),
    Name("share_goals"), Name("take_turns"),      Name("harmonise_speed"),  Name("slope_cost")};
constexpr std::array kSlopeCost = {Name("up"), Name("down")};
constexpr std::array kDistribution = {Name("uniform"), Name("normal"), Name("truncated")};
constexpr std::array kNormal = {Name("mean"), Name("deviation")};
constexpr std::array kTruncated = {Name("mean"), Name("deviation"), Name("min"), Name("max")};
constexpr std::array kPopulation = {Name("name"), Name("profile"), Name("layer"),      Name("count"),
                                    Name("rate"), Name("limit"),   Name("schedule"),   Name("start"),
                                    Name("goal"), Name("goals"),   Name("on_arrival"), Name("district")};
constexpr std::array kWave = {Name("time"), Name("count")};
constexpr std::array kStart = {Name("points"), Name("area"),         Name("line"),    Name("circle"),
                               Name("grid"),   Name("poisson_disc"), Name("spacing"), Name("jitter")};
constexpr std::array kCircle = {Name("centre"), Name("radius"), Name("phase"), Name("phase_radians")};
constexpr std::array kGoal = {Name("point"),    Name("area"),      Name("opposite"), Name("direction"),
                              Name("district"), Name("tolerance"), Name("layer")};
constexpr std::array kMeasurements = {Name("lines"), Name("areas")};
constexpr std::array kMeasurementLine = {Name("name"), Name("line"), Name("layer")};
constexpr std::array kMeasurementArea = {Name("name"), Name("area"), Name("layer")};
constexpr std::array kEvent = {Name("time"), Name("open"), Name("close"), Name("insert"), Name("remove")};
constexpr std::array kInsert = {Name("name"), Name("layer"), Name("obstacle")};
constexpr std::array kRun = {Name("dt"),    Name("seed"),     Name("duration"),
                             Name("until"), Name("patience"), Name("recording_rate")};
constexpr std::array kFile = {Name("file")};

constexpr std::array kObjects = {
    ObjectKeys{"scene", kScene},
    ObjectKeys{"generate", kGenerate},
    ObjectKeys{"mesh", kMesh},
    ObjectKeys{"walkability", kWalkability},
    ObjectKeys{"place", kPlace},
    ObjectKeys{"flow", kFlow},
    ObjectKeys{"district", kDistrict},
    ObjectKeys{"street", kStreet},
    ObjectKeys{"navigation_graph", kNavigationGraph},
    ObjectKeys{"levels", kLevels},
    ObjectKeys{"camera", kCamera},
    ObjectKeys{"level", kLevel},
    ObjectKeys{"layer", kLayer},
    ObjectKeys{"door", kDoor},
    ObjectKeys{"region", kRegion},
    ObjectKeys{"elevation", kElevation},
    ObjectKeys{"connection", kConnection},
    ObjectKeys{"border", kBorder},
    ObjectKeys{"profile", kProfile},
    ObjectKeys{"slope_cost", kSlopeCost},
    ObjectKeys{"distribution", kDistribution},
    ObjectKeys{"normal", kNormal},
    ObjectKeys{"truncated", kTruncated},
    ObjectKeys{"population", kPopulation},
    ObjectKeys{"wave", kWave},
    ObjectKeys{"start", kStart},
    ObjectKeys{"circle", kCircle},
    ObjectKeys{"goal", kGoal},
    ObjectKeys{"measurements", kMeasurements},
    ObjectKeys{"measurement_line", kMeasurementLine},
    ObjectKeys{"measurement_area", kMeasurementArea},
    ObjectKeys{"event", kEvent},
    ObjectKeys{"insert", kInsert},
    ObjectKeys{"run", kRun},
    ObjectKeys{"file", kFile},
};

}  // namespace

std::span<const ObjectKeys> objectKeys() { return kObjects; }

std::span<const std::string_view> keysOf(std::string_view object) {
  const auto found = std::find_if(kObjects.begin(), kObjects.end(),
                                  [object](const ObjectKeys& keys) { return keys.object == object; });
  assert(found != kObjects.end());
  return found->keys;
}

}  // namespace throng::scene
