// Runtime: a scheduler and a reactor on one thread. Most programs need only ta::run().
//
// Ownership: the scheduler, the reactor and the stacks.
// Lifetime: handles (Task, Coroutine) may outlive it.
// Thread safety: one runtime per thread at a time; runtimes share no state.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "trueasync/coroutine.hpp"
#include "trueasync/export.hpp"
#include "trueasync/host.hpp"
#include "trueasync/source_location.hpp"
#include "trueasync/wait_options.hpp"

namespace trueasync {

// Statistics: counters of one runtime.
//
// Thread safety: a plain value.
struct Statistics {
  std::uint64_t spawned = 0;
  std::uint64_t finished = 0;
  std::uint64_t switches = 0;                // all context switches
  std::uint64_t direct_switches = 0;         // from coroutine to coroutine
  std::uint64_t scheduler_switches = 0;      // to or from the scheduler's own coroutine
  std::uint64_t started_without_switch = 0;  // took over the context of a coroutine that had finished
  std::uint64_t resumed_in_place = 0;        // suspended and was itself the next ready coroutine
  std::uint64_t ready_without_suspend = 0;   // waited for an event that had already fired
  std::uint64_t polls_without_wait = 0;      // polls that could not block the thread
  std::uint64_t polls_blocking = 0;          // polls that could
  std::uint64_t microtasks = 0;
  std::uint64_t deadlocks = 0;
  std::size_t alive = 0;  // live coroutines, without the main coroutine
  std::size_t ready = 0;
  std::size_t stacks_in_use = 0;
  std::size_t stacks_warm = 0;
  std::size_t stacks_mapped = 0;
  std::size_t stack_peak_bytes = 0;  // highest use by a finished coroutine, with RuntimeOptions::measure_stacks
};

// LeakReport: what a runtime still holds; empty if everything was released.
struct LeakReport {
  std::size_t coroutines = 0;
  std::size_t stacks = 0;
  std::size_t timers = 0;
  std::size_t events = 0;  // started events that the kernel, a timer or another thread fires
  std::size_t microtasks = 0;

  bool empty() const noexcept { return coroutines + stacks + timers + events + microtasks == 0; }
};

// All live coroutines of this thread's runtime, the main coroutine first, with their spawn and suspend locations and
// what they wait for. Cheap enough for production: a coroutine records only the two locations. tools/gdb shows the same
// in a debugger, also for a core file.
TRUEASYNC_EXPORT std::vector<Coroutine> coroutines();
// The same as text, a few lines per coroutine.
TRUEASYNC_EXPORT std::string dump();
// Counters of this thread's runtime.
TRUEASYNC_EXPORT Statistics statistics();

namespace detail {
class Scheduler;
class Reactor;
}  // namespace detail

// StackGuard: how the end of a stack is guarded against overflow.
enum class StackGuard : std::uint8_t {
  automatic,  // the best available method; never `none`
  madvise,    // MADV_GUARD_INSTALL, Linux 6.13 or later
  mprotect,   // a protected page; limits the number of stacks to about vm.max_map_count / 2
  none,       // an overflow corrupts the neighboring stack
};

// UnhandledHandler: called with an unhandled error. Returns true if the error is handled; otherwise the runtime shuts
// down.
using UnhandledHandler = std::function<bool(const Coroutine& coroutine, std::exception_ptr error)>;

// RuntimeOptions: options of a runtime.
struct RuntimeOptions {
  // Bytes per coroutine, guard included; a multiple of the page size. Default 64 KiB.
  std::size_t stack_size = 64 * 1024;
  std::size_t guard_size = 4 * 1024;  // bytes of each stack's guard; default 4 KiB
  StackGuard guard = StackGuard::automatic;
  std::size_t max_stacks = 0;    // 0: no limit
  std::size_t warm_stacks = 16;  // idle stacks that keep their memory; default 16
  bool measure_stacks = false;   // record exact high-water marks; costs one madvise per coroutine; default: no
  std::vector<int> shutdown_signals = {};                   // each starts a graceful shutdown, e.g. {SIGINT, SIGTERM}
  std::optional<Duration> shutdown_timeout = std::nullopt;  // time for cleanup before a forced shutdown; default: none
  UnhandledHandler on_unhandled = nullptr;
  // Called with the bounds of each stack when it is created and destroyed, for garbage collectors and profilers.
  std::function<void(void* limit, void* top, bool created)> on_stack = nullptr;
};

class TRUEASYNC_EXPORT Runtime {
 public:
  // MisuseError for an option out of range.
  explicit Runtime(RuntimeOptions options = {});
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;
  ~Runtime();

