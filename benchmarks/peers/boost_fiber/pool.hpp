// The works of a pool. Boost.Fiber has none: resources in a vector, with a mutex and a condition variable, as one
// builds it.
#pragma once

#include <cstdint>

void pool_alone(std::uint64_t unused);
void pool_shared(std::uint64_t users);
void pool_waiters(std::uint64_t unused);
