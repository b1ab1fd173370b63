// DescriptorRegistration: a persistent registration of one descriptor. Repeated waits cost no system call. The
// descriptor is registered with the kernel on the first wait.
//
// Ownership: owns the registration, not the descriptor.
// Lifetime: reference-counted; may outlive the reactor. Call close() before the descriptor is closed.
// Thread safety: the reactor's thread.
// Errors: the start of an event returns them.
#pragma once

#include <utility>

#include "event/waker.hpp"
#include "reactor/reactor.hpp"

namespace trueasync::detail {

// The mode in which readiness is reported. Level: as long as it lasts; for listeners and for waits without a preceding
// attempt. Edge: once per change; cheaper, for callers that try the system call before they wait.
enum class PollMode : std::uint8_t { level, edge };

// ReadinessQueue: one direction of an edge-triggered registration, and the fast path to wait for it. A coroutine that
// waits for nothing else links its entry into waiters() and is woken from there, without subscribing to the event.
class ReadinessQueue {
 public:
  ReadinessQueue(Event& event, LivenessCounts& liveness) noexcept : event_(event), liveness_(liveness) {}
  ReadinessQueue(const ReadinessQueue&) = delete;
  ReadinessQueue& operator=(const ReadinessQueue&) = delete;

  Event& event() noexcept { return event_; }
  LivenessCounts& liveness() noexcept { return liveness_; }
  IntrusiveList<WaitEntry>& waiters() noexcept { return waiters_; }

  // Call before an attempt: the attempt covers all readiness reported so far.
  void clear_pending() noexcept { pending_ = false; }
  bool is_pending() const noexcept { return pending_; }
  // Returns whether readiness was reported while no coroutine waited, and clears it.
  bool take_pending() const noexcept { return std::exchange(pending_, false); }
  // The peer hung up or urgent data arrived: no further edge may follow, so a short read does not mean drained.
  bool has_hung_up() const noexcept { return hung_up_; }
  // The number of readiness reports, awaited or not. Only differences of two values are meaningful.
  std::uint32_t ready_count() const noexcept { return ready_count_; }

 protected:
  ~ReadinessQueue() = default;
  void count_ready() noexcept { ++ready_count_; }
  void set_pending() noexcept { pending_ = true; }
  void set_hung_up() noexcept { hung_up_ = true; }
  // Returns true if a coroutine was woken.
  bool wake_all() noexcept {
    bool any = false;
    while (WaitEntry* entry = waiters_.pop_front()) any |= entry->waker->grant_and_enqueue(*entry);
    return any;
  }

 private:
  Event& event_;
  LivenessCounts& liveness_;
  IntrusiveList<WaitEntry> waiters_;
  mutable bool pending_ = false;
  bool hung_up_ = false;
  std::uint32_t ready_count_ = 0;
};

class DescriptorRegistration {
 public:
  void retain() noexcept { ++references_; }
  void release() noexcept {
    if (--references_ == 0) dispose();
  }

  // Fire once per wait, with PollBits. An error condition fires both events.
  virtual Event& readable() noexcept = 0;
  virtual Event& writable() noexcept = 0;
  // The fast path; null if there is none or the descriptor cannot be registered.
  virtual ReadinessQueue* readable_queue() noexcept { return nullptr; }
  virtual ReadinessQueue* writable_queue() noexcept { return nullptr; }
  // The descriptor is about to be closed: all waits end with `reason`, and the descriptor is unregistered immediately.
  virtual void close(std::exception_ptr reason) noexcept = 0;
  // The descriptor was closed without close(), and its number may refer to another file now: no epoll_ctl is made. The
  // kernel may report this registration while the file is open elsewhere; the holder must keep it alive until then.
  virtual void abandon() noexcept {}

 protected:
  ~DescriptorRegistration() = default;
  virtual void dispose() noexcept = 0;

 private:
  unsigned references_ = 1;
};

}  // namespace trueasync::detail
