// throng studio: a scene alive in the browser.
#include <CLI/CLI.hpp>
#include <cstdlib>
#include <fmt/format.h>
#include <memory>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <utility>
#include <vector>

#include "throng/text.h"
#include "throng/throng.h"

#include "report.h"
#include "studio_page.h"
#include "terminal.h"
#include "verbs.h"

extern char** environ;

namespace throng::app {
namespace {

struct StudioOptions {
  std::string scene, listen = "127.0.0.1";
  std::vector<std::string> hosts;
  std::uint16_t port = 0;
  int threads = 0;
  bool no_browser = false, paused = false;
};

/// The browser that the desktop opens addresses with, where there is a desktop.
class Browser {
 public:
  void open(const std::string& address) {
    if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return;
    std::string program = "xdg-open", argument = address;
    std::array<char*, 3> arguments{program.data(), argument.data(), nullptr};
    if (posix_spawnp(&process_, program.c_str(), nullptr, nullptr, arguments.data(), environ) != 0) process_ = -1;
  }
  /// No more is left of it than the browser itself.
  void finish() const {
    if (process_ > 0) waitpid(process_, nullptr, WNOHANG);
  }

 private:
  pid_t process_ = -1;
};

void studio(const StudioOptions& options) {
  StudioSettings settings{.listen = options.listen,
                          .port = options.port,
                          .hosts = options.hosts,
                          .file = options.scene,
                          .files = studioPage(),
                          .threads = options.threads,
                          .playing = !options.paused};
  if (settings.files.empty())
    throw InputError(
        "this program was built without the studio's page, which takes npm and the network: install nodejs and npm, "
        "then "
        "build again (`./throng studio` does both)");
  Working working("reading " + options.scene);
  std::vector<Diagnostic> warnings;
  const Scene scene = loadScene(options.scene, &warnings);
  working.finish();
  printDiagnostics(warnings);
  Studio shown(scene, settings);
  say(fmt::format("{}\n", shown.address()));
  finishOutput();
  catchInterrupts();
  Browser browser;
  if (!options.no_browser) browser.open(shown.address());
  shown.run(interrupted);
  browser.finish();
}

}  // namespace

void addStudio(CLI::App& app) {
  auto options = std::make_shared<StudioOptions>();
  CLI::App* verb = app.add_subcommand("studio", "Watch a scene in the browser while it runs");
  verb->footer(
      "Examples:\n"
      "  throng studio scenes/city.json\n"
      "  throng studio scenes/doors.json --port 8080 --no-browser\n"
      "Prints the address to open; whoever knows it may look in. Only this machine can connect, unless --listen says\n"
      "otherwise. Ctrl-C ends it.");
  verb->add_option("scene", options->scene, "Scene file (docs/scene-format.md)")->required();
  verb->add_option("--port", options->port, "Port; 0 for any that is free");
  verb->add_option("--listen", options->listen,
                   "Address to listen on, instead of 127.0.0.1; 0.0.0.0 for all. Other machines can connect then, and\n"
                   "what is sent is not encrypted");
  verb->add_option("--host", options->hosts,
                   "A name by which browsers may call this machine, besides localhost; may be given several times");
  verb->add_option("--threads", options->threads, "Threads of the simulation; 0 for all cores")
      ->check(CLI::Range(0, 1024));
  verb->add_flag("--paused", options->paused, "Wait with the first step until somebody presses play");
  verb->add_flag("--no-browser", options->no_browser, "Do not open a browser");
  verb->callback([options] { studio(*options); });
}

}  // namespace throng::app
