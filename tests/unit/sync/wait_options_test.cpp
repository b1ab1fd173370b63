// WaitOptions on every suspending call: a timeout, a deadline, a token, and a time together with a token.
#include <gtest/gtest.h>

#include <functional>

#include "scheduler/scheduler.hpp"
#include "trueasync/testing.hpp"
#include "trueasync/trueasync.hpp"

namespace trueasync {
namespace {

using namespace std::chrono_literals;

static_assert(!WaitOptions().has_time());
static_assert(!WaitOptions(std::nullopt).has_time());
static_assert(!WaitOptions(Duration::max()).has_time());
static_assert(!WaitOptions(std::chrono::hours::max()).has_time());
static_assert(WaitOptions(-1ns).deadline(TimePoint(5ns)) == TimePoint(5ns));
static_assert(WaitOptions(TimePoint(3ns)).deadline(TimePoint(5ns)) == TimePoint(3ns));
static_assert(WaitOptions(2ns).deadline(TimePoint::max()) == TimePoint::max());
static_assert(std::is_same_v<decltype(std::declval<Mutex&>().guard()), std::unique_lock<Mutex>>);

TimePoint now() { return detail::Scheduler::current()->reactor().now(); }

using Wait = std::function<void(WaitOptions)>;

enum class End { completed, timed_out, token };

End end_of(const Wait& wait, WaitOptions options) {
  try {
    wait(options);
    return End::completed;
  } catch (const TimeoutError&) {
    return End::timed_out;
  } catch (const OperationCancelled&) {
    return End::token;
  }
}

// A wait that only its options can end.
void expect_options_end(const char* name, const Wait& wait) {
  SCOPED_TRACE(name);
  Timeout never(24h);
  const auto expect = [&](WaitOptions options, End end, std::chrono::nanoseconds after) {
    const TimePoint begun = now();
    EXPECT_EQ(end_of(wait, options), end);
    EXPECT_EQ(now() - begun, after);
  };
  expect(10ms, End::timed_out, 10ms);
  expect(now() + 10ms, End::timed_out, 10ms);
  expect(timeout(10ms), End::token, 10ms);
  expect({10ms, never}, End::timed_out, 10ms);
  expect({now() + 10ms, never}, End::timed_out, 10ms);
  Timeout stop(10ms);
  expect({24h, stop}, End::token, 10ms);
  expect({now() + 24h, stop}, End::token, 0ms);
  expect(0ms, End::timed_out, 0ms);
  expect(now() - 1ms, End::timed_out, 0ms);
  expect({now() - 1ms, never}, End::timed_out, 0ms);
}

void run_simulated(const std::function<void()>& function) {
  testing::Simulation simulation({.order = testing::Order::fifo});
  simulation.run(function);
}

TEST(WaitOptions, EndWaitsOfSynchronization) {
  run_simulated([] {
    Mutex mutex;
    Condition condition;
    Latch latch(1);
    WaitGroup group;
    Semaphore semaphore(1);
    RateLimiter limiter({.per_second = 1e-6, .burst = 1});
    const auto guard = mutex.guard();
    const auto member = group.member();
    semaphore.acquire();
    limiter.acquire();
    expect_options_end("Mutex::lock", [&](WaitOptions options) { mutex.lock(options); });
    expect_options_end("Mutex::guard", [&](WaitOptions options) { (void)mutex.guard(options); });
    expect_options_end("Condition", [&](WaitOptions options) { condition.wait(options); });
    expect_options_end("Condition, predicate",
                       [&](WaitOptions options) { condition.wait([] { return false; }, options); });
    expect_options_end("Latch", [&](WaitOptions options) { latch.wait(options); });
    expect_options_end("WaitGroup", [&](WaitOptions options) { group.wait(options); });
    expect_options_end("Semaphore::acquire", [&](WaitOptions options) { semaphore.acquire(options); });
    expect_options_end("Semaphore::permit", [&](WaitOptions options) { (void)semaphore.permit(options); });
    expect_options_end("RateLimiter", [&](WaitOptions options) { limiter.acquire(1, options); });
    expect_options_end("retry", [](WaitOptions options) {
      retry(
          {.initial_delay = 1h}, [] { throw std::runtime_error("refused"); }, options);
    });
    Mutex other;
    auto other_guard = other.guard();
    expect_options_end("Condition, guard", [&](WaitOptions options) { condition.wait(other_guard, options); });
    expect_options_end("Condition, guard and predicate", [&](WaitOptions options) {
      condition.wait(
          other_guard, [] { return false; }, options);
    });
    EXPECT_TRUE(other_guard.owns_lock());
  });
}

TEST(WaitOptions, EndWaitsOfChannels) {
  run_simulated([] {
    Channel<int> empty;
    Channel<int> full(1);
    Channel<int> timed(ChannelOptions{.no_producer_timeout = 48h, .no_consumer_timeout = 48h});
    ThreadChannel<int> thread_empty(1);
    ThreadChannel<int> thread_full(1);
    full.send(1);
    thread_full.send(1);
    expect_options_end("send to a rendezvous", [&](WaitOptions options) { empty.send(1, options); });
    expect_options_end("recv", [&](WaitOptions options) { empty.recv(options); });
    expect_options_end("next", [&](WaitOptions options) { empty.next(options); });
    expect_options_end("send", [&](WaitOptions options) { full.send(2, options); });
    expect_options_end("recv with channel timers", [&](WaitOptions options) { timed.recv(options); });
    expect_options_end("send with channel timers", [&](WaitOptions options) { timed.send(1, options); });
    expect_options_end("ThreadChannel::recv", [&](WaitOptions options) { thread_empty.recv(options); });
    expect_options_end("ThreadChannel::next", [&](WaitOptions options) { thread_empty.next(options); });
    expect_options_end("ThreadChannel::send", [&](WaitOptions options) { thread_full.send(2, options); });
    EXPECT_EQ(full.count(), 1u);
    EXPECT_EQ(thread_full.count(), 1u);
  });
}

TEST(WaitOptions, EndWaitsForCoroutinesAndEvents) {
  run_simulated([] {
    std::vector<Task<int>> tasks;
    tasks.push_back(spawn([] {
      delay(1000h);
      return 1;
    }));
    Promise<int> promise;
    const Future<int> future = promise.future();
    Channel<int> channel;
    Trigger trigger;
    Interval interval(1000h);
    Event* const events[] = {&trigger.event()};
    expect_options_end("await(Task)", [&](WaitOptions options) { await(tasks[0], options); });
    expect_options_end("await(Coroutine)", [&](WaitOptions options) { await(tasks[0].coroutine(), options); });
    expect_options_end("await(Future)", [&](WaitOptions options) { await(future, options); });
    expect_options_end("await(Future&&)", [&](WaitOptions options) { await(promise.future(), options); });
    expect_options_end("await_all", [&](WaitOptions options) { await_all(tasks, {}, options); });
    expect_options_end("await_any_or_fail",
                       [&](WaitOptions options) { await_any_or_fail(std::tie(tasks[0]), {}, options); });
    expect_options_end("select",
                       [&](WaitOptions options) { select(options, on(channel, [](int) {}), on(future, [](int) {})); });
    expect_options_end("poll", [](WaitOptions options) { poll(7, Readiness::readable, options); });
    expect_options_end("Trigger", [&](WaitOptions options) { trigger.wait(options); });
    expect_options_end("Interval", [&](WaitOptions options) { interval.wait(options); });
    expect_options_end("wait_any", [&](WaitOptions options) { wait_any(events, options); });
    expect_options_end("wait_all", [&](WaitOptions options) { wait_all(events, options); });
    EXPECT_FALSE(tasks[0].is_finished());
    tasks[0].cancel();
  });
}

TEST(WaitOptions, EndWaitsForScopesAndGroups) {
  run_simulated([] {
    Scope scope = Scope::inherit();
    scope.spawn([] { delay(1000h); });
    Scope closed = Scope::inherit();
    closed.spawn([] { protect([] { delay(1000h); }); });
    TaskScope tasks;
    tasks.spawn([] { delay(1000h); });
    TaskGroup<void> group({.concurrency = 1, .queue_limit = 1});
    for (int i = 0; i < 2; ++i) group.spawn([] { delay(1000h); });
    TaskSet<int> set;
    set.spawn([] { return delay(1000h), 1; });
    const auto all = group.all().ignore();  // it fails when the group is destroyed
    yield();
    closed.cancel();
    expect_options_end("Scope", [&](WaitOptions options) { scope.await_completion(options); });
    expect_options_end("await(Scope)", [&](WaitOptions options) { await(scope, options); });
    expect_options_end("closed Scope", [&](WaitOptions options) { closed.await_after_cancellation(nullptr, options); });
    expect_options_end("TaskScope", [&](WaitOptions options) { tasks.join(options); });
    expect_options_end("TaskGroup::spawn", [&](WaitOptions options) { group.spawn([] {}, options); });
    expect_options_end("TaskGroup::all", [&](WaitOptions options) { await(all, options); });
    expect_options_end("TaskGroup", [&](WaitOptions options) { group.await_completion(options); });
    expect_options_end("TaskSet::next", [&](WaitOptions options) { set.next(options); });
    expect_options_end("TaskSet::join_next", [&](WaitOptions options) { set.join_next(options); });
    expect_options_end("TaskSet::join_any", [&](WaitOptions options) { set.join_any(options); });
    expect_options_end("TaskSet::join_all", [&](WaitOptions options) { set.join_all(TaskErrors::fail, options); });
    EXPECT_EQ(group.count(), 2u);
    scope.cancel();
  });
}

TEST(WaitOptions, EndWaitsOfPools) {
  run_simulated([] {
    Pool<int> pool({.factory = [] { return 1; }, .max = 1});
    Pool<int> slow({.factory = [] { return delay(1000h), 1; }});
    Pool<int> checked(
        {.factory = [] { return 1; }, .before_acquire = [](int&) { return delay(1000h), true; }, .max = 99});
    auto lease = pool.acquire();
    expect_options_end("Pool::acquire, no idle resource", [&](WaitOptions options) { (void)pool.acquire(options); });
    expect_options_end("Pool::acquire, creation", [&](WaitOptions options) { (void)slow.acquire(options); });
    checked.acquire().release();
    Timeout never(24h);
    EXPECT_EQ(end_of([&](WaitOptions options) { (void)checked.acquire(options); }, {10ms, never}), End::timed_out);
    Timeout stop(10ms);
    EXPECT_EQ(end_of([&](WaitOptions options) { (void)pool.drain(options); }, {24h, stop}), End::token);
    EXPECT_FALSE(pool.is_closed());
    EXPECT_EQ(pool.drain({10ms, never}), 1u);
    EXPECT_TRUE(pool.is_closed());
  });
}

TEST(WaitOptions, EndWaitsForThreads) {
  run_simulated([] {
    Trigger started;
    std::mutex blocked;
    std::unique_lock hold(blocked);
    ThreadPool pool({.workers = 1, .queue_capacity = 1});
    const auto block = [&] { std::lock_guard wait(blocked); };
    auto running = pool.submit([&] {
      started.fire();
      block();
    });
    started.wait();
    auto queued = pool.submit(block, {.on_abandoned = OnAbandoned::run});
    Thread thread(block);
    expect_options_end("await(Job)", [&](WaitOptions options) { await(queued, options); });
    expect_options_end("await(Thread)", [&](WaitOptions options) { await(thread, options); });
    expect_options_end("ThreadPool::submit", [&](WaitOptions options) { pool.submit(block, {}, options); });
    expect_options_end("ThreadPool::drain", [&](WaitOptions options) { pool.drain(options); });
    hold.unlock();
    await(queued);
    await(thread);
  });
}

TEST(WaitOptions, WaitWithTimeAndTokenReceivesGrant) {
  run_simulated([] {
    Timeout never(24h);
    const WaitOptions options(24h, never);
    Mutex mutex;
    Semaphore semaphore(1);
    Channel<int> channel;
    ThreadChannel<int> thread_channel(1);
    Pool<int> pool({.factory = [] { return 1; }, .max = 1});
    auto guard = mutex.guard();
    auto permit = semaphore.permit();
    auto lease = pool.acquire();
    auto waiter = spawn([&] {
      mutex.lock(options);
      mutex.unlock();
      semaphore.acquire(options);
      semaphore.release();
      pool.acquire(options).release();
      return channel.recv(options) + thread_channel.recv(options);
    });
    yield();
    guard.unlock();
    yield();
    permit = {};
    yield();
    lease.release();
    channel.send(1, options);
    thread_channel.send(2, options);
    EXPECT_EQ(await(waiter, options), 3);
  });
}

// R1 A grant, the timeout and the token arrive at the same instant: whatever the wait reports, the grant is not lost.
TEST(WaitOptions, GrantAtInstantOfTimeoutAndTokenIsNotLost) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    testing::Simulation simulation({.seed = seed, .order = testing::Order::random});
    simulation.run([] {
      Semaphore semaphore(0);
      Channel<int> channel(1);
      ThreadChannel<int> thread_channel(1);
      Pool<int> pool({.factory = [] { return 1; }, .max = 1});
      auto lease = pool.acquire();
      const auto attempt = [](auto wait) {
        return spawn([wait] {
          Timeout stop(10ms);
          return end_of(wait, {10ms, stop}) == End::completed ? std::size_t{1} : std::size_t{0};
        });
      };
      std::vector<Task<std::size_t>> waiters;
      waiters.push_back(attempt([&](WaitOptions options) { semaphore.acquire(options); }));
      waiters.push_back(attempt([&](WaitOptions options) { channel.recv(options); }));
      waiters.push_back(attempt([&](WaitOptions options) { thread_channel.recv(options); }));
      waiters.push_back(attempt([&](WaitOptions options) { pool.acquire(options).release(); }));
      delay(10ms);
      semaphore.release();
      channel.send(1);
      thread_channel.send(1);
      lease.release();
      const std::vector<std::size_t> received = await_all_or_fail(waiters);
      EXPECT_EQ(received[0] + semaphore.available(), 1u);
      EXPECT_EQ(received[1] + channel.count(), 1u);
      EXPECT_EQ(received[2] + thread_channel.count(), 1u);
      EXPECT_EQ(pool.idle_count(), 1u);
    });
  }
}

}  // namespace
}  // namespace trueasync
