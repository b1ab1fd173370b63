// Who runs on this thread, for inline code that notes it without a call.
#pragma once

#include <cstdint>

#include "trueasync/export.hpp"

namespace trueasync::detail {

struct ControlBlock;

// The address alone does not tell a coroutine for good: its record may be used again when it has ended. Whoever has it
// then has a number above `newest`, the last one that had been given out.
struct CoroutineStamp {
  const ControlBlock* coroutine = nullptr;  // null outside a runtime
  std::uint64_t last_id = 0;
};

struct CurrentCoroutineRef {
  const ControlBlock* const* coroutine;
  const std::uint64_t* newest;

  CoroutineStamp stamp() const noexcept { return {*coroutine, *newest}; }
};

extern TRUEASYNC_EXPORT constinit thread_local CurrentCoroutineRef this_thread_coroutine;

}  // namespace trueasync::detail
