// Deadlines: a 4-ary heap of points in time. Arming and cancelling are O(log n) and allocate only when the heap grows;
// a cancelled deadline leaves nothing behind. Equal times fire in the order they were armed (of those among the last
// half billion).
//
// With a million of them the heap is a matter of cache lines: the four children of a node fill one, which is why a node
// is a time and a pointer and the rest stands in the deadline.
//
// Owns: the heap, not the deadlines. Lifetime: a deadline must be cancelled before it dies (checked).
// Threads: one. Errors: arm throws std::bad_alloc and changes nothing. At most 2^32 - 1 deadlines.
#pragma once

#include <bit>
#include <chrono>
#include <cstdint>
#include <vector>

#include "base/check.hpp"
#include "trueasync/wait.hpp"

namespace trueasync::detail {

// Short of TimePoint::max(), which means "no deadline": a deadline there must stay one, with room to count past it.
inline constexpr TimePoint kMaxDeadline = TimePoint::max() - std::chrono::hours(1);

inline TimePoint deadline_after(TimePoint now, std::chrono::nanoseconds duration) noexcept {
  if (duration.count() <= 0) return now;
  if (now >= kMaxDeadline || duration > kMaxDeadline - now) return kMaxDeadline;
  return now + duration;
}

class TimerQueue;

// A point in time at which `fire` is called once. States: idle (no slot) ⇄ armed (in the heap).
class Timer {
 public:
  using Fire = void (*)(Timer& self) noexcept;

  explicit Timer(Fire fire) noexcept : fire_(fire) {}
  ~Timer() { TRUEASYNC_CHECK(!is_armed(), "a deadline died while it was armed"); }
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
  std::uint32_t slot_ = kIdle;  // a word of its own: it is written often, and then nothing need be read first
  std::uint32_t order_ : 30 = 0;
  std::uint32_t hidden_ : 1 = 0;
  std::uint32_t deferred_ : 1 = 0;  // armed as already due while others expire: stands behind them till that is over
};

class TimerQueue {
 public:
  enum class Liveness : std::uint8_t { foreground, background };

  // A hidden deadline neither keeps the program alive nor hides a deadlock (TM-02).
  void arm(Timer& deadline, TimePoint when, Liveness visibility = Liveness::foreground);
  void cancel(Timer& deadline) noexcept;

  // Fires everything due at `now`, the earliest first; what is armed meanwhile waits for the next call. Returns how many.
  std::size_t expire(TimePoint now) noexcept;

  TimePoint next() const noexcept { return size_ == 0 ? TimePoint::max() : at(0).when; }
  TimePoint when(const Timer& deadline) const noexcept { return at(deadline.slot_).when; }
  std::size_t size() const noexcept { return size_; }
  std::size_t foreground_count() const noexcept { return size_ - hidden_; }

 private:
  struct Node {
    TimePoint when;
    Timer* deadline;

    bool before(const Node& other) const noexcept {
      if (when != other.when) return when < other.when;
      return deadline->is_armed_before(*other.deadline);
    }
  };
  static constexpr std::uint32_t kOrders = (1U << 30) - 1;
  static constexpr std::size_t kChildren = 4;
  struct alignas(std::bit_ceil(kChildren * sizeof(Node))) Siblings {
    Node nodes[kChildren];
  };
  // The root is the last of the first group, so that every group holds the children of one node.
  static constexpr std::size_t kBefore = kChildren - 1;

  Node& at(std::size_t slot) noexcept {
    return groups_[(slot + kBefore) / kChildren].nodes[(slot + kBefore) % kChildren];
  }
  const Node& at(std::size_t slot) const noexcept { return const_cast<TimerQueue*>(this)->at(slot); }
  void place(std::size_t slot, const Node& node) noexcept {
    at(slot) = node;
    node.deadline->slot_ = static_cast<std::uint32_t>(slot);
  }
  void sift_up(std::size_t slot, const Node& node) noexcept;
  void sift_down(std::size_t slot, const Node& node) noexcept;
  void remove(std::size_t slot) noexcept;
  void release_deferred(TimePoint now) noexcept;

  std::vector<Siblings> groups_;
  std::size_t size_ = 0;
  TimePoint expiring_ = TimePoint::min();
  bool any_deferred_ = false;
  std::size_t hidden_ = 0;
  std::uint32_t armed_ = 0;
};

}  // namespace trueasync::detail
