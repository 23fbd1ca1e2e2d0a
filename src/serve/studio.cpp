#include "throng/studio.h"

#include "serve/theatre.h"

namespace throng {

struct Studio::State {
  explicit State(const StudioSettings& settings) : theatre(settings) {}
  serve::Theatre theatre;
};

Studio::Studio(const StudioSettings& settings) : state_(std::make_unique<State>(settings)) {}
Studio::Studio(const Scene& scene, const StudioSettings& settings) : Studio(settings) {
  state_->theatre.show(scene, settings.file);
}
Studio::Studio(const std::vector<std::string>& recordings, const StudioSettings& settings) : Studio(settings) {
  state_->theatre.show(recordings);
}
Studio::~Studio() = default;
Studio::Studio(Studio&&) noexcept = default;
Studio& Studio::operator=(Studio&&) noexcept = default;

std::string Studio::address() const { return state_->theatre.address(); }
void Studio::run(const std::function<bool()>& stop) { state_->theatre.run(stop); }

}  // namespace throng
