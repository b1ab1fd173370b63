#include "trueasync/io/terminal.hpp"

#include <sys/socket.h>

#include <array>

#include "file_fixture.hpp"
#include "pseudo_terminal.hpp"
#include "support/terminals.hpp"
#include "trueasync/io/buffered_reader.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

// Replaces a standard descriptor during its lifetime; a target of -1 closes it.
class Redirect {
 public:
  Redirect(int standard, int target) : standard_(standard), saved_(::fcntl(standard, F_DUPFD_CLOEXEC, 10)) {
    if (target < 0) {
      ::close(standard);
    } else {
      ::dup2(target, standard);
    }
  }
  ~Redirect() {
    ::dup2(saved_, standard_);
    ::close(saved_);
  }

 private:
  int standard_;
  int saved_;
};

struct Pair {
  explicit Pair(bool sockets) {
    if ((sockets ? ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data())
                 : ::pipe2(ends.data(), O_CLOEXEC)) != 0) {
      std::abort();
    }
  }
  ~Pair() {
    for (int end : ends) {
      if (end >= 0) ::close(end);
    }
  }
  void close_end(std::size_t which) { ::close(std::exchange(ends[which], -1)); }

  std::array<int, 2> ends{};
};

bool is_blocking(int fd) { return (::fcntl(fd, F_GETFL) & O_NONBLOCK) == 0; }

class StdioTest : public FileTest {};

TEST_F(StdioTest, PipeInputKeepsSharedDescriptorBlocking) {
  Pair pair(false);
  Redirect redirect(STDIN_FILENO, pair.ends[0]);
  run([&] {
    Io input = standard_input();
    EXPECT_EQ(input.kind(), IoKind::pipe);
    BufferedReader reader(input);
    auto line = spawn([&] { return std::string(reader.read_line().value_or("eof")); });
    delay(2ms);
    EXPECT_FALSE(line.is_finished());
    EXPECT_EQ(::write(pair.ends[1], "one\ntwo", 7), 7);
    EXPECT_EQ(await(line), "one");
    pair.close_end(1);
    EXPECT_EQ(reader.read_line(), "two");
    EXPECT_EQ(reader.read_line(), std::nullopt);
    EXPECT_TRUE(is_blocking(STDIN_FILENO));
  });
}

TEST_F(StdioTest, FileInputStartsAtPosition) {
  const int fd = ::open(path("in").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  EXPECT_EQ(::write(fd, "skipped\nread\n", 13), 13);
  ::lseek(fd, 8, SEEK_SET);
  {
    Redirect redirect(STDIN_FILENO, fd);
    run([&] {
      Io input = standard_input();
      EXPECT_EQ(input.kind(), IoKind::file);
      EXPECT_EQ(read_all(input, 100), "read\n");
    });
  }
  ::close(fd);
}

TEST_F(StdioTest, FileOutputSharesPosition) {
  const int fd = ::open(path("out").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  {
    Redirect redirect(STDOUT_FILENO, fd);
    run([&] {
      EXPECT_EQ(::write(STDOUT_FILENO, "before,", 7), 7);
      Io output = standard_output();
      output.write_all("output,");
      EXPECT_EQ(::write(STDOUT_FILENO, "after", 5), 5);
    });
  }
  ::close(fd);
  run([&] { EXPECT_EQ(read_file(path("out")), "before,output,after"); });
}

// AIO-03
TEST_F(StdioTest, OutputToClosedReaderFailsWithEpipe) {
  // SIGPIPE must not terminate the process.
  for (bool sockets : {false, true}) {
    Pair pair(sockets);
    Redirect redirect(STDOUT_FILENO, pair.ends[1]);
    run([&] {
      Io output = standard_output();
      output.write_all("unread");
      pair.close_end(0);
      try {
        output.write_all("x");
        ADD_FAILURE();
      } catch (const IoError& error) {
        EXPECT_EQ(error.code(), EPIPE);
        EXPECT_STREQ(error.what(), "write standard output: Broken pipe");
      }
    });
  }
}

TEST_F(StdioTest, OutputOpenedAfterReaderClosedFails) {
  Pair pair(false);
  Redirect redirect(STDOUT_FILENO, pair.ends[1]);
  pair.close_end(0);
  run([&] {
    Io output = standard_output();
    EXPECT_THROW(output.write_all("x"), IoError);
  });
}

// AIO-04
TEST_F(StdioTest, FullPipeSuspendsWriter) {
  Pair pair(false);
  Redirect redirect(STDERR_FILENO, pair.ends[1]);
  run([&] {
    Io output = standard_error();
    const std::string data(300'000, 'e');
    auto writer = spawn([&] { output.write_all(data); });
    delay(2ms);
    EXPECT_FALSE(writer.is_finished());
    Io reader = Io::adopt(std::exchange(pair.ends[0], -1), "read end");
    std::string got(data.size(), ' ');
    reader.read_exact(std::as_writable_bytes(std::span(got)));
    EXPECT_EQ(got, data);
    await(writer);
    EXPECT_TRUE(is_blocking(STDERR_FILENO));
  });
}

TEST_F(StdioTest, TerminalInputKeepsSharedDescriptorBlocking) {
  TRUEASYNC_SKIP_WITHOUT_TERMINALS();
  PseudoTerminal terminal;
  Redirect redirect(STDIN_FILENO, terminal.slave);
  run([&] {
    Io input = standard_input();
    EXPECT_EQ(input.kind(), IoKind::tty);
    BufferedReader reader(input);
    auto line = spawn([&] { return std::string(reader.read_line().value_or("eof")); });
    delay(2ms);
    terminal.type("typed\n");
    EXPECT_EQ(await(line), "typed");
    EXPECT_TRUE(is_blocking(STDIN_FILENO));
    terminal.type("\x04");  // Ctrl-D at the start of a line
    EXPECT_EQ(reader.read_line(), std::nullopt);
  });
}

TEST_F(StdioTest, ClosedDescriptorFailsWithEbadf) {
  run([&] {
    Redirect redirect(STDIN_FILENO, -1);
    try {
      standard_input();
      ADD_FAILURE();
    } catch (const IoError& error) {
      EXPECT_EQ(error.code(), EBADF);
      EXPECT_STREQ(error.what(), "open standard input: Bad file descriptor");
    }
  });
}

TEST_F(StdioTest, NullDeviceReadsEof) {
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  {
    Redirect input(STDIN_FILENO, null);
    run([&] {
      Io in = standard_input();
      EXPECT_EQ(read_all(in, 10), "");
    });
  }
  ::close(null);
}

}  // namespace
}  // namespace trueasync::test
