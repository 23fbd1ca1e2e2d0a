// What several views have in common.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "throng/views.h"

namespace throng::views {

using Mark = Overlay::Key::Mark;

/// More words under the title.
void addCaption(Overlay& overlay, const std::string& words);
/// A line around a circle (m) that ends where it begins.
std::vector<Point> circleLine(Point centre, double radius);
/// "1 route", "2 routes".
std::string counted(std::size_t n, const char* word);

}  // namespace throng::views
