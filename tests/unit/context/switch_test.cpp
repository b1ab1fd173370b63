// Context switch: order of execution, preserved state, entry of a context.
#include <gtest/gtest.h>
#include <unwind.h>

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <thread>
#include <vector>

#include "environment.hpp"
#include "test_coroutine.hpp"

namespace trueasync::detail {
namespace {

[[gnu::noinline]] int sum_of_depth(TestCoroutine& coroutine, int depth) {
  volatile char frame[128];
  frame[0] = static_cast<char>(depth);
  if (depth == 0) {
    coroutine.yield();
    return frame[0];
  }
  return sum_of_depth(coroutine, depth - 1) + 1 + (frame[0] - static_cast<char>(depth));
}

TEST(Switch, AlternatesBetweenTwoContexts) {
  StackPool pool({});
  std::vector<int> order;
  TestCoroutine coroutine(pool, [&](TestCoroutine& self) {
    for (int i = 0; i < 3; ++i) {
      order.push_back(2 * i + 1);
      self.yield();
    }
  });
  for (int i = 0; i < 3; ++i) {
    order.push_back(2 * i);
    coroutine.resume();
  }
  coroutine.resume();
  EXPECT_TRUE(coroutine.done());
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4, 5}));
}

// CTX-06 XC-06: a hundred thousand direct switches from frames of different depth, with live data on both stacks.
TEST(Switch, SwitchesDirectlyBetweenContexts) {
  constexpr int kRounds = 50000;
  StackPool pool({});
  int shared = 0;
  TestCoroutine* second = nullptr;
  TestCoroutine first(pool, [&](TestCoroutine& self) {
    for (int i = 0; i < kRounds; ++i) {
      ++shared;
      switch_context(self.context(), second->context(), ExceptionState::globals());
    }
  });
  TestCoroutine other(pool, [&](TestCoroutine& self) {
    for (int i = 0; i < kRounds; ++i) {
      ++shared;
      switch_context(self.context(), first.context(), ExceptionState::globals());
    }
  });
  second = &other;
  // The first context finishes while the second is in the middle of its last round.
  first.resume();
  EXPECT_TRUE(first.done());
  other.resume();
  EXPECT_EQ(shared, 2 * kRounds);
}

TEST(Switch, EntryGetsArgumentOnAlignedStack) {
  struct Probe {
    Context context, back;
    void* frame = nullptr;
    bool entered = false;
  } probe;
  StackPool pool({});
  Stack* stack = pool.acquire();
  ASSERT_NE(stack, nullptr);
  sanitizer_attach_thread(probe.back.sanitizer);
  // An odd top is rounded down.
  make_context(
      probe.context, stack->limit(), stack->start() - 7,
      [](void* argument) {
        Probe& self = *static_cast<Probe*>(argument);
        sanitizer_after_switch(self.context.sanitizer);
        self.entered = true;
        self.frame = __builtin_frame_address(0);
        exit_to_context(self.context, self.back, ExceptionState::globals());
      },
      &probe);
  switch_context(probe.back, probe.context, ExceptionState::globals());
  EXPECT_TRUE(probe.entered);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(probe.frame) % 16, 0u);
  EXPECT_GT(static_cast<std::uint8_t*>(probe.frame), stack->limit());
  EXPECT_LT(static_cast<std::uint8_t*>(probe.frame), stack->start());
  sanitizer_destroy(probe.context.sanitizer);
  pool.release(stack);
}

TEST(Switch, FloatingPointValuesSurvive) {
  StackPool pool({});
  const volatile double seed = 1.5;
  auto body = [&](TestCoroutine& self) {
    double a = seed, b = seed * 2, c = seed * 3, d = seed * 4, e = seed * 5, f = seed * 6, g = seed * 7, h = seed * 8;
    long double wide = seed;
    float narrow = static_cast<float>(seed);
    for (int i = 0; i < 100; ++i) {
      a += 1, b += 2, c += 3, d += 4, e += 5, f += 6, g += 7, h += 8, wide += 9, narrow += 10;
      self.yield();
    }
    EXPECT_EQ(a, 101.5);
    EXPECT_EQ(b, 203.0);
    EXPECT_EQ(c, 304.5);
    EXPECT_EQ(d, 406.0);
    EXPECT_EQ(e, 507.5);
    EXPECT_EQ(f, 609.0);
    EXPECT_EQ(g, 710.5);
    EXPECT_EQ(h, 812.0);
    EXPECT_EQ(wide, 901.5L);
    EXPECT_EQ(narrow, 1001.5f);
  };
  // Nine contexts: if a switch kept one x87 register, the eight registers would overflow.
  std::deque<TestCoroutine> coroutines;
  for (int i = 0; i < 9; ++i) coroutines.emplace_back(pool, body);
  for (int round = 0; round <= 100; ++round)
    for (TestCoroutine& coroutine : coroutines) coroutine.resume();
}

