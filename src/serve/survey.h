// Curves of a whole recording, worked out beside what is shown of it.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "serve/figures.h"

namespace throng::serve {

class Survey {
 public:
  struct Found {
    std::vector<Figures> curve;
    std::vector<std::string> lines;
    bool complete = false;
  };
  /// `found` is called on a thread of its own, now and then and when all has been read.
  Survey(const std::string& path, std::function<void(const Found&)> found);
  ~Survey();
  Survey(const Survey&) = delete;
  Survey& operator=(const Survey&) = delete;

 private:
  void read(const std::string& path, const std::function<void(const Found&)>& found);

  std::atomic<bool> ending_{false};
  std::thread thread_;
};

}  // namespace throng::serve
