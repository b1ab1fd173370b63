// Closures and results: what may be spawned, and that each lives and dies exactly once.
#include <array>

#include "unit/scheduler/manual_event.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

// Counts how many of it live; a copy that may fail.
struct Tracked {
  explicit Tracked(int& alive) : alive_(&alive) { ++*alive_; }
  Tracked(const Tracked& other) : alive_(other.alive_), throws_on_copy(other.throws_on_copy) {
    if (throws_on_copy) throw std::bad_alloc();
    ++*alive_;
  }
  Tracked(Tracked&& other) noexcept : alive_(other.alive_), throws_on_copy(other.throws_on_copy) { ++*alive_; }
  ~Tracked() { --*alive_; }

  int* alive_;
  bool throws_on_copy = false;
};

class Closures : public ReactorTest {};

TEST_P(Closures, MayBeMoveOnlyAndSoMayResults) {
  run([] {
    auto number = std::make_unique<int>(41);
    auto task = spawn([number = std::move(number)] { return std::make_unique<int>(*number + 1); });
    std::unique_ptr<int> result = await(std::move(task));
    EXPECT_EQ(*result, 42);
  });
}

TEST_P(Closures, MayReturnNothing) {
  run([] {
    bool ran = false;
    auto task = spawn([&] { ran = true; });
    static_assert(std::is_same_v<decltype(task), Task<void>>);
    await(task);
    await(task);
    EXPECT_TRUE(ran);
  });
}

TEST_P(Closures, AResultIsCopiedFromANamedTaskAndMovedOutOfATemporary) {
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

TEST_P(Closures, MayBeLarge) {
  run([] {
    std::array<std::uint64_t, 1000> big{};
    big[999] = 5;
    auto task = spawn([big] {
      yield();
      return big;
    });
    big[999] = 6;
    EXPECT_EQ(await(task)[999], 5u);
    // Just at and just above what fits into the record.
    std::array<char, 56> fits{};
    std::array<char, 57> does_not{};
    fits[55] = 'a';
    does_not[56] = 'b';
    EXPECT_EQ(await(spawn([fits] { return fits[55]; })), 'a');
    EXPECT_EQ(await(spawn([does_not] { return does_not[56]; })), 'b');
  });
}

TEST_P(Closures, MayBeOverAligned) {
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
      std::uintptr_t rest() const { return reinterpret_cast<std::uintptr_t>(this) % 16; }
    };
    EXPECT_EQ(await(spawn([small = Small{}] { return small.rest(); })), 0u);
  });
}

TEST_P(Closures, DieOnceWhenTheCoroutineHasFinished) {
  int alive = 0;
  run([&] {
    auto task = spawn([&alive, tracked = Tracked(alive)] {
      yield();
      return alive;
    });
    EXPECT_EQ(await(task), 1);
    EXPECT_EQ(alive, 0);  // with the coroutine's end, not with the handle
  });
  EXPECT_EQ(alive, 0);
}

TEST_P(Closures, DieOnceWhenTheCoroutineThrew) {
  int alive = 0;
  run([&] {
    auto task = spawn([tracked = Tracked(alive)] {
      yield();
      throw std::runtime_error("x");
    });
    EXPECT_THROW(await(task), std::runtime_error);
    EXPECT_EQ(alive, 0);
  });
}

// CXL-01
TEST_P(Closures, DieOnceWhenTheCoroutineIsCancelled) {
  int alive = 0;
  run([&] {
    auto unstarted = spawn([tracked = Tracked(alive)] { FAIL() << "it was cancelled before its start"; });
    auto waiting = spawn([tracked = Tracked(alive)] { delay(1h); });
    EXPECT_EQ(alive, 2);
    unstarted.cancel();
    unstarted.cancel();
    yield();
    EXPECT_EQ(alive, 1);
    waiting.cancel();
    yield();
    EXPECT_EQ(alive, 0);
    EXPECT_TRUE(unstarted.is_cancelled() && waiting.is_cancelled());
  });
}

// SHU-01
TEST_P(Closures, DieOnceInAShutdown) {
  int alive = 0;
  EXPECT_THROW(run([&] {
                 spawn([tracked = Tracked(alive)] { delay(1h); });
                 yield();
                 spawn([tracked = Tracked(alive)] {});
                 throw std::runtime_error("main");
               }),
               std::runtime_error);
  EXPECT_EQ(alive, 0);
}

// CTX-04
TEST_P(Closures, AConstructorThatThrowsLosesNothing) {
  // The place that was prepared is given back.
  RuntimeOptions options;
  options.max_stacks = 2;
  int alive = 0;
  run(
      [&] {
        struct Body {
          Tracked tracked;
          void operator()() const {}
        };
        Body body{Tracked(alive)};
        body.tracked.throws_on_copy = true;
        const Statistics before = statistics();
        for (int i = 0; i < 100; ++i) EXPECT_THROW(spawn(body), std::bad_alloc);
        EXPECT_EQ(alive, 1);
        EXPECT_EQ(statistics().alive, 0u);
        EXPECT_EQ(statistics().spawned, before.spawned);
        EXPECT_EQ(statistics().ready, 0u);
        body.tracked.throws_on_copy = false;
        auto first = spawn(body);
        auto second = spawn(body);
        EXPECT_EQ(alive, 3);
        await(first);
        await(second);
        EXPECT_EQ(alive, 1);
      },
      options);
}

TEST_P(Closures, AResultLivesAsLongAsAHandle) {
  int alive = 0;
  run([&] {
    auto task = spawn([&] { return Tracked(alive); });
    await(task);
    EXPECT_EQ(alive, 1);
    Coroutine untyped = task.coroutine();
    task = {};
    EXPECT_EQ(alive, 1);
    untyped = {};
    EXPECT_EQ(alive, 0);
    spawn([&] { return Tracked(alive); });  // nobody keeps a handle
    yield();
    EXPECT_EQ(alive, 0);
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(Closures);

}  // namespace
}  // namespace trueasync::test
