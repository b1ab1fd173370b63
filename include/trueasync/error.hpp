// The errors this library throws. Purpose: one type per cause, so that a program can act on it.
// Threads: plain values. Cancellation is not here: it is no error (see cancel.hpp).
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

#include "trueasync/export.hpp"

namespace trueasync {

// Root of everything the library reports as an error.
class TRUEASYNC_EXPORT Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  ~Error() override;
};

// The library was used in a way that can't work: suspending outside a coroutine, a runtime used from a foreign
// thread, an option out of range. The text says what to do instead.
class TRUEASYNC_EXPORT MisuseError : public Error {
 public:
  using Error::Error;
  ~MisuseError() override;
};

// A time limit passed.
class TRUEASYNC_EXPORT TimeoutError : public Error {
 public:
  using Error::Error;
  ~TimeoutError() override;
};

// No stack could be had for a coroutine (CTX-04). `limit()` names what ran out: "vm.max_map_count",
// "max_stacks", "address space". Nothing that existed before the call is lost.
class TRUEASYNC_EXPORT StackError : public Error {
 public:
  StackError(std::string message, std::string limit) : Error(std::move(message)), limit_(std::move(limit)) {}
  ~StackError() override;
  const std::string& limit() const noexcept { return limit_; }

 private:
  std::string limit_;
};

// Everything is suspended and nothing can wake anything. `what()` holds the whole report (DLK-01).
class TRUEASYNC_EXPORT DeadlockError : public Error {
 public:
  using Error::Error;
  ~DeadlockError() override;
};

}  // namespace trueasync
