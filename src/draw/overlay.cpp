#include "draw/overlay.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>

#include "draw/image_canvas.h"
#include "draw/maps.h"
#include "draw/output_file.h"
#include "draw/picture.h"
#include "draw/svg_canvas.h"
#include "geometry/polygons.h"
#include "geometry/predicates.h"

namespace throng::draw {
namespace {

constexpr Colour kInk = colour(0x222222);
constexpr double kPanelGap = 0.03;   // of a panel's width, between panels
constexpr double kNameRoom = 0.045;  // of a panel's width, above each for the layer's name, and at least
constexpr double kNameHeight = 30;   // px on a page 1200 px wide
constexpr ColourMap kFieldMap = ColourMap::kSpeed;

Colour colourOf(Paint paint) { return colour(paint.rgb, paint.alpha); }

std::optional<Rectangle> boundsOn(const Overlay& overlay, std::size_t layer) {
  std::vector<Point> points;
  const auto add = [&](const std::vector<Point>& list) { points.insert(points.end(), list.begin(), list.end()); };
  for (const Overlay::Line& line : overlay.lines)
    if (line.layer == layer) add(line.points);
  for (const Overlay::Area& area : overlay.areas)
    for (const Polygon& piece : area.pieces)
      if (area.layer == layer) add(piece.outer);
  for (const Overlay::Dot& dot : overlay.dots)
    if (dot.layer == layer) points.push_back(dot.at);
  return boundsOf(points);
}

/// Layers that do not lie above one another share a panel: the stairs of a building are seen beside its floors.
struct Panel {
  std::vector<ShownLayer> layers;
  Rectangle place;  ///< on the page
  Point name;       ///< baseline of its name
  Grid grid;        ///< of the field
  std::vector<double> field;
};

bool overlap(const ShownLayer& a, const ShownLayer& b) {
  constexpr double kNothing = 1e-3;  // m²
  if (a.ground.floor.empty() || b.ground.floor.empty()) return true;
  return geometry::area(geometry::intersection(a.ground.floor, b.ground.floor)) > kNothing;
}

void addLayer(std::vector<Panel>& panels, ShownLayer shown) {
  for (Panel& panel : panels) {
    if (std::any_of(panel.layers.begin(), panel.layers.end(),
                    [&](const ShownLayer& there) { return overlap(there, shown); }))
      continue;
    panel.layers.push_back(std::move(shown));
    return;
  }
  panels.emplace_back().layers.push_back(std::move(shown));
}

/// A model shows by itself what lies above what: all layers share its panel.
std::vector<Panel> panelsFor(const Scene& scene, const Overlay& overlay, const DrawSettings& settings) {
  std::vector<Panel> panels;
  ShownLayer shown = shownLayer(scene, settings);
  if (shown.mesh) {
    panels.emplace_back().layers.push_back(std::move(shown));
    return panels;
  }
  for (std::size_t i = 0; i < scene.layers.size() && settings.layer.empty(); ++i) {
    const auto& wanted = overlay.layers;
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), i) != wanted.end())
      addLayer(panels, oneLayer(scene, i));
  }
  if (panels.empty()) addLayer(panels, std::move(shown));
  return panels;
}

/// Those of a panel's layers that the overlay wants to be seen.
std::vector<std::size_t> layersOf(const Panel& panel, const Overlay& overlay) {
  std::vector<std::size_t> layers;
  const auto& wanted = overlay.layers;
  for (const ShownLayer& shown : panel.layers)
    for (const std::size_t layer : shown.layers())
      if (!shown.mesh || wanted.empty() || std::find(wanted.begin(), wanted.end(), layer) != wanted.end())
        layers.push_back(layer);
  return layers;
}

/// "hall, stair 1, stair 2", or "hall and 8 more" when there are many.
std::string nameOf(const Panel& panel, const Scene& scene) {
  std::vector<std::string> names;
  for (const ShownLayer& shown : panel.layers) names.push_back(scene.layers[shown.layer].name);
  constexpr std::size_t kMostNames = 3;
  if (names.size() > kMostNames) return fmt::format("{} and {} more", names[0], names.size() - 1);
  return fmt::format("{}", fmt::join(names, ", "));
}

