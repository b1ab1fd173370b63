// C++ exceptions across switches.
#include <gtest/gtest.h>

#include <deque>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "test_coroutine.hpp"

namespace trueasync::detail {
namespace {

std::string current_text() {
  try {
    throw;
  } catch (const std::exception& error) {
    return error.what();
  }
}

class Exceptions : public testing::Test {
 protected:
  // The thread's own exception state is unchanged.
  ~Exceptions() override {
    EXPECT_EQ(std::uncaught_exceptions(), 0);
    EXPECT_EQ(std::current_exception(), nullptr);
  }
  StackPool pool_{StackPoolOptions{}};
};

// CTX-05 XC-01 XC-02: the handlers end in a different order than they started.
TEST_F(Exceptions, SuspendInsideCatchKeepsOwnException) {
  std::vector<std::string> seen;
  auto body = [&](const char* text) {
    return [&seen, text](TestCoroutine& self) {
      try {
        throw std::runtime_error(text);
      } catch (const std::exception& error) {
        self.yield();
        seen.push_back(current_text());
        EXPECT_STREQ(error.what(), text);
      }
      EXPECT_EQ(std::current_exception(), nullptr);
    };
  };
  TestCoroutine one(pool_, body("one")), two(pool_, body("two")), three(pool_, body("three"));
  one.resume(), two.resume(), three.resume();
  EXPECT_EQ(std::current_exception(), nullptr);
  two.resume(), one.resume(), three.resume();
  EXPECT_EQ(seen, (std::vector<std::string>{"two", "one", "three"}));
}

// CTX-05 XC-01
TEST_F(Exceptions, RethrowAfterSuspendThrowsOwnException) {
  std::string caught;
  TestCoroutine one(pool_, [&](TestCoroutine& self) {
    try {
      try {
        throw std::runtime_error("mine");
      } catch (...) {
        self.yield();
        throw;
      }
    } catch (const std::runtime_error& error) {
      caught = error.what();
    }
  });
  TestCoroutine two(pool_, [&](TestCoroutine& self) {
    try {
      throw std::logic_error("another");
    } catch (...) {
      self.yield();
    }
  });
  one.resume(), two.resume();
  one.resume(), two.resume();
  EXPECT_EQ(caught, "mine");
}

struct YieldInDestructor {
  TestCoroutine& coroutine;
  std::vector<int>& counts;
  ~YieldInDestructor() {
    counts.push_back(std::uncaught_exceptions());
    coroutine.yield();
    counts.push_back(std::uncaught_exceptions());
  }
};

// CTX-05 XC-01 XC-03: scope guards call uncaught_exceptions(), which must return the count of their own context.
TEST_F(Exceptions, SuspendDuringUnwindingKeepsUncaughtCount) {
  std::vector<int> first, second;
  auto body = [](std::vector<int>& counts) {
    return [&counts](TestCoroutine& self) {
      try {
        YieldInDestructor guard{self, counts};
        throw std::runtime_error("unwinding");
      } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "unwinding");
      }
      counts.push_back(std::uncaught_exceptions());
    };
  };
  TestCoroutine one(pool_, body(first)), two(pool_, body(second));
  one.resume();
  EXPECT_EQ(std::uncaught_exceptions(), 0);
  two.resume();
  EXPECT_EQ(std::uncaught_exceptions(), 0);
  one.resume(), two.resume();
  EXPECT_EQ(first, (std::vector<int>{1, 1, 0}));
  EXPECT_EQ(second, (std::vector<int>{1, 1, 0}));
}

// CTX-05 XC-02: other contexts throw, catch and finish while one context unwinds.
TEST_F(Exceptions, OtherContextsRunCompletelyDuringUnwinding) {
  std::vector<int> counts;
  TestCoroutine unwinding(pool_, [&](TestCoroutine& self) {
    try {
      YieldInDestructor guard{self, counts};
      throw 1;
    } catch (int) {
    }
  });
  unwinding.resume();
  for (int i = 0; i < 10; ++i) {
    int caught = 0;
    TestCoroutine other(pool_, [&](TestCoroutine& self) {
      try {
        throw i;
      } catch (int value) {
        self.yield();
        caught = value;
      }
      EXPECT_EQ(std::uncaught_exceptions(), 0);
    });
    other.resume(), other.resume();
    EXPECT_EQ(caught, i);
  }
  unwinding.resume();
  EXPECT_EQ(counts, (std::vector<int>{1, 1}));
}

// CTX-05 XC-01
TEST_F(Exceptions, NestedHandlersSuspendAtEveryLevel) {
  auto body = [](TestCoroutine& self) {
    try {
      throw std::runtime_error("outer");
    } catch (...) {
      self.yield();
      try {
        throw std::runtime_error("inner");
      } catch (...) {
        self.yield();
        EXPECT_EQ(current_text(), "inner");
      }
      self.yield();
      EXPECT_EQ(current_text(), "outer");
    }
  };
  std::deque<TestCoroutine> coroutines;
  for (int i = 0; i < 4; ++i) coroutines.emplace_back(pool_, body);
  for (int round = 0; round < 4; ++round)
    for (TestCoroutine& coroutine : coroutines) coroutine.resume();
}

// CTX-05 XC-02: main handles an exception while other contexts start, throw and finish.
TEST_F(Exceptions, HandlerOfThreadStackIsUnaffected) {
  try {
    throw std::runtime_error("main");
  } catch (const std::runtime_error&) {
    TestCoroutine coroutine(pool_, [&](TestCoroutine& self) {
      EXPECT_EQ(std::current_exception(), nullptr);
      try {
        throw std::logic_error("coroutine");
      } catch (...) {
        self.yield();
      }
    });
    coroutine.resume();
    EXPECT_EQ(current_text(), "main");
    coroutine.resume();
    EXPECT_EQ(current_text(), "main");
  }
}

}  // namespace
}  // namespace trueasync::detail
