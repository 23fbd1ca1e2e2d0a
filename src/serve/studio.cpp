#include "throng/studio.h"

#include "serve/show.h"

namespace throng {

struct Studio::State {
  serve::Show show;
};

Studio::Studio(const Scene& scene, const StudioSettings& settings) : state_(new State{{scene, settings}}) {}
Studio::~Studio() = default;
Studio::Studio(Studio&&) noexcept = default;
Studio& Studio::operator=(Studio&&) noexcept = default;

std::string Studio::address() const { return state_->show.address(); }
void Studio::run(const std::function<bool()>& stop) { state_->show.run(stop); }

}  // namespace throng
