// await.hpp: functions that wait for many awaitables: await_all, await_all_or_fail, await_any_or_fail,
// await_first_success, await_any_of and await_any_of_or_fail.
//
// Each takes a container, a range that produces its elements on the fly, a map (results by key) or a tuple of different
// types (std::tie(a, b)). detail/awaitable.hpp defines which elements can be awaited. Results are copied from a named
// container and moved out of a temporary.
//
// Lifetime: the container must not change during the wait.
// Thread safety: one runtime.
// Errors: the `_or_fail` functions throw the first error; a cancelled task counts as an error. The other functions
// return errors together with results. Either way, a delivered error is observed. TimeoutError if the time of `wait`
// expires, OperationCancelled if its token fires; Cancelled.
#pragma once

#include <algorithm>
#include <deque>
#include <optional>
#include <variant>
#include <vector>

#include "trueasync/detail/awaitable.hpp"
#include "trueasync/scope/result.hpp"
#include "trueasync/wait_options.hpp"

namespace trueasync {

// ResultOrder: whether results are in the order of the input or of completion.
enum class ResultOrder : std::uint8_t { input, completion };

// AwaitOptions: options of the functions in this header.
struct AwaitOptions {
  PendingAction pending = PendingAction::keep;  // what happens to pending tasks; default: keep them running
  ResultOrder order = ResultOrder::input;       // order of the results; default: input order
};

// AwaitAllResult: results and errors by key.
template <class Key, class T>
struct AwaitAllResult {
  KeyedResults<Key, detail::Stored<T>> results;
  KeyedResults<Key, std::exception_ptr> errors;
};

// FirstSuccess: the first result, and the errors by key.
template <class Key, class T>
struct FirstSuccess {
  std::optional<detail::Stored<T>> result;  // empty if every awaitable failed
  KeyedResults<Key, std::exception_ptr> errors;
};

namespace detail {

// RangeAwait: waits for the elements of a range. Each element is subscribed as the range produces it; production stops
// once the goal is met.
template <class R>
class RangeAwait {
 public:
  using Element = ElementOf<R>;
  using Slot = ItemSlot<typename Element::Item>;
  using Key = typename KeyOf<R>::Type;
  using Value = typename Slot::Value;

  RangeAwait(R&& range, AwaitGoal goal, const AwaitOptions& options, WaitOptions wait, SourceLocation location)
      : location_(location), order_(options.order), collector_(goal, options.pending) {
    if (goal.successes != 0) {
      for (auto&& element : range) {
        add(std::forward<decltype(element)>(element));
        if (collector_.is_met()) break;
      }
    }
    collector_.wait(wait, location);
  }

  // Visits the settled elements in the requested order.
  template <class F>
  void for_each_settled(F&& handle) {
    if (order_ == ResultOrder::input) {
      for (Entry& entry : entries_) {
        if (entry.slot.is_settled()) handle(entry);
      }
      return;
    }
    std::vector<Entry*> sorted(collector_.settled());
    for (Entry& entry : entries_) {
      if (entry.slot.is_settled()) sorted[entry.slot.settle_order - 1] = &entry;
    }
    for (Entry* entry : sorted) handle(*entry);
  }

  void throw_first_failure() {
    if (collector_.first_failure()) static_cast<Slot*>(collector_.first_failure())->take(location_);
  }

  AwaitAllResult<Key, Value> settled() {
    AwaitAllResult<Key, Value> all;
    for_each_settled([&](auto& entry) {
      auto result = entry.slot.take_result(location_);
      if (result) {
        all.results.add(std::move(entry.key), std::move(result).value());
      } else {
        all.errors.add(std::move(entry.key), result.error());
      }
    });
    return all;
  }

  KeyedResults<Key, Stored<Value>> keyed() {
    KeyedResults<Key, Stored<Value>> all;
    all.reserve(collector_.settled());
    for_each_settled([&](auto& entry) { all.add(std::move(entry.key), entry.slot.take_stored(location_)); });
    return all;
  }

  std::vector<Stored<Value>> plain() {
    std::vector<Stored<Value>> all;
    all.reserve(collector_.settled());
    for_each_settled([&](auto& entry) { all.push_back(entry.slot.take_stored(location_)); });
    return all;
  }

  std::size_t settled_count() const noexcept { return collector_.settled(); }

