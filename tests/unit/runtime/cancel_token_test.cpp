// Tokens: an event that ends a wait, told apart from a failure of what was awaited.
#include <gtest/gtest.h>

#include "manual_event.hpp"
#include "support/reactor_test.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class CancelToken : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(CancelToken);

std::string cause_of(const OperationCancelled& cancelled) {
  if (!cancelled.cause()) return "";
  try {
    std::rethrow_exception(cancelled.cause());
  } catch (const std::exception& error) {
    return error.what();
  }
}

// CXL-04 CA-03
TEST_P(CancelToken, WaitEndsWithTheTokensErrorAsCause) {
  run([] {
    auto token = ManualEvent::make();
    auto slow = spawn([] { delay(24h); });
    std::string cause;
    auto waiter = spawn([&] {
      try {
        await(slow, *token);
      } catch (const OperationCancelled& cancelled) {
        cause = cause_of(cancelled);
      }
    });
    yield();
    token->fire({0, std::make_exception_ptr(std::runtime_error("user pressed stop"))});
    await(waiter);
    EXPECT_EQ(cause, "user pressed stop");
    EXPECT_FALSE(slow.is_finished()) << "the token ends the wait, not the task";
    slow.cancel();
  });
}

// CXL-04
TEST_P(CancelToken, TimeoutIsATokenWithATimeoutAsCause) {
  run([] {
    auto slow = spawn([] { delay(24h); });
    try {
      await(slow, timeout(5ms));
      ADD_FAILURE() << "it must not end well";
    } catch (const OperationCancelled& cancelled) {
      EXPECT_THROW(std::rethrow_exception(cancelled.cause()), TimeoutError);
      EXPECT_EQ(cause_of(cancelled), "timeout of 5 ms");
    }
    slow.cancel();
  });
}

// CA-03
TEST_P(CancelToken, FailureOfTheAwaitedKeepsItsOwnType) {
  run([] {
    auto failing = spawn([] {
      delay(1ms);
      throw std::out_of_range("mine");
    });
    EXPECT_THROW(await(failing, timeout(24h)), std::out_of_range);
    auto cancelled = spawn([] { delay(24h); });
    yield();
    cancelled.cancel();
    try {
      await(cancelled, timeout(24h));
      ADD_FAILURE() << "it must not end well";
    } catch (const OperationCancelled&) {
      ADD_FAILURE() << "the token did not fire";
    } catch (const Cancelled&) {
    }
  });
}

// CXL-04 CA-01
TEST_P(CancelToken, WaiterIsNotCancelledByItsToken) {
  // Only the wait is over; later suspensions are free.
  run([] {
    auto slow = spawn([] { delay(24h); });
    auto waiter = spawn([&] {
      try {
        await(slow, timeout(1ms));
      } catch (const OperationCancelled&) {
      }
      yield();
      delay(1ms);
      return current_coroutine().is_cancellation_requested();
    });
    EXPECT_FALSE(await(waiter));
    slow.cancel();
  });
}

// CXL-04
TEST_P(CancelToken, CancellationOfTheWaiterIsNotTheTokens) {
  run([] {
    auto token = ManualEvent::make();
    auto slow = spawn([] { delay(24h); });
    bool told_as_token = false;
    auto waiter = spawn([&] {
      try {
        await(slow, *token);
      } catch (const OperationCancelled&) {
        told_as_token = true;
        throw;
      }
    });
    yield();
    waiter.cancel();
    EXPECT_THROW(await(waiter), Cancelled);
    EXPECT_FALSE(told_as_token);
    EXPECT_EQ(token->starts, 1);
    EXPECT_EQ(token->stops, 1) << "CA-05: stopped exactly once";
    slow.cancel();
  });
}

// CXL-04
TEST_P(CancelToken, TokenThatRanOutBeforeTheWaitEndsItAtOnce) {
  run([] {
    Timeout token(1ms);
    delay(5ms);
    auto slow = spawn([] { delay(24h); });
    EXPECT_THROW(await(slow, token), OperationCancelled);
    slow.cancel();
    auto slower = spawn([] { delay(24h); });
    EXPECT_THROW(await(slower, timeout(0ms)), OperationCancelled);
    EXPECT_THROW(await(slower, timeout(-1ms)), OperationCancelled);
    slower.cancel();
  });
}

TEST_P(CancelToken, FinishedTaskWinsOverAFiredToken) {
  run([] {
    Timeout token(1ms);
    auto quick = spawn([] { return 4; });
    delay(5ms);
    EXPECT_EQ(await(quick, token), 4);
  });
}

}  // namespace
}  // namespace trueasync::test
