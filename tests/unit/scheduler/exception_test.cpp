// C++ exceptions across suspensions (CTX-05, XC-01, XC-03): each coroutine has exception state of its own.
#include <exception>

#include "unit/scheduler/manual_event.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class Exceptions : public ReactorTest {};

std::string current_text() {
  try {
    throw;
  } catch (const std::exception& error) {
    return error.what();
  }
}

// CTX-05 XC-01
TEST_P(Exceptions, ACatchBlockMaySuspendWhileOthersThrow) {
  run([] {
    std::vector<Task<void>> tasks;
    for (int i = 0; i < 50; ++i) {
      tasks.push_back(spawn([i] {
        const std::string mine = "error number " + std::to_string(i);
        for (int round = 0; round < 5; ++round) {
          try {
            throw std::runtime_error(mine);
          } catch (const std::runtime_error& error) {
            // They leave in another order than they came in.
            for (int pause = 0; pause <= (i * 7 + round) % 5; ++pause) yield();
            if (i % 10 == 0) delay(100us);
            EXPECT_EQ(error.what(), mine);
            EXPECT_EQ(current_text(), mine);
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
            for (int pause = 0; pause <= i % 3; ++pause) yield();
            EXPECT_EQ(current_text(), inner);
          }
          yield();
          EXPECT_EQ(current_text(), outer);
        }
      }));
    }
    for (auto& task : tasks) await(task);
  });
}

// Suspends in its destructor.
struct Pause {
  int times;
  int* seen;
  ~Pause() {
    const int before = std::uncaught_exceptions();
    for (int i = 0; i < times; ++i) yield();
    *seen = std::uncaught_exceptions();
    EXPECT_EQ(before, *seen);
  }
};

// CTX-05 XC-01 XC-03
TEST_P(Exceptions, ADestructorMaySuspendDuringUnwinding) {
  run([] {
    std::vector<Task<void>> tasks;
    for (int i = 0; i < 30; ++i) {
      tasks.push_back(spawn([i] {
        int seen = -1;
        try {
          Pause pause{1 + i % 4, &seen};
          if (i % 2) throw std::runtime_error(std::to_string(i));
        } catch (const std::runtime_error& error) {
          EXPECT_EQ(error.what(), std::to_string(i));
        }
        // One in flight for those that threw, none for the others that ran in between.
        EXPECT_EQ(seen, i % 2);
        EXPECT_EQ(std::uncaught_exceptions(), 0);
      }));
    }
    for (auto& task : tasks) await(task);
  });
}

// CTX-05
TEST_P(Exceptions, UnwindingMayRunAWholeTryCatchThatSuspends) {
  // Nested unwinding.
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
TEST_P(Exceptions, ACancellationUnwindsLikeAnyException) {
  // Scope guards see the unwind, also after they have suspended.
  run([] {
    int in_flight = -1;
    auto task = spawn([&] {
      Pause pause{3, &in_flight};
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
TEST_P(Exceptions, ANewCoroutineStartsWithCleanState) {
  // Also when it takes over a context or is started from within a catch block.
  run([] {
    try {
      throw std::runtime_error("mine");
    } catch (const std::runtime_error&) {
      std::vector<Task<void>> tasks;
      for (int i = 0; i < 3; ++i) {
        tasks.push_back(spawn([] {
          EXPECT_EQ(std::current_exception(), nullptr);
          EXPECT_EQ(std::uncaught_exceptions(), 0);
          throw std::logic_error("theirs");
        }));
      }
      for (auto& task : tasks) {
        EXPECT_THROW(await(task), std::logic_error);
        EXPECT_EQ(current_text(), "mine");
      }
    }
  });
}

// CTX-05
TEST_P(Exceptions, RethrowingAfterASuspensionKeepsTheException) {
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
TEST_P(Exceptions, ExceptionPointersTravelBetweenCoroutines) {
  run([] {
    std::exception_ptr kept;
    await(spawn([&] {
      try {
        throw std::runtime_error("carried");
      } catch (...) {
        kept = std::current_exception();
        yield();
      }
    }));
    auto again = spawn([&] { std::rethrow_exception(kept); });
    EXPECT_THROW(await(again), std::runtime_error);
    kept = nullptr;
    EXPECT_THROW(await(again), std::runtime_error);
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(Exceptions);

}  // namespace
}  // namespace trueasync::test
