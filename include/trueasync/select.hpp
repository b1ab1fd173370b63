// select(): waits for the first of several things – a value in a channel, a task or future with its result, a timer, a
// trigger, any event – and calls the handler of that one with what came. The others are left as they were.
//
//   ta::select(ta::on(jobs, [&](Job job) { work(job); }),          // a channel; std::optional<Job>: nothing once closed
//              ta::on(answer, [&](int value) { … }),               // a task or a future
//              ta::on(ta::timeout(50ms), [&] { give_up(); }));
//
// If several are ready the first of the list wins, so a timeout of no time at the end is what to do if none is.
// Returns what the handler returns; the number of the case if it returns nothing.
//
// Owns: temporaries it was given, as long as it waits. Threads: the runtime's. Errors: what the chosen one ended with –
// of a timer its TimeoutError unless its handler takes none –, what the handler throws, Cancelled. A value that was
// meant for a cancelled select goes to the next receiver.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include "trueasync/detail/awaitable.hpp"
#include "trueasync/wait.hpp"

namespace trueasync {

namespace detail {

template <class S>
concept Receivable = requires(const S& source) {
  source.receive_event();
};

// Suspends until one of them has fired; says which.
TRUEASYNC_EXPORT std::size_t select_wait(std::span<WaitEntry> entries, SourceLocation location);

// A task, a future, an event.
template <class Source, class Handler>
struct SelectCase {
  using Value = AwaitedResult<Source>;

  Event& event() { return event_of(source); }
  decltype(auto) run(const WaitEntry& entry) {
    if constexpr (std::is_void_v<Value>) {
      // Timers tell an error; whoever handles a timer knows that it has run out.
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

// A receive from a channel.
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

}  // namespace detail

// One case of a select.
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

template <class... Cases>
auto select(Cases... cases) {
  using First = std::tuple_element_t<0, std::tuple<Cases...>>;
  using Returned = decltype(std::declval<First&>().run(std::declval<const WaitEntry&>()));
  std::tuple<Cases&...> all(cases...);
  WaitEntry entries[] = {WaitEntry(cases.event())...};
  const std::size_t chosen = detail::select_wait(entries, std::get<0>(all).location);
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

}  // namespace trueasync
