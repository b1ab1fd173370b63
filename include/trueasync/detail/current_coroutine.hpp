// current_coroutine.hpp: the coroutine that runs on this thread, for inlined code that records it without a call.
#pragma once

#include <cstdint>

#include "trueasync/export.hpp"

namespace trueasync::detail {

struct ControlBlock;

// CoroutineStamp: identifies a coroutine. Its control block may be reused after it has finished; a coroutine that
// reuses it has an id above `last_id`.
struct CoroutineStamp {
  const ControlBlock* coroutine = nullptr;  // null outside a runtime
  std::uint64_t last_id = 0;
};

// CurrentCoroutineRef: where to read the running coroutine and the last id of this thread.
struct CurrentCoroutineRef {
  const ControlBlock* const* coroutine;
  const std::uint64_t* newest;

  CoroutineStamp stamp() const noexcept { return {*coroutine, *newest}; }
};

extern TRUEASYNC_EXPORT constinit thread_local CurrentCoroutineRef this_thread_coroutine;

}  // namespace trueasync::detail
