#include "trueasync/pool/options.hpp"

#include <utility>

namespace trueasync {

PoolError::~PoolError() = default;
PoolClosedError::~PoolClosedError() = default;
PoolOverloadedError::~PoolOverloadedError() = default;

PoolTimeoutError::PoolTimeoutError(PoolDiagnosis diagnosis)
    : TimeoutError(diagnosis.text), diagnosis_(std::move(diagnosis)) {}
PoolTimeoutError::~PoolTimeoutError() = default;

const char* to_string(PoolTimeoutCause cause) noexcept {
  switch (cause) {
    case PoolTimeoutCause::exhausted:
      return "exhausted";
    case PoolTimeoutCause::service_down:
      return "service down";
    case PoolTimeoutCause::slow_holders:
      return "slow holders";
    case PoolTimeoutCause::leaked:
      return "leaked";
    case PoolTimeoutCause::paused:
      return "paused";
  }
  return "";
}

}  // namespace trueasync
