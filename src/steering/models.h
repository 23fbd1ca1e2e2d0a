// Which velocity now: the table of steering models. A model is one file, one row here, one test file, one page in docs.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "throng/models.h"

#include "agents/crowd.h"
#include "agents/neighbour_index.h"
#include "base/parallel.h"
#include "base/registry.h"
#include "ground/walkable_space.h"

namespace throng::steering {

/// The attached columns of StepInput::line_x, line_y, line_room.
inline constexpr std::string_view kLineX = "line.x", kLineY = "line.y", kLineRoom = "line.room", kLineWay = "line.way";

/// The frozen state that every kernel reads.
struct StepInput {
  const agents::Crowd& crowd;
  const agents::NeighbourIndex& neighbours;
  std::span<const ground::Floor> floors;
  float dt = 0.1f;
  std::uint64_t step = 0;
  // Columns that only some models and layers have.
  const float *memory_x = nullptr, *memory_y = nullptr;           ///< what a model keeps of people; zero at first
  const float *walking_time = nullptr, *expected_time = nullptr;  ///< s, on the way to the current goal (Stream)
  /// Of the lines that people do not walk over (see KeepSide): the unit vector from the line to the person, 0 for who
  /// has none, and how far (m) the line is from the person's body.
  const float *line_x = nullptr, *line_y = nullptr, *line_room = nullptr;
  /// And on which way, in their own half of it: those who come along the way with the last bit turned pass on the other
  /// side of the line. 0: on none.
  const std::uint32_t* way = nullptr;
  const float* prepared = nullptr;  ///< what the model's Preparation made of everybody, for models that have one
};

/// Where a kernel writes: one velocity per crowd row, and what it keeps of the people it steers (null: nothing is
/// kept).
struct VelocityOutput {
  float* vx;
  float* vy;
  float* memory_x = nullptr;
  float* memory_y = nullptr;
};

/// Computes new velocities for the people in `slots` (cell order; a part of those who share one profile) from the
/// model's parameters in table order. May be called for several parts at once.
using Kernel = std::function<void(const StepInput& input, std::span<const float> parameters,
                                  std::span<const std::uint32_t> slots, VelocityOutput out)>;

/// What a model works out once for everybody and step because all who see somebody need it. Called for stretches of
/// slots, maybe several at once, before anybody is steered. A kernel that gets none works it out by itself.
struct Preparation {
  std::size_t floats = 0;  ///< for every slot of the index
  /// Writes what belongs to slots [begin, end) into memory of `floats` times the slots of the index.
  std::function<void(const StepInput& input, std::size_t begin, std::size_t end, float* to)> prepare;
};

/// People who are steered with the same parameters.
struct Group {
  std::span<const float> parameters;
  std::span<const std::uint32_t> slots;
};

/// Computes the velocities of everybody whom a model steers, all profiles in one call: for models in which people
/// decide one after another within a step, in an order that has nothing to do with profiles (turns.h).
using InTurn = std::function<void(const StepInput& input, std::span<const Group> groups, const base::Threads& threads,
                                  VelocityOutput out)>;

struct Parts;

struct Model {
  ModelInfo info;
  Kernel kernel;
  /// Largest distance at which it asks for neighbours (0: none), given its parameters.
  std::function<float(std::span<const float> parameters)> range;
  /// How many people make a piece of work for a thread: few where one person takes long.
  std::size_t piece = 512;
  /// Does it keep something of people from step to step?
  bool keeps = false;
  /// How it takes a step in parts (parts.h); null: it takes it at once. Such a model keeps something of people, and its
  /// kernel is for steps that are short enough.
  const Parts* parts = nullptr;
  /// Of everybody, before a step; floats is 0 where there is none. Must not depend on the parameters.
  Preparation preparation = {};
  /// In place of the kernel, where people take turns; null: they do not. The kernel is for one profile alone.
  InTurn in_turn = {};
};

/// The built-in ones in the order in which the documentation lists them, then those of programs.
base::Registry<Model>& models();
/// Null for an unknown name.
const Model* findModel(std::string_view name);

}  // namespace throng::steering
