// The works of a pool: the same code measures us and the C++ peers.
//
// `Runtime` has: Handle, spawn(function) -> Handle, join(Handle&), yield(). `Pool` is made with the number of its
// resources; acquire() waits for one and gives a lease: *lease is its std::uint64_t, and it goes back with the lease.
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

// Taken and given back while nobody else wants one; per pair.
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

// `users` coroutines, each with a turn of the others between taking and giving back.
template <class Runtime, class F>
void pool_users(Runtime& runtime, std::uint64_t users, const F& use) {
  std::vector<typename Runtime::Handle> handles;
  handles.reserve(users);
  for (std::uint64_t i = 0; i < users; ++i) handles.push_back(runtime.spawn(use));
  for (auto& handle : handles) runtime.join(handle);
}

// How fair it is, apart from the figure since looking at the clock would be part of that: each one's wait in time and
// in how many others were served meanwhile.
template <class Runtime, class Pool>
void note_pool_fairness(Runtime& runtime, std::uint64_t users) {
  constexpr std::uint64_t kRounds = 2'000;
  struct {
    std::uint64_t served = 0, turns = 0, worst_turns = 0;
    double ns = 0, worst_ns = 0;
  } seen;
  Pool pool(kPoolResources);
  pool_users(runtime, users, [&] {
    for (std::uint64_t round = 0; round < kRounds; ++round) {
      const std::uint64_t before = seen.served;
      const Stopwatch watch;
      auto lease = pool.acquire();
      const double ns = watch.elapsed_ns();
      const std::uint64_t turns = seen.served++ - before;
      seen.turns += turns;
      seen.worst_turns = std::max(seen.worst_turns, turns);
      seen.ns += ns;
      seen.worst_ns = std::max(seen.worst_ns, ns);
      runtime.yield();
    }
  });
  const double mean_ns = seen.ns / static_cast<double>(seen.served);
  const double mean_turns = static_cast<double>(seen.turns) / static_cast<double>(seen.served);
  note("a wait: %.0f ns in the mean, %.1f times that at worst; %.1f others served meanwhile, %llu at worst", mean_ns,
       seen.worst_ns / mean_ns, mean_turns, static_cast<unsigned long long>(seen.worst_turns));
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
  if (sum != each * users) std::exit(1);  // two had the same one at once
  note_pool_fairness<Runtime, Pool>(runtime, users);
  report(elapsed / static_cast<double>(each * users));
}

// `waiters` coroutines wait for the only resource, then it comes free; all of it, per waiter.
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
  pool_wait_cost_ns<Runtime, Pool>(runtime, many);  // the stacks are there before the clock starts
  const double few_ns = pool_wait_cost_ns<Runtime, Pool>(runtime, kSmallWaiterCount);
  const double many_ns = pool_wait_cost_ns<Runtime, Pool>(runtime, many);
  note("%.0f ns per waiter among %llu, %.0f ns among %llu", few_ns, static_cast<unsigned long long>(kSmallWaiterCount),
       many_ns, static_cast<unsigned long long>(many));
  report(many_ns / few_ns);
}

}  // namespace bench
