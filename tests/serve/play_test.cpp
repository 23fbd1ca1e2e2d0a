// What is shown: recordings go to any moment and show what the run was, two go side by side; curves say what the
// metrics say; reports hold the run's figures.
#include "serve/play.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>
#include <vector>

#include "throng/metrics.h"

#include "serve/figures.h"
#include "serve/library.h"
#include "serve/workshop.h"

namespace throng::serve {
namespace {

/// A corridor of 20 m with a line across, people from both ends.
Scene corridor(std::uint64_t seed) {
  Scene scene;
  scene.name = "corridor";
  scene.layers.emplace_back();
  scene.layers[0].name = "ground";
  scene.layers[0].walkable.push_back({{{0, 0}, {20, 0}, {20, 4}, {0, 4}}, {}});
  scene.profiles.emplace_back();
  scene.run.seed = seed;
  scene.run.duration = 12;
  scene.lines.push_back({"middle", {{10, 0}, {10, 4}}, "ground"});
  for (const double from : {2.0, 18.0}) {
    Population people;
    people.name = from < 10 ? "west" : "east";
    people.profile = scene.profiles[0].name;
    people.count = 6;
    const Ring room{{from - 1.8, 0.3}, {from + 1.8, 0.3}, {from + 1.8, 3.7}, {from - 1.8, 3.7}};
    people.start.shape = StartArea{{Polygon{room, {}}}};
    people.goals.push_back({GoalPoint{{20 - from, 2}}, {}});
    scene.populations.push_back(people);
  }
  return scene;
}

std::string recorded(const PrivateFolder& folder, std::uint64_t seed) {
  const Scene scene = corridor(seed);
  const std::string path = folder.path() + "/run" + std::to_string(seed) + ".sqlite";
  World world(scene, {.threads = 1});
  Recorder recorder(path, scene);
  recorder.observe(world.frame());
  while (world.time() < 10 - 1e-6) {
    world.step();
    recorder.observe(world.frame(), world.arrivals());
  }
  recorder.close();
  return path;
}

void expectSame(const PublishedFrame& a, const PublishedFrame& b) {
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.walkers, b.walkers);
}

TEST(Play, ARecordingGoesToAnyMoment) {
  const PrivateFolder folder;
  const std::string path = recorded(folder, 3);
  const auto all = playRecordings({path});
  const Box box = all->publish(Box{}).box;
  std::vector<PublishedFrame> frames{all->publish(box)};
  while (!all->over()) {
    all->step();
    frames.push_back(all->publish(box));
  }
  ASSERT_EQ(frames.size(), 101U);
  EXPECT_NEAR(*all->span().second, 10, 1e-9);
  const auto play = playRecordings({path});
  std::uint32_t random = 1;
  for (int i = 0; i < 80; ++i) {
    random = random * 1664525u + 1013904223u;
    const std::size_t at = (random >> 8) % frames.size();
    play->seek(double(at) / 10);
    expectSame(play->publish(box), frames[at]);
    if (at + 1 == frames.size()) continue;
    play->step();
    expectSame(play->publish(box), frames[at + 1]);
  }
  play->seek(1e9);
  EXPECT_TRUE(play->over());
  play->restart();
  expectSame(play->publish(box), frames[0]);
  // At a hundred times as fast, what nobody would see is left out, and nothing else.
  EXPECT_EQ(play->leaveOut(3), 0U);
  EXPECT_EQ(play->leaveOut(50), 49U);
  play->step();
  expectSame(play->publish(box), frames[50]);
}

TEST(Play, TwoRunsSideBySide) {
  const PrivateFolder folder;
  const auto first = playRecordings({recorded(folder, 3)});
  const auto second = playRecordings({recorded(folder, 4)});
  const auto both = playRecordings({folder.path() + "/run3.sqlite", folder.path() + "/run4.sqlite"});
  for (const double time : {0.0, 7.3, 2.5, 10.0}) {
    first->seek(time), second->seek(time), both->seek(time);
    const PublishedFrame frame = both->publish(Box{});
    std::vector<Walker> expected = first->publish(frame.box).walkers;
    for (Walker w : second->publish(frame.box).walkers) {
      w.id += kSecondRun;
      expected.push_back(w);
    }
    EXPECT_EQ(frame.walkers, expected) << time;
    ASSERT_FALSE(expected.empty());
    EXPECT_TRUE(std::is_sorted(expected.begin(), expected.end(), [](auto& a, auto& b) { return a.id < b.id; }));
  }
  both->seek(2);
  EXPECT_FALSE(both->person(kSecondRun + 1).gone);
  EXPECT_TRUE(both->person(kSecondRun + 999).gone);
}

TEST(Figures, LinesAreCountedAsTheMetricsCountThem) {
  const Scene scene = corridor(5);
  World world(scene, {.threads = 1});
  Gauge gauge(scene);
  Metrics metrics(metricsSettings(scene));
  Figures figures;
  double flown = 0, before = 0;
  std::vector<Arrival> none;
  gauge.observe(world.frame());
  metrics.observe(world.frame(), none);
  while (!world.finished()) {
    world.step();
    gauge.observe(world.frame(), world.arrivals().size());
    metrics.observe(world.frame(), world.arrivals());
    if (world.steps() % 7 != 0) continue;
    figures = gauge.sample(world.frame());
    flown += figures.flow.at(0) * (figures.time - before);
    before = figures.time;
  }
  figures = gauge.sample(world.frame());
  const MetricsReport report = metrics.report();
  ASSERT_EQ(report.lines.size(), 1U);
  EXPECT_GT(report.lines[0].forward + report.lines[0].backward, 4U);
  EXPECT_EQ(figures.crossed.at(0), report.lines[0].forward + report.lines[0].backward);
  EXPECT_EQ(figures.arrived, report.arrivals);
  EXPECT_NEAR(flown, double(figures.crossed[0]), 1.01);  // what came after the last sample that was added up
}

TEST(Figures, CrowdingIsThatOfPeopleSpreadEvenly) {
  FrameCopy frame;
  frame.resize(400);
  for (std::size_t i = 0; i < 400; ++i) {
    frame.person[i] = static_cast<std::uint32_t>(i + 1);
    frame.x[i] = static_cast<float>(i % 20) + 0.5F;
    frame.y[i] = static_cast<float>(i / 20) + 0.5F;
  }
  EXPECT_NEAR(crowding(frame.view()), 1, 1e-6);
  // On two floors there are half as many around everybody.
  for (std::size_t i = 0; i < 400; i += 2) frame.layer[i] = 1;
  EXPECT_NEAR(crowding(frame.view()), 0.5, 1e-6);
  frame.clear();
  EXPECT_EQ(crowding(frame.view()), 0);
}

TEST(Figures, CurvesStayBoundedAndKeepTheirEnds) {
  Curves curves(1);
  for (int i = 0; i <= 5000; ++i) {
    if (!curves.due(i)) continue;
    curves.add({.time = double(i), .people = 1, .flow = {2}, .crossed = {}});
  }
  EXPECT_LE(curves.all().size(), Curves::kMost + 1);
  EXPECT_GT(curves.all().size(), Curves::kMost / 3);
  EXPECT_EQ(curves.all().front().time, 0);
  EXPECT_GT(curves.all().back().time, 4900);
  for (const Figures& f : curves.all()) EXPECT_EQ(f.flow[0], 2);
  EXPECT_TRUE(curves.due(3));  // another run begins
  EXPECT_TRUE(curves.all().empty());
}

TEST(Report, HoldsTheRunsFigures) {
  const PrivateFolder folder;
  const std::string html = reportHtml(recorded(folder, 3), folder.path());
  for (const char* part : {"corridor", "line middle", "<svg", "data:image/png;base64,iVBOR", "</html>"})
    EXPECT_NE(html.find(part), std::string::npos) << part;
  EXPECT_EQ(html.find("http"), std::string::npos) << "it needs nothing from elsewhere";
  EXPECT_EQ(html.find("<script"), std::string::npos);
  EXPECT_TRUE(reportHtml(folder.path() + "/run3.sqlite", folder.path(), [](double) { return false; }).empty());
}

TEST(Library, TakesOnlyFilesThatItCanOpenUnderPlainNames) {
  const PrivateFolder folder;
  Library library({}, "", folder.path());
  for (const char* bad : {"", "..", "../a.json", "a/b.json", "a\\b.json", ".a.json", "a.exe", "a", "a\n.json"})
    EXPECT_TRUE(std::holds_alternative<std::string>(library.take(bad, 1))) << bad;
  EXPECT_TRUE(std::holds_alternative<std::string>(library.take("a.json", Library::kLargestUpload + 1)));
  for (int i = 0; i < 2; ++i) {  // the same name twice: two files
    const auto place = library.take("my plan.JSON", 10);
    ASSERT_TRUE(std::holds_alternative<Library::Place>(place));
    const std::string path = std::get<Library::Place>(place).path;
    EXPECT_EQ(path.rfind(folder.path() + "/", 0), 0U);
    EXPECT_FALSE(std::filesystem::exists(path));
    std::ofstream(path) << "{}";
  }
  for (std::uint64_t left = Library::kMostUploads; left > Library::kLargestUpload; left -= Library::kLargestUpload)
    library.take("a.obj", Library::kLargestUpload);
  EXPECT_TRUE(std::holds_alternative<std::string>(library.take("a.obj", Library::kLargestUpload)));
  EXPECT_FALSE(library.find(0));
  EXPECT_FALSE(library.find(99));
}

TEST(KeptAddress, IsForThisUserAlone) {
  const PrivateFolder folder;
  EXPECT_FALSE(readAddress(folder.path()));
  keepAddress(folder.path(), {8123, std::string(32, 'a')});
  const std::string path = folder.path() + "/studio-address";
  using std::filesystem::perms;
  EXPECT_EQ(std::filesystem::status(path).permissions(), perms::owner_read | perms::owner_write);
  const auto kept = readAddress(folder.path());
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->port, 8123);
  EXPECT_EQ(kept->token, std::string(32, 'a'));
  // What others could have read is worth nothing, nor is what is no token.
  std::filesystem::permissions(path, perms::owner_read | perms::owner_write | perms::group_read);
  EXPECT_FALSE(readAddress(folder.path()));
  keepAddress(folder.path(), {8123, "short"});
  EXPECT_FALSE(readAddress(folder.path()));
  std::filesystem::remove(path);
  std::filesystem::create_symlink("/etc/hostname", path);
  EXPECT_FALSE(readAddress(folder.path()));
}

}  // namespace
}  // namespace throng::serve
