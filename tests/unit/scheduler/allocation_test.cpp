// Waits and the other hot paths allocate nothing after a warm-up. This program replaces operator new to count
// allocations. Sanitizers and valgrind replace it too, so the tests are skipped there.
#include <cstdlib>
#include <new>

#include "scheduler_fixture.hpp"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define TRUEASYNC_ALLOCATIONS_NOT_COUNTED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TRUEASYNC_ALLOCATIONS_NOT_COUNTED 1
#endif

namespace {

thread_local std::uint64_t allocations = 0;

}  // namespace

#if !defined(TRUEASYNC_ALLOCATIONS_NOT_COUNTED)

namespace {

void* counting_allocate(std::size_t size, std::size_t alignment) {
  ++allocations;
  void* memory = alignment <= alignof(std::max_align_t)
                     ? std::malloc(size ? size : 1)
                     : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (!memory) throw std::bad_alloc();
  return memory;
}

}  // namespace

// Not inlined: valgrind replaces whole functions and must see both new and delete.
[[gnu::noinline]] void* operator new(std::size_t size) { return counting_allocate(size, 1); }
[[gnu::noinline]] void* operator new[](std::size_t size) { return counting_allocate(size, 1); }
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  return counting_allocate(size, std::size_t(alignment));
}
[[gnu::noinline]] void* operator new[](std::size_t size, std::align_val_t alignment) {
  return counting_allocate(size, std::size_t(alignment));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

#endif

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class Allocations : public ReactorTest {
 protected:
  void SetUp() override {
#if defined(TRUEASYNC_ALLOCATIONS_NOT_COUNTED)
    GTEST_SKIP() << "sanitizers replace operator new";
#else
    TRUEASYNC_SKIP_UNDER_VALGRIND("it replaces operator new");
    // Check that the counter works. Otherwise a count of 0 would prove nothing.
    const std::uint64_t before = allocations;
    ::operator delete(::operator new(8));
    ASSERT_EQ(allocations, before + 1);
#endif
  }

  // Runs `work` twice and returns the number of allocations of the second run.
  template <class F>
  static std::uint64_t count_after_warm_up(F work) {
    work();
    const std::uint64_t before = allocations;
    work();
    return allocations - before;
  }
};

// SUS-03
TEST_P(Allocations, YieldAllocatesNothing) {
  run([] {
    bool stop = false;
    auto other = spawn([&] {
      while (!stop) yield();
    });
    EXPECT_EQ(count_after_warm_up([] {
                for (int i = 0; i < 1000; ++i) yield();
              }),
              0u);
    stop = true;
    await(other);
  });
}

// SUS-03
TEST_P(Allocations, DelayAllocatesNothing) {
  run([] {
    EXPECT_EQ(count_after_warm_up([] {
                for (int i = 0; i < 10; ++i) delay(100us);
              }),
              0u);
  });
}

// SUS-03
TEST_P(Allocations, WaitForSeveralEventsAllocatesNothing) {
  run([] {
    bool stop = false;
    Ref<ManualEvent> events[] = {ManualEvent::make(), ManualEvent::make(), ManualEvent::make()};
    auto firer = spawn([&] {
      std::size_t i = 0;
      while (!stop) {
        events[i++ % 3]->fire();
        yield();
      }
    });
    EXPECT_EQ(count_after_warm_up([&] {
                Event* all[] = {events[0].get(), events[1].get(), events[2].get()};
                for (int i = 0; i < 100; ++i) {
                  wait_any(all);
                  wait_all(all, 1h);
                }
              }),
              0u);
    stop = true;
    await(firer);
  });
}

// SUS-03
TEST_P(Allocations, AwaitAllocatesNothing) {
  run([] {
    std::vector<Task<int>> tasks;
    for (int i = 0; i < 100; ++i) tasks.push_back(spawn([i] { return i; }));
    const std::uint64_t before = allocations;
    int sum = 0;
    for (auto& task : tasks) sum += await(task);
    EXPECT_EQ(allocations - before, 0u);
    EXPECT_EQ(sum, 4950);
  });
}

// SUS-03
TEST_P(Allocations, SpawnOfSmallClosureAllocatesNothing) {
  run([] {
    EXPECT_EQ(count_after_warm_up([] {
                for (int i = 0; i < 100; ++i) {
                  int a = 1;
                  long b = 2;
                  char* c = nullptr;
                  auto task = spawn([a, b, c] {
                    yield();
                    return a + b + (c ? 1 : 0);
                  });
                  EXPECT_EQ(await(task), 3);
                }
              }),
              0u);
  });
}

// SUS-03
TEST_P(Allocations, SecondBurstOfCoroutinesAllocatesNothing) {
  run([] {
    EXPECT_EQ(count_after_warm_up([] {
                int done = 0;
                for (int i = 0; i < 50; ++i) {
                  spawn([&done] {
                    yield();
                    ++done;
                  });
                }
                while (done < 50) yield();
              }),
              0u);
  });
}

// MIC-01
TEST_P(Allocations, UserDefinedMicrotaskAllocatesNothing) {
  run([] {
    Microtask task;
    task.handler = [](Microtask&) noexcept -> std::exception_ptr { return nullptr; };
    EXPECT_EQ(count_after_warm_up([&] {
                for (int i = 0; i < 100; ++i) {
                  queue_microtask(task);
                  yield();
                }
              }),
              0u);
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(Allocations);

}  // namespace
}  // namespace trueasync::test
