// TaskGroup: tasks that run with bounded concurrency, and all their results. Results can be read repeatedly; TaskSet
// returns each result once instead.
//
//   ta::TaskGroup<Page> pages({.concurrency = 50});
//   for (auto& url : urls) pages.spawn([&] { return fetch(url); });
//   auto all = ta::await(pages.all());        // by key: the index, or the key of spawn_with_key()
//
// Ownership: the tasks, which run in a child of the scope in which the group was created, and their results. Not
// copyable, not movable.
// Lifetime: the destructor cancels running tasks and waits for them, so tasks may refer to variables declared before
// the group.
// Thread safety: one runtime.
// Errors: the error of a task is returned by all(), race(), errors() or the iteration. Errors that are unobserved when
// the group is destroyed propagate to the surrounding scope, unless suppress_errors() was called.
#pragma once

#include <iterator>

#include "trueasync/detail/task_group_base.hpp"
#include "trueasync/sync/future.hpp"

namespace trueasync {

template <class T, class Key = std::size_t>
class TaskGroup : public detail::TaskGroupBase<T, Key> {
 public:
  using typename detail::TaskGroupBase<T, Key>::Results;
  using typename detail::TaskGroupBase<T, Key>::Entry;
  using detail::TaskGroupBase<T, Key>::TaskGroupBase;

  // A future that settles when no task is pending: with the results in spawn order, or with a CompositeError of all
  // errors. With TaskErrors::ignore: with the results of the successful tasks.
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
  // A future for the first task to settle: its result or error. MisuseError if the group is closed and empty.
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
  // A future for the first task to succeed. CompositeError if every task failed, MisuseError if the group is closed and
  // empty.
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

  // The results so far, in spawn order.
  Results results() requires std::copy_constructible<detail::Stored<T>> {
    Results values;
    values.reserve(core_.settled.size());
    for (auto* task : this->in_order()) {
      if (!task->is_error) values.add(task->entry.key, task->entry.result.value());
    }
    return values;
  }
  // The errors so far, in spawn order; they count as observed.
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
  // All tasks spawned so far.
  std::size_t count() const noexcept { return core_.spawned(); }

  // Visits the results as they settle: for (auto& [key, result] : group). Ends when the group is closed and every
  // result was visited. Each iteration starts from the beginning.
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
      while (is_over() && !core.is_finished()) core.wait_for_change({}, location_);
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
    promise.fail(std::make_exception_ptr(MisuseError("TaskGroup: the group is closed and has no tasks")));
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
        } catch (...) {  // copying a result may throw
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

// TaskSet: tasks that run with bounded concurrency; each result is returned once and removed. A result stays until it
// is taken; a wait that is cancelled or times out takes none.
//
//   ta::TaskSet<Page> pages({.concurrency = 20});
//   …
//   while (auto page = pages.next()) store(page->key, page->result.value());   // until it is closed and empty
//
// Ownership, lifetime, thread safety and errors are those of TaskGroup.
template <class T, class Key = std::size_t>
class TaskSet : public detail::TaskGroupBase<T, Key> {
 public:
  using typename detail::TaskGroupBase<T, Key>::Results;
  using typename detail::TaskGroupBase<T, Key>::Entry;
  using detail::TaskGroupBase<T, Key>::TaskGroupBase;

  // Takes the next task to settle, successful or not. std::nullopt if the set is closed and every result was taken.
  std::optional<Entry> next(WaitOptions options = {}, SourceLocation location = SourceLocation::current()) {
    if (options.has_time()) options = detail::with_fixed_deadline(options);
    while (core_.settled.empty()) {
      if (core_.is_finished()) return std::nullopt;
      core_.wait_for_change(options, location);
    }
    return take(core_.settled.begin());
  }
  // Takes the next task to settle; returns its result or throws its error. MisuseError if the set is empty.
  T join_next(WaitOptions options = {}, SourceLocation location = SourceLocation::current()) {
    if (options.has_time()) options = detail::with_fixed_deadline(options);
    while (core_.settled.empty()) {
      check_not_empty();
      core_.wait_for_change(options, location);
    }
    return value_of(take(core_.settled.begin()));
  }
  // Takes the first task that succeeds; errors stay. If every task failed, throws a CompositeError that takes them.
  T join_any(WaitOptions options = {}, SourceLocation location = SourceLocation::current()) {
    if (options.has_time()) options = detail::with_fixed_deadline(options);
    for (;;) {
      check_not_empty();
      auto found = std::find_if_not(core_.settled.begin(), core_.settled.end(), Base::is_error);
      if (found != core_.settled.end()) return value_of(take(found));
      if (core_.pending() == 0) throw_all_errors();
      core_.wait_for_change(options, location);
    }
  }
  // Waits until no task is pending and takes all results in spawn order. Throws a CompositeError of all errors, unless
  // they are ignored.
  Results join_all(TaskErrors errors = TaskErrors::fail, WaitOptions options = {},
                   SourceLocation location = SourceLocation::current()) {
    if (options.has_time()) options = detail::with_fixed_deadline(options);
    while (core_.pending() != 0) core_.wait_for_change(options, location);
    if (errors == TaskErrors::fail && std::any_of(core_.settled.begin(), core_.settled.end(), Base::is_error)) {
      throw_all_errors();
    }
    Results values;
    values.reserve(core_.settled.size());
    for (auto* task : this->in_order()) {
      if (!task->is_error) values.add(std::move(task->entry.key), std::move(task->entry.result).value());
    }
    core_.settled.clear();
    return values;
  }
  // Tasks whose results were not taken yet.
  std::size_t count() const noexcept { return core_.pending() + core_.settled.size(); }

  // Takes each result that it visits: for (auto& [key, result] : set).
  class Iterator {
   public:
    using value_type = Entry;
    using difference_type = std::ptrdiff_t;

    Iterator(TaskSet& set, SourceLocation location) : set_(&set), location_(location) { ++*this; }
    Entry& operator*() { return *entry_; }
    Entry* operator->() { return &*entry_; }
    Iterator& operator++() {
      entry_.reset();
      if (auto taken = set_->next({}, location_)) entry_.emplace(std::move(*taken));
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& at, std::default_sentinel_t) noexcept { return !at.entry_; }

   private:
    TaskSet* set_;
    SourceLocation location_;
    std::optional<Entry> entry_;
  };
  Iterator begin(SourceLocation location = SourceLocation::current()) { return Iterator(*this, location); }
  std::default_sentinel_t end() const noexcept { return {}; }

 private:
  using Base = detail::TaskGroupBase<T, Key>;
  using Base::core_;

  template <class At>
  Entry take(At at) {
    Entry entry = std::move(this->typed(**at).entry);
    core_.settled.erase(at);
    return entry;
  }
  static T value_of(Entry entry) {
    if constexpr (std::is_void_v<T>) {
      entry.result.value();
    } else {
      return std::move(entry.result).value();
    }
  }
  void check_not_empty() const {
    if (count() == 0) throw MisuseError("TaskSet: the set has no tasks to join");
  }
  [[noreturn]] void throw_all_errors() {
    CompositeError all(this->take_errors());
    core_.settled.clear();
    throw all;
  }
};

}  // namespace trueasync
