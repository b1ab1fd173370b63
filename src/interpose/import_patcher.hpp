// Import patching: replaces the imports of blocking calls in the loaded objects of the process.
//
// Ownership: keeps the original values of the patched slots.
// Thread safety: any thread; one lock.
// Errors: if memory is exhausted, an import stays unpatched.
#pragma once

#include <atomic>
#include <string>
#include <string_view>

namespace trueasync::detail::interpose {

// Set after objects were loaded but not patched. The next replaced call of a coroutine then patches them.
inline constinit std::atomic<bool> new_objects{false};
inline void mark_new_objects() noexcept { new_objects.store(true, std::memory_order_release); }
inline bool has_new_objects() noexcept { return new_objects.load(std::memory_order_relaxed); }

// Patches the objects that were loaded since the last call. Returns true if an import was replaced.
bool patch_new_objects() noexcept;

}  // namespace trueasync::detail::interpose
