// TimerQueue: a 4-ary heap of timers. Arming and cancelling are O(log n) and allocate only when the heap grows; a
// cancelled timer is removed immediately. Timers with equal deadlines fire in the order they were armed, if no more
// than half a billion other timers were armed in between.
//
// A node is a deadline and a pointer, so that the four children of a node fill one cache line. Everything else is in
// Timer.
//
// Ownership: owns the heap, not the timers.
// Lifetime: a timer must be cancelled before it is destroyed (checked).
// Thread safety: one thread.
// Errors: arm() throws std::bad_alloc and has no effect then. At most 2^32 - 1 timers.
#pragma once

#include <bit>
#include <chrono>
#include <cstdint>
#include <vector>

#include "base/check.hpp"
#include "trueasync/event.hpp"

namespace trueasync::detail {

// Less than TimePoint::max(), which means "no deadline", with room for arithmetic.
inline constexpr TimePoint kMaxDeadline = TimePoint::max() - std::chrono::hours(1);

// now + duration, clamped: `now` for a duration of zero or less, kMaxDeadline if the sum would overflow.
inline TimePoint deadline_after(TimePoint now, std::chrono::nanoseconds duration) noexcept {
  if (duration.count() <= 0) return now;
  if (now >= kMaxDeadline || duration > kMaxDeadline - now) return kMaxDeadline;
  return now + duration;
}

class TimerQueue;

// Timer: calls `fire` once at its deadline. States: idle (no slot) ⇄ armed (in the heap).
class Timer {
 public:
  using Fire = void (*)(Timer& self) noexcept;

  explicit Timer(Fire fire) noexcept : fire_(fire) {}
  ~Timer() { TRUEASYNC_CHECK(!is_armed(), "timer destroyed while armed"); }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  bool is_armed() const noexcept { return slot_ != kIdle; }

 private:
  friend class TimerQueue;
  static constexpr std::uint32_t kIdle = UINT32_MAX;

  bool is_armed_before(const Timer& other) const noexcept {
    return static_cast<std::int32_t>((order_ - other.order_) << 2) < 0;
  }

  Fire fire_;
  std::uint32_t slot_ = kIdle;  // a separate word: it is written often, and a bit-field would need a read first
  std::uint32_t order_ : 30 = 0;
  std::uint32_t background_ : 1 = 0;
  std::uint32_t deferred_ : 1 = 0;  // armed as already due during expire(): must not fire in the same call
};

class TimerQueue {
 public:
  enum class Liveness : std::uint8_t { foreground, background };

  // A background timer neither keeps the program alive nor prevents deadlock detection.
  void arm(Timer& timer, TimePoint deadline, Liveness liveness = Liveness::foreground);
  void cancel(Timer& timer) noexcept;

  // Fires every timer due at `now`, earliest first. Timers armed during the call wait for the next call. Returns the
  // number of fired timers.
  std::size_t expire(TimePoint now) noexcept;

  TimePoint next() const noexcept { return size_ == 0 ? TimePoint::max() : at(0).deadline; }
  TimePoint when(const Timer& timer) const noexcept { return at(timer.slot_).deadline; }
  std::size_t size() const noexcept { return size_; }
  std::size_t foreground_count() const noexcept { return size_ - background_; }

 private:
  struct Node {
    TimePoint deadline;
    Timer* timer;

    bool before(const Node& other) const noexcept {
      if (deadline != other.deadline) return deadline < other.deadline;
      return timer->is_armed_before(*other.timer);
    }
  };
  static constexpr std::uint32_t kOrderMask = (1U << 30) - 1;
  static constexpr std::size_t kChildren = 4;
  struct alignas(std::bit_ceil(kChildren * sizeof(Node))) Siblings {
    Node nodes[kChildren];
  };
  // The root is the last element of the first group, so that every other group holds the children of one node.
  static constexpr std::size_t kRootOffset = kChildren - 1;

  Node& at(std::size_t slot) noexcept {
    return groups_[(slot + kRootOffset) / kChildren].nodes[(slot + kRootOffset) % kChildren];
  }
  const Node& at(std::size_t slot) const noexcept { return const_cast<TimerQueue*>(this)->at(slot); }
  void place(std::size_t slot, const Node& node) noexcept {
    at(slot) = node;
    node.timer->slot_ = static_cast<std::uint32_t>(slot);
  }
  void sift_up(std::size_t slot, const Node& node) noexcept;
  void sift_down(std::size_t slot, const Node& node) noexcept;
  void remove(std::size_t slot) noexcept;
  void release_deferred(TimePoint now) noexcept;

  std::vector<Siblings> groups_;
  std::size_t size_ = 0;
  TimePoint expiring_ = TimePoint::min();
  bool any_deferred_ = false;
  std::size_t background_ = 0;
  std::uint32_t armed_ = 0;
};

}  // namespace trueasync::detail
