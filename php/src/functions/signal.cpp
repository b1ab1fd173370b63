// signal(): a future of the next such signal.
#include <csignal>
#include <optional>

#include "engine/runtime.hpp"
#include "exceptions.hpp"
#include "future.hpp"
#include "generated/signal_arginfo.h"
#include "interfaces.hpp"
#include "signal.hpp"
#include "support/error.hpp"
#include "support/source_location.hpp"
#include "trueasync/signal.hpp"

namespace trueasync::php {

namespace {

zend_class_entry* signal_class = nullptr;

// SG-05: the values of the cases are Linux's, the platform may have others. Where there is no Ctrl+Break the terminal's
// break is an interrupt.
int platform_number(zend_long value) noexcept {
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

// While somebody awaits it, or has chained to it, it keeps the program from being taken for stuck; otherwise not.
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

// Listens from its making on; when the future goes it goes too, and with it the handler (SG-04).
class SignalProducer final : public FutureProducer {
 public:
  SignalProducer(FutureStateObject& future, zend_object* wanted, zval* token) noexcept
      : future_(future), wanted_(wanted) {
    signal_end_.owner = token_end_.owner = this;
    signal_end_.callback = [](Subscription& self, const Notification&) noexcept {
      static_cast<End&>(self).owner->arrived();
    };
    token_end_.callback = [](Subscription& self, const Notification&) noexcept {
      static_cast<End&>(self).owner->token_fired();
    };
    if (token) token_ = Value(token);
  }
  ~SignalProducer() override {
    if (watch_) watch_->event().unsubscribe(signal_end_);
    if (!token_event_) return;
    token_event_->unsubscribe(token_end_);
    token_event_->stop();
  }

  // Throws what keeps it from listening.
  void listen(int number, SignalState& state) {
    watch_.emplace(number);
    watch_->event().subscribe(signal_end_);
    state.set_source(watch_->event());
    Event* event = token_ ? source().event() : nullptr;
    if (!event) return;
    if (auto error = event->start()) std::rethrow_exception(error);
    token_event_ = Ref<Event>(event);
    event->subscribe(token_end_);
  }
  bool is_token_there() noexcept { return token_ && source().is_ready(); }
  void token_fired() noexcept {
    const std::unique_ptr<FutureProducer> keep = std::move(future_.producer);
    zval result;
    ZVAL_UNDEF(&result);
    zend_object* error = source().take({}, &result);
    zval_ptr_dtor(&result);
    if (!error) error = make_exception(exceptions.async_cancellation, "The wait for the signal was ended by its token");
    future_.fail(error, {});
  }

  void cancel(zend_object*) noexcept override {}
  void report(GcBuffer& buffer) noexcept override { buffer.add(token_); }

 private:
  struct End : Subscription {
    SignalProducer* owner = nullptr;
  };

  AwaitableSource& source() noexcept { return *awaitable_source(token_.get()); }
  void arrived() noexcept {
    const std::unique_ptr<FutureProducer> keep = std::move(future_.producer);
    future_.complete(Value(wanted_), {});
  }

  FutureStateObject& future_;
  zend_object* wanted_;  // a case of an enum lives as long as the request
  Value token_;
  std::optional<SignalWatch> watch_;
  Ref<Event> token_event_;
  End signal_end_;
  End token_end_;
};

void begin(FutureStateObject& future, SignalState& state, zval* wanted, zval* token) {
  auto producer = std::make_unique<SignalProducer>(future, Z_OBJ_P(wanted), token);
  SignalProducer& made = *producer;
  future.producer = std::move(producer);
  if (made.is_token_there()) return made.token_fired();
  made.listen(platform_number(Z_LVAL_P(zend_enum_fetch_case_value(Z_OBJ_P(wanted)))), state);
}

}  // namespace

void register_signal() { signal_class = register_class_Async_Signal(); }

}  // namespace trueasync::php

using namespace trueasync::php;

ZEND_FUNCTION(Async_signal) {
  zval* wanted;
  zval* token = nullptr;
  ZEND_PARSE_PARAMETERS_START(1, 2)
  Z_PARAM_OBJECT_OF_CLASS(wanted, signal_class)
  Z_PARAM_OPTIONAL
  Z_PARAM_OBJECT_OF_CLASS_OR_NULL(token, interfaces.completable)
  ZEND_PARSE_PARAMETERS_END();
  if (!engine::ensure_started()) return;
  catch_to_php([&] {
    const auto state = trueasync::Ref<SignalState>::adopt(new SignalState(executing_location()));
    FutureStateObject& future = adopt_future_state(state, SettledBy::event);
    RETVAL_OBJ(make_future(future));
    try {
      begin(future, *state, wanted, token);
    } catch (...) {
      future.producer.reset();
      state->ignore();
      throw;
    }
  });
}
