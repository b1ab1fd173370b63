// A registration of one descriptor that stays while its owner does I/O on it: waiting again and again costs no system
// call. The loop listens lazily: it begins with the first wait.
//
// Owns: the registration, not the descriptor. Lifetime: close() before the descriptor is closed; counted, may outlive
// the reactor. Threads: the reactor's. Errors: starting an event returns them.
#pragma once

#include <utility>

#include "event/waker.hpp"
#include "reactor/reactor.hpp"

namespace trueasync::detail {

// How readiness is told. Level: as long as it lasts; for listeners and whatever may be waited for untried. Edge: when it
// comes, once; cheaper, for those who try before they wait.
enum class PollMode : std::uint8_t { level, edge };

// One direction of an edge-triggered watch, and the short way to wait for it: a coroutine that waits for nothing else
// stands in `waiting` itself and is served from there, without subscribing to the event or starting it.
class ReadinessQueue {
 public:
  ReadinessQueue(Event& event, LivenessCounts& liveness) noexcept : event_(event), liveness_(liveness) {}
  ReadinessQueue(const ReadinessQueue&) = delete;
  ReadinessQueue& operator=(const ReadinessQueue&) = delete;

  Event& event() noexcept { return event_; }
  LivenessCounts& liveness() noexcept { return liveness_; }
  IntrusiveList<WaitEntry>& waiters() noexcept { return waiting_; }

  // Before a try: it will see whatever has been told so far.
  void clear_pending() noexcept { is_kept_ = false; }
  bool is_pending() const noexcept { return is_kept_; }
  // True: something came while nobody waited.
  bool take_pending() const noexcept { return std::exchange(is_kept_, false); }
  // Nothing may come after what is there to read: a short read does not tell that the rest is still to be announced.
  bool has_hung_up() const noexcept { return has_ended_; }
  // How often the loop has said that it is ready, waited for or not: for comparing two moments.
  std::uint32_t ready_count() const noexcept { return told_; }

 protected:
  ~ReadinessQueue() = default;
  void count_ready() noexcept { ++told_; }
  void set_pending() noexcept { is_kept_ = true; }
  void set_hung_up() noexcept { has_ended_ = true; }
  // True if somebody was there.
  bool wake_all() noexcept {
    bool any = false;
    while (WaitEntry* entry = waiting_.pop_front()) any |= entry->waker->grant_and_enqueue(*entry);
    return any;
  }

 private:
  Event& event_;
  LivenessCounts& liveness_;
  IntrusiveList<WaitEntry> waiting_;
  mutable bool is_kept_ = false;
  bool has_ended_ = false;
  std::uint32_t told_ = 0;
};

class DescriptorRegistration {
 public:
  void retain() noexcept { ++references_; }
  void release() noexcept {
    if (--references_ == 0) dispose();
  }

  // Fire once per wait, with PollBits. An error condition fires both (IO-08).
  virtual Event& readable() noexcept = 0;
  virtual Event& writable() noexcept = 0;
  // The short way, where there is one: otherwise, and when the descriptor can't be registered, null.
  virtual ReadinessQueue* readable_queue() noexcept { return nullptr; }
  virtual ReadinessQueue* writable_queue() noexcept { return nullptr; }
  // The descriptor will be closed: whoever waits is told `reason`, and the loop forgets the descriptor at once.
  virtual void close(std::exception_ptr reason) noexcept = 0;
  // The descriptor was closed without a word, and its number may mean another one: nothing is said to the kernel, which may
  // go on speaking of this watch as long as the file is open elsewhere. Whoever holds it must hold it until then.
  virtual void abandon() noexcept {}

 protected:
  ~DescriptorRegistration() = default;
  virtual void dispose() noexcept = 0;

 private:
  unsigned references_ = 1;
};

}  // namespace trueasync::detail
