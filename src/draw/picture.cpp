#include "draw/picture.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "draw/image_canvas.h"
#include "draw/maps.h"
#include "draw/output_file.h"
#include "draw/overlay.h"
#include "draw/svg_canvas.h"
#include "geometry/polygons.h"
#include "record/scene_facts.h"

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
  std::vector<Panel> panels;
  Rectangle view;
  PageLayout layout;
  std::vector<PageTransform> pages;  ///< one per panel
  std::unique_ptr<Model> model;
  std::unique_ptr<Canvas> canvas;
  bool with_plan = false;  ///< names of measurements will stand in it

  Page(std::vector<Panel> the_panels, const Furniture& furniture, const DrawSettings& the_settings,
       const Rectangle& the_view, const std::string& extension)
      : settings(the_settings),
        panels(std::move(the_panels)),
        view(the_view),
        layout(layoutPanels(panels, furniture, the_settings, view, false)) {
    for (const Panel& panel : panels) pages.emplace_back(view, panel.place);
    if (panels[0].isModel())
      model = std::make_unique<Model>(*panels[0].layers[0].mesh, settings, pages[0], layout.unit);
    if (extension == ".svg") {
      canvas = std::make_unique<SvgCanvas>(layout.width, layout.height);
    } else {
      canvas = std::make_unique<ImageCanvas>(layout.width, layout.height);
    }
  }

  /// `world` paints what lies on the floors of a panel and gets its number and a clipped canvas; `over` what lies under
  /// its obstacles too. Seen obliquely, `world` paints the model as well: its people stand in it.
  template <class World>
  void paint(const Furniture& furniture, const Timeline& timeline, const ShownTime& time, const World& world,
             const std::function<void(std::size_t)>& over = {}) {
    for (std::size_t i = 0; i < panels.size(); ++i) {
      const Panel& panel = panels[i];
      Labels labels(panel.place, layout.unit);
      if (with_plan)
        for (const std::size_t layer : panel.numbers())
          for (const Rectangle& box : planNames(pages[i], panel.layers[0].scene, layer, layout.unit))
            labels.keepClear(box);
      canvas->beginGroup(panelGroup(i));
      canvas->clip(worldClip(panel, layout, settings));
      if (model) {
        if (!settings.oblique) model->paint(*canvas);
        if (over) over(i);
      } else {
        paintGround(*canvas, pages[i], panel, labels, layout.unit, over ? [&] { over(i); } : std::function<void()>());
      }
      const auto paintChanging = [&] {
        if (settings.oblique) return;
        paintInserted(*canvas, pages[i], panel, timeline, time, labels, layout.unit);
        paintDoors(*canvas, pages[i], panel, timeline, time, labels, layout.unit);
      };
      // Over a span of time, lines through a door that was open at times would hide it, and its times.
      if (time.is_moment) paintChanging();
      world(i, *canvas);
      if (!time.is_moment) paintChanging();
      canvas->unclip();
      paintPanelFrame(*canvas, panel, pages[i], layout, settings);
      canvas->endGroup();
    }
    paintFurniture(*canvas, layout, furniture, pages[0]);
    paintCaption(*canvas, layout, furniture.caption);
  }
};

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
  const Scene& scene;
  std::vector<Panel> panels;
  LayerChoice layers;
  Timeline timeline;
  FrameSource& frames;
  const DrawSettings& settings;
  const Overlay& overlay;
  Survey survey;
  std::pair<double, double> interval;
  Rectangle view;
  std::string extension;

  ShownTime allOfIt() const { return ShownTime::during(interval.first, interval.second); }
};

/// `people` paints between what lies under people and what lies above.
template <class People>
void paintUnderAndOver(Canvas& canvas, const Run& run, const Page& page, std::size_t panel, const People& people) {
  const std::vector<std::size_t> layers = page.panels[panel].numbers();
  if (!run.overlay.areas.empty())
    for (const std::size_t layer : layers)
      paintOverlayAreas(canvas, page.pages[panel], run.overlay, layer, page.layout.unit);
  people();
  if (run.overlay.lines.empty() && run.overlay.dots.empty() && run.overlay.labels.empty()) return;
  for (const std::size_t layer : layers)
    paintOverlayMarks(canvas, page.pages[panel], run.overlay, layer, page.layout.unit);
}

