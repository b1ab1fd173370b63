// The circuit breaker of a pool, as a C program asks for it.
#pragma once

#include "trueasync.h"
#include "trueasync/circuit_breaker.hpp"

namespace trueasync::detail {

// Throws MisuseError for bad values.
BreakerOptions breaker_options(const ta_pool_options& pool);

}  // namespace trueasync::detail
