// The HDF5 library behind owning handles. It is not made for threads: everything that calls it holds a Hdf5Lock.
#pragma once

#include <functional>
#include <hdf5.h>
#include <mutex>
#include <string>
#include <utility>

#include "base/process_copy.h"

namespace throng::record {

/// One thread at a time in the library, and no error stack on the terminal meanwhile.
class Hdf5Lock {
 public:
  Hdf5Lock();
  ~Hdf5Lock();
  Hdf5Lock(const Hdf5Lock&) = delete;
  Hdf5Lock& operator=(const Hdf5Lock&) = delete;

 private:
  std::unique_lock<std::mutex> lock_;
  H5E_auto2_t print_ = nullptr;
  void* print_data_ = nullptr;
};

/// Runs something in a copy of this process. The library crashes on some damaged files, and does not recover from
/// others; the copy finds out in our place.
base::ProcessOutcome tryInACopy(const std::function<std::string()>& action, unsigned cpu_seconds);

/// Owns an id of the library; negative when making it failed.
class Hdf5Id {
 public:
  using Close = herr_t (*)(hid_t);
  Hdf5Id() = default;
  Hdf5Id(hid_t id, Close close) : id_(id), close_(close) {}
  Hdf5Id(Hdf5Id&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Id& operator=(Hdf5Id&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Hdf5Id() { reset(); }

  void reset() {
    if (id_ >= 0) close_(std::exchange(id_, -1));
  }
  hid_t get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

}  // namespace throng::record
