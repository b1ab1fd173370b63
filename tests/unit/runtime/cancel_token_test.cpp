// Cancellation tokens: an event that ends a wait. The error differs from a failure of the awaited task.
#include <gtest/gtest.h>

#include "support/manual_event.hpp"
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
TEST_P(CancelToken, ErrorOfTokenIsTheCause) {
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
    token->fire(0, std::make_exception_ptr(std::runtime_error("user pressed stop")));
    await(waiter);
    EXPECT_EQ(cause, "user pressed stop");
    EXPECT_FALSE(slow.is_finished()) << "the token ends the wait, not the task";
    slow.cancel();
  });
}

// CXL-04
TEST_P(CancelToken, TimeoutErrorIsTheCauseOfTimeoutToken) {
  run([] {
    auto slow = spawn([] { delay(24h); });
    try {
      await(slow, timeout(5ms));
      ADD_FAILURE() << "await() must throw";
    } catch (const OperationCancelled& cancelled) {
      EXPECT_THROW(std::rethrow_exception(cancelled.cause()), TimeoutError);
      EXPECT_EQ(cause_of(cancelled), "timeout of 5 ms");
    }
    slow.cancel();
  });
}

// CA-03
TEST_P(CancelToken, ErrorOfAwaitedTaskKeepsItsType) {
  run([] {
    auto failing = spawn([] {
      delay(1ms);
      throw std::out_of_range("task failed");
    });
    EXPECT_THROW(await(failing, timeout(24h)), std::out_of_range);
    auto cancelled = spawn([] { delay(24h); });
    yield();
    cancelled.cancel();
    try {
      await(cancelled, timeout(24h));
      ADD_FAILURE() << "await() must throw";
    } catch (const OperationCancelled&) {
      ADD_FAILURE() << "the token did not fire";
    } catch (const Cancelled&) {
    }
  });
}

// CXL-04 CA-01
TEST_P(CancelToken, TokenDoesNotCancelWaiter) {
  // The token ends only one wait. Later suspensions do not throw.
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

// CXL-04 CA-05
TEST_P(CancelToken, CancelOfWaiterIsNotReportedAsToken) {
  run([] {
    auto token = ManualEvent::make();
    auto slow = spawn([] { delay(24h); });
    bool ended_by_token = false;
    auto waiter = spawn([&] {
      try {
        await(slow, *token);
      } catch (const OperationCancelled&) {
        ended_by_token = true;
        throw;
      }
    });
    yield();
    waiter.cancel();
    EXPECT_THROW(await(waiter), Cancelled);
    EXPECT_FALSE(ended_by_token);
    EXPECT_EQ(token->starts, 1);
    EXPECT_EQ(token->stops, 1) << "stopped exactly once";
    slow.cancel();
  });
}

// CXL-04
TEST_P(CancelToken, FiredTokenEndsWaitWithoutSuspending) {
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

TEST_P(CancelToken, FinishedTaskTakesPrecedenceOverFiredToken) {
  run([] {
    Timeout token(1ms);
    auto quick = spawn([] { return 4; });
    delay(5ms);
    EXPECT_EQ(await(quick, token), 4);
  });
}

}  // namespace
}  // namespace trueasync::test
