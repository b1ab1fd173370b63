// C++ exceptions across suspensions: each coroutine has its own exception state.
#include <exception>

#include "scheduler_fixture.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class Exceptions : public ReactorTest {};

std::string current_message() {
  try {
    throw;
  } catch (const std::exception& error) {
    return error.what();
  }
}

// CTX-05 XC-01
TEST_P(Exceptions, CatchBlockMaySuspendWhileOtherCoroutinesThrow) {
  run([] {
    std::vector<Task<void>> tasks;
    for (int i = 0; i < 50; ++i) {
      tasks.push_back(spawn([i] {
        const std::string message = "error number " + std::to_string(i);
        for (int round = 0; round < 5; ++round) {
          try {
            throw std::runtime_error(message);
          } catch (const std::runtime_error& error) {
            // The coroutines leave the catch blocks in another order than they entered them.
            for (int n = 0; n <= (i * 7 + round) % 5; ++n) yield();
            if (i % 10 == 0) delay(100us);
            EXPECT_EQ(error.what(), message);
            EXPECT_EQ(current_message(), message);
          }
          EXPECT_EQ(std::current_exception(), nullptr);
        }
      }));
    }
    for (auto& task : tasks) await(task);
  });
}

// CTX-05 XC-01
TEST_P(Exceptions, NestedCatchBlocksMaySuspend) {
  run([] {
    std::vector<Task<void>> tasks;
    for (int i = 0; i < 20; ++i) {
      tasks.push_back(spawn([i] {
        const std::string outer = "outer " + std::to_string(i);
        const std::string inner = "inner " + std::to_string(i);
        try {
          throw std::runtime_error(outer);
        } catch (...) {
          yield();
          try {
            yield();
            throw std::logic_error(inner);
          } catch (...) {
            for (int n = 0; n <= i % 3; ++n) yield();
            EXPECT_EQ(current_message(), inner);
          }
          yield();
          EXPECT_EQ(current_message(), outer);
        }
      }));
    }
    for (auto& task : tasks) await(task);
  });
}

// Suspends in its destructor and records the number of exceptions in flight there.
struct SuspendsInDestructor {
  int suspensions;
  int* in_flight;
  ~SuspendsInDestructor() {
    const int before = std::uncaught_exceptions();
    for (int i = 0; i < suspensions; ++i) yield();
    *in_flight = std::uncaught_exceptions();
    EXPECT_EQ(before, *in_flight);
  }
};

// CTX-05 XC-01 XC-03
TEST_P(Exceptions, DestructorMaySuspendDuringUnwinding) {
  run([] {
    std::vector<Task<void>> tasks;
    for (int i = 0; i < 30; ++i) {
      tasks.push_back(spawn([i] {
        int in_flight = -1;
        try {
          SuspendsInDestructor guard{1 + i % 4, &in_flight};
          if (i % 2) throw std::runtime_error(std::to_string(i));
        } catch (const std::runtime_error& error) {
          EXPECT_EQ(error.what(), std::to_string(i));
        }
        // Coroutines with an odd number threw. The exceptions of other coroutines are not counted.
        EXPECT_EQ(in_flight, i % 2);
        EXPECT_EQ(std::uncaught_exceptions(), 0);
      }));
    }
    for (auto& task : tasks) await(task);
  });
}

// CTX-05
TEST_P(Exceptions, DestructorMayThrowCatchAndSuspendDuringUnwinding) {
  run([] {
    struct Cleanup {
      std::string* log;
      ~Cleanup() {
        try {
          yield();
          EXPECT_EQ(std::uncaught_exceptions(), 1);
          throw std::logic_error("cleanup");
        } catch (const std::logic_error& error) {
          yield();
          *log += error.what();
        }
      }
    };
    std::vector<Task<std::string>> tasks;
    for (int i = 0; i < 10; ++i) {
      tasks.push_back(spawn([]() -> std::string {
        std::string log;
        try {
          Cleanup cleanup{&log};
          throw std::runtime_error(" body");
        } catch (const std::runtime_error& error) {
          yield();
          return log + error.what();
        }
      }));
    }
    for (auto& task : tasks) EXPECT_EQ(await(task), "cleanup body");
  });
}

// XC-03
TEST_P(Exceptions, CancellationUnwindsLikeException) {
  // Scope guards see the exception in flight even after they have suspended.
  run([] {
    int in_flight = -1;
    auto task = spawn([&] {
      SuspendsInDestructor guard{3, &in_flight};
      delay(1h);
    });
    yield();
    task.cancel();
    EXPECT_THROW(await(task), Cancelled);
    EXPECT_EQ(in_flight, 1);
    EXPECT_EQ(std::uncaught_exceptions(), 0);
  });
}

// XC-01
TEST_P(Exceptions, NewCoroutineStartsWithCleanExceptionState) {
  // Even if it takes over the context of a finished coroutine or starts while another one is in a catch block.
  run([] {
    try {
      throw std::runtime_error("outer");
    } catch (const std::runtime_error&) {
      std::vector<Task<void>> tasks;
      for (int i = 0; i < 3; ++i) {
        tasks.push_back(spawn([] {
          EXPECT_EQ(std::current_exception(), nullptr);
          EXPECT_EQ(std::uncaught_exceptions(), 0);
          throw std::logic_error("inner");
        }));
      }
      for (auto& task : tasks) {
        EXPECT_THROW(await(task), std::logic_error);
        EXPECT_EQ(current_message(), "outer");
      }
    }
  });
}

// CTX-05
TEST_P(Exceptions, RethrowAfterSuspensionKeepsException) {
  run([] {
    auto task = spawn([] {
      try {
        throw std::out_of_range("far");
      } catch (...) {
        delay(1ms);
        throw;
      }
    });
    auto other = spawn([] {
      try {
        throw 1;
      } catch (int) {
        delay(2ms);
      }
    });
    try {
      await(task);
      FAIL() << "nothing was thrown";
    } catch (const std::out_of_range& error) {
      await(other);
      EXPECT_STREQ(error.what(), "far");
    }
  });
}

// XC-01 R3
TEST_P(Exceptions, ExceptionPointerMayBeRethrownInAnotherCoroutine) {
  run([] {
    std::exception_ptr stored;
    await(spawn([&] {
      try {
        throw std::runtime_error("stored");
      } catch (...) {
        stored = std::current_exception();
        yield();
      }
    }));
    auto again = spawn([&] { std::rethrow_exception(stored); });
    EXPECT_THROW(await(again), std::runtime_error);
    stored = nullptr;
    EXPECT_THROW(await(again), std::runtime_error);
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(Exceptions);

}  // namespace
}  // namespace trueasync::test
