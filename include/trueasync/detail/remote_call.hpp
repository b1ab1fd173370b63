// RemoteCall: a function that another thread calls once, and its result. Shared by both threads; the runtime's thread
// reads the result only after the other thread has published it.
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>
#include <variant>

#include "trueasync/error.hpp"
#include "trueasync/event.hpp"
#include "trueasync/export.hpp"
#include "trueasync/source_location.hpp"
#include "trueasync/wait_options.hpp"

namespace trueasync::detail {

class TRUEASYNC_EXPORT RemoteCall {
 public:
  RemoteCall() = default;
  RemoteCall(const RemoteCall&) = delete;
  RemoteCall& operator=(const RemoteCall&) = delete;
  virtual ~RemoteCall();

  // Runs on the other thread. The function and its captures are destroyed right after the call.
  void run() noexcept;
  virtual void request_stop() noexcept {}
  virtual void drop_function() noexcept = 0;
  const std::exception_ptr& error() const noexcept { return error_; }

 protected:
  virtual void invoke() = 0;

 private:
  std::exception_ptr error_;
};

template <class T>
class RemoteResult : public RemoteCall {
 public:
  using Stored = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

  T copy() const {
    if constexpr (!std::is_void_v<T>) return value();
  }
  T take() {
    if constexpr (!std::is_void_v<T>) {
      Stored result = std::move(const_cast<Stored&>(value()));
      value_.reset();
      return result;
    }
  }

 protected:
  std::optional<Stored> value_;

 private:
  const Stored& value() const {
    if (!value_) throw MisuseError("await: the result has already been moved out");
    return *value_;
  }
};

template <class F>
inline constexpr bool kTakesStopToken = std::is_invocable_v<F&, std::stop_token>;

template <class F>
struct RemoteReturn {
  using Type = std::invoke_result_t<F&>;
};
template <class F>
requires kTakesStopToken<F>
struct RemoteReturn<F> {
  using Type = std::invoke_result_t<F&, std::stop_token>;
};
// RemoteReturnOf: the result type of a function called without arguments or with a std::stop_token.
template <class F>
using RemoteReturnOf = typename RemoteReturn<std::decay_t<F>>::Type;

struct NoStopSource {};

template <class F>
class RemoteFunction final : public RemoteResult<RemoteReturnOf<F>> {
 public:
  explicit RemoteFunction(F function) : function_(std::move(function)) {}
  void drop_function() noexcept override { function_.reset(); }
  void request_stop() noexcept override {
    if constexpr (kTakesStopToken<F>) stop_.request_stop();
  }

 private:
  decltype(auto) call() {
    if constexpr (kTakesStopToken<F>) {
      return (*function_)(stop_.get_token());
    } else {
      return (*function_)();
    }
  }
  void invoke() override {
    if constexpr (std::is_void_v<RemoteReturnOf<F>>) {
      call();
      this->value_.emplace();
    } else {
      this->value_.emplace(call());
    }
  }

  std::optional<F> function_;
  std::conditional_t<kTakesStopToken<F>, std::stop_source, NoStopSource> stop_;
};

template <class F>
auto make_remote(F&& function) {
  using Function = std::decay_t<F>;
  return std::make_shared<RemoteFunction<Function>>(Function(std::forward<F>(function)));
}

// Waits until the call has finished; throws its error, Cancelled if it was cancelled, TimeoutError if the
// time of `options` expires, OperationCancelled if its token fires.
TRUEASYNC_EXPORT void join_remote(Event& remote, WaitOptions options, SourceLocation location);
TRUEASYNC_EXPORT bool is_remote_done(const Event& remote) noexcept;
TRUEASYNC_EXPORT bool is_remote_cancelled(const Event& remote) noexcept;

}  // namespace trueasync::detail
