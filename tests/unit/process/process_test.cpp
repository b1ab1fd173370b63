// Child processes: starting, pipes, ends.
#include "trueasync/process.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>

#include "reactor/epoll/pidfd_process.hpp"
#include "runtime_fixture.hpp"
#include "trueasync/buffered_reader.hpp"

namespace trueasync::test {
namespace {

// Both ways of seeing a child end: through a pidfd, and through SIGCHLD where there are none.
class ProcessTest : public RuntimeTest, public ::testing::WithParamInterface<bool> {
 protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    detail::PidfdProcess::without_pidfd = GetParam();
#if defined(TRUEASYNC_TSAN)
    if (GetParam()) GTEST_SKIP() << "ThreadSanitizer keeps a signal for the fiber it came to";
#endif
  }
  void TearDown() override {
    detail::PidfdProcess::without_pidfd = false;
    RuntimeTest::TearDown();
  }
};
INSTANTIATE_TEST_SUITE_P(Ways, ProcessTest, ::testing::Bool(),
                         [](const auto& way) { return std::string(way.param ? "ChildSignal" : "Pidfd"); });

Process shell(std::string script) { return Process::spawn({.argv = {"/bin/sh", "-c", std::move(script)}}); }

Process shell_with_output(std::string script) {
  return Process::spawn({.argv = {"/bin/sh", "-c", std::move(script)}, .output = Redirect::pipe()});
}

std::string all_of(Io& pipe) { return read_all(pipe, 1 << 20, kNever); }

TEST_P(ProcessTest, TellsHowItEnded) {
  // REA-02
  run([] {
    const ExitStatus exited = shell("exit 7").wait(kNever);
    EXPECT_TRUE(exited.known);
    EXPECT_EQ(exited.code, 7);
    EXPECT_EQ(exited.signal, 0);
    EXPECT_FALSE(exited.is_success());
    const ExitStatus killed = shell("kill -KILL $$").wait(kNever);
    EXPECT_TRUE(killed.known);
    EXPECT_EQ(killed.signal, SIGKILL);
    EXPECT_TRUE(shell("true").wait(kNever).is_success());
  });
}

TEST_P(ProcessTest, HasThreePipes) {
  // REA-02 AIO-01
  run([] {
    Process child = Process::spawn({.argv = {"/bin/sh", "-c", "tr a-z A-Z; echo oops >&2"},
                                    .input = Redirect::pipe(),
                                    .output = Redirect::pipe(),
                                    .error_output = Redirect::pipe()});
    child.input().write("hello");
    child.input().close();
    EXPECT_EQ(all_of(child.output()), "HELLO");
    EXPECT_EQ(all_of(child.error_output()), "oops\n");
    EXPECT_TRUE(child.wait(kNever).is_success());
    EXPECT_TRUE(child.status().has_value());
  });
}

TEST_P(ProcessTest, AProgramThatIsMissingIsNamed) {
  run([] {
    const auto start = [](ProcessOptions options) { return text_of_thrown<IoError>([&] { Process::spawn(options); }); };
    EXPECT_EQ(start({.argv = {"/no/such/program"}}), "exec /no/such/program: No such file or directory");
    EXPECT_EQ(start({.argv = {"no-such-program"}}), "exec no-such-program: No such file or directory");
    EXPECT_EQ(start({.argv = {"/etc"}}), "exec /etc: Permission denied");
    EXPECT_EQ(start({.argv = {"true"}, .directory = "/no/such/place"}),
              "chdir /no/such/place: No such file or directory");
    EXPECT_THROW(Process::spawn({}), MisuseError);
    EXPECT_THROW(Process::spawn({.argv = {"true"}, .output = Redirect::to_output()}), MisuseError);
  });
}

TEST_P(ProcessTest, StartsInItsDirectoryWithItsEnvironment) {
  run([] {
    const std::string location = std::filesystem::canonical(::testing::TempDir()).string();
    Process child = Process::spawn({.argv = {"/bin/sh", "-c", "pwd; echo $COLOUR; env | wc -l"},
                                    .environment = std::vector<std::string>{"COLOUR=green", "PWD=" + location},
                                    .directory = location,
                                    .output = Redirect::pipe()});
    const std::string output = all_of(child.output());
    EXPECT_EQ(output.substr(0, output.find("green")), location + "\n");
    EXPECT_NE(output.find("green\n"), std::string::npos);
    child.wait(kNever);
  });
}

TEST_P(ProcessTest, InheritsNoDescriptorsSignalMaskOrIgnoredPipeSignal) {
  const int stray = ::fcntl(STDERR_FILENO, F_DUPFD, 77);  // without O_CLOEXEC
  sigset_t all, previous;
  ::sigemptyset(&all);
  ::sigaddset(&all, SIGUSR2);
  ::pthread_sigmask(SIG_BLOCK, &all, &previous);
  run([] {
    Process child = shell_with_output("ls /proc/$$/fd | tr '\\n' ' '; exec grep -E 'SigBlk|SigIgn' /proc/self/status");
    const std::string output = all_of(child.output());
    EXPECT_EQ(output.find("77 "), std::string::npos) << output;
    EXPECT_NE(output.find("SigBlk:\t0000000000000000"), std::string::npos) << output;
    const unsigned long ignored = std::stoul(output.substr(output.find("SigIgn:") + 8), nullptr, 16);
    EXPECT_EQ(ignored & (1ul << (SIGPIPE - 1)), 0u) << output;
    child.wait(kNever);
  });
  ::pthread_sigmask(SIG_SETMASK, &previous, nullptr);
  ::close(stray);
}

TEST_P(ProcessTest, ManyWaitForOneAndAllLearnTheSame) {
  // PR-07 REA-03
  run([] {
    Process child = shell("sleep 0.05; exit 3");
    Process same = Process::attach(child.pid());
    std::vector<Task<int>> tasks;
    for (int i = 0; i < 4; ++i) {
      tasks.push_back(spawn([&] { return child.wait(kNever).code; }));
      tasks.push_back(spawn([&] { return same.wait(kNever).code; }));
    }
    for (auto& task : tasks) EXPECT_EQ(await(task), 3);
    EXPECT_EQ(child.wait(kNever).code, 3) << "and so does who comes late";
  });
}

TEST_P(ProcessTest, ManyChildrenEndAtOnce) {
  // PR-07
  run([] {
    std::vector<Process> children;
    for (int i = 0; i < 20; ++i) children.push_back(shell("exit " + std::to_string(i)));
    std::vector<Task<int>> tasks;
    for (auto& child : children) tasks.push_back(spawn([&child] { return child.wait(kNever).code; }));
    for (int i = 0; i < 20; ++i) EXPECT_EQ(await(tasks[static_cast<std::size_t>(i)]), i);
  });
}

TEST_P(ProcessTest, AChildReapedElsewhereHasEndedWithoutAStatus) {
  // PR-02
  run([] {
    Process child = shell("sleep 0.05; exit 5");
    ASSERT_EQ(::waitpid(child.pid(), nullptr, 0), child.pid());
    const ExitStatus status = child.wait(kNever);
    EXPECT_FALSE(status.known);
    EXPECT_FALSE(status.is_success());
    const ExitStatus late = Process::attach(child.pid()).wait(kNever);
    EXPECT_FALSE(late.known);
    EXPECT_FALSE(child.kill(SIGTERM));
  });
}

TEST_P(ProcessTest, WithChildrenIgnoredTheEndIsSeenAllTheSame) {
  // PR-02
  if (GetParam()) GTEST_SKIP() << "without pidfds the signal is the only news there is";
  ::signal(SIGCHLD, SIG_IGN);
  run([] { EXPECT_FALSE(shell("exit 5").wait(kNever).known); });
  ::signal(SIGCHLD, SIG_DFL);
}

TEST_P(ProcessTest, ADroppedHandleLeavesNoZombieAndKeepsNothingAlive) {
  // PR-03
  run([] {
    const int pid = shell("exit 0").pid();
    for (int i = 0; i < 10000 && ::kill(pid, 0) == 0; ++i) delay(1ms);
    EXPECT_NE(::kill(pid, 0), 0) << "the loop has reaped it";
  });
  int pid = 0;
  run_leaving(1, [&] { pid = shell("exec sleep 1000").pid(); });  // ends at once: nobody waits
  ::kill(pid, SIGKILL);
  EXPECT_EQ(::waitpid(pid, nullptr, 0), pid);
}

TEST_P(ProcessTest, EveryWayOutOfAWaitEndsTheWatch) {
  // PR-03
  run([] {
    Process child = shell("exec sleep 1000");
    EXPECT_THROW(child.wait(1ms), TimeoutError);
    auto cancelled = spawn([&] { child.wait(); });
    yield();
    cancelled.cancel();
    EXPECT_THROW(await(cancelled), Cancelled);
    auto handle_goes = spawn([pid = child.pid()] {
      auto held = std::make_unique<Process>(Process::attach(pid));
      auto waiting = spawn([&] { return held->wait(kNever).signal; });
      yield();
      held.reset();
      return await(waiting);
    });
    delay(1ms);
    EXPECT_FALSE(child.status().has_value());
    EXPECT_TRUE(child.kill(SIGKILL));
    EXPECT_EQ(await(handle_goes), SIGKILL);
    EXPECT_EQ(child.wait(kNever).signal, SIGKILL);
    EXPECT_FALSE(child.kill(SIGKILL)) << "there is nobody any more";
  });
}

TEST_P(ProcessTest, AGroupIsKilledWithAllThatBelongsToIt) {
  run([] {
    Process child = shell_with_output("sleep 1000 & echo started; wait");
    BufferedReader lines(child.output());
    EXPECT_EQ(lines.read_line(100, kNever), "started");
    EXPECT_TRUE(child.kill(SIGKILL, KillTarget::group));
    EXPECT_EQ(child.wait(kNever).signal, SIGKILL);
    EXPECT_EQ(lines.read_line(100, kNever), std::nullopt) << "whoever held the pipe has gone, too";
    Process guest = Process::spawn({.argv = {"true"}, .own_group = false});
    EXPECT_THROW(guest.kill(SIGTERM, KillTarget::group), MisuseError);
    guest.wait(kNever);
  });
}

TEST_P(ProcessTest, TheGroupOfAReapedProcessIsNotSignalledForItsNumberMayBeAnotherOnes) {
  run([] {
    Process child = shell_with_output("sleep 1000 >&- & echo $!");
    BufferedReader lines(child.output());
    const int orphan = std::stoi(std::string(lines.read_line(100, kNever).value_or("0")));
    ASSERT_GT(orphan, 0);
    EXPECT_TRUE(child.wait(kNever).is_success());
    EXPECT_FALSE(child.kill(SIGKILL, KillTarget::group));
    EXPECT_EQ(::kill(orphan, SIGKILL), 0) << "it was left alone";
  });
}

TEST_P(ProcessTest, TheGroupOfAProcessThatIsHeldBackIsSignalledAfterItsEnd) {
  run([] {
    Process child = Process::spawn({.argv = {"/bin/sh", "-c", "read go; sleep 1000 & echo started"},
                                    .input = Redirect::pipe(),
                                    .output = Redirect::pipe()});
    child.handle().defer_reap();
    child.input().write("go\n");
    EXPECT_TRUE(child.wait(kNever).is_success());
    EXPECT_TRUE(child.kill(SIGKILL, KillTarget::group));
    EXPECT_EQ(all_of(child.output()), "started\n") << "whoever held the pipe has gone";
  });
}

TEST_P(ProcessTest, AReaderWakesWhenTheChildIsKilledOrItsPipeIsClosed) {
  // PR-04
  run([] {
    Process child = shell_with_output("exec sleep 1000");
    auto reader = spawn([&] { return all_of(child.output()); });
    delay(1ms);
    child.kill(SIGKILL);
    EXPECT_EQ(await(reader), "");
    Process other = shell_with_output("exec sleep 1000");
    auto closed = spawn([&] { all_of(other.output()); });
    delay(1ms);
    other.output().close();
    EXPECT_THROW(await(closed), ClosedError);
    other.kill(SIGKILL);
    other.wait(kNever);
    child.wait(kNever);
  });
}

TEST_P(ProcessTest, AHandleMayOutliveItsRuntime) {
  std::vector<Process> kept;
  run_leaving(1, [&] {
    kept.push_back(shell("exit 4"));
    kept.back().wait(kNever);
    kept.push_back(shell("exec sleep 1000"));
  });
  EXPECT_EQ(kept[0].status()->code, 4);
  EXPECT_FALSE(kept[1].status().has_value());
  EXPECT_TRUE(kept[1].kill(SIGKILL));
  while (!kept[1].status()) std::this_thread::yield();
  EXPECT_EQ(kept[1].status()->signal, SIGKILL);
}

TEST_F(RuntimeTest, AProcessThatIsNoChildIsWaitedForWithoutAStatus) {
  // PR-02
  run([] {
    // The grandchild goes to another parent when its own has ended.
    Process child = shell_with_output("sleep 1000 >/dev/null & echo $!");
    const int grandchild = std::stoi(all_of(child.output()));
    child.wait(kNever);
    Process foreign = Process::attach(grandchild);
    EXPECT_THROW(foreign.wait(1ms), TimeoutError);
    EXPECT_TRUE(foreign.kill(SIGKILL));
    EXPECT_FALSE(foreign.wait(kNever).known);
  });
}

}  // namespace

}  // namespace trueasync::test
