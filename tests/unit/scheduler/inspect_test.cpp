// Inspection of coroutines: names, locations, states, waits and dump().
#include "trueasync/runtime.hpp"

#include "scheduler_fixture.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

class Inspect : public ReactorTest {
 protected:
  static bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
};

TEST_P(Inspect, CoroutineHasNameAndSpawnLocation) {
  run([] {
    const unsigned line = unsigned{__LINE__} + 2;
    std::string name = "fetch";
    auto task = spawn({.name = name}, [] {});
    name = "XXXXX";  // the coroutine has a copy
    EXPECT_EQ(task.coroutine().name(), "fetch");
    EXPECT_EQ(task.coroutine().spawn_location().line(), line);
    EXPECT_TRUE(std::string_view(task.coroutine().spawn_location().file()).ends_with("inspect_test.cpp"));
    EXPECT_EQ(current_coroutine().name(), "main");
    EXPECT_EQ(spawn([] {}).coroutine().name(), "");
    EXPECT_EQ(spawn({.name = std::string(1000, 'n')}, [] {}).coroutine().name().size(), 1000u);
  });
}

TEST_P(Inspect, StateFollowsLifecycle) {
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
TEST_P(Inspect, SuspendedCoroutineReportsLocationAndWait) {
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
    const std::string description = task.coroutine().wait_description();
    EXPECT_TRUE(has(description, "manual event")) << description;
    EXPECT_TRUE(has(description, "\"inner\"")) << description;
    EXPECT_TRUE(has(description, "(as token)")) << description;
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

TEST_P(Inspect, DumpShowsEveryLiveCoroutine) {
  run([] {
    auto event = ManualEvent::make();
    const unsigned line = unsigned{__LINE__} + 1;
    auto waiting = spawn({.name = "waiting"}, [&] {
      Event* events[] = {event.get()};
      wait_any(events);
    });
    auto sleeping = spawn({.name = "sleeping"}, [] { delay(1h); });
    auto finished = spawn({.name = "finished"}, [] {});
    yield();
    auto unstarted = spawn({.name = "unstarted"}, [] {});
    sleeping.cancel();
    const std::string text = dump();
    const std::string location = "inspect_test.cpp:";
    EXPECT_TRUE(has(text, "\"main\": running")) << text;
    EXPECT_TRUE(has(text, "\"waiting\": suspended\n    spawned at " + location + std::to_string(line))) << text;
    EXPECT_TRUE(has(text, "suspended at " + location + std::to_string(line + 2))) << text;
    EXPECT_TRUE(has(text, "waits for manual event")) << text;
    EXPECT_TRUE(has(text, "\"sleeping\": ready, cancellation requested")) << text;
    EXPECT_TRUE(has(text, "\"unstarted\": not started")) << text;
    EXPECT_FALSE(has(text, "\"finished\"")) << text;
    event->fire();
  });
}

TEST_P(Inspect, CoroutinesAreListedInSpawnOrder) {
  run([] {
    std::vector<Task<void>> tasks;
    for (int i = 0; i < 200; ++i) tasks.push_back(spawn([] { yield(); }));
    for (std::size_t i = 0; i < tasks.size(); i += 2) tasks[i].cancel();
    yield();
    yield();
    auto last = spawn([] {});  // may reuse the control block of a finished coroutine and is still the last
    const std::vector<Coroutine> all = coroutines();
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0], current_coroutine());
    EXPECT_EQ(all[1], last.coroutine());
  });
}

TEST_P(Inspect, StackHighWaterMarkIsMeasuredOnRequest) {
  TRUEASYNC_SKIP_UNDER_VALGRIND("it measures resident pages");
  RuntimeOptions options;
  options.measure_stacks = true;
  run(
      [] {
        auto task = spawn([] {
          char buffer[20 * 1024];
          for (std::size_t i = 0; i < sizeof buffer; i += 512) buffer[i] = 1;
          asm volatile("" : : "r"(buffer) : "memory");  // keeps the compiler from removing the buffer
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
