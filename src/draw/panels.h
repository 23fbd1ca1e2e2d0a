// Which floors a picture shows, and where on the page each of them goes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "throng/draw.h"

#include "draw/furniture.h"
#include "draw/ground.h"
#include "draw/motion.h"

namespace throng::draw {

/// What is shown of a scene: one layer, or its model with all layers on it.
struct ShownLayer {
  const Scene& scene;
  std::size_t layer = 0;  ///< kAllLayers with a model
  Ground ground;          ///< of one layer; nothing with a model
  std::shared_ptr<const Mesh> mesh = nullptr;

  /// Numbers of the layers.
  std::vector<std::size_t> layers() const;
};
/// The layer of that number, without any model.
ShownLayer oneLayer(const Scene& scene, std::size_t layer);
/// The floors of all layers shown, as one.
Ground wholeGround(const ShownLayer& shown);

/// Layers that do not lie above one another share a panel: the stairs of a building are seen beside its floors.
struct Panel {
  std::vector<ShownLayer> layers;  ///< at least one
  Rectangle place;                 ///< on the page
  std::string name;                ///< empty: none, as in scenes of one layer
  Point name_at;                   ///< its baseline
  double name_room = 0;            ///< px

  bool isModel() const { return layers[0].mesh != nullptr; }
  bool shows(std::size_t layer) const;
  std::vector<std::size_t> numbers() const;
  /// A wrapped layer has a panel of its own.
  const std::optional<Rectangle>& wrap() const { return layers[0].ground.wrap; }
  /// All its floors.
  std::vector<Ground> grounds() const;
};

/// A panel for all of the model when no layer is named and the scene has one that can be seen; else panels for the
/// layers named, for those numbered, or for all. Throws InputError when there is no layer of a name, or when an oblique
/// picture is asked for and there is no model.
std::vector<Panel> panelsFor(const Scene& scene, const DrawSettings& settings,
                             const std::vector<std::uint16_t>& numbered = {});
/// Whom to read from frames for these panels.
LayerChoice choiceOf(const std::vector<Panel>& panels);
/// The panel that shows a layer; nothing when none does.
const Panel* panelOf(const std::vector<Panel>& panels, std::size_t layer);
Moment onPanel(const Moment& moment, const Panel& panel);

/// Panels of one size lie in rows.
struct PanelGrid {
  std::size_t columns = 1, rows = 1;
};
/// The grid in which `count` panels of this shape (width by height) are largest on a square.
PanelGrid panelGrid(std::size_t count, double aspect);

/// Lays out the page and gives every panel its place; all show the same view, at the same scale. Oblique pictures fill
/// all the room there is: `view` grows.
PageLayout layoutPanels(std::vector<Panel>& panels, const Furniture& furniture, const DrawSettings& settings,
                        Rectangle& view, bool even);

/// A clip that keeps the world in its panel: exactly for a rectangle that was asked for, otherwise with a little room
/// for outlines.
Path worldClip(const Panel& panel, const PageLayout& layout, const DrawSettings& settings);
/// The panel's name, its frame where a part of the world was asked for, and its axes where they were.
void paintPanelFrame(Canvas& canvas, const Panel& panel, const PageTransform& page, const PageLayout& layout,
                     const DrawSettings& settings);

}  // namespace throng::draw
