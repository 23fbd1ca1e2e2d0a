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

/// A number for every place of a panel.
struct SampledField {
  Grid grid;
  std::vector<double> values;
};

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
void fillBorder(SampledField& field) {
  const std::vector<double> sampled = field.values;
  const std::size_t columns = field.grid.columns, rows = field.grid.rows;
  for (std::size_t i = 0; i < sampled.size(); ++i) {
    if (sampled[i] >= 0) continue;
    const std::size_t x = i % columns, y = i / columns;
    double sum = 0;
    int count = 0;
    for (std::size_t v = y == 0 ? 0 : y - 1; v < std::min(rows, y + 2); ++v)
      for (std::size_t u = x == 0 ? 0 : x - 1; u < std::min(columns, x + 2); ++u)
        if (const double there = sampled[v * columns + u]; there >= 0) sum += there, ++count;
    if (count > 0) field.values[i] = sum / count;
  }
}

/// Samples at about every second pixel; coarser in SVG, where each is an element of its own.
SampledField sampleField(const Panel& panel, const Rectangle& view, const Overlay& overlay, bool svg) {
  SampledField field;
  const std::vector<std::size_t> layers = layersOf(panel, overlay);
  const Point size = view.max - view.min;
  const double pixels = std::max(panel.place.max.x - panel.place.min.x, panel.place.max.y - panel.place.min.y);
  const double most = std::clamp(pixels / (svg ? 6 : 1.5), 8.0, svg ? 200.0 : 2000.0);
  field.grid = gridOver(view, std::max(size.x, size.y) / most);
  field.values.assign(field.grid.size(), -1);
  for (std::size_t i = 0; i < field.values.size(); ++i) {
    const Rectangle place = field.grid.place(i);
    for (const std::size_t layer : layers) {
      const double value = overlay.field->value((place.min + place.max) / 2, static_cast<std::uint16_t>(layer));
      if (std::isfinite(value)) field.values[i] = std::max(field.values[i], value);
    }
  }
  fillBorder(field);
  return field;
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

/// What is painted over a panel, and under its obstacles the field.
void paintPanel(Canvas& canvas, const PageLayout& layout, const Panel& panel, const PageTransform& page,
                const Scene& scene, const Overlay& overlay, const DrawSettings& settings, const SampledField& field,
                double field_end) {
  const auto paintField = [&] {
    if (field.values.empty()) return;
    Path floor;
    for (const Ground& ground : panel.grounds())
      for (Path::Part& part : floorClip(page, ground).parts) floor.parts.push_back(std::move(part));
    canvas.clip(floor);
    canvas.beginGroup("field");
    paintMap(canvas, page, field.grid, field.values, kFieldMap, field_end);
    canvas.endGroup();
    canvas.unclip();
  };
  canvas.clip(worldClip(panel, layout, settings));
  Labels labels(panel.place, layout.unit);
  if (panel.isModel()) {
    Model(*panel.layers[0].mesh, settings, page, layout.unit).paint(canvas);
    paintField();
  } else {
    paintGround(canvas, page, panel, labels, layout.unit, paintField);
  }
  // The map is that of time 0.
  paintDoors(canvas, page, panel, Timeline(scene, {}), ShownTime::at(0), labels, layout.unit);
  const std::vector<std::size_t> layers = layersOf(panel, overlay);
  for (const std::size_t layer : layers)
    if (overlay.starts_and_goals) paintPlan(canvas, page, scene, layer, layout.unit);
  for (const std::size_t layer : layers) {
    paintOverlayAreas(canvas, page, overlay, layer, layout.unit);
    paintOverlayMarks(canvas, page, overlay, layer, layout.unit);
    if (overlay.starts_and_goals) paintPlaces(canvas, page, scene, layer, layout.unit);
  }
  canvas.unclip();
  paintPanelFrame(canvas, panel, page, layout, settings);
}

/// What is said of routes and other lines is what a picture of them is for: all of it is shown.
bool saysLines(const Overlay& overlay) {
  return std::any_of(overlay.keys.begin(), overlay.keys.end(),
                     [](const Overlay::Key& key) { return key.mark == Overlay::Key::Mark::kLine; });
}

}  // namespace

void drawOver(const Scene& scene, const Overlay& overlay, const std::string& path, const DrawSettings& settings) {
  checkSettings(settings);
  if (settings.oblique) throw InputError("nothing can be drawn over an oblique picture; allowed: pictures from above");
  const std::string extension = checkedExtension(path, {".png", ".svg"});
  WholeFile file(path, settings.overwrite);
  std::vector<Panel> panels = panelsFor(scene, settings, overlay.layers);
  Rectangle view = wholeView(panels, overlay, settings);
  Furniture furniture{titleOf(scene, settings), overlay.caption, legendOf(overlay), {}, saysLines(overlay)};
  for (LegendEntry& entry : fixturesLegend(scene, Timeline(scene, {}), panels, ShownTime::at(0)))
    furniture.legend.push_back(std::move(entry));
  if (overlay.field) furniture.bar = ColourBar{kFieldMap, 0, 1, overlay.field->label, false};
  const PageLayout layout = layoutPanels(panels, furniture, settings, view, false);
  std::vector<SampledField> fields(panels.size());
  double field_end = 1;
  if (overlay.field) {
    double max = 0;
    for (std::size_t i = 0; i < panels.size(); ++i) {
      fields[i] = sampleField(panels[i], view, overlay, extension == ".svg");
      max = std::max(max, *std::max_element(fields[i].values.begin(), fields[i].values.end()));
    }
    furniture.bar->to = field_end = scaleEnd(max);
  }
  std::unique_ptr<Canvas> canvas;
  if (extension == ".svg") {
    canvas = std::make_unique<SvgCanvas>(layout.width, layout.height);
  } else {
    canvas = std::make_unique<ImageCanvas>(layout.width, layout.height);
  }
  for (std::size_t i = 0; i < panels.size(); ++i) {
    canvas->beginGroup(panelGroup(i));
    paintPanel(*canvas, layout, panels[i], PageTransform(view, panels[i].place), scene, overlay, settings, fields[i],
               field_end);
    canvas->endGroup();
  }
  paintFurniture(*canvas, layout, furniture, PageTransform(view, panels[0].place));
  paintCaption(*canvas, layout, overlay.caption);
  file.write(canvas->file());
  file.keep();
}

}  // namespace throng::draw
