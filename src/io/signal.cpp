#include "trueasync/io/signal.hpp"

#include "scheduler/api_support.hpp"
#include "trueasync/error.hpp"
#include "trueasync/event.hpp"

namespace trueasync {

namespace {

// Fires when its signal is delivered. Latches a signal that is delivered while no coroutine waits.
class LatchedSignal final : public Event, public detail::ReactorObserver {
 public:
  LatchedSignal(detail::Reactor& reactor, int number)
      : Event(&reactor.liveness()), reactor_(&reactor), source_(reactor.new_signal(number)) {
    source_->set_background();
    if (auto error = source_->start()) std::rethrow_exception(error);
    source_subscription_.owner = this;
    source_subscription_.persistent = true;
    source_subscription_.callback = [](Subscription& self, const Notification&) noexcept {
      static_cast<SourceSubscription&>(self).owner->on_signal();
    };
    source_->subscribe(source_subscription_);
    reactor.observers().push_back(*this);
  }

  // Called when the SignalWatch is destroyed: waiters on its event fail.
  void end() noexcept {
    unsubscribe_source();
    close(std::make_exception_ptr(MisuseError("wait for " + describe() + ": the SignalWatch was destroyed")));
  }
  bool replay(Notification& result) const noexcept override {
    result = {1, nullptr};
    return std::exchange(pending_, false);
  }
  // A waiter was cancelled before it ran: the signal stays latched for the next waiter.
  bool reclaim(Subscription&) noexcept override {
    pending_ = true;
    return true;
  }
  std::string describe() const override { return source_->describe(); }
  void on_reactor_closed() noexcept override {
    unsubscribe_source();
    detach_liveness();
    reactor_ = nullptr;
  }

 protected:
  std::exception_ptr on_start() noexcept override {
    if (reactor_) return nullptr;
    return std::make_exception_ptr(MisuseError("wait for " + describe() + ": the runtime was destroyed"));
  }
  ~LatchedSignal() override {
    unsubscribe_source();
    if (ReactorObserver::is_linked()) ReactorObserver::unlink();
  }

 private:
  struct SourceSubscription : Subscription {
    LatchedSignal* owner = nullptr;
  };

  void on_signal() noexcept {
    if (has_subscribers()) {
      notify({1, nullptr});
    } else {
      pending_ = true;
    }
  }
  void unsubscribe_source() noexcept {
    if (!source_subscription_.is_linked()) return;
    source_->unsubscribe(source_subscription_);
    source_->stop();
  }

  detail::Reactor* reactor_;
  Ref<Event> source_;
  SourceSubscription source_subscription_;
  mutable bool pending_ = false;
};

// Holds a reference to the event: its owner may be destroyed during the wait.
void wait_for(Ref<Event> event, WaitOptions options, SourceLocation location) {
  Event* events[] = {event.get()};
  wait_any(events, options, location);
}

}  // namespace

Ref<Event> signal_event(int number) { return detail::require_scheduler("signal_event").reactor().new_signal(number); }

void wait_signal(int number, WaitOptions options, SourceLocation location) {
  wait_for(signal_event(number), options, location);
}

SignalWatch::SignalWatch(int number)
    : event_(Ref<LatchedSignal>::adopt(new LatchedSignal(detail::require_scheduler("SignalWatch").reactor(), number))) {
}

SignalWatch& SignalWatch::operator=(SignalWatch&& other) noexcept {
  std::swap(event_, other.event_);
  return *this;
}

SignalWatch::~SignalWatch() {
  if (event_) static_cast<LatchedSignal&>(*event_).end();
}

void SignalWatch::wait(WaitOptions options, SourceLocation location) { wait_for(event_, options, location); }

}  // namespace trueasync
