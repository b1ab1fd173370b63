// Reading and writing one TLS stream at the same time, in two coroutines.
//
// PHP makes the socket non-blocking while a function is inside, and takes what it finds for the user's wish: a second one
// would give up where it had to wait, and who leaves first would make the socket blocking for the other. Here each finds
// it as the user left it. Threads: the engine's.
#pragma once

extern "C" {
#include "main/php.h"
#include "main/php_streams.h"
}

namespace trueasync::php::engine {

// Flags of a php_stream that PHP has no use for. Somebody is in a function that reads it, or writes to it: so only who meets
// them has to look for whom.
inline constexpr uint32_t kReadActive = 0x40000000;
inline constexpr uint32_t kWriteActive = 0x20000000;
// It is promised to somebody who waits to write.
inline constexpr uint32_t kWriteReserved = 0x04000000;

// Around a function that does what the flag says. False when going in: somebody is doing the same, and this has no
// effect.
bool begin_stream_use(php_stream& stream, uint32_t flag) noexcept;
void end_stream_use(php_stream& stream, uint32_t flag) noexcept;
// Goes in where the one before has left a flag.
inline void take_over(php_stream& stream, uint32_t flag) noexcept {
  stream.flags &= ~(flag == kWriteActive ? flag | kWriteReserved : flag);
  begin_stream_use(stream, flag);
}

}  // namespace trueasync::php::engine
