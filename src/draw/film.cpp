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

Furniture filmFurniture(const ShownLayer& shown, const DrawSettings& settings, const Survey& survey,
                        const Colouring& colouring) {
  Furniture furniture{titleOf(shown.scene, settings), "t"};  // room for the caption, which changes
  if (colouring.by == ColourBy::kSpeed) {
    furniture.bar = ColourBar{ColourMap::kSpeed, 0, colouring.to, "speed (m/s)", true};
  } else if (colouring.by == ColourBy::kDirection) {
    furniture.bar = directionBar();
  } else {
    furniture.legend = populationLegend(shown.scene, survey.people, LegendEntry::Mark::kDisc);
  }
  const std::vector<std::string> types = regionTypes(shown.ground);
  for (std::size_t i = 0; i < types.size(); ++i)
    furniture.legend.push_back({LegendEntry::Mark::kSquare, regionColour(types[i], i), types[i]});
  return furniture;
}

/// Ground and words that never change are drawn once; each picture begins as a copy of them.
class FilmPainter {
 public:
  FilmPainter(const ShownLayer& shown, const DrawSettings& settings, const Survey& survey)
      : settings_(settings),
        colouring_{settings.colour_by, 0, scaleEnd(survey.fast)},
        furniture_(filmFurniture(shown, settings, survey, colouring_)),
        view_(viewOf(shown, settings, survey.bounds)),
        layout_(layoutFor(furniture_, settings, view_, true)),
        page_(view_, layout_.panel),
        background_(layout_.width, layout_.height),
        picture_(layout_.width, layout_.height) {
    background_.clip(worldClip(layout_, settings_));
    if (shown.mesh) {
      model_ = std::make_unique<Model>(*shown.mesh, settings, page_, layout_.unit);
      if (!settings.oblique) model_->paint(background_);
    } else {
      paintFloor(background_, page_, shown.ground, layout_.unit);
      paintSolids(background_, page_, shown.ground, layout_.unit);
    }
    background_.unclip();
    paintFrame(background_, layout_, settings_);
    paintFurniture(background_, layout_, furniture_, page_);
  }

  const ImageCanvas& size() const { return background_; }

  ImageCanvas& paint(const Moment& moment, const Playback& playback, const std::optional<Rectangle>& wrap) {
    picture_.copyFrom(background_);
    picture_.clip(worldClip(layout_, settings_));
    if (settings_.oblique) {
      model_->paint(picture_, moment, colouring_);
    } else {
      paintTrails(picture_, page_, moment, playback, settings_.trail, wrap, colouring_, layout_.unit);
      paintPeople(picture_, page_, moment, colouring_, layout_.unit, model_.get());
    }
    picture_.unclip();
    paintCaption(picture_, layout_, fmt::format("t = {:.1f} s · {}", moment.time, peopleText(moment.people.size())));
    return picture_;
  }

 private:
  const DrawSettings& settings_;
  Colouring colouring_;
  Furniture furniture_;
  Rectangle view_;
  PageLayout layout_;
  PageTransform page_;
  std::unique_ptr<Model> model_;
  ImageCanvas background_, picture_;
};

}  // namespace

void drawFilmOf(const Scene& scene, FrameSource& frames, const std::string& path, const DrawSettings& settings,
                const std::function<bool(double)>& progress) {
  checkSettings(settings);
  checkedExtension(path, {".mp4"});
  if (settings.colour_by == ColourBy::kTime)
    throw InputError("a film cannot be coloured by time; allowed: population, speed, direction");
  OutputFile file(path, settings.overwrite);
  const ShownLayer shown = shownLayer(scene, settings);
  const Survey found = survey(frames, shown.layer, shown.ground.wrap, settings.from, endOf(settings));
  const auto [from, to] = intervalOf(found, settings);
  FilmPainter painter(shown, settings, found);
  Encoder encoder(file.partial(), painter.size().width(), painter.size().height(), settings.film_rate);
  MomentReader reader(frames, shown.layer, shown.ground.wrap);
  Playback playback(reader, settings.trail);
  const double step = settings.film_speed / settings.film_rate;
  const auto count = static_cast<std::uint64_t>(std::floor((to - from) / step + 1e-6)) + 1;
  for (std::uint64_t i = 0; i < count; ++i) {
    const Moment& moment = playback.at(from + static_cast<double>(i) * step);
    ImageCanvas& picture = painter.paint(moment, playback, reader.wrap());
    encoder.write(picture.pixels(), picture.byteCount());
    if (progress && !progress(static_cast<double>(i + 1) / static_cast<double>(count))) return;
  }
  encoder.finish();
  file.keep();
}

}  // namespace throng::draw
