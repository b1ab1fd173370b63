// Receiving without being suspended: as an event, and as a future.
#pragma once

#include <memory>
#include <string>

#include "trueasync/detail/channel_state.hpp"
#include "trueasync/detail/future_state.hpp"
#include "trueasync/event.hpp"

namespace trueasync {

// One receive as an event, for waits of several things. While it is started it stands in the channel's queue like any
// receiver; it fires when it has a value or the channel is closed, then take() gives the value. A value that is not taken
// goes back to the channel when the wait is given up or the event goes.
template <class T>
class ReceiveEvent final : public Event, public detail::StuckWait {
 public:
  explicit ReceiveEvent(Ref<detail::ChannelState<T>> channel) noexcept : channel_(std::move(channel)) {
    entry_.event = this;
    entry_.owner = &waiter_;
    entry_.callback = [](Subscription& self, const Notification&) noexcept {
      static_cast<ReceiveEvent*>(static_cast<WaitEntry&>(self).event)->notify({});
    };
  }

  bool has_value() const noexcept { return waiter_.service == detail::Service::served; }
  // The value. Throws ChannelError if the channel was closed, MisuseError if nothing has come.
  T take() {
    if (waiter_.service == detail::Service::closed) channel_->raise_closed();
    if (!has_value()) throw MisuseError("take() of a receive that has not happened");
    waiter_.service = detail::Service::none;
    channel_->taken();
    T value(std::move(*waiter_.slot));
    waiter_.slot.reset();
    return value;
  }

  bool replay(Notification&) const noexcept override { return waiter_.service != detail::Service::none; }
  std::string describe() const override { return channel_->describe(); }
  bool end_deadlock(const std::string& report) noexcept override { return channel_->end_deadlock(report); }
  bool reclaim(Subscription&) noexcept override {
    if (has_subscribers()) return true;  // somebody else waits for the same
    give_back();
    return true;
  }

 protected:
  std::exception_ptr on_start() noexcept override {
    if (channel_->receive_now(waiter_)) {
      notify({});
    } else {
      channel_->enlist(entry_);
    }
    return nullptr;
  }
  void on_stop() noexcept override { channel_->delist(entry_); }
  void dispose() noexcept override {
    give_back();
    Event::dispose();
  }

 private:
  void give_back() noexcept {
    if (!has_value() || !channel_->put_back(waiter_)) return;
    waiter_.slot.reset();
    waiter_.service = detail::Service::none;
  }

  Ref<detail::ChannelState<T>> channel_;
  detail::ChannelWaiter<T> waiter_{std::nullopt, 0, detail::ChannelSide::receiver};
  WaitEntry entry_;
};

namespace detail {

// The future of a receive. Only those who have the future own it: when the last of them goes it leaves the queue (CH-11),
// and a value that nobody took goes back (R1).
template <class T>
class ReceiveFuture : public FutureState<T>, public StuckWait {
 public:
  ReceiveFuture(Ref<ChannelState<T>> channel, Place place) noexcept
      : FutureState<T>(place), channel_(std::move(channel)) {
    entry_.event = this;
    entry_.owner = &waiter_;
    entry_.callback = [](Subscription& self, const Notification&) noexcept {
      static_cast<ReceiveFuture*>(static_cast<WaitEntry&>(self).event)->arrived();
    };
  }
  void begin() noexcept {
    if (channel_->receive_now(waiter_)) return arrived();
    channel_->enlist(entry_);
  }
  // Before somebody else settles it: nothing must come any more.
  void leave() noexcept { channel_->delist(entry_); }
  bool end_deadlock(const std::string& report) noexcept override { return channel_->end_deadlock(report); }

 protected:
  void dispose() noexcept override {
    leave();
    if (this->phase() == FuturePhase::value && !this->is_value_taken()) {
      channel_->put_back(this->untaken(), waiter_.ticket);
    }
    FutureState<T>::dispose();
  }

 private:
  void arrived() noexcept {
    Ref<ReceiveFuture> keep(this);
    if (waiter_.service == Service::closed) {
      this->ignore();  // the end of a channel is no failure of those who do not look
      this->settle(FuturePhase::error, std::make_exception_ptr(channel_->closed_error()), {});
      return;
    }
    channel_->taken();
    this->complete_here(std::move(*waiter_.slot));
  }

  Ref<ChannelState<T>> channel_;
  ChannelWaiter<T> waiter_{std::nullopt, 0, ChannelSide::receiver};
  WaitEntry entry_;
};

}  // namespace detail
}  // namespace trueasync