/// All panels show the same part of the plane, so that what lies above one another has the same place in each.
Rectangle wholeView(const std::vector<Panel>& panels, const Overlay& overlay, const DrawSettings& settings) {
  std::optional<Rectangle> all;
  for (const Panel& panel : panels)
    for (const ShownLayer& shown : panel.layers)
      all = joined(all, viewOf(shown, settings, {}, boundsOn(overlay, shown.layer)));
  return *all;
}

/// Places at the border of the floor whose sample lies just outside get the value of their neighbours; the picture is
/// clipped to the floor anyway.
void fillBorder(Panel& panel) {
  const std::vector<double> sampled = panel.field;
  const std::size_t columns = panel.grid.columns, rows = panel.grid.rows;
  for (std::size_t i = 0; i < sampled.size(); ++i) {
    if (sampled[i] >= 0) continue;
    const std::size_t x = i % columns, y = i / columns;
    double sum = 0;
    int count = 0;
    for (std::size_t v = y == 0 ? 0 : y - 1; v < std::min(rows, y + 2); ++v)
      for (std::size_t u = x == 0 ? 0 : x - 1; u < std::min(columns, x + 2); ++u)
        if (const double there = sampled[v * columns + u]; there >= 0) sum += there, ++count;
    if (count > 0) panel.field[i] = sum / count;
  }
}

/// Samples at about every second pixel; coarser in SVG, where each is an element of its own.
void sampleField(Panel& panel, const Rectangle& view, const Overlay& overlay, bool svg) {
  const std::vector<std::size_t> layers = layersOf(panel, overlay);
  const Point size = view.max - view.min;
  const double pixels = std::max(panel.place.max.x - panel.place.min.x, panel.place.max.y - panel.place.min.y);
  const double most = std::clamp(pixels / (svg ? 6 : 1.5), 8.0, svg ? 200.0 : 2000.0);
  panel.grid = gridOver(view, std::max(size.x, size.y) / most);
  panel.field.resize(panel.grid.size());
  for (std::size_t i = 0; i < panel.field.size(); ++i) {
    const Rectangle place = panel.grid.place(i);
    panel.field[i] = -1;
    for (const std::size_t layer : layers) {
      const double value = overlay.field->value((place.min + place.max) / 2, static_cast<std::uint16_t>(layer));
      if (std::isfinite(value)) panel.field[i] = std::max(panel.field[i], value);
    }
  }
  fillBorder(panel);
}

class OverlayPainter {
 public:
  OverlayPainter(Canvas& canvas, const PageTransform& page, const Overlay& overlay, std::size_t layer, double unit)
      : canvas_(canvas), page_(page), overlay_(overlay), layer_(layer), unit_(unit) {}

  /// The pieces of an area are one path, so that no seams are seen between them.
  void areas() {
    group("areas", overlay_.areas, [&](const Overlay::Area& area) {
      Path path;
      for (const Polygon& piece : area.pieces)
        for (Path::Part& part : page_.toPage(piece).parts) path.parts.push_back(std::move(part));
      canvas_.fill(path, colourOf(area.paint));
    });
  }
  void marks() {
    lines();
    dots();
    labels();
  }

 private:
  template <class Items, class Draw>
  void group(const char* name, const Items& items, const Draw& draw) {
    canvas_.beginGroup(name);
    for (const auto& item : items)
      if (item.layer == layer_) draw(item);
    canvas_.endGroup();
  }

  /// Lines that follow one another and look the same are one path: thousands of arcs make a small file.
  void lines() {
    canvas_.beginGroup("lines");
    Path path;
    Pen pen;
    const auto flush = [&] {
      if (!path.empty()) canvas_.stroke(path, pen);
      path.parts.clear();
    };
    for (const Overlay::Line& line : overlay_.lines) {
      if (line.layer != layer_) continue;
      const Pen own{colourOf(line.paint), line.width * unit_, line.dash * unit_};
      const bool is_same = own.colour == pen.colour && own.width == pen.width && own.dash == pen.dash;
      if (!is_same || line.paint.alpha < 1) flush();
      pen = own;
      path.parts.push_back(std::move(page_.toPage(Polyline{line.points}).parts[0]));
    }
    flush();
    canvas_.endGroup();
  }

