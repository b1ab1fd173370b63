// What a Promise and its Futures share: one result, set once, and the event that fires when it is.
#pragma once

#include <concepts>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "trueasync/event.hpp"
#include "trueasync/export.hpp"
#include "trueasync/source_location.hpp"

namespace trueasync::detail {

class CoroutineOwner;
class Scheduler;

enum class FuturePhase : std::uint8_t { pending, value, error, cancelled };

// Called once, when the future it was given to is settled. Owns itself from then on, unless it was lent.
struct Continuation : Subscription {
  virtual ~Continuation() = default;
  virtual void on_settled() noexcept = 0;
};

class TRUEASYNC_EXPORT FutureCore : public Event {
 public:
  FuturePhase phase() const noexcept { return phase_; }
  const std::exception_ptr& error() const noexcept { return error_; }
  SourceLocation creation_location() const noexcept { return created_; }
  SourceLocation completion_location() const noexcept { return completed_; }
  void ignore() noexcept { observed_ = true; }
  // Somebody has what it ended with, or nobody wants to know.
  bool is_observed() const noexcept { return observed_; }
  bool is_value_taken() const noexcept { return value_taken_; }

  bool replay(Notification& result) const noexcept override;
  std::string describe() const override;
  void mark_error_observed() noexcept override { observed_ = true; }

  // Throws FutureError when it is settled already.
  void check_is_pending() const;
  // The same, and MisuseError on a thread that is not its runtime's.
  void check_can_settle() const;
  void settle(FuturePhase phase, std::exception_ptr error, SourceLocation location) noexcept;
  void fail(std::exception_ptr error, SourceLocation location);
  // The exception being handled ends it: a cancellation is told apart from an error.
  void fail_with_current_exception(SourceLocation location) noexcept;
  void break_promise() noexcept;

  // Suspends until it is settled; throws what it failed with.
  void join(Event* token, SourceLocation location);
  [[noreturn]] void throw_error();
  void then(std::unique_ptr<Continuation> continuation) noexcept;
  // For one that belongs to somebody else, who unsubscribes it before it goes.
  void then(Continuation& continuation) noexcept;

  void check_not_taken() const;
  void mark_taken();

 protected:
  FutureCore(FuturePhase phase, SourceLocation created) noexcept;
  ~FutureCore() override;
  void dispose() noexcept override;
  void value_taken() const noexcept { observed_ = value_taken_ = true; }

 private:
  std::exception_ptr error_;
  const Scheduler* scheduler_;  // only compared: the runtime may go first
  SourceLocation created_;
  SourceLocation completed_;
  FuturePhase phase_;
  mutable bool observed_ = false;
  mutable bool value_taken_ = false;
  bool taken_ = false;
};

// Where a pending one belongs to: throws MisuseError outside a runtime.
TRUEASYNC_EXPORT void require_runtime(const char* what);
[[noreturn]] TRUEASYNC_EXPORT void throw_empty_future(const char* what);
// Where a callback runs if the scope of whoever settles its future takes nobody any more.
TRUEASYNC_EXPORT CoroutineOwner& detached_owner() noexcept;

template <class T>
class FutureState : public FutureCore {
 public:
  static_assert(!std::is_reference_v<T>, "a future holds a value; wrap a reference in std::ref");
  static constexpr bool kIsVoid = std::is_void_v<T>;
  using Stored = std::conditional_t<kIsVoid, std::monostate, T>;

  explicit FutureState(SourceLocation created) noexcept : FutureCore(FuturePhase::pending, created) {}
  FutureState(std::in_place_t, Stored value, SourceLocation created)
      : FutureCore(FuturePhase::value, created), value_(std::move(value)) {}

  void complete(Stored value, SourceLocation location) {
    check_can_settle();
    value_.emplace(std::move(value));
    settle(FuturePhase::value, nullptr, location);
  }

  // With what `function` returns or throws; if it is settled by then, that goes out.
  template <class F>
  void complete_from(F&& function, SourceLocation location) {
    try {
      if constexpr (kIsVoid) {
        function();
        check_is_pending();
        value_.emplace();
      } else {
        Stored value = function();
        check_is_pending();
        value_.emplace(std::move(value));
      }
    } catch (...) {
      if (phase() != FuturePhase::pending) throw;
      return fail_with_current_exception(location);
    }
    settle(FuturePhase::value, nullptr, location);
  }

  // By the future itself, which knows that it may.
  void complete_unchecked(Stored value) noexcept {
    value_.emplace(std::move(value));
    settle(FuturePhase::value, nullptr, {});
  }

  const Stored& value() const {
    if constexpr (!kIsVoid) check_not_taken();
    value_taken();
    return *value_;
  }
  // For looking at it only: nobody has taken it by that. Null: there is none.
  const Stored* peek() const noexcept { return value_ ? &*value_ : nullptr; }
  T copy() const {
    if constexpr (!kIsVoid) {
      static_assert(std::copy_constructible<T>, "this result can only be moved: give the future away by std::move");
      return value();
    }
  }
  // Moves the value out, unless others than these `owners` still want it and it can be copied.
  T take(std::uint32_t owners) {
    if constexpr (!kIsVoid) {
      if constexpr (std::copy_constructible<T>) {
        if (references() > owners) return copy();
      }
      mark_taken();
      value_taken();
      return std::move(*value_);
    }
  }

 protected:
  // What was set and nobody has taken.
  Stored& unobserved_value() noexcept { return *value_; }

 private:
  std::optional<Stored> value_;
};

}  // namespace trueasync::detail
