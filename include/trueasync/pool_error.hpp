// What goes wrong with a pool. A PoolError means that the pool itself can't serve; that nothing came free in time is a
// PoolTimeout, which is a TimeoutError and says why (POOL-10). What the factory throws goes to the caller as it is.
//
// Threads: plain values.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "trueasync/error.hpp"
#include "trueasync/export.hpp"
#include "trueasync/place.hpp"

namespace trueasync {

class TRUEASYNC_EXPORT PoolError : public Error {
 public:
  using Error::Error;
  ~PoolError() override;
};

class TRUEASYNC_EXPORT PoolClosed : public PoolError {
 public:
  using PoolError::PoolError;
  ~PoolClosed() override;
};

// As many wait already as PoolOptions::max_waiting allows.
class TRUEASYNC_EXPORT PoolOverloaded : public PoolError {
 public:
  using PoolError::PoolError;
  ~PoolOverloaded() override;
};

// Who has a resource, and since when.
struct PoolHolder {
  std::uint64_t coroutine = 0;  // its number; 0: it was taken outside a coroutine
  std::string name;
  bool has_ended = false;  // the coroutine that took it: either it gave the lease to another, or it is lost
  Place place;             // of the acquire
  std::chrono::nanoseconds held{};
};

// Why nothing came free in time.
enum class PoolTrouble : std::uint8_t {
  exhausted,     // everything is in use and comes back, but too slowly for so many
  service_down,  // there is room, but resources can't be made
  slow_holders,  // those who have them had them all the time
  leaked,        // some are held by coroutines that have ended, or for longer than PoolOptions::leak_after
  paused,
};

TRUEASYNC_EXPORT const char* to_string(PoolTrouble trouble) noexcept;

struct PoolDiagnosis {
  PoolTrouble trouble = PoolTrouble::exhausted;
  std::vector<PoolHolder> holders;  // the longest first, not more than a few
  std::string last_failure;         // of the factory, while it fails
  bool waits_for_itself = false;    // the caller has resources of this pool itself, and nobody else has any
  std::string text;                 // all of it for a person
};

class TRUEASYNC_EXPORT PoolTimeout : public TimeoutError {
 public:
  explicit PoolTimeout(PoolDiagnosis diagnosis);
  ~PoolTimeout() override;
  const PoolDiagnosis& diagnosis() const noexcept { return diagnosis_; }

 private:
  PoolDiagnosis diagnosis_;
};

}  // namespace trueasync
