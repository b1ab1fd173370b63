// Channel: a queue of values between the coroutines of one runtime.
//
//   for (auto& job : channel) work(job);      // until close()
//
// With capacity 0 the channel is a rendezvous: send() returns when a receiver has the value. With a larger capacity,
// that many values are buffered and senders wait while the buffer is full. Senders and receivers are granted in FIFO
// order. A woken waiter has already sent or received; the value granted to a cancelled receiver goes to the next
// receiver.
// If the whole program is deadlocked, the channels that have waiters are closed (CloseReason::deadlock, with the
// report). The main coroutine gets a DeadlockError only if no such channel exists. Scope::own() closes a channel at the
// end of a scope.
// count(), is_empty() and is_full() describe the buffer; they do not predict the result of try_send() or try_recv().
//
// Ownership: a share of the channel; copies refer to the same channel. Destroying the last copy closes it
// (CloseReason::disposed).
// Thread safety: one runtime; use ThreadChannel between threads.
// Errors: send() throws ChannelError if the channel is closed, recv() if it is closed and empty. Both throw Cancelled,
// TimeoutError if the time of `options` expires, OperationCancelled if its token fires. A send() that throws has not
// sent.
#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>

#include "trueasync/detail/channel_iterator.hpp"
#include "trueasync/detail/channel_receive.hpp"
#include "trueasync/detail/channel_state.hpp"
#include "trueasync/source_location.hpp"
#include "trueasync/sync/future.hpp"

namespace trueasync {

template <class T>
class Channel {
 public:
  using Value = T;
  using State = detail::ChannelState<T>;

  explicit Channel(std::size_t capacity = 0) : Channel(ChannelOptions{.capacity = capacity}) {}
  explicit Channel(const ChannelOptions& options) : Channel(Ref<State>::adopt(new State(options))) {}
  Channel(const Channel& other) noexcept : Channel(other.state_) {}
  Channel(Channel&& other) noexcept = default;
  Channel& operator=(Channel other) noexcept {
    std::swap(state_, other.state_);
    return *this;
  }
  ~Channel() {
    if (state_) state_->drop_handle();
  }

  // Sends a value; suspends while the buffer is full, or until a receiver has the value if the capacity is 0.
  void send(T value, WaitOptions options = {}, SourceLocation location = SourceLocation::current()) const {
    if (!state_->try_send(value)) state_->send(value, options, location);
  }
  // Never suspends. Returns false if send() would suspend; `value` is then unchanged.
  bool try_send(T&& value) const { return state_->try_send(value); }
  bool try_send(const T& value) const requires std::copy_constructible<T> {
    T copy(value);
    return state_->try_send(copy);
  }

  // Receives the next value; suspends while there is none.
  T recv(WaitOptions options = {}, SourceLocation location = SourceLocation::current()) const {
    return *receive(detail::OnClosed::error, options, location);
  }
  // Never suspends. std::nullopt if recv() would suspend, or if the channel is closed and empty.
  std::optional<T> try_recv() const {
    std::optional<T> value;
    state_->try_receive(value);
    return value;
  }
  // The next value; std::nullopt after close(). ChannelError if the channel was closed for another reason.
  std::optional<T> next(WaitOptions options = {}, SourceLocation location = SourceLocation::current()) const {
    return receive(detail::OnClosed::end_of_stream, options, location);
  }
  // A future for the next value. It stays in the queue as long as a handle to the future exists.
  Future<T> recv_async(SourceLocation location = SourceLocation::current()) const {
    detail::require_runtime("recv_async");
    auto future = Ref<detail::ReceiveFuture<T>>::adopt(new detail::ReceiveFuture<T>(state_, location));
    future->begin();
    return Future<T>(Ref<detail::FutureState<T>>(future));
  }
  // One receive as an event, for waiting on several events.
  Ref<ReceiveEvent<T>> receive_event() const { return Ref<ReceiveEvent<T>>::adopt(new ReceiveEvent<T>(state_)); }

  void close(CloseReason reason = CloseReason::closed) const noexcept { state_->close(reason); }
  bool is_closed() const noexcept { return state_->is_closed(); }
  CloseReason close_reason() const noexcept { return state_->close_reason(); }
  std::size_t capacity() const noexcept { return state_->capacity(); }
  std::size_t count() const noexcept { return state_->count(); }
  bool is_empty() const noexcept { return count() == 0; }
  bool is_full() const noexcept { return count() >= capacity(); }
  std::string describe() const { return state_->describe(); }
  detail::ChannelBase& base() const noexcept { return *state_; }

  using Iterator = detail::ChannelIterator<Channel>;
  Iterator begin(SourceLocation location = SourceLocation::current()) const { return Iterator(*this, location); }
  std::default_sentinel_t end() const noexcept { return {}; }

 private:
  explicit Channel(Ref<State> state) noexcept : state_(std::move(state)) {
    if (state_) state_->add_handle();
  }

  std::optional<T> receive(detail::OnClosed ending, WaitOptions options, SourceLocation location) const {
    std::optional<T> value;
    if (!state_->try_receive(value)) state_->receive(value, ending, options, location);
    return value;
  }

  Ref<State> state_;
};

}  // namespace trueasync
