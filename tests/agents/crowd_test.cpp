#include "agents/crowd.h"

#include <gtest/gtest.h>
#include <map>
#include <numeric>

#include "base/random.h"

namespace throng::agents {
namespace {

AgentId addPerson(Crowd& crowd, std::uint32_t number) {
  PersonState state;
  state.position = {static_cast<float>(number), -static_cast<float>(number)};
  state.person = number;
  return crowd.add(state);
}

TEST(Crowd, IdsSurviveAnyOrderOfAddingRemovingAndReordering) {
  Crowd crowd;
  base::Random random(1, 2);
  std::map<std::uint32_t, AgentId> there;  // person → id
  std::vector<AgentId> gone;
  std::uint32_t next = 1;
  for (int round = 0; round < 5000; ++round) {
    const auto choice = random.below(10);
    if (choice < 6 || there.empty()) {
      there[next] = addPerson(crowd, next);
      ++next;
    } else if (choice < 9) {
      auto victim = there.begin();
      std::advance(victim, static_cast<long>(random.below(there.size())));
      crowd.remove(victim->second);
      gone.push_back(victim->second);
      there.erase(victim);
    } else {
      std::vector<std::uint32_t> order(crowd.size());
      for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
      for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
      crowd.reorder(order);
    }
  }
  ASSERT_EQ(crowd.size(), there.size());
  for (const auto& [person, id] : there) {
    ASSERT_TRUE(crowd.contains(id));
    const std::uint32_t row = crowd.row(id);
    EXPECT_EQ(crowd.person[row], person);
    EXPECT_EQ(crowd.x[row], static_cast<float>(person));
    EXPECT_EQ(crowd.id[row], id);
  }
  for (const AgentId id : gone) EXPECT_FALSE(crowd.contains(id));
  EXPECT_FALSE(crowd.contains(AgentId{}));
}

TEST(Crowd, AReusedIndexGetsANewGeneration) {
  Crowd crowd;
  const AgentId first = addPerson(crowd, 1);
  crowd.remove(first);
  const AgentId second = addPerson(crowd, 2);
  EXPECT_EQ(first.index(), second.index());
  EXPECT_NE(first.generation(), second.generation());
  EXPECT_FALSE(crowd.contains(first));
  EXPECT_TRUE(crowd.contains(second));
}

TEST(Crowd, SavesAndLoadsEveryColumn) {
  Crowd crowd;
  std::vector<AgentId> ids;
  for (std::uint32_t i = 1; i <= 20; ++i) ids.push_back(addPerson(crowd, i));
  crowd.remove(ids[3]);
  crowd.remove(ids[11]);
  crowd.goal_x[5] = 7.5f;
  crowd.goal[6] = kStartGoal;
  std::vector<std::byte> bytes;
  crowd.save(bytes);

  Crowd loaded;
  std::span<const std::byte> rest(bytes);
  loaded.load(rest);
  EXPECT_TRUE(rest.empty());
  base::Hash a, b;
  crowd.hash(a), loaded.hash(b);
  EXPECT_EQ(a.value(), b.value());
  EXPECT_EQ(addPerson(crowd, 99), addPerson(loaded, 99));  // the free handles too
}

TEST(Crowd, RefusesDamagedBytes) {
  Crowd crowd;
  for (std::uint32_t i = 1; i <= 5; ++i) addPerson(crowd, i);
  std::vector<std::byte> bytes;
  crowd.save(bytes);
  for (std::size_t cut = 0; cut < bytes.size(); cut += 13) {
    Crowd loaded;
    std::span<const std::byte> rest(bytes.data(), cut);
    EXPECT_THROW(loaded.load(rest), InputError) << cut;
    EXPECT_EQ(loaded.size(), 0u);
  }
}

TEST(Crowd, TakesAFewHundredBytesAPerson) {
  Crowd crowd;
  for (std::uint32_t i = 1; i <= 4096; ++i) addPerson(crowd, i);
  EXPECT_LE(crowd.memory() / crowd.size(), 256u);
}

/// Whatever happens to rows happens to attached columns, too; those of before the first person and later ones.
TEST(Crowd, AttachedColumnsGoWherePeopleGo) {
  base::Random random(3);
  Crowd crowd;
  crowd.attach<std::uint64_t>("number");
  const std::size_t without = Crowd().memory();
  std::map<std::uint32_t, float> weight;  // by person
  std::uint32_t next = 1;
  for (int i = 0; i < 3000; ++i) {
    switch (random.below(i < 200 ? 2 : 6)) {
      case 0:
      case 1: {
        PersonState state;
        state.person = next++;
        const AgentId id = crowd.add(state);
        crowd.attach<std::uint64_t>("number")[crowd.row(id)] = state.person;
        if (auto* column = crowd.find<float>("weight")) {
          ASSERT_EQ((*column)[crowd.row(id)], 0) << "zero for somebody new";
          (*column)[crowd.row(id)] = weight[state.person] = static_cast<float>(random.uniform(40, 100));
        }
        break;
      }
      case 2:
        if (crowd.size() > 1) {
          const auto r = static_cast<std::uint32_t>(random.below(crowd.size()));
          weight.erase(crowd.person[r]);
          crowd.remove(crowd.id[r]);
        }
        break;
      case 3:
        if (crowd.size() > 1)
          crowd.swapRows(static_cast<std::uint32_t>(random.below(crowd.size())),
                         static_cast<std::uint32_t>(random.below(crowd.size())));
        break;
      case 4: {
        std::vector<std::uint32_t> order(random.below(crowd.size() + 1));
        std::iota(order.begin(), order.end(), 0u);
        for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[random.below(k)]);
        crowd.reorder(order);
        break;
      }
      default: {
        std::vector<std::byte> bytes;
        crowd.save(bytes);
        base::Hash before, after;
        crowd.hash(before);
        std::span<const std::byte> rest = bytes;
        Crowd loaded;
        loaded.load(rest);
        ASSERT_TRUE(rest.empty());
        loaded.hash(after);
        ASSERT_EQ(before.value(), after.value());
        crowd = std::move(loaded);
      }
    }
    if (i == 300) {
      crowd.attach<float>("weight");
      EXPECT_GE(crowd.memory(), without + crowd.size() * sizeof(float));
    }
    const auto* number = crowd.find<std::uint64_t>("number");
    const auto* column = crowd.find<float>("weight");
    ASSERT_EQ(column != nullptr, i >= 300);
    for (std::uint32_t r = 0; r < crowd.size(); ++r) {
      ASSERT_EQ((*number)[r], crowd.person[r]);
      const auto known = weight.find(crowd.person[r]);
      if (column) {
        ASSERT_EQ((*column)[r], known == weight.end() ? 0 : known->second);
      }
    }
  }
  EXPECT_EQ(crowd.find<float>("height"), nullptr);
}

}  // namespace
}  // namespace throng::agents
