// Regions, by type or by what they cost.
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "throng/views.h"

#include "ground/region_weights.h"
#include "views/overlay_parts.h"

namespace throng {
namespace {

constexpr double kShare = 0.65;  // of the colour; the rest is white, or the model that is seen through it
constexpr std::uint32_t kNever = 0x7d1128;

std::string weightText(const Distribution& weight) {
  switch (weight.kind) {
    case Distribution::Kind::kConstant:
      return std::isinf(weight.mean) ? "never" : fmt::format("{:g}", weight.mean);
    case Distribution::Kind::kUniform:
      return fmt::format("{:g} to {:g}", weight.min, weight.max);
    case Distribution::Kind::kNormal:
      return fmt::format("{:g} ± {:g}", weight.mean, weight.deviation);
    case Distribution::Kind::kTruncatedNormal:
      return fmt::format("{:g} ± {:g}, {:g} to {:g}", weight.mean, weight.deviation, weight.min, weight.max);
  }
  return "";
}

/// Green below 1, from yellow to brown above, as far as the dearest ground of the profile.
std::uint32_t costColour(double weight, double dearest) {
  constexpr std::array<std::array<double, 3>, 3> kRamp{{{253, 231, 150}, {229, 128, 42}, {92, 38, 16}}};
  if (weight < 1) return 0x8cc084;
  const double share = dearest > 1 ? 2 * std::log(weight) / std::log(dearest) : 0;
  const std::size_t i = share >= 1 ? 1 : 0;
  std::uint32_t rgb = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double v = kRamp[i][k] + (kRamp[i + 1][k] - kRamp[i][k]) * (share - static_cast<double>(i));
    rgb = rgb << 8 | static_cast<std::uint32_t>(std::lround(std::clamp(v, 0.0, 255.0)));
  }
  return rgb;
}

/// Colours that the words mean to most people, then those of populations.
std::uint32_t typeColour(const std::string& type, std::size_t index) {
  struct Usual {
    const char* word;
    std::uint32_t rgb;
  };
  static constexpr std::array<Usual, 16> kUsual{{{"grass", 0x7cb35b},
                                                 {"lawn", 0x7cb35b},
                                                 {"park", 0x7cb35b},
                                                 {"forest", 0x3f7d3f},
                                                 {"water", 0x4a90c2},
                                                 {"puddle", 0x4a90c2},
                                                 {"mud", 0x7a5a3a},
                                                 {"road", 0x5f6368},
                                                 {"street", 0x5f6368},
                                                 {"crossing", 0xf2f2f2},
                                                 {"zebra", 0xf2f2f2},
                                                 {"pavement", 0xc9b99b},
                                                 {"paving", 0xc9b99b},
                                                 {"sand", 0xe6c66a},
                                                 {"stair", 0x9a78b5},
                                                 {"steps", 0x9a78b5}}};
  for (const Usual& usual : kUsual)
    if (type.find(usual.word) != std::string::npos) return usual.rgb;
  return populationPaint(index).rgb;
}

/// On paper, not seen through: what lies below would mix with it, and the ground would not have the legend's colours.
std::uint32_t paler(std::uint32_t rgb) {
  std::uint32_t mixed = 0;
  for (const int shift : {16, 8, 0}) {
    const auto v = static_cast<double>(rgb >> shift & 0xffu);
    mixed = mixed << 8 | static_cast<std::uint32_t>(std::lround(255 + (v - 255) * kShare));
  }
  return mixed;
}

}  // namespace

void addRegions(Overlay& overlay, const Scene& scene, const std::string& profile_name) {
  const ground::Regions regions(scene);
  const std::vector<std::string>& types = regions.types();
  std::vector<Paint> paint(types.size());
  std::vector<std::string> words(types);
  const auto paintOf = [&](std::uint32_t rgb) { return scene.mesh ? Paint{rgb, kShare} : Paint{paler(rgb), 1}; };
  for (std::size_t t = 1; t < types.size(); ++t) paint[t] = paintOf(typeColour(types[t], t - 1));
  if (!profile_name.empty()) {
    const auto profile = std::find_if(scene.profiles.begin(), scene.profiles.end(),
                                      [&](const Profile& p) { return p.name == profile_name; });
    if (profile == scene.profiles.end())
      throw InputError(fmt::format("There is no profile called \"{}\".", profile_name));
    const ground::PeoplesWeights peoples(regions, {&*profile, 1}, scene.run.seed);
    const std::span<const float> weights = peoples.typical(0);
    const auto weightOf = [&](std::size_t t) { return weights.empty() ? 1.0 : static_cast<double>(weights[t]); };
    double dearest = 1;
    for (std::size_t t = 1; t < types.size(); ++t)
      if (!std::isinf(weightOf(t))) dearest = std::max(dearest, weightOf(t));
    for (std::size_t t = 1; t < types.size(); ++t) {
      const bool never = std::isinf(weightOf(t));
      paint[t] = paintOf(never ? kNever : costColour(weightOf(t), dearest));
      const auto said = profile->region_weights.find(types[t]);
      words[t] += ": " + (said == profile->region_weights.end() ? std::string("1") : weightText(said->second));
    }
    views::addCaption(overlay, fmt::format("what a metre costs people of profile {}", profile_name));
  } else {
    views::addCaption(overlay, views::counted(types.size() - 1, "type") + " of region");
  }
  for (std::size_t layer = 0; layer < scene.layers.size(); ++layer)
    for (const ground::Regions::Part& part : regions.parts(static_cast<std::uint16_t>(layer)))
      overlay.areas.push_back({{part.area}, paint[part.type], static_cast<std::uint16_t>(layer)});
  for (std::size_t t = 1; t < types.size(); ++t) overlay.keys.push_back({views::Mark::kArea, paint[t], words[t]});
}

}  // namespace throng
