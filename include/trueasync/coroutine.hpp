// Coroutine: an untyped, copyable handle to a coroutine, for inspection, cancellation and waiting. Task (task.hpp) is
// the typed handle with a result.
//
// Ownership: a share of the control block, not of the stack.
// Lifetime: may outlive the coroutine and the runtime.
// Thread safety: one runtime; calls from another thread throw MisuseError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "trueasync/detail/access.hpp"
#include "trueasync/detail/coroutine_entry.hpp"
#include "trueasync/event.hpp"
#include "trueasync/export.hpp"
#include "trueasync/source_location.hpp"

namespace trueasync {

// Priority: the position in the ready queue. A high-priority coroutine is enqueued at the front each time it is woken.
// A yield always goes to the end, because otherwise no other coroutine could run.
enum class Priority : std::uint8_t { normal = 0, high = 255 };

// SpawnOptions: options of spawn().
struct SpawnOptions {
  std::string_view name = {};  // for dumps and error messages; default: none
  Priority priority = Priority::normal;
  std::size_t stack_size = 0;  // bytes, guard page included; 0: RuntimeOptions::stack_size
};

// CoroutineState: the state of a coroutine.
enum class CoroutineState : std::uint8_t {
  created,    // spawned, has not run yet
  running,    // the current coroutine
  suspended,  // waits for an event
  ready,      // woken, in the ready queue
  finished,
};

class TRUEASYNC_EXPORT Coroutine {
 public:
  Coroutine() noexcept = default;
  Coroutine(const Coroutine& other) noexcept : Coroutine(other.block_) {}
  Coroutine(Coroutine&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  Coroutine& operator=(Coroutine other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~Coroutine() {
    if (block_) drop();
  }

  explicit operator bool() const noexcept { return block_ != nullptr; }
  friend bool operator==(const Coroutine& a, const Coroutine& b) noexcept { return a.block_ == b.block_; }

  std::uint64_t id() const noexcept;
  std::string_view name() const noexcept;
  CoroutineState state() const noexcept;
  bool is_finished() const noexcept;
  // True once cancellation was requested; is_cancelled() is true once the coroutine has finished by cancellation.
  bool is_cancellation_requested() const noexcept;
  bool is_cancelled() const noexcept;
  SourceLocation spawn_location() const noexcept;
  // Where the coroutine waits, or waited last.
  SourceLocation suspend_location() const noexcept;
  // What the coroutine waits for, as text; empty if it does not wait.
  std::string wait_description() const;
  // The high-water mark of its stack in bytes, exact with RuntimeOptions::measure_stacks; 0 without a stack.
  std::size_t stack_high_water() const noexcept;

  // Requests cancellation. A coroutine that has not started never runs; a suspended coroutine gets Cancelled at its
  // suspension point; a running coroutine gets it at the next suspension point; a finished coroutine is not affected.
  // Returns true if the coroutine had not finished.
  bool cancel() const;

  // An event that fires when the coroutine finishes.
  Event& event() const noexcept;

 private:
  friend struct detail::Access;
  explicit Coroutine(detail::ControlBlock* block) noexcept;
  void drop() noexcept;

  detail::ControlBlock* block_ = nullptr;
};

// The running coroutine. MisuseError outside a coroutine.
TRUEASYNC_EXPORT Coroutine current_coroutine();

// Moves the current coroutine to the end of the ready queue. Throws Cancelled.
TRUEASYNC_EXPORT void yield(SourceLocation location = SourceLocation::current());
inline void suspend(SourceLocation location = SourceLocation::current()) { yield(location); }

namespace detail {
TRUEASYNC_EXPORT void call_on_thread_stack(void (*call)(void*), void* argument);
}

// Runs `function` on the thread's own stack, for foreign runtimes that check their stack bounds. `function` must not
// suspend. Exceptions propagate.
template <class F>
void run_on_thread_stack(F&& function) {
  struct Call {
    std::remove_reference_t<F>* function;
    std::exception_ptr error;
  } call{&function, nullptr};
  detail::call_on_thread_stack(
      [](void* argument) {
        auto* work = static_cast<Call*>(argument);
        try {
          (*work->function)();
        } catch (...) {
          work->error = std::current_exception();
        }
      },
      &call);
  if (call.error) std::rethrow_exception(call.error);
}

}  // namespace trueasync
