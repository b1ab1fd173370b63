// What goes wrong with a pool. A PoolError means that the pool itself can't serve; that nothing came free in time is a
// PoolTimeoutError, which is a TimeoutError and says why (POOL-10). What the factory throws goes to the caller as it is.
//
// Threads: plain values.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "trueasync/error.hpp"
#include "trueasync/export.hpp"
#include "trueasync/source_location.hpp"

namespace trueasync {

class TRUEASYNC_EXPORT PoolError : public Error {
 public:
  using Error::Error;
  ~PoolError() override;
};

class TRUEASYNC_EXPORT PoolClosedError : public PoolError {
 public:
  using PoolError::PoolError;
  ~PoolClosedError() override;
};

// As many wait already as PoolOptions::max_waiting allows.
class TRUEASYNC_EXPORT PoolOverloadedError : public PoolError {
 public:
  using PoolError::PoolError;
  ~PoolOverloadedError() override;
};

// Who has a resource, and since when.
struct LeaseHolder {
  std::uint64_t coroutine = 0;  // its number; 0: it was taken outside a coroutine
  std::string name;
  bool has_ended = false;           // the coroutine that took it: either it gave the lease to another, or it is lost
  SourceLocation acquire_location;  // of the acquire
  std::chrono::nanoseconds held{};
};

// Why nothing came free in time.
enum class PoolTimeoutCause : std::uint8_t {
  exhausted,     // everything is in use and comes back, but too slowly for so many
  service_down,  // there is room, but resources can't be made
  slow_holders,  // those who have them had them all the time
  leaked,        // some are held by coroutines that have ended, or for longer than PoolOptions::leak_after
  paused,
};

TRUEASYNC_EXPORT const char* to_string(PoolTimeoutCause trouble) noexcept;

struct PoolDiagnosis {
  PoolTimeoutCause cause = PoolTimeoutCause::exhausted;
  std::vector<LeaseHolder> holders;  // the longest first, not more than a few
  std::string last_failure;          // of the factory, while it fails
  bool is_self_deadlock = false;     // the caller has resources of this pool itself, and nobody else has any
  std::string text;                  // all of it for a person
};

class TRUEASYNC_EXPORT PoolTimeoutError : public TimeoutError {
 public:
  explicit PoolTimeoutError(PoolDiagnosis diagnosis);
  ~PoolTimeoutError() override;
  const PoolDiagnosis& diagnosis() const noexcept { return diagnosis_; }

 private:
  PoolDiagnosis diagnosis_;
};

}  // namespace trueasync
