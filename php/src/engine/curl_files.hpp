// Streams that a curl transfer reads from or writes to (CURLOPT_FILE and similar options). fclose() must wait
// for the transfer, because curl does not detect that the stream is closed. During the transfer no stream function
// is on the call stack, so the search for users of a stream does not find it.
#pragma once

#include "coroutine.hpp"

namespace trueasync::php::engine {

// A coroutine that is suspended in a transfer with this stream; null if there is none.
const CoroutineObject* find_curl_transfer_user(const zval* stream) noexcept;

}  // namespace trueasync::php::engine
