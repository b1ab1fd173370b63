// The pool workloads, shared by TrueAsync and the C++ peers.
//
// `Runtime` has: Handle, spawn(function) -> Handle, join(Handle&), yield(). `Pool` is constructed with the number of
// resources. acquire() waits for a resource and returns a lease; *lease is a std::uint64_t&. The lease's destructor
// releases the resource.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "support/harness.hpp"

namespace bench {

inline constexpr std::uint64_t kPoolResources = 8;
inline constexpr std::uint64_t kSmallWaiterCount = 10'000;

// Acquire and release by one coroutine without contention; time per pair.
template <class Runtime, class Pool>
void pool_alone(Runtime& runtime) {
  const std::uint64_t count = operations_or(10'000'000);
  Pool pool(kPoolResources);
  auto user = runtime.spawn([&pool, count] {
    for (std::uint64_t i = 0; i < count; ++i) ++*pool.acquire();
  });
  const Stopwatch watch;
  runtime.join(user);
  report(watch.elapsed_ns() / static_cast<double>(count));
}

// Runs `use` in `users` coroutines.
template <class Runtime, class F>
void pool_users(Runtime& runtime, std::uint64_t users, const F& use) {
  std::vector<typename Runtime::Handle> handles;
  handles.reserve(users);
  for (std::uint64_t i = 0; i < users; ++i) handles.push_back(runtime.spawn(use));
  for (auto& handle : handles) runtime.join(handle);
}

// Fairness: the duration of each wait, and the number of grants to other coroutines during it. Measured apart from the
// result, which would otherwise include the clock reads.
template <class Runtime, class Pool>
void note_pool_fairness(Runtime& runtime, std::uint64_t users) {
  constexpr std::uint64_t kRounds = 2'000;
  struct {
    std::uint64_t grants = 0, other_grants = 0, max_other_grants = 0;
    double ns = 0, max_ns = 0;
  } seen;
  Pool pool(kPoolResources);
  pool_users(runtime, users, [&] {
    for (std::uint64_t round = 0; round < kRounds; ++round) {
      const std::uint64_t before = seen.grants;
      const Stopwatch watch;
      auto lease = pool.acquire();
      const double ns = watch.elapsed_ns();
      const std::uint64_t other_grants = seen.grants++ - before;
      seen.other_grants += other_grants;
      seen.max_other_grants = std::max(seen.max_other_grants, other_grants);
      seen.ns += ns;
      seen.max_ns = std::max(seen.max_ns, ns);
      runtime.yield();
    }
  });
  const double mean_ns = seen.ns / static_cast<double>(seen.grants);
  const double mean_other_grants = static_cast<double>(seen.other_grants) / static_cast<double>(seen.grants);
  note(
      "wait time: mean %.0f ns, maximum %.1f times the mean; %.1f grants to others during a wait on average, %llu at "
      "most",
      mean_ns, seen.max_ns / mean_ns, mean_other_grants, static_cast<unsigned long long>(seen.max_other_grants));
}

template <class Runtime, class Pool>
void pool_shared(Runtime& runtime, std::uint64_t users) {
  const std::uint64_t each = operations_or(2'000'000) / users;
  std::uint64_t sum = 0;
  double elapsed = 0;
  {
    Pool pool(kPoolResources);
    const Stopwatch watch;
    pool_users(runtime, users, [&] {
      for (std::uint64_t i = 0; i < each; ++i) {
        auto lease = pool.acquire();
        ++*lease;
        runtime.yield();
      }
    });
    elapsed = watch.elapsed_ns();
    std::vector<decltype(pool.acquire())> all;
    for (std::uint64_t i = 0; i < kPoolResources; ++i) {
      all.push_back(pool.acquire());
      sum += *all.back();
    }
  }
  if (sum != each * users) std::exit(1);  // two coroutines held the same resource concurrently
  note_pool_fairness<Runtime, Pool>(runtime, users);
  report(elapsed / static_cast<double>(each * users));
}

// `waiters` coroutines wait for the only resource, which is then released. Total time per waiter.
template <class Runtime, class Pool>
double pool_wait_cost_ns(Runtime& runtime, std::uint64_t waiters) {
  Pool pool(1);
  std::uint64_t waiting = 0;
  std::vector<typename Runtime::Handle> handles;
  handles.reserve(waiters);
  const Stopwatch watch;
  {
    auto held = pool.acquire();
    for (std::uint64_t i = 0; i < waiters; ++i) {
      handles.push_back(runtime.spawn([&] {
        ++waiting;
        ++*pool.acquire();
      }));
    }
    while (waiting < waiters) runtime.yield();
  }
  for (auto& handle : handles) runtime.join(handle);
  return watch.elapsed_ns() / static_cast<double>(waiters);
}

template <class Runtime, class Pool>
void pool_waiters(Runtime& runtime) {
  const std::uint64_t many = operations_or(100'000);
  pool_wait_cost_ns<Runtime, Pool>(runtime, many);  // makes the stacks resident before the measurement
  const double few_ns = pool_wait_cost_ns<Runtime, Pool>(runtime, kSmallWaiterCount);
  const double many_ns = pool_wait_cost_ns<Runtime, Pool>(runtime, many);
  note("%.0f ns per waiter among %llu, %.0f ns among %llu", few_ns, static_cast<unsigned long long>(kSmallWaiterCount),
       many_ns, static_cast<unsigned long long>(many));
  report(many_ns / few_ns);
}

}  // namespace bench
