// Calls on another stack.
#include <gtest/gtest.h>

#include <stdexcept>

#include "test_coroutine.hpp"

namespace trueasync::detail {
namespace {

struct Call {
  void* frame = nullptr;
  int result = 0;
};

[[gnu::noinline]] void note_frame(void* argument) {
  volatile char local[256] = {};
  Call& call = *static_cast<Call*>(argument);
  call.frame = __builtin_frame_address(0);
  call.result = 42 + local[17];
}

TEST(CallOnStack, RunsOnOtherStackAndReturns) {
  StackPool pool({});
  Stack* stack = pool.acquire();
  Call call;
  for (int i = 0; i < 100; ++i)
    call_on_stack(stack->start(), &note_frame, &call, static_cast<std::size_t>(stack->start() - stack->limit()));
  EXPECT_EQ(call.result, 42);
  EXPECT_GT(static_cast<std::uint8_t*>(call.frame), stack->limit());
  EXPECT_LT(static_cast<std::uint8_t*>(call.frame), stack->start());
  pool.release(stack);
}

// CTX-06: a coroutine calls on the thread's stack, whose frames stay intact; the call may throw and catch internally.
TEST(CallOnStack, PreservesSuspendedFramesOfThreadStack) {
  StackPool pool({});
  volatile int before = 17;
  char* here = static_cast<char*>(__builtin_frame_address(0));
  Call call;
  TestCoroutine coroutine(pool, [&](TestCoroutine& self) {
    call_on_stack(self.back().sp, &note_frame, &call);
    int caught = 0;
    call_on_stack(
        self.back().sp,
        [](void* argument) {
          try {
            throw 5;
          } catch (int value) {
            *static_cast<int*>(argument) = value;
          }
        },
        &caught);
    EXPECT_EQ(caught, 5);
    self.yield();
  });
  coroutine.resume();
  EXPECT_EQ(before, 17);
  EXPECT_EQ(call.result, 42);
  EXPECT_LT(static_cast<char*>(call.frame), here);
  EXPECT_GT(static_cast<char*>(call.frame), here - 64 * 1024);
  coroutine.resume();
}

}  // namespace
}  // namespace trueasync::detail
