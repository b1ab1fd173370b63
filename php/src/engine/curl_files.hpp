// Streams that a curl transfer reads from or writes to (CURLOPT_FILE and similar options). No stream function is active
// for them, and curl does not detect that they are closed.
#pragma once

#include "coroutine.hpp"

namespace trueasync::php::engine {

// A coroutine that is suspended in a transfer with this stream; null if there is none.
const CoroutineObject* find_curl_transfer_user(const zval* stream) noexcept;

}  // namespace trueasync::php::engine
