// What the parser of the command line does not do by itself: numbers that are what they seem, and suggestions.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace throng::app {

/// Every option of every verb that takes a number: a whole number is written in digits and fits (the parser would take
/// -1 for a very large one, and 010 for 8); others are finite.
void guardNumbers(CLI::App& app);

/// " Did you mean 'run'?" for a verb or a long option that there is not, or nothing.
std::string didYouMean(const CLI::App& app, int argc, const char* const* argv);

}  // namespace throng::app
