// The program that ./run starts: short sections on spawning, errors, cancellation, task groups, a database pool and
// shutdown.
//
//   ./run                                                      with SQLite
//   ./run examples/showcase.cpp postgresql://user@host/name    with a PostgreSQL server
//
// link: -lsqlite3 -lpq
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <trueasync/pool/pool.hpp>
#include <trueasync/trueasync.hpp>
#include <vector>

#include "database/postgres.hpp"
#include "database/sqlite.hpp"

namespace ta = trueasync;
using namespace std::chrono_literals;

namespace {

double elapsed_ms() {
  static const auto start = std::chrono::steady_clock::now();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

void section(const char* title) { std::printf("\n── %s\n", title); }

void log(const char* name, const char* text) { std::printf("  %6.1f ms  %-8s %s\n", elapsed_ms(), name, text); }

void concurrent_waits() {
  section("Three coroutines wait concurrently on one thread");
  std::vector<ta::Task<int>> tasks;
  for (int i : {3, 1, 2}) {
    tasks.push_back(ta::spawn([i] {
      const std::string name = "job " + std::to_string(i);
      log(name.c_str(), "starts and sleeps");
      ta::delay(i * 20ms);  // suspends this coroutine only
      log(name.c_str(), "wakes");
      return i * 10;
    }));
  }
  int sum = 0;
  for (auto& task : tasks) sum += ta::await(task);
  log("main", ("sum of the results: " + std::to_string(sum)).c_str());
}

void errors_and_timeouts() {
  section("await rethrows errors with their type; a timeout ends one wait");
  auto failing = ta::spawn([]() -> int { throw std::out_of_range("no such page"); });
  try {
    ta::await(failing);
  } catch (const std::out_of_range& error) {
    log("main", (std::string("caught: ") + error.what()).c_str());
  }
  auto slow = ta::spawn([] {
    ta::delay(40ms);
    return 7;
  });
  try {
    ta::await(slow, ta::timeout(5ms));
  } catch (const ta::OperationCancelled&) {
    log("main", "timed out after 5 ms; the task continues");
  }
  log("main", ("result of the task: " + std::to_string(ta::await(slow))).c_str());
}

void cancellation() {
  section("Cancellation: cleanup runs and may suspend");
  auto download = ta::spawn({.name = "download"}, [] {
    try {
      ta::delay(1h);
    } catch (const ta::Cancelled&) {
      log("download", "cancelled; removing the temporary file");
      ta::delay(10ms);
      log("download", "removed");
      throw;
    }
  });
  ta::delay(5ms);
  std::printf("  live coroutines:\n%s", ta::dump().c_str());
  download.cancel();
  try {
    ta::await(download);
  } catch (const ta::Cancelled&) {
  }
}

void many_coroutines() {
  section("100,000 coroutines, each with its own guarded stack");
  const auto start = std::chrono::steady_clock::now();
  int woken = 0;
  std::size_t limit = 0;
  for (int i = 0; i < 100'000;) {
    try {
      ta::spawn([&woken, i] {
        ta::delay(std::chrono::milliseconds(i % 100));
        ++woken;
      });
      ++i;
    } catch (const ta::StackError& error) {  // before Linux 6.13 a guard page takes two memory mappings
      if (ta::statistics().alive == 0) throw;
      if (limit == 0) {
        limit = ta::statistics().alive;
        std::printf("  at most %zu at a time, because of %s\n", limit, error.limit().c_str());
      }
      ta::delay(1ms);
    }
  }
  ta::delay(50ms);
  std::printf("  live after 50 ms: %zu\n", ta::statistics().alive);
  while (ta::statistics().alive != 0) ta::delay(10ms);
  const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
  std::printf("  all %d slept 0 to 99 ms and finished in %.0f ms\n", woken, elapsed.count());
}

void counters() {
  section("One context switch per yield");
  const ta::Statistics before = ta::statistics();
  auto ping = ta::spawn([] {
    for (int i = 0; i < 1000; ++i) ta::yield();
  });
  auto pong = ta::spawn([] {
    for (int i = 0; i < 1000; ++i) ta::yield();
  });
  ta::await(ping);
  ta::await(pong);
  const ta::Statistics after = ta::statistics();
  std::printf("  2000 yields, %llu switches, %llu of them through the scheduler\n",
              static_cast<unsigned long long>(after.switches - before.switches),
              static_cast<unsigned long long>(after.scheduler_switches - before.scheduler_switches));
}

void task_group() {
  section("A task group with ten tasks, three at a time; a scope that is cancelled by an error");
  int running = 0;
  int max_running = 0;
  ta::TaskGroup<int> squares({.concurrency = 3});
  for (int i = 1; i <= 10; ++i) {
    squares.spawn([&, i] {
      max_running = std::max(max_running, ++running);
      ta::delay(2ms);
      --running;
      return i * i;
    });
  }
  int sum = 0;
  for (const auto& [key, square] : ta::await(squares.all())) sum += square;
  std::printf("  sum of the squares: %d, at most %d at a time\n", sum, max_running);
  try {
    ta::TaskScope scope;
    scope.spawn([] { ta::delay(1h); });
    scope.spawn([] { throw std::runtime_error("disk full"); });
    scope.join();
  } catch (const std::exception& error) {
    std::printf("  the scope cancelled its other coroutine: %s\n", error.what());
  }
}

void pool(const std::string& postgres) {
  section("A pool: 40 coroutines share four database connections in FIFO order");
  ta::ThreadPool threads({.workers = 2});
  ta::Pool<database::Connection> connections({
      .factory = [&]() -> std::unique_ptr<database::Connection> {
        if (postgres.empty()) return std::make_unique<database::SqliteConnection>("showcase", threads);
        return std::make_unique<database::PostgresConnection>(postgres);
      },
      .before_release = [](database::Connection& connection) { return connection.is_usable(); },
      .max = 4,
      .name = postgres.empty() ? "sqlite" : "postgres",
  });
  std::vector<ta::Task<int>> queries;
  for (int i = 1; i <= 40; ++i) {
    queries.push_back(ta::spawn([&connections, i] {
      auto connection = connections.acquire(5s);  // released at the end of the scope, also on unwinding
      return std::stoi(connection->value("select 2 * " + std::to_string(i)));
    }));
  }
  int sum = 0;
  for (auto& query : queries) sum += ta::await(query);
  const ta::PoolStatistics now = connections.statistics();
  std::printf("  40 results, sum %d, %llu connections; %zu idle, %zu active\n", sum,
              static_cast<unsigned long long>(now.created), now.idle, now.active);
}

void shutdown() {
  section("Graceful shutdown: every coroutine is cancelled and runs its cleanup");
  for (const char* name : {"reader", "writer"}) {
    ta::spawn({.name = name}, [name] {
      try {
        ta::delay(1h);
      } catch (const ta::Cancelled&) {
        ta::delay(5ms);
        log(name, "flushed and closed");
        throw;
      }
    });
  }
  ta::delay(1ms);
  ta::shut_down();
}

}  // namespace

int main(int count, char** arguments) {
  const std::string postgres = count > 1 ? arguments[1] : "";
  std::puts("TrueAsync: stackful coroutines");
  const int code = ta::run([&postgres] {
    concurrent_waits();
    errors_and_timeouts();
    cancellation();
    many_coroutines();
    counters();
    task_group();
    pool(postgres);
    shutdown();
  });
  std::puts("\nMore programs: examples/*.cpp; ./run examples/hello.cpp runs one.");
  return code;
}
