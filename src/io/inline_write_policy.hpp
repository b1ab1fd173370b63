// InlineWritePolicy: whether calls that may block are made on the loop's own thread. A write to the page cache is a copy in
// memory and costs less than the way to a thread and back; but a kernel that has too much to write back makes writers
// wait for the disk. So they are tried as long as they prove to be quick: what they take beyond kQuick is a debt, paid
// off with an eighth of the time that passes; when it is more than kPatience threads do the work for a while, longer
// each time it happens again.
//
// Owns: nothing. Threads: one per thread. Errors: none.
#pragma once

#include <algorithm>
#include <chrono>

#include "trueasync/wait.hpp"

namespace trueasync::detail {

class InlineWritePolicy {
 public:
  static constexpr std::chrono::nanoseconds kQuick = std::chrono::milliseconds(1);
  static constexpr std::chrono::nanoseconds kMaxDebt = std::chrono::milliseconds(4);
  static constexpr std::chrono::nanoseconds kFirstPause = std::chrono::milliseconds(50);
  static constexpr std::chrono::nanoseconds kLongestPause = std::chrono::seconds(3);
  static constexpr std::chrono::nanoseconds kForgiveAfter = std::chrono::seconds(10);

  bool allows_inline(TimePoint now) const noexcept { return now >= resume_; }

  void record(TimePoint begin, TimePoint end) noexcept {
    debt_ = std::max(debt_ - (begin - last_) / 8, std::chrono::nanoseconds::zero());
    debt_ += std::max(end - begin - kQuick, std::chrono::nanoseconds::zero());
    last_ = end;
    if (debt_ <= kMaxDebt) return;
    if (end - resume_ > kForgiveAfter) pause_ = kFirstPause;
    resume_ = end + pause_;
    pause_ = std::min(pause_ * 2, kLongestPause);
    debt_ = std::chrono::nanoseconds::zero();
  }

 private:
  std::chrono::nanoseconds debt_{0};
  std::chrono::nanoseconds pause_ = kFirstPause;
  TimePoint last_{};
  TimePoint resume_{};
};

}  // namespace trueasync::detail
