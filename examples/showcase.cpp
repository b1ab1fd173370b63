// What a newcomer sees after ./run: coroutines that spawn, suspend, wake, fail, are cancelled and shut down – written
// as plain blocking-style code. Each section is a few lines; read along.
//
//   ./run                                                      with SQLite
//   ./run examples/showcase.cpp postgresql://user@host/name    with a PostgreSQL server of yours
//
// link: -lsqlite3 -lpq
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <trueasync/pool.hpp>
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

void say(const char* who, const char* what) { std::printf("  %6.1f ms  %-8s %s\n", elapsed_ms(), who, what); }

void at_the_same_time() {
  section("Three coroutines wait at the same time, on one thread");
  std::vector<ta::Task<int>> tasks;
  for (int i : {3, 1, 2}) {
    tasks.push_back(ta::spawn([i] {
      const std::string me = "job " + std::to_string(i);
      say(me.c_str(), "starts, sleeps");
      ta::delay(i * 20ms);  // suspends this coroutine only
      say(me.c_str(), "wakes");
      return i * 10;
    }));
  }
  int sum = 0;
  for (auto& task : tasks) sum += ta::await(task);
  say("main", ("sum of the results: " + std::to_string(sum)).c_str());
}

void errors_and_timeouts() {
  section("Errors come out of await with their type; a timeout ends one wait");
  auto failing = ta::spawn([]() -> int { throw std::out_of_range("no such page"); });
  try {
    ta::await(failing);
  } catch (const std::out_of_range& error) {
    say("main", (std::string("caught: ") + error.what()).c_str());
  }
  auto slow = ta::spawn([] {
    ta::delay(40ms);
    return 7;
  });
  try {
    ta::await(slow, ta::timeout(5ms));
  } catch (const ta::OperationCancelled&) {
    say("main", "5 ms are over; the slow one goes on");
  }
  say("main", ("its result, later: " + std::to_string(ta::await(slow))).c_str());
}

void cancellation() {
  section("Cancelling: cleanup runs, and may wait");
  auto download = ta::spawn({.name = "download"}, [] {
    try {
      ta::delay(1h);
    } catch (const ta::Cancelled&) {
      say("download", "cancelled, removes its temporary file");
      ta::delay(10ms);
      say("download", "done with that");
      throw;
    }
  });
  ta::delay(5ms);
  std::printf("  what lives right now:\n%s", ta::dump().c_str());
  download.cancel();
  try {
    ta::await(download);
  } catch (const ta::Cancelled&) {
  }
}

void many() {
  section("A hundred thousand of them, each with its own guarded stack");
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
  std::printf("  alive in the middle: %zu\n", ta::statistics().alive);
  while (ta::statistics().alive != 0) ta::delay(10ms);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  std::printf("  all %d slept 0 to 99 ms and ended; %.0f ms in all\n", woken, took.count());
}

void counters() {
  section("No needless switches: ping-pong costs exactly one switch per turn");
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

void together() {
  section("A task group: ten jobs, three at a time, and the first failure ends them all");
  int busy = 0;
  int most = 0;
  ta::TaskGroup<int> squares({.concurrency = 3});
  for (int i = 1; i <= 10; ++i) {
    squares.spawn([&, i] {
      most = std::max(most, ++busy);
      ta::delay(2ms);
      --busy;
      return i * i;
    });
  }
  int sum = 0;
  for (const auto& [key, square] : ta::await(squares.all())) sum += square;
  std::printf("  sum of the squares: %d, at most %d at a time\n", sum, most);
  try {
    ta::TaskScope scope;
    scope.spawn([] { ta::delay(1h); });
    scope.spawn([] { throw std::runtime_error("disk full"); });
    scope.join();
  } catch (const std::exception& error) {
    std::printf("  the one that would have slept an hour is gone as well: %s\n", error.what());
  }
}

void pool(const std::string& postgres) {
  section("A pool: forty coroutines share four database connections, first come first served");
  ta::ThreadPool threads({.workers = 2});
  ta::Pool<database::Connection> connections({
      .factory = [&]() -> std::unique_ptr<database::Connection> {
        if (postgres.empty()) return std::make_unique<database::SqliteConnection>("showcase", threads);
        return std::make_unique<database::PostgresConnection>(postgres);
      },
      .before_release = [](database::Connection& back) { return back.is_good(); },
      .max = 4,
      .name = postgres.empty() ? "sqlite" : "postgres",
  });
  std::vector<ta::Task<int>> queries;
  for (int i = 1; i <= 40; ++i) {
    queries.push_back(ta::spawn([&connections, i] {
      auto connection = connections.acquire(5s);  // returned at the end of the scope, whatever happens
      return std::stoi(connection->value("select 2 * " + std::to_string(i)));
    }));
  }
  int sum = 0;
  for (auto& query : queries) sum += ta::await(query);
  const ta::PoolStatistics now = connections.statistics();
  std::printf("  40 answers, sum %d, over %llu connections; %zu idle, %zu lent out\n", sum,
              static_cast<unsigned long long>(now.created), now.idle, now.active);
}

void shutdown() {
  section("Graceful shutdown: everybody is asked to end, and does");
  for (const char* name : {"reader", "writer"}) {
    ta::spawn({.name = name}, [name] {
      try {
        ta::delay(1h);
      } catch (const ta::Cancelled&) {
        ta::delay(5ms);
        say(name, "flushed and closed");
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
  std::puts("TrueAsync: plain blocking-style code, a million at a time on one thread.");
  const int code = ta::run([&postgres] {
    at_the_same_time();
    errors_and_timeouts();
    cancellation();
    many();
    counters();
    together();
    pool(postgres);
    shutdown();
  });
  std::puts("\nRead examples/*.cpp next; ./run examples/hello.cpp runs one of them.");
  return code;
}
