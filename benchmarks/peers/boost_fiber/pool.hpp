// The pool workloads. Boost.Fiber has no pool: resources in a vector, with a mutex and a condition variable.
#pragma once

#include <cstdint>

void pool_alone(std::uint64_t unused);
void pool_shared(std::uint64_t users);
void pool_waiters(std::uint64_t unused);
