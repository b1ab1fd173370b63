// Runtime: a scheduler and a reactor on one thread. ta::run() is all most programs need.
//
// Owns: scheduler, reactor, stacks. Lifetime: handles (Task, Coroutine) may outlive it. Threads: as many runtimes as
// threads, one per thread at a time; nothing is shared between them. Errors: as said per call.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "trueasync/coroutine.hpp"
#include "trueasync/export.hpp"
#include "trueasync/source_location.hpp"
#include "trueasync/statistics.hpp"
#include "trueasync/switch_handler.hpp"

namespace trueasync {

namespace detail {
class Scheduler;
class Reactor;
}  // namespace detail

enum class StackGuard : std::uint8_t {
  automatic,  // the best the kernel has; never none
  madvise,    // MADV_GUARD_INSTALL, Linux 6.13
  mprotect,   // limits the number of stacks to about vm.max_map_count / 2
  none,       // an overflow corrupts the neighbour: only for those who have measured
};

// Told about an error nobody awaits. True: dealt with; false: the runtime shuts down.
using UnhandledHandler = std::function<bool(const Coroutine& coroutine, std::exception_ptr error)>;

struct RuntimeOptions {
  std::size_t stack_size = 64 * 1024;  // per coroutine, guard included; a multiple of the page size
  std::size_t guard_size = 4 * 1024;
  StackGuard guard = StackGuard::automatic;
  std::size_t max_stacks = 0;                     // 0: no limit of ours
  std::size_t warm_stacks = 16;                   // kept when idle
  bool measure_stacks = false;                    // exact high-water marks; costs a madvise per coroutine
  std::vector<int> shutdown_signals = {};         // e.g. {SIGINT, SIGTERM}: each starts a graceful shutdown
  std::chrono::milliseconds shutdown_timeout{0};  // 0: cleanup takes the time it takes
  UnhandledHandler on_unhandled = nullptr;
  // For collectors and profilers that must know every stack; called with its bounds.
  std::function<void(void* timeout, void* top, bool created)> on_stack = nullptr;
};

class TRUEASYNC_EXPORT Runtime {
 public:
  // Throws MisuseError for an option out of range.
  explicit Runtime(RuntimeOptions options = {});
  // With a reactor of the caller's: see testing.hpp.
  Runtime(RuntimeOptions options, std::unique_ptr<detail::Reactor> reactor);
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;
  ~Runtime();

  // Runs `function` as the main coroutine on this thread's own stack, then everything it left running, and returns its
  // result. If it throws, the others are shut down gracefully and the exception goes on; so does the first error
  // nobody awaited, and a deadlock. A second run() on the same runtime is fine.
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
      detach(location);
      return std::move(*result);
    }
  }

  // In pieces, for a host that has a loop of its own. attach() makes the caller's stack the main coroutine;
  // detach() runs what is left to its end, detaches, and throws the first unhandled error.
  void attach(SourceLocation location = SourceLocation::current());
  void detach(SourceLocation location = SourceLocation::current());
  // One turn: a look at the reactor without waiting, then everybody who is ready runs once. True if more is ready.
  bool run_once(SourceLocation location = SourceLocation::current());
  void run_until_idle(SourceLocation location = SourceLocation::current());
  // Suspends main until the event fires.
  void run_until(Event& event, SourceLocation location = SourceLocation::current());
  // Readable when turn() has something to do; -1 where there is none.
  int backend_fd() const noexcept;
  // When turn() is due at the latest; nothing: no timer is running.
  std::optional<std::chrono::steady_clock::time_point> next_deadline() const noexcept;

  // Copied into main when it starts, and called as ENTER (SWH-02). Before attach() or run().
  void on_main_start(SwitchHandler handler);

  // SHU-01. Returns at once; the shutdown goes on while the runtime runs.
  void shut_down(std::exception_ptr error = nullptr) noexcept;

  Statistics statistics() const noexcept;
  // Empty after a clean run (SHU-03).
  LeakReport leak_report() const;

  detail::Scheduler& scheduler() noexcept;

 private:
  void abandon_session() noexcept;

  struct State;
  std::unique_ptr<State> state_;
};

// For main(): runs `function` in a new runtime and returns an exit code – what it returned if that is an int, else 0.
// An error is reported on standard error, with the coroutine it came from, and the code is 1.
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

// Ends the runtime of this thread gracefully: every coroutine is cancelled, its cleanup runs. Returns at once.
TRUEASYNC_EXPORT void shut_down();

// A fork that is safe here (SH-11): refused with MisuseError while other coroutines live; the child's event loop is set
// up anew. Returns as fork() does; throws Error when it fails. Starting programs needs none of this.
TRUEASYNC_EXPORT int fork_process();

}  // namespace trueasync
