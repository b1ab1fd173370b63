// A thread's end as an event.
#include "trueasync/thread.hpp"

#include <semaphore>
#include <thread>

#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class Threads : public ReactorTest {};

TEST_P(Threads, TheResultComesBack) {
  // REA-02
  run([] {
    Thread thread([] { return std::this_thread::get_id(); });
    EXPECT_NE(await(thread), std::this_thread::get_id());
    EXPECT_TRUE(thread.is_finished());
    EXPECT_EQ(await(thread), await(thread)) << "as often as one likes";
    EXPECT_EQ(*await(Thread([] { return std::make_unique<int>(7); })), 7);
  });
}

TEST_P(Threads, AnErrorComesBackWithItsType) {
  // TH-01
  run([] {
    Thread thread([]() -> int { throw std::out_of_range("far"); });
    EXPECT_THROW(await(thread), std::out_of_range);
  });
}

TEST_P(Threads, AnErrorNobodyAwaitedIsUnhandled) {
  EXPECT_THROW(run([] {
                 Thread thread([] { throw std::out_of_range("far"); });
                 while (!thread.is_finished()) delay(1ms);
               }),
               std::out_of_range);
}

TEST_P(Threads, CountsForLivenessOnlyWhileAwaited) {
  // SH-10
  std::binary_semaphore door{0};
  run([&] {
    Thread thread([&] { door.acquire(); });
    EXPECT_FALSE(scheduler().reactor().has_foreground_work());
    Task<void> waiter = spawn([&] { await(thread); });
    yield();
    EXPECT_TRUE(scheduler().reactor().has_foreground_work());
    waiter.cancel();
    EXPECT_THROW(await(waiter), Cancelled);
    EXPECT_FALSE(scheduler().reactor().has_foreground_work());
    door.release();
    await(thread);
  });
}

TEST_P(Threads, TheRuntimeMayGoFirst) {
  // SH-09 R2
  std::binary_semaphore door{0};
  std::atomic<bool> over{false};
  struct Last {
    std::atomic<bool>* flag;
    ~Last() { *flag = true; }
  };
  for (bool drop_handle : {true, false}) {
    over = false;
    std::optional<Thread<void>> kept;
    {
      auto runtime = make_runtime(GetParam());
      runtime->run([&] {
        kept.emplace([&door, last = std::make_unique<Last>(&over)] { door.acquire(); });
        if (drop_handle) kept.reset();
      });
    }
    door.release();
    while (!over) std::this_thread::yield();
    if (kept) {
      EXPECT_FALSE(kept->is_finished());
    }
  }
}

TEST_P(Threads, AStopTokenReachesTheFunction) {
  run([] {
    Thread thread([](std::stop_token token) {
      while (!token.stop_requested()) std::this_thread::yield();
      return 5;
    });
    thread.request_stop();
    EXPECT_EQ(await(thread), 5);
  });
}

TEST(ThreadMisuse, NeedsARuntime) {
  EXPECT_THROW(Thread([] {}), MisuseError);
}

TRUEASYNC_TEST_ON_ALL_REACTORS(Threads);

}  // namespace
}  // namespace trueasync::test
