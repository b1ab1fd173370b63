// TaskScope: a scope as an object that can't leave a coroutine behind. Its destructor cancels what still runs and waits
// for it, so coroutines may use what was declared before it.
//
//   ta::TaskScope tasks;
//   tasks.spawn([&] { left = load("a"); });
//   tasks.spawn([&] { right = load("b"); });
//   tasks.join();                              // throws what failed; by then the other one has ended too
//
// Fail-together: the error of a coroutine cancels the others at once and is join()'s, even if somebody awaits that task.
// The coroutine that made the scope is not cancelled; it learns of the error at join().
//
// Owns: the coroutines' lifetimes. Threads: the runtime's; it dies in the coroutine that made it, where that may suspend.
// Errors: those that join() has not thrown go up to the surrounding scope when it dies.
#pragma once

#include "trueasync/scope.hpp"

namespace trueasync {

class TRUEASYNC_EXPORT TaskScope {
 public:
  // A child of the current coroutine's scope. Works in the cleanup of a cancelled coroutine too.
  TaskScope();
  TaskScope(const TaskScope&) = delete;
  TaskScope& operator=(const TaskScope&) = delete;
  // Waits whatever comes: a cancellation is delivered at the next suspension after it.
  ~TaskScope();

  template <std::invocable F>
  auto spawn(SpawnOptions options, F&& function, SourceLocation location = SourceLocation::current()) {
    return scope_.spawn(options, std::forward<F>(function), location);
  }
  template <std::invocable F>
  auto spawn(F&& function, SourceLocation location = SourceLocation::current()) {
    return scope_.spawn(std::forward<F>(function), location);
  }

  // Waits for all. Throws the error if one failed, a CompositeError if several did.
  void join(SourceLocation location = SourceLocation::current());
  // Closes it and asks all to end; join() or the destructor waits for that.
  void cancel() { scope_.cancel(); }
  // For handlers, deadlines and questions.
  Scope& scope() noexcept { return scope_; }

 private:
  Scope scope_;
};

}  // namespace trueasync
