// A pool of connections: lent and returned by leases, checked, replaced, and what a timeout has to say.
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
    ta::Pool<Connection> pool({.factory =
                                   [&] {
                                     ta::delay(1ms);
                                     if (is_down) throw std::runtime_error("connection refused");
                                     return Connection{++opened};
                                   },
                               .destructor = [](Connection& old) { std::printf("closes %d\n", old.number); },
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
        auto connection = pool.acquire(5s);  // waits its turn
        sum += connection->query(i);
      }));  // and back it goes
    }
    for (auto& request : requests) ta::await(request);
    std::printf("sum %d over %d connections\n", sum, opened);

    {
      auto bad = pool.acquire();
      bad->is_broken = true;  // before_release refuses it
    }
    std::printf("idle: %zu\n", pool.idle_count());

    auto first = pool.acquire();
    auto second = pool.acquire();
    try {
      (void)pool.acquire(10ms);
    } catch (const ta::PoolTimeoutError& error) {
      std::printf("%s%s\n", to_string(error.diagnosis().cause),
                  error.diagnosis().is_self_deadlock ? ", it waits for itself" : "");
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
    std::printf("%llu made, %llu gone, %zu active\n", static_cast<unsigned long long>(now.created),
                static_cast<unsigned long long>(now.destroyed), now.active);
  });
}
