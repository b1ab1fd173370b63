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
  if (__builtin_expect(reason == WakeReason::event && !engine::bailed_out, 1)) return true;
  return !refused && settle_wait(reason, nullptr);
}

bool wait_there(State& state, Waiter& waiter, AwaitableSource* token, Place place) noexcept {
  return token ? park_with_token(state, waiter, *token, place) : park(state, waiter, place);
}

bool wait_for_value(State& state, Value& out, AwaitableSource* token, Place place) noexcept {
  Waiter waiter{std::nullopt, 0, ChannelSide::receiver};
  if (!wait_there(state, waiter, token, place)) return false;
  if (waiter.service == Service::closed) return true;
  out = std::move(*waiter.slot);
  state.taken();
  return true;
}

// Leaves `out` undefined when the channel is closed.
bool receive_or_end(State& state, Value& out, AwaitableSource* token, Place place) noexcept {
  std::optional<Value> value;
  if (state.poll(value)) {
    out = std::move(*value);
    return true;
  }
  return state.is_closed() || wait_for_value(state, out, token, place);
}

}  // namespace

bool ChannelObject::send(zval* value, AwaitableSource* token, Place place) noexcept {
  if (__builtin_expect(state->is_closed(), 0)) return raise_closed(*state);
  Value sent(value);
  if (state->offer(sent)) return true;
  Waiter waiter{std::move(sent), 0, ChannelSide::sender};
  if (!wait_there(*state, waiter, token, place)) return false;
  return waiter.service != Service::closed || raise_closed(*state);
}

bool ChannelObject::receive(Value& out, AwaitableSource* token, Place place) noexcept {
  return receive_or_end(*state, out, token, place) && (out || raise_closed(*state));
}

bool ChannelObject::iterate(std::size_t& position, Value& key, Value& value) noexcept {
  if (!receive_or_end(*state, value, nullptr, executing_place())) return false;
  if (!value) return state->closed_by() != CloseReason::closed && raise_closed(*state);
  ZVAL_LONG(key.get(), static_cast<zend_long>(position++));
  return true;
}

}  // namespace trueasync::php
