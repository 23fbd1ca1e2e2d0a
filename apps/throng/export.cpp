// throng export: from one recording format to another.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

#include "throng/recording.h"

#include "terminal.h"
#include "verbs.h"

namespace throng::app {

void addExport(CLI::App& app) {
  struct Options {
    std::string from, to;
    bool force = false, json = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* verb = app.add_subcommand("export", "Convert a recording to another format");
  verb->footer(
      "The formats follow the names: .sqlite (JuPedSim), .txt (PeTrack), .h5 (Jülich HDF5), .csv. Reads what JuPedSim\n"
      "and PeTrack write, too (docs/recording-formats.md).\n"
      "Example: throng export out/crossing.sqlite crossing.txt");
  verb->add_option("from", options->from, "Recording to read")->required();
  verb->add_option("to", options->to, "Recording to write")->required();
  verb->add_flag("--force", options->force, "Replace an existing file");
  verb->add_flag("--json", options->json, "Print the result as JSON");
  verb->callback([options] {
    const std::uint64_t frames = convertRecording(options->from, options->to, options->force);
    if (options->json) {
      const nlohmann::ordered_json out{{"from", options->from},
                                       {"to", options->to},
                                       {"frames", frames},
                                       {"bytes", std::filesystem::file_size(options->to)}};
      fmt::print("{}\n", out.dump(2));
    } else {
      fmt::print("{}: {} frames, {} bytes\n", options->to, grouped(frames),
                 grouped(std::filesystem::file_size(options->to)));
    }
  });
}

}  // namespace throng::app
