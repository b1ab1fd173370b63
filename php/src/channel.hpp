// Async\Channel and Async\ChannelCloseReason, based on the library's channel.
//
// Ownership: a reference to the channel's state. The destructor closes the channel and destroys the buffered values.
// Thread safety: the engine's thread only.
#pragma once

#include "support/object.hpp"
#include "trueasync/sync/channel.hpp"

namespace trueasync::php {

struct ChannelObject final : AwaitableSource {
  using State = detail::ChannelState<Value>;

  ~ChannelObject();
  void report(GcBuffer& buffer) noexcept;

  // Returns false if the constructor has not run; EG(exception) is then set.
  bool check() const noexcept { return __builtin_expect(static_cast<bool>(state), 1) || throw_unconstructed(); }

  // A channel cannot be awaited itself. await_all() and the other functions of that kind await receive_async().
  bool is_ready() noexcept override { return false; }
  Event* event() noexcept override;
  zend_object* take(const Notification& notification, zval* result) noexcept override;

  // Never suspend. Returns false if the channel is closed, or the operation would suspend.
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
  // Suspend if necessary. The caller must have tried the calls above first. Returns false if EG(exception) is set.
  bool send(zval* value, AwaitableSource* token, SourceLocation location) noexcept;
  bool receive(zval* out, AwaitableSource* token, SourceLocation location) noexcept;
  // For foreach. Returns false if the channel is closed and empty. EG(exception) is set unless close() closed it.
  bool iterate(std::size_t& position, Value& key, Value& value) noexcept;
  // A Future of the next value. The caller gets a reference. Null: EG(exception) is set.
  zend_object* receive_async(SourceLocation location) noexcept;

  Ref<State> state;
  bool has_timers = false;
  bool is_in_scope = false;  // a scope holds a reference to the state and will close the channel

 private:
  static bool throw_unconstructed() noexcept;
};

void register_channel_close_reason();
void register_channel();

}  // namespace trueasync::php
