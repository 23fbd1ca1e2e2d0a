#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <new>
#include <sstream>

#include "throng/base.h"
#include "throng/text.h"

#include "command_line.h"
#include "terminal.h"
#include "verbs.h"

namespace {

using namespace throng::app;

constexpr const char* kAbout = R"(Throng populates virtual worlds with people.

  ./throng run scenes/crossing.json      simulate a scene, record it, draw it, sum it up
  ./throng studio scenes/city.json       see a scene alive in the browser, and design it
  ./throng check my-scene.json           what is wrong with a scene, where, and what is allowed
  ./throng import model.glb -o my.json   make a scene from a three-dimensional model
  ./throng draw out/crossing.sqlite -o crossing.mp4
  ./throng plan scenes/city-plan.json --from 5,3 --to 450,497
  ./throng test                          build and run the tests

'./throng VERB --help' explains a verb; docs/index.md is the guide.)";

/// The exit code when nothing else went wrong: 2 when what the verb said did not reach standard output.
int finished(int code) {
  try {
    finishOutput();
    return code;
  } catch (const throng::FileError& error) {
    warn(fmt::format("throng: {}\n", error.what()));
    return code == 0 ? kBadInput : code;
  }
}

/// Lines stay lines; nothing else of an error's text may move the cursor.
std::string shown(std::string_view text) {
  std::string lines;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines += (at > 0 ? "\n" : "") + throng::printable(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

int fail(int code, std::string_view why) {
  warn(fmt::format("throng: {}\n", shown(why)));
  return finished(code);
}

/// The verb that was asked for, or the last one: its help says what is allowed.
std::string helpOf(const CLI::App& app) {
  const auto verbs = app.get_subcommands();
  return verbs.empty() ? "throng" : "throng " + verbs.back()->get_name();
}

int runVerb(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    return finished(0);
  } catch (const ExitCode& end) {
    return finished(end.value);
  } catch (const CLI::Success& e) {  // --help, --version
    std::ostringstream text, nothing;
    const int code = app.exit(e, text, nothing);
    say(text.str());
    return finished(code);
  } catch (const CLI::ParseError& e) {
    return fail(kBadInput, fmt::format("{}\nRun '{} --help' for what is allowed.",
                                       whatIsWrong(app, e.what(), argc, argv), helpOf(app)));
  } catch (const throng::Error& e) {
    return fail(kBadInput, withRemedy(e));
  } catch (const std::filesystem::filesystem_error& e) {
    return fail(kBadInput, fmt::format("{}: {}", e.path1().string(), e.code().message()));
  } catch (const std::bad_alloc&) {
    return fail(kBadInput, "there is not enough memory for this");
  } catch (const std::exception& e) {
    return fail(1, fmt::format("{} (this is a defect of the program, not of your input)", e.what()));
  }
}

}  // namespace

int main(int argc, char** argv) {
  occupyStandardFiles();
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on the size of files is an error like a full disk
  CLI::App app{kAbout, "throng"};
  app.set_version_flag("--version", THRONG_VERSION);
  app.require_subcommand(1);
  addRun(app);
  addStudio(app);
  addImport(app);
  addCheck(app);
  addDraw(app);
  addPlan(app);
  addExport(app);
  addPatch(app);
  addBench(app);
  addPaper(app);
  addValidate(app);
  app.add_subcommand("test", "Build and run the tests (the script ./throng does this; see CONTRIBUTING.md)")
      ->callback([] {
        warn("throng: 'test' is run by the script ./throng in the source tree.\n");
        throw ExitCode{kBadInput};
      });

  guardNumbers(app);
  return runVerb(app, argc, argv);
}