/// Keys and words of the overlay beside the picture's own.
void addOverlay(Furniture& furniture, const Overlay& overlay) {
  for (LegendEntry& entry : legendOf(overlay)) furniture.legend.push_back(std::move(entry));
  if (!overlay.caption.empty()) furniture.caption += " · " + overlay.caption;
}

void addFixtures(Furniture& furniture, const Run& run, const ShownTime& time) {
  for (LegendEntry& entry : fixturesLegend(run.scene, run.timeline, run.panels, time))
    furniture.legend.push_back(std::move(entry));
}

std::string momentPicture(const Run& run) {
  const DrawSettings& settings = run.settings;
  const double time = std::clamp(settings.time.value_or(run.survey.last), run.survey.first, run.survey.last);
  MomentReader reader(run.frames, run.layers);
  Playback playback(reader, settings.trail);
  const Moment& moment = playback.at(time);
  Colouring colouring{settings.colour_by, 0, scaleEnd(run.survey.fast)};
  Furniture furniture{titleOf(run.scene, settings),
                      fmt::format("t = {:.1f} s · {}", time, peopleText(moment.people.size()))};
  if (colouring.by == ColourBy::kSpeed) {
    furniture.bar = ColourBar{ColourMap::kSpeed, 0, colouring.to, "speed (m/s)", true};
  } else if (colouring.by == ColourBy::kDirection) {
    furniture.bar = directionBar();
  } else {
    furniture.legend = populationLegend(run.scene, countsOf(moment), LegendEntry::Mark::kDisc);
  }
  addRegions(furniture, run.panels);
  if (!settings.oblique) addFixtures(furniture, run, ShownTime::at(time));
  addOverlay(furniture, run.overlay);
  Page page(run.panels, furniture, settings, run.view, run.extension);
  page.paint(furniture, run.timeline, ShownTime::at(time), [&](std::size_t i, Canvas& canvas) {
    if (settings.oblique) return page.model->paint(canvas, moment, colouring);
    paintUnderAndOver(canvas, run, page, i, [&] {
      const Panel& panel = page.panels[i];
      paintTrails(canvas, page.pages[i], panel, moment, playback, settings.trail, colouring, page.layout.unit);
      paintPeople(canvas, page.pages[i], onPanel(moment, panel), colouring, page.layout.unit, page.model.get());
    });
  });
  return page.canvas->file();
}

template <class Visit>
void eachMoment(const Run& run, const Visit& visit) {
  MomentReader reader(run.frames, run.layers);
  while (reader.next() && reader.now().time <= run.interval.second + 1e-9)
    if (reader.now().time >= run.interval.first - 1e-9) visit(reader);
}

std::string trajectoriesPicture(const Run& run) {
  const DrawSettings& settings = run.settings;
  Furniture furniture{titleOf(run.scene, settings),
                      fmt::format("{} · {}", intervalText(run.interval), peopleText(run.survey.total()))};
  Colouring colouring{settings.colour_by, 0, scaleEnd(run.survey.fast)};
  if (colouring.by == ColourBy::kPopulation) {
    furniture.legend = populationLegend(run.scene, run.survey.people, LegendEntry::Mark::kLine);
  } else if (colouring.by == ColourBy::kSpeed) {
    furniture.bar = ColourBar{ColourMap::kSpeed, 0, colouring.to, "speed (m/s)", true};
  } else if (colouring.by == ColourBy::kDirection) {
    furniture.bar = directionBar();
  } else {
    colouring.from = run.interval.first;
    colouring.to = run.interval.second;
    furniture.bar = ColourBar{ColourMap::kTime, colouring.from, colouring.to, "time (s)", false};
  }
  addRegions(furniture, run.panels);
  addFixtures(furniture, run, run.allOfIt());
  addOverlay(furniture, run.overlay);
  Page page(run.panels, furniture, settings, run.view, run.extension);
  Trajectories trajectories(page.panels, page.pages, colouring);
  eachMoment(run, [&](const MomentReader& reader) { trajectories.add(reader); });
  page.paint(furniture, run.timeline, run.allOfIt(), [&](std::size_t i, Canvas& canvas) {
    paintUnderAndOver(canvas, run, page, i, [&] {
      const std::optional<Rectangle>& wrap = page.panels[i].wrap();
      if (wrap) canvas.clip(wrapPath(page.pages[i], *wrap));
      trajectories.paint(canvas, i, page.layout.unit);
      if (wrap) canvas.unclip();
    });
  });
  return page.canvas->file();
}

