// Boost.Fiber: stackful fibers, one thread, the default round-robin scheduler.
//
// Each workload uses the faster stack allocator: the default (malloc) for yield and memory, pooled stacks for spawn and
// sleep. Neither has guard pages.
#include <boost/fiber/all.hpp>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <vector>

#include "peers/boost_fiber/pool.hpp"
#include "support/harness.hpp"

namespace {

namespace fibers = boost::fibers;

void yield(std::uint64_t count) {
  const std::uint64_t each = bench::operations_or(5'000'000) / count;
  std::vector<fibers::fiber> all;
  for (std::uint64_t i = 0; i < count; ++i) {
    all.emplace_back([each] {
      for (std::uint64_t k = 0; k < each; ++k) boost::this_fiber::yield();
    });
  }
  const bench::Stopwatch watch;
  for (auto& fiber : all) fiber.join();
  bench::report(watch.elapsed_ns() / static_cast<double>(each * count));
}

void spawn_batches(fibers::pooled_fixedsize_stack& stacks, std::uint64_t batch, std::uint64_t batches) {
  std::vector<fibers::fiber> all;
  all.reserve(batch);
  for (std::uint64_t i = 0; i < batches; ++i) {
    for (std::uint64_t k = 0; k < batch; ++k) all.emplace_back(std::allocator_arg, stacks, [] {});
    for (auto& fiber : all) fiber.join();
    all.clear();
  }
}

void spawn(std::uint64_t batch) {
  const std::uint64_t batches = bench::operations_or(1'000'000) / batch;
  fibers::pooled_fixedsize_stack stacks;
  spawn_batches(stacks, batch, 100);
  const bench::Stopwatch watch;
  spawn_batches(stacks, batch, batches);
  bench::report(watch.elapsed_ns() / static_cast<double>(batches * batch));
}

void memory(std::uint64_t size) {
  const std::uint64_t count = bench::operations_or(size);
  fibers::mutex mutex;
  fibers::condition_variable gate;
  std::uint64_t started = 0;
  std::vector<fibers::fiber> all(count);  // allocated before the first measurement
  const bench::Memory before = bench::Memory::now();
  for (auto& fiber : all) {
    fiber = fibers::fiber([&] {
      std::unique_lock<fibers::mutex> lock(mutex);
      ++started;
      gate.wait(lock, [] { return false; });
    });
  }
  while (started < count) boost::this_fiber::yield();
  bench::report_memory_per_coroutine(before, count);
  bench::exit_without_teardown();
}

void sleep(std::uint64_t sleeps) {
  const std::uint64_t count = bench::operations_or(100'000);
  const double start = bench::cpu_ms();
  const std::vector<std::uint32_t> delays = bench::sleep_delays_us(count * sleeps);
  fibers::pooled_fixedsize_stack stacks;
  std::vector<fibers::fiber> all;
  all.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    all.emplace_back(std::allocator_arg, stacks, [&delays, i, sleeps] {
      for (std::uint64_t k = 0; k < sleeps; ++k) {
        boost::this_fiber::sleep_for(std::chrono::microseconds(delays[i * sleeps + k]));
      }
    });
  }
  for (auto& fiber : all) fiber.join();
  bench::report(bench::cpu_ms() - start);
  bench::exit_without_teardown();
}

template <class C>
void pass_messages(C& channel) {
  const std::uint64_t count = bench::operations_or(2'000'000);
  std::uint64_t sum = 0;
  fibers::fiber sender([&] {
    for (std::uint64_t i = 0; i < count; ++i) channel.push(i);
    channel.close();
  });
  fibers::fiber receiver([&] {
    std::uint64_t value = 0;
    while (channel.pop(value) == fibers::channel_op_status::success) sum += value;
  });
  const bench::Stopwatch watch;
  sender.join();
  receiver.join();
  const double elapsed = watch.elapsed_ns();
  if (sum != count * (count - 1) / 2) std::exit(1);
  bench::report(elapsed / static_cast<double>(count));
}

void channel(std::uint64_t capacity) {
  if (capacity == 0) {
    fibers::unbuffered_channel<std::uint64_t> channel;
    return pass_messages(channel);
  }
  fibers::buffered_channel<std::uint64_t> channel(capacity);
  pass_messages(channel);
}

// Acquire and release by one fiber without contention; time per pair.
template <class F>
void pairs(F&& pair) {
  const std::uint64_t count = bench::operations_or(10'000'000);
  fibers::fiber fiber([&] {
    for (std::uint64_t i = 0; i < count; ++i) pair();
  });
  const bench::Stopwatch watch;
  fiber.join();
  bench::report(watch.elapsed_ns() / static_cast<double>(count));
}

void mutex(std::uint64_t) {
  fibers::mutex mutex;
  pairs([&] {
    mutex.lock();
    mutex.unlock();
  });
}

// Boost.Fiber has no semaphore: a counter with a mutex and a condition variable.
void semaphore(std::uint64_t permits) {
  fibers::mutex mutex;
  fibers::condition_variable changed;
  pairs([&] {
    {
      std::unique_lock<fibers::mutex> lock(mutex);
      changed.wait(lock, [&] { return permits > 0; });
      --permits;
    }
    {
      std::unique_lock<fibers::mutex> lock(mutex);
      ++permits;
    }
    changed.notify_one();
  });
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
    {"channel-0", channel, 0},
    {"channel-128", channel, 128},
    {"mutex", mutex, 0},
    {"semaphore", semaphore, 8},
    {"pool-1", pool_alone, 0},
    {"pool-64", pool_shared, 64},
    {"pool-waiters", pool_waiters, 0},
};

}  // namespace

int main(int argc, char** argv) { return bench::run_workload(argc, argv, kWorkloads); }