TEST(Switch, IntegerValuesSurviveUnderPressure) {
  StackPool pool({});
  const volatile std::uint64_t seed = 7;
  auto body = [&](TestCoroutine& self) {
    std::array<std::uint64_t, 16> values{};
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = seed + i;
    for (int round = 0; round < 50; ++round) {
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = values[i] * 3 + i;
      self.yield();
    }
    std::uint64_t expected = seed + 15;
    for (int round = 0; round < 50; ++round) expected = expected * 3 + 15;
    EXPECT_EQ(values[15], expected);
  };
  TestCoroutine one(pool, body), two(pool, body);
  for (int round = 0; round <= 50; ++round) one.resume(), two.resume();
}

TEST(Switch, DeepFramesSurvive) {
  StackPool pool({.stack_size = 1024 * 1024});
  int one_depth = 0, two_depth = 0;
  TestCoroutine one(pool, [&](TestCoroutine& self) { one_depth = sum_of_depth(self, 1000); });
  TestCoroutine two(pool, [&](TestCoroutine& self) { two_depth = sum_of_depth(self, 100); });
  one.resume(), two.resume();
  one.resume(), two.resume();
  EXPECT_EQ(one_depth, 1000);
  EXPECT_EQ(two_depth, 100);
}

TEST(Switch, FramesWithAlignedAndVariableLocalsSurvive) {
  // The compiler uses a separate base register in such frames.
  StackPool pool({});
  const volatile std::size_t count = 100;
  TestCoroutine coroutine(pool, [&](TestCoroutine& self) {
    alignas(128) volatile char aligned[256];
    auto* dynamic = static_cast<volatile char*>(__builtin_alloca(count));
    aligned[0] = 1;
    dynamic[count - 1] = 2;
    self.yield();
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(aligned) % 128, 0u);
    EXPECT_EQ(aligned[0] + dynamic[count - 1], 3);
  });
  coroutine.resume();
  coroutine.resume();
}

// CTX-01 XC-05: data and ASan poison of the previous context do not affect the next one.
TEST(Switch, PooledStackCanBeReused) {
  StackPool pool({});
  for (int round = 0; round < 200; ++round) {
    TestCoroutine coroutine(pool, [&](TestCoroutine& self) { sum_of_depth(self, round % 50); });
    coroutine.resume();
    coroutine.resume();
  }
  EXPECT_EQ(pool.stats().mapped, 64u);
  EXPECT_EQ(pool.stats().in_use + pool.stats().warm, 1u);
  EXPECT_EQ(pool.stats().reused, 199u);
}

TEST(Switch, ThreadsSwitchIndependently) {
  auto work = [] {
    StackPool pool({});
    int count = 0;
    TestCoroutine coroutine(pool, [&](TestCoroutine& self) {
      for (int i = 0; i < 1000; ++i) ++count, self.yield();
    });
    for (int i = 0; i <= 1000; ++i) coroutine.resume();
    EXPECT_EQ(count, 1000);
  };
  std::thread one(work), two(work);
  one.join();
  two.join();
}

#if !defined(TRUEASYNC_CONTEXT_BOOST)
TEST(Switch, UnwindersStopAtContextEntry) {
  StackPool pool({});
  int frames = 0;
  _Unwind_Reason_Code end = _URC_NO_REASON;
  TestCoroutine coroutine(pool, [&](TestCoroutine&) {
    end = _Unwind_Backtrace(
        [](_Unwind_Context*, void* count) {
          ++*static_cast<int*>(count);
          return *static_cast<int*>(count) < 1000 ? _URC_NO_REASON : _URC_NORMAL_STOP;
        },
        &frames);
  });
  coroutine.resume();
  EXPECT_EQ(end, _URC_END_OF_STACK);
  EXPECT_GE(frames, 2);
  EXPECT_LT(frames, 50);
}
#endif

}  // namespace
}  // namespace trueasync::detail
