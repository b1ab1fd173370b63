// ThreadChannel: a queue of values between coroutines of different runtimes. A waiter suspends its coroutine, not its
// thread. Senders and receivers are granted in FIFO order, as with Channel.
//
// Values must be nothrow move-constructible and must not share unsynchronized state with the sender.
//
// Ownership: a share of the channel; copies refer to the same channel, also on other threads. It is closed when the
// runtime that created it ends (CloseReason::disposed), so that no waiter waits forever; sent values can still be
// received.
// Thread safety: any thread.
// Errors: those of Channel.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>

#include "trueasync/detail/channel_iterator.hpp"
#include "trueasync/detail/fixed_ring.hpp"
#include "trueasync/detail/thread_channel_base.hpp"
#include "trueasync/source_location.hpp"

namespace trueasync {

namespace detail {

template <class T>
class ThreadChannelState final : public ThreadChannelBase {
 public:
  static_assert(std::is_nothrow_move_constructible_v<T>, "ThreadChannel values must be nothrow move-constructible");

  explicit ThreadChannelState(std::size_t capacity) : ThreadChannelBase(capacity), ring_(capacity) {}

  bool try_send(T& value) {
    std::unique_lock lock(mutex_);
    return try_send_locked(value);
  }
  void send(T& value, WaitOptions options, SourceLocation location) {
    std::shared_ptr<ThreadChannelBase> keep_alive;
    Waiter self;  // destroyed after the lock is released
    std::unique_lock lock(mutex_);
    if (try_send_locked(value)) return;
    keep_alive = shared_from_this();
    self.value.emplace(std::move(value));
    try {
      park(lock, senders_, self, options, location);
    } catch (...) {
      if (!self.is_fulfilled) throw;  // else the value was sent, and the send must succeed
    }
    if (!self.is_fulfilled) check_open();
  }

  std::optional<T> try_receive() {
    std::optional<T> value;
    std::unique_lock lock(mutex_);
    try_receive_locked(value);
    return value;
  }
  // Empty if the channel was closed and `ending` allows the end of the stream.
  std::optional<T> receive(OnClosed ending, WaitOptions options, SourceLocation location) {
    std::shared_ptr<ThreadChannelBase> keep_alive;
    Waiter self;
    std::unique_lock lock(mutex_);
    if (try_receive_locked(self.value)) return std::move(self.value);
    if (close_reason_ == CloseReason::none) {
      keep_alive = shared_from_this();
      try {
        park(lock, receivers_, self, options, location);
      } catch (...) {
        if (!self.is_fulfilled || return_value(self)) throw;
      }
    }
    if (!self.is_fulfilled && (ending == OnClosed::error || close_reason_ != CloseReason::closed)) check_open();
    return std::move(self.value);
  }

  std::size_t count() const {
    std::unique_lock lock(mutex_);
    return buffered_count();
  }

 private:
  struct Waiter : ThreadWaiter {
    std::optional<T> value;
    std::uint64_t sequence = 0;  // the order in which values were granted to receivers
  };

  std::size_t buffered_count() const noexcept { return ring_.size() + returned_.size(); }

  bool try_send_locked(T& value) {
    check_open();
    if (!receivers_.empty()) {
      deliver(std::move(value), next_sequence_++);
    } else if (buffered_count() < capacity_) {
      ring_.push(std::move(value));
    } else {
      return false;
    }
    return true;
  }

  bool try_receive_locked(std::optional<T>& out) noexcept {
    if (auto oldest = returned_.begin(); oldest != returned_.end()) {
      out.emplace(std::move(oldest->second));
      returned_.erase(oldest);
    } else if (ring_.size() != 0) {
      out.emplace(ring_.pop());
    } else {
      return false;  // invariant: no sender waits
    }
    while (buffered_count() < capacity_ && !senders_.empty()) {
      auto& sender = static_cast<Waiter&>(*senders_.pop_front());
      ring_.push(std::move(*sender.value));
      fulfill(sender);
    }
    return true;
  }

  void deliver(T&& value, std::uint64_t sequence) noexcept {
    auto& receiver = static_cast<Waiter&>(*receivers_.pop_front());
    receiver.value.emplace(std::move(value));
    receiver.sequence = sequence;
    fulfill(receiver);
  }

  // Returns the value of a fulfilled receiver that is interrupted. Returns false if there is no memory to store it.
  bool return_value(Waiter& waiter) noexcept {
    if (!receivers_.empty()) {
      deliver(std::move(*waiter.value), waiter.sequence);
      return true;
    }
    try {
      returned_.emplace(waiter.sequence, std::move(*waiter.value));
    } catch (...) {
      return false;
    }
    return true;
  }

  FixedRing<T> ring_;
  std::map<std::uint64_t, T> returned_;  // by sequence; older than everything in the ring
  std::uint64_t next_sequence_ = 0;
};

}  // namespace detail

template <class T>
class ThreadChannel {
 public:
  using Value = T;

  // `capacity`: at least 1, because a rendezvous would need both threads at the same time. Throws MisuseError.
  explicit ThreadChannel(std::size_t capacity) : state_(std::make_shared<detail::ThreadChannelState<T>>(capacity)) {
    detail::close_on_runtime_exit(state_);
  }

  void send(T value, WaitOptions options = {}, SourceLocation location = SourceLocation::current()) const {
    state_->send(value, options, location);
  }
  // Never suspends; works on any thread, also without a runtime. Returns false if the channel is full; `value` is then
  // unchanged.
  bool try_send(T&& value) const { return state_->try_send(value); }
  bool try_send(const T& value) const requires std::copy_constructible<T> {
    T copy(value);
    return state_->try_send(copy);
  }

  T recv(WaitOptions options = {}, SourceLocation location = SourceLocation::current()) const {
    return *state_->receive(detail::OnClosed::error, options, location);
  }
  std::optional<T> try_recv() const { return state_->try_receive(); }
  // The next value; std::nullopt after close(). ChannelError if the channel was closed for another reason.
  std::optional<T> next(WaitOptions options = {}, SourceLocation location = SourceLocation::current()) const {
    return state_->receive(detail::OnClosed::end_of_stream, options, location);
  }
  using Iterator = detail::ChannelIterator<ThreadChannel>;
  Iterator begin(SourceLocation location = SourceLocation::current()) const { return Iterator(*this, location); }
  std::default_sentinel_t end() const noexcept { return {}; }

  void close(CloseReason reason = CloseReason::closed) const noexcept { state_->close(reason); }
  bool is_closed() const noexcept { return close_reason() != CloseReason::none; }
  CloseReason close_reason() const noexcept { return state_->close_reason(); }
  std::size_t capacity() const noexcept { return state_->capacity(); }
  std::size_t count() const { return state_->count(); }

 private:
  std::shared_ptr<detail::ThreadChannelState<T>> state_;
};

}  // namespace trueasync
