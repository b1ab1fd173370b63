// fclose() and pclose() free the stream at once. Whoever waits in one of its functions would come back to nothing, so it
// leaves first: its call fails as one on a closed descriptor does.
#pragma once

#include "coroutine.hpp"

extern "C" {
#include "main/php_streams.h"
}

namespace trueasync::php::engine {

// Null: it is none, or closed.
php_stream* stream_of(zval* value) noexcept;

// Who does not leave, or can't because nobody may switch now: the stream stays. Null: nobody is in there.
const CoroutineObject* wait_for_stream_users(zval* stream) noexcept;

}  // namespace trueasync::php::engine
