// Deadlines: a 4-ary heap of points in time. Arming and cancelling are O(log n) and allocate only when the heap grows;
// a cancelled deadline leaves nothing behind. Equal times fire in the order they were armed.
//
// Owns: the heap, not the deadlines. Lifetime: a deadline must be cancelled before it dies (checked).
// Threads: one. Errors: arm throws std::bad_alloc and changes nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "base/check.hpp"
#include "trueasync/wait.hpp"

namespace trueasync::detail {

class DeadlineQueue;

// A point in time at which `fire` is called once. States: idle (no slot) ⇄ armed (in the heap).
class Deadline {
 public:
  using Fire = void (*)(Deadline& self) noexcept;

  explicit Deadline(Fire fire) noexcept : fire_(fire) {}
  ~Deadline() { TRUEASYNC_CHECK(!is_armed(), "a deadline died while it was armed"); }
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

  bool is_armed() const noexcept { return slot_ != kIdle; }

 private:
  friend class DeadlineQueue;
  static constexpr std::uint32_t kIdle = UINT32_MAX;

  Fire fire_;
  std::uint32_t slot_ = kIdle;
  bool hidden_ = false;
};

class DeadlineQueue {
 public:
  enum class Visibility : std::uint8_t { visible, hidden };

  // A hidden deadline neither keeps the program alive nor hides a deadlock (TM-02).
  void arm(Deadline& deadline, TimePoint when, Visibility visibility = Visibility::visible);
  void cancel(Deadline& deadline) noexcept;

  // Fires everything due at `now`, the earliest first; what is armed meanwhile waits for the next call. Returns how many.
  std::size_t expire(TimePoint now) noexcept;

  TimePoint next() const noexcept { return heap_.empty() ? TimePoint::max() : heap_.front().when; }
  TimePoint when(const Deadline& deadline) const noexcept { return heap_[deadline.slot_].when; }
  std::size_t size() const noexcept { return heap_.size(); }
  std::size_t visible() const noexcept { return heap_.size() - hidden_; }

 private:
  struct Node {
    TimePoint when;
    std::uint64_t order;
    Deadline* deadline;

    bool before(const Node& other) const noexcept {
      return when < other.when || (when == other.when && order < other.order);
    }
  };

  void place(std::size_t slot, const Node& node) noexcept {
    heap_[slot] = node;
    node.deadline->slot_ = static_cast<std::uint32_t>(slot);
  }
  void sift_up(std::size_t slot, const Node& node) noexcept;
  void sift_down(std::size_t slot, const Node& node) noexcept;
  void remove(std::size_t slot) noexcept;
  void release_held(TimePoint now) noexcept;

  // While expire() runs, what is armed as already due stands just behind `expiring_`, marked in its order.
  static constexpr std::uint64_t kHeld = std::uint64_t{1} << 63;

  std::vector<Node> heap_;
  TimePoint expiring_ = TimePoint::min();
  bool any_held_ = false;
  std::size_t hidden_ = 0;
  std::uint64_t armed_ = 0;
};

}  // namespace trueasync::detail