  void dots() {
    group("dots", overlay_.dots, [&](const Overlay::Dot& dot) {
      const Point at = page_.toPage(dot.at);
      canvas_.disc(at, (dot.radius + 1.2) * unit_, colour(0xffffff, dot.paint.alpha));
      canvas_.disc(at, dot.radius * unit_, colourOf(dot.paint));
    });
  }

  /// On a light ground of its own, above its place or, at the upper border, below.
  void labels() {
    group("labels", overlay_.labels, [&](const Overlay::Label& label) {
      const TextStyle style{15 * unit_, colourOf(label.paint), true, Anchor::kMiddle};
      const double half = textWidth(label.text, style) / 2 + 5 * unit_, gap = 22 * unit_;
      const Point at = page_.toPage(label.at);
      const Rectangle& panel = page_.panel();
      const double x =
          std::clamp(at.x, std::min(panel.min.x + half, panel.max.x), std::max(panel.max.x - half, panel.min.x + half));
      const double y = at.y - gap - 10 * unit_ < panel.min.y ? at.y + gap : at.y - gap;
      canvas_.fill(rectanglePath({{x - half, y - 10 * unit_}, {x + half, y + 10 * unit_}}), colour(0xffffff, 0.75));
      canvas_.text({x, y + 5.2 * unit_}, label.text, style);
    });
  }

  Canvas& canvas_;
  const PageTransform& page_;
  const Overlay& overlay_;
  std::size_t layer_;
  double unit_;
};

}  // namespace

void paintOverlayAreas(Canvas& canvas, const PageTransform& page, const Overlay& overlay, std::size_t layer,
                       double unit) {
  OverlayPainter(canvas, page, overlay, layer, unit).areas();
}

void paintOverlayMarks(Canvas& canvas, const PageTransform& page, const Overlay& overlay, std::size_t layer,
                       double unit) {
  OverlayPainter(canvas, page, overlay, layer, unit).marks();
}

std::vector<LegendEntry> legendOf(const Overlay& overlay) {
  std::vector<LegendEntry> legend;
  for (const Overlay::Key& key : overlay.keys) {
    const auto mark = key.mark == Overlay::Key::Mark::kLine  ? LegendEntry::Mark::kLine
                      : key.mark == Overlay::Key::Mark::kDot ? LegendEntry::Mark::kDisc
                                                             : LegendEntry::Mark::kSquare;
    legend.push_back({mark, colourOf(key.paint), key.label});
  }
  return legend;
}

namespace {

void paintPanel(Canvas& canvas, PageLayout layout, const Panel& panel, const PageTransform& page, const Scene& scene,
                const Overlay& overlay, const DrawSettings& settings, double field_end) {
  layout.panel = panel.place;
  canvas.clip(worldClip(layout, settings));
  for (const ShownLayer& shown : panel.layers)
    shown.mesh ? Model(*shown.mesh, settings, page, layout.unit).paint(canvas)
               : paintFloor(canvas, page, shown.ground, layout.unit);
  if (!panel.field.empty()) {
    Path floor;
    for (const ShownLayer& shown : panel.layers)
      for (Path::Part& part : floorClip(page, wholeGround(shown)).parts) floor.parts.push_back(std::move(part));
    canvas.clip(floor);
    canvas.beginGroup("field");
    paintMap(canvas, page, panel.grid, panel.field, kFieldMap, field_end);
    canvas.endGroup();
    canvas.unclip();
  }
  for (const ShownLayer& shown : panel.layers)
    if (!shown.mesh) paintSolids(canvas, page, shown.ground, layout.unit);
  const std::vector<std::size_t> layers = layersOf(panel, overlay);
  for (const std::size_t layer : layers) {
    if (layer < scene.layers.size()) paintDoors(canvas, page, scene.layers[layer], layout.unit);
    if (overlay.starts_and_goals) paintPlan(canvas, page, scene, layer, layout.unit);
  }
  for (const std::size_t layer : layers) {
    paintOverlayAreas(canvas, page, overlay, layer, layout.unit);
    paintOverlayMarks(canvas, page, overlay, layer, layout.unit);
    if (overlay.starts_and_goals) paintPlaces(canvas, page, scene, layer, layout.unit);
  }
  canvas.unclip();
  paintFrame(canvas, layout, settings);
}

/// The page's room for the world, cut into panels.
void placePanels(std::vector<Panel>& panels, PanelGrid grid, const Rectangle& room, double name_share) {
  const double width = (room.max.x - room.min.x) / (static_cast<double>(grid.columns) * (1 + kPanelGap) - kPanelGap);
  const double row = (room.max.y - room.min.y) / static_cast<double>(grid.rows);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const Point corner = room.min + Point{static_cast<double>(i % grid.columns) * width * (1 + kPanelGap),
                                          static_cast<double>(i / grid.columns) * row};
    panels[i].name = corner + Point{0, 0.72 * name_share * width};
    panels[i].place = {corner + Point{0, name_share * width}, corner + Point{width, row}};
  }
}

}  // namespace

