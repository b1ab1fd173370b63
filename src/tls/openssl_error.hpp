// OpenSSL's queue of errors as text. The queue belongs to the thread: clear it before a call and ask right after it,
// without a suspension between the two.
#pragma once

#include <string>

namespace trueasync::detail {

void clear_openssl_errors() noexcept;
// The first error that was queued, as a person reads it; empties the queue. "unknown error" when it is empty.
std::string take_openssl_error();

}  // namespace trueasync::detail
