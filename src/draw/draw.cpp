// The public drawing functions: a scene, a recording or any other frames, handed to the painters.
#include "throng/draw.h"

#include "throng/files.h"

#include "agents/reread.h"
#include "draw/encoder.h"
#include "draw/film.h"
#include "draw/overlay.h"
#include "draw/picture.h"
#include "record/layer_finder.h"

namespace throng {
namespace {

/// A recording in the scene given, which may say more than the file.
class RecordingFrames final : public FrameSource {
 public:
  RecordingFrames(Recording& recording, const DrawSettings& settings) : recording_(recording) {
    if (settings.scene && settings.scene->layers.size() > 1 && !recording.hasLayers()) layers_.emplace(*settings.scene);
  }
  const std::optional<std::vector<Change>>& changes() const override { return recording_.changes(); }
  double framesPerSecond() const override { return recording_.framesPerSecond(); }

 private:
  bool read(FrameCopy& frame, std::vector<Arrival>* arrivals) override {
    if (!recording_.next(frame, arrivals)) return false;
    if (layers_) layers_->assign(frame);
    return true;
  }
  void restart() override { recording_.rewind(); }

  Recording& recording_;
  std::optional<record::LayerFinder> layers_;  ///< of the scene given, for files that do not say
};

/// The scene given, or the recording's.
Scene sceneOf(const Recording& recording, const DrawSettings& settings) {
  return settings.scene ? *settings.scene : sceneOf(recording);
}

}  // namespace

void drawScene(const Scene& scene, const Frame* people, const std::string& path, const DrawSettings& settings) {
  draw::drawStill(scene, people, path, settings);
}

void drawOverlay(const Scene& scene, const Overlay& overlay, const std::string& path, const DrawSettings& settings) {
  draw::drawOver(scene, overlay, path, settings);
}

void drawRecording(Recording& recording, const std::string& path, const DrawSettings& settings,
                   const Overlay& overlay) {
  RecordingFrames frames(recording, settings);
  draw::drawRun(sceneOf(recording, settings), frames, path, settings, overlay);
}

void drawFrames(const Scene& scene, FrameSource& frames, const std::string& path, const DrawSettings& settings,
                const Overlay& overlay) {
  draw::checkRun(settings, path);
  checkOutput(path, settings.overwrite);  // before anything is simulated
  agents::Reread run(frames, draw::endOf(settings));
  draw::drawRun(scene, run.frames(), path, settings, overlay);
}

void drawFilm(Recording& recording, const std::string& path, const DrawSettings& settings,
              const std::function<bool(double)>& progress) {
  RecordingFrames frames(recording, settings);
  draw::drawFilmOf(sceneOf(recording, settings), frames, path, settings, progress);
}

void drawFilm(const Scene& scene, FrameSource& frames, const std::string& path, const DrawSettings& settings,
              const std::function<bool(double)>& progress) {
  draw::checkFilm(settings, path);
  draw::requireEncoder();
  checkOutput(path, settings.overwrite);
  agents::Reread run(frames, draw::endOf(settings));
  draw::drawFilmOf(scene, run.frames(), path, settings, progress);
}

}  // namespace throng
