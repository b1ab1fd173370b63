// Latch: opens once, when it was counted down to zero. WaitGroup: waits until as many are done as were added, and may be
// used again afterwards.
//
// Owns: its count. Lifetime: outlives its waiters (checked). Threads: one runtime's. Errors: wait throws Cancelled;
// TimeoutError with a limit, OperationCancelled with a token; counting below zero is a MisuseError. Waiting for one that
// is at zero is no suspension point.
#pragma once

#include <chrono>
#include <cstddef>

#include "trueasync/detail/wait_queue.hpp"
#include "trueasync/source_location.hpp"

namespace trueasync {

class TRUEASYNC_EXPORT Latch {
 public:
  explicit Latch(std::size_t count) noexcept : count_(count) {}

  void count_down(std::size_t by = 1);
  void wait(SourceLocation location = SourceLocation::current()) {
    if (count_ != 0) queue_.wait({}, location);
  }
  void wait(std::chrono::nanoseconds timeout, SourceLocation location = SourceLocation::current()) {
    if (count_ != 0) queue_.wait({.timeout = timeout}, location);
  }
  void wait(Event& token, SourceLocation location = SourceLocation::current()) {
    if (count_ != 0) queue_.wait({.token = &token}, location);
  }
  void arrive_and_wait(SourceLocation location = SourceLocation::current()) {
    count_down();
    wait(location);
  }
  std::size_t count() const noexcept { return count_; }
  bool is_open() const noexcept { return count_ == 0; }

 private:
  friend class WaitGroup;

  std::size_t count_;
  detail::WaitQueue queue_{"a latch"};
};

class WaitGroup {
 public:
  // Counts one off when it goes, however its coroutine ends.
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
  void wait(SourceLocation location = SourceLocation::current()) { latch_.wait(location); }
  void wait(std::chrono::nanoseconds timeout, SourceLocation location = SourceLocation::current()) {
    latch_.wait(timeout, location);
  }
  void wait(Event& token, SourceLocation location = SourceLocation::current()) { latch_.wait(token, location); }
  std::size_t count() const noexcept { return latch_.count(); }

 private:
  Latch latch_{0};
};

}  // namespace trueasync
