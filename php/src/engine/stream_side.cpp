#include "engine/stream_side.hpp"

#include "engine/in_use.hpp"
#include "engine/runtime.hpp"
#include "engine/stream_close.hpp"
#include "engine/write_turns.hpp"

namespace trueasync::php::engine {

namespace {

// Both directions of a stream have a user.
const void* key_of(const php_stream& stream, uint32_t flag) noexcept {
  return reinterpret_cast<const char*>(&stream) + (flag == kBeingRead ? 0 : 1);
}

}  // namespace

bool StreamSide::enter(zval* value, Direction direction) noexcept {
  CoroutineObject* self = current();
  php_stream* stream = self ? stream_of(value) : nullptr;
  if (!stream) return true;
  flag_ = direction == Direction::in ? kBeingRead : kBeingWritten;
  if (!go_in(*stream, flag_)) {
    const CoroutineObject* user = Use::of(key_of(*stream, flag_));
    // By this coroutine itself, from a filter for instance, is PHP's own affair.
    if (user == self || (direction == Direction::out && !scheduler->may_suspend())) return true;
    if (direction == Direction::in && user) {
      refuse(*user, "is using it");
      return false;
    }
    if (direction == Direction::out && (user || has_turns(*stream))) {
      if (!wait_for_turn(*stream)) return false;
      if (stream_of(value) != stream) {  // what that means is the function's to say
        pass_turn(*stream);
        return true;
      }
    }
    take_over(*stream, flag_);
  }
  value_ = value;
  stream_ = stream;
  use_.begin(key_of(*stream, flag_), *self);
  return true;
}

void StreamSide::leave() noexcept {
  if (!stream_) return;
  use_.end();
  const bool is_passed = flag_ == kBeingWritten && pass_turn(*stream_);
  if (stream_of(value_) != stream_) return;
  come_out(*stream_, flag_);
  if (is_passed) stream_->flags |= kTurnPassed;
}

}  // namespace trueasync::php::engine
