// throng studio: a scene alive in the browser.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
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

namespace fs = std::filesystem;

struct StudioOptions {
  std::vector<std::string> files;
  std::string listen = "127.0.0.1";
  std::vector<std::string> hosts;
  std::uint16_t port = 0;
  int threads = 0;
  bool no_browser = false, paused = false, keep_address = false;
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

/// Where what lasts from one start to the next is kept; empty: nowhere.
std::string cacheFolder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  if (cache != nullptr && *cache == '/') return std::string(cache) + "/throng";
  return home != nullptr && *home == '/' ? std::string(home) + "/.cache/throng" : "";
}

/// Where the start page looks: here, and where the scenes that come with the program are.
std::vector<std::string> sceneFolders() {
  std::vector<std::string> folders;
  std::error_code error;
  const auto add = [&](const fs::path& folder) {
    const std::string path = fs::weakly_canonical(folder, error).string();
    if (fs::is_directory(path, error) && std::find(folders.begin(), folders.end(), path) == folders.end())
      folders.push_back(path);
  };
  for (const char* folder : {"scenes", ".", "out"}) add(folder);
  fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (int i = 0; i < 5 && !program.empty(); ++i, program = program.parent_path())
    if (fs::is_directory(program / "scenes", error)) {
      add(program / "scenes");
      break;
    }
  return folders;
}

/// Recordings may be shown beside one another; a scene is shown alone.
bool areRecordings(const std::vector<std::string>& files) {
  if (files.empty()) return false;
  std::size_t scenes = 0;
  for (const std::string& file : files) scenes += fs::path(file).extension() == ".json" ? 1 : 0;
  if (scenes == 0) return true;
  if (files.size() > 1)
    throw InputError(fmt::format("{} and {}: one scene is shown at a time; two recordings can be shown side by side",
                                 files[0], files[1]));
  return false;
}

/// Interrupts are caught before there is a studio, as its folder must go again and its address may be used at once, but
/// not before the scene is read, which one may want to end.
Studio makeStudio(const std::vector<std::string>& files, StudioSettings settings) {
  const bool recordings = areRecordings(files);
  if (files.empty() || recordings) catchInterrupts();
  if (files.empty()) return Studio(settings);
  Working working("reading " + files[0]);
  if (recordings) return {files, settings};
  settings.file = files[0];
  std::vector<Diagnostic> warnings;
  const Scene scene = loadScene(files[0], &warnings);
  working.finish();
  printDiagnostics(warnings);
  catchInterrupts();
  return {scene, settings};
}

void studio(const StudioOptions& options) {
  StudioSettings settings{.listen = options.listen,
                          .port = options.port,
                          .hosts = options.hosts,
                          .file = {},
                          .files = studioPage(),
                          .threads = options.threads,
                          .playing = !options.paused,
                          .folders = sceneFolders(),
                          .cache = cacheFolder(),
                          .keep_address = options.keep_address};
  if (settings.files.empty())
    throw InputError(
        "this program was built without the studio's page, which takes npm and the network: install nodejs and npm, "
        "then build again (`./throng studio` does both)");
  Studio shown = makeStudio(options.files, settings);
  say(fmt::format("{}\n", shown.address()));
  finishOutput();
  Browser browser;
  if (!options.no_browser) browser.open(shown.address());
  shown.run(interrupted);
  browser.finish();
}

}  // namespace

void addStudio(CLI::App& app) {
  auto options = std::make_shared<StudioOptions>();
  CLI::App* verb = app.add_subcommand("studio", "Watch a scene in the browser while it runs, or a recording again");
  verb->footer(
      "Examples:\n"
      "  throng studio scenes/city.json\n"
      "  throng studio                            # a page to choose from\n"
      "  throng studio out/crossing.sqlite        # a recording, to and fro\n"
      "  throng studio before.sqlite after.sqlite # two, side by side\n"
      "  throng studio scenes/doors.json --port 8080 --no-browser\n"
      "Prints the address to open; whoever knows it may look in. Only this machine can connect, unless --listen says\n"
      "otherwise. Ctrl-C ends it.");
  verb->add_option("file", options->files,
                   "Scene file (docs/scene-format.md), a recording, or two of them; none: a page to choose from")
      ->expected(0, 2);
  verb->add_option("--port", options->port, "Port; 0 for any that is free");
  verb->add_option("--listen", options->listen,
                   "Address to listen on, instead of 127.0.0.1; 0.0.0.0 for all. Other machines can connect then, and\n"
                   "what is sent is not encrypted");
  verb->add_option("--host", options->hosts,
                   "A name by which browsers may call this machine, besides localhost; may be given several times");
  verb->add_option("--threads", options->threads, "Threads of the simulation; 0 for all cores")
      ->check(CLI::Range(0, 1024));
  verb->add_flag("--paused", options->paused, "Wait with the first step until somebody presses play");
  verb->add_flag("--keep-address", options->keep_address,
                 "The same port and token as the last time with this option, so that pages that are open come back.\n"
                 "They are kept in a file that only you can read (docs/studio.md)");
  verb->add_flag("--no-browser", options->no_browser, "Do not open a browser");
  verb->callback([options] { studio(*options); });
}

}  // namespace throng::app
