#include "trueasync/signal.hpp"

#include "scheduler/api_support.hpp"
#include "trueasync/error.hpp"
#include "trueasync/wait.hpp"

namespace trueasync {

namespace {

// Fires when its signal has come; remembers that it came while nobody waited.
class LatchedSignal final : public Event, public detail::ReactorObserver {
 public:
  LatchedSignal(detail::Reactor& reactor, int number)
      : Event(&reactor.liveness()), reactor_(&reactor), source_(reactor.new_signal(number)) {
    source_->set_background();
    if (auto error = source_->start()) std::rethrow_exception(error);
    listener_.owner = this;
    listener_.persistent = true;
    listener_.callback = [](Subscription& self, const Notification&) noexcept {
      static_cast<Listener&>(self).owner->on_signal();
    };
    source_->subscribe(listener_);
    reactor.observers().push_back(*this);
  }

  // The watch goes: whoever still waits on its event is told.
  void end() noexcept {
    stop_listening();
    close(std::make_exception_ptr(MisuseError("the watch is gone: " + describe())));
  }
  bool replay(Notification& result) const noexcept override {
    result = {1, nullptr};
    return std::exchange(pending_, false);
  }
  // A waiter left before it saw the signal: it is kept for the next (CXL-05).
  bool reclaim(Subscription&) noexcept override {
    pending_ = true;
    return true;
  }
  std::string describe() const override { return source_->describe(); }
  void on_reactor_closed() noexcept override {
    stop_listening();
    detach_liveness();
    reactor_ = nullptr;
  }

 protected:
  std::exception_ptr on_start() noexcept override {
    if (reactor_) return nullptr;
    return std::make_exception_ptr(MisuseError("the runtime is gone: " + describe()));
  }
  ~LatchedSignal() override {
    stop_listening();
    if (ReactorObserver::is_linked()) ReactorObserver::unlink();
  }

 private:
  struct Listener : Subscription {
    LatchedSignal* owner = nullptr;
  };

  void on_signal() noexcept {
    if (has_subscribers()) {
      notify({1, nullptr});
    } else {
      pending_ = true;
    }
  }
  void stop_listening() noexcept {
    if (!listener_.is_linked()) return;
    source_->unsubscribe(listener_);
    source_->stop();
  }

  detail::Reactor* reactor_;
  Ref<Event> source_;
  Listener listener_;
  mutable bool pending_ = false;
};

// Holds the event: whoever owns it may go while we wait.
void wait_for(Ref<Event> event, Limit timeout, SourceLocation location) {
  Event* events[] = {event.get()};
  wait_any(events, timeout, location);
}

}  // namespace

Ref<Event> signal_event(int number) { return detail::require_scheduler("signal_event").reactor().new_signal(number); }

void wait_signal(int number, Limit timeout, SourceLocation location) {
  wait_for(signal_event(number), timeout, location);
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

void SignalWatch::wait(Limit timeout, SourceLocation location) { wait_for(event_, timeout, location); }

}  // namespace trueasync
