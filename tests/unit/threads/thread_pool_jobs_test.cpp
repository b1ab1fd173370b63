// Job: in the await functions, in select() and as a future.
#include "thread_pool_fixture.hpp"
#include "trueasync/scope/await.hpp"
#include "trueasync/scope/select.hpp"
#include "trueasync/threads/thread_pool.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class ThreadPoolJobTest : public ThreadPoolTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(ThreadPoolJobTest);

TEST_P(ThreadPoolJobTest, AwaitFunctionsAcceptJobs) {
  run([&] {
    ThreadPool pool({.workers = 1, .queue_capacity = 10});
    std::vector<Job<int>> jobs;
    for (int n : {1, 2, 3}) {
      jobs.push_back(pool.submit([n] {
        if (n == 2) throw std::out_of_range("two");
        return n * 10;
      }));
    }
    const auto settled = await_all(jobs);
    ASSERT_EQ(settled.results.size(), 2u);
    EXPECT_EQ(settled.results.begin()->value, 10);
    ASSERT_EQ(settled.errors.size(), 1u);
    EXPECT_THROW(await_all_or_fail(jobs), std::out_of_range);

    auto slow = pool.submit(block());
    std::vector<Job<void>> queued{slow, pool.submit([] {})};
    wait_until([&] { return blocked == 1; });
    EXPECT_THROW(await_any_or_fail(queued, {.pending = PendingAction::cancel}, timeout(1ms)), OperationCancelled);
    EXPECT_TRUE(queued[1].is_cancelled());
    auto unique = pool.submit([] { return std::make_unique<int>(7); });
    gate.release();
    auto [nothing, number] = await_all_or_fail(std::make_tuple(slow, std::move(unique)));
    EXPECT_EQ(*number, 7);
  });
}

TEST_P(ThreadPoolJobTest, FutureHasResultOfJob) {
  run([&] {
    ThreadPool pool({.workers = 1});
    auto text = pool.submit([] { return std::make_unique<int>(7); }).future().map([](std::unique_ptr<int> number) {
      return std::to_string(*number);
    });
    EXPECT_EQ(await(text), "7");
    auto bad = pool.submit([] { throw std::out_of_range("far"); }).future();
    EXPECT_THROW(await(bad), std::out_of_range);
    auto first = pool.submit(block());
    auto job = pool.submit([] { return 1; });
    auto cancelled = Job<int>(job).future();
    EXPECT_TRUE(job.cancel());
    EXPECT_THROW(await(cancelled), Cancelled);
    EXPECT_TRUE(cancelled.is_cancelled());
    gate.release();
    await(first);
  });
}

TEST_P(ThreadPoolJobTest, SelectPassesResultOfJob) {
  run([&] {
    ThreadPool pool({.workers = 2});
    auto slow = pool.submit(block(), {.on_abandoned = OnAbandoned::run});
    auto quick = pool.submit([] { return 5; });
    int got = 0;
    EXPECT_EQ(select(on(slow, [] {}), on(quick, [&](int value) { got = value; })), 1u);
    EXPECT_EQ(got, 5);
    gate.release();
    EXPECT_EQ(select(on(slow, [] {})), 0u);
    auto bad = pool.submit([]() -> int { throw std::out_of_range("far"); });
    EXPECT_THROW(select(on(bad, [](int) {})), std::out_of_range);
  });
}

}  // namespace
}  // namespace trueasync::test
