// Blocking calls become suspensions: C libraries that call poll, recv, connect, sleep, getaddrinfo and their like stay as
// they are, and a coroutine that is inside one of them lets the others run (docs/blocking.md says what suspends).
//
// How: the import tables of chosen loaded objects are pointed to versions of these calls that know coroutines. They act
// on a thread that runs a runtime, where suspending is allowed, on descriptors that would really block; anywhere else the
// original runs. Never touched: the object that holds this library (a program that links it statically is that object),
// libuv, the C library.
// Owns: what it replaced, until disable(). Threads: any; the tables are the process's. Errors: enable() throws Error where
// this can't work. A call that is ended fails with ECANCELED (cancelled) or ETIMEDOUT (a deadline of its scope), and
// the cancellation itself comes at the coroutine's next suspension.
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

// Why it can't work in this program – it is linked statically, the CPU is another one; empty: it can.
TRUEASYNC_EXPORT std::string_view unavailable_reason() noexcept;
inline bool is_available() noexcept { return unavailable_reason().empty(); }

// From now on, for all loaded objects and those that are loaded later; or for those whose file name contains one of the
// words, besides those named before. Throws Error, std::bad_alloc.
TRUEASYNC_EXPORT void enable();
TRUEASYNC_EXPORT void enable(std::initializer_list<std::string_view> words);
// Never those whose file name contains one of the words, like one whose locks know no coroutines. Before enable().
TRUEASYNC_EXPORT void exclude(std::initializer_list<std::string_view> words);
// Undoes everything; calls that are under way end as they would have.
TRUEASYNC_EXPORT void disable() noexcept;
TRUEASYNC_EXPORT bool is_enabled() noexcept;
// Objects that were loaded by other ways than dlopen() of a known one: cheap when there are none. True if something was
// replaced.
TRUEASYNC_EXPORT bool refresh() noexcept;

// The file names of the objects whose calls are replaced, and how many imports these are.
struct ReplacedImports {
  std::vector<std::string> objects;
  std::size_t imports = 0;
};
TRUEASYNC_EXPORT ReplacedImports replaced_imports();

// A call that was ended before it was through.
struct Interruption {
  const char* call;          // "poll"
  int error;                 // what errno says: ECANCELED, ETIMEDOUT
  std::exception_ptr cause;  // null for a cancellation, which comes again
};

// What a host of another language adds. All are called on the coroutine's own stack; none may suspend or throw.
struct Host {
  // Where the wait is said to happen; without it the place is the call's name.
  SourceLocation (*location)(const char* call) noexcept = nullptr;
  // False: this is no moment to switch, the original shall block.
  bool (*may_suspend)() noexcept = nullptr;
  // True: what ended an earlier wait of this call is still on its way to the host's code; no other wait begins, it fails
  // with ECANCELED.
  bool (*is_interrupting)() noexcept = nullptr;
  // For raising it when the host's function returns.
  void (*on_interrupted)(const Interruption& interruption) noexcept = nullptr;
  // Its wait for the end of this child was ended. If nobody can ask for it any more, the host sees to it that it is reaped.
  void (*on_child_wait_abandoned)(int process) noexcept = nullptr;
  // True: memory of its own goes with the descriptor that is being closed. close() suspends then until those who wait for it
  // have come back, as after interrupt_waiters().
  bool (*close_waits_for_users)() noexcept = nullptr;
  // False: after many calls that did not have to wait the others would get a turn, but the code that made this one can't
  // have them meet what it is at. The host gives it later (let_others_run).
  bool (*may_yield)() noexcept = nullptr;
};

// For a host whose close frees what a coroutine would come back to. If somebody waits for the descriptor in a call of its
// own, it is closed now and its number means one that is at its end: that call, and others on it, fail or find the end.
// True then; who waited has left once it has had its turn. The host closes the number as it would have.
TRUEASYNC_EXPORT bool interrupt_waiters(int descriptor) noexcept;

// For a host whose handlers of signals run in coroutines of their own: one has been started. If main is in sleep(), usleep()
// or nanosleep(), that ends with EINTR once it has its turn, as it would in a program without coroutines. On the
// runtime's thread.
TRUEASYNC_EXPORT void notify_signal_handled() noexcept;

// The turn that is due to the others, if may_pass_turn has kept one from them.
TRUEASYNC_EXPORT void yield_if_owed() noexcept;

// One for the process; null takes it back. It must live until then.
TRUEASYNC_EXPORT void set_host(const Host* host) noexcept;

}  // namespace trueasync::blocking
