// A scene as the page needs it: floors, walls, doors and what they are called; a mesh as bytes.
#pragma once

#include <optional>
#include <string>

#include "throng/scene.h"
#include "throng/views.h"

#include "serve/frame_codec.h"

namespace throng::serve {

/// `{"type":"scene", …}`
std::string sceneMessage(const Scene& scene, const std::string& file, const std::vector<std::string>& overlays,
                         bool same_mesh = false);
/// MessageKind::kMesh: vertices, triangles and their materials, whose colours are in the scene's message.
std::optional<std::string> meshMessage(const Scene& scene);
/// `{"type":"overlay", …}`: lines, areas and dots, with colours and heights above datum. `name` as it was asked for.
std::string overlayMessage(const std::string& name, const Overlay& overlay, const Scene& scene);
/// Where people are, when nobody has walked yet.
Box sceneBox(const Scene& scene);

}  // namespace throng::serve
