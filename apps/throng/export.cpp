// throng export: from one recording format to another.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

#include "throng/import.h"
#include "throng/recording.h"

#include "terminal.h"
#include "verbs.h"

namespace throng::app {
namespace {

namespace fs = std::filesystem;

/// The three-dimensional model of a scene, from its file or its generator.
std::size_t exportMesh(const std::string& from, const std::string& to, bool force) {
  if (!force && fs::exists(to)) throw FileError(to + ": exists already; use --force to replace it");
  const Working working("reading " + from);
  const Scene scene = loadScene(from);
  if (!scene.mesh) throw InputError(from + ": the scene has no mesh; only scenes made from one can be exported as one");
  saveMesh(*scene.mesh->mesh, to);
  return scene.mesh->mesh->triangles.size();
}

}  // namespace

void addExport(CLI::App& app) {
  struct Options {
    std::string from, to;
    bool force = false, json = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* verb =
      app.add_subcommand("export", "Convert a recording to another format, or a scene's model to glTF or OBJ");
  verb->footer(
      "The formats follow the names: .sqlite (JuPedSim), .txt (PeTrack), .h5 (Jülich HDF5), .csv. Reads what JuPedSim\n"
      "and PeTrack write, too (docs/recording-formats.md).\n"
      "A scene that has a model, from a file or a generator, is exported as .glb, .gltf or .obj (docs/import.md).\n"
      "Examples:\n"
      "  throng export out/crossing.sqlite crossing.txt\n"
      "  throng export scenes/city.json town.glb");
  verb->add_option("from", options->from, "Recording, or scene (.json), to read")->required();
  verb->add_option("to", options->to, "Recording, or model, to write")->required();
  verb->add_flag("--force", options->force, "Replace an existing file");
  verb->add_flag("--json", options->json, "Print the result as JSON");
  verb->callback([options] {
    const bool mesh = fs::path(options->from).extension() == ".json";
    const char* what = mesh ? "triangles" : "frames";
    Working working("converting " + options->from, !mesh && !options->json);
    const std::uint64_t count = mesh ? exportMesh(options->from, options->to, options->force)
                                     : convertRecording(options->from, options->to, options->force);
    working.finish();
    if (options->json) {
      const nlohmann::ordered_json out{{"from", options->from},
                                       {"to", options->to},
                                       {what, count},
                                       {"bytes", std::filesystem::file_size(options->to)}};
      fmt::print("{}\n", out.dump(2));
    } else {
      fmt::print("{}: {} {}, {} bytes\n", options->to, grouped(count), what,
                 grouped(std::filesystem::file_size(options->to)));
    }
  });
}

}  // namespace throng::app
