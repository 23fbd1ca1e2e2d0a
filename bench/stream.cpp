#include "bench/stream.h"

#include <chrono>

#include "throng/studio.h"
#include "throng/world.h"

#include "bench/opposing_flows.h"

namespace throng::bench {
namespace {

constexpr std::size_t kPeople = 100'000;

double millisecondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

/// Everybody is in view and has moved since the frame before, which is the most there can be to say.
void addStream(const Options& options, const std::function<bool(const std::string&)>& wanted, std::vector<Row>& rows) {
  if (!wanted("stream/frame/100000") && !wanted("stream/key/100000")) return;
  if (options.progress) options.progress("stream");
  World world(opposingFlows(kPeople, "orca"), {.threads = 0});
  std::vector<double> frames, keys;
  FrameStream stream;
  stream.next(world.frame());
  for (int i = 0; i < (options.quick ? 7 : 25); ++i) {
    world.step();
    auto begin = std::chrono::steady_clock::now();
    stream.next(world.frame());
    frames.push_back(millisecondsSince(begin));
    FrameStream fresh;
    begin = std::chrono::steady_clock::now();
    fresh.next(world.frame());
    keys.push_back(millisecondsSince(begin));
  }
  for (auto* row : {&frames, &keys}) {
    const std::string name = row == &frames ? "stream/frame/100000" : "stream/key/100000";
    if (wanted(name)) rows.push_back(rowOf(name, *row, "ms"));
  }
}

}  // namespace throng::bench
