// The channels between threads that this thread's runtime has made.
#pragma once

namespace trueasync::detail {

// The runtime of this thread ends.
void close_thread_channels() noexcept;

}  // namespace trueasync::detail
