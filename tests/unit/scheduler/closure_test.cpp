// Closures and results: the callables that can be spawned, and their lifetimes.
#include <array>

#include "scheduler_fixture.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

// Counts its live objects. A copy may be made to throw.
struct Tracked {
  explicit Tracked(int& live) : live_(&live) { ++*live_; }
  Tracked(const Tracked& other) : live_(other.live_), throws_on_copy(other.throws_on_copy) {
    if (throws_on_copy) throw std::bad_alloc();
    ++*live_;
  }
  Tracked(Tracked&& other) noexcept : live_(other.live_), throws_on_copy(other.throws_on_copy) { ++*live_; }
  ~Tracked() { --*live_; }

  int* live_;
  bool throws_on_copy = false;
};

class Closures : public ReactorTest {};

TEST_P(Closures, ClosureAndResultMayBeMoveOnly) {
  run([] {
    auto number = std::make_unique<int>(41);
    auto task = spawn([number = std::move(number)] { return std::make_unique<int>(*number + 1); });
    std::unique_ptr<int> result = await(std::move(task));
    EXPECT_EQ(*result, 42);
  });
}

TEST_P(Closures, ClosureMayReturnVoid) {
  run([] {
    bool ran = false;
    auto task = spawn([&] { ran = true; });
    static_assert(std::is_same_v<decltype(task), Task<void>>);
    await(task);
    await(task);
    EXPECT_TRUE(ran);
  });
}

TEST_P(Closures, ResultIsCopiedFromLvalueAndMovedFromRvalueTask) {
  run([] {
    auto task = spawn([] { return std::string(100, 'x'); });
    EXPECT_EQ(await(task), std::string(100, 'x'));
    EXPECT_EQ(await(task), std::string(100, 'x'));
    Task<std::string> last = std::move(task);
    const Coroutine handle = last.coroutine();
    EXPECT_EQ(await(std::move(last)), std::string(100, 'x'));
    EXPECT_THROW(await(Task<std::string>(handle)), MisuseError);
    EXPECT_THROW(await(Task<std::string>()), MisuseError);
  });
}

TEST_P(Closures, ClosureMayBeLarge) {
  run([] {
    std::array<std::uint64_t, 1000> big{};
    big[999] = 5;
    auto task = spawn([big] {
      yield();
      return big;
    });
    big[999] = 6;
    EXPECT_EQ(await(task)[999], 5u);
    // The largest closure that fits into the control block, and one byte more.
    std::array<char, 56> fits{};
    std::array<char, 57> too_large{};
    fits[55] = 'a';
    too_large[56] = 'b';
    EXPECT_EQ(await(spawn([fits] { return fits[55]; })), 'a');
    EXPECT_EQ(await(spawn([too_large] { return too_large[56]; })), 'b');
  });
}

TEST_P(Closures, ClosureAndResultMayBeOverAligned) {
  run([] {
    struct alignas(128) Wide {
      int value = 3;
      bool is_aligned() const { return reinterpret_cast<std::uintptr_t>(this) % 128 == 0; }
    };
    auto in_closure = spawn([wide = Wide{}] { return wide.is_aligned(); });
    EXPECT_TRUE(await(in_closure));
    auto as_result = spawn([] { return Wide{7}; });
    EXPECT_EQ(await(as_result).value, 7);
    struct alignas(16) Small {
      std::uintptr_t misalignment() const { return reinterpret_cast<std::uintptr_t>(this) % 16; }
    };
    EXPECT_EQ(await(spawn([small = Small{}] { return small.misalignment(); })), 0u);
  });
}

TEST_P(Closures, ClosureIsDestroyedOnceOnFinish) {
  int live = 0;
  run([&] {
    auto task = spawn([&live, tracked = Tracked(live)] {
      yield();
      return live;
    });
    EXPECT_EQ(await(task), 1);
    EXPECT_EQ(live, 0);  // destroyed when the coroutine finishes, not with the handle
  });
  EXPECT_EQ(live, 0);
}

TEST_P(Closures, ClosureIsDestroyedOnceOnError) {
  int live = 0;
  run([&] {
    auto task = spawn([tracked = Tracked(live)] {
      yield();
      throw std::runtime_error("x");
    });
    EXPECT_THROW(await(task), std::runtime_error);
    EXPECT_EQ(live, 0);
  });
}

// CXL-01
TEST_P(Closures, ClosureIsDestroyedOnceOnCancel) {
  int live = 0;
  run([&] {
    auto unstarted = spawn([tracked = Tracked(live)] { FAIL() << "a coroutine cancelled before its start ran"; });
    auto waiting = spawn([tracked = Tracked(live)] { delay(1h); });
    EXPECT_EQ(live, 2);
    unstarted.cancel();
    unstarted.cancel();
    yield();
    EXPECT_EQ(live, 1);
    waiting.cancel();
    yield();
    EXPECT_EQ(live, 0);
    EXPECT_TRUE(unstarted.is_cancelled() && waiting.is_cancelled());
  });
}

// SHU-01
TEST_P(Closures, ClosureIsDestroyedOnceOnShutdown) {
  int live = 0;
  EXPECT_THROW(run([&] {
                 spawn([tracked = Tracked(live)] { delay(1h); });
                 yield();
                 spawn([tracked = Tracked(live)] {});
                 throw std::runtime_error("main");
               }),
               std::runtime_error);
  EXPECT_EQ(live, 0);
}

// CTX-04
TEST_P(Closures, ThrowingClosureCopyLeaksNothing) {
  // The reserved stack and control block are released.
  RuntimeOptions options;
  options.max_stacks = 2;
  int live = 0;
  run(
      [&] {
        struct Body {
          Tracked tracked;
          void operator()() const {}
        };
        Body body{Tracked(live)};
        body.tracked.throws_on_copy = true;
        const Statistics before = statistics();
        for (int i = 0; i < 100; ++i) EXPECT_THROW(spawn(body), std::bad_alloc);
        EXPECT_EQ(live, 1);
        EXPECT_EQ(statistics().alive, 0u);
        EXPECT_EQ(statistics().spawned, before.spawned);
        EXPECT_EQ(statistics().ready, 0u);
        body.tracked.throws_on_copy = false;
        auto first = spawn(body);
        auto second = spawn(body);
        EXPECT_EQ(live, 3);
        await(first);
        await(second);
        EXPECT_EQ(live, 1);
      },
      options);
}

TEST_P(Closures, ResultLivesAsLongAsLastHandle) {
  int live = 0;
  run([&] {
    auto task = spawn([&] { return Tracked(live); });
    await(task);
    EXPECT_EQ(live, 1);
    Coroutine untyped = task.coroutine();
    task = {};
    EXPECT_EQ(live, 1);
    untyped = {};
    EXPECT_EQ(live, 0);
    spawn([&] { return Tracked(live); });  // without a handle
    yield();
    EXPECT_EQ(live, 0);
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(Closures);

}  // namespace
}  // namespace trueasync::test
