#include "agents/crowd.h"

#include <algorithm>
#include <cassert>
#include <type_traits>

#include "base/archive.h"

namespace throng::agents {
namespace {

constexpr std::uint64_t kMostAttached = 1024;

}  // namespace

template <class Self, class F>
void Crowd::forEachCoreColumn(Self& self, F&& f) {
  f(self.x), f(self.y), f(self.vx), f(self.vy), f(self.heading_x), f(self.heading_y), f(self.z), f(self.radius);
  f(self.facing_x), f(self.facing_y);
  f(self.preferred_speed), f(self.max_speed), f(self.preferred_vx), f(self.preferred_vy), f(self.next_vx);
  f(self.next_vy), f(self.goal_x), f(self.goal_y), f(self.target_x), f(self.target_y), f(self.route_start);
  f(self.route_count), f(self.goal), f(self.journey), f(self.returning), f(self.activity), f(self.profile);
  f(self.population), f(self.layer), f(self.person), f(self.id), f(self.random), f(self.start_x), f(self.start_y);
  f(self.start_layer), f(self.goal_layer), f(self.route_state), f(self.lost), f(self.preference);
}

template <class Self, class F>
void Crowd::forEachColumn(Self& self, F&& f) {
  forEachCoreColumn(self, f);
  f(self.guide);
  for (auto& column : self.attached_) std::visit(f, column.values);
}

AgentId Crowd::add(const PersonState& p) {
  const auto r = static_cast<std::uint32_t>(size());
  forEachColumn(*this, [](auto& column) { column.push_back({}); });
  x[r] = target_x[r] = start_x[r] = goal_x[r] = p.position.x;
  y[r] = target_y[r] = start_y[r] = goal_y[r] = p.position.y;
  vx[r] = p.velocity.x, vy[r] = p.velocity.y;
  face(r, p.heading);
  z[r] = p.z;
  radius[r] = p.radius;
  preferred_speed[r] = p.preferred_speed, max_speed[r] = p.max_speed;
  profile[r] = p.profile, population[r] = p.population;
  layer[r] = start_layer[r] = goal_layer[r] = p.layer;
  journey[r] = p.journey;
  person[r] = p.person;
  random[r] = p.random;
  preference[r] = p.preference;
  activity[r] = Activity::kStaying;

  if (free_handles_.empty()) {
    handles_.push_back({r, 1});
    id[r] = AgentId(static_cast<std::uint32_t>(handles_.size() - 1), 1);
  } else {
    const std::uint32_t index = free_handles_.back();
    free_handles_.pop_back();
    handles_[index].row = r;
    id[r] = AgentId(index, handles_[index].generation);
  }
  const AgentId added = id[r];
  toFull(r);
  return added;
}

void Crowd::remove(AgentId who) {
  if (row(who) < full_) toLow(row(who));
  const std::uint32_t r = row(who);
  const std::size_t last = size() - 1;
  handles_[id[last].index()].row = r;
  forEachColumn(*this, [&](auto& column) {
    column[r] = column[last];
    column.pop_back();
  });
  ++handles_[who.index()].generation;
  free_handles_.push_back(who.index());
}

bool Crowd::contains(AgentId who) const {
  return who && who.index() < handles_.size() && handles_[who.index()].generation == who.generation() &&
         handles_[who.index()].row < size() && id[handles_[who.index()].row] == who;
}

std::uint32_t Crowd::row(AgentId who) const {
  assert(contains(who));
  return handles_[who.index()].row;
}

void Crowd::swapRows(std::uint32_t a, std::uint32_t b) {
  forEachColumn(*this, [&](auto& column) { std::swap(column[a], column[b]); });
  handles_[id[a].index()].row = a;
  handles_[id[b].index()].row = b;
}

void Crowd::toFull(std::uint32_t r) {
  assert(r >= full_);
  if (r != full_) swapRows(r, static_cast<std::uint32_t>(full_));
  ++full_;
}

void Crowd::toLow(std::uint32_t r) {
  assert(r < full_);
  --full_;
  if (r != full_) swapRows(r, static_cast<std::uint32_t>(full_));
}

void Crowd::reorder(std::span<const std::uint32_t> order) {
  assert(order.size() <= size());
  forEachColumn(*this, [&](auto& column) {
    using Values = std::remove_reference_t<decltype(column)>;
    thread_local Values sorted;  // a column's memory becomes the next one's
    // Columns that have just grown hold up to twice what they need.
    if (sorted.capacity() > order.size() + order.size() / 8 + 64) Values().swap(sorted);
    sorted.resize(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) sorted[i] = column[order[i]];
    if (order.size() == column.size()) {
      column.swap(sorted);
    } else {
      std::copy(sorted.begin(), sorted.end(), column.begin());
    }
  });
  for (std::uint32_t r = 0; r < order.size(); ++r) handles_[id[r].index()].row = r;
}

void Crowd::forget(std::uint32_t r) {
  for (Attached& attached : attached_)
    if (attached.keep == Keep::kCache) std::visit([r](auto& column) { column[r] = 0; }, attached.values);
}

Frame Crowd::frame(double time, std::uint64_t step) const {
  Frame f;
  f.time = time;
  f.index = step;
  f.person = person;
  f.x = x, f.y = y, f.z = z;
  if (const auto* slopes = find<float>(kSlope)) f.slope = *slopes;
  f.heading_x = facing_x, f.heading_y = facing_y;
  f.radius = radius;
  f.population = population;
  f.layer = layer;
  f.velocity_x = vx, f.velocity_y = vy;
  f.activity = activity;
  return f;
}

void Crowd::hash(base::Hash& h) const {
  const auto add = [&](const auto& column) {
    using T = typename std::remove_cvref_t<decltype(column)>::value_type;
    h.add(std::span<const T>(column));
  };
  forEachCoreColumn(*this, add);
  for (const Attached& attached : attached_)
    std::visit(
        [&](const auto& column) {
          if (attached.keep == Keep::kState &&
              std::any_of(column.begin(), column.end(), [](auto value) { return value != 0; }))
            add(column);
        },
        attached.values);
}

std::size_t Crowd::memory() const {
  std::size_t bytes = handles_.capacity() * sizeof(Handle) + free_handles_.capacity() * sizeof(std::uint32_t);
  forEachColumn(*this, [&](const auto& column) { bytes += column.capacity() * sizeof(column[0]); });
  return bytes;
}

void Crowd::save(std::vector<std::byte>& bytes) const {
  base::ArchiveWriter writer;
  forEachCoreColumn(*this, [&](const auto& column) { writer.numbers(column); });
  writer.numbers(guide);
  std::uint64_t full = full_, count = 0;
  for (const Attached& attached : attached_) count += attached.keep == Keep::kState;
  writer(full), writer(count);
  for (const Attached& attached : attached_) {
    if (attached.keep == Keep::kCache) continue;
    std::string name = attached.name;
    auto type = static_cast<std::uint8_t>(attached.values.index());
    writer(name), writer(type);
    std::visit([&](const auto& column) { writer.numbers(column); }, attached.values);
  }
  writer.numbers(handles_);
  writer.numbers(free_handles_);
  const auto written = std::as_bytes(std::span(writer.bytes()));
  bytes.insert(bytes.end(), written.begin(), written.end());
}

void Crowd::load(std::span<const std::byte>& bytes) {
  Crowd loaded;
  base::ArchiveReader reader({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, "snapshot", false);
  forEachCoreColumn(loaded, [&](auto& column) { reader.numbers(column); });
  reader.numbers(loaded.guide);
  std::uint64_t full = 0, count = 0;
  reader(full), reader(count);
  if (count > kMostAttached) reader.fail("more columns than anybody attaches");
  for (std::uint64_t i = 0; i < count; ++i) {
    std::string name;
    std::uint8_t type = 0;
    reader(name), reader(type);
    Attached attached{std::move(name), {}, Keep::kState};
    switch (type) {
      case 0:
        attached.values.emplace<0>();
        break;
      case 1:
        attached.values.emplace<1>();
        break;
      case 2:
        attached.values.emplace<2>();
        break;
      case 3:
        attached.values.emplace<3>();
        break;
      default:
        reader.fail("a column of numbers of no known kind");
    }
    std::visit([&](auto& column) { reader.numbers(column); }, attached.values);
    loaded.attached_.push_back(std::move(attached));
  }
  reader.numbers(loaded.handles_);
  reader.numbers(loaded.free_handles_);
  const std::size_t n = loaded.size();
  bool sound = loaded.handles_.size() == n + loaded.free_handles_.size();
  forEachColumn(loaded, [&](const auto& column) { sound = sound && column.size() == n; });
  for (std::uint32_t r = 0; sound && r < n; ++r) sound = loaded.contains(loaded.id[r]) && loaded.row(loaded.id[r]) == r;
  sound = sound && full <= n;
  for (const Guide led_by : loaded.guide) sound = sound && led_by <= Guide::kWalk;
  for (const std::uint32_t h : loaded.free_handles_) sound = sound && h < loaded.handles_.size();
  if (!sound) reader.fail("people who do not fit together");
  loaded.full_ = static_cast<std::size_t>(full);
  *this = std::move(loaded);
  bytes = bytes.last(reader.left());
}

}  // namespace throng::agents
