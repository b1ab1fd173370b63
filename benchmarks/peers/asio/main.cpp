// Boost.Asio with stackful coroutines (asio::spawn on Boost.Coroutine), one thread, locking disabled.
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <vector>

#include "serve_echo.hpp"
#include "support/harness.hpp"

namespace {

namespace asio = boost::asio;
using Yield = asio::yield_context;

void yield(std::uint64_t count) {
  const std::uint64_t each = bench::operations_or(5'000'000) / count;
  asio::io_context loop(BOOST_ASIO_CONCURRENCY_HINT_UNSAFE);
  for (std::uint64_t i = 0; i < count; ++i) {
    asio::spawn(loop, [&loop, each](Yield self) {
      for (std::uint64_t k = 0; k < each; ++k) asio::post(loop, self);
    });
  }
  const bench::Stopwatch watch;
  loop.run();
  bench::report(watch.elapsed_ns() / static_cast<double>(each * count));
}

void spawn_batches(asio::io_context& loop, std::uint64_t batch, std::uint64_t batches) {
  for (std::uint64_t i = 0; i < batches; ++i) {
    for (std::uint64_t k = 0; k < batch; ++k) asio::spawn(loop, [](Yield) {});
    loop.run();
    loop.restart();
  }
}

void spawn(std::uint64_t batch) {
  const std::uint64_t batches = bench::operations_or(1'000'000) / batch;
  asio::io_context loop(BOOST_ASIO_CONCURRENCY_HINT_UNSAFE);
  spawn_batches(loop, batch, 100);
  const bench::Stopwatch watch;
  spawn_batches(loop, batch, batches);
  bench::report(watch.elapsed_ns() / static_cast<double>(batches * batch));
}

void memory(std::uint64_t size) {
  const std::uint64_t count = bench::operations_or(size);
  asio::io_context loop(BOOST_ASIO_CONCURRENCY_HINT_UNSAFE);
  std::uint64_t started = 0;
  const bench::Memory before = bench::Memory::now();
  for (std::uint64_t i = 0; i < count; ++i) {
    asio::spawn(loop, [&](Yield self) {
      asio::steady_timer timer(loop, std::chrono::hours(1));
      ++started;
      timer.async_wait(self);
    });
  }
  while (started < count) loop.poll();
  bench::report_memory_per_coroutine(before, count);
  bench::exit_without_teardown();
}

void sleep(std::uint64_t sleeps) {
  const std::uint64_t count = bench::operations_or(100'000);
  asio::io_context loop(BOOST_ASIO_CONCURRENCY_HINT_UNSAFE);
  const double start = bench::cpu_ms();
  const std::vector<std::uint32_t> delays = bench::sleep_delays_us(count * sleeps);
  for (std::uint64_t i = 0; i < count; ++i) {
    asio::spawn(loop, [&loop, &delays, i, sleeps](Yield self) {
      asio::steady_timer timer(loop);
      for (std::uint64_t k = 0; k < sleeps; ++k) {
        timer.expires_after(std::chrono::microseconds(delays[i * sleeps + k]));
        timer.async_wait(self);
      }
    });
  }
  loop.run();
  bench::report(bench::cpu_ms() - start);
  bench::exit_without_teardown();
}

constexpr bench::Workload kWorkloads[] = {
    {"yield-2", yield, 2},
    {"yield-16", yield, 16},
    {"yield-100", yield, 100},
    {"yield-1000", yield, 1000},
    {"yield-10000", yield, 10'000},
    {"spawn", spawn, 100},
    {"memory-1m", memory, 1'000'000},
    {"sleep-100k", sleep, 1},
    {"sleep-100k-x5", sleep, 5},
    {"serve-echo", serve_echo, 0},
};

}  // namespace

int main(int argc, char** argv) { return bench::run_workload(argc, argv, kWorkloads); }
