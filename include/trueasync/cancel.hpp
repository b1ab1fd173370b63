// Cancelled: thrown at a suspension point of a coroutine whose cancellation was requested.
//
// It does not derive from std::exception, so handlers for ordinary errors do not catch it. Catch it only to clean up,
// then rethrow it. Cancellation is sticky: a coroutine that catches Cancelled and continues gets it again at the next
// suspension point. While a Cancelled exists, during unwinding and inside the catch block, cleanup code may suspend.
// protect() defers delivery.
//
// Thread safety: one runtime.
#pragma once

#include <exception>
#include <string>
#include <type_traits>
#include <utility>

#include "trueasync/detail/access.hpp"
#include "trueasync/detail/coroutine_entry.hpp"
#include "trueasync/export.hpp"
#include "trueasync/source_location.hpp"

namespace trueasync {

class TRUEASYNC_EXPORT Cancelled {
 public:
  // Reports the cancellation of an awaited object: is_own() is false.
  explicit Cancelled(std::string message) noexcept;
  Cancelled(const Cancelled& other) noexcept;
  Cancelled& operator=(const Cancelled&) = delete;
  virtual ~Cancelled();

  const char* what() const noexcept { return message_.c_str(); }
  // True if the throwing coroutine itself was cancelled; false if the exception reports the cancellation of an awaited
  // object or a token.
  bool is_own() const noexcept { return owner_ != nullptr; }

 private:
  friend struct detail::Access;
  Cancelled(std::string message, detail::ControlBlock* owner) noexcept;

  std::string message_;
  detail::ControlBlock* owner_;  // counted: while a Cancelled exists its coroutine is cleaning up
};

// OperationCancelled: a token ended the wait. cause() is the token's own error. A coroutine that this exception leaves
// has failed; a coroutine that any other Cancelled leaves was cancelled.
class TRUEASYNC_EXPORT OperationCancelled : public Cancelled {
 public:
  OperationCancelled(std::string message, std::exception_ptr cause) noexcept;
  ~OperationCancelled() override;
  const std::exception_ptr& cause() const noexcept { return cause_; }

 private:
  std::exception_ptr cause_;
};

namespace detail {

// CancellationShield: defers the delivery of cancellation while it exists.
class TRUEASYNC_EXPORT CancellationShield {
 public:
  CancellationShield();
  CancellationShield(const CancellationShield&) = delete;
  CancellationShield& operator=(const CancellationShield&) = delete;
  ~CancellationShield();
  // Ends the protected block and delivers a deferred cancellation.
  void deliver_deferred();

 private:
  ControlBlock* block_;
};

}  // namespace detail

// Runs `function` with cancellation deferred: a request that arrives in between is delivered when `function` returns.
// If `function` throws, its exception propagates and the cancellation is delivered at the next suspension point.
template <class F>
auto protect(F&& function) -> std::invoke_result_t<F> {
  detail::CancellationShield guard;
  using Result = std::invoke_result_t<F>;
  if constexpr (std::is_void_v<Result>) {
    std::forward<F>(function)();
    guard.deliver_deferred();
  } else if constexpr (std::is_reference_v<Result>) {
    Result result = std::forward<F>(function)();
    guard.deliver_deferred();
    return static_cast<Result>(result);
  } else {
    Result result = std::forward<F>(function)();
    guard.deliver_deferred();
    return result;
  }
}

}  // namespace trueasync
