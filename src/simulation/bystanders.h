// What becomes of people when walls come and go: who stands where something has come is put beside it, whose route it
// cuts plans anew, and who could not get anywhere tries again when something has gone.
#pragma once

#include "goals/goals.h"
#include "step/context.h"

namespace throng::simulation {

/// Asks for places beside what has come for those who stand in it, or who touch it and have room close by. Who can be
/// put nowhere is buried. `before`: the walls without what has come.
void makeWay(step::StepContext& context, const Rectangle& box, std::uint16_t layer, const ground::Walls& before);
/// Something has gone: who was inside it walks on, or is put where there is room now.
void digOut(step::StepContext& context, std::uint16_t layer);
/// Who is inside an obstacle now.
void findBuried(step::StepContext& context);

/// Carries out what systems asked for: places, goals, new routes, levels, the order of rows.
void carryOut(step::StepContext& context, goals::Goals& goals);
/// Other goals than before.
void setGoals(step::StepContext& context, goals::Goals& goals, AgentId id, const std::vector<Goal>& others);
/// To the rows that are simulated in full, if somebody is not there yet.
void bringToFull(step::StepContext& context, std::uint32_t row);

}  // namespace throng::simulation
