#include "draw/picture.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

#include "draw/image_canvas.h"
#include "draw/maps.h"
#include "draw/output_file.h"
#include "draw/overlay.h"
#include "draw/svg_canvas.h"
#include "geometry/polygons.h"

namespace throng::draw {
namespace {

constexpr double kDensitySigma = 0.5;  // m; about the space a person takes in a dense crowd

void require(bool good, const std::string& what) {
  if (!good) throw InputError(what);
}

bool isFinite(const Rectangle& r) {
  return std::isfinite(r.min.x) && std::isfinite(r.min.y) && std::isfinite(r.max.x) && std::isfinite(r.max.y);
}

/// A page and what was decided about it.
struct Page {
  const DrawSettings& settings;
  Rectangle view;
  PageLayout layout;
  PageTransform transform;
  std::unique_ptr<Model> model;
  std::unique_ptr<Canvas> canvas;

  Page(const ShownLayer& shown, const Furniture& furniture, const DrawSettings& the_settings, const Rectangle& the_view,
       const std::string& extension)
      : settings(the_settings),
        view(the_view),
        layout(layoutFor(furniture, the_settings, view, false)),
        transform(view, layout.panel) {
    if (shown.mesh) model = std::make_unique<Model>(*shown.mesh, settings, transform, layout.unit);
    if (extension == ".svg") {
      canvas = std::make_unique<SvgCanvas>(layout.width, layout.height);
    } else {
      canvas = std::make_unique<ImageCanvas>(layout.width, layout.height);
    }
  }

