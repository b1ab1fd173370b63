// Switch handlers.
#include "trueasync/host.hpp"

#include "scheduler_fixture.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class SwitchHandlersTest : public ReactorTest {};

char letter(SwitchKind kind) {
  switch (kind) {
    case SwitchKind::enter:
      return 'E';
    case SwitchKind::leave:
      return 'L';
    case SwitchKind::finish:
      return 'F';
  }
  return '?';
}

// SWH-01
TEST_P(SwitchHandlersTest, AreCalledForSwitchesOfTheirCoroutine) {
  run([] {
    std::string log;
    auto watched = spawn([&] {
      log += '1';
      yield();
      log += '2';
      delay(1ms);
      log += '3';
    });
    add_switch_handler(watched.coroutine(), [&](const Coroutine& coroutine, SwitchKind kind) {
      EXPECT_EQ(coroutine, watched.coroutine());
      log += letter(kind);
      return true;
    });
    auto other = spawn([] {
      for (int i = 0; i < 3; ++i) yield();
    });
    await(watched);
    await(other);
    EXPECT_EQ(log, "E1LE2LE3F");
  });
}

// SWH-01
TEST_P(SwitchHandlersTest, FinishIsReportedAfterErrorAndCancel) {
  run([] {
    std::string log;
    auto log_switch = [&](const Coroutine&, SwitchKind kind) {
      log += letter(kind);
      return true;
    };
    auto fails = spawn([] { throw std::runtime_error("x"); });
    add_switch_handler(fails.coroutine(), log_switch);
    EXPECT_THROW(await(fails), std::runtime_error);
    EXPECT_EQ(log, "EF");

    log.clear();
    auto sleeping = spawn([] { delay(1h); });
    add_switch_handler(sleeping.coroutine(), log_switch);
    yield();
    sleeping.cancel();
    EXPECT_THROW(await(sleeping), Cancelled);
    EXPECT_EQ(log, "ELEF");
  });
}

// SWH-01 SUS-02
TEST_P(SwitchHandlersTest, WaitWithoutSuspensionCallsNone) {
  run([] {
    int calls = 0;
    auto done = spawn([] {});
    yield();
    const auto id = add_switch_handler([&](const Coroutine&, SwitchKind) {
      ++calls;
      return true;
    });
    await(done);
    yield();  // no other coroutine is ready
    EXPECT_EQ(calls, 0);
    EXPECT_TRUE(remove_switch_handler(current_coroutine(), id));
  });
}

// SWH-01
TEST_P(SwitchHandlersTest, ReturningFalseRemovesHandler) {
  run([] {
    std::string log;
    auto watched = spawn([] {
      for (int i = 0; i < 3; ++i) yield();
    });
    add_switch_handler(watched.coroutine(), [&, calls = 0](const Coroutine&, SwitchKind) mutable {
      log += 'a';
      return ++calls < 2;
    });
    add_switch_handler(watched.coroutine(), [&](const Coroutine&, SwitchKind kind) {
      log += letter(kind);
      return true;
    });
    while (!watched.is_finished()) yield();
    EXPECT_EQ(log, "aEaLELELEF");
  });
}

// SWH-02
TEST_P(SwitchHandlersTest, MayBeAddedToCurrentCoroutineAndRemoved) {
  run([] {
    std::string log;
    auto other = spawn([] {
      for (int i = 0; i < 10; ++i) yield();
    });
    const auto id = add_switch_handler([&](const Coroutine& coroutine, SwitchKind kind) {
      EXPECT_EQ(coroutine.name(), "main");
      log += letter(kind);
      return true;
    });
    yield();
    EXPECT_EQ(log, "LE");
    EXPECT_TRUE(remove_switch_handler(current_coroutine(), id));
    EXPECT_FALSE(remove_switch_handler(current_coroutine(), id));
    yield();
    EXPECT_EQ(log, "LE");
    EXPECT_FALSE(remove_switch_handler(other.coroutine(), 1));
  });
}

// SWH-02
TEST_P(SwitchHandlersTest, MainStartHandlerIsCalledInEveryRun) {
  auto runtime = make_runtime(GetParam());
  std::string log;
  runtime->on_main_start([&log](const Coroutine& coroutine, SwitchKind kind) {
    EXPECT_EQ(coroutine.name(), "main");
    log += letter(kind);
    return true;
  });
  for (int round = 0; round < 2; ++round) {  // the handler is copied, so the second main gets it as well
    log.clear();
    runtime->run([&] {
      EXPECT_EQ(log, "E");
      delay(1ms);
      EXPECT_EQ(log, "ELE");
    });
    EXPECT_EQ(log, "ELEF");
  }
  expect_no_leaks(*runtime);
}

// SWH-03
TEST_P(SwitchHandlersTest, HandlerAddedInHandlerIsCalledFromNextSwitch) {
  run([] {
    std::string log;
    auto watched = spawn([] { yield(); });
    add_switch_handler(watched.coroutine(), [&](const Coroutine& self, SwitchKind kind) {
      log += letter(kind);
      // Enough handlers to reallocate the list while this handler runs.
      if (kind == SwitchKind::enter) {
        for (int i = 0; i < 100; ++i) {
          add_switch_handler(self, [&, i](const Coroutine&, SwitchKind) {
            if (i == 99) log += '+';
            return false;
          });
        }
      }
      return true;
    });
    while (!watched.is_finished()) yield();
    EXPECT_EQ(log, "EL+EF+");
  });
}

// SWH-03
TEST_P(SwitchHandlersTest, HandlerRemovedInHandlerIsNotCalled) {
  run([] {
    std::string log;
    SwitchHandlerId first = 0;
    SwitchHandlerId second = 0;
    auto watched = spawn([] { yield(); });
    first = add_switch_handler(watched.coroutine(), [&](const Coroutine& self, SwitchKind) {
      log += '1';
      EXPECT_TRUE(remove_switch_handler(self, second));  // a handler that has not been called yet
      EXPECT_TRUE(remove_switch_handler(self, first));   // the handler that runs
      return true;
    });
    second = add_switch_handler(watched.coroutine(), [&](const Coroutine&, SwitchKind) {
      log += '2';
      return true;
    });
    add_switch_handler(watched.coroutine(), [&](const Coroutine&, SwitchKind kind) {
      log += letter(kind);
      return true;
    });
    while (!watched.is_finished()) yield();
    EXPECT_EQ(log, "1ELEF");
  });
}

// SWH-01
TEST_P(SwitchHandlersTest, MustNotSuspend) {
  run([] {
    int rejected = 0;
    auto watched = spawn([] { yield(); });
    add_switch_handler(watched.coroutine(), [&](const Coroutine&, SwitchKind) {
      EXPECT_THROW(yield(), MisuseError);
      ++rejected;
      return true;
    });
    while (!watched.is_finished()) yield();
    EXPECT_EQ(rejected, 4);
  });
}

// SWH-01 SCH-03
TEST_P(SwitchHandlersTest, AreCalledAfterContextTakeover) {
  run([] {
    std::string log;
    for (int i = 0; i < 3; ++i) {
      auto task = spawn([] {});
      add_switch_handler(task.coroutine(), [&](const Coroutine&, SwitchKind kind) {
        log += letter(kind);
        return true;
      });
    }
    const Statistics before = statistics();
    yield();
    EXPECT_EQ((statistics() - before).started_without_switch, 2u);
    EXPECT_EQ(log, "EFEFEF");
  });
}

TRUEASYNC_TEST_ON_ALL_REACTORS(SwitchHandlersTest);

}  // namespace
}  // namespace trueasync::test
