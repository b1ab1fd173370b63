#include "engine/stream_access.hpp"

#include <cstring>
#include <map>

#include "engine/runtime.hpp"
#include "engine/stream_close.hpp"
#include "support/library_call.hpp"
#include "support/source_location.hpp"
#include "trueasync/detail/wait_queue.hpp"

extern "C" {
#include "main/php_network.h"
}

namespace trueasync::php::engine {

namespace {

constexpr uint32_t kAnyActive = kReadActive | kWriteActive;
constexpr uint32_t kWriteReserved = 0x04000000;  // the next write is reserved for a waiter
constexpr uint32_t kWasBlocking = 0x10000000;    // the socket was blocking when the first function became active
constexpr uint32_t kBothActive = 0x08000000;     // a TLS stream that was read and written at the same time

// Each direction of a stream has its own user.
const void* direction_key(const php_stream& stream, uint32_t flag) noexcept {
  return reinterpret_cast<const char*>(&stream) + (flag == kReadActive ? 0 : 1);
}

// The socket of a transport of the openssl extension, with or without TLS; null for other streams.
php_netstream_data_t* openssl_socket(const php_stream& stream) noexcept {
  const bool is_openssl = std::strcmp(stream.ops->label, "tcp_socket/ssl") == 0;
  return is_openssl ? static_cast<php_netstream_data_t*>(stream.abstract) : nullptr;
}

// The openssl extension makes the socket non-blocking inside a function and restores the mode that it found. A second
// function would find it non-blocking and not wait, and the first to return would make it blocking for the other. Each
// function must therefore find the mode that the user set.
//
// False, without effect: another function is active in this direction, or the direction is reserved.
bool begin_stream_use(php_stream& stream, uint32_t flag) noexcept {
  if (stream.flags & (flag == kWriteActive ? flag | kWriteReserved : flag)) return false;
  if (php_netstream_data_t* socket = openssl_socket(stream)) {
    if (!(stream.flags & kAnyActive)) {
      if (socket->is_blocked) stream.flags |= kWasBlocking;
    } else if ((stream.flags & kWasBlocking) && !socket->is_blocked) {
      stream.flags |= kBothActive;
      socket->is_blocked = true;
    }
  }
  stream.flags |= flag;
  return true;
}

void end_stream_use(php_stream& stream, uint32_t flag) noexcept {
  stream.flags &= ~flag;
  if (!(stream.flags & kAnyActive)) {
    stream.flags &= ~(kWasBlocking | kBothActive);
  } else if (stream.flags & kBothActive) {
    php_netstream_data_t* socket = openssl_socket(stream);
    if (socket && php_set_sock_blocking(socket->socket, false) == SUCCESS) socket->is_blocked = false;
  }
}

// begin_stream_use() for a direction whose flag the previous user left set.
void take_over_stream_use(php_stream& stream, uint32_t flag) noexcept {
  stream.flags &= ~(flag == kWriteActive ? flag | kWriteReserved : flag);
  begin_stream_use(stream, flag);
}

// The active writer holds the permit. It passes from writer to writer.
struct WriteLock : detail::PermitQueue {
  WriteLock() noexcept : PermitQueue("the stream's write lock", 0) {}
};

// Only streams on which a writer had to wait have a lock.
TRUEASYNC_PHP_LOCAL std::map<const php_stream*, WriteLock>* write_locks = nullptr;

WriteLock* find_write_lock(const php_stream& stream) noexcept {
  if (__builtin_expect(!write_locks, 1)) return nullptr;
  const auto found = write_locks->find(&stream);
  return found == write_locks->end() ? nullptr : &found->second;
}

// Waits in FIFO order until the stream can be written. Returns false if EG(exception) is set and the caller does not
// hold the lock.
bool lock_stream_writes(const php_stream& stream) noexcept {
  catch_to_php_with_bailout([&] {
    if (!write_locks) write_locks = new std::map<const php_stream*, WriteLock>;
    WriteLock& lock = (*write_locks)[&stream];
    if (!lock.try_acquire()) lock.wait({}, executing_location());
  });
  return !EG(exception);
}

// The stream may be closed already. True: the lock is reserved for the next writer.
bool unlock_stream_writes(const php_stream& stream) noexcept {
  WriteLock* lock = find_write_lock(stream);
  if (__builtin_expect(!lock, 1)) return false;
  const bool has_waiters = !lock->empty();
  if (has_waiters) {
    lock->release_permit();
  } else if (lock->references() == 1) {  // a cancelled waiter that has not run yet still uses the lock
    write_locks->erase(&stream);
  }
  return has_waiters;
}

}  // namespace

bool StreamAccess::enter(zval* value, Direction direction) noexcept {
  CoroutineObject* self = current();
  php_stream* stream = self ? find_stream(value) : nullptr;
  if (!stream) return true;
  flag_ = direction == Direction::in ? kReadActive : kWriteActive;
  if (!begin_stream_use(*stream, flag_)) {
    const CoroutineObject* user = ExclusiveUse::of(direction_key(*stream, flag_));
    // The coroutine itself is inside already, for example in a stream filter. PHP handles that.
    if (user == self || (direction == Direction::out && !scheduler->may_suspend())) return true;
    if (direction == Direction::in && user) {
      throw_in_use(*user, "Stream");
      return false;
    }
    if (direction == Direction::out && (user || find_write_lock(*stream))) {
      if (!lock_stream_writes(*stream)) return false;
      // The stream was closed during the wait; the function reports that.
      if (find_stream(value) != stream) {
        unlock_stream_writes(*stream);
        return true;
      }
    }
    take_over_stream_use(*stream, flag_);
  }
  value_ = value;
  stream_ = stream;
  use_.begin(direction_key(*stream, flag_), *self);
  return true;
}

void StreamAccess::leave() noexcept {
  if (!stream_) return;
  use_.end();
  const bool is_reserved = flag_ == kWriteActive && unlock_stream_writes(*stream_);
  if (find_stream(value_) != stream_) return;
  end_stream_use(*stream_, flag_);
  if (is_reserved) stream_->flags |= kWriteReserved;
}

void reset_write_locks() noexcept {
  delete write_locks;
  write_locks = nullptr;
}

}  // namespace trueasync::php::engine
