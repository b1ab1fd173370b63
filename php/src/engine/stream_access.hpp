// Concurrent use of one php_stream by several coroutines.
//
// Only one coroutine at a time may read, because readers fill the same buffer; a second reader throws. Writers wait for
// each other in FIFO order, so the data of one call is never interleaved with the data of another. One reader and one
// writer may be active at the same time, also on a TLS stream.
//
// Thread safety: the engine's thread only.
// Errors: EG(exception).
#pragma once

#include "engine/exclusive_access.hpp"

extern "C" {
#include "main/php.h"
#include "main/php_streams.h"
}

namespace trueasync::php::engine {

// Flags in php_stream::flags that PHP does not use. A function that reads from, or writes to, the stream is active.
inline constexpr uint32_t kReadActive = 0x40000000;
inline constexpr uint32_t kWriteActive = 0x20000000;

// StreamAccess: one direction of a stream, held while a function runs.
class StreamAccess {
 public:
  enum class Direction : unsigned char { in, out };

  // Before the function, with its stream argument. Returns false if it must not run; EG(exception) is then set.
  bool enter(zval* stream, Direction direction) noexcept;
  // After the function, which may have closed the stream.
  void leave() noexcept;

 private:
  zval* value_ = nullptr;
  php_stream* stream_ = nullptr;  // null: the stream is not guarded
  uint32_t flag_ = 0;
  ExclusiveUse use_;
};

// Drops the write locks of all streams after a fatal error or at the end of the request.
void reset_write_locks() noexcept;

}  // namespace trueasync::php::engine
