// ThreadChannel<T>: values from thread to thread. Its ends are used by coroutines of any runtime; who has to wait
// suspends its coroutine, not its thread.
//
// Owns: a share of the channel; copies are the same channel, also in other threads. It is closed when the runtime that
// made it ends (CloseReason::disposed), so that nobody waits for ever for one that has gone; what was sent stays to be
// received. Threads: any. Errors: as Channel; a token or a time limit ends a wait in the same way.
// Values must be movable without throwing, and must not share anything unsynchronised with what stays behind.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>

#include "trueasync/detail/channel_iterator.hpp"
#include "trueasync/detail/thread_channel_base.hpp"
#include "trueasync/place.hpp"

namespace trueasync {

namespace detail {

template <class T>
class ThreadChannelState final : public ThreadChannelBase {
 public:
  static_assert(std::is_nothrow_move_constructible_v<T>, "a value that can't be moved must not be lost on the way");

  explicit ThreadChannelState(std::size_t capacity) : ThreadChannelBase(capacity) {}

  bool try_send(T& value) {
    std::unique_lock lock(mutex_);
    return offer(value);
  }
  void send(T& value, const WaitLimits& limits, Place place) {
    std::shared_ptr<ThreadChannelBase> hold;  // outlives the lock
    std::unique_lock lock(mutex_);
    Patience patience(limits);
    while (!offer(value)) {
      hold = shared_from_this();
      park(lock, senders_, patience, place);
    }
  }

  std::optional<T> try_receive() {
    std::unique_lock lock(mutex_);
    return poll();
  }
  // Nothing when the channel has ended as `ending` allows.
  std::optional<T> receive(Ending ending, const WaitLimits& limits, Place place) {
    std::shared_ptr<ThreadChannelBase> hold;
    std::unique_lock lock(mutex_);
    Patience patience(limits);
    for (;;) {
      std::optional<T> value = poll();
      if (value) return value;
      if (ending == Ending::normal && closed_by_ == CloseReason::closed) return std::nullopt;
      check_open();
      hold = shared_from_this();
      park(lock, receivers_, patience, place);
    }
  }

  std::size_t count() const {
    std::unique_lock lock(mutex_);
    return values_.size();
  }

 private:
  bool offer(T& value) {
    check_open();
    if (values_.size() >= capacity_) return false;
    values_.push_back(std::move(value));
    wake_one(receivers_);
    return true;
  }
  std::optional<T> poll() noexcept {
    if (values_.empty()) return std::nullopt;
    std::optional<T> value(std::move(values_.front()));
    values_.pop_front();
    wake_one(senders_);
    return value;
  }

  std::deque<T> values_;
};

}  // namespace detail

template <class T>
class ThreadChannel {
 public:
  using Value = T;

  // At least one value: a rendezvous between threads would need both at once. Throws MisuseError.
  explicit ThreadChannel(std::size_t capacity) : state_(std::make_shared<detail::ThreadChannelState<T>>(capacity)) {
    detail::close_with_runtime(state_);
  }

  void send(T value, Place place = Place::here()) const { state_->send(value, {}, place); }
  void send(T value, std::chrono::nanoseconds limit, Place place = Place::here()) const {
    state_->send(value, {.limit = limit}, place);
  }
  void send(T value, Event& token, Place place = Place::here()) const { state_->send(value, {.token = &token}, place); }
  // Without waiting; from any thread, also one without a runtime. False: it is full, and the value is still there.
  bool try_send(T&& value) const { return state_->try_send(value); }

  T recv(Place place = Place::here()) const { return *state_->receive(detail::Ending::error, {}, place); }
  T recv(std::chrono::nanoseconds limit, Place place = Place::here()) const {
    return *state_->receive(detail::Ending::error, {.limit = limit}, place);
  }
  T recv(Event& token, Place place = Place::here()) const {
    return *state_->receive(detail::Ending::error, {.token = &token}, place);
  }
  std::optional<T> try_recv() const { return state_->try_receive(); }
  // The next value, nothing after close(). Throws ChannelError if it was closed for another reason.
  std::optional<T> next(Place place = Place::here()) const {
    return state_->receive(detail::Ending::normal, {}, place);
  }
  using Iterator = detail::ChannelIterator<ThreadChannel>;
  Iterator begin(Place place = Place::here()) const { return Iterator(*this, place); }
  std::default_sentinel_t end() const noexcept { return {}; }

  void close(CloseReason reason = CloseReason::closed) const noexcept { state_->close(reason); }
  bool is_closed() const noexcept { return closed_by() != CloseReason::none; }
  CloseReason closed_by() const noexcept { return state_->closed_by(); }
  std::size_t capacity() const noexcept { return state_->capacity(); }
  std::size_t count() const { return state_->count(); }

 private:
  std::shared_ptr<detail::ThreadChannelState<T>> state_;
};

}  // namespace trueasync
