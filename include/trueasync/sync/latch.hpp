// Latch: opens once, when it has been counted down to zero.
//
// WaitGroup waits until every added member is done and can be reused. A wait at count zero does not suspend and is not
// a suspension point.
//
// Lifetime: must outlive its waiters (checked).
// Thread safety: one runtime.
// Errors: wait() throws Cancelled, TimeoutError if the time of `options` expires, OperationCancelled if its token fires.
// Counting below zero throws MisuseError.
#pragma once

#include <cstddef>

#include "trueasync/detail/wait_queue.hpp"
#include "trueasync/source_location.hpp"

namespace trueasync {

class TRUEASYNC_EXPORT Latch {
 public:
  explicit Latch(std::size_t count) noexcept : count_(count) {}

  void count_down(std::size_t by = 1);
  void wait(WaitOptions options = {}, SourceLocation location = SourceLocation::current()) {
    if (count_ != 0) queue_.wait(options, location);
  }
  void arrive_and_wait(WaitOptions options = {}, SourceLocation location = SourceLocation::current()) {
    count_down();
    wait(options, location);
  }
  std::size_t count() const noexcept { return count_; }
  bool is_open() const noexcept { return count_ == 0; }

 private:
  friend class WaitGroup;

  std::size_t count_;
  detail::WaitQueue queue_{"a latch"};
};

// WaitGroup: waits until every added member is done; reusable.
class WaitGroup {
 public:
  // Member: calls done() when it is destroyed, however its coroutine ends.
  class Member {
   public:
    explicit Member(WaitGroup& group) noexcept : group_(&group) { group.add(); }
    Member(Member&& other) noexcept : group_(std::exchange(other.group_, nullptr)) {}
    Member& operator=(Member&&) = delete;
    ~Member() {
      if (group_) group_->done();
    }

   private:
    WaitGroup* group_;
  };

  void add(std::size_t count = 1) noexcept { latch_.count_ += count; }
  void done() { latch_.count_down(); }
  [[nodiscard]] Member member() noexcept { return Member(*this); }
  void wait(WaitOptions options = {}, SourceLocation location = SourceLocation::current()) {
    latch_.wait(options, location);
  }
  std::size_t count() const noexcept { return latch_.count(); }

 private:
  Latch latch_{0};
};

}  // namespace trueasync
