// ThreadPool: order, errors, backpressure, cancellation, shutdown.
#include "trueasync/threads/thread_pool.hpp"

#include <numeric>

#include "thread_pool_fixture.hpp"
#include "trueasync/scope/await.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

TEST_P(ThreadPoolTest, MapReturnsResultsInRangeOrder) {
  run([] {
    ThreadPool pool({.workers = 3, .queue_capacity = 4});
    std::vector<int> numbers(200);
    std::iota(numbers.begin(), numbers.end(), 0);
    const std::vector<long> squares = pool.map(numbers, [](int n) { return long{n} * n; });
    ASSERT_EQ(squares.size(), numbers.size());
    for (int n : numbers) EXPECT_EQ(squares[static_cast<std::size_t>(n)], long{n} * n);
  });
}

// TH-01 TH-02
TEST_P(ThreadPoolTest, ErrorOfJobDoesNotEndWorker) {
  run([] {
    ThreadPool pool({.workers = 1});
    auto bad = pool.submit([]() -> int { throw std::out_of_range("far"); });
    EXPECT_THROW(await(bad), std::out_of_range);
    EXPECT_EQ(pool.workers(), 1u);
    EXPECT_EQ(await(pool.submit([] { return 1; })), 1);
  });
}

TEST_P(ThreadPoolTest, FullQueueSuspendsSubmitter) {
  run([&] {
    ThreadPool pool({.workers = 1, .queue_capacity = 1});
    auto first = pool.submit(block());
    wait_until([&] { return blocked == 1; });
    auto second = pool.submit([] {});
    bool submitted = false;
    Task<void> third = spawn([&] {
      auto job = pool.submit([] {});
      submitted = true;
      await(job);
    });
    for (int i = 0; i < 10; ++i) yield();
    EXPECT_FALSE(submitted);
    gate.release();
    await(third);
    EXPECT_TRUE(submitted);
    await(first);
    await(second);
  });
}

// CA-08 R1
TEST_P(ThreadPoolTest, CancelledSubmitRemovesItsJob) {
  run([&] {
    ThreadPool pool({.workers = 1, .queue_capacity = 1});
    std::atomic<int> ran{0};
    auto first = pool.submit(block());
    wait_until([&] { return blocked == 1; });
    auto second = pool.submit([&] { ++ran; });
    Task<void> third = spawn([&] { pool.submit([&] { ran += 100; }); });
    Task<void> fourth = spawn([&] { await(pool.submit([&] { ran += 10; })); });
    yield();
    EXPECT_EQ(pool.queued(), 3u);
    third.cancel();
    EXPECT_THROW(await(third), Cancelled);
    EXPECT_EQ(pool.queued(), 2u);
    gate.release();
    await(fourth);
    EXPECT_EQ(ran, 11);
  });
}

// CA-08
TEST_P(ThreadPoolTest, CancelledJobNeverRunsAndDestroysItsFunction) {
  run([&] {
    ThreadPool pool({.workers = 1});
    auto first = pool.submit(block());
    auto held = std::make_shared<int>(1);
    std::weak_ptr<int> watch = held;
    auto job = pool.submit([held = std::move(held)] { return *held; });
    wait_until([&] { return blocked == 1; });
    EXPECT_TRUE(job.cancel());
    EXPECT_TRUE(watch.expired());
    EXPECT_TRUE(job.is_cancelled());
    EXPECT_THROW(await(job), Cancelled);
    EXPECT_FALSE(first.cancel()) << "a running job cannot be cancelled";
    gate.release();
    await(first);
  });
}

// CA-09
TEST_P(ThreadPoolTest, InterruptedAwaitCancelsJobUnlessOnAbandonedIsRun) {
  run([&] {
    ThreadPool pool({.workers = 1, .queue_capacity = 10});
    std::atomic<int> ran{0};
    auto first = pool.submit(block());
    wait_until([&] { return blocked == 1; });
    auto abandoned = pool.submit([&] { ran += 1; });
    auto detached = pool.submit([&] { ran += 10; }, {.on_abandoned = OnAbandoned::run});
    {
      auto never_awaited = pool.submit([&] { ran += 100; });
    }
    EXPECT_THROW(await(abandoned, timeout(1ms)), OperationCancelled);
    EXPECT_THROW(await(detached, timeout(1ms)), OperationCancelled);
    EXPECT_TRUE(abandoned.is_cancelled());
    gate.release();
    pool.drain();
    EXPECT_EQ(ran, 110);
    await(detached);
    await(first);
  });
}

