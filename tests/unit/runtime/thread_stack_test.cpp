// run_on_thread_stack(), and coroutines stay on their thread.
#include <gtest/gtest.h>
#include <pthread.h>

#include <thread>

#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

bool is_in_thread_stack(const void* address) {
  pthread_attr_t attributes;
  void* base = nullptr;
  std::size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return false;
  pthread_attr_getstack(&attributes, &base, &size);
  pthread_attr_destroy(&attributes);
  const auto* from = static_cast<const char*>(base);
  return address >= from && address < from + size;
}

// Uses the frame address, because with ASan &local may be in a fake stack.
[[gnu::noinline]] bool is_on_thread_stack() { return is_in_thread_stack(__builtin_frame_address(0)); }

class ThreadStack : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(ThreadStack);

// ST-09
TEST_P(ThreadStack, CallFromCoroutineRunsOnThreadStack) {
  run([] {
    EXPECT_TRUE(is_on_thread_stack()) << "main runs on the thread's stack";
    await(spawn([] {
      EXPECT_FALSE(is_on_thread_stack());
      bool inside = false;
      run_on_thread_stack([&] { inside = is_on_thread_stack(); });
      EXPECT_TRUE(inside);
      EXPECT_FALSE(is_on_thread_stack()) << "back on the coroutine's stack";
      yield();
    }));
  });
}

// ST-09
TEST_P(ThreadStack, CallKeepsFramesOfMain) {
  run([] {
    volatile std::uint64_t canaries[64];
    for (std::size_t i = 0; i < 64; ++i) canaries[i] = i * 0x9e3779b97f4a7c15ULL;
    auto task = spawn([] {
      for (int round = 0; round < 3; ++round) {
        run_on_thread_stack([] {
          volatile char scratch[64 * 1024];
          for (std::size_t i = 0; i < sizeof(scratch); i += 64) scratch[i] = 1;
        });
        yield();
      }
    });
    await(task);
    for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(canaries[i], i * 0x9e3779b97f4a7c15ULL);
  });
}

// ST-09 CTX-05
TEST_P(ThreadStack, ExceptionsPropagateToCoroutine) {
  run([] {
    await(spawn([] {
      EXPECT_THROW(run_on_thread_stack([] { throw std::out_of_range("from the thread's stack"); }), std::out_of_range);
      try {
        throw std::runtime_error("outer");
      } catch (const std::runtime_error&) {
        EXPECT_THROW(run_on_thread_stack([] { throw 1; }), int) << "inside a catch block";
        EXPECT_NE(std::current_exception(), nullptr);
      }
      EXPECT_EQ(std::uncaught_exceptions(), 0);
      yield();
    }));
  });
}

// ST-09
TEST_P(ThreadStack, CallMaySpawn) {
  run([] {
    Task<int> spawned;
    await(spawn([&] { run_on_thread_stack([&] { spawned = spawn([] { return 3; }); }); }));
    EXPECT_EQ(await(spawned), 3);
  });
}

// XC-04 SCH-09
TEST_P(ThreadStack, CoroutineStaysOnItsThread) {
  // Thread-local variables keep their address across suspensions.
  static thread_local int local = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([kind = GetParam(), i] {
      auto runtime = make_runtime(kind);
      runtime->run([i] {
        local = i;
        const auto thread = std::this_thread::get_id();
        int* const address = &local;
        std::vector<Task<void>> tasks;
        for (int k = 0; k < 20; ++k) {
          tasks.push_back(spawn([&] {
            for (int n = 0; n < 10; ++n) {
              n % 3 == 0 ? delay(1ms) : yield();
              EXPECT_EQ(std::this_thread::get_id(), thread);
              EXPECT_EQ(&local, address);
              EXPECT_EQ(local, i);
            }
          }));
        }
        for (auto& task : tasks) await(task);
      });
      expect_no_leaks(*runtime);
    });
  }
  for (auto& thread : threads) thread.join();
}

// SCH-09
TEST(ThreadsNative, RuntimesOfTwoThreadsWakeEachOtherByTriggers) {
  constexpr int kRounds = 200;
  Trigger* ping = nullptr;
  std::atomic<Trigger*> pong{nullptr};
  Runtime first;
  first.run([&] {
    Trigger own_ping;
    ping = &own_ping;
    std::thread other([&] {
      Runtime second;
      second.run([&] {
        Trigger own_pong;
        pong.store(&own_pong);
        ping->fire();
        for (int i = 0; i < kRounds; ++i) {
          own_pong.wait();
          ping->fire();
        }
      });
      expect_no_leaks(second);
    });
    own_ping.wait();
    for (int i = 0; i < kRounds; ++i) {
      pong.load()->fire();
      own_ping.wait();
    }
    other.join();
  });
  expect_no_leaks(first);
}

}  // namespace
}  // namespace trueasync::test
