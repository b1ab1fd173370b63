// Channel<T>: values from coroutine to coroutine. Capacity 0 is a rendezvous: send returns when a receiver has the value.
// Otherwise that many values are kept, and senders wait while it is full. Both sides are served first come first served;
// whoever is woken has been served already, and what a cancelled receiver was given goes to the next.
//
//   for (auto& job : channel) work(job);      // until close()
//
// Owns: a share of the channel; copies are the same channel. When the last one goes it is closed (CloseReason::disposed).
// Threads: one runtime's; between threads there is ThreadChannel. Errors: send throws ChannelError once it is closed, recv
// when it is closed and empty – what was sent stays to be received. Both throw Cancelled, TimeoutError with a limit,
// OperationCancelled with a token; a send that throws has not sent.
// A deadlock of the whole program closes the channels that are waited for (CloseReason::deadlock, with the report); only
// where there is none is main told by a DeadlockError. Scope::own() closes one at the end of a scope.
// count(), is_empty() and is_full() tell of the buffer; they do not predict what try_send() or try_recv() will do.
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>

#include "trueasync/detail/channel_iterator.hpp"
#include "trueasync/detail/channel_receive.hpp"
#include "trueasync/detail/channel_state.hpp"
#include "trueasync/future.hpp"
#include "trueasync/source_location.hpp"

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

  void send(T value, SourceLocation location = SourceLocation::current()) const {
    if (!state_->try_send(value)) state_->send(value, {}, location);
  }
  void send(T value, std::chrono::nanoseconds timeout, SourceLocation location = SourceLocation::current()) const {
    if (!state_->try_send(value)) state_->send(value, {.timeout = timeout}, location);
  }
  void send(T value, Event& token, SourceLocation location = SourceLocation::current()) const {
    if (!state_->try_send(value)) state_->send(value, {.token = &token}, location);
  }
  // False if it would have to wait; the value is still there then.
  bool try_send(T&& value) const { return state_->try_send(value); }
  bool try_send(const T& value) const requires std::copy_constructible<T> {
    T copy(value);
    return state_->try_send(copy);
  }

  T recv(SourceLocation location = SourceLocation::current()) const {
    return *receive(detail::OnClosed::error, {}, location);
  }
  T recv(std::chrono::nanoseconds timeout, SourceLocation location = SourceLocation::current()) const {
    return *receive(detail::OnClosed::error, {.timeout = timeout}, location);
  }
  T recv(Event& token, SourceLocation location = SourceLocation::current()) const {
    return *receive(detail::OnClosed::error, {.token = &token}, location);
  }
  // Nothing if it would have to wait, or is closed and empty.
  std::optional<T> try_recv() const {
    std::optional<T> value;
    state_->try_receive(value);
    return value;
  }
  // The next value, nothing after close(). Throws ChannelError if it was closed for another reason (CH-12).
  std::optional<T> next(SourceLocation location = SourceLocation::current()) const {
    return receive(detail::OnClosed::end_of_stream, {}, location);
  }
  // Waits in the queue as long as anybody has the future.
  Future<T> recv_async(SourceLocation location = SourceLocation::current()) const {
    detail::require_runtime("recv_async");
    auto future = Ref<detail::ReceiveFuture<T>>::adopt(new detail::ReceiveFuture<T>(state_, location));
    future->begin();
    return Future<T>(Ref<detail::FutureState<T>>(future));
  }
  // One receive as an event, for waits of several things.
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

  std::optional<T> receive(detail::OnClosed ending, const detail::WaitOptions& limits, SourceLocation location) const {
    std::optional<T> value;
    if (!state_->try_receive(value)) state_->receive(value, ending, limits, location);
    return value;
  }

  Ref<State> state_;
};

}  // namespace trueasync
