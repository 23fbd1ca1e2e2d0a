#include "record/frame_queue.h"

#include <algorithm>

namespace throng::record {

std::size_t QueuedFrame::bytes() const {
  const std::size_t per_person = sizeof(std::uint32_t) + 6 * sizeof(float) + 2 * sizeof(std::uint16_t);
  return sizeof(QueuedFrame) + frame.person.size() * per_person + arrivals.size() * sizeof(Arrival) +
         changes.size() * sizeof(Change);
}

bool FrameQueue::push(QueuedFrame&& frame) {
  const std::size_t bytes = frame.bytes();
  std::unique_lock lock(mutex_);
  room_.wait(lock, [&] { return abandoned_ || bytes_ == 0 || bytes_ + bytes <= limit_; });
  if (abandoned_) return false;
  bytes_ += bytes;
  peak_ = std::max(peak_, bytes_);
  frames_.push_back(std::move(frame));
  news_.notify_one();
  return true;
}

std::optional<QueuedFrame> FrameQueue::pop(std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  news_.wait_until(lock, deadline, [&] { return ended_ || !frames_.empty(); });
  if (frames_.empty()) return std::nullopt;
  std::optional<QueuedFrame> frame(std::move(frames_.front()));
  frames_.pop_front();
  popped_bytes_ = frame->bytes();
  return frame;
}

void FrameQueue::done() {
  const std::lock_guard lock(mutex_);
  bytes_ -= popped_bytes_;
  popped_bytes_ = 0;
  room_.notify_one();
}

void FrameQueue::end() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  news_.notify_one();
}

void FrameQueue::abandon() {
  const std::lock_guard lock(mutex_);
  abandoned_ = true;
  room_.notify_all();
}

bool FrameQueue::finished() const {
  const std::lock_guard lock(mutex_);
  return ended_ && frames_.empty();
}

std::size_t FrameQueue::peakBytes() const {
  const std::lock_guard lock(mutex_);
  return peak_;
}

}  // namespace throng::record