/// The floors of a panel as one; people on them are counted together.
Ground groundOf(const Panel& panel) {
  std::vector<Ground> all = panel.grounds();
  Ground ground = std::move(all[0]);
  for (std::size_t i = 1; i < all.size(); ++i) {
    ground.floor.insert(ground.floor.end(), all[i].floor.begin(), all[i].floor.end());
    ground.solids.insert(ground.solids.end(), all[i].solids.begin(), all[i].solids.end());
  }
  if (all.size() > 1) ground.floor = geometry::unionOf(ground.floor);
  return ground;
}

std::string mapPicture(const Run& run) {
  const DrawSettings& settings = run.settings;
  const bool is_density = settings.kind == PictureKind::kDensity;
  const Grid grid = gridOver(run.view, settings.cell);
  std::vector<MapSums> sums(run.panels.size(), MapSums(grid));
  eachMoment(run, [&](const MomentReader& reader) {
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i].add(onPanel(reader.now(), run.panels[i]));
  });
  std::vector<Ground> grounds;
  std::vector<std::vector<double>> values;
  double most = 0;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    grounds.push_back(groundOf(run.panels[i]));
    values.push_back(is_density ? sums[i].density(floorShares(grid, grounds[i]), kDensitySigma) : sums[i].speed());
    most = std::max(most, *std::max_element(values[i].begin(), values[i].end()));
  }
  const double max = scaleEnd(most);
  const ColourMap map = is_density ? ColourMap::kDensity : ColourMap::kSpeed;
  Furniture furniture{titleOf(run.scene, settings),
                      fmt::format("mean over {} · {}", intervalText(run.interval), peopleText(run.survey.total()))};
  furniture.bar = ColourBar{map, 0, max, is_density ? "density (people/m²)" : "speed (m/s)", false};
  addFixtures(furniture, run, run.allOfIt());
  addOverlay(furniture, run.overlay);
  Page page(run.panels, furniture, settings, run.view, run.extension);
  const auto paintCells = [&](std::size_t i) {
    Canvas& canvas = *page.canvas;
    canvas.clip(floorClip(page.pages[i], grounds[i]));
    canvas.beginGroup("map");
    paintMap(canvas, page.pages[i], grid, values[i], map, max);
    canvas.endGroup();
    canvas.unclip();
  };
  page.paint(
      furniture, run.timeline, run.allOfIt(),
      [&](std::size_t i, Canvas& canvas) { paintUnderAndOver(canvas, run, page, i, [] {}); }, paintCells);
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

