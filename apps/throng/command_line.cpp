#include "command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <vector>

namespace throng::app {
namespace {

/// The text as it is to be read, or why it cannot be.
std::string wholeNumber(std::string& text, bool is_signed) {
  const bool negative = is_signed && !text.empty() && text.front() == '-';
  std::string digits = text.substr(negative ? 1 : 0);
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos)
    return fmt::format("{} is no whole number{}", text, is_signed ? "" : " of 0 or more");
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  std::uint64_t value = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), value).ec != std::errc{})
    return fmt::format("{} is too large a number", text);
  text = (negative ? "-" : "") + digits;
  return {};
}

std::string finiteNumber(const std::string& text) {
  double value = 0;
  const char* begin = text.data() + (text.size() > 1 && text[0] == '+' ? 1 : 0);
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(begin, end, value);
  if (read.ec == std::errc{} && read.ptr == end && std::isfinite(value)) return {};
  return fmt::format("{} is no finite number", text);
}

/// Letters put in, left out, changed or swapped with their neighbour (Damerau 1964; the restricted form).
std::size_t editDistance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

/// Empty when none is near enough.
std::string nearest(const std::string& name, const std::vector<std::string>& names) {
  constexpr std::size_t kLongest = 40;
  if (name.size() > kLongest) return {};
  std::string best;
  std::size_t least = name.size() < 3 ? 1 : 2 + name.size() / 6;
  for (const std::string& candidate : names) {
    const std::size_t distance = editDistance(name, candidate);
    // A short name may not be changed as a whole.
    if (distance >= candidate.size() || distance > least || (distance == least && !best.empty())) continue;
    best = candidate;
    least = distance;
  }
  return best;
}

std::vector<std::string> verbsOf(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(verb->get_name());
  return names;
}

std::vector<std::string> longOptionsOf(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back(name);
  return names;
}

}  // namespace

void guardNumbers(CLI::App& app) {
  for (CLI::App* verb : app.get_subcommands([](CLI::App*) { return true; })) {
    guardNumbers(*verb);
    for (CLI::Option* option : verb->get_options()) {
      const std::string type = option->get_type_name();
      // The validators of an option run from the last to the first that was added to its front.
      if (type.rfind("UINT", 0) == 0 || type.rfind("INT", 0) == 0) {
        const bool is_signed = type[0] == 'I';
        option->transform(CLI::Validator([is_signed](std::string& text) { return wholeNumber(text, is_signed); }, ""));
      } else if (type.rfind("FLOAT", 0) == 0) {
        option->transform(CLI::Validator([](std::string& text) { return finiteNumber(text); }, ""));
      }
    }
  }
}

std::string whatIsWrong(const CLI::App& app, std::string what, int argc, const char* const* argv) {
  if (what.empty() || what.back() != '.') what += '.';
  const auto said = [&](const std::string& meant, const char* dashes) {
    return meant.empty() ? what : fmt::format("{} Did you mean '{}{}'?", what, dashes, meant);
  };
  const std::vector<std::string> verbs = verbsOf(app);
  const CLI::App* verb = nullptr;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--") break;
    if (word.rfind("--", 0) == 0) {
      const std::string name = word.substr(2, word.find('=') == std::string::npos ? word.npos : word.find('=') - 2);
      const std::vector<std::string> options = longOptionsOf(verb ? *verb : app);
      if (std::find(options.begin(), options.end(), name) == options.end()) return said(nearest(name, options), "--");
    } else if (!verb && word.rfind('-', 0) != 0) {
      if (std::find(verbs.begin(), verbs.end(), word) == verbs.end()) {
        what = fmt::format("there is no verb '{}'.", word);
        return said(nearest(word, verbs), "");
      }
      verb = app.get_subcommand(word);
    } else if (verb && word.rfind('-', 0) != 0) {
      // A verb that has verbs of its own: the next word is one of them.
      const std::vector<std::string> parts = verbsOf(*verb);
      if (parts.empty()) continue;
      if (std::find(parts.begin(), parts.end(), word) == parts.end()) {
        what = fmt::format("'{}' has no '{}'.", verb->get_name(), word);
        return said(nearest(word, parts), "");
      }
      verb = verb->get_subcommand(word);
    }
  }
  return what;
}

Point placeOf(const std::string& text, const std::string& option) {
  Point place;
  int used = 0;
  const int found = std::sscanf(text.c_str(), "%lf,%lf%n", &place.x, &place.y, &used);
  if (found != 2 || static_cast<std::size_t>(used) != text.size() || !std::isfinite(place.x) || !std::isfinite(place.y))
    throw InputError(fmt::format("{} {}: allowed: a place as X,Y in m, such as 12.5,3", option, text));
  return place;
}

}  // namespace throng::app
