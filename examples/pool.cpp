// A pool of connections: leases, checks, replacement of broken connections, and the diagnosis of a timeout.
#include <cstdio>
#include <stdexcept>
#include <trueasync/trueasync.hpp>

namespace ta = trueasync;
using namespace std::chrono_literals;

struct Connection {
  int number;
  bool is_broken = false;

  int query(int value) {
    ta::delay(1ms);
    return value * value;
  }
};

int main() {
  return ta::run([] {
    int opened = 0;
    bool is_down = false;
    ta::Pool<Connection> pool(
        {.factory =
             [&] {
               ta::delay(1ms);
               if (is_down) throw std::runtime_error("connection refused");
               return Connection{++opened};
             },
         .destructor = [](Connection& old) { std::printf("closing connection %d\n", old.number); },
         .before_release = [](Connection& back) { return !back.is_broken; },
         .min = 1,
         .max = 2,
         .backoff_initial = 1ms,
         .name = "db"});
    std::printf("open: %zu\n", pool.count());

    int sum = 0;
    std::vector<ta::Task<void>> requests;
    for (int i = 1; i <= 6; ++i) {
      requests.push_back(ta::spawn([&pool, &sum, i] {
        auto connection = pool.acquire(5s);  // suspends until a connection is free
        sum += connection->query(i);
      }));  // the lease is released here
    }
    for (auto& request : requests) ta::await(request);
    std::printf("sum %d over %d connections\n", sum, opened);

    {
      auto bad = pool.acquire();
      bad->is_broken = true;  // before_release rejects it
    }
    std::printf("idle: %zu\n", pool.idle_count());

    auto first = pool.acquire();
    auto second = pool.acquire();
    try {
      (void)pool.acquire(10ms);
    } catch (const ta::PoolTimeoutError& error) {
      std::printf("%s%s\n", to_string(error.diagnosis().cause),
                  error.diagnosis().is_self_deadlock ? ", the caller holds all of them" : "");
    }

    is_down = true;
    first.discard();
    try {
      (void)pool.acquire();
    } catch (const std::runtime_error& error) {
      std::printf("%s\n", error.what());
    }
    is_down = false;

    const ta::PoolStatistics now = pool.statistics();
    std::printf("%llu created, %llu destroyed, %zu active\n", static_cast<unsigned long long>(now.created),
                static_cast<unsigned long long>(now.destroyed), now.active);
  });
}
