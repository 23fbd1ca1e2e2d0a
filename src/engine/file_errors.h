// Errors about what is in a file, with its name.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "throng/base.h"

namespace throng::engine {

/// What `work` returns; the findings of an InputError that it throws are about the file.
template <class Work>
auto inFile(const std::string& path, Work&& work) {
  try {
    return work();
  } catch (const InputError& error) {
    std::vector<Diagnostic> findings = error.diagnostics();
    for (Diagnostic& finding : findings)
      if (finding.file.empty()) finding.file = path;
    throw InputError(std::move(findings));
  }
}

}  // namespace throng::engine
