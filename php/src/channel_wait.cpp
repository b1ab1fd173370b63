// The operations of Async\Channel that suspend.
#include "channel.hpp"
#include "engine/runtime.hpp"
#include "scheduler/fast_path.hpp"
#include "support/error.hpp"
#include "support/wait.hpp"

namespace trueasync::php {

namespace {

using detail::ChannelSide;
using detail::WaiterState;
using State = ChannelObject::State;
using Waiter = State::Waiter;

[[gnu::cold, gnu::noinline]] bool throw_closed(const State& state) noexcept {
  catch_to_php([&] { throw_exception(std::make_exception_ptr(state.closed_error())); });
  return false;
}

// A fulfilled waiter succeeds even if the token fired or a cancellation was requested at the same time: the transfer of
// the value cannot be undone.
bool park_with_token(State& state, Waiter& waiter, AwaitableSource& token, SourceLocation location) noexcept {
  WaitEntry entries[2];
  entries[0].event = &state;
  entries[0].owner = &waiter;
  entries[1].event = token.event();
  entries[1].is_token = true;
  if (!entries[1].event) return false;
  WaitRequest request;
  request.entries = entries;
  bool failed = false;
  WakeReason reason = WakeReason::none;
  state.on_waiter_added(waiter.side);
  try {
    reason = engine::scheduler->wait(request, location, &state.side(waiter.side));
  } catch (...) {
    failed = true;
    throw_exception(std::current_exception());
  }
  state.on_waiter_removed(waiter.side);
  if (failed) return false;
  if (entries[0].fired) reason = WakeReason::event;
  return throw_wait_error(reason, &request);
}

bool park(State& state, Waiter& waiter, SourceLocation location) noexcept {
  WaitEntry entry;
  entry.event = &state;
  entry.owner = &waiter;
  WakeReason reason = WakeReason::none;
  bool failed = false;
  state.on_waiter_added(waiter.side);
  try {
    reason = engine::scheduler->wait_queued(state.side(waiter.side), entry, location);
  } catch (...) {
    failed = true;
    throw_exception(std::current_exception());
  }
  state.on_waiter_removed(waiter.side);
  return !failed && throw_wait_error(reason, nullptr);
}

bool park_in_queue(State& state, Waiter& waiter, AwaitableSource* token, SourceLocation location) noexcept {
  if (!engine::ensure_started()) return false;
  return token ? park_with_token(state, waiter, *token, location) : park(state, waiter, location);
}

enum class Received : std::uint8_t { value, closed, exception };

Received receive_or_closed(State& state, zval* out, AwaitableSource* token, SourceLocation location) noexcept {
  if (state.is_closed()) return Received::closed;
  Waiter waiter{std::nullopt, 0, ChannelSide::receiver};
  if (!park_in_queue(state, waiter, token, location)) return Received::exception;
  if (waiter.state == WaiterState::closed) return Received::closed;
  waiter.slot->move_to(out);
  state.on_value_taken();
  return Received::value;
}

}  // namespace

bool ChannelObject::send(zval* value, AwaitableSource* token, SourceLocation location) noexcept {
  if (__builtin_expect(state->is_closed(), 0)) return throw_closed(*state);
  Waiter waiter{Value(value), 0, ChannelSide::sender};
  if (!park_in_queue(*state, waiter, token, location)) return false;
  return waiter.state != WaiterState::closed || throw_closed(*state);
}

bool ChannelObject::receive(zval* out, AwaitableSource* token, SourceLocation location) noexcept {
  const Received received = receive_or_closed(*state, out, token, location);
  return received == Received::value || (received == Received::closed && throw_closed(*state));
}

bool ChannelObject::iterate(std::size_t& position, Value& key, Value& value) noexcept {
  if (!check()) return false;
  if (!try_receive(value.get())) {
    const Received received = receive_or_closed(*state, value.get(), nullptr, executing_location());
    if (received == Received::closed && state->close_reason() != CloseReason::closed) throw_closed(*state);
    if (received != Received::value) return false;
  }
  ZVAL_LONG(key.get(), static_cast<zend_long>(position++));
  return true;
}

}  // namespace trueasync::php
