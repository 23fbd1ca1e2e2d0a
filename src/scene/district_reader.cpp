// Districts of crowd patches: which patches are played where. The patches themselves are only named.
#include <array>
#include <fmt/format.h>
#include <limits>

#include "scene/scene_reader.h"

namespace throng::scene {
namespace {

PatchStreet readStreet(const Value& value) {
  PatchStreet street;
  if (!value.isObject("street")) return street;
  if (const auto seed = value.find("seed"))
    street.seed = seed->wholeNumber(std::numeric_limits<std::uint64_t>::max()).value_or(street.seed);
  const auto whole = [&](const char* key, int& to) {
    constexpr std::uint64_t kMost = 1000;
    if (const auto number = value.find(key))
      to = static_cast<int>(number->wholeNumber(kMost).value_or(static_cast<std::uint64_t>(to)));
  };
  whole("crossings", street.crossings), whole("patterns", street.patterns);
  value.read("period", street.period);
  value.read("camera", street.camera);
  value.read("speed", street.speed);
  value.read("view", street.view);
  return street;
}

}  // namespace

DistrictChoice SceneReader::district(const Value& value) const {
  DistrictChoice choice;
  choice.pointer = value.pointer();
  PatchDistrict& district = choice.district;
  if (!value.isObject("district")) return choice;
  if (const auto name = value.require("name")) district.name = name->string().value_or("");
  if (const auto at = value.find("at")) district.at = geometry_.point(*at).value_or(Point{});
  value.read("layer", district.layer);
  constexpr std::array kSources = {"library", "map", "street"};
  std::vector<std::string_view> found;
  for (const char* key : kSources)
    if (value.find(key)) found.push_back(key);
  if (found.size() != 1) {
    value.error(found.empty() ? std::string("found no patches; allowed: one of \"library\", \"map\" and \"street\"")
                              : fmt::format("found {} together; allowed: one of them", listed(found)));
    return choice;
  }
  const Value source = *value.find(std::string(found.front()));
  choice.pointer = source.pointer();
  if (found.front() == "street") {
    district.street = readStreet(source);
    return choice;
  }
  std::string& file = found.front() == "map" ? district.map : district.library;
  file = source.string().value_or("");
  if (!file.empty()) choice.path = geometry_.filePath(source, file).value_or("");
  if (file.empty() && !value.findings().broken(source.pointer()))
    source.error("found no name; allowed: that of a file");
  return choice;
}

}  // namespace throng::scene
