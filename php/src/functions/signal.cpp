// Async\Signal and Async\signal(), which returns a future of the next delivery of a signal.
#include <csignal>
#include <optional>

#include "engine/runtime.hpp"
#include "exceptions.hpp"
#include "future.hpp"
#include "generated/signal_arginfo.h"
#include "interfaces.hpp"
#include "registration.hpp"
#include "support/error.hpp"
#include "support/source_location.hpp"
#include "trueasync/io/signal.hpp"

namespace trueasync::php {

namespace {

zend_class_entry* signal_class = nullptr;

// The signal number of this platform for a case of the enum, whose values are fixed. SIGBREAK, which exists only on
// Windows, maps to SIGINT.
int to_signal_number(zend_long value) noexcept {
  switch (value) {
    case 1:
      return SIGHUP;
    case 3:
      return SIGQUIT;
    case 4:
      return SIGILL;
    case 6:
    case 22:
      return SIGABRT;
    case 8:
      return SIGFPE;
    case 9:
      return SIGKILL;
    case 10:
      return SIGUSR1;
    case 11:
      return SIGSEGV;
    case 12:
      return SIGUSR2;
    case 15:
      return SIGTERM;
    case 28:
      return SIGWINCH;
    default:
      return SIGINT;
  }
}

// SignalState: the state of the future. While it has subscribers, the signal watch is a foreground event, so waiting
// for it is not a deadlock.
class SignalState final : public FutureStateObject::State {
 public:
  explicit SignalState(SourceLocation location) noexcept : State(location) {}
  void set_source(Event& source) noexcept { source_ = Ref<Event>(&source); }

 protected:
  std::exception_ptr on_start() noexcept override { return source_ ? source_->start() : nullptr; }
  void on_stop() noexcept override {
    if (source_) source_->stop();
  }

 private:
  using State = FutureStateObject::State;
  Ref<Event> source_;
};

// SignalProducer: subscribes to the signal and the token, and settles the future. Destroyed with the future, which
// removes the signal handler.
class SignalProducer final : public FutureProducer {
 public:
  SignalProducer(FutureStateObject& future, zend_object* signal_case, zval* token) noexcept
      : future_(future), signal_case_(signal_case) {
    signal_subscription_.owner = token_subscription_.owner = this;
    signal_subscription_.callback = [](Subscription& self, const Notification&) noexcept {
      static_cast<OwnedSubscription&>(self).owner->on_signal();
    };
    token_subscription_.callback = [](Subscription& self, const Notification&) noexcept {
      static_cast<OwnedSubscription&>(self).owner->on_token();
    };
    if (token) token_ = Value(token);
  }
  ~SignalProducer() override {
    if (watch_) watch_->event().unsubscribe(signal_subscription_);
    if (!token_event_) return;
    token_event_->unsubscribe(token_subscription_);
    token_event_->stop();
  }

  // Throws a C++ exception if the signal cannot be watched.
  void subscribe(int number, SignalState& state) {
    watch_.emplace(number);
    watch_->event().subscribe(signal_subscription_);
    state.set_source(watch_->event());
    Event* event = token_ ? source().event() : nullptr;
    if (!event) return;
    if (auto error = event->start()) std::rethrow_exception(error);
    token_event_ = Ref<Event>(event);
    event->subscribe(token_subscription_);
  }
  bool is_token_ready() noexcept { return token_ && source().is_ready(); }
  void on_token() noexcept {
    const std::unique_ptr<FutureProducer> keep_alive = std::move(future_.producer);
    zval result;
    ZVAL_UNDEF(&result);
    zend_object* error = source().take({}, &result);
    zval_ptr_dtor(&result);
    if (!error) error = make_exception(exceptions.async_cancellation, "Signal wait cancelled");
    future_.fail(error, {});
  }

  void cancel(zend_object*) noexcept override {}
  void report(GcBuffer& buffer) noexcept override { buffer.add(token_); }

 private:
  struct OwnedSubscription : Subscription {
    SignalProducer* owner = nullptr;
  };

  AwaitableSource& source() noexcept { return *awaitable_source(token_.get()); }
  void on_signal() noexcept {
    const std::unique_ptr<FutureProducer> keep_alive = std::move(future_.producer);
    future_.complete(Value(signal_case_), {});
  }

  FutureStateObject& future_;
  zend_object* signal_case_;  // the engine keeps enum cases until the end of the request
  Value token_;
  std::optional<SignalWatch> watch_;
  Ref<Event> token_event_;
  OwnedSubscription signal_subscription_;
  OwnedSubscription token_subscription_;
};

// Throws a C++ exception if the signal cannot be watched.
void start_watch(FutureStateObject& future, SignalState& state, zval* signal_case, zval* token) {
  auto created = std::make_unique<SignalProducer>(future, Z_OBJ_P(signal_case), token);
  SignalProducer& producer = *created;
  future.producer = std::move(created);
  if (producer.is_token_ready()) return producer.on_token();
  producer.subscribe(to_signal_number(Z_LVAL_P(zend_enum_fetch_case_value(Z_OBJ_P(signal_case)))), state);
}

}  // namespace

void register_signal() { signal_class = register_class_Async_Signal(); }

}  // namespace trueasync::php

using namespace trueasync::php;

ZEND_FUNCTION(Async_signal) {
  zval* signal_case;
  zval* token = nullptr;
  ZEND_PARSE_PARAMETERS_START(1, 2)
  Z_PARAM_OBJECT_OF_CLASS(signal_case, signal_class)
  Z_PARAM_OPTIONAL
  Z_PARAM_OBJECT_OF_CLASS_OR_NULL(token, interfaces.completable)
  ZEND_PARSE_PARAMETERS_END();
  if (!engine::ensure_started()) return;
  catch_to_php([&] {
    const auto state = trueasync::Ref<SignalState>::adopt(new SignalState(executing_location()));
    FutureStateObject& future = adopt_future_state(state, SettledBy::event);
    RETVAL_OBJ(make_future(future));
    try {
      start_watch(future, *state, signal_case, token);
    } catch (...) {
      future.producer.reset();
      state->ignore();
      throw;
    }
  });
}
