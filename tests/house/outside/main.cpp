#include <cstdio>
#include <string>
#include <throng/throng.h>

int main() {
  try {
    const throng::Scene scene = throng::loadScene(std::string(SCENES) + "/crossing.json");
    throng::World world(scene);
    for (int i = 0; i < 20; ++i) world.step();
    std::printf("%zu people after %.1f s, hash %016llx\n", world.frame().size(), world.time(),
                static_cast<unsigned long long>(world.hash()));
    return world.steps() == 20 && world.frame().size() > 0 ? 0 : 1;
  } catch (const throng::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
