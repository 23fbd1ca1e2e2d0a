// The experiments of JAKLIN chapter 9: its scenarios, and many runs of one of them with one steering model, with or
// without Stream.
#pragma once

#include <span>
#include <string>

#include "throng/scene.h"

#include "papers/paper.h"

namespace throng::papers {

/// A scenario of section 9.4.1. The thesis gives numbers of people, the width of the narrow hallway and what happens;
/// the other lengths are ours.
struct StreamScenario {
  const char* name;
  Scene (*scene)();
  double moment;  ///< s; when people meet, for pictures
};
/// crossing-streams, hallway1, hallway2, merging-streams, narrow-50, narrow-100.
std::span<const StreamScenario> streamScenarios();
const StreamScenario& streamScenario(std::string_view name);

/// The thesis' people, and nowhere yet to walk.
Scene streamPeople(const std::string& name);
/// `count` people who start anywhere in one area and leave in another.
Population streamGroup(const std::string& name, std::uint32_t count, const Polygon& start, const Polygon& goal);
Polygon rectangle(double x0, double y0, double x1, double y1);

/// A hallway of `width` x `length` m with `people` walking to the other end from each end, in the thesis' manner.
Scene hallwayScene(const std::string& name, double width, double length, std::uint32_t people, double start_length,
                   bool both_ways);

/// A steering model and whose it is in the thesis' tables; the rows of those that this program does not have are left
/// out.
struct StreamMethod {
  const char* model;
  const char* row;  ///< nothing where the thesis has no such row
};
std::span<const StreamMethod> streamMethods();

/// Without, as the thesis has it, or with people turning to the right of those who come the other way
/// (docs/models/stream.md), which the thesis does not have.
enum class StreamUse { kNone, kPublished, kSidePreference };
inline constexpr double kStreamSide = 45;  // °: side_preference

/// In the names of rows.
const char* nameOf(StreamUse use);

/// Means over the runs of one scenario.
struct StreamOutcome {
  int runs = 0;
  int deadlocks = 0;       ///< runs that end because nobody gets on, or that do not end
  double collisions = 0;   ///< people overlapping somebody by more than 1 % of the two radii, added up over steps
  double deepest = 0;      ///< m, largest overlap of all runs
  double travel_time = 0;  ///< s, of people who arrive
  double distance = 0;     ///< m
  double energy = 0;       ///< J/kg
  double missing = 0;      ///< people who do not arrive
};
// Nobody gets on: nobody of those who are left has come so far (m) from where they were within so long (s).
inline constexpr double kStuckDistance = 0.5, kStuckTime = 60;
inline constexpr double kStreamTimeLimit = 1500;  // s: who sways to and fro until then is stuck, too

/// Seeds 1, 2, 3 …, several at once on the options' threads. Draws the first run when the options ask for pictures.
StreamOutcome runStream(const StreamScenario& scenario, const StreamMethod& method, StreamUse use,
                        const Options& options, Result& result);

/// Lines of a table, for the notes: its head, and one line for each outcome.
std::string outcomeHead();
std::string outcomeLine(const StreamScenario& scenario, const StreamMethod& method, StreamUse use,
                        const StreamOutcome& outcome);
/// What counts as a collision and as a deadlock.
std::string outcomeTerms();

}  // namespace throng::papers
