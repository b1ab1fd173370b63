// Closing a stream that other coroutines use.
//
// fclose() and pclose() free the stream immediately. A coroutine that waits inside one of the stream's functions would
// resume with freed memory. Its call is therefore interrupted first and fails like a call on a closed descriptor.
#pragma once

#include "coroutine.hpp"

extern "C" {
#include "main/php_streams.h"
}

namespace trueasync::php::engine {

// Null if the value is not a stream or the stream is closed.
php_stream* find_stream(zval* value) noexcept;

// Interrupts the functions that wait on the stream and waits until they return. Null: the stream has no user and may be
// closed. Otherwise a coroutine that still uses the stream, because it cannot be interrupted or the caller cannot
// suspend.
const CoroutineObject* wait_for_stream_users(zval* stream) noexcept;

}  // namespace trueasync::php::engine