PanelGrid panelGrid(std::size_t count, double aspect) {
  constexpr double kScreen = 1;  // the width is given: what is too high makes large panels, what is too wide small ones
  PanelGrid best;
  double off = std::numeric_limits<double>::infinity();
  for (std::size_t columns = 1; columns <= count; ++columns) {
    const std::size_t rows = (count + columns - 1) / columns;
    const double whole = aspect * static_cast<double>(columns) / static_cast<double>(rows);
    const double empty = static_cast<double>(columns * rows - count) / static_cast<double>(count);
    const double distance = std::abs(std::log(whole / kScreen)) + empty;
    if (distance < off) {
      off = distance;
      best = {columns, rows};
    }
  }
  return best;
}

void drawOver(const Scene& scene, const Overlay& overlay, const std::string& path, const DrawSettings& settings) {
  checkSettings(settings);
  if (settings.oblique) throw InputError("nothing can be drawn over an oblique picture; allowed: pictures from above");
  const std::string extension = checkedExtension(path, {".png", ".svg"});
  OutputFile file(path, settings.overwrite);
  std::vector<Panel> panels = panelsFor(scene, overlay, settings);
  const Rectangle view = wholeView(panels, overlay, settings);
  const Point size = view.max - view.min;
  const PanelGrid grid = panelGrid(panels.size(), size.x / size.y);
  const double name_share =
      panels.size() > 1 ? std::max(kNameRoom, static_cast<double>(grid.columns) * kNameHeight / 1200) : 0;
  // In widths of a panel.
  const Point whole{static_cast<double>(grid.columns) * (1 + kPanelGap) - kPanelGap,
                    static_cast<double>(grid.rows) * (size.y / size.x + name_share)};

  Furniture furniture{titleOf(scene, settings), overlay.caption, legendOf(overlay), {}};
  if (overlay.field) furniture.bar = ColourBar{kFieldMap, 0, 1, overlay.field->label, false};
  const PageLayout layout = layoutPage(furniture, settings, {{0, 0}, whole}, false);
  placePanels(panels, grid, layout.panel, name_share);
  double field_end = 1;
  if (overlay.field) {
    double max = 0;
    for (Panel& panel : panels) {
      sampleField(panel, view, overlay, extension == ".svg");
      max = std::max(max, *std::max_element(panel.field.begin(), panel.field.end()));
    }
    furniture.bar->to = field_end = scaleEnd(max);
  }
  std::unique_ptr<Canvas> canvas;
  if (extension == ".svg") {
    canvas = std::make_unique<SvgCanvas>(layout.width, layout.height);
  } else {
    canvas = std::make_unique<ImageCanvas>(layout.width, layout.height);
  }
  for (const Panel& panel : panels) {
    paintPanel(*canvas, layout, panel, PageTransform(view, panel.place), scene, overlay, settings, field_end);
    const TextStyle style{17 * layout.unit, kInk, true, Anchor::kLeft};
    if (panels.size() > 1 && layout.furnished)
      canvas->text(panel.name, fitted(nameOf(panel, scene), style, panel.place.max.x - panel.place.min.x), style);
  }
  paintFurniture(*canvas, layout, furniture, PageTransform(view, panels[0].place));
  paintCaption(*canvas, layout, overlay.caption);
  file.write(canvas->file());
  file.keep();
}

}  // namespace throng::draw
