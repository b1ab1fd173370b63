// fork() and event loops: the child has one of its own, the parent's is untouched (SH-11).
#include <ctime>

#include "child_process.hpp"
#include "trueasync/trueasync.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

// CPU time of this process; a loop that spins on a shared epoll descriptor shows here.
std::chrono::nanoseconds cpu_time() {
  timespec used = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

// What a child does with the runtime it woke up in. The exit code says what went wrong.
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

// ThreadSanitizer stops following the thread that forked when fibers exist, but not the fibers: all they share then
// looks like a race.
#if defined(TRUEASYNC_TSAN)
#define SKIP_WHERE_FIBERS_CANT_FORK() GTEST_SKIP() << "ThreadSanitizer can't follow fibers into the child of a fork"
#else
#define SKIP_WHERE_FIBERS_CANT_FORK() static_cast<void>(0)
#endif

int exit_code_of(int child) {
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
}

TEST(Fork, IsRefusedWhileOthersLive) {
  // SH-11
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

TEST(Fork, IsRefusedFromACoroutine) {
  // SH-11: main lives as well.
  Runtime runtime;
  runtime.run([] { await(spawn([] { EXPECT_THROW(fork_process(), MisuseError); })); });
}

TEST(Fork, ChildHasAWorkingLoopAndDoesNotSpin) {
  // SH-11 XC-13
  SKIP_WHERE_FIBERS_CANT_FORK();
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
        << "the parent goes on";
    EXPECT_EQ(exit_code_of(child), 0);
  });
  EXPECT_TRUE(runtime.leak_report().empty());
}

TEST(Fork, PlainForkIsNoticedToo) {
  // SH-11: somebody else's library forks; the loop is set up anew at the next look.
  SKIP_WHERE_FIBERS_CANT_FORK();
  Runtime runtime;
  runtime.run([] {
    delay(1ms);
    const int child = fork();
    if (child == 0) _exit(work_in_child());
    delay(10ms);
    EXPECT_EQ(exit_code_of(child), 0);
  });
  EXPECT_TRUE(runtime.leak_report().empty());
}

TEST(Fork, ChildOfAChildWorks) {
  // SH-11
  SKIP_WHERE_FIBERS_CANT_FORK();
  Runtime runtime;
  runtime.run([] {
    const int child = fork();
    if (child == 0) {
      delay(1ms);
      const int grandchild = fork();
      if (grandchild == 0) _exit(work_in_child());
      _exit(exit_code_of(grandchild));
    }
    EXPECT_EQ(exit_code_of(child), 0);
  });
}

TEST(Fork, RuntimeMadeBeforeTheForkRunsInTheChild) {
  // SH-11
  Runtime runtime;
  const int child = fork();
  if (child == 0) _exit(runtime.run([] { return work_in_child(); }));
  EXPECT_EQ(runtime.run([] {
    delay(1ms);
    return 1;
  }),
            1);
  EXPECT_EQ(exit_code_of(child), 0);
}

}  // namespace
}  // namespace trueasync::test