  // Runs `function` as the main coroutine on this thread's own stack, then all coroutines that it left running, and
  // returns its result. If it throws, the other coroutines are shut down gracefully and the exception propagates; the
  // same holds for the first unhandled error and for a deadlock. run() may be called again.
  template <class F>
  auto run(F&& function, SourceLocation location = SourceLocation::current()) -> std::invoke_result_t<F> {
    attach(location);
    if constexpr (std::is_void_v<std::invoke_result_t<F>>) {
      try {
        std::forward<F>(function)();
      } catch (...) {
        shut_down(std::current_exception());
      }
      detach(location);
    } else {
      std::optional<std::invoke_result_t<F>> result;
      try {
        result.emplace(std::forward<F>(function)());
      } catch (...) {
        shut_down(std::current_exception());
      }
      detach(location);  // throws that exception again
      return std::move(*result);
    }
  }

  // The steps of run(), for a host with its own event loop. attach() makes the caller's stack the main coroutine.
  // detach() runs the remaining coroutines until they finish, detaches, and throws the first unhandled error.
  void attach(SourceLocation location = SourceLocation::current());
  void detach(SourceLocation location = SourceLocation::current());
  // Polls the reactor without blocking, then runs every ready coroutine once. Returns true if coroutines are ready.
  bool run_once(SourceLocation location = SourceLocation::current());
  // Calls run_once() until no coroutine is ready. Does not wait for timers or I/O.
  void run_until_idle(SourceLocation location = SourceLocation::current());
  // Suspends the main coroutine until the event fires.
  void run_until(Event& event, SourceLocation location = SourceLocation::current());
  // A descriptor that is readable when run_once() has work; -1 if the reactor has none.
  int backend_fd() const noexcept;
  // When run_once() must be called at the latest; std::nullopt if no timer is armed.
  std::optional<std::chrono::steady_clock::time_point> next_deadline() const noexcept;

  // Installs a switch handler on the main coroutine, called with SwitchKind::enter when it starts. Call before attach()
  // or run().
  void on_main_start(SwitchHandler handler);

  // Starts a graceful shutdown and returns immediately; the shutdown proceeds while the runtime runs.
  void shut_down(std::exception_ptr error = nullptr) noexcept;

  Statistics statistics() const noexcept;
  LeakReport leak_report() const;

 private:
  friend struct detail::Access;
  Runtime(RuntimeOptions options, std::unique_ptr<detail::Reactor> reactor);
  detail::Scheduler& scheduler() noexcept;
  void abandon_session() noexcept;

  struct State;
  std::unique_ptr<State> state_;
};

// For main(): runs `function` in a new runtime and returns an exit code: the function's result, or 0 if it is
// not an int. An error is reported on standard error with its coroutine, and the code is 1.
TRUEASYNC_EXPORT int run_main(const RuntimeOptions& options, const std::function<int()>& function,
                              SourceLocation location) noexcept;

template <class F>
int run(const RuntimeOptions& options, F&& function, SourceLocation location = SourceLocation::current()) {
  return run_main(
      options,
      [&]() -> int {
        if constexpr (std::is_convertible_v<std::invoke_result_t<F>, int>) {
          return std::forward<F>(function)();
        } else {
          std::forward<F>(function)();
          return 0;
        }
      },
      location);
}

template <std::invocable F>
int run(F&& function, SourceLocation location = SourceLocation::current()) {
  return run(RuntimeOptions{}, std::forward<F>(function), location);
}

// Starts a graceful shutdown of this thread's runtime: cancels every coroutine and runs its cleanup. Returns
// immediately.
TRUEASYNC_EXPORT void shut_down();

// A fork() that is safe inside a runtime: the child gets a new event loop. Returns as fork() does; throws Error if
// fork() fails, and MisuseError while other coroutines are live. Not needed to start programs, see io/process.hpp.
TRUEASYNC_EXPORT int fork_process();

}  // namespace trueasync
