// fork() and event loops: the child gets its own event loop, the parent's is unchanged.
#include <ctime>

#include "child_process.hpp"
#include "trueasync/trueasync.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

// CPU time of this process. A loop that spins on a shared epoll descriptor would use it up.
std::chrono::nanoseconds cpu_time() {
  timespec used = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

// Uses the runtime in the child: timers, triggers, polls. Returns the exit code: 0, or the number of the failed check.
int work_in_child() {
  const auto polls = statistics().polls_blocking;
  const auto cpu = cpu_time();
  delay(100ms);
  if (statistics().polls_blocking - polls > 5) return 2;
  if (cpu_time() - cpu > 80ms) return 3;
  Trigger trigger;
  auto waiter = spawn([&] {
    trigger.wait();
    return 7;
  });
  yield();
  trigger.fire();
  if (await(waiter) != 7) return 4;
  int ends[2];
  if (pipe(ends) != 0) return 5;
  auto reader = spawn([&] { return poll(ends[0], Readiness::readable); });
  yield();
  if (write(ends[1], "x", 1) != 1) return 6;
  if (await(reader) != Readiness::readable) return 7;
  return 0;
}

// After a fork with fibers, ThreadSanitizer stops tracking the forking thread, but not the fibers. It then reports
// shared data as a race.
#if defined(TRUEASYNC_TSAN)
#define SKIP_WHERE_FIBERS_CANNOT_FORK() GTEST_SKIP() << "ThreadSanitizer cannot track fibers in a forked child"
#else
#define SKIP_WHERE_FIBERS_CANNOT_FORK() static_cast<void>(0)
#endif

int wait_for_exit_code(int child) {
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
}

// SH-11
TEST(Fork, ForkProcessThrowsWithOtherLiveCoroutines) {
  Runtime runtime;
  runtime.run([] {
    auto task = spawn([] { delay(24h); });
    std::string text;
    try {
      fork_process();
    } catch (const MisuseError& error) {
      text = error.what();
    }
    EXPECT_NE(text.find("fork_process: 1 other coroutines are live"), std::string::npos) << text;
    task.cancel();
  });
}

// SH-11: the main coroutine is live too.
TEST(Fork, ForkProcessThrowsOutsideMainCoroutine) {
  Runtime runtime;
  runtime.run([] { await(spawn([] { EXPECT_THROW(fork_process(), MisuseError); })); });
}

// SH-11 XC-13
TEST(Fork, ChildHasWorkingLoopThatDoesNotSpin) {
  SKIP_WHERE_FIBERS_CANNOT_FORK();
  Runtime runtime;
  runtime.run([] {
    delay(1ms);  // the loop has been in use
    const int child = fork_process();
    if (child == 0) _exit(work_in_child());
    delay(10ms);
    EXPECT_EQ(await(spawn([] {
                yield();
                return 3;
              })),
              3)
        << "the parent's loop must keep working";
    EXPECT_EQ(wait_for_exit_code(child), 0);
  });
  EXPECT_TRUE(runtime.leak_report().empty());
}

// SH-11: a library may fork; the child creates a new backend descriptor at its next poll.
TEST(Fork, PlainForkIsDetectedInChild) {
  SKIP_WHERE_FIBERS_CANNOT_FORK();
  Runtime runtime;
  runtime.run([] {
    delay(1ms);
    const int child = fork();
    if (child == 0) _exit(work_in_child());
    delay(10ms);
    EXPECT_EQ(wait_for_exit_code(child), 0);
  });
  EXPECT_TRUE(runtime.leak_report().empty());
}

// SH-11
TEST(Fork, ForkInForkedChildWorks) {
  SKIP_WHERE_FIBERS_CANNOT_FORK();
  Runtime runtime;
  runtime.run([] {
    const int child = fork();
    if (child == 0) {
      delay(1ms);
      const int grandchild = fork();
      if (grandchild == 0) _exit(work_in_child());
      _exit(wait_for_exit_code(grandchild));
    }
    EXPECT_EQ(wait_for_exit_code(child), 0);
  });
}

// SH-11
TEST(Fork, RuntimeCreatedBeforeForkRunsInChild) {
  Runtime runtime;
  const int child = fork();
  if (child == 0) _exit(runtime.run([] { return work_in_child(); }));
  EXPECT_EQ(runtime.run([] {
    delay(1ms);
    return 1;
  }),
            1);
  EXPECT_EQ(wait_for_exit_code(child), 0);
}

}  // namespace
}  // namespace trueasync::test
