#include "draw/panels.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

#include "draw/furniture.h"
#include "draw/mesh_picture.h"
#include "geometry/polygons.h"
#include "geometry/predicates.h"
#include "scene/scene_file.h"

namespace throng::draw {
namespace {

constexpr Colour kQuietInk = colour(0x5f5f5f), kFrame = colour(0xc9c6c0);

// All in units (px on a page 1200 px wide).
constexpr double kPanelNameSize = 17, kNameRow = 30;
constexpr double kAxisSize = 14, kAxisLeft = 58, kAxisBelow = 44, kAxisAbove = 24;
constexpr double kPanelGap = 24;
constexpr double kSmallestPanel = 8;  // px

/// m² by which floors may lie above one another and still be drawn side by side: slivers at the edges of stairs.
double sliver(const ShownLayer& a, const ShownLayer& b) {
  return std::max(1e-3, 0.02 * std::min(geometry::area(a.ground.floor), geometry::area(b.ground.floor)));
}

bool overlap(const ShownLayer& a, const ShownLayer& b) {
  if (a.ground.floor.empty() || b.ground.floor.empty() || a.ground.wrap || b.ground.wrap) return true;
  const auto boxes = std::pair{geometry::bounds(a.ground.floor), geometry::bounds(b.ground.floor)};
  if (boxes.first->min.x > boxes.second->max.x || boxes.second->min.x > boxes.first->max.x ||
      boxes.first->min.y > boxes.second->max.y || boxes.second->min.y > boxes.first->max.y)
    return false;
  return geometry::area(geometry::intersection(a.ground.floor, b.ground.floor)) > sliver(a, b);
}

bool areConnected(const Scene& scene, const ShownLayer& a, const ShownLayer& b) {
  const std::string &first = scene.layers[a.layer].name, &second = scene.layers[b.layer].name;
  return std::any_of(scene.connections.begin(), scene.connections.end(), [&](const Connection& c) {
    return (c.from_layer == first && c.to_layer == second) || (c.from_layer == second && c.to_layer == first);
  });
}

/// With a layer that it is connected to, if it does not lie above or below any there; else with any other.
void addLayer(std::vector<Panel>& panels, ShownLayer shown) {
  const auto fits = [&](const Panel& panel) {
    return std::none_of(panel.layers.begin(), panel.layers.end(),
                        [&](const ShownLayer& there) { return overlap(there, shown); });
  };
  Panel* found = nullptr;
  for (Panel& panel : panels) {
    if (!fits(panel)) continue;
    const bool connected = std::any_of(panel.layers.begin(), panel.layers.end(), [&](const ShownLayer& there) {
      return areConnected(shown.scene, there, shown);
    });
    if (!found || connected) found = &panel;
    if (connected) break;
  }
  if (!found) found = &panels.emplace_back();
  found->layers.push_back(std::move(shown));
}

bool isSloped(const Scene& scene, const ShownLayer& shown) { return scene.layers[shown.layer].slope != Point{}; }

/// Floors first, then the stairs and ramps between them.
std::string nameOf(const Panel& panel, const Scene& scene) {
  std::vector<std::string> names;
  for (const bool sloped : {false, true})
    for (const ShownLayer& shown : panel.layers)
      if (isSloped(scene, shown) == sloped) names.push_back(scene.layers[shown.layer].name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::vector<std::size_t> namedLayers(const Scene& scene, const std::vector<std::string>& names) {
  std::vector<std::size_t> numbers;
  std::vector<std::string> known;
  for (const Layer& layer : scene.layers) known.push_back(layer.name);
  for (const std::string& name : names) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end())
      throw InputError(fmt::format("there is no layer \"{}\"; allowed: {}", name, fmt::join(known, ", ")));
    numbers.push_back(static_cast<std::size_t>(found - known.begin()));
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

/// px around every panel and between them.
struct Borders {
  double head = 0, left = 0, foot = 0, gap = 0;

  double widthOf(std::size_t columns, double panel) const {
    const auto n = static_cast<double>(columns);
    return n * (panel + left) + (n - 1) * gap;
  }
  double heightOf(std::size_t rows, double panel) const {
    const auto n = static_cast<double>(rows);
    return n * (panel + head + foot) + (n - 1) * gap;
  }
  /// The width of a panel of this shape, as large as the room allows.
  double panelWidth(PanelGrid grid, Point room, double aspect) const {
    const auto columns = static_cast<double>(grid.columns), rows = static_cast<double>(grid.rows);
    const double wide = (room.x - widthOf(grid.columns, 0)) / columns;
    const double high = (room.y - heightOf(grid.rows, 0)) / rows;
    return std::min(wide, high * aspect);
  }
};

PanelGrid bestGrid(std::size_t count, double aspect, Point room, const Borders& borders) {
  PanelGrid best{1, count};
  double widest = borders.panelWidth(best, room, aspect);
  for (std::size_t columns = 2; columns <= count; ++columns) {
    const PanelGrid grid{columns, (count + columns - 1) / columns};
    const double width = borders.panelWidth(grid, room, aspect);
    if (width > widest * 1.001) {
      widest = width;
      best = grid;
    }
  }
  return best;
}

Borders bordersFor(const std::vector<Panel>& panels, const DrawSettings& settings, const PageLayout& page) {
  if (!page.furnished) return {0, 0, 0, panels.size() > 1 ? 4.0 : 0.0};
  const double u = page.unit;
  const bool named = std::any_of(panels.begin(), panels.end(), [](const Panel& panel) { return !panel.name.empty(); });
  const double head = std::max(named ? kNameRow : 0, settings.axes ? kAxisAbove : 0);
  return {head * u, settings.axes ? kAxisLeft * u : 0, settings.axes ? kAxisBelow * u : 0,
          panels.size() > 1 ? kPanelGap * u : 0};
}

void place(std::vector<Panel>& panels, PanelGrid grid, const Rectangle& room, const Borders& borders, double width,
           double aspect) {
  const double height = width / aspect;
  const Point whole{borders.widthOf(grid.columns, width), borders.heightOf(grid.rows, height)};
  const Point corner = (room.min + room.max) / 2 - whole / 2;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const auto column = static_cast<double>(i % grid.columns), row = static_cast<double>(i / grid.columns);
    const Point at = corner + Point{column * (borders.left + width + borders.gap) + borders.left,
                                    row * (borders.head + height + borders.foot + borders.gap) + borders.head};
    panels[i].place = {at, at + Point{width, height}};
    panels[i].name_at = at - Point{0, 0.33 * borders.head};
    panels[i].name_room = borders.head > 0 ? width : 0;
  }
}

/// As many as have room for their words.
std::vector<double> axisTicks(double from, double to, double pixels, double unit, bool across) {
  const TextStyle style{kAxisSize * unit, kInk};
  for (int count = std::clamp(static_cast<int>(pixels / ((across ? 60 : 36) * unit)), 1, 12); count > 1; --count) {
    std::vector<double> found = ticks(from, to, count);
    double widest = 0;
    for (const double tick : found) widest = std::max(widest, textWidth(fmt::format("{:g}", tick), style));
    const double apart = found.size() > 1 ? pixels * (found[1] - found[0]) / (to - from) : pixels;
    if (apart > (across ? 1.4 * widest : 1.6 * kAxisSize * unit)) return found;
  }
  return ticks(from, to, 1);
}

void paintAxes(Canvas& canvas, const Panel& panel, const PageTransform& page, double u) {
  canvas.beginGroup("axes");
  const Rectangle& view = page.view();
  const Rectangle& place = panel.place;
  canvas.stroke(rectanglePath(place), {kQuietInk, u});
  const TextStyle below{kAxisSize * u, kInk, false, Anchor::kMiddle},
      beside{kAxisSize * u, kInk, false, Anchor::kRight};
  for (const double tick : axisTicks(view.min.x, view.max.x, place.max.x - place.min.x, u, true)) {
    const Point at{page.toPage(Point{tick, 0}).x, place.max.y};
    canvas.stroke(linePath(at, at + Point{0, 6 * u}), {kQuietInk, u});
    canvas.text(at + Point{0, 21 * u}, fmt::format("{:g}", tick), below);
  }
  for (const double tick : axisTicks(view.min.y, view.max.y, place.max.y - place.min.y, u, false)) {
    const Point at{place.min.x, page.toPage(Point{0, tick}).y};
    canvas.stroke(linePath(at, at - Point{6 * u, 0}), {kQuietInk, u});
    canvas.text(at + Point{-10 * u, 5 * u}, fmt::format("{:g}", tick), beside);
  }
  canvas.text(place.max + Point{0, 38 * u}, "x (m)", {kAxisSize * u, kQuietInk, false, Anchor::kRight});
  canvas.text(place.min - Point{10 * u, 10 * u}, "y (m)", {kAxisSize * u, kQuietInk, false, Anchor::kRight});
  canvas.endGroup();
}

}  // namespace

std::vector<std::size_t> ShownLayer::layers() const {
  if (layer != kAllLayers) return {layer};
  std::vector<std::size_t> all(scene.layers.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

ShownLayer oneLayer(const Scene& scene, std::size_t layer) {
  return {scene, layer, groundOf(scene::shown(scene.layers[layer]))};
}

Ground wholeGround(const ShownLayer& shown) {
  if (!shown.mesh) return shown.ground;
  Ground whole;
  for (const Layer& layer : shown.scene.layers)
    whole.floor.insert(whole.floor.end(), layer.walkable.begin(), layer.walkable.end());
  whole.floor = geometry::unionOf(whole.floor);
  return whole;
}

bool Panel::shows(std::size_t layer) const {
  return std::any_of(layers.begin(), layers.end(),
                     [&](const ShownLayer& shown) { return shown.layer == kAllLayers || shown.layer == layer; });
}

std::vector<std::size_t> Panel::numbers() const {
  std::vector<std::size_t> all;
  for (const ShownLayer& shown : layers)
    for (const std::size_t layer : shown.layers()) all.push_back(layer);
  return all;
}

std::vector<Ground> Panel::grounds() const {
  std::vector<Ground> all;
  for (const ShownLayer& shown : layers) all.push_back(wholeGround(shown));
  return all;
}

std::vector<Panel> panelsFor(const Scene& scene, const DrawSettings& settings,
                             const std::vector<std::uint16_t>& numbered) {
  static const Layer kPlane;
  std::vector<Panel> panels;
  const bool any_layer = settings.layers.empty();
  if (any_layer && scene.mesh && scene.mesh->mesh && boundsOf(*scene.mesh->mesh)) {
    panels.emplace_back().layers.push_back({scene, kAllLayers, groundOf(kPlane), scene.mesh->mesh});
    return panels;
  }
  if (settings.oblique)
    throw InputError(any_layer ? "an oblique picture needs a scene with a mesh; a recording does not hold it"
                               : "an oblique picture shows all layers; a layer alone is drawn from above");
  if (scene.layers.empty()) {
    if (!any_layer)
      throw InputError(
          fmt::format("there is no layer \"{}\"; the recording knows of one without a name", settings.layers[0]));
    panels.emplace_back().layers.push_back({scene, 0, groundOf(kPlane)});
    return panels;
  }
  std::vector<std::size_t> wanted = namedLayers(scene, settings.layers);
  for (const std::uint16_t number : numbered)
    if (any_layer && number < scene.layers.size()) wanted.push_back(number);
  if (wanted.empty()) {
    wanted.resize(scene.layers.size());
    std::iota(wanted.begin(), wanted.end(), std::size_t{0});
  }
  for (const std::size_t layer : wanted) addLayer(panels, oneLayer(scene, layer));
  for (Panel& panel : panels)
    if (scene.layers.size() > 1) panel.name = nameOf(panel, scene);
  return panels;
}

LayerChoice choiceOf(const std::vector<Panel>& panels) {
  LayerChoice choice;
  if (panels[0].isModel()) return choice;
  for (const Panel& panel : panels)
    for (const ShownLayer& shown : panel.layers) {
      choice.shown.resize(std::max(choice.shown.size(), shown.layer + 1));
      choice.wrap.resize(choice.shown.size());
      choice.shown[shown.layer] = true;
      choice.wrap[shown.layer] = shown.ground.wrap;
    }
  return choice;
}

const Panel* panelOf(const std::vector<Panel>& panels, std::size_t layer) {
  const auto found = std::find_if(panels.begin(), panels.end(), [&](const Panel& panel) { return panel.shows(layer); });
  return found == panels.end() ? nullptr : &*found;
}

Moment onPanel(const Moment& moment, const Panel& panel) {
  Moment found{moment.time, {}};
  for (const Person& person : moment.people)
    if (panel.shows(person.layer)) found.people.push_back(person);
  return found;
}

PanelGrid panelGrid(std::size_t count, double aspect) { return bestGrid(count, aspect, {1000, 1000}, {}); }

PageLayout layoutPanels(std::vector<Panel>& panels, const Furniture& furniture, const DrawSettings& settings,
                        Rectangle& view, bool even) {
  const Point size = view.max - view.min;
  const double aspect = size.x / size.y;
  PageLayout layout = layoutPage(furniture, settings, view, even);
  if (settings.oblique) {
    const Point room = layout.room.max - layout.room.min, panel = layout.panel.max - layout.panel.min;
    const Point grown{size.x * room.x / panel.x, size.y * room.y / panel.y}, centre = (view.min + view.max) / 2;
    view = {centre - grown / 2, centre + grown / 2};
    panels[0].place = layout.panel = layout.room;
    return layout;
  }
  Borders borders = bordersFor(panels, settings, layout);
  if (panels.size() == 1 && borders.head + borders.left + borders.foot == 0) {
    panels[0].place = layout.panel;
    return layout;
  }
  // The width is given; a page that is about as high as wide has room for all panels and shows them large.
  const double width = layout.room.max.x - layout.room.min.x;
  const double height = settings.height ? layout.room.max.y - layout.room.min.y : width;
  const PanelGrid grid = bestGrid(panels.size(), aspect, {width, height}, borders);
  const double wanted = std::max(borders.panelWidth(grid, {width, 1e9}, aspect), kSmallestPanel);
  layout = layoutPage(furniture, settings, {{0, 0}, {width, borders.heightOf(grid.rows, wanted / aspect)}}, even);
  const Point room = layout.room.max - layout.room.min;
  double found = borders.panelWidth(grid, room, aspect);
  if (found < kSmallestPanel) {
    borders = {0, 0, 0, std::min(borders.gap, 2.0)};
    for (Panel& panel : panels) panel.name.clear();
    found = std::max(borders.panelWidth(grid, room, aspect), 1.0);
  }
  place(panels, grid, layout.room, borders, found, aspect);
  layout.panel = panels[0].place;
  return layout;
}

Path worldClip(const Panel& panel, const PageLayout& layout, const DrawSettings& settings) {
  const double room = settings.view || settings.axes || !layout.furnished ? 0 : 6 * layout.unit;
  return rectanglePath({panel.place.min - Point{room, room}, panel.place.max + Point{room, room}});
}

void paintPanelFrame(Canvas& canvas, const Panel& panel, const PageTransform& page, const PageLayout& layout,
                     const DrawSettings& settings) {
  if (!layout.furnished) return;
  const double u = layout.unit;
  if (settings.axes && !settings.oblique && panel.name_room > 0) {
    paintAxes(canvas, panel, page, u);
  } else if (settings.view) {
    canvas.stroke(rectanglePath(panel.place), {kFrame, u});
  }
  if (panel.name.empty()) return;
  const TextStyle style{kPanelNameSize * u, kInk, true, Anchor::kLeft};
  canvas.text(panel.name_at, fitted(panel.name, style, panel.name_room), style);
}

}  // namespace throng::draw
