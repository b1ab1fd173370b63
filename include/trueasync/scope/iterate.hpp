// iterate: calls a function for every element of a range, several calls at a time, and returns when every call has
// finished.
//
// The calls run in the current coroutine as long as none suspends. When a call suspends, the iteration continues in
// another coroutine, up to `concurrency` calls at a time. The range is advanced by one coroutine at a time and may
// suspend. Elements of a container are passed by reference; elements produced on the fly are passed by value, so
// move-only types work. The function takes the element, or the element and its index, and may return false to stop.
// An iteration has its own child scope, created when a call spawns a coroutine or uses Scope::current(). Coroutines
// spawned by calls are awaited at the end; they are cancelled together with the pending calls, or always with
// SpawnedAction::cancel. Cancelling the scope ends the calls, and its deadline applies to their waits.
//
// Thread safety: one runtime.
// Errors: the first error of a call, of the range, or of a spawned coroutine that no coroutine awaits stops the
// iteration and cancels the pending calls. It is thrown when they have finished; several errors are thrown as a
// CompositeError. If the caller is cancelled, it gets Cancelled and the errors go to its scope as unobserved errors.
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

// PendingCalls: what happens to pending calls when a call returned false.
enum class PendingCalls : std::uint8_t { cancel, wait };

// SpawnedAction: what happens to coroutines spawned by the calls when all calls have finished. Coroutines that have not
// started yet may still start.
using SpawnedAction = detail::Iteration::Spawned;

// IterateOptions: options of iterate().
struct IterateOptions {
  std::size_t concurrency = 0;                  // calls at a time, the current coroutine included; 0: no limit
  PendingCalls pending = PendingCalls::cancel;  // default: cancel
  SpawnedAction spawned = SpawnedAction::wait;  // default: wait
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
  // An element can be passed by reference only if advancing does not invalidate it.
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
