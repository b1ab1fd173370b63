// Io on every kind of descriptor.
#include <pty.h>
#include <termios.h>

#include <cerrno>

#include "stream_fixture.hpp"
#include "support/terminals.hpp"

namespace trueasync::test {
namespace {

// AIO-01
TEST_F(IoTest, EverySocketKindReadsWritesAndCloses) {
  run([] {
    auto [tcp, tcp_peer] = make_tcp_pair();
    auto [unix_stream, unix_peer] = make_socket_pair();
    auto [datagram, datagram_peer] = make_socket_pair(SOCK_DGRAM);
    struct Case {
      UniqueFd local;
      UniqueFd peer;
      IoKind kind;
    } cases[] = {{std::move(tcp), std::move(tcp_peer), IoKind::tcp},
                 {std::move(unix_stream), std::move(unix_peer), IoKind::pipe},
                 {std::move(datagram), std::move(datagram_peer), IoKind::udp}};
    for (Case& test_case : cases) {
      Io local = Io::adopt(test_case.local.release());
      Io peer = Io::adopt(test_case.peer.release());
      EXPECT_EQ(local.kind(), test_case.kind);
      EXPECT_TRUE(local.state().readable && local.state().writable);
      auto reader = spawn([stream = &peer] { return read_text(*stream); });
      settle();
      EXPECT_FALSE(reader.is_finished());
      local.write_all("hello");
      EXPECT_EQ(await(reader), "hello");
      local.close();
      EXPECT_NE(thrown<ClosedError>([&] { local.write_all("x"); }), "");
      EXPECT_NE(thrown<ClosedError>([&] { read_text(local); }), "");
    }
  });
}

// AIO-01
TEST_F(IoTest, PipeEndsAreReadOnlyAndWriteOnly) {
  run([] {
    auto [read_end, write_end] = make_pipe();
    Io in = Io::adopt(read_end.release(), "in");
    Io out = Io::adopt(write_end.release(), "out");
    EXPECT_EQ(in.kind(), IoKind::pipe);
    EXPECT_FALSE(in.state().writable);
    EXPECT_FALSE(out.state().readable);
    auto reader = spawn([stream = &in] {
      std::string all = read_text(*stream);
      return all + "|" + read_text(*stream);
    });
    settle();
    out.write_all("text");
    settle();
    out.shutdown_write();
    EXPECT_EQ(await(reader), "text|");
    EXPECT_TRUE(in.state().eof);
    EXPECT_EQ(thrown_code([&] { in.write_all("x"); }), EBADF);
  });
}

// AIO-03 IO-08
TEST_F(IoTest, WriteToPipeWithoutReaderFailsWithEpipe) {
  run([] {
    auto [read_end, write_end] = make_pipe();
    Io out = Io::adopt(write_end.release(), "out");
    auto parked = spawn([stream = &out] { return thrown_code([&] { stream->write_all(std::string(1 << 20, 'x')); }); });
    settle();
    EXPECT_FALSE(parked.is_finished());
    read_end.close();
    EXPECT_EQ(await(parked), EPIPE);
    EXPECT_EQ(thrown([&] { out.write_all("x"); }), "write out: Broken pipe");
  });
}

// AIO-01
TEST_F(IoTest, TerminalReadsLineByLine) {
  TRUEASYNC_SKIP_WITHOUT_TERMINALS();
  run([] {
    int master = -1, slave = -1;
    ASSERT_EQ(::openpty(&master, &slave, nullptr, nullptr, nullptr), 0);
    UniqueFd user(master);
    Io tty = Io::adopt(slave, "tty");
    EXPECT_EQ(tty.kind(), IoKind::tty);
    auto reader = spawn([stream = &tty] { return read_text(*stream); });
    settle();
    EXPECT_EQ(::write(user.get(), "one\ntwo\n", 8), 8);
    EXPECT_EQ(await(reader), "one\n");
    EXPECT_EQ(read_text(tty), "two\n") << "a short read does not drain a terminal";
    tty.write_all("prompt> ");
    char text[64];
    std::string shown;
    while (shown.find("prompt> ") == std::string::npos) {
      const ssize_t got = ::read(user.get(), text, sizeof text);
      ASSERT_GT(got, 0);
      shown.append(text, static_cast<std::size_t>(got));
    }
    EXPECT_EQ(thrown_code([&] { tty.shutdown_write(); }), ENOTSOCK);
    auto hung_up = spawn([stream = &tty] { return thrown_code([&] { read_text(*stream); }); });
    settle();
    user.close();
    const int code = await(hung_up);
    EXPECT_TRUE(code == 0 || code == EIO) << code;
  });
}

// AIO-01 IO-26
TEST_F(IoTest, EmptyDatagramIsNotEof) {
  run([] {
    auto [local, peer] = make_socket_pair(SOCK_DGRAM);
    Io io = Io::adopt(local.release(), "datagrams");
    EXPECT_EQ(::send(peer.get(), "", 0, 0), 0);
    EXPECT_EQ(::send(peer.get(), "next", 4, 0), 4);
    EXPECT_EQ(read_text(io), "");
    EXPECT_FALSE(io.state().eof);
    EXPECT_EQ(read_text(io), "next");
  });
}

// AIO-01 IO-15
TEST_F(IoTest, VectoredWriteSendsOneDatagram) {
  run([] {
    auto [local, peer] = make_socket_pair(SOCK_DGRAM);
    Io io = Io::adopt(local.release(), "datagrams");
    const ConstBytes few[] = {as_bytes("a"), {}, as_bytes("b")};
    io.write_all(few);
    char text[64];
    EXPECT_EQ(::recv(peer.get(), text, sizeof text, MSG_DONTWAIT), 2);
    const std::vector<ConstBytes> many(100, as_bytes("c"));
    EXPECT_EQ(thrown_code([&] { io.write_all(many); }), EMSGSIZE);
    EXPECT_EQ(::recv(peer.get(), text, sizeof text, MSG_DONTWAIT), -1) << "nothing of it was sent";
  });
}

// AIO-01
TEST_F(IoTest, AdoptRejectsInvalidDescriptorWithoutTakingIt) {
  run([] {
    EXPECT_EQ(thrown([] { (void)Io::adopt(-1, "nothing"); }), "open nothing: Bad file descriptor");
    UniqueFd directory(::open("/", O_RDONLY | O_DIRECTORY));
    EXPECT_EQ(thrown_code([&] { (void)Io::adopt(directory.get()); }), EISDIR);
    EXPECT_NE(::fcntl(directory.get(), F_GETFD), -1);
    Io empty;
    EXPECT_FALSE(empty);
    EXPECT_NE(thrown<MisuseError>([&] { read_text(empty); }), "");
    EXPECT_TRUE(empty.state().closed);
  });
}

// SH-01 IO-04
TEST_F(IoTest, HandleMayOutliveRuntime) {
  auto [local, peer] = make_socket_pair();
  Io io;
  run([&] {
    io = Io::adopt(local.release(), "outliving");
    EXPECT_NE(thrown<TimeoutError>([&] { read_text(io, 1, 1ms); }), "");
    io.close();
  });
  auto [second, second_peer] = make_socket_pair();
  {
    Runtime runtime;
    runtime.run([&] {
      io = Io::adopt(second.release(), "outliving");
      EXPECT_NE(thrown<TimeoutError>([&] { read_text(io, 1, 1ms); }), "");
    });
  }
  EXPECT_NE(thrown<MisuseError>([&] { read_text(io); }), "") << "a wait needs a runtime";
  io.close();
  char byte;
  EXPECT_EQ(::recv(second_peer.get(), &byte, 1, 0), 0);
}

}  // namespace
}  // namespace trueasync::test
