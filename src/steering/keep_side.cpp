#include "steering/keep_side.h"

#include <algorithm>
#include <cmath>

#include "steering/give_way.h"
#include "steering/people_near.h"

namespace throng::steering {
namespace {

using corridors::CorridorMap;
using corridors::CorridorMiddle;
using corridors::CorridorPlace;
using corridors::kNone;

constexpr std::size_t kPiece = 512;  // people per piece of work
constexpr float kWants = 0.1f;       // m/s: preferred speeds below this are waiting
constexpr float kWalks = 0.3f;       // m/s
constexpr float kWidest = 6;         // radii from the middle to the wall: wider corridors have room for everybody
constexpr float kBroadest = 9;       // the same for those that are nowhere as narrow as that: crowds block even these
constexpr float kCore = 1.3f;        // times the least clearance of a corridor: who is there is in it
constexpr double kRemember = 10;     // s: somebody has come the other way lately
constexpr float kBeside = 0.05f;     // m between the middle and those who walk beside it
constexpr float kOwnHalf = 0.5f;     // radii from the middle: who is so far in their half leaves the other one free
constexpr float kLook = 0.8f;        // m ahead, where people walk to
constexpr float kOut = 0.5f;         // m beyond the mouth, where those who come out may spread
constexpr float kReturning = 0.5f;   // s in which people get back to their half
constexpr float kMostAcross = 0.7f;  // share of the speed that they walk across at most
constexpr float kMerging = 0.7f;     // share of their speed at which people walk in the other half
constexpr float kBack = 0.6f;        // m back for every m aside, out of the way of others
constexpr float kEdge = 0.4f;        // m of what is before a mouth in which they do not go back
constexpr float kAtMouth = 2.5f;     // m to those who come out, for whom the way is kept free
constexpr float kFace = 1.4f;        // m to those who come, in the corridor
constexpr float kOpposite = -0.5f;   // cosine between the ways of those who come along another corridor
constexpr float kBeyondWay = 0.6f;   // share of the way out: who is on its far side goes there

}  // namespace

void KeepSide::attach(step::StepContext& context) {
  line_x_ = line_y_ = line_room_ = nullptr, way_ = line_way_ = nullptr;
  radius_ = 0;
  for (std::size_t k = 0; k < steering_.choices().size(); ++k)
    if (steering_.choices()[k].give_way)
      radius_ = std::max(radius_, static_cast<float>(context.scene.profiles[k].radius.mean));
  found_for_ = 0;
  if (!(radius_ > 0)) return;
  agents::Crowd& crowd = context.crowd;
  way_ = &crowd.attach<std::uint32_t>("side.way");
  line_x_ = &crowd.attach<float>(kLineX, agents::Keep::kCache);
  line_y_ = &crowd.attach<float>(kLineY, agents::Keep::kCache);
  line_room_ = &crowd.attach<float>(kLineRoom, agents::Keep::kCache);
  line_way_ = &crowd.attach<std::uint32_t>(kLineWay, agents::Keep::kCache);
}

/// Are there corridors?
bool KeepSide::followMap(const step::StepContext& context) {
  const CorridorMap* map = context.terrain.map();
  if (!map) return false;
  const std::uint64_t now = context.terrain.revision() + 1;
  if (found_for_ == now) return middle_.corridors() > 0;
  // A little less than what is too narrow for two, as rounding has it.
  middle_ = CorridorMiddle(*map, (2 * radius_ + kPassing) * 0.999f, kWidest * radius_, kBroadest * radius_);
  if (keeps_for_ != now || walked_.empty() || walked_.size() != middle_.corridors()) {
    walked_.assign(middle_.corridors(), {});
    std::fill(way_->begin(), way_->end(), 0u);
  }
  found_for_ = now, keeps_for_ = 0;
  for (base::Column<float>* line : {line_x_, line_y_, line_room_}) std::fill(line->begin(), line->end(), 0.0f);
  std::fill(line_way_->begin(), line_way_->end(), 0u);
  return middle_.corridors() > 0;
}

void KeepSide::findPlaces(step::StepContext& context) {
  const CorridorMap& map = *context.terrain.map();
  const agents::Crowd& crowd = context.crowd;
  const auto* cells = crowd.find<std::uint32_t>("follow.cell");
  places_.resize(crowd.full());
  context.threads.forEach(crowd.full(), kPiece, [&](std::size_t begin, std::size_t end) {
    for (auto r = static_cast<std::uint32_t>(begin); r < end; ++r) {
      places_[r] = {};
      (*line_x_)[r] = (*line_y_)[r] = (*line_room_)[r] = 0, (*line_way_)[r] = 0;
      const Vec2 preferred{crowd.preferred_vx[r], crowd.preferred_vy[r]};
      const float speed = length(preferred);
      if (speed < kWants) continue;
      const Point here{crowd.x[r], crowd.y[r]};
      const corridors::Located where = map.locate(here, crowd.layer[r], cells ? (*cells)[r] : kNone);
      if (!where) continue;
      const bool right = steering_.choices()[crowd.profile[r]].keeps_right;
      places_[r] = middle_.at(map, where, {here, preferred / speed, right, (*way_)[r]});
    }
  });
}

void KeepSide::notePassing(const step::StepContext& context) {
  const agents::Crowd& crowd = context.crowd;
  const double now = context.clock.time();
  for (std::uint32_t r = 0; r < places_.size(); ++r) {
    const CorridorPlace& place = places_[r];
    (*way_)[r] = place.way();
    // In what is before its mouth people turn this way and that.
    if (place.corridor == kNone || place.in_bend || place.clearance > kCore * middle_.leastClearance(place.corridor))
      continue;
    Walked& walked = walked_[place.corridor];
    // Who walks; who stands there only goes on standing for those who did.
    const bool walks = dot({crowd.vx[r], crowd.vy[r]}, place.ahead) > kWalks;
    if (!walks && walked.time[place.forward] < now - kRemember) continue;
    walked.time[place.forward] = now, walked.person[place.forward] = crowd.person[r];
  }
}

/// Has somebody else gone the other way where the person of a row is?
bool KeepSide::isTwoWay(const step::StepContext& context, std::uint32_t r) const {
  const CorridorPlace& place = places_[r];
  if (place.corridor == kNone || place.beyond > (place.comes_in ? CorridorMiddle::kBeforeMouth : kOut)) return false;
  const Walked& walked = walked_[place.corridor];
  return walked.time[!place.forward] >= context.clock.time() - kRemember &&
         walked.person[!place.forward] != context.crowd.person[r];
}

/// Does somebody come near who goes the other way?
bool KeepSide::isInTheWay(const step::StepContext& context, std::uint32_t slot) const {
  const agents::NeighbourIndex& index = context.neighbours;
  const CorridorPlace& own = places_[index.row()[slot]];
  bool found = false;
  forEachPersonNear(index, context.crowd, slot, own.comes_in ? kAtMouth : kFace, [&](std::uint32_t other) {
    const CorridorPlace& theirs = places_[index.row()[other]];
    if (theirs.corridor == kNone) return;
    const Vec2 to{index.x()[other] - index.x()[slot], index.y()[other] - index.y()[slot]};
    const bool in_own_half = theirs.offset > kOwnHalf * index.radius()[other];
    found |= dot(to, own.ahead) > 0 &&
             (theirs.corridor == own.corridor ? theirs.forward != own.forward
                                              : in_own_half && dot(theirs.ahead, own.ahead) < kOpposite);
  });
  return found;
}

void KeepSide::keep(step::StepContext& context, std::uint32_t slot) const {
  agents::Crowd& crowd = context.crowd;
  const std::uint32_t r = context.neighbours.row()[slot];
  const CorridorPlace& place = places_[r];
  const float radius = crowd.radius[r];
  const Vec2 preferred{crowd.preferred_vx[r], crowd.preferred_vy[r]}, here{crowd.x[r], crowd.y[r]};
  const float speed = length(preferred);
  const auto prefer = [&](Vec2 velocity) { crowd.preferred_vx[r] = velocity.x, crowd.preferred_vy[r] = velocity.y; };
  (*line_x_)[r] = place.aside.x, (*line_y_)[r] = place.aside.y;
  (*line_room_)[r] = std::max(0.0f, place.offset - radius);
  const bool in_own_half = place.offset >= kOwnHalf * radius;
  if (in_own_half) (*line_way_)[r] = place.way();

  const bool in_way_out =
      place.comes_in && place.offset < radius + kBeside && place.offset > -(place.mouth + radius + kBeside);
  if ((in_way_out || (place.beyond == 0 && !in_own_half)) && isInTheWay(context, slot)) {
    // Out of the way; beside a mouth to the nearer side.
    const bool to_own_side = !place.comes_in || place.offset > -kBeyondWay * place.mouth;
    if (!to_own_side) (*line_x_)[r] = (*line_y_)[r] = 0;
    // Where the mouth begins to matter people go on at once: back there, and on again, nobody would get aside.
    const float back =
        place.comes_in ? std::clamp((CorridorMiddle::kBeforeMouth - place.beyond) / kEdge, 0.0f, 1.0f) : 1.0f;
    prefer(normalized(place.aside * (to_own_side ? 1.0f : -1.0f) - place.ahead * (back * kBack)) * (speed * kMerging));
    return;
  }
  const float pace = speed * (place.offset < 0 && place.beyond == 0 ? kMerging : 1.0f);
  Vec2 to;
  if (middle_.ahead(place, kLook, std::max(place.offset, radius + kBeside), radius, to) &&
      !(place.comes_in && dot(to - here, preferred) < 0)) {
    prefer(normalized(to - here) * pace);
    return;
  }
  // At its end, where people turn into another corridor, and before its mouth, where the middle turns and its own side
  // would be back: not over the middle of this one.
  const float least = std::min((radius + kBeside - place.offset) / kReturning, kMostAcross * speed) * (pace / speed);
  if (dot(preferred, place.aside) >= least) return;
  prefer(place.ahead * std::sqrt(std::max(0.0f, pace * pace - least * least)) + place.aside * least);
}

void KeepSide::run(step::StepContext& context) {
  if (!(radius_ > 0) || !followMap(context)) return;
  findPlaces(context);
  notePassing(context);
  const auto slots = context.neighbours.people();
  context.threads.forEach(slots.size(), kPiece, [&](std::size_t begin, std::size_t end) {
    for (const std::uint32_t slot : slots.subspan(begin, end - begin)) {
      const std::uint32_t r = context.neighbours.row()[slot];
      if (steering_.choices()[context.crowd.profile[r]].give_way && !context.isSteeredByProgram(r) &&
          context.decides(r) && isTwoWay(context, r))
        keep(context, slot);
    }
  });
}

/// What was known of corridors that are there no more is forgotten in the next step anyway.
void KeepSide::save(const step::StepContext& context, base::ArchiveWriter& writer) const {
  std::vector<Walked> walked;
  const std::uint64_t now = context.terrain.revision() + 1;
  if (found_for_ == now || keeps_for_ == now) walked = walked_;
  writer.list(walked, base::kFields);
}

void KeepSide::load(base::ArchiveReader& reader, const step::Loading& loading) {
  loaded_.clear();
  reader.list(loaded_, base::kFields);
  for (const Walked& walked : loaded_)
    step::Loading::require(walked.time[0] <= loading.time && walked.time[1] <= loading.time,
                           "people who will have gone along a corridor");
}

void KeepSide::accept(step::StepContext& context) {
  walked_ = std::move(loaded_);
  keeps_for_ = context.terrain.revision() + 1;
  found_for_ = 0;
}

std::size_t KeepSide::memory() const {
  return middle_.memory() + walked_.capacity() * sizeof(Walked) + places_.capacity() * sizeof(CorridorPlace);
}

}  // namespace throng::steering
