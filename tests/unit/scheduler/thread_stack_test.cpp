// run_on_thread_stack(): nested calls and kinds of callables.
#include <stdexcept>

#include "scheduler_fixture.hpp"

namespace trueasync::test {
namespace {

class NestedThreadStack : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(NestedThreadStack);

// Fills a frame, makes nested calls on the thread's stack, and counts the bytes of the frames that the calls changed.
[[gnu::noinline]] std::size_t count_overwritten(int depth) {
  volatile unsigned char frame[4000];
  const auto mark = static_cast<unsigned char>(depth + 1);
  for (auto& byte : frame) byte = mark;
  std::size_t changed = 0;
  if (depth > 0) run_on_thread_stack([&] { changed = count_overwritten(depth - 1); });
  for (auto& byte : frame) changed += byte != mark;
  return changed;
}

// ST-09
TEST_P(NestedThreadStack, InnerCallKeepsFramesOfOuterCall) {
  run([] {
    await(spawn([] {
      std::size_t changed = 0;
      run_on_thread_stack([&] { changed = count_overwritten(3); });
      EXPECT_EQ(changed, 0u);
    }));
    EXPECT_EQ(count_overwritten(3), 0u) << "called by main";
  });
}

// ST-09
TEST_P(NestedThreadStack, CallAfterNestedCallUsesSameAddress) {
  // A nested call releases its part of the stack.
  run([] {
    await(spawn([] {
      const auto frame_address = [] {
        std::uintptr_t address = 0;
        run_on_thread_stack([&] { address = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)); });
        return address;
      };
      const std::uintptr_t before = frame_address();
      run_on_thread_stack([] { run_on_thread_stack([] { count_overwritten(1); }); });
      EXPECT_EQ(frame_address(), before);
    }));
  });
}

// ST-09 CTX-05
TEST_P(NestedThreadStack, ExceptionPropagatesThroughNestedCalls) {
  run([] {
    await(spawn([] {
      EXPECT_THROW(
          run_on_thread_stack([] { run_on_thread_stack([] { throw std::out_of_range("from the inner call"); }); }),
          std::out_of_range);
      std::size_t changed = 0;
      run_on_thread_stack([&] { changed = count_overwritten(2); });
      EXPECT_EQ(changed, 0u);
      yield();
    }));
  });
}

// ST-09
TEST_P(NestedThreadStack, OuterCallMustNotSuspendAfterInnerReturned) {
  run([] {
    await(spawn([] {
      run_on_thread_stack([] {
        run_on_thread_stack([] { EXPECT_THROW(yield(), MisuseError); });
        EXPECT_THROW(yield(), MisuseError);
      });
      yield();
    }));
  });
}

// ST-09
TEST_P(NestedThreadStack, AcceptsLvalueConstAndMoveOnlyCallables) {
  struct Constant {
    int* calls;
    void operator()() const { ++*calls; }
  };
  static int function_calls = 0;
  function_calls = 0;
  run([] {
    await(spawn([] {
      int calls = 0;
      auto named = [&calls] { ++calls; };
      run_on_thread_stack(named);
      const Constant constant{&calls};
      run_on_thread_stack(constant);
      run_on_thread_stack(
          [&calls, move_only = std::make_unique<int>(1)]() mutable { calls += *std::exchange(move_only, nullptr); });
      EXPECT_EQ(calls, 3);
      auto* function = +[] { ++function_calls; };
      run_on_thread_stack(function);
    }));
  });
  EXPECT_EQ(function_calls, 1);
}

}  // namespace
}  // namespace trueasync::test
