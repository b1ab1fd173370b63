// Coroutine: an untyped, copyable handle. It names a coroutine, asks about it, cancels it, awaits its end. The typed
// handle with the result is Task<T> (task.hpp).
//
// Owns: a share of the coroutine's record, never its stack; a handle may outlive the coroutine and the runtime.
// Threads: the thread of its runtime; calls from elsewhere throw MisuseError. Errors: as said per call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "trueasync/detail/coroutine_entry.hpp"
#include "trueasync/event.hpp"
#include "trueasync/export.hpp"
#include "trueasync/source_location.hpp"

namespace trueasync {

namespace detail {
class CoroutineOwner;
}

// PRI-01: two are enough. High goes to the head of the ready queue each time it is woken; a yield goes to the end, as
// anybody's, or it would let nobody run.
enum class Priority : std::uint8_t { normal = 0, high = 255 };

struct SpawnOptions {
  std::string_view name = {};
  Priority priority = Priority::normal;
  std::size_t stack_size = 0;               // bytes, guard included; 0: RuntimeOptions::stack_size
  detail::CoroutineOwner* owner = nullptr;  // where it belongs, see scope.hpp; null: where its spawner does
};

enum class CoroutineState : std::uint8_t {
  created,    // spawned, has not run yet
  running,    // the current one
  suspended,  // waits for something
  ready,      // woken, waits for its turn
  finished,
};

class TRUEASYNC_EXPORT Coroutine {
 public:
  Coroutine() noexcept = default;
  explicit Coroutine(detail::ControlBlock* block) noexcept;
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
  // Somebody asked for it; `is_cancelled` says that it ended that way (CXL-03).
  bool is_cancellation_requested() const noexcept;
  bool is_cancelled() const noexcept;
  SourceLocation spawn_location() const noexcept;
  // Where it waits, or waited last.
  SourceLocation suspend_location() const noexcept;
  // What it waits for, in words; empty when it does not.
  std::string wait_description() const;
  // Bytes of its stack in use at most so far; exact with RuntimeOptions::measure_stacks. 0 without a stack.
  std::size_t stack_high_water() const noexcept;

  // Asks it to end (CXL-01). Not started: it never starts. Waiting: it wakes with Cancelled at its suspension point.
  // Running (itself): at its next suspension. Finished: nothing. True if it had not finished.
  bool cancel() const;

  // The coroutine as an event: it fires when the coroutine has finished.
  Event& event() const noexcept;
  detail::ControlBlock* block() const noexcept { return block_; }

 private:
  void drop() noexcept;

  detail::ControlBlock* block_ = nullptr;
};

// The running coroutine. Throws MisuseError outside one.
TRUEASYNC_EXPORT Coroutine current_coroutine();

// Lets everybody who is ready run first. Throws Cancelled.
TRUEASYNC_EXPORT void yield(SourceLocation location = SourceLocation::current());
inline void suspend(SourceLocation location = SourceLocation::current()) { yield(location); }

// Runs `function` on the thread's own stack and returns: for foreign runtimes that check their stack bounds (ST-09).
// It must not suspend. Exceptions pass.
namespace detail {
TRUEASYNC_EXPORT void call_on_thread_stack(void (*call)(void*), void* argument);
}

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
