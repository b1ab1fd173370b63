// error.hpp: the errors thrown by the library, one type per cause. Cancellation is not an error, see cancel.hpp.
//
// Thread safety: plain values.
#pragma once

#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "trueasync/export.hpp"

namespace trueasync {

// Error: the base class of all errors of the library.
class TRUEASYNC_EXPORT Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  ~Error() override;
};

// MisuseError: invalid use of the library: suspending outside a coroutine, using a runtime from another thread, an
// option out of range. The message says what to do.
class TRUEASYNC_EXPORT MisuseError : public Error {
 public:
  using Error::Error;
  ~MisuseError() override;
};

// TimeoutError: a timeout expired.
class TRUEASYNC_EXPORT TimeoutError : public Error {
 public:
  using Error::Error;
  ~TimeoutError() override;
};

// StackError: no stack could be allocated for a coroutine. limit() names the exhausted limit: "vm.max_map_count",
// "max_stacks" or "address space". Existing coroutines are not affected.
class TRUEASYNC_EXPORT StackError : public Error {
 public:
  StackError(std::string message, std::string limit) : Error(std::move(message)), limit_(std::move(limit)) {}
  ~StackError() override;
  const std::string& limit() const noexcept { return limit_; }

 private:
  std::string limit_;
};

// DeadlockError: every coroutine is suspended and no event can wake any of them. what() contains the whole report.
class TRUEASYNC_EXPORT DeadlockError : public Error {
 public:
  using Error::Error;
  ~DeadlockError() override;
};

// CompositeError: several errors thrown as one.
class TRUEASYNC_EXPORT CompositeError : public Error {
 public:
  CompositeError() : CompositeError(std::vector<std::exception_ptr>{}) {}
  explicit CompositeError(std::vector<std::exception_ptr> errors);
  ~CompositeError() override;
  void add(std::exception_ptr error) { errors_.push_back(std::move(error)); }
  // In the order in which they happened; may be empty.
  const std::vector<std::exception_ptr>& errors() const noexcept { return errors_; }

 private:
  std::vector<std::exception_ptr> errors_;
};

// Null for no error, the error itself for one, a CompositeError for several.
TRUEASYNC_EXPORT std::exception_ptr combine_errors(std::vector<std::exception_ptr> errors);

}  // namespace trueasync
