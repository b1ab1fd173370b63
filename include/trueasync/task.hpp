// Task: a coroutine with its typed result, created by spawn().
//
// Ownership: a share of the control block, which stores the result. Destroying the task leaves the coroutine running.
// Lifetime: may outlive the coroutine and the runtime.
// Thread safety: one runtime.
// Errors: await() throws the error of the coroutine with its type, and Cancelled if the coroutine was cancelled. An
// error that is unobserved when the last handle is destroyed is unhandled and shuts the runtime down.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include "trueasync/coroutine.hpp"
#include "trueasync/detail/coroutine_entry.hpp"
#include "trueasync/event.hpp"
#include "trueasync/source_location.hpp"
#include "trueasync/wait_options.hpp"

namespace trueasync {

namespace detail {

class CoroutineOwner;

// Creates a coroutine with storage for its closure; spawn_commit() makes it ready. `owner` is the scope to attach to;
// null: the spawner's. Throws StackError, MisuseError.
TRUEASYNC_EXPORT ControlBlock* spawn_begin(CoroutineOwner* owner, const SpawnOptions& options, const EntryOps& ops,
                                           SourceLocation location, void*& storage);
TRUEASYNC_EXPORT void spawn_commit(ControlBlock* block) noexcept;
TRUEASYNC_EXPORT void spawn_abort(ControlBlock* block) noexcept;

// Waits until the coroutine has finished, throws its error and returns the address of its result. `hold` keeps the
// result alive if the wait suspends, because the caller's task may be destroyed in between.
TRUEASYNC_EXPORT void* join(ControlBlock* block, WaitOptions options, Coroutine& hold, SourceLocation location);
// Marks the result as moved out: a second await() throws MisuseError.
TRUEASYNC_EXPORT void mark_taken(ControlBlock* block);
TRUEASYNC_EXPORT void check_not_taken(ControlBlock* block);

}  // namespace detail

template <class T>
class Task {
 public:
  Task() noexcept = default;
  explicit Task(Coroutine coroutine) noexcept : coroutine_(std::move(coroutine)) {}
  Task(Task&&) noexcept = default;
  Task& operator=(Task&&) noexcept = default;
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

  explicit operator bool() const noexcept { return static_cast<bool>(coroutine_); }
  const Coroutine& coroutine() const noexcept { return coroutine_; }
  Event& event() const noexcept { return coroutine_.event(); }

  std::uint64_t id() const noexcept { return coroutine_.id(); }
  bool is_finished() const noexcept { return coroutine_.is_finished(); }
  bool is_cancelled() const noexcept { return coroutine_.is_cancelled(); }
  bool cancel() const { return coroutine_.cancel(); }

 private:
  Coroutine coroutine_;
};

namespace detail {

template <std::invocable F>
auto spawn_in(CoroutineOwner* owner, const SpawnOptions& options, F&& function, SourceLocation location)
    -> Task<std::invoke_result_t<std::decay_t<F>&>> {
  using Closure = std::decay_t<F>;
  void* storage = nullptr;
  ControlBlock* block = spawn_begin(owner, options, Entry<Closure>::kOps, location, storage);
  if constexpr (std::is_nothrow_constructible_v<Closure, F>) {
    ::new (storage) Closure(std::forward<F>(function));
  } else {
    try {
      ::new (storage) Closure(std::forward<F>(function));
    } catch (...) {
      spawn_abort(block);
      throw;
    }
  }
  auto handle = Access::coroutine(block);
  spawn_commit(block);
  return Task<std::invoke_result_t<Closure&>>(std::move(handle));
}

}  // namespace detail

// Creates a coroutine and adds it to the ready queue; it starts when the current coroutine suspends. Closure and result
// may be move-only.
template <std::invocable F>
auto spawn(const SpawnOptions& options, F&& function, SourceLocation location = SourceLocation::current()) {
  return detail::spawn_in(nullptr, options, std::forward<F>(function), location);
}

template <std::invocable F>
auto spawn(F&& function, SourceLocation location = SourceLocation::current()) {
  return spawn(SpawnOptions{}, std::forward<F>(function), location);
}

namespace detail {

template <class T>
T take_result(ControlBlock* block, void* storage) {
  if constexpr (!std::is_void_v<T>) {
    mark_taken(block);
    return std::move(*std::launder(static_cast<T*>(storage)));
  }
}

template <class T>
T copy_result(ControlBlock* block, void* storage) {
  if constexpr (!std::is_void_v<T>) {
    static_assert(std::copy_constructible<T>, "the result is move-only: write await(std::move(task))");
    check_not_taken(block);
    return *std::launder(static_cast<T*>(storage));
  }
}

}  // namespace detail

// Waits for the result. It is copied from a named task, which can be awaited again; it is moved from a temporary or
// moved task. TimeoutError if the time of `options` expires first, OperationCancelled if its token fires first; the task
// continues to run.
template <class T>
T await(const Task<T>& task, WaitOptions options = {}, SourceLocation location = SourceLocation::current()) {
  Coroutine hold;
  auto* block = detail::Access::block(task.coroutine());
  return detail::copy_result<T>(block, detail::join(block, options, hold, location));
}
template <class T>
T await(Task<T>&& task, WaitOptions options = {}, SourceLocation location = SourceLocation::current()) {
  Coroutine hold;
  auto* block = detail::Access::block(task.coroutine());
  return detail::take_result<T>(block, detail::join(block, options, hold, location));
}

// Waits until the coroutine has finished, without its result. Throws its error.
inline void await(const Coroutine& coroutine, WaitOptions options = {},
                  SourceLocation location = SourceLocation::current()) {
  Coroutine hold;
  detail::join(detail::Access::block(coroutine), options, hold, location);
}

}  // namespace trueasync
