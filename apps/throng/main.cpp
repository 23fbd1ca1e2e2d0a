#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <fmt/format.h>

#include "throng/base.h"

#include "verbs.h"

namespace {

constexpr const char* kAbout = R"(Throng populates virtual worlds with people.

  ./throng run scenes/crossing.json      simulate a scene, record it, draw it, sum it up
  ./throng check my-scene.json           what is wrong with a scene, where, and what is allowed
  ./throng import model.glb -o my.json   make a scene from a three-dimensional model
  ./throng draw out/crossing.sqlite -o crossing.mp4
  ./throng plan scenes/city-plan.json --from 5,3 --to 450,497
  ./throng test                          build and run the tests

'./throng VERB --help' explains a verb; docs/index.md is the guide.)";

}  // namespace

int main(int argc, char** argv) {
  using namespace throng::app;
  CLI::App app{kAbout, "throng"};
  app.set_version_flag("--version", THRONG_VERSION);
  app.require_subcommand(1);
  app.failure_message([](const CLI::App* at, const CLI::Error& e) {
    return fmt::format("throng: {}\nRun '{} --help' for what is allowed.\n", e.what(),
                       at->get_parent() ? "throng " + at->get_name() : "throng");
  });
  addRun(app);
  addImport(app);
  addCheck(app);
  addDraw(app);
  addPlan(app);
  addExport(app);
  addBench(app);
  addPaper(app);
  app.add_subcommand("test", "Build and run the tests (the script ./throng does this; see CONTRIBUTING.md)")
      ->callback([] {
        fmt::print(stderr, "throng: 'test' is run by the script ./throng in the source tree.\n");
        throw ExitCode{kBadInput};
      });

  try {
    app.parse(argc, argv);
    return 0;
  } catch (const ExitCode& end) {
    return end.value;
  } catch (const CLI::Success& e) {
    return app.exit(e);  // --help, --version
  } catch (const CLI::ParseError& e) {
    app.exit(e);
    return kBadInput;
  } catch (const throng::Error& e) {
    fmt::print(stderr, "throng: {}\n", e.what());
    return kBadInput;
  } catch (const std::exception& e) {
    fmt::print(stderr, "throng: {} (this is a defect of the program, not of your input)\n", e.what());
    return 1;
  }
}