Rectangle viewOf(const std::vector<Panel>& panels, const DrawSettings& settings,
                 const std::optional<Rectangle>& people) {
  std::optional<Rectangle> all;
  for (const Panel& panel : panels)
    for (const ShownLayer& shown : panel.layers) all = joined(all, viewOf(shown, settings, people));
  return *all;
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

void addRegions(Furniture& furniture, const std::vector<Panel>& panels) {
  std::vector<std::string> named;
  for (const Panel& panel : panels)
    for (const ShownLayer& shown : panel.layers) {
      const std::vector<std::string> types = regionTypes(shown.ground);
      for (std::size_t i = 0; i < types.size(); ++i) {
        if (std::find(named.begin(), named.end(), types[i]) != named.end()) continue;
        named.push_back(types[i]);
        furniture.legend.push_back({LegendEntry::Mark::kSquare, regionColour(types[i], i), types[i]});
      }
    }
}

std::string panelGroup(std::size_t panel) { return fmt::format("panel-{}", panel + 1); }

void paintGround(Canvas& canvas, const PageTransform& page, const Panel& panel, Labels& labels, double unit,
                 const std::function<void()>& over) {
  for (const ShownLayer& shown : panel.layers) paintFloor(canvas, page, shown.ground, unit);
  if (over) over();
  paintSlopes(canvas, page, panel, labels, unit);
  for (const ShownLayer& shown : panel.layers) paintSolids(canvas, page, shown.ground, unit);
  paintConnections(canvas, page, panel, labels, unit);
}

Timeline timelineOf(const Scene& scene, const FrameSource& frames) {
  return {scene, frames.changes().value_or(record::plannedChanges(scene))};
}

std::string checkRun(const DrawSettings& settings, const std::string& path) {
  checkSettings(settings);
  std::string extension = checkedExtension(path, {".png", ".svg"});
  require(settings.kind != PictureKind::kMoment || settings.colour_by != ColourBy::kTime,
          "one moment cannot be coloured by time; allowed: population, speed, direction");
  return extension;
}

void drawRun(const Scene& scene, FrameSource& frames, const std::string& path, const DrawSettings& settings,
             const Overlay& overlay) {
  const std::string extension = checkRun(settings, path);
  const bool is_moment = settings.kind == PictureKind::kMoment;
  WholeFile file(path, settings.overwrite);
  std::vector<Panel> panels = panelsFor(scene, settings);
  if (settings.oblique) {
    require(is_moment, "an oblique picture shows a moment; allowed: moment, or a film");
    require(overlay.areas.empty() && overlay.lines.empty() && overlay.dots.empty() && overlay.labels.empty(),
            "nothing can be drawn over an oblique picture; allowed: pictures from above");
  }
  // The view of a moment is that of the whole run, so that pictures of several moments fit together.
  const double from = is_moment ? -std::numeric_limits<double>::infinity() : settings.from;
  const double to = is_moment ? std::numeric_limits<double>::infinity() : endOf(settings);
  const LayerChoice layers = choiceOf(panels);
  Run run{scene,    std::move(panels),
          layers,   timelineOf(scene, frames),
          frames,   settings,
          overlay,  survey(frames, layers, from, to),
          {},       {},
          extension};
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
  run.view = viewOf(run.panels, settings, run.survey.bounds);
  file.write(is_moment                                     ? momentPicture(run)
             : settings.kind == PictureKind::kTrajectories ? trajectoriesPicture(run)
                                                           : mapPicture(run));
  file.keep();
}

void drawStill(const Scene& scene, const Frame* people, const std::string& path, const DrawSettings& settings) {
  checkSettings(settings);
  const std::string extension = checkedExtension(path, {".png", ".svg"});
  WholeFile file(path, settings.overwrite);
  std::vector<Panel> panels = panelsFor(scene, settings);
  const Moment moment = people ? momentOf(*people, choiceOf(panels)) : Moment{};
  const Timeline timeline(scene, record::plannedChanges(scene));
  const ShownTime all_of_it = ShownTime::during(0, std::numeric_limits<double>::infinity());
  Furniture furniture{titleOf(scene, settings), people ? peopleText(moment.people.size()) : std::string()};
  furniture.legend = plannedLegend(scene, countsOf(moment));
  if (!scene.populations.empty() && !settings.oblique) addPlan(furniture, scene);
  addRegions(furniture, panels);
  if (!settings.oblique)
    for (LegendEntry& entry : fixturesLegend(scene, timeline, panels, all_of_it))
      furniture.legend.push_back(std::move(entry));
  std::optional<Rectangle> view;
  for (const Panel& panel : panels)
    for (const ShownLayer& shown : panel.layers)
      view = joined(view, viewOf(shown, settings, peopleBounds(moment),
                                 shown.mesh ? std::nullopt : planBounds(scene, shown.layer)));
  Page page(std::move(panels), furniture, settings, *view, extension);
  page.with_plan = true;
  page.paint(furniture, timeline, all_of_it, [&](std::size_t i, Canvas& canvas) {
    if (settings.oblique) return page.model->paint(canvas, moment, {});
    const Panel& panel = page.panels[i];
    for (const std::size_t layer : panel.numbers()) paintPlan(canvas, page.pages[i], scene, layer, page.layout.unit);
    paintPeople(canvas, page.pages[i], onPanel(moment, panel), {}, page.layout.unit, page.model.get());
    for (const std::size_t layer : panel.numbers()) paintPlaces(canvas, page.pages[i], scene, layer, page.layout.unit);
  });
  file.write(page.canvas->file());
  file.keep();
}

}  // namespace throng::draw