  /// `world` paints what lies on the floor and gets the canvas, clipped to the panel. Seen obliquely, it paints the
  /// model as well: its people stand in it.
  template <class World>
  void paint(const Ground& ground, const Furniture& furniture, const World& world, bool solids_on_top = false) {
    canvas->clip(worldClip(layout, settings));
    if (model) {
      if (!settings.oblique) model->paint(*canvas);
    } else {
      paintFloor(*canvas, transform, ground, layout.unit);
      if (!solids_on_top) paintSolids(*canvas, transform, ground, layout.unit);
    }
    world(*canvas);
    if (solids_on_top && !model) paintSolids(*canvas, transform, ground, layout.unit);
    canvas->unclip();
    paintFrame(*canvas, layout, settings);
    paintFurniture(*canvas, layout, furniture, transform);
    paintCaption(*canvas, layout, furniture.caption);
  }
};

void addRegions(Furniture& furniture, const Ground& ground) {
  const std::vector<std::string> types = regionTypes(ground);
  for (std::size_t i = 0; i < types.size(); ++i)
    furniture.legend.push_back({LegendEntry::Mark::kSquare, regionColour(types[i], i), types[i]});
}

std::optional<Rectangle> peopleBounds(const Moment& moment) {
  std::vector<Point> corners;
  for (const Person& p : moment.people) {
    const Point r{p.radius, p.radius};
    corners.push_back(p.position - r);
    corners.push_back(p.position + r);
  }
  return boundsOf(corners);
}

std::vector<std::uint64_t> countsOf(const Moment& moment) {
  std::vector<std::uint64_t> counts;
  for (const Person& p : moment.people) {
    if (counts.size() <= p.population) counts.resize(p.population + std::size_t{1});
    ++counts[p.population];
  }
  return counts;
}

std::string intervalText(std::pair<double, double> interval) {
  const auto rounded = [](double t) { return std::round(t * 10) / 10; };
  return fmt::format("{:g}–{:g} s", rounded(interval.first), rounded(interval.second));
}

/// Every population of the scene: those who are there, or else who will be at time 0, where that is known.
std::vector<LegendEntry> plannedLegend(const Scene& scene, std::vector<std::uint64_t> people) {
  std::vector<LegendEntry> legend;
  people.resize(std::max(people.size(), scene.populations.size()));
  for (std::size_t i = 0; i < scene.populations.size(); ++i) {
    const Population& population = scene.populations[i];
    const std::uint64_t count = people[i] > 0 ? people[i] : population.count;
    std::string name = population.name.empty() ? fmt::format("population {}", i + 1) : population.name;
    if (count > 0) name += fmt::format(" ({})", countText(count));
    legend.push_back({LegendEntry::Mark::kDisc, populationColour(i), name});
  }
  return legend;
}

/// People of flows have neither starts nor goals, but ends.
void addPlan(Furniture& furniture, const Scene& scene) {
  const auto walksFreely = [](const Population& population) { return !population.flow; };
  if (std::none_of(scene.populations.begin(), scene.populations.end(), walksFreely)) return;
  furniture.legend.push_back({LegendEntry::Mark::kStart, colour(0x5f5f5f), "start"});
  furniture.legend.push_back({LegendEntry::Mark::kGoal, colour(0x5f5f5f), "goal"});
}

struct Run {
  const ShownLayer& shown;
  FrameSource& frames;
  const DrawSettings& settings;
  const Overlay& overlay;
  Survey survey;
  std::pair<double, double> interval;
  Rectangle view;
  std::string extension;
};

/// `people` paints between what lies under people and what lies above.
template <class People>
void paintUnderAndOver(Canvas& canvas, const Run& run, const Page& page, const People& people) {
  const std::vector<std::size_t> layers = run.shown.layers();
  if (!run.overlay.areas.empty())
    for (const std::size_t layer : layers)
      paintOverlayAreas(canvas, page.transform, run.overlay, layer, page.layout.unit);
  people();
  if (run.overlay.lines.empty() && run.overlay.dots.empty() && run.overlay.labels.empty()) return;
  for (const std::size_t layer : layers)
    paintOverlayMarks(canvas, page.transform, run.overlay, layer, page.layout.unit);
}

/// Keys and words of the overlay beside the picture's own.
void addOverlay(Furniture& furniture, const Overlay& overlay) {
  for (LegendEntry& entry : legendOf(overlay)) furniture.legend.push_back(std::move(entry));
  if (!overlay.caption.empty()) furniture.caption += " · " + overlay.caption;
}

std::string momentPicture(const Run& run) {
  const DrawSettings& settings = run.settings;
  const double time = std::clamp(settings.time.value_or(run.survey.last), run.survey.first, run.survey.last);
  MomentReader reader(run.frames, run.shown.layer, run.shown.ground.wrap);
  Playback playback(reader, settings.trail);
  const Moment& moment = playback.at(time);
  Colouring colouring{settings.colour_by, 0, scaleEnd(run.survey.fast)};
  Furniture furniture{titleOf(run.shown.scene, settings),
                      fmt::format("t = {:.1f} s · {}", time, peopleText(moment.people.size()))};
  if (colouring.by == ColourBy::kSpeed) {
    furniture.bar = ColourBar{ColourMap::kSpeed, 0, colouring.to, "speed (m/s)", true};
  } else if (colouring.by == ColourBy::kDirection) {
    furniture.bar = directionBar();
  } else {
    furniture.legend = populationLegend(run.shown.scene, countsOf(moment), LegendEntry::Mark::kDisc);
  }
  addRegions(furniture, run.shown.ground);
  addOverlay(furniture, run.overlay);
  Page page(run.shown, furniture, settings, run.view, run.extension);
  page.paint(run.shown.ground, furniture, [&](Canvas& canvas) {
    if (settings.oblique) return page.model->paint(canvas, moment, colouring);
    paintUnderAndOver(canvas, run, page, [&] {
      paintTrails(canvas, page.transform, moment, playback, settings.trail, reader.wrap(), colouring, page.layout.unit);
      paintPeople(canvas, page.transform, moment, colouring, page.layout.unit, page.model.get());
    });
  });
  return page.canvas->file();
}

template <class Visit>
void eachMoment(const Run& run, const Visit& visit) {
  MomentReader reader(run.frames, run.shown.layer, run.shown.ground.wrap);
  while (reader.next() && reader.now().time <= run.interval.second + 1e-9)
    if (reader.now().time >= run.interval.first - 1e-9) visit(reader);
}

std::string trajectoriesPicture(const Run& run) {
  const DrawSettings& settings = run.settings;
  Furniture furniture{titleOf(run.shown.scene, settings),
                      fmt::format("{} · {}", intervalText(run.interval), peopleText(run.survey.total()))};
  Colouring colouring{settings.colour_by, 0, scaleEnd(run.survey.fast)};
  if (colouring.by == ColourBy::kPopulation) {
    furniture.legend = populationLegend(run.shown.scene, run.survey.people, LegendEntry::Mark::kLine);
  } else if (colouring.by == ColourBy::kSpeed) {
    furniture.bar = ColourBar{ColourMap::kSpeed, 0, colouring.to, "speed (m/s)", true};
  } else if (colouring.by == ColourBy::kDirection) {
    furniture.bar = directionBar();
  } else {
    colouring.from = run.interval.first;
    colouring.to = run.interval.second;
    furniture.bar = ColourBar{ColourMap::kTime, colouring.from, colouring.to, "time (s)", false};
  }
  addRegions(furniture, run.shown.ground);
  addOverlay(furniture, run.overlay);
  Page page(run.shown, furniture, settings, run.view, run.extension);
  Trajectories trajectories(page.transform, colouring);
  eachMoment(run, [&](const MomentReader& reader) { trajectories.add(reader); });
  page.paint(run.shown.ground, furniture, [&](Canvas& canvas) {
    paintUnderAndOver(canvas, run, page, [&] {
      if (run.shown.ground.wrap) canvas.clip(wrapPath(page.transform, *run.shown.ground.wrap));
      trajectories.paint(canvas, page.layout.unit);
      if (run.shown.ground.wrap) canvas.unclip();
    });
  });
  return page.canvas->file();
}

std::string mapPicture(const Run& run) {
  const DrawSettings& settings = run.settings;
  const bool is_density = settings.kind == PictureKind::kDensity;
  const Ground ground = wholeGround(run.shown);
  const Grid grid = gridOver(run.view, settings.cell);
  MapSums sums(grid);
  eachMoment(run, [&](const MomentReader& reader) { sums.add(reader.now()); });
  const std::vector<double> values = is_density ? sums.density(floorShares(grid, ground), kDensitySigma) : sums.speed();
  const double max = scaleEnd(*std::max_element(values.begin(), values.end()));
  const ColourMap map = is_density ? ColourMap::kDensity : ColourMap::kSpeed;
  Furniture furniture{titleOf(run.shown.scene, settings),
                      fmt::format("mean over {} · {}", intervalText(run.interval), peopleText(run.survey.total()))};
  furniture.bar = ColourBar{map, 0, max, is_density ? "density (people/m²)" : "speed (m/s)", false};
  addOverlay(furniture, run.overlay);
  Page page(run.shown, furniture, settings, run.view, run.extension);
  const auto paint = [&](Canvas& canvas) {
    paintUnderAndOver(canvas, run, page, [&] {
      canvas.clip(floorClip(page.transform, ground));
      canvas.beginGroup("map");
      paintMap(canvas, page.transform, grid, values, map, max);
      canvas.endGroup();
      canvas.unclip();
    });
  };
  page.paint(ground, furniture, paint, true);
  return page.canvas->file();
}

}  // namespace

void checkSettings(const DrawSettings& s) {
  const auto isSize = [](int n) { return n >= 16 && n <= 16384; };
  require(isSize(s.width), fmt::format("a width of {} pixels; allowed: 16 to 16384", s.width));
  if (s.height) require(isSize(*s.height), fmt::format("a height of {} pixels; allowed: 16 to 16384", *s.height));
  if (s.view)
    require(isFinite(*s.view) && s.view->min.x < s.view->max.x && s.view->min.y < s.view->max.y,
            fmt::format("the view from ({:g}, {:g}) to ({:g}, {:g}) is empty; allowed: smaller numbers first, in m",
                        s.view->min.x, s.view->min.y, s.view->max.x, s.view->max.y));
  require(std::isfinite(s.cell) && s.cell > 0, fmt::format("map cells of {:g} m; allowed: more than 0", s.cell));
  require(std::isfinite(s.trail) && s.trail >= 0, fmt::format("a trail of {:g} s; allowed: 0 or more", s.trail));
  require(s.film_rate > 0 && s.film_rate <= 240,
          fmt::format("{:g} pictures per second of film; allowed: more than 0, up to 240", s.film_rate));
  require(std::isfinite(s.film_speed) && s.film_speed > 0,
          fmt::format("a film speed of {:g}; allowed: more than 0", s.film_speed));
  if (s.oblique)
    require(std::isfinite(s.oblique->azimuth) && s.oblique->elevation >= 5 && s.oblique->elevation <= 90,
            fmt::format("an oblique view along {:g}° from {:g}° above the horizon; allowed: 5 to 90 above it",
                        s.oblique->azimuth, s.oblique->elevation));
  require(!s.time || std::isfinite(*s.time), "the time of the picture is not a number");
  require(std::isfinite(s.from) && !std::isnan(endOf(s)), "the beginning or end of the interval is not a number");
  require(s.from <= endOf(s),
          fmt::format("an interval from {:g} s to {:g} s; allowed: the smaller first", s.from, endOf(s)));
}

std::vector<std::size_t> ShownLayer::layers() const {
  if (layer != kAllLayers) return {layer};
  std::vector<std::size_t> all(scene.layers.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

ShownLayer oneLayer(const Scene& scene, std::size_t layer) { return {scene, layer, groundOf(scene.layers[layer])}; }

ShownLayer shownLayer(const Scene& scene, const DrawSettings& settings) {
  static const Layer kPlane;
  const std::string& layer = settings.layer;
  if (layer.empty() && scene.mesh && scene.mesh->mesh && boundsOf(*scene.mesh->mesh))
    return {scene, kAllLayers, groundOf(kPlane), scene.mesh->mesh};
  require(!settings.oblique, layer.empty()
                                 ? "an oblique picture needs a scene with a mesh; a recording does not hold it"
                                 : "an oblique picture shows all layers; a layer alone is drawn from above");
  if (scene.layers.empty()) {
    require(layer.empty(), fmt::format("there is no layer \"{}\"; the recording knows of one without a name", layer));
    return {scene, 0, groundOf(kPlane)};
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < scene.layers.size(); ++i) {
    if (layer.empty() || scene.layers[i].name == layer) return oneLayer(scene, i);
    names.push_back(scene.layers[i].name);
  }
  throw InputError(fmt::format("there is no layer \"{}\"; allowed: {}", layer, fmt::join(names, ", ")));
}

Ground wholeGround(const ShownLayer& shown) {
  if (!shown.mesh) return shown.ground;
  Ground whole;
  for (const Layer& layer : shown.scene.layers)
    whole.floor.insert(whole.floor.end(), layer.walkable.begin(), layer.walkable.end());
  whole.floor = geometry::unionOf(whole.floor);
  return whole;
}

PageLayout layoutFor(const Furniture& furniture, const DrawSettings& settings, Rectangle& view, bool even) {
  PageLayout layout = layoutPage(furniture, settings, view, even);
  if (!settings.oblique) return layout;
  const Point room = layout.room.max - layout.room.min, panel = layout.panel.max - layout.panel.min;
  const Point size = view.max - view.min, centre = (view.min + view.max) / 2;
  const Point grown{size.x * room.x / panel.x, size.y * room.y / panel.y};
  view = {centre - grown / 2, centre + grown / 2};
  layout.panel = layout.room;
  return layout;
}

Rectangle viewOf(const ShownLayer& shown, const DrawSettings& settings, const std::optional<Rectangle>& people,
                 const std::optional<Rectangle>& plan) {
  if (settings.oblique) return modelView(*shown.mesh, settings);
  if (settings.view) return *settings.view;
  const bool is_endless = shown.ground.floor.empty() && !shown.ground.wrap && !shown.mesh;
  auto found = joined(shown.mesh ? modelView(*shown.mesh, settings) : boundsOf(shown.ground), people);
  if (is_endless) found = joined(found, plan);
  Rectangle view = found.value_or(Rectangle{{-5, -5}, {5, 5}});
  Point size = view.max - view.min;
  if (is_endless) {
    const double margin = std::max(0.5, 0.04 * std::max(size.x, size.y));
    size = size + Point{2 * margin, 2 * margin};
  }
  // A view thinner than this could not be laid out.
  const double least = std::max(2.0, std::max(size.x, size.y) / 20);
  size = {std::max(size.x, least), std::max(size.y, least)};
  const Point centre = (view.min + view.max) / 2;
  return {centre - size / 2, centre + size / 2};
}

std::vector<LegendEntry> populationLegend(const Scene& scene, const std::vector<std::uint64_t>& people,
                                          LegendEntry::Mark mark) {
  std::vector<LegendEntry> legend;
  const bool is_one_nameless = people.size() <= 1 && (scene.populations.empty() || scene.populations[0].name.empty());
  for (std::size_t i = 0; i < people.size() && !is_one_nameless; ++i) {
    if (people[i] == 0) continue;
    std::string name = i < scene.populations.size() ? scene.populations[i].name : "";
    if (name.empty()) name = fmt::format("population {}", i + 1);
    legend.push_back({mark, populationColour(i), fmt::format("{} ({})", name, countText(people[i]))});
  }
  return legend;
}

ColourBar directionBar() { return {ColourMap::kDirection, 0, 360, "walking direction (°; 0 east, 90 north)", false}; }

std::string peopleText(std::uint64_t count) { return count == 1 ? "1 person" : countText(count) + " people"; }

std::string titleOf(const Scene& scene, const DrawSettings& settings) {
  return settings.title.empty() ? scene.name : settings.title;
}

double endOf(const DrawSettings& settings) { return settings.to.value_or(std::numeric_limits<double>::infinity()); }

std::pair<double, double> intervalOf(const Survey& survey, const DrawSettings& settings) {
  require(survey.frames > 0, "the recording has no frames");
  require(survey.frames_inside > 0,
          fmt::format("nothing was recorded from {:g} s{}; the recording goes from {:g} s to {:g} s", settings.from,
                      settings.to ? fmt::format(" to {:g} s", *settings.to) : "", survey.first, survey.last));
  return {std::max(settings.from, survey.first), std::min(endOf(settings), survey.last)};
}

Path worldClip(const PageLayout& layout, const DrawSettings& settings) {
  const double room = settings.view ? 0 : 6 * layout.unit;
  return rectanglePath({layout.panel.min - Point{room, room}, layout.panel.max + Point{room, room}});
}

void paintFrame(Canvas& canvas, const PageLayout& layout, const DrawSettings& settings) {
  if (settings.view && layout.furnished) canvas.stroke(rectanglePath(layout.panel), {colour(0xc9c6c0), layout.unit});
}

void drawRun(const Scene& scene, FrameSource& frames, const std::string& path, const DrawSettings& settings,
             const Overlay& overlay) {
  checkSettings(settings);
  const std::string extension = checkedExtension(path, {".png", ".svg"});
  const bool is_moment = settings.kind == PictureKind::kMoment;
  require(!is_moment || settings.colour_by != ColourBy::kTime,
          "one moment cannot be coloured by time; allowed: population, speed, direction");
  OutputFile file(path, settings.overwrite);
  const ShownLayer shown = shownLayer(scene, settings);
  if (settings.oblique) {
    require(is_moment, "an oblique picture shows a moment; allowed: moment, or a film");
    require(overlay.areas.empty() && overlay.lines.empty() && overlay.dots.empty() && overlay.labels.empty(),
            "nothing can be drawn over an oblique picture; allowed: pictures from above");
  }
  // The view of a moment is that of the whole run, so that pictures of several moments fit together.
  const double from = is_moment ? -std::numeric_limits<double>::infinity() : settings.from;
  const double to = is_moment ? std::numeric_limits<double>::infinity() : endOf(settings);
  Run run{shown, frames, settings, overlay, survey(frames, shown.layer, shown.ground.wrap, from, to),
          {},    {},     extension};
  if (is_moment) {
    require(run.survey.frames > 0, "the recording has no frames");
    const double slack = 0.5 / std::max(frames.framesPerSecond(), 1e-3);
    const double time = settings.time.value_or(run.survey.last);
    require(time >= run.survey.first - slack && time <= run.survey.last + slack,
            fmt::format("there is no moment at {:g} s; the recording goes from {:g} s to {:g} s", time,
                        run.survey.first, run.survey.last));
  } else {
    run.interval = intervalOf(run.survey, settings);
  }
  run.view = viewOf(shown, settings, run.survey.bounds);
  file.write(is_moment                                     ? momentPicture(run)
             : settings.kind == PictureKind::kTrajectories ? trajectoriesPicture(run)
                                                           : mapPicture(run));
  file.keep();
}

void drawStill(const Scene& scene, const Frame* people, const std::string& path, const DrawSettings& settings) {
  checkSettings(settings);
  const std::string extension = checkedExtension(path, {".png", ".svg"});
  OutputFile file(path, settings.overwrite);
  const ShownLayer shown = shownLayer(scene, settings);
  const Moment moment = people ? momentOf(*people, shown.layer) : Moment{};
  Furniture furniture{titleOf(scene, settings), people ? peopleText(moment.people.size()) : std::string()};
  furniture.legend = plannedLegend(scene, countsOf(moment));
  if (!scene.populations.empty() && !settings.oblique) addPlan(furniture, scene);
  addRegions(furniture, shown.ground);
  Page page(shown, furniture, settings,
            viewOf(shown, settings, peopleBounds(moment), shown.mesh ? std::nullopt : planBounds(scene, shown.layer)),
            extension);
  page.paint(shown.ground, furniture, [&](Canvas& canvas) {
    if (settings.oblique) return page.model->paint(canvas, moment, {});
    for (const std::size_t layer : shown.layers()) {
      if (layer < scene.layers.size()) paintDoors(canvas, page.transform, scene.layers[layer], page.layout.unit);
      paintPlan(canvas, page.transform, scene, layer, page.layout.unit);
    }
    paintPeople(canvas, page.transform, moment, {}, page.layout.unit, page.model.get());
    for (const std::size_t layer : shown.layers()) paintPlaces(canvas, page.transform, scene, layer, page.layout.unit);
  });
  file.write(page.canvas->file());
  file.keep();
}

}  // namespace throng::draw
