// What of a channel suspends.
#include "channel.hpp"
#include "engine/runtime.hpp"
#include "scheduler/wait_queued.hpp"
#include "support/error.hpp"
#include "support/wait.hpp"

namespace trueasync::php {

namespace {

using detail::ChannelSide;
using detail::Service;
using State = ChannelObject::State;
using Waiter = State::Waiter;

[[gnu::cold, gnu::noinline]] bool raise_closed(const State& state) noexcept {
  guarded([&] { raise(std::make_exception_ptr(state.closed_error())); });
  return false;
}

// Served while the token fired, or while a cancellation came: that can't be undone, and it is no failure then.
bool park_with_token(State& state, Waiter& waiter, AwaitableSource& token, Place place) noexcept {
  WaitEntry entries[2];
  entries[0].event = &state;
  entries[0].owner = &waiter;
  entries[1].event = token.event();
  entries[1].is_token = true;
  if (!entries[1].event) return false;
  WaitRequest request;
  request.entries = entries;
  bool refused = false;
  WakeReason reason = WakeReason::none;
  state.arrived(waiter.side);
  try {
    reason = engine::scheduler->wait(request, place, &state.side(waiter.side));
  } catch (...) {
    refused = true;
    raise(std::current_exception());
  }
  state.left(waiter.side);
  if (refused) return false;
  if (entries[0].fired) reason = WakeReason::event;
  return settle_wait(reason, &request);
}

bool park(State& state, Waiter& waiter, Place place) noexcept {
  WaitEntry entry;
  entry.event = &state;
  entry.owner = &waiter;
  WakeReason reason = WakeReason::none;
  bool refused = false;
  state.arrived(waiter.side);
  try {
    reason = engine::scheduler->wait_queued(state.side(waiter.side), entry, place);
  } catch (...) {
    refused = true;
    raise(std::current_exception());
  }
  state.left(waiter.side);
  return !refused && settle_wait(reason, nullptr);
}

bool wait_there(State& state, Waiter& waiter, AwaitableSource* token, Place place) noexcept {
  if (!engine::ensure_started()) return false;
  return token ? park_with_token(state, waiter, *token, place) : park(state, waiter, place);
}

enum class Received : std::uint8_t { value, end, exception };

Received receive_or_end(State& state, zval* out, AwaitableSource* token, Place place) noexcept {
  if (state.is_closed()) return Received::end;
  Waiter waiter{std::nullopt, 0, ChannelSide::receiver};
  if (!wait_there(state, waiter, token, place)) return Received::exception;
  if (waiter.service == Service::closed) return Received::end;
  waiter.slot->move_to(out);
  state.taken();
  return Received::value;
}

}  // namespace

bool ChannelObject::send(zval* value, AwaitableSource* token, Place place) noexcept {
  if (__builtin_expect(state->is_closed(), 0)) return raise_closed(*state);
  Waiter waiter{Value(value), 0, ChannelSide::sender};
  if (!wait_there(*state, waiter, token, place)) return false;
  return waiter.service != Service::closed || raise_closed(*state);
}

bool ChannelObject::receive(zval* out, AwaitableSource* token, Place place) noexcept {
  const Received received = receive_or_end(*state, out, token, place);
  return received == Received::value || (received == Received::end && raise_closed(*state));
}

bool ChannelObject::iterate(std::size_t& position, Value& key, Value& value) noexcept {
  if (!check()) return false;
  if (!receive_now(value.get())) {
    const Received received = receive_or_end(*state, value.get(), nullptr, executing_place());
    if (received == Received::end && state->closed_by() != CloseReason::closed) raise_closed(*state);
    if (received != Received::value) return false;
  }
  ZVAL_LONG(key.get(), static_cast<zend_long>(position++));
  return true;
}

}  // namespace trueasync::php
