#include "engine/pcntl_signals.hpp"

#include <csignal>
#include <map>

#include "coroutine.hpp"
#include "engine/runtime.hpp"
#include "reactor/uv/signal_dispositions.hpp"
#include "support/error.hpp"
#include "trueasync/blocking.hpp"
#include "trueasync/detail/future_state.hpp"
#include "trueasync/io/signal.hpp"

extern "C" {
#include "zend_signal.h"
}

namespace trueasync::php::engine {

namespace {

using Function = void (*)(zend_execute_data* execute_data, zval* return_value);

Function pcntl_signal = nullptr;

// Called in a signal handler.
bool has_handler(int number) {
#ifdef ZEND_SIGNALS
  const auto handler = reinterpret_cast<void (*)(int)>(SIGG(handlers)[number - 1].handler);
  return handler != SIG_DFL && handler != SIG_IGN;
#else
  (void)number;
  return true;
#endif
}

// Faults are raised by the running code and must be handled there. SIGPROF is the engine's execution time limit.
bool should_watch(int number) noexcept {
  switch (number) {
    case SIGSEGV:
    case SIGBUS:
    case SIGFPE:
    case SIGILL:
    case SIGKILL:
    case SIGSTOP:
    case SIGPROF:
      return false;
    default:
      return has_handler(number);
  }
}

// Handles a pending interrupt, as the engine does between two instructions.
void call_handlers(zend_execute_data*, zval*) {
  if (!zend_atomic_bool_load_ex(&EG(vm_interrupt))) return;
  zend_atomic_bool_store_ex(&EG(vm_interrupt), false);
  if (zend_interrupt_function) zend_interrupt_function(EG(current_execute_data));
}

void spawn_handlers() noexcept {
  static zend_internal_function function = [] {
    zend_internal_function created{};
    created.type = ZEND_INTERNAL_FUNCTION;
    created.handler = &call_handlers;
    created.function_name = ZSTR_EMPTY_ALLOC();
    return created;
  }();
  zend_fcall_info call{};
  call.size = sizeof(call);
  zend_fcall_info_cache cache{};
  cache.function_handler = reinterpret_cast<zend_function*>(&function);
  zend_object* in_flight = take_exception();
  CoroutineObject* coroutine = spawn_coroutine({.owner = &detail::detached_owner()}, call, cache);
  if (zend_object* error = take_exception()) OBJ_RELEASE(error);
  EG(exception) = in_flight;
  if (coroutine) OBJ_RELEASE(object_of(*coroutine));
}

class PcntlSignal {
 public:
  explicit PcntlSignal(int number) : watch_(number) {
    subscription_.persistent = true;
    subscription_.callback = [](Subscription&, const Notification& notification) noexcept {
      if (notification.error) return;
      spawn_handlers();
      blocking::notify_signal_handled();
    };
    watch_.event().subscribe(subscription_);
  }
  ~PcntlSignal() { watch_.event().unsubscribe(subscription_); }
  PcntlSignal(const PcntlSignal&) = delete;
  PcntlSignal& operator=(const PcntlSignal&) = delete;

 private:
  SignalWatch watch_;
  Subscription subscription_;
};

TRUEASYNC_PHP_LOCAL std::map<int, PcntlSignal>* watched = nullptr;

void watch_signal(int number) {
  if (!should_watch(number)) {
    watched->erase(number);
  } else {
    watched->try_emplace(number, number);
    detail::chain_user_handler(number);
  }
}

void call_pcntl_signal(zend_execute_data* execute_data, zval* return_value) {
  const zval* number = ZEND_CALL_NUM_ARGS(execute_data) ? ZEND_CALL_ARG(execute_data, 1) : nullptr;
  const zend_long signal_number = number && Z_TYPE_P(number) == IS_LONG ? Z_LVAL_P(number) : 0;
  pcntl_signal(execute_data, return_value);
  if (watched && !EG(exception) && signal_number > 0 && signal_number < NSIG)
    catch_to_php([&] { watch_signal(static_cast<int>(signal_number)); });
}

// Not at module start: pcntl may be loaded after this module.
bool hook_pcntl() noexcept {
  auto* function = static_cast<zend_function*>(zend_hash_str_find_ptr(CG(function_table), "pcntl_signal", 12));
  if (!function || function->type != ZEND_INTERNAL_FUNCTION) return false;
  if (function->internal_function.handler == &call_pcntl_signal) return true;
  pcntl_signal = function->internal_function.handler;
  function->internal_function.handler = &call_pcntl_signal;
  detail::enable_handler_chaining(&has_handler);
  return true;
}

}  // namespace

void watch_pcntl_signals() noexcept {
  if (!hook_pcntl()) return;
  catch_to_php([] {
    watched = new std::map<int, PcntlSignal>;
#ifdef ZEND_SIGNALS
    for (int number = 1; number < NSIG; ++number) {
      if (should_watch(number)) watch_signal(number);
    }
#endif
  });
}

void unwatch_pcntl_signals() noexcept { delete std::exchange(watched, nullptr); }

}  // namespace trueasync::php::engine
