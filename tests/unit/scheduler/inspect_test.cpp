// Names, places, states, and the dump.
#include "trueasync/inspect.hpp"

#include "unit/scheduler/manual_event.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class Inspect : public ReactorTest {
 protected:
  static bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
};

TEST_P(Inspect, ACoroutineHasANameAndAPlaceItWasSpawnedAt) {
  run([] {
    const unsigned line = unsigned{__LINE__} + 2;
    std::string name = "fetch";
    auto task = spawn({.name = name}, [] {});
    name = "XXXXX";  // it keeps a copy
    EXPECT_EQ(task.coroutine().name(), "fetch");
    EXPECT_EQ(task.coroutine().spawn_location().line(), line);
    EXPECT_TRUE(std::string_view(task.coroutine().spawn_location().file()).ends_with("inspect_test.cpp"));
    EXPECT_EQ(current_coroutine().name(), "main");
    EXPECT_EQ(spawn([] {}).coroutine().name(), "");
    EXPECT_EQ(spawn({.name = std::string(1000, 'n')}, [] {}).coroutine().name().size(), 1000u);
  });
}

TEST_P(Inspect, TheStateFollowsTheCoroutine) {
  run([] {
    auto event = ManualEvent::make();
    CoroutineState inside = CoroutineState::created;
    auto task = spawn([&] {
      inside = current_coroutine().state();
      Event* events[] = {event.get()};
      wait_any(events);
    });
    const Coroutine handle = task.coroutine();
    EXPECT_EQ(handle.state(), CoroutineState::created);
    yield();
    EXPECT_EQ(inside, CoroutineState::running);
    EXPECT_EQ(handle.state(), CoroutineState::suspended);
    event->fire();
    EXPECT_EQ(handle.state(), CoroutineState::ready);
    EXPECT_FALSE(handle.is_finished());
    await(task);
    EXPECT_EQ(handle.state(), CoroutineState::finished);
    EXPECT_TRUE(handle.is_finished());
    EXPECT_EQ(current_coroutine().state(), CoroutineState::running);
  });
}

// ST-10
TEST_P(Inspect, WhereAndForWhatItWaits) {
  run([] {
    auto event = ManualEvent::make();
    auto token = ManualEvent::make();
    unsigned line = 0;
    auto done = spawn({.name = "inner"}, [] { delay(1h); });
    auto task = spawn([&] {
      WaitEntry entries[] = {WaitEntry(*event), WaitEntry(done.event()), WaitEntry(*token, true)};
      WaitRequest request;
      request.entries = entries;
      line = unsigned{__LINE__} + 1;
      wait(request);
      yield();
    });
    yield();
    EXPECT_EQ(task.coroutine().suspend_location().line(), line);
    const std::string waits = task.coroutine().wait_description();
    EXPECT_TRUE(has(waits, "manual event")) << waits;
    EXPECT_TRUE(has(waits, "\"inner\"")) << waits;
    EXPECT_TRUE(has(waits, "(as token)")) << waits;
    const std::string inner = done.coroutine().wait_description();
    EXPECT_TRUE(has(inner, "timeout in")) << inner;
    EXPECT_TRUE(current_coroutine().wait_description().empty());
    event->fire();
    yield();
    EXPECT_EQ(task.coroutine().suspend_location().line(), line + 1);
    EXPECT_EQ(task.coroutine().wait_description(), "the ready queue");
    done.cancel();
  });
}

TEST_P(Inspect, TheDumpShowsEveryLivingCoroutine) {
  run([] {
    auto event = ManualEvent::make();
    const unsigned line = unsigned{__LINE__} + 1;
    auto waits = spawn({.name = "waiting one"}, [&] {
      Event* events[] = {event.get()};
      wait_any(events);
    });
    auto sleeps = spawn({.name = "sleeping one"}, [] { delay(1h); });
    auto gone = spawn({.name = "gone one"}, [] {});
    yield();
    auto fresh = spawn({.name = "fresh one"}, [] {});
    sleeps.cancel();
    const std::string text = dump();
    const std::string location = "inspect_test.cpp:";
    EXPECT_TRUE(has(text, "\"main\": running")) << text;
    EXPECT_TRUE(has(text, "\"waiting one\": suspended\n    spawned at " + location + std::to_string(line))) << text;
    EXPECT_TRUE(has(text, "suspended at " + location + std::to_string(line + 2))) << text;
    EXPECT_TRUE(has(text, "waits for manual event")) << text;
    EXPECT_TRUE(has(text, "\"sleeping one\": ready, cancellation requested")) << text;
    EXPECT_TRUE(has(text, "\"fresh one\": not started")) << text;
    EXPECT_FALSE(has(text, "gone one")) << text;
    event->fire();
  });
}

TEST_P(Inspect, TheListOfCoroutinesIsInTheOrderOfTheirSpawn) {
  run([] {
    std::vector<Task<void>> tasks;
    for (int i = 0; i < 200; ++i) tasks.push_back(spawn([] { yield(); }));
    for (std::size_t i = 0; i < tasks.size(); i += 2) tasks[i].cancel();
    yield();
    yield();
    auto last = spawn([] {});  // may get the memory of one that is gone; stands last all the same
    const std::vector<Coroutine> all = coroutines();
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0], current_coroutine());
    EXPECT_EQ(all[1], last.coroutine());
  });
}

TEST_P(Inspect, TheStackHighWaterMarkIsMeasuredOnRequest) {
  TRUEASYNC_SKIP_UNDER_VALGRIND("it looks at resident pages");
  RuntimeOptions options;
  options.measure_stacks = true;
  run(
      [] {
        auto task = spawn([] {
          char room[20 * 1024];
          for (std::size_t i = 0; i < sizeof room; i += 512) room[i] = 1;
          asm volatile("" : : "r"(room) : "memory");  // or the compiler does without it
          yield();
        });
        yield();
        EXPECT_GE(task.coroutine().stack_high_water(), 20u * 1024);
        EXPECT_LE(task.coroutine().stack_high_water(), 64u * 1024);
        await(task);
        EXPECT_EQ(task.coroutine().stack_high_water(), 0u);
        EXPECT_GE(statistics().stack_peak_bytes, 20u * 1024);
      },
      options);
}

TRUEASYNC_TEST_ON_ALL_REACTORS(Inspect);

}  // namespace
}  // namespace trueasync::test
