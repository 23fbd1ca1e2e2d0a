#include "draw/film.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "draw/encoder.h"
#include "draw/image_canvas.h"
#include "draw/output_file.h"
#include "draw/picture.h"

namespace throng::draw {
namespace {

Furniture filmFurniture(const Scene& scene, const std::vector<Panel>& panels, const Timeline& timeline,
                        const DrawSettings& settings, const Survey& survey, const Colouring& colouring) {
  Furniture furniture{titleOf(scene, settings), "t"};  // room for the caption, which changes
  if (colouring.by == ColourBy::kSpeed) {
    furniture.bar = ColourBar{ColourMap::kSpeed, 0, colouring.to, "speed (m/s)", true};
  } else if (colouring.by == ColourBy::kDirection) {
    furniture.bar = directionBar();
  } else {
    furniture.legend = populationLegend(scene, survey.people, LegendEntry::Mark::kDisc);
  }
  addRegions(furniture, panels);
  if (settings.oblique) return furniture;
  // Whatever is seen at any time of the film.
  std::vector<double> times{std::max(settings.from, survey.first)};
  for (const TimedDoor& door : timeline.doors) times.insert(times.end(), door.turns.begin(), door.turns.end());
  for (const TimedObstacle& obstacle : timeline.obstacles) times.push_back(obstacle.there.from);
  for (const double time : times) {
    if (time < times[0] || time > std::min(endOf(settings), survey.last)) continue;
    for (LegendEntry& entry : fixturesLegend(scene, timeline, panels, ShownTime::at(time)))
      if (std::none_of(furniture.legend.begin(), furniture.legend.end(),
                       [&](const LegendEntry& there) { return there.label == entry.label; }))
        furniture.legend.push_back(std::move(entry));
  }
  return furniture;
}

/// Ground and words that never change are drawn once; each picture begins as a copy of them.
class FilmPainter {
 public:
  FilmPainter(const Scene& scene, std::vector<Panel> panels, const Timeline& timeline, const DrawSettings& settings,
              const Survey& survey)
      : settings_(settings),
        panels_(std::move(panels)),
        timeline_(timeline),
        colouring_{settings.colour_by, 0, scaleEnd(survey.fast)},
        furniture_(filmFurniture(scene, panels_, timeline, settings, survey, colouring_)),
        view_(viewOf(panels_, settings, survey.bounds)),
        layout_(layoutPanels(panels_, furniture_, settings, view_, true)),
        background_(layout_.width, layout_.height),
        picture_(layout_.width, layout_.height) {
    for (const Panel& panel : panels_) pages_.emplace_back(view_, panel.place);
    for (std::size_t i = 0; i < panels_.size(); ++i) paintBackground(i);
    paintFurniture(background_, layout_, furniture_, pages_[0]);
  }

  const ImageCanvas& size() const { return background_; }

  ImageCanvas& paint(const Moment& moment, const Playback& playback) {
    picture_.copyFrom(background_);
    for (std::size_t i = 0; i < panels_.size(); ++i) {
      const Panel& panel = panels_[i];
      picture_.clip(worldClip(panel, layout_, settings_));
      if (settings_.oblique) {
        model_->paint(picture_, moment, colouring_);
      } else {
        Labels labels(panel.place, layout_.unit);
        const ShownTime now = ShownTime::at(moment.time);
        paintInserted(picture_, pages_[i], panel, timeline_, now, labels, layout_.unit);
        paintDoors(picture_, pages_[i], panel, timeline_, now, labels, layout_.unit);
        paintTrails(picture_, pages_[i], panel, moment, playback, settings_.trail, colouring_, layout_.unit);
        paintPeople(picture_, pages_[i], onPanel(moment, panel), colouring_, layout_.unit, model_.get());
      }
      picture_.unclip();
    }
    paintCaption(picture_, layout_, fmt::format("t = {:.1f} s · {}", moment.time, peopleText(moment.people.size())));
    return picture_;
  }

 private:
  void paintBackground(std::size_t i) {
    const Panel& panel = panels_[i];
    background_.clip(worldClip(panel, layout_, settings_));
    if (panel.isModel()) {
      model_ = std::make_unique<Model>(*panel.layers[0].mesh, settings_, pages_[i], layout_.unit);
      if (!settings_.oblique) model_->paint(background_);
    } else {
      Labels labels(panel.place, layout_.unit);
      paintGround(background_, pages_[i], panel, labels, layout_.unit);
    }
    background_.unclip();
    paintPanelFrame(background_, panel, pages_[i], layout_, settings_);
  }

  const DrawSettings& settings_;
  std::vector<Panel> panels_;
  const Timeline& timeline_;
  Colouring colouring_;
  Furniture furniture_;
  Rectangle view_;
  PageLayout layout_;
  std::vector<PageTransform> pages_;
  std::unique_ptr<Model> model_;
  ImageCanvas background_, picture_;
};

}  // namespace

void checkFilm(const DrawSettings& settings, const std::string& path) {
  checkSettings(settings);
  checkedExtension(path, {".mp4"});
  if (settings.colour_by == ColourBy::kTime)
    throw InputError("a film cannot be coloured by time; allowed: population, speed, direction");
}

void drawFilmOf(const Scene& scene, FrameSource& frames, const std::string& path, const DrawSettings& settings,
                const std::function<bool(double)>& progress) {
  checkFilm(settings, path);
  WholeFile file(path, settings.overwrite);
  std::vector<Panel> panels = panelsFor(scene, settings);
  const LayerChoice layers = choiceOf(panels);
  const Survey found = survey(frames, layers, settings.from, endOf(settings));
  const auto [from, to] = intervalOf(found, settings);
  const Timeline timeline = timelineOf(scene, frames);
  FilmPainter painter(scene, std::move(panels), timeline, settings, found);
  Encoder encoder(file.partial(), painter.size().width(), painter.size().height(), settings.film_rate);
  MomentReader reader(frames, layers);
  Playback playback(reader, settings.trail);
  const double step = settings.film_speed / settings.film_rate;
  const auto count = static_cast<std::uint64_t>(std::floor((to - from) / step + 1e-6)) + 1;
  for (std::uint64_t i = 0; i < count; ++i) {
    const Moment& moment = playback.at(from + static_cast<double>(i) * step);
    ImageCanvas& picture = painter.paint(moment, playback);
    encoder.write(picture.pixels(), picture.byteCount());
    if (progress && !progress(static_cast<double>(i + 1) / static_cast<double>(count))) return;
  }
  encoder.finish();
  file.keep();
}

}  // namespace throng::draw
