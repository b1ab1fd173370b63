// Task<T>: a coroutine and the result it will have. spawn() makes one, await() gets the result.
//
// Owns: a share of the coroutine's record, where the result lives; dropping the task leaves the coroutine running.
// Lifetime: may outlive the coroutine and the runtime. Threads: the runtime's thread.
// Errors: await throws what the coroutine threw, with its type; Cancelled if it was cancelled. An error that nobody
// awaited when the last handle goes is unhandled and shuts the runtime down.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include "trueasync/coroutine.hpp"
#include "trueasync/detail/coroutine_entry.hpp"
#include "trueasync/event.hpp"
#include "trueasync/source_location.hpp"

namespace trueasync {

namespace detail {

// A new coroutine with storage for its closure; ready after spawn_commit. Throws StackError, MisuseError.
TRUEASYNC_EXPORT ControlBlock* spawn_begin(const SpawnOptions& options, const EntryOps& ops, SourceLocation location,
                                           void*& storage);
TRUEASYNC_EXPORT void spawn_commit(ControlBlock* block) noexcept;
TRUEASYNC_EXPORT void spawn_abort(ControlBlock* block) noexcept;

// Waits until the coroutine has finished; throws its error. Returns where its result lies. `hold` keeps it there if the
// wait suspends: whoever has the task may let it go meanwhile.
TRUEASYNC_EXPORT void* join(ControlBlock* block, Event* token, Coroutine& hold, SourceLocation location);
// The result has been moved out: a second await is a clear error.
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

// Starts a coroutine; it runs when the current one suspends. Closures and results may be move-only.
template <std::invocable F>
auto spawn(const SpawnOptions& options, F&& function, SourceLocation location = SourceLocation::current())
    -> Task<std::invoke_result_t<std::decay_t<F>&>> {
  using Closure = std::decay_t<F>;
  void* storage = nullptr;
  detail::ControlBlock* block = detail::spawn_begin(options, detail::Entry<Closure>::kOps, location, storage);
  if constexpr (std::is_nothrow_constructible_v<Closure, F>) {
    ::new (storage) Closure(std::forward<F>(function));
  } else {
    try {
      ::new (storage) Closure(std::forward<F>(function));
    } catch (...) {
      detail::spawn_abort(block);
      throw;
    }
  }
  Coroutine handle(block);
  detail::spawn_commit(block);
  return Task<std::invoke_result_t<Closure&>>(std::move(handle));
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
    static_assert(std::copy_constructible<T>, "this result can only be moved: write await(std::move(task))");
    check_not_taken(block);
    return *std::launder(static_cast<T*>(storage));
  }
}

}  // namespace detail

// Waits for the result. From a named task the result is copied and can be awaited again, by anybody; a temporary or
// moved task gives it away. If `token` fires first: OperationCancelled, and the task goes on.
template <class T>
T await(const Task<T>& task, SourceLocation location = SourceLocation::current()) {
  Coroutine hold;
  auto* block = task.coroutine().block();
  return detail::copy_result<T>(block, detail::join(block, nullptr, hold, location));
}
template <class T>
T await(const Task<T>& task, Event& token, SourceLocation location = SourceLocation::current()) {
  Coroutine hold;
  auto* block = task.coroutine().block();
  return detail::copy_result<T>(block, detail::join(block, &token, hold, location));
}
template <class T>
T await(Task<T>&& task, SourceLocation location = SourceLocation::current()) {
  Coroutine hold;
  auto* block = task.coroutine().block();
  return detail::take_result<T>(block, detail::join(block, nullptr, hold, location));
}
template <class T>
T await(Task<T>&& task, Event& token, SourceLocation location = SourceLocation::current()) {
  Coroutine hold;
  auto* block = task.coroutine().block();
  return detail::take_result<T>(block, detail::join(block, &token, hold, location));
}

// Waits for the end of any coroutine, without its result.
inline void await(const Coroutine& coroutine, SourceLocation location = SourceLocation::current()) {
  Coroutine hold;
  detail::join(coroutine.block(), nullptr, hold, location);
}

}  // namespace trueasync
