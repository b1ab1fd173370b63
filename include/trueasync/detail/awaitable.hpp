// awaitable.hpp: what the await functions and select() accept, and how the result is taken. An awaitable has event()
// (Task, Coroutine, Future, Timeout, Trigger) or is an event, by pointer or Ref. If await() has an overload for it, its
// result is that of await(); otherwise it has no result, and its error is that of the event.
#pragma once

#include <concepts>
#include <exception>
#include <ranges>
#include <tuple>
#include <type_traits>
#include <utility>

#include "trueasync/detail/await_collector.hpp"
#include "trueasync/error.hpp"
#include "trueasync/event.hpp"
#include "trueasync/scope/result.hpp"
#include "trueasync/task.hpp"

namespace trueasync::detail {

template <class A>
concept HasEvent = requires(const A& item) {
  { item.event() } -> std::convertible_to<Event&>;
};

template <class A>
concept PointsToEvent = requires(const A& item) {
  { *item } -> std::convertible_to<Event&>;
};

template <class A>
concept Awaitable = HasEvent<std::remove_cvref_t<A>> || PointsToEvent<std::remove_cvref_t<A>>;

template <class P>
concept KeyedAwaitable = !Awaitable<P> && requires(P & pair) {
  pair.first;
  pair.second;
}
&&Awaitable<decltype(std::declval<P&>().second)>;

template <class A>
Event& event_of(const A& item) {
  if constexpr (requires { static_cast<bool>(item); }) {
    if (!static_cast<bool>(item)) throw MisuseError("await: the handle is empty; it was moved from or never assigned");
  }
  if constexpr (HasEvent<A>) {
    return item.event();
  } else {
    return *item;
  }
}

template <class A>
concept HasAwaitOverload = requires(A&& item, SourceLocation location) {
  await(std::forward<A>(item), WaitOptions(), location);
};

// The result of an awaitable that has settled; throws its error, which then counts as observed. `error` is that of the
// event.
template <class A>
auto take_awaited_result(A&& item, const std::exception_ptr& error, SourceLocation location) {
  if constexpr (HasAwaitOverload<A>) {
    return await(std::forward<A>(item), WaitOptions(), location);
  } else {
    if (!error) return;
    event_of(item).mark_error_observed();
    std::rethrow_exception(error);
  }
}

template <class A>
using AwaitedResult = decltype(take_awaited_result(std::declval<A>(), std::exception_ptr(), SourceLocation()));

// ReportsCancellation: a cancelled awaitable has no result. A scope is excluded: it has no result in any case.
template <class A>
concept ReportsCancellation = requires(const A& item) {
  item.is_cancelled();
}
&&!requires(const A& item) { item.await_completion(); };

// ItemSlot: a slot with its awaitable. `Item` is a reference into the caller's container, whose result is copied, or
// the awaitable itself.
template <class Item>
struct ItemSlot final : AwaitSlot {
  using Value = AwaitedResult<Item>;

  explicit ItemSlot(Item&& awaited) : item(static_cast<Item&&>(awaited)) {}

  bool is_failure() const noexcept override {
    if constexpr (ReportsCancellation<std::remove_cvref_t<Item>>) return item.is_cancelled();
    return false;
  }
  void cancel() noexcept override {
    if constexpr (requires { item.cancel(); }) item.cancel();
  }
  Value take(SourceLocation location) { return take_awaited_result(static_cast<Item&&>(item), error, location); }
  Stored<Value> take_stored(SourceLocation location) {
    if constexpr (std::is_void_v<Value>) {
      take(location);
      return {};
    } else {
      return take(location);
    }
  }
  Result<Value> take_result(SourceLocation location) noexcept {
    try {
      return take_stored(location);
    } catch (...) {
      return std::current_exception();
    }
  }

  Item item;
};

// True if elements are moved: out of a temporary container and out of a range that produces them on the fly.
template <class R>
inline constexpr bool kMovesElements = !std::is_lvalue_reference_v<R> && !std::ranges::view<std::remove_cvref_t<R>>;

// ElementOf: how an element of a range splits into key and awaitable.
template <class R, class Element = std::ranges::range_reference_t<R>>
struct ElementOf {
  static constexpr bool kHasKey = KeyedAwaitable<std::remove_cvref_t<Element>>;
  template <class E>
  static decltype(auto) item(E&& element) {
    if constexpr (kHasKey) {
      return (std::forward<E>(element).second);
    } else {
      return (std::forward<E>(element));
    }
  }
  static constexpr bool kBorrows = std::is_lvalue_reference_v<Element> && !kMovesElements<R>;
  using Bare = decltype(item(std::declval<Element&>()));  // always an lvalue reference
  using Item = std::conditional_t<kBorrows, Bare, std::remove_cvref_t<Bare>>;
};

template <class R, bool kHasKey = ElementOf<R>::kHasKey>
struct KeyOf {
  using Type = std::size_t;
};
template <class R>
struct KeyOf<R, true> {
  using Type = std::remove_cvref_t<decltype(std::declval<std::ranges::range_reference_t<R>>().first)>;
};

template <class R>
concept AwaitedRange = std::ranges::input_range<R> &&
    (Awaitable<std::ranges::range_reference_t<R>> ||
     KeyedAwaitable<std::remove_cvref_t<std::ranges::range_reference_t<R>>>);

template <class T>
inline constexpr bool kIsTupleOfAwaited = false;
template <class... A>
inline constexpr bool kIsTupleOfAwaited<std::tuple<A...>> = sizeof...(A) > 0 && (Awaitable<A> && ...);

template <class T>
concept AwaitedTuple = kIsTupleOfAwaited<std::remove_cvref_t<T>>;

}  // namespace trueasync::detail
