#include "trueasync/io/terminal.hpp"

#include <sys/ioctl.h>

#include <csignal>
#include <memory>

#include "file_fixture.hpp"
#include "integration/child_process.hpp"
#include "pseudo_terminal.hpp"
#include "support/terminals.hpp"

namespace trueasync::test {
namespace {

class TtyTest : public FileTest {};

// Registered before the exit handlers of the library, so it runs after them. A forked child must exit here: libuv would
// otherwise join the worker threads, which exist in the parent only.
bool is_child = false;
[[maybe_unused]] const int exit_child = std::atexit([] {
  if (is_child) ::_exit(0);
});

TEST_F(TtyTest, ReturnsTerminalSize) {
  TRUEASYNC_SKIP_WITHOUT_TERMINALS();
  PseudoTerminal terminal;
  winsize size = {};
  size.ws_col = 132;
  size.ws_row = 43;
  ASSERT_EQ(::ioctl(terminal.master, TIOCSWINSZ, &size), 0);
  run([&] {
    Io tty = Io::adopt(::dup(terminal.slave), "terminal");
    EXPECT_EQ(tty_size(tty).columns, 132u);
    EXPECT_EQ(tty_size(tty).rows, 43u);
    write_file(path("a"), "");
    const Io file = File::open(path("a"));
    try {
      tty_size(file);
      ADD_FAILURE();
    } catch (const IoError& error) {
      EXPECT_EQ(error.code(), ENOTTY);
    }
    EXPECT_THROW(RawMode raw(file), IoError);
  });
}

TEST_F(TtyTest, RawModeReadsKeysAndEndsWithScope) {
  TRUEASYNC_SKIP_WITHOUT_TERMINALS();
  PseudoTerminal terminal;
  run([&] {
    Io tty = Io::adopt(::dup(terminal.slave), "terminal");
    {
      RawMode raw(tty);
      EXPECT_TRUE(terminal.is_raw());
      EXPECT_EQ(terminal.mode().c_lflag & ISIG, 0u);
      terminal.type("\x03");  // Ctrl-C is a byte
      std::byte key[8];
      EXPECT_EQ(tty.read_some(key), 1u);
      EXPECT_EQ(key[0], std::byte{3});
    }
    EXPECT_FALSE(terminal.is_raw());
  });
}

TEST_F(TtyTest, LastRawModeRestoresTerminal) {
  TRUEASYNC_SKIP_WITHOUT_TERMINALS();
  PseudoTerminal terminal;
  run([&] {
    Io tty = Io::adopt(::dup(terminal.slave), "terminal");
    auto first = std::make_unique<RawMode>(tty);
    auto second = std::make_unique<RawMode>(tty, RawModeSignals::keep);
    EXPECT_NE(terminal.mode().c_lflag & ISIG, 0u);
    first.reset();
    EXPECT_TRUE(terminal.is_raw());
    tty.close();  // raw mode outlives the handle
    second.reset();
    EXPECT_FALSE(terminal.is_raw());
    struct sigaction current = {};
    ::sigaction(SIGTERM, nullptr, &current);
    EXPECT_EQ(current.sa_handler, SIG_DFL);
  });
}

TEST_F(TtyTest, TerminatingSignalRestoresTerminal) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "ThreadSanitizer delays signals until an intercepted call, and does not intercept pause()";
#endif
  TRUEASYNC_SKIP_WITHOUT_TERMINALS();
  PseudoTerminal terminal;
  Child child([&](int report) {
    Runtime runtime;
    return runtime.run([&]() -> int {
      Io tty = Io::adopt(::dup(terminal.slave), "terminal");
      RawMode raw(tty);
      if (::write(report, "r", 1) != 1) return 1;
      for (;;) ::pause();
    });
  });
  ASSERT_TRUE(child.wait_for_report());
  EXPECT_TRUE(terminal.is_raw());
  child.send(SIGTERM);
  EXPECT_TRUE(child.wait().killed_by(SIGTERM));
  EXPECT_FALSE(terminal.is_raw());
}

TEST_F(TtyTest, ExitRestoresTerminal) {
  TRUEASYNC_SKIP_WITHOUT_TERMINALS();
  PseudoTerminal terminal;
  Child child([&](int) -> int {
    Runtime runtime;
    runtime.run([&] {
      Io tty = Io::adopt(::dup(terminal.slave), "terminal");
      is_child = true;
      auto* never_destroyed = new RawMode(tty);
      (void)never_destroyed;
      if (!terminal.is_raw()) ::_exit(1);
      ::exit(0);
    });
    return 1;
  });
  const ChildResult result = child.wait();
  EXPECT_TRUE(result.exited_with(0)) << result;
  EXPECT_FALSE(terminal.is_raw());
}

}  // namespace
}  // namespace trueasync::test
