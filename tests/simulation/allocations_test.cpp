// Nothing on the step's path allocates once it is warm. An executable of its own: it counts the calls of operator new.
#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>
#include <new>

#include "simulation/scenes.h"
#include "simulation/world.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define THRONG_COUNTS_ALLOCATIONS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define THRONG_COUNTS_ALLOCATIONS 0
#else
#define THRONG_COUNTS_ALLOCATIONS 1
#endif
#else
#define THRONG_COUNTS_ALLOCATIONS 1
#endif

namespace {
std::atomic<std::size_t> allocations{0};
std::atomic<bool> counting{false};
}  // namespace

#if THRONG_COUNTS_ALLOCATIONS
namespace {
void* counted(std::size_t size, std::size_t alignment) {
  if (counting.load(std::memory_order_relaxed)) ++allocations;
  void* memory = alignment > 0 ? std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)
                               : std::malloc(size > 0 ? size : 1);
  if (!memory) std::abort();
  return memory;
}
}  // namespace

[[gnu::noinline]] void* operator new(std::size_t size) { return counted(size, 0); }
[[gnu::noinline]] void* operator new[](std::size_t size) { return counted(size, 0); }
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void* operator new[](std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
#endif

namespace throng::simulation {
namespace {

/// How often operator new is called in a number of steps.
std::size_t allocationsIn(World& world, int steps) {
  allocations = 0;
  counting = true;
  for (int i = 0; i < steps; ++i) world.step(0.1);
  counting = false;
  return allocations;
}

void expectNone(const Scene& scene, const char* what, int warm = 400) {
#if !THRONG_COUNTS_ALLOCATIONS
  GTEST_SKIP() << "a sanitizer counts them itself";
#endif
  for (const int threads : {1, 2}) {
    World world(scene, 1, threads);
    for (int i = 0; i < warm; ++i) world.step(0.1);
    // A thread that gets its first piece of work only now makes the room that it keeps from then on; what is allocated
    // in steps is allocated again and again.
    std::size_t count = allocationsIn(world, 200);
    for (int again = 0; again < 4 && count > 0; ++again) count = allocationsIn(world, 200);
    EXPECT_EQ(count, 0u) << what << " on " << threads << " threads";
  }
}

TEST(Allocations, AreCounted) {
#if !THRONG_COUNTS_ALLOCATIONS
  GTEST_SKIP() << "a sanitizer counts them itself";
#endif
  allocations = 0;
  counting = true;
  std::vector<int>* list = new std::vector<int>(100);
  counting = false;
  delete list;
  EXPECT_GE(allocations, 2u);
}

TEST(Allocations, NoneOnAnOpenField) {
  for (const auto& [model, people] :
       {std::pair("throng", 60u), std::pair("linear", 60u), std::pair("seek", 60u), std::pair("orca", 60u),
        std::pair("social-force", 60u), std::pair("moussaid", 60u), std::pair("karamouzas", 60u),
        std::pair("karamouzas-2010", 60u), std::pair("collision-free-speed", 60u),
        std::pair("anticipation-velocity", 60u), std::pair("power-law", 60u), std::pair("gcfm", 60u),
        std::pair("optimal-steps", 60u), std::pair("khatib", 60u), std::pair("short-term-1", 60u),
        std::pair("short-term-2", 60u), std::pair("vision", 5u), std::pair("vision-points", 60u),
        std::pair("vision-predictive", 5u)}) {
    Scene scene = emptyScene(model);
    scene.layers[0].wrap = Rectangle{{0, 0}, {30, 20}};
    const Goal east{GoalDirection{{1, 0}}}, west{GoalDirection{{-1, 0}}};
    scene.populations = {inArea(people, box(1, 1, 14, 19), {east}, "east"),
                         inArea(people, box(16, 1, 29, 19), {west}, "west")};
    expectNone(scene, model);
  }
}

/// Everybody has got a way and walks back and forth on it, so that routes are planned all the time.
TEST(Allocations, NoneOnRoutesRoundWalls) {
  Scene scene = emptyScene("orca");
  scene.profiles[0].planner.model = "corridor";
  scene.layers[0].walkable = {box(0, 0, 40, 30)};
  for (double x = 8; x < 36; x += 8)
    for (double y = 6; y < 28; y += 8) scene.layers[0].obstacles.push_back(box(x, y, x + 3, y + 3));
  Population people = inArea(50, box(1, 1, 6, 29), {toPoint({38, 15}, 3)});
  people.on_arrival = OnArrival::kGoBack;
  scene.populations = {people};
  for (const char* follower : {"irm", "miran"}) {
    scene.profiles[0].follower.model = follower;
    expectNone(scene, follower, 3000);
  }
}

}  // namespace
}  // namespace throng::simulation
