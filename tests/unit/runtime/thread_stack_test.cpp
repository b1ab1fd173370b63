// The thread's own stack for those who need it, and coroutines that stay on their thread.
#include <gtest/gtest.h>
#include <pthread.h>

#include <thread>

#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

bool lies_in_this_threads_stack(const void* place) {
  pthread_attr_t attributes;
  void* base = nullptr;
  std::size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return false;
  pthread_attr_getstack(&attributes, &base, &size);
  pthread_attr_destroy(&attributes);
  const auto* from = static_cast<const char*>(base);
  return place >= from && place < from + size;
}

// Where the frame really is: ASan's fake stacks hide it from &local.
[[gnu::noinline]] bool runs_on_the_threads_stack() { return lies_in_this_threads_stack(__builtin_frame_address(0)); }

class ThreadStack : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(ThreadStack);

// ST-09
TEST_P(ThreadStack, CallFromACoroutineRunsThere) {
  run([] {
    EXPECT_TRUE(runs_on_the_threads_stack()) << "main is there anyway";
    await(spawn([] {
      EXPECT_FALSE(runs_on_the_threads_stack());
      bool inside = false;
      run_on_thread_stack([&] { inside = runs_on_the_threads_stack(); });
      EXPECT_TRUE(inside);
      EXPECT_FALSE(runs_on_the_threads_stack()) << "and back";
      yield();
    }));
  });
}

// ST-09
TEST_P(ThreadStack, MainsFramesSurviveACallBelowThem) {
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
TEST_P(ThreadStack, ExceptionsPass) {
  run([] {
    await(spawn([] {
      EXPECT_THROW(run_on_thread_stack([] { throw std::out_of_range("from below"); }), std::out_of_range);
      try {
        throw std::runtime_error("outer");
      } catch (const std::runtime_error&) {
        EXPECT_THROW(run_on_thread_stack([] { throw 1; }), int) << "inside a catch block as well";
        EXPECT_NE(std::current_exception(), nullptr);
      }
      EXPECT_EQ(std::uncaught_exceptions(), 0);
      yield();
    }));
  });
}

// ST-09
TEST_P(ThreadStack, WakesAndSpawnsFromThereWork) {
  run([] {
    Task<int> born;
    await(spawn([&] { run_on_thread_stack([&] { born = spawn([] { return 3; }); }); }));
    EXPECT_EQ(await(born), 3);
  });
}

// XC-04 SCH-09
TEST_P(ThreadStack, CoroutineStaysOnItsThread) {
  // Thread-locals keep their address across every kind of suspension.
  static thread_local int local = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([world = GetParam(), i] {
      auto runtime = make_runtime(world);
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
TEST(ThreadsOnLibuv, RuntimesOfManyThreadsWakeEachOtherByTriggers) {
  constexpr int kRounds = 200;
  Trigger* ping = nullptr;
  std::atomic<Trigger*> pong{nullptr};
  Runtime here;
  here.run([&] {
    Trigger mine;
    ping = &mine;
    std::thread other([&] {
      Runtime there;
      there.run([&] {
        Trigger theirs;
        pong.store(&theirs);
        ping->fire();
        for (int i = 0; i < kRounds; ++i) {
          theirs.wait();
          ping->fire();
        }
      });
      expect_no_leaks(there);
    });
    mine.wait();
    for (int i = 0; i < kRounds; ++i) {
      pong.load()->fire();
      mine.wait();
    }
    other.join();
  });
  expect_no_leaks(here);
}

}  // namespace
}  // namespace trueasync::test
