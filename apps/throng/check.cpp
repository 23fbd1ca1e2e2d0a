// throng check: everything that is wrong with a scene, where, and what is allowed.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

#include "throng/throng.h"

#include "report.h"
#include "terminal.h"
#include "verbs.h"

namespace throng::app {
namespace {

std::string plural(std::size_t n, const char* word) {
  return fmt::format("{} {}{}", grouped(n), word, n == 1 ? "" : "s");
}

std::string contents(const Scene& scene, std::size_t people) {
  std::size_t obstacles = 0, corners = 0;
  for (const Layer& layer : scene.layers) {
    obstacles += layer.obstacles.size() + layer.walls.size();
    for (const auto* list : {&layer.walkable, &layer.obstacles})
      for (const Polygon& polygon : *list) {
        corners += polygon.outer.size();
        for (const Ring& hole : polygon.holes) corners += hole.size();
      }
  }
  return fmt::format("{}, {} with {}, {}, {}, {} at the start", plural(scene.layers.size(), "layer"),
                     plural(obstacles, "obstacle"), plural(corners, "corner"), plural(scene.profiles.size(), "profile"),
                     plural(scene.populations.size(), "population"),
                     people == 1 ? "1 person" : grouped(people) + " people");
}

/// "; regions: grass (120 m²), road (80 m²)", or nothing.
std::string regionsText(const Scene& scene) {
  std::string text;
  for (const RegionArea& region : regionAreas(scene))
    text += fmt::format("{}{} ({:.0f} m²)", text.empty() ? "; regions: " : ", ", printable(region.type), region.area);
  return text;
}

void check(const std::string& path, bool json, bool strict) {
  Working working("reading " + path, !json);
  SceneCheck found = checkScene(path);
  std::size_t people = 0;
  const auto add = [&](std::vector<Diagnostic> more) {
    locateInFile(path, more);
    found.diagnostics.insert(found.diagnostics.end(), more.begin(), more.end());
  };
  if (found.scene) {
    try {
      working.now("making the map of " + path);
      const World world(*found.scene, {.threads = 1});  // everybody must find a place
      people = world.frame().size();
      add(world.unreachableGoals());
    } catch (const InputError& e) {
      add(e.diagnostics());
    }
  }
  working.finish();
  const auto errors = static_cast<std::size_t>(
      std::count_if(found.diagnostics.begin(), found.diagnostics.end(),
                    [](const Diagnostic& d) { return d.severity == Diagnostic::Severity::kError; }));
  const std::size_t warnings = found.diagnostics.size() - errors;
  const bool good = errors == 0 && !(strict && warnings > 0);
  if (json) {
    nlohmann::ordered_json out{{"file", path}, {"valid", errors == 0}, {"errors", errors}, {"warnings", warnings}};
    if (errors == 0) {
      out["people"] = people;
      for (const RegionArea& region : regionAreas(*found.scene)) out["regions"][region.type] = region.area;
    }
    out["diagnostics"] = nlohmann::ordered_json::array();
    for (const Diagnostic& d : found.diagnostics) out["diagnostics"].push_back(toJson(d));
    sayJson(out);
  } else {
    printDiagnostics(found.diagnostics);
    if (errors == 0) {
      say(fmt::format("{}: valid{}: {}\n", printable(path),
                      warnings ? fmt::format(", with {}", plural(warnings, "warning")) : "",
                      contents(*found.scene, people) + regionsText(*found.scene)));
    } else {
      say(fmt::format("{}: {}{}\n", printable(path), plural(errors, "error"),
                      warnings ? fmt::format(", {}", plural(warnings, "warning")) : ""));
    }
  }
  if (!good) throw ExitCode{kBadInput};
}

}  // namespace

void addCheck(CLI::App& app) {
  struct Options {
    std::vector<std::string> scenes;
    bool json = false, strict = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* verb = app.add_subcommand("check", "Say what is wrong with a scene, where, and what is allowed");
  verb->footer(
      "Reads the scene, its geometry and the files it names, places everybody who is there at the start, and looks\n"
      "whether a way leads to every goal.\n"
      "Exit code 0: valid, perhaps with warnings; 2: not valid (or, with --strict, warned of).");
  verb->add_option("scene", options->scenes, "Scene file, or several")->required();
  verb->add_flag("--json", options->json, "Print the findings as JSON");
  verb->add_flag("--strict", options->strict, "Warnings count as errors");
  verb->callback([options] {
    int worst = 0;
    for (const std::string& scene : options->scenes) {
      try {
        check(scene, options->json, options->strict);
      } catch (const ExitCode& end) {
        worst = std::max(worst, end.value);
      }
    }
    if (worst != 0) throw ExitCode{worst};
  });
}

}  // namespace throng::app
