#include "channel.hpp"

#include "channel_future.hpp"
#include "engine/runtime.hpp"
#include "exceptions.hpp"
#include "generated/channel_arginfo.h"
#include "generated/channel_close_reason_arginfo.h"
#include "interfaces.hpp"
#include "scope/scope_state.hpp"
#include "support/arguments.hpp"
#include "support/duration.hpp"
#include "support/error.hpp"
#include "support/foreach_iterator.hpp"
#include "support/source_location.hpp"
#include "support/waiters.hpp"

namespace trueasync::php {

using detail::ChannelSide;

ChannelObject::~ChannelObject() {
  if (!state) return;
  state->close(CloseReason::disposed);
  // A scope or a receive future may keep the state alive. The values must not outlive the PHP object.
  std::optional<Value> value;
  while (state->try_receive(value)) value.reset();
}

namespace {

// Calls visit(const WaitEntry&) for each waiter of both queues. Coroutines have a waker, futures have none.
template <class F>
void for_each_waiter(ChannelObject::State& state, F&& visit) {
  for (const ChannelSide side : {ChannelSide::sender, ChannelSide::receiver}) {
    const detail::WaiterList& queue = state.side(side);
    for (const WaitEntry* entry = queue.front(); entry; entry = queue.next_of(*entry)) visit(*entry);
  }
}

}  // namespace

void ChannelObject::report(GcBuffer& buffer) noexcept {
  if (!state) return;
  std::uint32_t known = 1 + (is_in_scope ? 1 : 0);
  for_each_waiter(*state, [&](const WaitEntry&) { ++known; });
  // Another owner exists: a future whose value may return to the channel.
  if (state->references() > known) return;
  state->for_each_value([&](const Value& value) { buffer.add(value); });
  if (has_timers) return;  // a timer can wake the waiters, too
  for_each_waiter(*state, [&](const WaitEntry& entry) {
    if (entry.waker) {
      report_waiter(buffer, entry.waker);
    } else {
      static_cast<const ChannelFuture*>(entry.event)->report(buffer);
    }
  });
}

bool ChannelObject::throw_unconstructed() noexcept {
  zend_throw_error(nullptr, "Cannot use a channel whose constructor was not called");
  return false;
}

Event* ChannelObject::event() noexcept {
  throw_exception(exceptions.async, "Cannot await a channel; await the future of recvAsync()");
  return nullptr;
}

zend_object* ChannelObject::take(const Notification&, zval*) noexcept { return nullptr; }

zend_object* ChannelObject::receive_async(SourceLocation location) noexcept {
  zend_object* result = nullptr;
  if (!check()) return nullptr;
  catch_to_php([&] {
    const auto future = Ref<ChannelFuture>::adopt(new ChannelFuture(state, location));
    FutureStateObject& object = adopt_future_state(Ref<FutureStateObject::State>(future), SettledBy::channel);
    future->object = &object;
    future->begin();
    result = make_future(object);
  });
  return result;
}

namespace {

ChannelObject& this_channel(zval* value) noexcept { return Class<ChannelObject>::self(value); }

// Null: EG(exception) is set. The error handler may see an object whose constructor has not finished.
ChannelObject::State* this_state(zval* value) noexcept {
  ChannelObject& self = this_channel(value);
  return self.check() ? self.state.get() : nullptr;
}

// Null: EG(exception) is set.
Ref<ChannelObject::State> make_state(const ChannelOptions& options) {
  try {
    return Ref<ChannelObject::State>::adopt(new ChannelObject::State(options));
  } catch (const std::bad_alloc&) {
    zend_argument_value_error(1, "is too large: cannot allocate the buffer");
    return {};
  }
}

// A channel that is created in a scope is closed when the scope ends.
void attach_to_scope(ChannelObject& self) {
  detail::ControlBlock* running = engine::scheduler->running();
  if (!running || !running->owner) return;
  detail::ScopeState& scope = detail::ScopeState::of(*running);
  if (scope.is_root()) return;
  scope.own(*self.state);
  self.is_in_scope = true;
}

zend_class_entry* close_reason_class = nullptr;

const char* enum_case(CloseReason reason) noexcept {
  switch (reason) {
    case CloseReason::disposed:
      return "DISPOSED";
    case CloseReason::no_producers:
      return "NO_PRODUCERS";
    case CloseReason::no_consumers:
      return "NO_CONSUMERS";
    case CloseReason::deadlock:
      return "DEADLOCK";
    case CloseReason::scope_disposed:
      return "SCOPE_DISPOSED";
    case CloseReason::none:
    case CloseReason::closed:
      break;
  }
  return "EXPLICIT";
}

void fill_reason(zend_object* exception, const ChannelError& error) {
  zval value;
  ZVAL_OBJ(&value, zend_enum_get_case_cstr(close_reason_class, enum_case(error.reason())));
  zend_update_property(exceptions.channel, exception, "reason", sizeof("reason") - 1, &value);
}

}  // namespace

void register_channel_close_reason() {
  close_reason_class = register_class_Async_ChannelCloseReason();
  fill_channel_exception = &fill_reason;
}

void register_channel() {
  zend_class_entry* entry = register_class_Async_Channel(interfaces.awaitable, zend_ce_aggregate, zend_ce_countable);
  Class<ChannelObject>::setup(entry);
  ForeachIterator<ChannelObject>::setup(entry);
}

}  // namespace trueasync::php

