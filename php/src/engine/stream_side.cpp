#include "engine/stream_side.hpp"

#include "engine/in_use.hpp"
#include "engine/runtime.hpp"
#include "engine/stream_close.hpp"
#include "engine/write_turns.hpp"

namespace trueasync::php::engine {

namespace {

// Both directions of a stream have a user.
const void* key_of(const php_stream& stream, uint32_t flag) noexcept {
  return reinterpret_cast<const char*>(&stream) + (flag == kReadActive ? 0 : 1);
}

}  // namespace

bool StreamAccess::enter(zval* value, Direction direction) noexcept {
  CoroutineObject* self = current();
  php_stream* stream = self ? stream_of(value) : nullptr;
  if (!stream) return true;
  flag_ = direction == Direction::in ? kReadActive : kWriteActive;
  if (!begin_stream_use(*stream, flag_)) {
    const CoroutineObject* user = ExclusiveUse::of(key_of(*stream, flag_));
    // By this coroutine itself, from a filter for instance, is PHP's own affair.
    if (user == self || (direction == Direction::out && !scheduler->may_suspend())) return true;
    if (direction == Direction::in && user) {
      throw_in_use(*user, "is using it");
      return false;
    }
    if (direction == Direction::out && (user || has_write_waiters(*stream))) {
      if (!lock_stream_writes(*stream)) return false;
      if (stream_of(value) != stream) {  // what that means is the function's to say
        unlock_stream_writes(*stream);
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

void StreamAccess::leave() noexcept {
  if (!stream_) return;
  use_.end();
  const bool is_passed = flag_ == kWriteActive && unlock_stream_writes(*stream_);
  if (stream_of(value_) != stream_) return;
  end_stream_use(*stream_, flag_);
  if (is_passed) stream_->flags |= kWriteReserved;
}

}  // namespace trueasync::php::engine
