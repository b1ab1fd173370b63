// FutureState: the state shared by a Promise and its Futures: a result that is set once, and the event that fires then.
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
#include "trueasync/wait_options.hpp"

namespace trueasync::detail {

class CoroutineOwner;
class Scheduler;

enum class FuturePhase : std::uint8_t { pending, value, error, cancelled };

// Continuation: called once when its future is settled. Owns itself from then on, unless it was passed by reference.
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
  // True if the result reached an awaiter or ignore() was called.
  bool is_observed() const noexcept { return observed_; }
  // True if the value reached an awaiter.
  bool is_value_observed() const noexcept { return value_observed_; }

  bool replay(Notification& result) const noexcept override;
  std::string describe() const override;
  void mark_error_observed() noexcept override { observed_ = true; }

  // FutureError if the future is settled.
  void check_is_pending() const;
  // The same, and MisuseError on a thread other than its runtime's.
  void check_can_settle() const;
  void settle(FuturePhase phase, std::exception_ptr error, SourceLocation location) noexcept;
  void fail(std::exception_ptr error, SourceLocation location);
  // Settles with the exception being handled: cancellation or error.
  void fail_with_current_exception(SourceLocation location) noexcept;
  void break_promise() noexcept;

  // Suspends until the future is settled; throws its error.
  void join(WaitOptions options, SourceLocation location);
  [[noreturn]] void throw_error();
  void then(std::unique_ptr<Continuation> continuation) noexcept;
  // For a continuation that belongs to the caller, who must unsubscribe it before destroying it.
  void then(Continuation& continuation) noexcept;

  // MisuseError if the value was moved out.
  void check_not_moved_out() const;
  void mark_moved_out();

 protected:
  FutureCore(FuturePhase phase, SourceLocation created) noexcept;
  ~FutureCore() override;
  void dispose() noexcept override;
  void mark_value_observed() const noexcept { observed_ = value_observed_ = true; }

 private:
  std::exception_ptr error_;
  const Scheduler* scheduler_;  // only compared: the runtime may be destroyed first
  SourceLocation created_;
  SourceLocation completed_;
  FuturePhase phase_;
  mutable bool observed_ = false;
  mutable bool value_observed_ = false;
  bool moved_out_ = false;
};

// MisuseError outside a runtime.
TRUEASYNC_EXPORT void require_runtime(const char* operation);
[[noreturn]] TRUEASYNC_EXPORT void throw_empty_future(const char* operation);
// The owner of a callback if the scope of the coroutine that settled its future is closed.
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

  // Settles with what `function` returns or throws. If `function` has settled the future itself, its exception
  // propagates.
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

  // For the future itself, without the checks of complete().
  void complete_unchecked(Stored value) noexcept {
    value_.emplace(std::move(value));
    settle(FuturePhase::value, nullptr, {});
  }

  const Stored& value() const {
    if constexpr (!kIsVoid) check_not_moved_out();
    mark_value_observed();
    return *value_;
  }
  // The value without observing it; null if there is none.
  const Stored* peek() const noexcept { return value_ ? &*value_ : nullptr; }
  T copy() const {
    if constexpr (!kIsVoid) {
      static_assert(std::copy_constructible<T>, "the result is move-only: pass the future by std::move");
      return value();
    }
  }
  // Moves the value out, unless there are more than `owners` references and the value can be copied.
  T take(std::uint32_t owners) {
    if constexpr (!kIsVoid) {
      if constexpr (std::copy_constructible<T>) {
        if (references() > owners) return copy();
      }
      mark_moved_out();
      mark_value_observed();
      return std::move(*value_);
    }
  }

 protected:
  // The value of a future that no awaiter has observed.
  Stored& unobserved_value() noexcept { return *value_; }

 private:
  std::optional<Stored> value_;
};

}  // namespace trueasync::detail
