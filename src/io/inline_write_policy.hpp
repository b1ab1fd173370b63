// InlineWritePolicy: whether writes that may block run inline on the runtime's thread.
//
// A write to the page cache is a memory copy and costs less than a round trip to a worker thread. But the kernel makes
// writers wait for the disk while too much data is dirty. Therefore writes run inline while they are fast. The time of
// a write beyond kQuickWrite adds to a debt; elapsed time reduces the debt at one eighth of its rate. If the debt
// exceeds kMaxDebt, worker threads do the writes during a backoff, which doubles with each repetition.
//
// Thread safety: one object per thread.
#pragma once

#include <algorithm>
#include <chrono>

#include "trueasync/event.hpp"

namespace trueasync::detail {

class InlineWritePolicy {
 public:
  static constexpr std::chrono::nanoseconds kQuickWrite = std::chrono::milliseconds(1);
  static constexpr std::chrono::nanoseconds kMaxDebt = std::chrono::milliseconds(4);
  static constexpr std::chrono::nanoseconds kInitialBackoff = std::chrono::milliseconds(50);
  static constexpr std::chrono::nanoseconds kMaxBackoff = std::chrono::seconds(3);
  static constexpr std::chrono::nanoseconds kBackoffResetAfter = std::chrono::seconds(10);

  bool allows_inline(TimePoint now) const noexcept { return now >= resume_; }

  void record(TimePoint begin, TimePoint end) noexcept {
    debt_ = std::max(debt_ - (begin - last_) / 8, std::chrono::nanoseconds::zero());
    debt_ += std::max(end - begin - kQuickWrite, std::chrono::nanoseconds::zero());
    last_ = end;
    if (debt_ <= kMaxDebt) return;
    if (end - resume_ > kBackoffResetAfter) backoff_ = kInitialBackoff;
    resume_ = end + backoff_;
    backoff_ = std::min(backoff_ * 2, kMaxBackoff);
    debt_ = std::chrono::nanoseconds::zero();
  }

 private:
  std::chrono::nanoseconds debt_{0};
  std::chrono::nanoseconds backoff_ = kInitialBackoff;
  TimePoint last_{};
  TimePoint resume_{};
};

}  // namespace trueasync::detail
