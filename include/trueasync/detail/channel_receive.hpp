// channel_receive.hpp: receiving without suspending the caller: as an event and as a future.
#pragma once

#include <memory>
#include <string>

#include "trueasync/detail/channel_state.hpp"
#include "trueasync/detail/future_state.hpp"
#include "trueasync/event.hpp"

namespace trueasync {

// ReceiveEvent: one receive as an event, for waiting on several events. While started it is queued like any receiver.
// It fires when it has a value or the channel is closed; take() returns the value. A value that is not taken returns to
// the channel when the wait is interrupted or the event is destroyed.
template <class T>
class ReceiveEvent final : public Event, public detail::DeadlockHandler {
 public:
  explicit ReceiveEvent(Ref<detail::ChannelState<T>> channel) noexcept : channel_(std::move(channel)) {
    entry_.event = this;
    entry_.owner = &waiter_;
    entry_.callback = [](Subscription& self, const Notification&) noexcept {
      static_cast<ReceiveEvent*>(static_cast<WaitEntry&>(self).event)->notify({});
    };
  }

  bool has_value() const noexcept { return waiter_.state == detail::WaiterState::fulfilled; }
  // Returns the value. ChannelError if the channel was closed, MisuseError if no value was received.
  T take() {
    if (waiter_.state == detail::WaiterState::closed) channel_->throw_closed();
    if (!has_value()) throw MisuseError("ReceiveEvent::take: no value was received");
    waiter_.state = detail::WaiterState::none;
    channel_->on_value_taken();
    T value(std::move(*waiter_.slot));
    waiter_.slot.reset();
    return value;
  }

  bool replay(Notification&) const noexcept override { return waiter_.state != detail::WaiterState::none; }
  std::string describe() const override { return channel_->describe(); }
  bool on_deadlock(const std::string& report) noexcept override { return channel_->on_deadlock(report); }
  bool reclaim(Subscription&) noexcept override {
    if (has_subscribers()) return true;  // another waiter of this event needs the value
    return_value();
    return true;
  }

 protected:
  std::exception_ptr on_start() noexcept override {
    if (channel_->try_receive_into(waiter_)) {
      notify({});
    } else {
      channel_->enqueue_receiver(entry_);
    }
    return nullptr;
  }
  void on_stop() noexcept override { channel_->remove_receiver(entry_); }
  void dispose() noexcept override {
    return_value();
    Event::dispose();
  }

 private:
  void return_value() noexcept {
    if (!has_value() || !channel_->return_value(waiter_)) return;
    waiter_.slot.reset();
    waiter_.state = detail::WaiterState::none;
  }

  Ref<detail::ChannelState<T>> channel_;
  detail::ChannelWaiter<T> waiter_{std::nullopt, 0, detail::ChannelSide::receiver};
  WaitEntry entry_;
};

namespace detail {

// ReceiveFuture: the state of the future of recv_async(). Owned by the future's handles only: when the last handle is
// destroyed, it leaves the queue, and an unobserved value returns to the channel.
template <class T>
class ReceiveFuture : public FutureState<T>, public DeadlockHandler {
 public:
  ReceiveFuture(Ref<ChannelState<T>> channel, SourceLocation location) noexcept
      : FutureState<T>(location), channel_(std::move(channel)) {
    entry_.event = this;
    entry_.owner = &waiter_;
    entry_.callback = [](Subscription& self, const Notification&) noexcept {
      static_cast<ReceiveFuture*>(static_cast<WaitEntry&>(self).event)->on_fulfilled();
    };
  }
  void begin() noexcept {
    if (channel_->try_receive_into(waiter_)) return on_fulfilled();
    channel_->enqueue_receiver(entry_);
  }
  // Called before other code settles the future: no value may be granted to it any more.
  void remove_from_queue() noexcept { channel_->remove_receiver(entry_); }
  bool on_deadlock(const std::string& report) noexcept override { return channel_->on_deadlock(report); }

 protected:
  void dispose() noexcept override {
    remove_from_queue();
    if (this->phase() == FuturePhase::value && !this->is_value_observed()) {
      channel_->return_value(this->unobserved_value(), waiter_.sequence);
    }
    FutureState<T>::dispose();
  }

 private:
  // Called when a value was granted or the channel was closed.
  void on_fulfilled() noexcept {
    Ref<ReceiveFuture> keep_alive(this);
    if (waiter_.state == WaiterState::closed) {
      this->ignore();  // a closed channel is not an unhandled error
      this->settle(FuturePhase::error, std::make_exception_ptr(channel_->closed_error()), {});
      return;
    }
    channel_->on_value_taken();
    this->complete_unchecked(std::move(*waiter_.slot));
  }

  Ref<ChannelState<T>> channel_;
  ChannelWaiter<T> waiter_{std::nullopt, 0, ChannelSide::receiver};
  WaitEntry entry_;
};

}  // namespace detail
}  // namespace trueasync
