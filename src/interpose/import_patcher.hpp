// Which imports of which objects are replaced, for the whole process.
//
// Owns: what stood in the slots before. Threads: any; one lock. Errors: no memory for an import leaves it as it is.
#pragma once

#include <atomic>
#include <string>
#include <string_view>

namespace trueasync::detail::interpose {

// Something was loaded that has not been looked at: the next call of a coroutine does.
inline constinit std::atomic<bool> new_objects{false};
inline void mark_new_objects() noexcept { new_objects.store(true, std::memory_order_release); }
inline bool has_new_objects() noexcept { return new_objects.load(std::memory_order_relaxed); }

// Looks at the objects that were loaded since the last time. True if something was replaced.
bool patch_new_objects() noexcept;

}  // namespace trueasync::detail::interpose
