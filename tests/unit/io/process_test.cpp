// Process: start, pipes and exit of child processes.
#include "trueasync/io/process.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>

#include "reactor/epoll/pidfd_process.hpp"
#include "runtime_fixture.hpp"
#include "trueasync/detail/access.hpp"
#include "trueasync/io/buffered_reader.hpp"

namespace trueasync::test {
namespace {

// Runs with both methods of detecting an exit: pidfd, and SIGCHLD for kernels without pidfds.
class ProcessTest : public RuntimeTest, public ::testing::WithParamInterface<bool> {
 protected:
  void SetUp() override {
    RuntimeTest::SetUp();
    detail::PidfdProcess::without_pidfd = GetParam();
#if defined(TRUEASYNC_TSAN)
    if (GetParam())
      GTEST_SKIP() << "ThreadSanitizer delays a signal until the fiber that received it makes an intercepted call";
#endif
  }
  void TearDown() override {
    detail::PidfdProcess::without_pidfd = false;
    RuntimeTest::TearDown();
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, ProcessTest, ::testing::Bool(),
                         [](const auto& method) { return std::string(method.param ? "ChildSignal" : "Pidfd"); });

Process shell(std::string script) { return Process::spawn({.argv = {"/bin/sh", "-c", std::move(script)}}); }

Process shell_with_output(std::string script) {
  return Process::spawn({.argv = {"/bin/sh", "-c", std::move(script)}, .output = Redirect::pipe()});
}

std::string read_to_end(Io& pipe) { return read_all(pipe, 1 << 20, kNever); }

// REA-02
TEST_P(ProcessTest, ReportsExitStatus) {
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

// REA-02 AIO-01
TEST_P(ProcessTest, ConnectsThreePipes) {
  run([] {
    Process child = Process::spawn({.argv = {"/bin/sh", "-c", "tr a-z A-Z; echo oops >&2"},
                                    .input = Redirect::pipe(),
                                    .output = Redirect::pipe(),
                                    .error_output = Redirect::pipe()});
    child.input().write_all("hello");
    child.input().close();
    EXPECT_EQ(read_to_end(child.output()), "HELLO");
    EXPECT_EQ(read_to_end(child.error_output()), "oops\n");
    EXPECT_TRUE(child.wait(kNever).is_success());
    EXPECT_TRUE(child.status().has_value());
  });
}

TEST_P(ProcessTest, StartFailureNamesProgramOrDirectory) {
  run([] {
    const auto start = [](ProcessOptions options) { return text_of_thrown<IoError>([&] { Process::spawn(options); }); };
    EXPECT_EQ(start({.argv = {"/no/such/program"}}), "exec /no/such/program: No such file or directory");
    EXPECT_EQ(start({.argv = {"no-such-program"}}), "exec no-such-program: No such file or directory");
    EXPECT_EQ(start({.argv = {"/etc"}}), "exec /etc: Permission denied");
    EXPECT_EQ(start({.argv = {"true"}, .directory = "/no/such/directory"}),
              "chdir /no/such/directory: No such file or directory");
    EXPECT_THROW(Process::spawn({}), MisuseError);
    EXPECT_THROW(Process::spawn({.argv = {"true"}, .output = Redirect::to_output()}), MisuseError);
  });
}

TEST_P(ProcessTest, AppliesDirectoryAndEnvironment) {
  run([] {
    const std::string location = std::filesystem::canonical(::testing::TempDir()).string();
    Process child = Process::spawn({.argv = {"/bin/sh", "-c", "pwd; echo $COLOR; env | wc -l"},
                                    .environment = std::vector<std::string>{"COLOR=green", "PWD=" + location},
                                    .directory = location,
                                    .output = Redirect::pipe()});
    const std::string output = read_to_end(child.output());
    EXPECT_EQ(output.substr(0, output.find("green")), location + "\n");
    EXPECT_NE(output.find("green\n"), std::string::npos);
    child.wait(kNever);
  });
}

TEST_P(ProcessTest, InheritsNoDescriptorsOrSignalState) {
  const int stray = ::fcntl(STDERR_FILENO, F_DUPFD, 77);  // without O_CLOEXEC
  sigset_t all, previous;
  ::sigemptyset(&all);
  ::sigaddset(&all, SIGUSR2);
  ::pthread_sigmask(SIG_BLOCK, &all, &previous);
  run([] {
    Process child = shell_with_output("ls /proc/$$/fd | tr '\\n' ' '; exec grep -E 'SigBlk|SigIgn' /proc/self/status");
    const std::string output = read_to_end(child.output());
    EXPECT_EQ(output.find("77 "), std::string::npos) << output;
    EXPECT_NE(output.find("SigBlk:\t0000000000000000"), std::string::npos) << output;
    const unsigned long ignored = std::stoul(output.substr(output.find("SigIgn:") + 8), nullptr, 16);
    EXPECT_EQ(ignored & (1ul << (SIGPIPE - 1)), 0u) << output;
    child.wait(kNever);
  });
  ::pthread_sigmask(SIG_SETMASK, &previous, nullptr);
  ::close(stray);
}

// PR-07 REA-03
TEST_P(ProcessTest, AllWaitersGetSameStatus) {
  run([] {
    Process child = shell("sleep 0.05; exit 3");
    Process same = Process::attach(child.pid());
    std::vector<Task<int>> tasks;
    for (int i = 0; i < 4; ++i) {
      tasks.push_back(spawn([&] { return child.wait(kNever).code; }));
      tasks.push_back(spawn([&] { return same.wait(kNever).code; }));
    }
    for (auto& task : tasks) EXPECT_EQ(await(task), 3);
    EXPECT_EQ(child.wait(kNever).code, 3) << "a late waiter gets the same status";
  });
}

// PR-07
TEST_P(ProcessTest, ManyChildrenExitConcurrently) {
  run([] {
    std::vector<Process> children;
    for (int i = 0; i < 20; ++i) children.push_back(shell("exit " + std::to_string(i)));
    std::vector<Task<int>> tasks;
    for (auto& child : children) tasks.push_back(spawn([&child] { return child.wait(kNever).code; }));
    for (int i = 0; i < 20; ++i) EXPECT_EQ(await(tasks[static_cast<std::size_t>(i)]), i);
  });
}

// PR-02
TEST_P(ProcessTest, ChildReapedElsewhereHasUnknownStatus) {
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

// PR-02
TEST_P(ProcessTest, ExitIsDetectedWithSigchldIgnored) {
  if (GetParam()) GTEST_SKIP() << "without pidfds SIGCHLD is the only notification";
  ::signal(SIGCHLD, SIG_IGN);
  run([] { EXPECT_FALSE(shell("exit 5").wait(kNever).known); });
  ::signal(SIGCHLD, SIG_DFL);
}

// PR-03
TEST_P(ProcessTest, DestroyedHandleIsReapedInBackground) {
  run([] {
    const int pid = shell("exit 0").pid();
    for (int i = 0; i < 10000 && ::kill(pid, 0) == 0; ++i) delay(1ms);
    EXPECT_NE(::kill(pid, 0), 0) << "reaped by the reactor";
  });
  int pid = 0;
  run_leaving(1, [&] {
    pid = shell("exec sleep 1000").pid();
  });  // returns immediately: the process is background without a waiter
  ::kill(pid, SIGKILL);
  EXPECT_EQ(::waitpid(pid, nullptr, 0), pid);
}

// PR-03
TEST_P(ProcessTest, TimeoutAndCancelEndWait) {
  run([] {
    Process child = shell("exec sleep 1000");
    EXPECT_THROW(child.wait(1ms), TimeoutError);
    auto cancelled = spawn([&] { child.wait(); });
    yield();
    cancelled.cancel();
    EXPECT_THROW(await(cancelled), Cancelled);
    auto handle_destroyed = spawn([pid = child.pid()] {
      auto held = std::make_unique<Process>(Process::attach(pid));
      auto waiting = spawn([&] { return held->wait(kNever).signal; });
      yield();
      held.reset();
      return await(waiting);
    });
    delay(1ms);
    EXPECT_FALSE(child.status().has_value());
    EXPECT_TRUE(child.kill(SIGKILL));
    EXPECT_EQ(await(handle_destroyed), SIGKILL);
    EXPECT_EQ(child.wait(kNever).signal, SIGKILL);
    EXPECT_FALSE(child.kill(SIGKILL)) << "the process has exited";
  });
}

TEST_P(ProcessTest, KillGroupKillsDescendants) {
  run([] {
    Process child = shell_with_output("sleep 1000 & echo started; wait");
    BufferedReader lines(child.output());
    EXPECT_EQ(lines.read_line(100, kNever), "started");
    EXPECT_TRUE(child.kill(SIGKILL, KillTarget::group));
    EXPECT_EQ(child.wait(kNever).signal, SIGKILL);
    EXPECT_EQ(lines.read_line(100, kNever), std::nullopt) << "the descendant that held the pipe was killed";
    Process without_group = Process::spawn({.argv = {"true"}, .own_group = false});
    EXPECT_THROW(without_group.kill(SIGTERM, KillTarget::group), MisuseError);
    without_group.wait(kNever);
  });
}

TEST_P(ProcessTest, GroupOfReapedProcessIsNotSignalled) {
  run([] {
    Process child = shell_with_output("sleep 1000 >&- & echo $!");
    BufferedReader lines(child.output());
    const int orphan = std::stoi(std::string(lines.read_line(100, kNever).value_or("0")));
    ASSERT_GT(orphan, 0);
    EXPECT_TRUE(child.wait(kNever).is_success());
    EXPECT_FALSE(child.kill(SIGKILL, KillTarget::group));
    EXPECT_EQ(::kill(orphan, SIGKILL), 0) << "the orphan was not signalled";
  });
}

TEST_P(ProcessTest, DeferredReapAllowsKillGroupAfterExit) {
  run([] {
    Process child = Process::spawn({.argv = {"/bin/sh", "-c", "read go; sleep 1000 & echo started"},
                                    .input = Redirect::pipe(),
                                    .output = Redirect::pipe()});
    detail::Access::handle(child).defer_reap();
    child.input().write_all("go\n");
    EXPECT_TRUE(child.wait(kNever).is_success());
    EXPECT_TRUE(child.kill(SIGKILL, KillTarget::group));
    EXPECT_EQ(read_to_end(child.output()), "started\n") << "the descendant that held the pipe was killed";
  });
}

// PR-04
TEST_P(ProcessTest, ReaderWakesOnKillOrClose) {
  run([] {
    Process child = shell_with_output("exec sleep 1000");
    auto reader = spawn([&] { return read_to_end(child.output()); });
    delay(1ms);
    child.kill(SIGKILL);
    EXPECT_EQ(await(reader), "");
    Process other = shell_with_output("exec sleep 1000");
    auto closed = spawn([&] { read_to_end(other.output()); });
    delay(1ms);
    other.output().close();
    EXPECT_THROW(await(closed), ClosedError);
    other.kill(SIGKILL);
    other.wait(kNever);
    child.wait(kNever);
  });
}

TEST_P(ProcessTest, HandleMayOutliveRuntime) {
  std::vector<Process> processes;
  run_leaving(1, [&] {
    processes.push_back(shell("exit 4"));
    processes.back().wait(kNever);
    processes.push_back(shell("exec sleep 1000"));
  });
  EXPECT_EQ(processes[0].status()->code, 4);
  EXPECT_FALSE(processes[1].status().has_value());
  EXPECT_TRUE(processes[1].kill(SIGKILL));
  while (!processes[1].status()) std::this_thread::yield();
  EXPECT_EQ(processes[1].status()->signal, SIGKILL);
}

// PR-02
TEST_F(RuntimeTest, AttachedNonChildHasUnknownStatus) {
  run([] {
    // The grandchild gets another parent when its own parent exits.
    Process child = shell_with_output("sleep 1000 >/dev/null & echo $!");
    const int grandchild = std::stoi(read_to_end(child.output()));
    child.wait(kNever);
    Process foreign = Process::attach(grandchild);
    EXPECT_THROW(foreign.wait(1ms), TimeoutError);
    EXPECT_TRUE(foreign.kill(SIGKILL));
    EXPECT_FALSE(foreign.wait(kNever).known);
  });
}

TEST_P(ProcessTest, TokenEndsWaitAndProcessContinues) {
  run([] {
    Process child = Process::spawn({.argv = {"sleep", "1000"}});
    EXPECT_THROW(child.wait(timeout(2ms)), OperationCancelled);
    EXPECT_FALSE(child.status());
    EXPECT_TRUE(child.kill(SIGKILL));
    EXPECT_EQ(child.wait(kNever).signal, SIGKILL);
  });
}

}  // namespace

}  // namespace trueasync::test
