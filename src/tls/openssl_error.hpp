// OpenSSL's error queue as text. The queue belongs to the thread: clear it before a call and read it after the call,
// without a suspension in between.
#pragma once

#include <string>

namespace trueasync::detail {

void clear_openssl_errors() noexcept;
// Returns the first queued error as human-readable text and clears the queue. "unknown error" if the queue is empty.
std::string take_openssl_error();

}  // namespace trueasync::detail
