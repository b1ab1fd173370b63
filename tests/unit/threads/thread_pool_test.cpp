// ThreadPool: order, errors, back-pressure, cancellation, and the end.
#include "trueasync/thread_pool.hpp"

#include <numeric>

#include "thread_pool_fixture.hpp"
#include "trueasync/await.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

TEST_P(Pool, ResultsComeBackInTheOrderOfTheRange) {
  run([] {
    ThreadPool pool({.workers = 3, .queue_capacity = 4});
    std::vector<int> numbers(200);
    std::iota(numbers.begin(), numbers.end(), 0);
    const std::vector<long> squares = pool.map(numbers, [](int n) { return long{n} * n; });
    ASSERT_EQ(squares.size(), numbers.size());
    for (int n : numbers) EXPECT_EQ(squares[static_cast<std::size_t>(n)], long{n} * n);
  });
}

TEST_P(Pool, AnErrorStaysWithItsJobAndTheWorkerLives) {
  // TH-01 TH-02
  run([] {
    ThreadPool pool({.workers = 1});
    auto bad = pool.submit([]() -> int { throw std::out_of_range("far"); });
    EXPECT_THROW(await(bad), std::out_of_range);
    EXPECT_EQ(pool.workers(), 1u);
    EXPECT_EQ(await(pool.submit([] { return 1; })), 1);
  });
}

TEST_P(Pool, AFullQueueSuspendsTheSubmitterUntilThereIsRoom) {
  run([&] {
    ThreadPool pool({.workers = 1, .queue_capacity = 1});
    auto first = pool.submit(block());
    until([&] { return inside == 1; });
    auto second = pool.submit([] {});
    bool submitted = false;
    Task<void> third = spawn([&] {
      auto job = pool.submit([] {});
      submitted = true;
      await(job);
    });
    for (int i = 0; i < 10; ++i) yield();
    EXPECT_FALSE(submitted);
    door.release();
    await(third);
    EXPECT_TRUE(submitted);
    await(first);
    await(second);
  });
}

TEST_P(Pool, ASubmitterThatIsCancelledTakesItsJobAlong) {
  // CA-08 R1
  run([&] {
    ThreadPool pool({.workers = 1, .queue_capacity = 1});
    std::atomic<int> ran{0};
    auto first = pool.submit(block());
    until([&] { return inside == 1; });
    auto second = pool.submit([&] { ++ran; });
    Task<void> third = spawn([&] { pool.submit([&] { ran += 100; }); });
    Task<void> fourth = spawn([&] { await(pool.submit([&] { ran += 10; })); });
    yield();
    EXPECT_EQ(pool.queued(), 3u);
    third.cancel();
    EXPECT_THROW(await(third), Cancelled);
    EXPECT_EQ(pool.queued(), 2u);
    door.release();
    await(fourth);
    EXPECT_EQ(ran, 11);
  });
}

TEST_P(Pool, ACancelledJobNeverStartsAndLetsGoOfWhatItHolds) {
  // CA-08
  run([&] {
    ThreadPool pool({.workers = 1});
    auto first = pool.submit(block());
    auto held = std::make_shared<int>(1);
    std::weak_ptr<int> watch = held;
    auto job = pool.submit([held = std::move(held)] { return *held; });
    until([&] { return inside == 1; });
    EXPECT_TRUE(job.cancel());
    EXPECT_TRUE(watch.expired());
    EXPECT_TRUE(job.is_cancelled());
    EXPECT_THROW(await(job), Cancelled);
    EXPECT_FALSE(first.cancel()) << "it runs";
    door.release();
    await(first);
  });
}

TEST_P(Pool, AWaiterThatLeavesCancelsUnlessToldOtherwise) {
  // CA-09
  run([&] {
    ThreadPool pool({.workers = 1, .queue_capacity = 10});
    std::atomic<int> ran{0};
    auto first = pool.submit(block());
    until([&] { return inside == 1; });
    auto left = pool.submit([&] { ran += 1; });
    auto kept = pool.submit([&] { ran += 10; }, {.on_abandoned = OnAbandoned::run});
    {
      auto never_awaited = pool.submit([&] { ran += 100; });
    }
    EXPECT_THROW(await(left, timeout(1ms)), OperationCancelled);
    EXPECT_THROW(await(kept, timeout(1ms)), OperationCancelled);
    EXPECT_TRUE(left.is_cancelled());
    door.release();
    pool.drain();
    EXPECT_EQ(ran, 110);
    await(kept);
    await(first);
  });
}

