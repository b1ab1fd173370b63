// Unobserved results: when they are destroyed and what their destructors may do.
#include <optional>

#include "scheduler_fixture.hpp"

namespace trueasync::test {
namespace {

class ResultLifetime : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(ResultLifetime);

// Calls `action` in its destructor, unless it was moved from.
template <class F>
class OnDestroy {
 public:
  explicit OnDestroy(F action) : action_(std::move(action)) {}
  OnDestroy(OnDestroy&& other) noexcept : action_(std::exchange(other.action_, std::nullopt)) {}
  ~OnDestroy() {
    if (action_) (*action_)();
  }

 private:
  std::optional<F> action_;
};

TEST_P(ResultLifetime, DestructorMayCallCurrentCoroutine) {
  int destroyed = 0;
  run([&] {
    spawn([&] {
      return OnDestroy([&] {
        ++destroyed;
        Coroutine current = current_coroutine();
        EXPECT_TRUE(current);
        Coroutine copy = current;
        EXPECT_EQ(copy.id(), current.id());
      });
    });
    yield();
    EXPECT_EQ(destroyed, 1);
  });
  EXPECT_EQ(destroyed, 1);
}

TEST_P(ResultLifetime, HandleTakenInDestructorStaysValid) {
  int destroyed = 0;
  Coroutine kept;
  run([&] {
    spawn([&] {
      return OnDestroy([&] {
        ++destroyed;
        kept = current_coroutine();
      });
    });
    yield();
    ASSERT_TRUE(kept);
    EXPECT_NE(kept.id(), 0u);
    EXPECT_NO_THROW(kept.cancel());
    kept = {};
  });
  EXPECT_EQ(destroyed, 1);
}

TEST_P(ResultLifetime, DestructorMaySpawn) {
  int destroyed = 0;
  int ran = 0;
  run([&] {
    spawn([&] {
      return OnDestroy([&] {
        ++destroyed;
        spawn([&] { ++ran; });
      });
    });
    yield();
  });
  EXPECT_EQ(destroyed, 1);
  EXPECT_EQ(ran, 1);
}

TEST_P(ResultLifetime, DestructorCannotSuspend) {
  int rejected = 0;
  run([&] {
    spawn([&] {
      return OnDestroy([&] {
        try {
          yield();
        } catch (const MisuseError&) {
          ++rejected;
        }
      });
    });
    yield();
  });
  EXPECT_EQ(rejected, 1);
}

TEST_P(ResultLifetime, ResultIsDestroyedByCoroutineThatReleasesTask) {
  std::uint64_t destroyed_in = 0;
  run([&] {
    auto task = spawn([&] { return OnDestroy([&] { destroyed_in = current_coroutine().id(); }); });
    yield();
    const auto releasing = spawn([&] { task = decltype(task)(); });
    await(releasing);
    EXPECT_EQ(destroyed_in, releasing.id());
  });
}

}  // namespace
}  // namespace trueasync::test
