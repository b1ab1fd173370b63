// Async\Channel, on the library's channel.
//
// Owns: the channel's state; when the object goes the channel is closed and what is in it let go. Threads: the engine's.
#pragma once

#include "support/object.hpp"
#include "trueasync/channel.hpp"

namespace trueasync::php {

struct ChannelObject final : AwaitableSource {
  using State = detail::ChannelState<Value>;

  ~ChannelObject();
  void report(GcBuffer& buffer) noexcept;

  // False: its constructor has not run, and EG(exception) says so.
  bool check() const noexcept { return __builtin_expect(static_cast<bool>(state), 1) || throw_unconstructed(); }

  // A channel as a whole is nothing to await; the await family takes receive_async() of it.
  bool is_ready() noexcept override { return false; }
  Event* event() noexcept override;
  zend_object* take(const Notification& notification, zval* result) noexcept override;

  // Without a wait; false if that can't be.
  bool try_send(zval* value) noexcept {
    if (__builtin_expect(state->is_closed(), 0)) return false;
    Value sent(value);
    return state->try_send(sent);
  }
  bool try_receive(zval* out) noexcept {
    std::optional<Value> value;
    if (!state->try_receive(value)) return false;
    value->move_to(out);
    return true;
  }
  // Where that can't be: each suspends. False: EG(exception) is set.
  bool send(zval* value, AwaitableSource* token, SourceLocation location) noexcept;
  bool receive(zval* out, AwaitableSource* token, SourceLocation location) noexcept;
  // For foreach: false at the end, which is an exception only if it is not by close() (CH-12).
  bool iterate(std::size_t& position, Value& key, Value& value) noexcept;
  // A Future of the next value; the caller has the reference. Null: EG(exception) is set.
  zend_object* receive_async(SourceLocation location) noexcept;

  Ref<State> state;
  bool has_timers = false;
  bool is_in_scope = false;  // a scope holds it too, to close it

 private:
  static bool throw_unconstructed() noexcept;
};

void register_channel_close_reason();
void register_channel();

}  // namespace trueasync::php
