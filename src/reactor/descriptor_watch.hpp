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
enum class WatchMode : std::uint8_t { level, edge };

// One direction of an edge-triggered watch, and the short way to wait for it: a coroutine that waits for nothing else
// stands in `waiting` itself and is served from there, without subscribing to the event or starting it.
class DirectWait {
 public:
  DirectWait(Event& event, Liveness& liveness) noexcept : event_(event), liveness_(liveness) {}
  DirectWait(const DirectWait&) = delete;
  DirectWait& operator=(const DirectWait&) = delete;

  Event& event() noexcept { return event_; }
  Liveness& liveness() noexcept { return liveness_; }
  IntrusiveList<WaitEntry>& waiting() noexcept { return waiting_; }

  // Before a try: it will see whatever has been told so far.
  void forget() noexcept { is_kept_ = false; }
  bool is_kept() const noexcept { return is_kept_; }
  // True: something came while nobody waited.
  bool take_kept() const noexcept { return std::exchange(is_kept_, false); }
  // Nothing may come after what is there to read: a short read does not tell that the rest is still to be announced.
  bool has_ended() const noexcept { return has_ended_; }
  // How often the loop has said that it is ready, waited for or not: for comparing two moments.
  std::uint32_t told() const noexcept { return told_; }

 protected:
  ~DirectWait() = default;
  void count_telling() noexcept { ++told_; }
  void keep_for_next() noexcept { is_kept_ = true; }
  void note_end() noexcept { has_ended_ = true; }
  // True if somebody was there.
  bool serve_all() noexcept {
    bool any = false;
    while (WaitEntry* entry = waiting_.pop_front()) any |= entry->waker->serve(*entry);
    return any;
  }

 private:
  Event& event_;
  Liveness& liveness_;
  IntrusiveList<WaitEntry> waiting_;
  mutable bool is_kept_ = false;
  bool has_ended_ = false;
  std::uint32_t told_ = 0;
};

class DescriptorWatch {
 public:
  void retain() noexcept { ++references_; }
  void release() noexcept {
    if (--references_ == 0) dispose();
  }

  // Fire once per wait, with PollBits. An error condition fires both (IO-08).
  virtual Event& readable() noexcept = 0;
  virtual Event& writable() noexcept = 0;
  // The short way, where there is one: otherwise, and when the descriptor can't be registered, null.
  virtual DirectWait* direct_readable() noexcept { return nullptr; }
  virtual DirectWait* direct_writable() noexcept { return nullptr; }
  // The descriptor will be closed: whoever waits is told `reason`, and the loop forgets the descriptor at once.
  virtual void close(std::exception_ptr reason) noexcept = 0;
  // The descriptor was closed without a word, and its number may mean another one: nothing is said to the kernel, which may
  // go on speaking of this watch as long as the file is open elsewhere. Whoever holds it must hold it until then.
  virtual void lose() noexcept {}

 protected:
  ~DescriptorWatch() = default;
  virtual void dispose() noexcept = 0;

 private:
  unsigned references_ = 1;
};

}  // namespace trueasync::detail
