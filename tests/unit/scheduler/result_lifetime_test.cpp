// Results that nobody takes, and what their destructors may do.
#include <optional>

#include "manual_event.hpp"

namespace trueasync::test {
namespace {

class ResultLifetime : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(ResultLifetime);

// Runs `action` exactly once, when the last of it goes.
template <class F>
class AtTheEnd {
 public:
  explicit AtTheEnd(F action) : action_(std::move(action)) {}
  AtTheEnd(AtTheEnd&& other) noexcept : action_(std::exchange(other.action_, std::nullopt)) {}
  ~AtTheEnd() {
    if (action_) (*action_)();
  }

 private:
  std::optional<F> action_;
};

TEST_P(ResultLifetime, DestructorOfAResultNobodyTookMayAskWhoRuns) {
  int died = 0;
  run([&] {
    spawn([&] {
      return AtTheEnd([&] {
        ++died;
        Coroutine who = current_coroutine();
        EXPECT_TRUE(who);
        Coroutine copy = who;
        EXPECT_EQ(copy.id(), who.id());
      });
    });
    yield();
    EXPECT_EQ(died, 1);
  });
  EXPECT_EQ(died, 1);
}

TEST_P(ResultLifetime, HandleTakenInThatDestructorStaysGood) {
  int died = 0;
  Coroutine kept;
  run([&] {
    spawn([&] {
      return AtTheEnd([&] {
        ++died;
        kept = current_coroutine();
      });
    });
    yield();
    ASSERT_TRUE(kept);
    EXPECT_NE(kept.id(), 0u);
    EXPECT_NO_THROW(kept.cancel());
    kept = {};
  });
  EXPECT_EQ(died, 1);
}

TEST_P(ResultLifetime, DestructorOfAResultMaySpawn) {
  int died = 0;
  int ran = 0;
  run([&] {
    spawn([&] {
      return AtTheEnd([&] {
        ++died;
        spawn([&] { ++ran; });
      });
    });
    yield();
  });
  EXPECT_EQ(died, 1);
  EXPECT_EQ(ran, 1);
}

TEST_P(ResultLifetime, DestructorOfAResultCannotSuspend) {
  int refused = 0;
  run([&] {
    spawn([&] {
      return AtTheEnd([&] {
        try {
          yield();
        } catch (const MisuseError&) {
          ++refused;
        }
      });
    });
    yield();
  });
  EXPECT_EQ(refused, 1);
}

TEST_P(ResultLifetime, ResultLetGoByAnotherCoroutineDiesInThatOne) {
  std::uint64_t where = 0;
  run([&] {
    auto task = spawn([&] { return AtTheEnd([&] { where = current_coroutine().id(); }); });
    yield();
    const auto letting_go = spawn([&] { task = decltype(task)(); });
    await(letting_go);
    EXPECT_EQ(where, letting_go.id());
  });
}

}  // namespace
}  // namespace trueasync::test
