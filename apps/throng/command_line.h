// What the parser of the command line does not do by itself: numbers that are what they seem, and suggestions.
#pragma once

#include <string>

#include "throng/base.h"

namespace CLI {
class App;
}

namespace throng::app {

/// Every option of every verb that takes a number: a whole number is written in digits and fits (the parser would take
/// -1 for a very large one, and 010 for 8); others are finite.
void guardNumbers(CLI::App& app);

/// What the parser says, with "Did you mean 'run'?" where there is no such verb or long option but a similar one.
std::string whatIsWrong(const CLI::App& app, std::string what, int argc, const char* const* argv);

/// "x,y" as a place; throws InputError that says what the option was given.
Point placeOf(const std::string& text, const std::string& option);

}  // namespace throng::app
