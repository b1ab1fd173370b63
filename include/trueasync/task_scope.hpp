// TaskScope: a scope that waits for its coroutines. Its destructor cancels running coroutines and waits for them, so
// coroutines may refer to variables declared before it.
//
//   ta::TaskScope tasks;
//   tasks.spawn([&] { left = load("a"); });
//   tasks.spawn([&] { right = load("b"); });
//   tasks.join();                              // throws an error after every coroutine has finished
//
// Coroutines fail together: the error of a coroutine cancels the other coroutines and is thrown by join(), even if the
// task is awaited as well. The coroutine that created the scope is not cancelled; it gets the error from join().
//
// Ownership: the lifetimes of its coroutines.
// Lifetime: must be destroyed in the coroutine that created it, where it may suspend.
// Thread safety: one runtime.
// Errors: errors that join() has not thrown propagate to the surrounding scope in the destructor.
#pragma once

#include "trueasync/scope.hpp"

namespace trueasync {

class TRUEASYNC_EXPORT TaskScope {
 public:
  // A child of the current coroutine's scope. Also works in the cleanup of a cancelled coroutine.
  TaskScope();
  TaskScope(const TaskScope&) = delete;
  TaskScope& operator=(const TaskScope&) = delete;
  // Waits uninterruptibly: a cancellation is delivered at the next suspension point afterwards.
  ~TaskScope();

  template <std::invocable F>
  auto spawn(const SpawnOptions& options, F&& function, SourceLocation location = SourceLocation::current()) {
    return scope_.spawn(options, std::forward<F>(function), location);
  }
  template <std::invocable F>
  auto spawn(F&& function, SourceLocation location = SourceLocation::current()) {
    return scope_.spawn(std::forward<F>(function), location);
  }

  // Waits for all coroutines. Throws the error if one failed, a CompositeError if several failed. TimeoutError if the
  // time of `options` expires first, OperationCancelled if its token fires first; the coroutines continue to run.
  void join(WaitOptions options = {}, SourceLocation location = SourceLocation::current());
  // Closes the scope and requests cancellation of its coroutines; join() or the destructor waits for them.
  void cancel() { scope_.cancel(); }
  // The underlying scope, for handlers, deadlines and inspection.
  ScopeRef& scope() noexcept { return scope_; }

 private:
  ScopeRef scope_;  // pinned until the destructor
};

}  // namespace trueasync
