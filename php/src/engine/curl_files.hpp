// The files that a transfer of curl reads from or writes to (CURLOPT_FILE and its like). curl has them without a frame of
// their own, and does not notice when they are closed.
#pragma once

#include "coroutine.hpp"

namespace trueasync::php::engine {

// A coroutine that waits in a transfer with this stream; null: none.
const CoroutineObject* find_curl_transfer_user(const zval* stream) noexcept;

}  // namespace trueasync::php::engine
