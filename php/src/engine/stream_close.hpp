// fclose() and pclose() free the stream at once. A coroutine that waits in one of its functions would come back to nothing,
// so it leaves first: its call fails as one on a closed descriptor does.
#pragma once

namespace trueasync::php::engine {

// At module start and end.
void hook_stream_close() noexcept;
void unhook_stream_close() noexcept;

}  // namespace trueasync::php::engine
