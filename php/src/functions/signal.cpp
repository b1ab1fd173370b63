// signal(): a future of the next such signal.
#include <csignal>

#include "engine/runtime.hpp"
#include "exceptions.hpp"
#include "future.hpp"
#include "generated/signal_arginfo.h"
#include "interfaces.hpp"
#include "signal.hpp"
#include "support/error.hpp"
#include "support/place.hpp"
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
    signal_end_.leave();
    token_end_.leave();
  }

  // Throws what keeps it from listening.
  void listen(int number) {
    signal_end_.join(signal_event(number));
    if (!token_) return;
    if (Event* event = source().event()) token_end_.join(Ref<Event>(event));
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
    Ref<Event> held;

    void join(Ref<Event> what) {
      held = std::move(what);
      held->subscribe(*this);
      if (auto error = held->start()) {
        held->unsubscribe(*this);
        held = {};
        std::rethrow_exception(error);
      }
    }
    void leave() noexcept {
      if (!held) return;
      held->unsubscribe(*this);
      held->stop();
      held = {};
    }
  };

  AwaitableSource& source() noexcept { return *awaitable_source(token_.get()); }
  void arrived() noexcept {
    const std::unique_ptr<FutureProducer> keep = std::move(future_.producer);
    future_.complete(Value(wanted_), {});
  }

  FutureStateObject& future_;
  zend_object* wanted_;  // a case of an enum lives as long as the request
  Value token_;
  End signal_end_;
  End token_end_;
};

void begin(FutureStateObject& future, zval* wanted, zval* token) {
  auto producer = std::make_unique<SignalProducer>(future, Z_OBJ_P(wanted), token);
  SignalProducer& made = *producer;
  future.producer = std::move(producer);
  future.is_settled_by_event = true;
  if (made.is_token_there()) return made.token_fired();
  made.listen(platform_number(Z_LVAL_P(zend_enum_fetch_case_value(Z_OBJ_P(wanted)))));
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
  guarded([&] {
    FutureStateObject& state = make_future_state(executing_place());
    zend_object* future = make_future(state);
    RETVAL_OBJ(future);
    try {
      begin(state, wanted, token);
    } catch (...) {
      state.producer.reset();
      state.state->ignore();
      throw;
    }
  });
}
