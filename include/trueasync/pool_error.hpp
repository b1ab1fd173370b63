// pool_error.hpp: errors of a pool. A PoolError means that the pool cannot grant resources; PoolTimeoutError means that
// none became available in time and reports the cause. Errors of the factory reach the caller unchanged.
//
// Thread safety: plain values.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "trueasync/error.hpp"
#include "trueasync/export.hpp"
#include "trueasync/source_location.hpp"

namespace trueasync {

// PoolError: the base class of errors of the pool itself.
class TRUEASYNC_EXPORT PoolError : public Error {
 public:
  using Error::Error;
  ~PoolError() override;
};

// PoolClosedError: the pool is closed.
class TRUEASYNC_EXPORT PoolClosedError : public PoolError {
 public:
  using PoolError::PoolError;
  ~PoolClosedError() override;
};

// PoolOverloadedError: PoolOptions::max_waiting coroutines already wait.
class TRUEASYNC_EXPORT PoolOverloadedError : public PoolError {
 public:
  using PoolError::PoolError;
  ~PoolOverloadedError() override;
};

// LeaseHolder: a coroutine that holds a lease, and for how long.
struct LeaseHolder {
  std::uint64_t coroutine = 0;  // id; 0: acquired outside a coroutine
  std::string name;
  // The acquiring coroutine has finished: it passed the lease to another coroutine, or the lease is leaked.
  bool has_ended = false;
  SourceLocation acquire_location;  // of the acquire() call
  std::chrono::nanoseconds held{};
};

// PoolTimeoutCause: why no resource became available in time.
enum class PoolTimeoutCause : std::uint8_t {
  exhausted,     // all resources are leased; leases are released, but too slowly
  service_down,  // below `max`, but creation fails
  slow_holders,  // no lease was released during the wait
  leaked,        // leases are held by finished coroutines or longer than PoolOptions::leak_threshold
  paused,
};

TRUEASYNC_EXPORT const char* to_string(PoolTimeoutCause cause) noexcept;

// PoolDiagnosis: the state of the pool when an acquire() timed out.
struct PoolDiagnosis {
  PoolTimeoutCause cause = PoolTimeoutCause::exhausted;
  std::vector<LeaseHolder> holders;  // the longest first, at most a few
  std::string last_failure;          // of the factory, while it fails
  bool is_self_deadlock = false;     // the caller holds every lease itself
  std::string text;                  // the diagnosis as text
};

// PoolTimeoutError: no resource became available in time; diagnosis() reports the cause.
class TRUEASYNC_EXPORT PoolTimeoutError : public TimeoutError {
 public:
  explicit PoolTimeoutError(PoolDiagnosis diagnosis);
  ~PoolTimeoutError() override;
  const PoolDiagnosis& diagnosis() const noexcept { return diagnosis_; }

 private:
  PoolDiagnosis diagnosis_;
};

}  // namespace trueasync
