// Unobserved errors: when they become unhandled, and the handler that gets them.
#include <gtest/gtest.h>

#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class UnhandledError : public ReactorTest {
 protected:
  // Options with a handler that records and handles every error.
  RuntimeOptions recording(std::vector<std::string>& unhandled) {
    RuntimeOptions options;
    options.on_unhandled = [&unhandled](const Coroutine& coroutine, std::exception_ptr error) {
      try {
        std::rethrow_exception(error);
      } catch (const std::exception& e) {
        unhandled.push_back(std::string(coroutine.name()) + ": " + e.what());
      }
      return true;
    };
    return options;
  }
};
TRUEASYNC_TEST_ON_ALL_REACTORS(UnhandledError);

// AW-03
TEST_P(UnhandledError, LaterAwaitObservesError) {
  std::vector<std::string> unhandled;
  run(
      [] {
        auto task = spawn([] { throw std::out_of_range("late"); });
        for (int i = 0; i < 5; ++i) yield();
        EXPECT_TRUE(task.is_finished());
        EXPECT_THROW(await(task), std::out_of_range);
      },
      recording(unhandled));
  EXPECT_TRUE(unhandled.empty()) << "only the awaiter gets the error";
}

// AW-03
TEST_P(UnhandledError, IsReportedWhenLastHandleIsDestroyed) {
  std::vector<std::string> unhandled;
  run(
      [&] {
        Coroutine other_handle;
        {
          auto task = spawn({.name = "orphan"}, [] { throw std::runtime_error("failed"); });
          other_handle = task.coroutine();
          yield();
        }
        yield();
        EXPECT_TRUE(unhandled.empty()) << "the other handle can still await it";
        other_handle = {};
        EXPECT_EQ(unhandled, std::vector<std::string>{"orphan: failed"});
        yield();
        EXPECT_EQ(unhandled.size(), 1u);
      },
      recording(unhandled));
}

// AW-03 R3
TEST_P(UnhandledError, AllAwaitersObserveError) {
  // Both awaiters get the error, the handler does not.
  std::vector<std::string> unhandled;
  run(
      [] {
        auto task = spawn([] {
          delay(1ms);
          throw std::out_of_range("shared");
        });
        int caught = 0;
        auto await_task = [&] {
          try {
            await(task);
          } catch (const std::out_of_range&) {
            ++caught;
          }
        };
        auto a = spawn(await_task);
        auto b = spawn(await_task);
        await(a);
        await(b);
        EXPECT_EQ(caught, 2);
      },
      recording(unhandled));
  EXPECT_TRUE(unhandled.empty());
}

// AW-04
TEST_P(UnhandledError, AwaitInDestructorObservesError) {
  // An await before the last handle is destroyed observes the error. Here a destructor awaits.
  std::vector<std::string> unhandled;
  run(
      [] {
        auto task = std::make_shared<Task<void>>(spawn([] { throw std::runtime_error("failed"); }));
        yield();
        struct AwaitsInDestructor {
          std::shared_ptr<Task<void>> task;
          ~AwaitsInDestructor() {
            try {
              await(*task);
              ADD_FAILURE() << "await() must throw";
            } catch (const std::runtime_error&) {
            }
          }
        };
        auto awaiter = spawn([awaits = std::make_unique<AwaitsInDestructor>(AwaitsInDestructor{task})] {});
        task.reset();
        await(awaiter);
      },
      recording(unhandled));
  EXPECT_TRUE(unhandled.empty());
}

// SHU-01
TEST_P(UnhandledError, HandlerThatReturnsTrueKeepsProgramRunning) {
  std::vector<std::string> unhandled;
  const int result = run(
      [] {
        for (const char* name : {"a", "b"}) spawn({.name = name}, [] { throw std::runtime_error("x"); });
        delay(1ms);
        return 3;
      },
      recording(unhandled));
  EXPECT_EQ(result, 3);
  EXPECT_EQ(unhandled, (std::vector<std::string>{"a: x", "b: x"}));
}

// AW-04
TEST_P(UnhandledError, HandlerMayStoreCoroutineHandle) {
  Coroutine stored;
  RuntimeOptions options;
  options.on_unhandled = [&](const Coroutine& coroutine, std::exception_ptr) {
    stored = coroutine;
    return true;
  };
  run(
      [] {
        spawn({.name = "failing"}, [] { throw std::runtime_error("x"); });
        yield();
      },
      options);
  EXPECT_EQ(stored.name(), "failing");
  EXPECT_TRUE(stored.is_finished());
  EXPECT_FALSE(stored.is_cancelled());
}

// SHU-01
TEST_P(UnhandledError, HandlerThatReturnsFalseLetsRunThrow) {
  RuntimeOptions options;
  int calls = 0;
  options.on_unhandled = [&](const Coroutine&, std::exception_ptr) {
    ++calls;
    return false;
  };
  EXPECT_THROW(run(
                   [] {
                     spawn([] { throw std::range_error("x"); });
                     delay(24h);
                   },
                   options),
               std::range_error);
  EXPECT_EQ(calls, 1);
}

TEST_P(UnhandledError, ExceptionOfHandlerReplacesError) {
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
TEST_P(UnhandledError, ErrorOfMicrotaskIsUnhandled) {
  EXPECT_THROW(run([] {
                 queue_microtask([] { throw std::underflow_error("microtask"); });
                 delay(24h);
               }),
               std::underflow_error);
}

// CXL-02
TEST_P(UnhandledError, CancellationIsNotAnError) {
  std::vector<std::string> unhandled;
  run(
      [] {
        spawn([] { delay(24h); }).cancel();
        auto task = spawn([] { delay(24h); });
        yield();
        task.cancel();
      },
      recording(unhandled));
  EXPECT_TRUE(unhandled.empty());
}

}  // namespace
}  // namespace trueasync::test
