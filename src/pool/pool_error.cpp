#include "trueasync/pool_error.hpp"

#include <utility>

namespace trueasync {

PoolError::~PoolError() = default;
PoolClosed::~PoolClosed() = default;
PoolOverloaded::~PoolOverloaded() = default;

PoolTimeout::PoolTimeout(PoolDiagnosis diagnosis) : TimeoutError(diagnosis.text), diagnosis_(std::move(diagnosis)) {}
PoolTimeout::~PoolTimeout() = default;

const char* to_string(PoolTrouble trouble) noexcept {
  switch (trouble) {
    case PoolTrouble::exhausted:
      return "exhausted";
    case PoolTrouble::service_down:
      return "the service is down";
    case PoolTrouble::slow_holders:
      return "slow holders";
    case PoolTrouble::leaked:
      return "leaked";
    case PoolTrouble::paused:
      return "paused";
  }
  return "";
}

}  // namespace trueasync
