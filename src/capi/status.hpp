// Conversion between exceptions and statuses. No exception leaves a function of the tables: each runs its body inside
// catch_to_status().
#pragma once

#include <exception>
#include <type_traits>
#include <utility>

#include "trueasync.h"
#include "trueasync/error.hpp"

namespace trueasync::detail {

// StatusError: the failure of a C function without a C++ error type. Converted back, it gives the same ta_error.
class StatusError final : public Error {
 public:
  StatusError(ta_status status, int system_error, const std::string& message)
      : Error(message), status_(status), system_error_(system_error) {}
  ~StatusError() override;
  ta_status status() const noexcept { return status_; }
  int system_error() const noexcept { return system_error_; }

 private:
  ta_status status_;
  int system_error_;
};

// Fills `error`, which may be null, and returns the status.
ta_status set_error_from_current_exception(ta_error* error) noexcept;  // the exception being handled
ta_status set_error_from(ta_error* error, const std::exception_ptr& failure) noexcept;

// Throws the error of a C function that returned `status`. TA_CANCELLED becomes Cancelled only if cancellation of the
// current coroutine was requested.
[[noreturn]] void throw_status(ta_status status, const ta_error& error);
std::exception_ptr to_exception(ta_status status, const ta_error& error) noexcept;

inline ta_error empty_error() noexcept {
  ta_error error;
  error.size = sizeof error;
  error.status = TA_OK;
  error.system = 0;
  error.message[0] = 0;
  return error;
}

// Runs `body`, which returns a status, or void for TA_OK. Exceptions become the status and fill `error`.
template <class F>
ta_status catch_to_status(ta_error* error, F&& body) noexcept {
  try {
    if constexpr (std::is_void_v<std::invoke_result_t<F>>) {
      std::forward<F>(body)();
      return TA_OK;
    } else {
      return std::forward<F>(body)();
    }
  } catch (...) {
    return set_error_from_current_exception(error);
  }
}

// CFunction: a C function with its argument. Disposes of the argument exactly once.
class CFunction {
 public:
  CFunction(ta_function call, void* argument, ta_dispose dispose) noexcept
      : call_(call), argument_(argument), dispose_(dispose) {}
  CFunction(CFunction&& other) noexcept
      : call_(other.call_), argument_(other.argument_), dispose_(std::exchange(other.dispose_, nullptr)) {}
  CFunction& operator=(CFunction&&) = delete;
  ~CFunction() {
    if (dispose_) dispose_(argument_);
  }
  void operator()() {
    ta_error error = empty_error();
    if (const ta_status status = call_(argument_, &error); status != TA_OK) throw_status(status, error);
  }

 private:
  ta_function call_;
  void* argument_;
  ta_dispose dispose_;
};

}  // namespace trueasync::detail
