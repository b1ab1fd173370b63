// select: waits for the first of several sources (a channel, a task, a future, a timer, any event) and calls its
// handler. The other sources are not affected.
//
//   ta::select(ta::on(jobs, [&](Job job) { work(job); }),      // channel; std::optional<Job>: empty once closed
//              ta::on(answer, [&](int value) { … }),           // task or future
//              ta::on(ta::timeout(50ms), [&] { report_timeout(); }));
//
// If several sources are ready, the first in the list wins; a timeout(0ns) at the end is a default case. Returns the
// result of the handler, or the index of the case if the handler returns void.
//
// Ownership: temporaries passed to it, during the wait.
// Thread safety: one runtime.
// Errors: the error of the chosen source (a timer passes none to a handler without parameters), errors of the handler,
// Cancelled. A value granted to a cancelled select goes to the next receiver.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include "trueasync/detail/awaitable.hpp"
#include "trueasync/event.hpp"

namespace trueasync {

namespace detail {

template <class S>
concept Receivable = requires(const S& source) {
  source.receive_event();
};

// Suspends until one entry has fired; returns its index. The last entry is for the token of `options`.
TRUEASYNC_EXPORT std::size_t select_wait(std::span<WaitEntry> entries, WaitOptions options, SourceLocation location);

// SelectCase: a task, a future or an event with its handler.
template <class Source, class Handler>
struct SelectCase {
  using Value = AwaitedResult<Source>;

  Event& event() { return event_of(source); }
  decltype(auto) run(const WaitEntry& entry) {
    if constexpr (std::is_void_v<Value>) {
      // A timer fires with an error; a handler without parameters expects the expiry, so the error is dropped.
      if constexpr (HasAwaitOverload<Source>) take_awaited_result(static_cast<Source&&>(source), nullptr, location);
      return handler();
    } else {
      return handler(take_awaited_result(static_cast<Source&&>(source), entry.result.error, location));
    }
  }

  Source source;
  Handler handler;
  SourceLocation location;
};

// ReceiveCase: a receive from a channel with its handler.
template <class Receive, class Handler>
struct ReceiveCase {
  using Value = decltype(std::declval<Receive&>()->take());

  Event& event() { return *receive; }
  decltype(auto) run(const WaitEntry&) {
    if constexpr (std::is_invocable_v<Handler&, std::optional<Value>>) {
      return handler(receive->has_value() ? std::optional<Value>(receive->take()) : std::nullopt);
    } else {
      return handler(receive->take());
    }
  }

  Receive receive;
  Handler handler;
  SourceLocation location;
};

template <class C>
concept IsSelectCase = requires(C& item, const WaitEntry& entry) {
  item.run(entry);
};

}  // namespace detail

// One case of a select().
template <class Source, class Handler>
auto on(Source&& source, Handler&& handler, SourceLocation location = SourceLocation::current()) {
  if constexpr (detail::Receivable<std::remove_cvref_t<Source>>) {
    auto receive = source.receive_event();
    return detail::ReceiveCase<decltype(receive), std::decay_t<Handler>>{std::move(receive),
                                                                         std::forward<Handler>(handler), location};
  } else {
    static_assert(detail::Awaitable<Source>, "select waits for channels, tasks, futures, timers and events");
    return detail::SelectCase<Source, std::decay_t<Handler>>{std::forward<Source>(source),
                                                             std::forward<Handler>(handler), location};
  }
}

namespace detail {

template <class... Cases>
auto run_select(WaitOptions options, Cases&... cases) {
  using First = std::tuple_element_t<0, std::tuple<Cases...>>;
  using Returned = decltype(std::declval<First&>().run(std::declval<const WaitEntry&>()));
  std::tuple<Cases&...> all(cases...);
  WaitEntry entries[] = {WaitEntry(cases.event())..., WaitEntry()};
  const std::size_t chosen = select_wait(entries, options, std::get<0>(all).location);
  std::size_t number = 0;
  if constexpr (std::is_void_v<Returned>) {
    ((number++ == chosen ? void(cases.run(entries[chosen])) : void()), ...);
    return chosen;
  } else {
    std::optional<std::decay_t<Returned>> result;
    ((number++ == chosen ? void(result.emplace(cases.run(entries[chosen]))) : void()), ...);
    return std::move(*result);
  }
}

}  // namespace detail

template <class... Cases>
requires(detail::IsSelectCase<Cases>&&...) auto select(Cases... cases) { return detail::run_select({}, cases...); }
// `options` end the wait with TimeoutError or OperationCancelled: select(5s, on(…), on(…)).
template <class... Cases>
requires(detail::IsSelectCase<Cases>&&...) auto select(WaitOptions options, Cases... cases) {
  return detail::run_select(options, cases...);
}

}  // namespace trueasync
