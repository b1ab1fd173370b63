// Cancellation. Cancelled is not an error: it does not derive from std::exception, so code that catches ordinary errors
// lets it pass (CXL-02). Catch it by name only to clean up, and let it go on.
//
// A request is sticky: whoever catches Cancelled and goes on gets it again at the next suspension. While a Cancelled is
// alive – during unwinding and inside the catch block – cleanup may suspend freely. protect() defers it.
#pragma once

#include <exception>
#include <string>
#include <type_traits>
#include <utility>

#include "trueasync/detail/coroutine_entry.hpp"
#include "trueasync/export.hpp"
#include "trueasync/source_location.hpp"

namespace trueasync {

class TRUEASYNC_EXPORT Cancelled {
 public:
  // For `owner`, the coroutine that is being cancelled; null when it only tells of another's cancellation.
  Cancelled(std::string message, detail::ControlBlock* owner) noexcept;
  Cancelled(const Cancelled& other) noexcept;
  Cancelled& operator=(const Cancelled&) = delete;
  virtual ~Cancelled();

  const char* what() const noexcept { return message_.c_str(); }
  // Whether the coroutine that threw it was cancelled itself; otherwise it tells of another's cancellation or of a token.
  bool is_own() const noexcept { return owner_ != nullptr; }

 private:
  std::string message_;
  detail::ControlBlock* owner_;  // counted: while a Cancelled lives its coroutine is cleaning up
};

// A wait was ended by its token (CXL-04), not by a failure of what was awaited. `cause()` is the token's own error. If it
// escapes from a coroutine, the coroutine has failed; any other Cancelled that escapes means that it was cancelled.
class TRUEASYNC_EXPORT OperationCancelled : public Cancelled {
 public:
  OperationCancelled(std::string message, std::exception_ptr cause) noexcept;
  ~OperationCancelled() override;
  const std::exception_ptr& cause() const noexcept { return cause_; }

 private:
  std::exception_ptr cause_;
};

namespace detail {

class TRUEASYNC_EXPORT CancellationShield {
 public:
  CancellationShield();
  CancellationShield(const CancellationShield&) = delete;
  CancellationShield& operator=(const CancellationShield&) = delete;
  ~CancellationShield();
  // The protected block is over: delivers what was deferred.
  void deliver_deferred();

 private:
  ControlBlock* block_;
};

}  // namespace detail

// Runs `function`; a cancellation that arrives meanwhile is delivered right after it (CXL-03, CA-06). If `function`
// throws, its exception goes out and the cancellation comes at the next suspension.
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
