// A wait does not allocate: this program counts calls of operator new.
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

#include "waker_fixture.hpp"

namespace {

std::atomic<std::size_t> allocations{0};

void* allocate_counted(std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* memory = std::malloc(size ? size : 1)) return memory;
  throw std::bad_alloc();
}

}  // namespace

// Both new and delete are replaced and not inlined, so that sanitizers and valgrind see matching pairs.
[[gnu::noinline]] void* operator new(std::size_t size) { return allocate_counted(size); }
[[gnu::noinline]] void* operator new[](std::size_t size) { return allocate_counted(size); }
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace trueasync::test {
namespace {

// SUS-03
TEST_F(WakerTest, WaitDoesNotAllocate) {
  const std::size_t before = allocations.load();
  for (int round = 0; round < 100; ++round) {
    const bool waits = arm(4, 2, true);
    events_[0]->fire();
    events_[2]->fire();
    const WakeReason reason = finish();
    if (!waits || reason != WakeReason::event) FAIL() << "round " << round;
  }
  for (int round = 0; round < 100; ++round) {
    arm(4);
    waker_.wake(WakeReason::timed_out, target_);
    finish();
  }
  EXPECT_EQ(allocations.load(), before);
  EXPECT_EQ(target_.queued, 200);
}

TEST(AllocationCounter, CountsAllocations) {
  const char* preloaded = std::getenv("LD_PRELOAD");
  if (preloaded && std::strstr(preloaded, "vgpreload")) GTEST_SKIP() << "valgrind replaces operator new";
  const std::size_t before = allocations.load();
  Ref<ProbeEvent> event = make_probe();
  EXPECT_GT(allocations.load(), before);
}

}  // namespace
}  // namespace trueasync::test
