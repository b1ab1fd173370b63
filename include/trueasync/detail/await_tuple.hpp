// await_tuple.hpp: the await functions for tuples of different types. Results are at the positions of their awaitables.
#pragma once

#include <tuple>
#include <utility>

#include "trueasync/scope/await.hpp"

namespace trueasync {

namespace detail {

// TupleItem: an element is moved out of a temporary tuple; a reference or an element of a named tuple is not.
template <class T, std::size_t I>
using TupleItem = std::conditional_t<std::is_lvalue_reference_v<T> ||
                                         std::is_lvalue_reference_v<std::tuple_element_t<I, std::remove_cvref_t<T>>>,
                                     decltype(std::get<I>(std::declval<std::remove_reference_t<T>&>())),
                                     std::remove_cvref_t<std::tuple_element_t<I, std::remove_cvref_t<T>>>>;

template <class T, class Indices>
class TupleAwait;

template <class T, std::size_t... I>
class TupleAwait<T, std::index_sequence<I...>> {
 public:
  template <std::size_t J>
  using ValueAt = typename ItemSlot<TupleItem<T, J>>::Value;
  using First = std::variant<Stored<ValueAt<I>>...>;

  TupleAwait(T&& awaitables, AwaitGoal goal, const AwaitOptions& options, WaitOptions wait, SourceLocation location)
      : location_(location),
        slots_(static_cast<TupleItem<T, I>&&>(std::get<I>(awaitables))...),
        collector_(goal, options.pending) {
    ((collector_.is_met() ? void() : collector_.add(slot<I>(), event_of(slot<I>().item))), ...);
    collector_.wait(wait, location);
  }

  void throw_first_failure() {
    ((collector_.first_failure() == &slot<I>() ? void(slot<I>().take(location_)) : void()), ...);
  }
  auto results() { return std::tuple<Result<ValueAt<I>>...>{slot<I>().take_result(location_)...}; }
  auto values() { return std::tuple<Stored<ValueAt<I>>...>{slot<I>().take_stored(location_)...}; }
  auto some_results() { return std::tuple<std::optional<Result<ValueAt<I>>>...>{result_if_settled<I>()...}; }
  auto some_values() { return std::tuple<std::optional<Stored<ValueAt<I>>>...>{value_if_settled<I>()...}; }

  // The value of the first success.
  std::optional<First> first() {
    std::optional<First> found;
    std::size_t when = SIZE_MAX;
    ((slot<I>().is_settled() && !slot<I>().failed && slot<I>().settle_order < when
          ? (when = slot<I>().settle_order,
             void(found.emplace(std::in_place_index<I>, slot<I>().take_stored(location_))))
          : void()),
     ...);
    return found;
  }
  KeyedResults<std::size_t, std::exception_ptr> errors() {
    KeyedResults<std::size_t, std::exception_ptr> all;
    ((slot<I>().failed ? all.add(I, slot<I>().take_result(location_).error()) : void()), ...);
    return all;
  }

 private:
  template <std::size_t J>
  auto& slot() noexcept {
    return std::get<J>(slots_);
  }
  template <std::size_t J>
  std::optional<Result<ValueAt<J>>> result_if_settled() {
    if (!slot<J>().is_settled()) return std::nullopt;
    return slot<J>().take_result(location_);
  }
  template <std::size_t J>
  std::optional<Stored<ValueAt<J>>> value_if_settled() {
    if (!slot<J>().is_settled()) return std::nullopt;
    return slot<J>().take_stored(location_);
  }

  SourceLocation location_;
  std::tuple<ItemSlot<TupleItem<T, I>>...> slots_;
  AwaitCollector collector_;
};

template <class T>
using AwaitOf = TupleAwait<T, std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<T>>>>;

}  // namespace detail

// Returns a tuple of Result.
template <detail::AwaitedTuple T>
auto await_all(T&& awaitables, const AwaitOptions& options = {}, WaitOptions wait = {},
               SourceLocation location = SourceLocation::current()) {
  return detail::AwaitOf<T>(std::forward<T>(awaitables), {}, options, wait, location).results();
}

// Returns a tuple of values; std::monostate for void.
template <detail::AwaitedTuple T>
auto await_all_or_fail(T&& awaitables, const AwaitOptions& options = {}, WaitOptions wait = {},
                       SourceLocation location = SourceLocation::current()) {
  detail::AwaitOf<T> all(std::forward<T>(awaitables), {.stop_at_failure = true}, options, wait, location);
  all.throw_first_failure();
  return all.values();
}

// Returns a variant whose index is the position of the first awaitable.
template <detail::AwaitedTuple T>
auto await_any_or_fail(T&& awaitables, const AwaitOptions& options = {}, WaitOptions wait = {},
                       SourceLocation location = SourceLocation::current()) {
  detail::AwaitOf<T> any(std::forward<T>(awaitables), {.successes = 1, .stop_at_failure = true}, options, wait,
                         location);
  any.throw_first_failure();
  return std::move(*any.first());
}

// Returns {result, errors}: `result` is an optional variant, empty if every awaitable failed; errors are by position.
template <detail::AwaitedTuple T>
auto await_first_success(T&& awaitables, const AwaitOptions& options = {}, WaitOptions wait = {},
                         SourceLocation location = SourceLocation::current()) {
  detail::AwaitOf<T> any(std::forward<T>(awaitables), {.successes = 1}, options, wait, location);
  FirstSuccess<std::size_t, typename detail::AwaitOf<T>::First> first;
  first.result = any.first();
  first.errors = any.errors();
  return first;
}

// Returns a tuple of optional Result, empty for pending awaitables.
template <detail::AwaitedTuple T>
auto await_any_of(std::size_t count, T&& awaitables, const AwaitOptions& options = {}, WaitOptions wait = {},
                  SourceLocation location = SourceLocation::current()) {
  return detail::AwaitOf<T>(std::forward<T>(awaitables), {.successes = count}, options, wait, location).some_results();
}

template <detail::AwaitedTuple T>
auto await_any_of_or_fail(std::size_t count, T&& awaitables, const AwaitOptions& options = {}, WaitOptions wait = {},
                          SourceLocation location = SourceLocation::current()) {
  detail::AwaitOf<T> some(std::forward<T>(awaitables), {.successes = count, .stop_at_failure = true}, options, wait,
                          location);
  some.throw_first_failure();
  return some.some_values();
}

}  // namespace trueasync
