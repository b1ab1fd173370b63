// Turns: operations of one direction on one handle come one after the other, in the order they were asked for. What one
// writes is never torn by another.
//
// Owns: nothing; those who wait stand in the list with a node on their own stack. A turn given to somebody who leaves
// instead goes to the next (R1). Threads: the runtime's.
#pragma once

#include <utility>

#include "trueasync/detail/intrusive_list.hpp"
#include "trueasync/event.hpp"

namespace trueasync::detail {

class TurnQueue;

// A place in the queue; fires when the turn has come. Lives where its owner is, until it is left.
class Turn final : public Event, public ListHook {
 public:
  explicit Turn(TurnQueue& queue) noexcept : queue_(queue) {}
  ~Turn() override { leave(); }

  // True: it is our turn already. Otherwise wait for this event.
  bool enter() noexcept;
  // Hands the turn on, or leaves the line.
  void leave() noexcept;
  bool is_mine() const noexcept { return mine_; }

  bool replay(Notification& result) const noexcept override {
    result = {};
    return mine_;
  }
  // Not handed on here: whoever leaves the wait early leaves the queue as well, and that does it.
  bool reclaim(Subscription&) noexcept override { return true; }
  std::string describe() const override { return "its turn on a handle that another coroutine uses"; }

 private:
  friend class TurnQueue;
  TurnQueue& queue_;
  bool mine_ = false;
};

class TurnQueue {
 public:
  bool is_taken() const noexcept { return taken_; }
  // The short way, without a place in the line: true if it is free, and ours from now on until give_back().
  bool try_take() noexcept { return !std::exchange(taken_, true); }
  void give_back() noexcept {
    if (waiting_.empty()) {
      taken_ = false;
    } else {
      hand_on();
    }
  }

 private:
  friend class Turn;
  // Hands the turn to the next ones until somebody keeps it. One that is through at once leaves within its own
  // notification: that is a further round here, not a deeper call.
  void hand_on() noexcept;

  bool taken_ = false;
  bool handing_on_ = false;
  bool left_again_ = false;
  IntrusiveList<Turn> waiting_;
};

inline bool Turn::enter() noexcept {
  if (!queue_.taken_) {
    queue_.taken_ = mine_ = true;
  } else {
    queue_.waiting_.push_back(*this);
  }
  return mine_;
}

inline void Turn::leave() noexcept {
  if (!mine_) {
    if (ListHook::is_linked()) ListHook::unlink();
    return;
  }
  mine_ = false;
  queue_.give_back();
}

inline void TurnQueue::hand_on() noexcept {
  left_again_ = true;
  if (handing_on_) return;
  handing_on_ = true;
  while (left_again_) {
    left_again_ = false;
    if (Turn* following = waiting_.pop_front()) {
      following->mine_ = true;
      following->notify({});
    } else {
      taken_ = false;
    }
  }
  handing_on_ = false;
}

}  // namespace trueasync::detail