 private:
  struct Entry {
    Entry(Key number, typename Element::Item&& item)
        : key(std::move(number)), slot(static_cast<typename Element::Item&&>(item)) {}
    Key key;
    Slot slot;
  };

  template <class E>
  void add(E&& element) {
    using Item = typename Element::Item;
    auto&& item = Element::item(element);
    Entry& entry = [&]() -> Entry& {
      if constexpr (Element::kHasKey) {
        return entries_.emplace_back(Key(element.first), static_cast<Item&&>(item));
      } else {
        return entries_.emplace_back(entries_.size(), static_cast<Item&&>(item));
      }
    }();
    collector_.add(entry.slot, event_of(entry.slot.item));
  }

  SourceLocation location_;
  ResultOrder order_;
  std::deque<Entry> entries_;  // stable addresses: slots are linked
  AwaitCollector collector_;   // destroyed before the entries it refers to
};

template <class R>
using RangeValue = typename RangeAwait<R>::Value;
template <class R>
using RangeKey = typename KeyOf<R>::Type;

}  // namespace detail

// Waits until every element has settled. Returns {results, errors} by key.
template <detail::AwaitedRange R>
auto await_all(R&& range, const AwaitOptions& options = {}, WaitOptions wait = {},
               SourceLocation location = SourceLocation::current()) {
  return detail::RangeAwait<R>(std::forward<R>(range), {}, options, wait, location).settled();
}

// Waits for all elements; the first error ends the wait and is thrown. Returns a vector in input order, KeyedResults
// for a map, or void.
template <detail::AwaitedRange R>
auto await_all_or_fail(R&& range, const AwaitOptions& options = {}, WaitOptions wait = {},
                       SourceLocation location = SourceLocation::current()) {
  detail::RangeAwait<R> all(std::forward<R>(range), {.stop_at_failure = true}, options, wait, location);
  all.throw_first_failure();
  if constexpr (std::is_void_v<detail::RangeValue<R>>) {
    return;
  } else if constexpr (detail::ElementOf<R>::kHasKey) {
    return all.keyed();
  } else {
    return all.plain();
  }
}

// Waits for the first element to settle; returns its result or throws its error. MisuseError for an empty range.
template <detail::AwaitedRange R>
auto await_any_or_fail(R&& range, const AwaitOptions& options = {}, WaitOptions wait = {},
                       SourceLocation location = SourceLocation::current()) {
  detail::RangeAwait<R> any(std::forward<R>(range), {.successes = 1, .stop_at_failure = true}, options, wait, location);
  if (any.settled_count() == 0) throw MisuseError("await_any_or_fail: the range is empty");
  any.throw_first_failure();
  if constexpr (!std::is_void_v<detail::RangeValue<R>>) return std::move(any.plain().front());
}

// Waits for the first success. Returns {result, errors}; `result` is empty if every element failed.
template <detail::AwaitedRange R>
auto await_first_success(R&& range, const AwaitOptions& options = {}, WaitOptions wait = {},
                         SourceLocation location = SourceLocation::current()) {
  auto [results, errors] =
      detail::RangeAwait<R>(std::forward<R>(range), {.successes = 1}, options, wait, location).settled();
  FirstSuccess<detail::RangeKey<R>, detail::RangeValue<R>> first;
  if (!results.empty()) first.result.emplace(std::move(results.begin()->value));
  first.errors = std::move(errors);
  return first;
}

// Waits until `count` elements have succeeded or every element has settled. Returns {results, errors} by key.
template <detail::AwaitedRange R>
auto await_any_of(std::size_t count, R&& range, const AwaitOptions& options = {}, WaitOptions wait = {},
                  SourceLocation location = SourceLocation::current()) {
  return detail::RangeAwait<R>(std::forward<R>(range), {.successes = count}, options, wait, location).settled();
}

// As await_any_of(), but the first error ends the wait and is thrown. Returns results by key.
template <detail::AwaitedRange R>
auto await_any_of_or_fail(std::size_t count, R&& range, const AwaitOptions& options = {}, WaitOptions wait = {},
                          SourceLocation location = SourceLocation::current()) {
  const detail::AwaitGoal goal{.successes = count, .stop_at_failure = true};
  detail::RangeAwait<R> some(std::forward<R>(range), goal, options, wait, location);
  some.throw_first_failure();
  return some.keyed();
}

}  // namespace trueasync

#include "trueasync/detail/await_tuple.hpp"  // IWYU pragma: export
