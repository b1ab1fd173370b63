// Thread: results, errors, liveness, lifetime.
#include "trueasync/threads/thread.hpp"

#include <semaphore>
#include <thread>

#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class ThreadTest : public ReactorTest {};

// REA-02
TEST_P(ThreadTest, AwaitReturnsResult) {
  run([] {
    Thread thread([] { return std::this_thread::get_id(); });
    EXPECT_NE(await(thread), std::this_thread::get_id());
    EXPECT_TRUE(thread.is_finished());
    EXPECT_EQ(await(thread), await(thread)) << "a named handle can be awaited repeatedly";
    EXPECT_EQ(*await(Thread([] { return std::make_unique<int>(7); })), 7);
  });
}

// TH-01
TEST_P(ThreadTest, AwaitThrowsErrorWithItsType) {
  run([] {
    Thread thread([]() -> int { throw std::out_of_range("far"); });
    EXPECT_THROW(await(thread), std::out_of_range);
  });
}

TEST_P(ThreadTest, UnobservedErrorIsUnhandled) {
  EXPECT_THROW(run([] {
                 Thread thread([] { throw std::out_of_range("far"); });
                 while (!thread.is_finished()) delay(1ms);
               }),
               std::out_of_range);
}

// SH-10
TEST_P(ThreadTest, IsForegroundOnlyWhileAwaited) {
  std::binary_semaphore gate{0};
  run([&] {
    Thread thread([&] { gate.acquire(); });
    EXPECT_FALSE(scheduler().reactor().has_foreground_work());
    Task<void> waiter = spawn([&] { await(thread); });
    yield();
    EXPECT_TRUE(scheduler().reactor().has_foreground_work());
    waiter.cancel();
    EXPECT_THROW(await(waiter), Cancelled);
    EXPECT_FALSE(scheduler().reactor().has_foreground_work());
    gate.release();
    await(thread);
  });
}

// SH-09 R2
TEST_P(ThreadTest, RuntimeMayEndFirst) {
  std::binary_semaphore gate{0};
  std::atomic<bool> destroyed{false};
  struct SetOnDestruction {
    std::atomic<bool>* flag;
    ~SetOnDestruction() { *flag = true; }
  };
  for (bool drop_handle : {true, false}) {
    destroyed = false;
    std::optional<Thread<void>> handle;
    {
      auto runtime = make_runtime(GetParam());
      runtime->run([&] {
        handle.emplace([&gate, capture = std::make_unique<SetOnDestruction>(&destroyed)] { gate.acquire(); });
        if (drop_handle) handle.reset();
      });
    }
    gate.release();
    while (!destroyed) std::this_thread::yield();
    if (handle) {
      EXPECT_FALSE(handle->is_finished());
    }
  }
}

TEST_P(ThreadTest, RequestStopFiresStopToken) {
  run([] {
    Thread thread([](std::stop_token token) {
      while (!token.stop_requested()) std::this_thread::yield();
      return 5;
    });
    thread.request_stop();
    EXPECT_EQ(await(thread), 5);
  });
}

TEST(ThreadMisuse, ConstructionOutsideRuntimeThrows) {
  EXPECT_THROW(Thread([] {}), MisuseError);
}

TRUEASYNC_TEST_ON_ALL_REACTORS(ThreadTest);

}  // namespace
}  // namespace trueasync::test
