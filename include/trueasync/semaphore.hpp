// Semaphore: a number of permits; whoever wants one while there is none waits, first come first served. A permit that is
// given back belongs to the oldest waiter from that instant, and passes on if it leaves.
//
// Owns: its count. Lifetime: outlives its waiters (checked); neither copied nor moved. Threads: one runtime's.
// Errors: acquire throws Cancelled; TimeoutError with a limit, OperationCancelled with a token. Taking a free permit is
// no suspension point and costs an increment.
#pragma once

#include <chrono>
#include <cstddef>
#include <utility>

#include "trueasync/detail/wait_queue.hpp"
#include "trueasync/source_location.hpp"

namespace trueasync {

class Semaphore {
 public:
  // Gives its permit back when it goes.
  class Permit {
   public:
    Permit() noexcept = default;
    explicit Permit(Semaphore& semaphore) noexcept : semaphore_(&semaphore) {}
    Permit(Permit&& other) noexcept : semaphore_(std::exchange(other.semaphore_, nullptr)) {}
    Permit& operator=(Permit other) noexcept {
      std::swap(semaphore_, other.semaphore_);
      return *this;
    }
    ~Permit() {
      if (semaphore_) semaphore_->release();
    }
    explicit operator bool() const noexcept { return semaphore_ != nullptr; }

   private:
    Semaphore* semaphore_ = nullptr;
  };

  explicit Semaphore(std::size_t permits) noexcept : queue_("a permit of a semaphore", permits) {}

  void acquire(SourceLocation location = SourceLocation::current()) {
    if (!queue_.try_acquire()) queue_.wait({}, location);
  }
  void acquire(std::chrono::nanoseconds timeout, SourceLocation location = SourceLocation::current()) {
    if (!queue_.try_acquire()) queue_.wait({.timeout = timeout}, location);
  }
  void acquire(Event& token, SourceLocation location = SourceLocation::current()) {
    if (!queue_.try_acquire()) queue_.wait({.token = &token}, location);
  }
  bool try_acquire() noexcept { return queue_.try_acquire(); }
  void release() noexcept { queue_.release_permit(); }

  // acquire() whose permit can't be forgotten.
  [[nodiscard]] Permit permit(SourceLocation location = SourceLocation::current()) {
    acquire(location);
    return Permit(*this);
  }

  std::size_t available() const noexcept { return queue_.available(); }

 private:
  detail::PermitQueue queue_;
};

}  // namespace trueasync