// TH-08
TEST_P(ThreadPoolTest, CloseRunsQueuedJobsAndCancelDropsThem) {
  run([&] {
    std::atomic<int> ran{0};
    ThreadPool closed({.workers = 1, .queue_capacity = 10});
    auto first = closed.submit(block());
    auto second = closed.submit([&] { ++ran; });
    closed.close();
    EXPECT_THROW(closed.submit([] {}), ThreadPoolClosedError);
    gate.release();
    await(second);
    EXPECT_EQ(ran, 1);
    wait_until([&] { return closed.workers() == 0; });
    EXPECT_THROW(closed.submit([] {}), ThreadPoolClosedError) << "no worker is left";

    ThreadPool cancelled({.workers = 1, .queue_capacity = 10});
    auto running = cancelled.submit([&](std::stop_token token) {
      ++blocked;
      while (!token.stop_requested()) std::this_thread::yield();
      return 3;
    });
    auto queued = cancelled.submit([&] { ++ran; });
    wait_until([&] { return blocked == 2; });
    cancelled.cancel();
    EXPECT_EQ(await(running), 3);
    EXPECT_THROW(await(queued), Cancelled);
    EXPECT_EQ(ran, 1);
    await(first);
  });
}

TEST_P(ThreadPoolTest, FirstErrorOfMapCancelsQueuedJobs) {
  run([] {
    ThreadPool pool({.workers = 1, .queue_capacity = 2});
    std::atomic<int> ran{0};
    EXPECT_THROW(pool.map(std::vector{1, 2, 3, 4},
                          [&](int n) {
                            ++ran;
                            if (n == 1) throw std::out_of_range("one");
                            return n;
                          }),
                 std::out_of_range);
    pool.drain();
    EXPECT_LE(ran, 4);
  });
}

TEST_P(ThreadPoolTest, MapOfVoidFunctionWaitsForAllJobs) {
  run([] {
    ThreadPool pool({.workers = 2, .queue_capacity = 2});
    std::atomic<int> sum{0};
    pool.map(std::vector{1, 2, 3, 4}, [&](int n) { sum += n; });
    EXPECT_EQ(sum, 10);
    EXPECT_THROW(pool.map(std::vector{1}, [](int) { throw std::out_of_range("one"); }), std::out_of_range);
  });
}

// SH-09 R2 TH-07
TEST_P(ThreadPoolTest, RuntimeMayEndBeforeItsJobs) {
  ThreadPool pool({.workers = 2});
  {
    auto runtime = make_runtime(GetParam());
    runtime->run([&] {
      pool.submit(block());
      pool.submit([&] { ++blocked; });
    });
  }
  gate.release();
  run([&] { pool.drain(); });
  EXPECT_EQ(blocked, 2);
}

// TH-09
TEST(ThreadPoolMisuse, SubmitOutsideRuntimeThrows) {
  ThreadPool pool({.workers = 1, .queue_capacity = 1});
  EXPECT_THROW(pool.submit([] {}), MisuseError);
}

TEST(ThreadPoolStress, SeveralRuntimesShareOnePool) {
  constexpr int kRuntimes = 3;
  constexpr int kJobs = 300;
  ThreadPool pool({.workers = 2, .queue_capacity = 3});
  std::vector<std::thread> threads;
  std::atomic<long> sum{0};
  for (int r = 0; r < kRuntimes; ++r) {
    threads.emplace_back([&] {
      Runtime runtime;
      runtime.run([&] {
        for (int c = 0; c < 3; ++c) {
          spawn([&] {
            for (int i = 0; i < kJobs; ++i) {
              auto job = pool.submit([i] { return i; });
              if (i % 7 == 0) {
                job.cancel();
              } else {
                sum += await(job);
              }
            }
          });
        }
      });
      expect_no_leaks(runtime);
    });
  }
  for (std::thread& thread : threads) thread.join();
  long sum_per_coroutine = 0;
  for (int i = 0; i < kJobs; ++i) sum_per_coroutine += i % 7 == 0 ? 0 : i;
  EXPECT_EQ(sum, sum_per_coroutine * kRuntimes * 3);
  EXPECT_EQ(pool.queued(), 0u);
}

TEST(ThreadPoolStress, JobsAndPoolMayBeCancelledConcurrently) {
  constexpr int kRounds = 50;
  for (int round = 0; round < kRounds; ++round) {
    ThreadPool pool({.workers = 1, .queue_capacity = 200});
    std::counting_semaphore<> start{0};
    std::thread other([&] {
      start.acquire();
      pool.cancel();
    });
    auto held = std::make_shared<int>(1);
    Runtime runtime;
    runtime.run([&] {
      std::vector<Job<int>> jobs;
      for (int i = 0; i < 100; ++i) jobs.push_back(pool.submit([held] { return *held; }));
      start.release();
      for (auto& job : jobs) job.cancel();
      EXPECT_EQ(await_all(jobs).results.size() + await_all(jobs).errors.size(), jobs.size());
    });
    other.join();
    EXPECT_EQ(held.use_count(), 1) << "a job has not destroyed its captures";
  }
}

TRUEASYNC_TEST_ON_ALL_REACTORS(ThreadPoolTest);

}  // namespace
}  // namespace trueasync::test
