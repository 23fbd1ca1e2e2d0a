// Parts of the pages in docs/, for tests that what they say is true.
#pragma once

#include <sstream>
#include <string>
#include <vector>

namespace throng::scene {

/// The blocks between ```language and ```, each line with its end.
inline std::vector<std::string> blocks(const std::string& text, const std::string& language) {
  std::vector<std::string> found;
  std::istringstream lines(text);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (!inside && line == "```" + language) {
      inside = true;
      found.emplace_back();
    } else if (inside && line == "```") {
      inside = false;
    } else if (inside) {
      found.back() += line + "\n";
    }
  }
  return found;
}

/// The text of a page from a heading to the next one that is not below it.
inline std::string section(const std::string& page, const std::string& heading) {
  const std::size_t begin = page.find("\n" + heading + "\n");
  if (begin == std::string::npos) return {};
  const std::size_t level = heading.find(' ');
  std::size_t end = begin + 1 + heading.size();
  do {
    end = page.find("\n#", end + 1);
  } while (end != std::string::npos && page.find_first_not_of('#', end + 1) - end - 1 > level);
  return page.substr(begin, end - begin);
}

}  // namespace throng::scene
