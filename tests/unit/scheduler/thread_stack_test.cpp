// Calls on the thread's own stack: inside one another, and of every kind of callable.
#include <stdexcept>

#include "manual_event.hpp"

namespace trueasync::test {
namespace {

class NestedThreadStack : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(NestedThreadStack);

// Fills a piece of the stack, calls on the thread's stack from there, and counts the bytes that changed meanwhile.
[[gnu::noinline]] std::size_t overwritten_below(int depth) {
  volatile unsigned char mine[4000];
  const auto mark = static_cast<unsigned char>(depth + 1);
  for (auto& byte : mine) byte = mark;
  std::size_t changed = 0;
  if (depth > 0) run_on_thread_stack([&] { changed = overwritten_below(depth - 1); });
  for (auto& byte : mine) changed += byte != mark;
  return changed;
}

// ST-09
TEST_P(NestedThreadStack, InnerCallLeavesTheFramesOfTheOuterAlone) {
  run([] {
    await(spawn([] {
      std::size_t changed = 0;
      run_on_thread_stack([&] { changed = overwritten_below(3); });
      EXPECT_EQ(changed, 0u);
    }));
    EXPECT_EQ(overwritten_below(3), 0u) << "and from main";
  });
}

// ST-09
TEST_P(NestedThreadStack, CallAfterANestedOneIsWhereTheFirstWas) {
  // What a nested call takes is given back.
  run([] {
    await(spawn([] {
      const auto where = [] {
        std::uintptr_t place = 0;
        run_on_thread_stack([&] { place = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)); });
        return place;
      };
      const std::uintptr_t before = where();
      run_on_thread_stack([] { run_on_thread_stack([] { overwritten_below(1); }); });
      EXPECT_EQ(where(), before);
    }));
  });
}

// ST-09 CTX-05
TEST_P(NestedThreadStack, ExceptionPassesThroughBothAndTheNextCallIsSound) {
  run([] {
    await(spawn([] {
      EXPECT_THROW(run_on_thread_stack([] { run_on_thread_stack([] { throw std::out_of_range("from below"); }); }),
                   std::out_of_range);
      std::size_t changed = 0;
      run_on_thread_stack([&] { changed = overwritten_below(2); });
      EXPECT_EQ(changed, 0u);
      yield();
    }));
  });
}

// ST-09
TEST_P(NestedThreadStack, NoneOfThemMaySuspendAfterTheInnerHasReturned) {
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
TEST_P(NestedThreadStack, TakesNamedCallables) {
  struct Constant {
    int* calls;
    void operator()() const { ++*calls; }
  };
  static int of_the_function = 0;
  of_the_function = 0;
  run([] {
    await(spawn([] {
      int calls = 0;
      auto named = [&calls] { ++calls; };
      run_on_thread_stack(named);
      const Constant constant{&calls};
      run_on_thread_stack(constant);
      run_on_thread_stack(
          [&calls, only = std::make_unique<int>(1)]() mutable { calls += *std::exchange(only, nullptr); });
      EXPECT_EQ(calls, 3);
      auto* function = +[] { ++of_the_function; };
      run_on_thread_stack(function);
    }));
  });
  EXPECT_EQ(of_the_function, 1);
}

}  // namespace
}  // namespace trueasync::test
