// Semaphore: a number of permits. Waiters get permits in FIFO order; a released permit is granted to the oldest waiter
// immediately, and to the next if that waiter is cancelled before it runs.
//
// Not copyable, not movable. Acquiring a free permit is not a suspension point.
//
// Lifetime: must outlive its waiters (checked).
// Thread safety: one runtime.
// Errors: acquire() throws Cancelled, TimeoutError if the time of `options` expires, OperationCancelled if its token
// fires.
#pragma once

#include <cstddef>
#include <utility>

#include "trueasync/detail/wait_queue.hpp"
#include "trueasync/source_location.hpp"

namespace trueasync {

class Semaphore {
 public:
  // Permit: releases its permit when it is destroyed.
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

  void acquire(WaitOptions options = {}, SourceLocation location = SourceLocation::current()) {
    if (!queue_.try_acquire()) queue_.wait(options, location);
  }
  bool try_acquire() noexcept { return queue_.try_acquire(); }
  void release() noexcept { queue_.release_permit(); }

  // acquire() with an automatic release().
  [[nodiscard]] Permit permit(WaitOptions options = {}, SourceLocation location = SourceLocation::current()) {
    acquire(options, location);
    return Permit(*this);
  }

  std::size_t available() const noexcept { return queue_.available(); }

 private:
  detail::PermitQueue queue_;
};

}  // namespace trueasync
