// TaskGroup<T>: tasks that belong together, at most so many at a time, and all their results. Asking again gives the same
// answer; TaskSet hands each result out once instead.
//
//   ta::TaskGroup<Page> pages({.concurrency = 50});
//   for (auto& url : urls) pages.spawn([&] { return fetch(url); });
//   auto all = ta::await(pages.all());        // by key: the number, or spawn_with_key's
//
// Owns: the tasks, which run in a child of the scope it was made in, and their results. Its destructor cancels what
// still runs and waits for it, so tasks may use what was declared before it. Neither copied nor moved.
// Threads: the runtime's. Errors: a task's error goes to whoever asks – all(), race(), errors(), the iteration. One that
// nobody was given when the group goes travels up the surrounding scope, unless suppress_errors() was called.
#pragma once

#include <iterator>

#include "trueasync/detail/task_group_base.hpp"
#include "trueasync/future.hpp"

namespace trueasync {

template <class T, class Key = std::size_t>
class TaskGroup : public detail::TaskGroupBase<T, Key> {
 public:
  using typename detail::TaskGroupBase<T, Key>::Results;
  using typename detail::TaskGroupBase<T, Key>::Entry;
  using detail::TaskGroupBase<T, Key>::TaskGroupBase;

  // Resolves when no task is pending: with the results in the order of spawning, or fails with a CompositeError of all
  // errors. Ignoring errors, with the successes.
  Future<Results> all(
      TaskErrors errors = TaskErrors::fail,
      SourceLocation location = SourceLocation::current()) requires std::copy_constructible<detail::Stored<T>> {
    return wait<Results>(
        [this, errors](Promise<Results>& promise) {
          if (core_.pending() != 0) return false;
          if (errors == TaskErrors::fail) {
            if (auto failures = this->take_errors(); !failures.empty()) {
              promise.fail(std::make_exception_ptr(CompositeError(std::move(failures))));
              return true;
            }
          }
          promise.complete(results());
          return true;
        },
        location);
  }
  // With the first task to settle: its result or its error. MisuseError when there is none and will be none.
  Future<T> race(
      SourceLocation location = SourceLocation::current()) requires std::copy_constructible<detail::Stored<T>> {
    return wait<T>(
        [this](Promise<T>& promise) {
          if (core_.settled.empty()) return fail_if_finished(promise);
          auto& first = *core_.settled.front();
          first.is_observed = true;
          resolve(promise, this->typed(first).entry.result);
          return true;
        },
        location);
  }
  // With the first task to succeed; a CompositeError when all have failed, MisuseError when there is none.
  Future<T> any(
      SourceLocation location = SourceLocation::current()) requires std::copy_constructible<detail::Stored<T>> {
    return wait<T>(
        [this, seen = std::size_t{0}](Promise<T>& promise) mutable {
          for (; seen < core_.settled.size(); ++seen) {
            auto& record = *core_.settled[seen];
            if (!record.is_error) return resolve(promise, this->typed(record).entry.result), true;
          }
          if (core_.settled.empty()) return fail_if_finished(promise);
          if (core_.pending() != 0) return false;
          promise.fail(std::make_exception_ptr(CompositeError(this->take_errors())));
          return true;
        },
        location);
  }

  // What there is so far, in the order of spawning.
  Results results() requires std::copy_constructible<detail::Stored<T>> {
    Results values;
    values.reserve(core_.settled.size());
    for (auto* task : this->in_order()) {
      if (!task->is_error) values.add(task->entry.key, task->entry.result.value());
    }
    return values;
  }
  KeyedResults<Key, std::exception_ptr> errors() {
    KeyedResults<Key, std::exception_ptr> all;
    if (!core_.has_failed()) return all;
    for (auto* task : this->in_order()) {
      if (!task->is_error) continue;
      task->is_observed = true;
      all.add(task->entry.key, task->error());
    }
    return all;
  }
  // All tasks so far, whatever their state.
  std::size_t count() const noexcept { return core_.spawned(); }

  // Results as they arrive: for (auto& [key, result] : group). Ends when the group is closed and all were seen; each
  // iteration begins anew.
  class Iterator {
   public:
    using value_type = Entry;
    using difference_type = std::ptrdiff_t;

    Iterator(TaskGroup& group, SourceLocation location) : group_(&group), location_(location) { arrive(); }
    Entry& operator*() const { return group_->typed(*group_->core_.settled[index_]).entry; }
    Entry* operator->() const { return &**this; }
    Iterator& operator++() {
      ++index_;
      arrive();
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& at, std::default_sentinel_t) noexcept { return at.is_over(); }

   private:
    bool is_over() const noexcept { return index_ >= group_->core_.settled.size(); }
    void arrive() {
      auto& core = group_->core_;
      while (is_over() && !core.is_finished()) core.wait_for_change(nullptr, location_);
      if (!is_over()) core.settled[index_]->is_observed = true;
    }

    TaskGroup* group_;
    SourceLocation location_;
    std::size_t index_ = 0;
  };
  Iterator begin(SourceLocation location = SourceLocation::current()) { return Iterator(*this, location); }
  std::default_sentinel_t end() const noexcept { return {}; }

 private:
  using detail::TaskGroupBase<T, Key>::core_;

  bool fail_if_finished(Promise<T>& promise) const {
    if (!core_.is_finished()) return false;
    promise.fail(std::make_exception_ptr(MisuseError("the first of an empty task group: there was no task")));
    return true;
  }
  static void resolve(Promise<T>& promise, const Result<T>& result) {
    if (!result) return promise.fail(result.error());
    if constexpr (std::is_void_v<T>) {
      promise.complete();
    } else {
      promise.complete(result.value());
    }
  }

  template <class U, class F>
  Future<U> wait(F ask, SourceLocation location) {
    struct Waiter final : detail::TaskWaiter {
      Waiter(F question, SourceLocation made) : promise(made), ask(std::move(question)) {}
      bool try_resolve() noexcept override {
        try {
          return ask(promise);
        } catch (...) {  // a result that can't be copied
          promise.fail(std::current_exception());
          return true;
        }
      }
      Promise<U> promise;
      F ask;
    };
    auto waiter = std::make_unique<Waiter>(std::move(ask), location);
    Future<U> future = waiter->promise.future();
    core_.add_waiter(std::move(waiter));
    return future;
  }
};

}  // namespace trueasync
