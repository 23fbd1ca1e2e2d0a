// The verbs of the program. Each file adds one subcommand whose callback does the work and throws ExitCode for any end
// other than success.
#pragma once

namespace CLI {
class App;
}

namespace throng::app {

struct ExitCode {
  int value;
};

/// Bad input: a wrong scene, option, file.
inline constexpr int kBadInput = 2;
/// A route was asked for, and there is none.
inline constexpr int kNotReachable = 1;
/// Stopped by the user (Ctrl-C), as shells report it.
inline constexpr int kInterrupted = 130;

void addRun(CLI::App& app);
void addImport(CLI::App& app);
void addCheck(CLI::App& app);
void addDraw(CLI::App& app);
void addPlan(CLI::App& app);
void addExport(CLI::App& app);
void addPatch(CLI::App& app);
void addBench(CLI::App& app);
void addPaper(CLI::App& app);
void addStudio(CLI::App& app);
void addValidate(CLI::App& app);

}  // namespace throng::app
