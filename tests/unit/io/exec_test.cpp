// exec(): input, output, limits and cleanup.
#include "trueasync/io/process.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <fstream>

#include "runtime_fixture.hpp"

namespace trueasync::test {
namespace {

class ExecTest : public RuntimeTest {};

using Lines = std::vector<std::string>;

// For a process that is not a child of the test. A zombie that its parent has not reaped counts as exited.
bool is_running(int pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string number, name, state;
  return (file >> number >> name >> state) && state != "Z";
}

// REA-02
TEST_F(ExecTest, CapturesOutputErrorsAndExitCode) {
  run([] {
    const ExecResult result = exec({.command = "echo out; echo err >&2; exit 3"});
    EXPECT_EQ(result.output, "out\n");
    EXPECT_EQ(result.error_output, "err\n");
    EXPECT_EQ(result.status.code, 3);
    EXPECT_TRUE(result.status.known);
    EXPECT_FALSE(result.timed_out || result.truncated);
    EXPECT_EQ(exec({.argv = {"echo", "$HOME", "a b"}}).output, "$HOME a b\n") << "no shell";
    EXPECT_EQ(exec({.command = "kill -9 $$"}).status.signal, SIGKILL);
  });
}

// PR-01
TEST_F(ExecTest, EndOfOutputIsNotExit) {
  run([] {
    const ExecResult result = exec({.command = "exec >&- 2>&-; sleep 0.05; exit 9"});
    EXPECT_EQ(result.status.code, 9);
    EXPECT_TRUE(result.status.known);
  });
}

TEST_F(ExecTest, OtherCoroutinesRunDuringExec) {
  run([] {
    int delays = 0;
    auto other = spawn([&] {
      for (; delays < 5; ++delays) delay(1ms);
    });
    exec({.command = "sleep 0.05"});
    EXPECT_EQ(delays, 5);
    await(other);
  });
}

TEST_F(ExecTest, MergedErrorsKeepOrder) {
  run([] {
    const ExecResult result = exec({.command = "echo 1; echo 2 >&2; echo 3", .stderr_mode = StderrMode::merge});
    EXPECT_EQ(result.output, "1\n2\n3\n");
    EXPECT_EQ(result.error_output, "");
    EXPECT_EQ(exec({.command = "echo discarded >&2", .stderr_mode = StderrMode::discard}).error_output, "");
  });
}

// AIO-04
TEST_F(ExecTest, AcceptsInputOfAnySize) {
  run([] {
    const std::string input(3 * 1024 * 1024, 'x');  // exceeds the pipe buffers of both directions
    const ExecResult result = exec({.command = "cat", .input = input});
    EXPECT_EQ(result.output.size(), input.size());
    EXPECT_EQ(result.output, input);
    EXPECT_EQ(exec({.command = "cat"}).output, "") << "without input the child reads an empty one, not the parent's";
  });
}

TEST_F(ExecTest, UnreadInputIsNoError) {
  run([] {
    const ExecResult result = exec({.command = "exec <&-; echo done", .input = std::string(1 << 20, 'x')});
    EXPECT_EQ(result.output, "done\n");
    EXPECT_TRUE(result.status.is_success());
  });
}

TEST_F(ExecTest, ReadsInputFromStream) {
  run([] {
    int ends[2];
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    Io source = Io::adopt(ends[0]);
    Io writer = Io::adopt(ends[1]);
    auto writing = spawn([&] {
      for (int i = 0; i < 3; ++i) {
        writer.write_all("piece ");
        delay(1ms);
      }
      writer.close();
    });
    EXPECT_EQ(exec({.command = "cat", .input_stream = &source}).output, "piece piece piece ");
    await(writing);
  });
}

TEST_F(ExecTest, ExitEndsWaitForInputStream) {
  run([] {
    int ends[2];
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    Io source = Io::adopt(ends[0]);
    Io writer = Io::adopt(ends[1]);
    EXPECT_EQ(exec({.command = "echo enough", .input_stream = &source}).output, "enough\n");
    writer.write_all("unread data");
    std::array<std::byte, 64> buffer;
    EXPECT_EQ(source.read_some(buffer, kNever), 11u) << "exec consumed nothing";
  });
}

TEST_F(ExecTest, InputStreamErrorEndsCall) {
  run([] {
    int ends[2];
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    Io source = Io::adopt(ends[0]);
    Io writer = Io::adopt(ends[1]);
    auto closer = spawn([&] {
      delay(1ms);
      source.close();
    });
    EXPECT_THROW(exec({.command = "sleep 1000", .input_stream = &source}, kNever), ClosedError);
    await(closer);
  });
}

// PR-05
TEST_F(ExecTest, DeliversLinesAsTheyAreWritten) {
  run([] {
    Lines output, errors;
    std::vector<TimePoint> times;
    const ExecResult result = exec({
        .command = R"(printf 'one\n'; sleep 0.02; printf ' two  \r\n\nthr'; printf 'ee'; echo x >&2)",
        .on_output_line = [&](std::string_view line) { output.emplace_back(line); },
        .on_error_line = [&](std::string_view line) { errors.emplace_back(line); },
    });
    EXPECT_EQ(output, (Lines{"one", " two  ", "", "three"}));
    EXPECT_EQ(errors, Lines{"x"});
    EXPECT_EQ(result.output, "");
  });
}

// PR-05
TEST_F(ExecTest, DeliversLongLinesInParts) {
  run([] {
    std::size_t bytes = 0, pieces = 0;
    std::string last;
    exec({.command = "head -c 300000 /dev/zero | tr '\\0' a; echo; echo end",
          .on_output_line = [&](std::string_view line) {
            bytes += line.size();
            ++pieces;
            last = line;
          }});
    EXPECT_EQ(bytes, 300000u + 3);
    EXPECT_GT(pieces, 2u);
    EXPECT_EQ(last, "end");
  });
}

TEST_F(ExecTest, LineHandlerMaySuspendAndThrow) {
  run([] {
    int lines = 0;
    const LineHandler slow = [&](std::string_view) {
      if (++lines % 100 == 0) delay(1ms);
    };
    exec({.command = "seq 1000", .on_output_line = slow});
    EXPECT_EQ(lines, 1000);
    const LineHandler failing = [](std::string_view) { throw std::runtime_error("no more"); };
    EXPECT_THROW(exec({.command = "yes", .on_output_line = failing}), std::runtime_error);
  });
}

TEST_F(ExecTest, MaxCapturedLimitsOutput) {
  run([] {
    const ExecResult truncated = exec({.command = "seq 100000; exit 4", .max_captured = 10});
    EXPECT_EQ(truncated.output, "1\n2\n3\n4\n5\n");
    EXPECT_TRUE(truncated.truncated);
    EXPECT_EQ(truncated.status.code, 4) << "the rest was read and discarded";
    const ExecResult killed = exec({.command = "yes", .max_captured = 1000, .overflow = ExecOverflow::kill});
    EXPECT_EQ(killed.output.size(), 1000u);
    EXPECT_TRUE(killed.truncated);
    EXPECT_EQ(killed.status.signal, SIGTERM);
    EXPECT_FALSE(exec({.command = "printf 1234", .max_captured = 4}).truncated);
  });
}

TEST_F(ExecTest, TimeoutKillsGroupAndKeepsOutput) {
  run([] {
    const ExecResult result = exec({.command = "sleep 1000 & echo $!; wait"}, 100ms);
    EXPECT_TRUE(result.timed_out);
    EXPECT_EQ(result.status.signal, SIGTERM);
    ASSERT_FALSE(result.output.empty());
    // The end of its output precedes its exit.
    const int grandchild = std::stoi(result.output);
    for (int i = 0; i < 1000 && is_running(grandchild); ++i) delay(5ms);
    EXPECT_FALSE(is_running(grandchild));
  });
}

TEST_F(ExecTest, IgnoredSigtermIsFollowedBySigkill) {
  run([] {
    const ExecResult result =
        exec({.command = "trap '' TERM; echo ready; while :; do sleep 0.01; done", .grace = 50ms}, 100ms);
    EXPECT_TRUE(result.timed_out);
    EXPECT_EQ(result.output, "ready\n");
    EXPECT_EQ(result.status.signal, SIGKILL);
  });
}

TEST_F(ExecTest, SigtermHandlerExitCodeIsReported) {
  run([] {
    const ExecResult result = exec({.command = "trap 'echo bye; exit 6' TERM; while :; do sleep 0.01; done"}, 100ms);
    EXPECT_TRUE(result.timed_out);
    EXPECT_EQ(result.output, "bye\n");
    EXPECT_EQ(result.status.code, 6);
  });
}

// PR-01
TEST_F(ExecTest, OutputTimeoutEndsWaitForInheritedPipe) {
  run([] {
    const ExecResult result = exec({.command = "echo $$; sleep 1000 & exit 2", .output_timeout = 0ms});
    EXPECT_EQ(result.status.code, 2);
    EXPECT_FALSE(result.timed_out);
    const int group = std::stoi(result.output);
    EXPECT_EQ(::kill(-group, SIGKILL), 0) << "the background process still runs";
    const ExecResult timed = exec({.command = "sleep 1000 & exit 2"}, 50ms);
    EXPECT_TRUE(timed.timed_out);
    EXPECT_EQ(timed.status.code, 2) << "the process had exited; its group was killed";
  });
}

// CXL-01 R2
TEST_F(ExecTest, CancelKillsGroupAndReaps) {
  run([] {
    int group = 0;
    auto call = spawn([&] {
      exec({.command = "echo $$; sleep 1000 & sleep 1000",
            .on_output_line = [&](std::string_view line) { group = std::stoi(std::string(line)); }});
    });
    for (int i = 0; i < 10000 && group == 0; ++i) delay(1ms);
    ASSERT_NE(group, 0);
    call.cancel();
    EXPECT_THROW(await(call), Cancelled);
    EXPECT_EQ(::kill(group, 0), -1) << "reaped";
  });
}

// CXL-01
TEST_F(ExecTest, CancelBeforeStartThrows) {
  run([] {
    auto call = spawn([] {
      current_coroutine().cancel();
      exec({.command = "sleep 1000", .input = "x"});
    });
    EXPECT_THROW(await(call), Cancelled);
  });
}

// R2 SHU-02
TEST_F(ExecTest, ForcedShutdownKillsProcess) {
  RuntimeOptions options;
  options.shutdown_timeout = 20ms;
  int pid = 0;
  Runtime runtime(options);
  EXPECT_THROW(runtime.run([&] {
    spawn([&] {
      exec({.command = "trap '' TERM; echo $$; while :; do sleep 0.01; done",
            .on_output_line = [&](std::string_view line) { pid = std::stoi(std::string(line)); },
            .grace = kNever});
    });
    while (pid == 0) delay(1ms);
    throw std::runtime_error("shutdown");
  }),
               std::runtime_error);
  // The forced shutdown killed the process although no coroutine waited for it.
  if (::waitpid(pid, nullptr, 0) < 0) {
    EXPECT_EQ(errno, ECHILD);
  }
}

TEST_F(ExecTest, StartFailureNamesProgram) {
  run([] {
    EXPECT_EQ(text_of_thrown<IoError>([] { exec({.argv = {"no-such-program"}}); }),
              "exec no-such-program: No such file or directory");
    EXPECT_EQ(exec({.command = "no-such-program", .stderr_mode = StderrMode::discard}).status.code, 127);
    EXPECT_THROW(exec({}), MisuseError);
    EXPECT_THROW(exec({.command = "true", .argv = {"true"}}), MisuseError);
  });
}

// PR-07
TEST_F(ExecTest, RunsManyConcurrently) {
  run([] {
    std::vector<Task<std::string>> calls;
    for (int i = 0; i < 20; ++i) {
      calls.push_back(spawn([i] { return exec({.argv = {"echo", std::to_string(i)}}).output; }));
    }
    for (int i = 0; i < 20; ++i) EXPECT_EQ(await(calls[static_cast<std::size_t>(i)]), std::to_string(i) + "\n");
  });
}

TEST_F(ExecTest, TokenKillsProcessAndThrows) {
  run([] {
    const TimePoint begin = Clock::now();
    EXPECT_THROW(exec({.command = "sleep 1000 & wait"}, timeout(20ms)), OperationCancelled);
    EXPECT_THROW(exec({.command = "sleep 1000"}, {kNever, timeout(20ms)}), OperationCancelled);
    EXPECT_LT(Clock::now() - begin, kNever);
    EXPECT_EQ(exec({.command = "echo done"}, {kNever, timeout(kNever)}).output, "done\n");
  });
}

}  // namespace
}  // namespace trueasync::test