TEST_P(Pool, CloseIsSoftCancelIsHard) {
  // TH-08
  run([&] {
    std::atomic<int> ran{0};
    ThreadPool soft({.workers = 1, .queue_capacity = 10});
    auto first = soft.submit(block());
    auto second = soft.submit([&] { ++ran; });
    soft.close();
    EXPECT_THROW(soft.submit([] {}), ThreadPoolClosedError);
    door.release();
    await(second);
    EXPECT_EQ(ran, 1);
    until([&] { return soft.workers() == 0; });
    EXPECT_THROW(soft.submit([] {}), ThreadPoolClosedError) << "none is alive";

    ThreadPool hard({.workers = 1, .queue_capacity = 10});
    auto runs = hard.submit([&](std::stop_token token) {
      ++inside;
      while (!token.stop_requested()) std::this_thread::yield();
      return 3;
    });
    auto queued = hard.submit([&] { ++ran; });
    until([&] { return inside == 2; });
    hard.cancel();
    EXPECT_EQ(await(runs), 3);
    EXPECT_THROW(await(queued), Cancelled);
    EXPECT_EQ(ran, 1);
    await(first);
  });
}

TEST_P(Pool, TheFirstErrorOfAMapCancelsTheRest) {
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

TEST_P(Pool, AMapOfAFunctionThatReturnsNothingWaitsForAll) {
  run([] {
    ThreadPool pool({.workers = 2, .queue_capacity = 2});
    std::atomic<int> sum{0};
    pool.map(std::vector{1, 2, 3, 4}, [&](int n) { sum += n; });
    EXPECT_EQ(sum, 10);
    EXPECT_THROW(pool.map(std::vector{1}, [](int) { throw std::out_of_range("one"); }), std::out_of_range);
  });
}

TEST_P(Pool, TheRuntimeMayGoBeforeItsJobs) {
  // SH-09 R2 TH-07
  ThreadPool pool({.workers = 2});
  {
    auto runtime = make_runtime(GetParam());
    runtime->run([&] {
      pool.submit(block());
      pool.submit([&] { ++inside; });
    });
  }
  door.release();
  run([&] { pool.drain(); });
  EXPECT_EQ(inside, 2);
}

TEST(PoolMisuse, SubmitOutsideARuntimeSaysSo) {
  // TH-09
  ThreadPool pool({.workers = 1, .queue_capacity = 1});
  EXPECT_THROW(pool.submit([] {}), MisuseError);
}

TEST(PoolStress, SeveralRuntimesShareOnePool) {
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
  long each = 0;
  for (int i = 0; i < kJobs; ++i) each += i % 7 == 0 ? 0 : i;
  EXPECT_EQ(sum, each * kRuntimes * 3);
  EXPECT_EQ(pool.queued(), 0u);
}

TEST(PoolStress, JobsAndTheirPoolMayBeCancelledAtOnce) {
  constexpr int kRounds = 50;
  for (int round = 0; round < kRounds; ++round) {
    ThreadPool pool({.workers = 1, .queue_capacity = 200});
    std::counting_semaphore<> go{0};
    std::thread other([&] {
      go.acquire();
      pool.cancel();
    });
    auto held = std::make_shared<int>(1);
    Runtime runtime;
    runtime.run([&] {
      std::vector<Job<int>> jobs;
      for (int i = 0; i < 100; ++i) jobs.push_back(pool.submit([held] { return *held; }));
      go.release();
      for (auto& job : jobs) job.cancel();
      EXPECT_EQ(await_all(jobs).results.size() + await_all(jobs).errors.size(), jobs.size());
    });
    other.join();
    EXPECT_EQ(held.use_count(), 1) << "every function let go of what it held";
  }
}

TRUEASYNC_TEST_ON_ALL_REACTORS(Pool);

}  // namespace
}  // namespace trueasync::test
