// Errors that nobody awaits: when they count as unhandled, and who hears of them.
#include <gtest/gtest.h>

#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class UnhandledError : public ReactorTest {
 protected:
  // Options whose handler notes every error and deals with it.
  RuntimeOptions noting(std::vector<std::string>& heard) {
    RuntimeOptions options;
    options.on_unhandled = [&heard](const Coroutine& coroutine, std::exception_ptr error) {
      try {
        std::rethrow_exception(error);
      } catch (const std::exception& e) {
        heard.push_back(std::string(coroutine.name()) + ": " + e.what());
      }
      return true;
    };
    return options;
  }
};
TRUEASYNC_TEST_ON_ALL_REACTORS(UnhandledError);

// AW-03
TEST_P(UnhandledError, IsStoredAndDeliveredToALaterAwait) {
  std::vector<std::string> heard;
  run(
      [] {
        auto task = spawn([] { throw std::out_of_range("late"); });
        for (int i = 0; i < 5; ++i) yield();
        EXPECT_TRUE(task.is_finished());
        EXPECT_THROW(await(task), std::out_of_range);
      },
      noting(heard));
  EXPECT_TRUE(heard.empty()) << "delivered once, to the awaiter, and nowhere else";
}

// AW-03
TEST_P(UnhandledError, SurfacesOnlyWhenTheLastHandleIsGone) {
  std::vector<std::string> heard;
  run(
      [&] {
        Coroutine other_handle;
        {
          auto task = spawn({.name = "orphan"}, [] { throw std::runtime_error("lost"); });
          other_handle = task.coroutine();
          yield();
        }
        yield();
        EXPECT_TRUE(heard.empty()) << "somebody could still await it";
        other_handle = {};
        EXPECT_EQ(heard, std::vector<std::string>{"orphan: lost"});
        yield();
        EXPECT_EQ(heard.size(), 1u);
      },
      noting(heard));
}

// AW-03 R3
TEST_P(UnhandledError, ClaimedByAnAwaiterOnlyOnce) {
  // Two awaiters hear it, the runtime does not.
  std::vector<std::string> heard;
  run(
      [] {
        auto task = spawn([] {
          delay(1ms);
          throw std::out_of_range("shared");
        });
        int told = 0;
        auto listen = [&] {
          try {
            await(task);
          } catch (const std::out_of_range&) {
            ++told;
          }
        };
        auto a = spawn(listen);
        auto b = spawn(listen);
        await(a);
        await(b);
        EXPECT_EQ(told, 2);
      },
      noting(heard));
  EXPECT_TRUE(heard.empty());
}

// AW-04
TEST_P(UnhandledError, ClaimMadeInALateHookCounts) {
  // Awaited from a switch handler's sibling, a microtask's coroutine, a destructor – any time before the last
  // handle goes.
  std::vector<std::string> heard;
  run(
      [] {
        auto task = std::make_shared<Task<void>>(spawn([] { throw std::runtime_error("late claim"); }));
        yield();
        struct Claims {
          std::shared_ptr<Task<void>> task;
          ~Claims() {
            try {
              await(*task);
              ADD_FAILURE() << "it failed";
            } catch (const std::runtime_error&) {
            }
          }
        };
        auto claimer = spawn([claims = std::make_unique<Claims>(Claims{task})] {});
        task.reset();
        await(claimer);
      },
      noting(heard));
  EXPECT_TRUE(heard.empty());
}

// SHU-01
TEST_P(UnhandledError, HandlerThatDealsWithItKeepsTheProgramRunning) {
  std::vector<std::string> heard;
  const int result = run(
      [] {
        for (const char* name : {"a", "b"}) spawn({.name = name}, [] { throw std::runtime_error("x"); });
        delay(1ms);
        return 3;
      },
      noting(heard));
  EXPECT_EQ(result, 3);
  EXPECT_EQ(heard, (std::vector<std::string>{"a: x", "b: x"}));
}

// AW-04
TEST_P(UnhandledError, HandlerMayKeepTheHandleAndAskIt) {
  Coroutine kept;
  RuntimeOptions options;
  options.on_unhandled = [&](const Coroutine& coroutine, std::exception_ptr) {
    kept = coroutine;
    return true;
  };
  run(
      [] {
        spawn({.name = "kept"}, [] { throw std::runtime_error("x"); });
        yield();
      },
      options);
  EXPECT_EQ(kept.name(), "kept");
  EXPECT_TRUE(kept.is_finished());
  EXPECT_FALSE(kept.is_cancelled());
}

// SHU-01
TEST_P(UnhandledError, HandlerThatDeclinesLetsItGoOutOfRun) {
  RuntimeOptions options;
  int asked = 0;
  options.on_unhandled = [&](const Coroutine&, std::exception_ptr) {
    ++asked;
    return false;
  };
  EXPECT_THROW(run(
                   [] {
                     spawn([] { throw std::range_error("x"); });
                     delay(24h);
                   },
                   options),
               std::range_error);
  EXPECT_EQ(asked, 1);
}

TEST_P(UnhandledError, HandlerThatThrowsReplacesTheError) {
  RuntimeOptions options;
  options.on_unhandled = [](const Coroutine&, std::exception_ptr) -> bool { throw std::logic_error("handler"); };
  EXPECT_THROW(run(
                   [] {
                     spawn([] { throw std::range_error("x"); });
                     delay(24h);
                   },
                   options),
               std::logic_error);
}

// MIC-03
TEST_P(UnhandledError, MicrotasksErrorIsUnhandledToo) {
  EXPECT_THROW(run([] {
                 queue_microtask([] { throw std::underflow_error("microtask"); });
                 delay(24h);
               }),
               std::underflow_error);
}

// CXL-02
TEST_P(UnhandledError, CancellationIsNone) {
  std::vector<std::string> heard;
  run(
      [] {
        spawn([] { delay(24h); }).cancel();
        auto task = spawn([] { delay(24h); });
        yield();
        task.cancel();
      },
      noting(heard));
  EXPECT_TRUE(heard.empty());
}

}  // namespace
}  // namespace trueasync::test
