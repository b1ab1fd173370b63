// blocking.hpp: import patching that makes blocking C library calls suspend the coroutine instead of the thread.
//
// Libraries that call poll, recv, connect, sleep, getaddrinfo and similar functions need no change. docs/blocking.md
// lists the calls. The import tables of selected loaded objects are patched to point to coroutine-aware versions. These
// versions suspend on a thread that runs a runtime, where suspending is allowed, and on descriptors that would block;
// in all other cases they call the original. Never patched: the object that contains this library (the program itself
// if linked statically), libuv and the C library.
//
// Ownership: the original imports, until disable().
// Thread safety: any thread; the import tables belong to the process.
// Errors: enable() throws Error if patching is not possible. An interrupted call fails with ECANCELED (cancelled) or
// ETIMEDOUT (deadline of the scope); the cancellation itself is delivered at the next suspension point.
#pragma once

#include <cstddef>
#include <exception>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "trueasync/export.hpp"
#include "trueasync/source_location.hpp"

namespace trueasync::blocking {

// Why patching is not possible in this program, for example static linking or an unsupported CPU; empty if it is
// possible.
TRUEASYNC_EXPORT std::string_view unavailable_reason() noexcept;
inline bool is_available() noexcept { return unavailable_reason().empty(); }

// Patches all loaded objects and objects loaded later. With `words`: only objects whose file name contains one of the
// words, in addition to earlier calls. Throws Error, std::bad_alloc.
TRUEASYNC_EXPORT void enable();
TRUEASYNC_EXPORT void enable(std::initializer_list<std::string_view> words);
// Excludes objects whose file name contains one of the words, for example a library whose locks must not be held across
// a switch. Call before enable().
TRUEASYNC_EXPORT void exclude(std::initializer_list<std::string_view> words);
// Restores all imports. Calls in flight complete normally.
TRUEASYNC_EXPORT void disable() noexcept;
TRUEASYNC_EXPORT bool is_enabled() noexcept;
// Patches objects that were loaded without a patched dlopen(). Cheap if there are none. Returns true if an import was
// patched.
TRUEASYNC_EXPORT bool refresh() noexcept;

// ReplacedImports: the file names of the patched objects and the number of patched imports.
struct ReplacedImports {
  std::vector<std::string> objects;
  std::size_t imports = 0;
};
TRUEASYNC_EXPORT ReplacedImports replaced_imports();

// Interruption: a call that was interrupted before it completed.
struct Interruption {
  const char* call;          // "poll"
  int error;                 // errno of the call: ECANCELED or ETIMEDOUT
  std::exception_ptr cause;  // null for a cancellation, which is delivered again
};

// Host: callbacks of a host language. All are called on the coroutine's stack; none may suspend or throw. Null members
// are not called.
struct Host {
  // The source location of the wait; default: the name of the call.
  SourceLocation (*location)(const char* call) noexcept = nullptr;
  // Returns false if a switch is not allowed now; the original then blocks the thread.
  bool (*may_suspend)() noexcept = nullptr;
  // Returns true while an earlier interruption has not yet been delivered to the host's code; further waits then fail
  // with ECANCELED.
  bool (*is_interrupting)() noexcept = nullptr;
  // Called when a wait is interrupted, so that the host can throw when its function returns.
  void (*on_interrupted)(const Interruption& interruption) noexcept = nullptr;
  // Called when the wait for a child process is interrupted. If no code can wait for the child any more, the host must
  // have it reaped.
  void (*on_child_wait_abandoned)(int process) noexcept = nullptr;
  // Returns true if the host frees memory together with the descriptor being closed. close() then suspends until the
  // waiters have returned, as after interrupt_waiters().
  bool (*close_waits_for_users)() noexcept = nullptr;
  // Returns false if the code that made this call must not be interleaved with other coroutines now. The yield that is
  // due after many non-blocking calls is then postponed until yield_if_owed().
  bool (*may_yield)() noexcept = nullptr;
};

// For a host whose close frees memory that a waiter uses. If a coroutine waits for the descriptor in a call, the
// descriptor is closed now and its number refers to a descriptor at end of file: that call and later calls fail or read
// the end of file. Returns true in this case; the waiter returns after it has run. The host then closes the number
// normally.
TRUEASYNC_EXPORT bool interrupt_waiters(int descriptor) noexcept;

// For a host that runs signal handlers in coroutines: reports that a handler was started. If the main coroutine is in
// sleep(), usleep() or nanosleep(), that call ends with EINTR, as without coroutines. Call on the runtime's thread.
TRUEASYNC_EXPORT void notify_signal_handled() noexcept;

// Yields if Host::may_yield has postponed a yield.
TRUEASYNC_EXPORT void yield_if_owed() noexcept;

// Sets the host of the process; null removes it. `host` must stay valid until then.
TRUEASYNC_EXPORT void set_host(const Host* host) noexcept;

}  // namespace trueasync::blocking