using namespace trueasync;
using namespace trueasync::php;

ZEND_METHOD(Async_Channel, __construct) {
  zend_long capacity = 0;
  zend_long no_producer_ms = 0;
  zend_long no_consumer_ms = 0;
  bool hard_timeouts = false;
  ZEND_PARSE_PARAMETERS_START(0, 4)
  Z_PARAM_OPTIONAL
  Z_PARAM_LONG(capacity)
  Z_PARAM_LONG(no_producer_ms)
  Z_PARAM_LONG(no_consumer_ms)
  Z_PARAM_BOOL(hard_timeouts)
  ZEND_PARSE_PARAMETERS_END();
  const zend_long arguments[] = {capacity, no_producer_ms, no_consumer_ms};
  for (uint32_t i = 0; i < 3; ++i) {
    if (arguments[i] >= 0) continue;
    zend_argument_value_error(i + 1, "must be greater than or equal to 0");
    return;
  }
  auto& self = this_channel(ZEND_THIS);
  if (self.state) return throw_exception(exceptions.async, "Cannot call Async\\Channel::__construct() twice");
  if (!engine::ensure_started()) return;
  catch_to_php([&] {
    const ChannelOptions options{
        .capacity = static_cast<std::size_t>(capacity),
        .no_producer_timeout = to_timeout(no_producer_ms),
        .no_consumer_timeout = to_timeout(no_consumer_ms),
        .timer_mode = hard_timeouts ? ChannelTimerMode::foreground : ChannelTimerMode::background};
    self.state = make_state(options);
    if (!self.state) return;
    self.has_timers = no_producer_ms > 0 || no_consumer_ms > 0;
    attach_to_scope(self);
  });
}

ZEND_METHOD(Async_Channel, send) {
  zval* value;
  zval* token = nullptr;
  ZEND_PARSE_PARAMETERS_START(1, 2)
  Z_PARAM_ZVAL(value)
  Z_PARAM_OPTIONAL
  Z_PARAM_OBJECT_OF_CLASS_OR_NULL(token, interfaces.completable)
  ZEND_PARSE_PARAMETERS_END();
  auto& self = this_channel(ZEND_THIS);
  if (!self.check() || self.try_send(value)) return;
  self.send(value, token ? completable_source(token) : nullptr, executing_location());
}

ZEND_METHOD(Async_Channel, sendAsync) {
  zval* value;
  ZEND_PARSE_PARAMETERS_START(1, 1)
  Z_PARAM_ZVAL(value)
  ZEND_PARSE_PARAMETERS_END();
  auto& self = this_channel(ZEND_THIS);
  if (self.check()) RETURN_BOOL(self.try_send(value));
}

ZEND_METHOD(Async_Channel, recv) {
  zval* token;
  if (!parse_optional_object(execute_data, interfaces.completable, token)) return;
  auto& self = this_channel(ZEND_THIS);
  if (!self.check() || self.try_receive(return_value)) return;
  self.receive(return_value, token ? completable_source(token) : nullptr, executing_location());
}

ZEND_METHOD(Async_Channel, recvAsync) {
  ZEND_PARSE_PARAMETERS_NONE();
  if (!engine::ensure_started()) return;
  if (zend_object* future = this_channel(ZEND_THIS).receive_async(executing_location())) RETURN_OBJ(future);
}

ZEND_METHOD(Async_Channel, close) {
  ZEND_PARSE_PARAMETERS_NONE();
  if (auto* state = this_state(ZEND_THIS)) state->close(CloseReason::closed);
}

ZEND_METHOD(Async_Channel, isClosed) {
  ZEND_PARSE_PARAMETERS_NONE();
  if (const auto* state = this_state(ZEND_THIS)) RETURN_BOOL(state->is_closed());
}

ZEND_METHOD(Async_Channel, capacity) {
  ZEND_PARSE_PARAMETERS_NONE();
  if (const auto* state = this_state(ZEND_THIS)) RETURN_LONG(static_cast<zend_long>(state->capacity()));
}

ZEND_METHOD(Async_Channel, count) {
  ZEND_PARSE_PARAMETERS_NONE();
  if (const auto* state = this_state(ZEND_THIS)) RETURN_LONG(static_cast<zend_long>(state->count()));
}

ZEND_METHOD(Async_Channel, isEmpty) {
  ZEND_PARSE_PARAMETERS_NONE();
  if (const auto* state = this_state(ZEND_THIS)) RETURN_BOOL(state->count() == 0);
}

ZEND_METHOD(Async_Channel, isFull) {
  ZEND_PARSE_PARAMETERS_NONE();
  if (const auto* state = this_state(ZEND_THIS)) RETURN_BOOL(state->count() >= state->capacity());
}

ZEND_METHOD(Async_Channel, getIterator) {
  ZEND_PARSE_PARAMETERS_NONE();
  zend_create_internal_iterator_zval(return_value, ZEND_THIS);
}
