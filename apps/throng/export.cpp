// throng export: from one recording format to another.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

#include "throng/import.h"
#include "throng/recording.h"
#include "throng/text.h"

#include "outputs.h"
#include "terminal.h"
#include "verbs.h"

namespace throng::app {
namespace {

namespace fs = std::filesystem;

/// The three-dimensional model of a scene, from its file or its generator.
std::size_t exportMesh(const std::string& from, const std::string& to) {
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
    Outputs outputs(options->force);
    outputs.reads("the input", options->from);
    if (mesh) checkMeshName(options->to);
    if (!mesh) recordingFormat(options->to);
    outputs.writes("the output", options->to, false);
    // An OBJ file has its materials beside it.
    if (fs::path(options->to).extension() == ".obj")
      outputs.writes("the materials", fs::path(options->to).replace_extension(".mtl").string(), false);
    Working working("converting " + options->from, !mesh && !options->json);
    const std::uint64_t count =
        mesh ? exportMesh(options->from, options->to) : convertRecording(options->from, options->to, options->force);
    working.finish();
    std::error_code unknown;  // of a pipe
    const std::uint64_t bytes = fs::is_regular_file(options->to, unknown) ? fs::file_size(options->to, unknown) : 0;
    if (options->json) {
      const nlohmann::ordered_json out{{"from", options->from}, {"to", options->to}, {what, count}, {"bytes", bytes}};
      sayJson(out);
    } else {
      say(fmt::format("{}: {} {}, {} bytes\n", printable(options->to), grouped(count), what, grouped(bytes)));
    }
  });
}

}  // namespace throng::app
