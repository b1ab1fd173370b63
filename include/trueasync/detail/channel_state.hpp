// ChannelState: the typed part of a channel. Values move directly from sender to receiver; a woken waiter is already
// fulfilled.
//
// Invariants
//   1. While a receiver waits, there is no value and no sender waits.
//   2. While a sender waits, the buffer is full. As soon as there is space, the value of the oldest sender moves into
//      the buffer and its send has succeeded, also before the sender runs.
//   3. A value granted to a receiver is in the receiver's own slot. If the receiver is interrupted before it runs, the
//      value goes to the next receiver, or to `returned_`, in front of everything in the buffer.
#pragma once

#include <map>
#include <optional>
#include <utility>

#include "trueasync/detail/channel_base.hpp"
#include "trueasync/detail/fixed_ring.hpp"

namespace trueasync::detail {

// ChannelWaiter: a queued sender or receiver; the owner of its queue entry.
template <class T>
struct ChannelWaiter {
  std::optional<T> slot;
  std::uint64_t sequence = 0;  // the order in which values were granted to receivers
  ChannelSide side;
  WaiterState state = WaiterState::none;
};

template <class T>
class ChannelState final : public ChannelBase {
 public:
  static_assert(std::is_nothrow_move_constructible_v<T>, "Channel values must be nothrow move-constructible");
  using Waiter = ChannelWaiter<T>;

  explicit ChannelState(const ChannelOptions& options) : ChannelBase(options), ring_(options.capacity) {}

  std::size_t count() const noexcept override { return ring_.size() + returned_.size(); }

  // Takes the value if it can be sent without waiting. Throws ChannelError.
  bool try_send(T& value) {
    if (__builtin_expect(is_closed(), 0)) throw_closed();
    if (!receivers_.empty()) {
      deliver(*receivers_.pop_front(), std::move(value), next_sequence_++);
      return true;
    }
    if (count() >= capacity_) return false;
    ring_.push(std::move(value));
    return true;
  }

  bool try_receive(std::optional<T>& out) noexcept {
    if (__builtin_expect(!returned_.empty(), 0)) {
      out.emplace(std::move(returned_.begin()->second));
      returned_.erase(returned_.begin());
    } else if (ring_.size() != 0) {
      out.emplace(ring_.pop());
    } else if (WaitEntry* sender = senders_.pop_front()) {
      out.emplace(take_from_sender(*sender));
      return true;
    } else {
      return false;
    }
    if (!senders_.empty()) refill_from_senders();
    return true;
  }

  void send(T& value, WaitOptions options, SourceLocation location) {
    Ref<ChannelState> keep_alive(this);
    Waiter waiter{std::move(value), 0, ChannelSide::sender};
    park(ChannelSide::sender, &waiter, options, location);
    if (waiter.state == WaiterState::closed) throw_closed();
  }

  // `out` stays empty if the channel was closed and `on_closed` is end_of_stream. The caller's handle may be destroyed
  // during the wait.
  void receive(std::optional<T>& out, OnClosed on_closed, WaitOptions options, SourceLocation location) {
    if (is_closed()) return finish_closed(on_closed);
    Ref<ChannelState> keep_alive(this);
    Waiter waiter{std::nullopt, 0, ChannelSide::receiver};
    park(ChannelSide::receiver, &waiter, options, location);
    if (waiter.state == WaiterState::closed) return finish_closed(on_closed);
    out.emplace(std::move(*waiter.slot));
    --reserved_;
  }

  // For waiters that are not coroutines. True if the waiter is fulfilled or the channel is closed.
  bool try_receive_into(Waiter& waiter) noexcept {
    const std::uint64_t sequence = returned_.empty() ? next_sequence_++ : returned_.begin()->first;
    if (try_receive(waiter.slot)) {
      waiter.sequence = sequence;
      waiter.state = WaiterState::fulfilled;
      ++reserved_;
    } else if (is_closed()) {
      waiter.state = WaiterState::closed;
    }
    return waiter.state != WaiterState::none;
  }
  // Queues such a waiter; its callback runs when it is fulfilled, unless it is removed before.
  void enqueue_receiver(WaitEntry& receiver) noexcept {
    receivers_.push_back(receiver);
    on_waiter_added(ChannelSide::receiver);
  }
  void remove_receiver(WaitEntry& receiver) noexcept {
    if (!receiver.is_linked()) return;
    receiver.unlink();
    on_waiter_removed(ChannelSide::receiver);
  }
  void on_value_taken() noexcept { --reserved_; }
  // Visits buffered values and values of waiting senders without changing them: visit(const T&).
  template <class F>
  void for_each_value(F&& visit) const {
    for (const auto& [sequence, value] : returned_) visit(value);
    ring_.for_each(visit);
    for (const WaitEntry* sender = senders_.front(); sender; sender = senders_.next_of(*sender)) {
      if (waiter_of(*sender).slot) visit(*waiter_of(*sender).slot);
    }
  }

  // Returns the value of a fulfilled receiver that is interrupted. Returns false if there is no memory to store it.
  bool return_value(Waiter& waiter) noexcept {
    if (!return_value(*waiter.slot, waiter.sequence)) return false;
    --reserved_;
    return true;
  }
  // The same for a value that is no longer counted as reserved.
  bool return_value(T& value, std::uint64_t sequence) noexcept {
    if (!receivers_.empty()) {
      deliver(*receivers_.pop_front(), std::move(value), sequence);
      return true;
    }
    try {
      returned_.emplace(sequence, std::move(value));
    } catch (...) {
      return false;
    }
    return true;
  }

  bool reclaim(Subscription& subscription) noexcept override {
    Waiter& waiter = waiter_of(static_cast<WaitEntry&>(subscription));
    if (waiter.state != WaiterState::fulfilled) return true;
    return waiter.side == ChannelSide::receiver && return_value(waiter);
  }

 private:
  // Returns if the receiver sees the end of the stream; else throws ChannelError.
  void finish_closed(OnClosed on_closed) const {
    if (on_closed == OnClosed::error || close_reason() != CloseReason::closed) throw_closed();
  }

  static Waiter& waiter_of(const WaitEntry& entry) noexcept { return *static_cast<Waiter*>(entry.owner); }

  void deliver(WaitEntry& receiver, T&& value, std::uint64_t sequence) noexcept {
    Waiter& waiter = waiter_of(receiver);
    waiter.slot.emplace(std::move(value));
    waiter.sequence = sequence;
    waiter.state = WaiterState::fulfilled;
    ++reserved_;
    on_progress(ChannelSide::receiver);
    wake_waiter(receiver);
  }

  T take_from_sender(WaitEntry& sender) noexcept {
    Waiter& waiter = waiter_of(sender);
    T value(std::move(*waiter.slot));
    waiter.state = WaiterState::fulfilled;
    on_progress(ChannelSide::sender);
    wake_waiter(sender);
    return value;
  }

  void refill_from_senders() noexcept {
    while (count() < capacity_) {
      WaitEntry* sender = senders_.pop_front();
      if (!sender) return;
      ring_.push(take_from_sender(*sender));
    }
  }

  void wake_closed(WaitEntry& waiter) noexcept override {
    waiter_of(waiter).state = WaiterState::closed;
    wake_waiter(waiter);
  }

  FixedRing<T> ring_;
  std::map<std::uint64_t, T> returned_;  // by sequence
  std::uint64_t next_sequence_ = 0;
};

}  // namespace trueasync::detail
