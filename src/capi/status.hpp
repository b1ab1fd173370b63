// Failures on their way across the border: exceptions become statuses, statuses of C functions become exceptions.
//
// Nothing is thrown into C: every function of the tables does its work inside guarded().
#pragma once

#include <exception>
#include <type_traits>
#include <utility>

#include "trueasync.h"
#include "trueasync/error.hpp"

namespace trueasync::detail {

// A failure of a C function that no other type stands for; what it was comes back unchanged on the other side.
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

// What a C function that returned `status` has failed with. A coroutine that says so after it was asked to end is
// cancelled; the word of any other is no cancellation.
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

// Runs the body of a function of the tables. It returns a status, or nothing for TA_OK.
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

// A C function with its argument: owned, disposed of once whatever happens.
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
