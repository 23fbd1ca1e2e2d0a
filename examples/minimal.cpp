// Loads a scene, runs it to its end and prints how it went.
//   minimal scenes/crossing.json
#include <cstdio>
#include <throng/throng.h>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: minimal SCENE.json\n");
    return 2;
  }
  try {
    const throng::Scene scene = throng::loadScene(argv[1]);
    throng::World world(scene);
    throng::Metrics metrics(throng::metricsSettings(scene));

    metrics.observe(world.frame());
    while (!world.finished()) {
      world.step();
      metrics.observe(world.frame(), world.arrivals());
    }

    const throng::MetricsReport report = metrics.report();
    std::printf("%s: %llu people, %llu arrived after %.1f s\n", scene.name.c_str(),
                static_cast<unsigned long long>(report.people), static_cast<unsigned long long>(report.arrivals),
                report.time);
    std::printf("travel time: mean %.1f s, longest %.1f s\n", report.travel_time.mean, report.travel_time.max);
    std::printf("speed: mean %.2f m/s; slower than 0.5 m/s for %.2f %% of the time\n", report.speed.mean,
                100 * report.slow_share);
    std::printf("pairs that overlapped: %llu, deepest %.3f m\n",
                static_cast<unsigned long long>(report.collision_pairs), report.deepest_overlap);
    return report.people > 0 && report.time > 0 ? 0 : 1;
  } catch (const throng::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
