// iterate(): calls a function for every element of a range, several at a time. The calls run in the current coroutine
// as long as none suspends; when one does, the iteration moves on in another coroutine, up to `concurrency` at a time.
// Returns when every call has ended.
//
// It has a child scope of its own, made when a call spawns or asks for Scope::current(): what calls spawn and leave
// running is awaited at the end, or cancelled where the calls that still wait are, or always if one wants it so.
// Cancelling it ends the calls too, and a deadline of its own holds for their waits.
//
// The source is advanced by one coroutine at a time and may suspend itself. Elements of a container are passed as they
// lie there; what a range makes on the fly belongs to the call, so move-only values do. The function takes the element,
// or the element and its number, and may return false to stop.
// Threads: the runtime's. Errors: the first error of a call, of the source, or of something spawned that nobody awaits
// stops the iteration, and the calls that still wait are cancelled. When they have ended it is thrown; if there were more
// until then, all of them as a CompositeError. Cancelled; errors go to the caller's scope then, as if nobody awaited them.
#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <ranges>
#include <type_traits>
#include <utility>

#include "trueasync/detail/iteration.hpp"
#include "trueasync/source_location.hpp"
#include "trueasync/task.hpp"

namespace trueasync {

// What becomes of the calls that still wait when one returned false.
enum class PendingCalls : std::uint8_t { cancel, wait };

// What becomes, when all calls have ended, of what they spawned and left running. Those who have not begun yet may.
using SpawnedAction = detail::Iteration::Spawned;

struct IterateOptions {
  std::size_t concurrency = 0;  // calls at a time, those of the current coroutine included; 0: no limit
  PendingCalls pending = PendingCalls::cancel;
  SpawnedAction spawned = SpawnedAction::wait;
};

namespace detail {

template <class R, class F>
class RangeIteration final : public Iteration {
 public:
  RangeIteration(R& range, F& function, const IterateOptions& options, SourceLocation location)
      : Iteration(options.concurrency, options.pending == PendingCalls::cancel ? OnStop::cancel : OnStop::wait,
                  options.spawned, location),
        range_(range),
        function_(function) {}

 private:
  using Reference = std::ranges::range_reference_t<R>;
  using Value = std::ranges::range_value_t<R>;
  // A reference lasts only where advancing does not end it.
  static constexpr bool kBorrows = std::is_lvalue_reference_v<Reference> && std::ranges::forward_range<R>;

  bool step() override {
    std::optional<std::conditional_t<kBorrows, std::remove_reference_t<Reference>*, Value>> element;
    std::size_t number = 0;
    {
      AdvanceGuard guard(*this);
      if (at_) {
        ++*at_;
      } else {
        at_.emplace(std::ranges::begin(range_));
      }
      if (*at_ == std::ranges::end(range_)) {
        mark_exhausted();
        return true;
      }
      if constexpr (kBorrows) {
        element.emplace(std::addressof(**at_));
      } else if constexpr (std::is_lvalue_reference_v<Reference> && !std::copy_constructible<Value>) {
        element.emplace(std::ranges::iter_move(*at_));
      } else {
        element.emplace(**at_);
      }
      number = count_++;
    }
    before_callback();
    if constexpr (kBorrows) {
      return call(**element, number);
    } else {
      return call(std::move(*element), number);
    }
  }

  template <class E>
  bool call(E&& element, std::size_t number) {
    if constexpr (std::invocable<F&, E, std::size_t>) {
      return invoke_callback([&]() -> decltype(auto) { return function_(std::forward<E>(element), number); });
    } else {
      return invoke_callback([&]() -> decltype(auto) { return function_(std::forward<E>(element)); });
    }
  }
  template <class C>
  static bool invoke_callback(C&& function) {
    if constexpr (std::same_as<std::invoke_result_t<C>, bool>) {
      return function();
    } else {
      function();
      return true;
    }
  }

  R& range_;
  F& function_;
  std::optional<std::ranges::iterator_t<R>> at_;
  std::size_t count_ = 0;
};

}  // namespace detail

template <std::ranges::input_range R, class F>
void iterate(R&& range, F&& function, const IterateOptions& options = {},
             SourceLocation location = SourceLocation::current()) {
  detail::RangeIteration<std::remove_reference_t<R>, std::remove_reference_t<F>>(range, function, options, location)
      .run();
}

}  // namespace trueasync
