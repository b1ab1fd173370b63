// Listener: listen and accept.
#include <netinet/tcp.h>

#include <cerrno>

#include "stream_fixture.hpp"
#include "trueasync/io/net.hpp"

namespace trueasync::test {
namespace {

using ListenerTest = IoTest;

Address loopback() { return Address::loopback(AddressFamily::ipv4, 0); }

int option_of(const Io& io, int level, int option) {
  int value = 0;
  socklen_t size = sizeof value;
  EXPECT_EQ(::getsockopt(io.descriptor(), level, option, &value, &size), 0);
  return value;
}

// REA-02
TEST_F(ListenerTest, AcceptsConnection) {
  run([] {
    Listener listener = listen(loopback());
    EXPECT_NE(listener.local_address().port(), 0);
    auto accepted = spawn([&] { return listener.accept(); });
    settle();
    EXPECT_FALSE(accepted.is_finished());
    Io client = connect(listener.local_address());
    Io server = await(std::move(accepted));
    EXPECT_EQ(client.kind(), IoKind::tcp);
    EXPECT_EQ(client.name(), listener.local_address().to_string());
    EXPECT_EQ(peer_address(client), listener.local_address());
    EXPECT_EQ(peer_address(server), local_address(client));
    EXPECT_EQ(server.name(), local_address(client).to_string());
    client.write_all("hello");
    EXPECT_EQ(read_text(server), "hello");
    for (const Io* io : {&client, &server}) {
      EXPECT_NE(option_of(*io, IPPROTO_TCP, TCP_NODELAY), 0);
      EXPECT_NE(::fcntl(io->descriptor(), F_GETFL) & O_NONBLOCK, 0);
      EXPECT_NE(::fcntl(io->descriptor(), F_GETFD) & FD_CLOEXEC, 0);
    }
    EXPECT_EQ(listener.accepted(), 1u);
  });
}

// IO-24
TEST_F(ListenerTest, AcceptTriesBeforeWaiting) {
  run([] {
    Listener listener = listen(loopback());
    Io client = connect(listener.local_address());
    const auto switches = statistics().switches;
    Io server = listener.accept();
    EXPECT_EQ(statistics().switches, switches);
    EXPECT_EQ(registrations(), 1u) << "only the client's connection; the listener has not waited";
    EXPECT_THROW((void)listener.accept(1ms), TimeoutError);
    Io second = connect(listener.local_address());
    EXPECT_TRUE(listener.accept(10s));
  });
}

// REA-02 SUS-04
TEST_F(ListenerTest, CanBeAwaitedAsEvent) {
  run([] {
    Listener one = listen(loopback());
    Listener two = listen(loopback());
    Event* events[] = {&one.event(), &two.event()};
    EXPECT_THROW(wait_any(events, 1ms), TimeoutError);
    Io client = connect(two.local_address());
    EXPECT_EQ(wait_any(events), 1u);
    EXPECT_TRUE(two.accept(0ns));
    EXPECT_THROW((void)one.accept(0ns), TimeoutError);
  });
}

// IO-09 IO-10 R1
TEST_F(ListenerTest, AcceptersAreFifoAndCloseWakesThem) {
  run([] {
    Listener listener = listen(loopback());
    std::vector<int> order;
    std::vector<Task<void>> accepters;
    for (int i = 0; i < 4; ++i) {
      accepters.push_back(spawn([&, i] {
        try {
          (void)listener.accept();
          order.push_back(i);
        } catch (const ClosedError&) {
          order.push_back(10 + i);
        }
      }));
    }
    settle();
    accepters[0].cancel();
    Io client = connect(listener.local_address());
    await(accepters[1]);
    listener.close();
    EXPECT_EQ(listener.descriptor(), -1);
    await(accepters[2]);
    await(accepters[3]);
    EXPECT_EQ(order, (std::vector<int>{1, 12, 13}));
    EXPECT_THROW((void)listener.accept(), ClosedError);
    EXPECT_THROW(listener.event(), ClosedError);
  });
}

// AIO-01
TEST_F(ListenerTest, SocketOptionsApplyToConnections) {
  run([] {
    SocketOptions socket;
    socket.no_delay = false;
    socket.keep_alive = KeepAlive{30s, 5s, 3};
    socket.send_buffer = 16384;
    socket.receive_buffer = 16384;
    socket.linger = 0s;
    Listener listener = listen(loopback(), {.socket = socket});
    Io client = connect(listener.local_address(), {.socket = socket});
    Io server = listener.accept();
    for (const Io* io : {&client, &server}) {
      EXPECT_EQ(option_of(*io, IPPROTO_TCP, TCP_NODELAY), 0);
      EXPECT_EQ(option_of(*io, SOL_SOCKET, SO_KEEPALIVE), 1);
      EXPECT_EQ(option_of(*io, IPPROTO_TCP, TCP_KEEPIDLE), 30);
      EXPECT_EQ(option_of(*io, IPPROTO_TCP, TCP_KEEPINTVL), 5);
      EXPECT_EQ(option_of(*io, IPPROTO_TCP, TCP_KEEPCNT), 3);
      EXPECT_EQ(option_of(*io, SOL_SOCKET, SO_SNDBUF), 2 * 16384);
      EXPECT_EQ(option_of(*io, SOL_SOCKET, SO_RCVBUF), 2 * 16384);
    }
    set_socket_options(server, {.no_delay = true});
    EXPECT_NE(option_of(server, IPPROTO_TCP, TCP_NODELAY), 0);
    server.close();  // linger 0: a reset
    EXPECT_EQ(thrown_code([&] { read_text(client); }), ECONNRESET);
  });
}

TEST_F(ListenerTest, PortConflictFailsUnlessReusePort) {
  run([] {
    Listener first = listen(loopback(), {.reuse_port = true});
    Listener second = listen(first.local_address(), {.reuse_port = true});
    EXPECT_EQ(thrown([&] { (void)listen(first.local_address()); }),
              "listen " + first.local_address().to_string() + ": Address already in use");
    EXPECT_THROW((void)listen(Address()), MisuseError);
    Listener empty;
    EXPECT_THROW((void)empty.accept(), MisuseError);
  });
}

// AIO-01
TEST_F(ListenerTest, AcceptsOnUnixPathAndAbstractAddress) {
  run([] {
    const std::string path = ::testing::TempDir() + "ta_io_" + std::to_string(::getpid()) + ".sock";
    for (const Address& address :
         {Address::unix_socket(path), Address::unix_socket("@ta_io_" + std::to_string(::getpid()))}) {
      Listener listener = listen(address);
      Io client = connect(address);
      Io server = listener.accept();
      EXPECT_EQ(server.kind(), IoKind::pipe);
      client.write_all("through the file system");
      EXPECT_EQ(read_text(server), "through the file system");
      EXPECT_EQ(peer_address(client), address);
    }
    EXPECT_NE(::access(path.c_str(), F_OK), 0) << "the listener removes its socket file";
    EXPECT_EQ(thrown([&] { (void)connect(Address::unix_socket(path)); }),
              "connect unix:" + path + ": No such file or directory");
  });
}

// AIO-03
TEST_F(ListenerTest, ConnectRetriesWhileUnixBacklogIsFull) {
  run([] {
    const Address address = Address::unix_socket("@ta_full_" + std::to_string(::getpid()));
    Listener listener = listen(address, {.backlog = 1});
    std::vector<Io> waiting;
    for (int i = 0; i < 2; ++i) waiting.push_back(connect(address));
    EXPECT_THROW((void)connect(address, {}, 5ms), TimeoutError);
    auto retrying = spawn([&] { return connect(address, {}, 10s); });
    settle();
    EXPECT_FALSE(retrying.is_finished());
    (void)listener.accept();
    EXPECT_TRUE(await(std::move(retrying)));
  });
}

}  // namespace
}  // namespace trueasync::test
