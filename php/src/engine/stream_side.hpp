// One direction of a stream while a function is inside. Readers one at a time: they fill the same buffer. Writers take turns:
// what each writes comes out in one piece.
//
// Threads: the engine's. Errors: EG(exception).
#pragma once

#include "engine/exclusive.hpp"
#include "engine/tls_duplex.hpp"

namespace trueasync::php::engine {

class StreamAccess {
 public:
  enum class Direction : unsigned char { in, out };

  // Before the function, with what it was given. False: it must not run, EG(exception) is set.
  bool enter(zval* stream, Direction direction) noexcept;
  // After it; it may have closed the stream.
  void leave() noexcept;

 private:
  zval* value_ = nullptr;
  php_stream* stream_ = nullptr;  // null: nothing to look after
  uint32_t flag_ = 0;
  ExclusiveUse use_;
};

}  // namespace trueasync::php::engine
