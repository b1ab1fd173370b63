// TaskSet: tasks that run with bounded concurrency; each result is returned once and removed. A result stays until it
// is taken; a wait that is cancelled or times out takes none.
//
//   ta::TaskSet<Page> pages({.concurrency = 20});
//   …
//   while (auto page = pages.next()) store(page->key, page->result.value());   // until it is closed and empty
//
// Ownership, lifetime, thread safety and errors are those of TaskGroup.
#pragma once

#include <iterator>

#include "trueasync/detail/task_group_base.hpp"

namespace trueasync {

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
