// A cancellation token or a deadline ends each kind of wait of a stream, a listener and a datagram socket.
#include "stream_fixture.hpp"
#include "trueasync/io/datagram.hpp"
#include "trueasync/io/net.hpp"
#include "trueasync/time.hpp"

namespace trueasync::test {
namespace {

using IoTokenTest = IoTest;

Address any_port() { return Address::loopback(AddressFamily::ipv4, 0); }

TEST_F(IoTokenTest, TokenEndsReadWithoutConsumingData) {
  run([] {
    auto [io, peer] = connection();
    EXPECT_THROW(read_text(io, 10, timeout(1ms)), OperationCancelled);
    ASSERT_EQ(::send(peer.get(), "later", 5, 0), 5);
    EXPECT_EQ(read_text(io), "later");
  });
}

TEST_F(IoTokenTest, TokenErrorIsTheCause) {
  run([] {
    auto [io, peer] = connection();
    auto failing = spawn([]() -> int { throw std::runtime_error("token failed"); });
    try {
      read_text(io, 10, failing.event());
      FAIL();
    } catch (const OperationCancelled& cancelled) {
      ASSERT_TRUE(cancelled.cause());
      EXPECT_THROW(std::rethrow_exception(cancelled.cause()), std::runtime_error);
    }
  });
}

TEST_F(IoTokenTest, AvailableDataWinsOverFiredToken) {
  run([] {
    auto [io, peer] = connection();
    ASSERT_EQ(::send(peer.get(), "data", 4, 0), 4);
    Timeout token(1ms);
    delay(3ms);
    EXPECT_EQ(read_text(io, 10, token), "data");
    EXPECT_THROW(read_text(io, 10, token), OperationCancelled);
  });
}

TEST_F(IoTokenTest, TokenEndsWaitForOtherReader) {
  run([] {
    auto [io, peer] = connection();
    auto first = spawn([stream = &io] { return read_text(*stream); });
    settle();
    EXPECT_THROW(read_text(io, 10, timeout(1ms)), OperationCancelled);
    ASSERT_EQ(::send(peer.get(), "x", 1, 0), 1);
    EXPECT_EQ(await(first), "x");
  });
}

TEST_F(IoTokenTest, TokenEndsPipeRead) {
  run([] {
    auto [local, peer] = make_socket_pair();
    Io io = Io::adopt(local.release(), "pair");
    EXPECT_THROW(read_text(io, 10, {10s, timeout(1ms)}), OperationCancelled);
  });
}

TEST_F(IoTokenTest, TokenEndsWriteAndKeepsWrittenBytes) {
  run([] {
    auto [io, peer] = connection();
    shrink_buffers(io.descriptor());
    const std::string data(4 << 20, 'x');
    EXPECT_THROW(io.write_all(data, timeout(2ms)), OperationCancelled);
    const std::uint64_t written = io.bytes_written();
    EXPECT_GT(written, 0u);
    EXPECT_LT(written, data.size());
    io.shutdown_write();
    std::uint64_t received = 0;
    for (std::size_t got; (got = take_pending(peer).size()) != 0 || received < written; received += got) delay(100us);
    EXPECT_EQ(received, written);
  });
}

// The peer reads as fast as the coroutine writes, so the write only yields.
TEST_F(IoTokenTest, TokenEndsWriteThatNeverWaits) {
  run([] {
    Io sink = Io::adopt(::open("/dev/null", O_WRONLY | O_CLOEXEC), "null");
    const std::vector<ConstBytes> pieces(1 << 16, as_bytes(std::string_view("0123456789")));
    Timeout token(0ms);
    delay(1ms);
    EXPECT_THROW(
        {
          for (int i = 0; i < 1000; ++i) sink.write_all(pieces, token);
        },
        OperationCancelled);
  });
}

TEST_F(IoTokenTest, TokenEndsAccept) {
  run([] {
    Listener listener = listen(any_port());
    EXPECT_THROW(listener.accept(timeout(1ms)), OperationCancelled);
    Io client = connect(listener.local_address());
    EXPECT_TRUE(listener.accept(10s));
  });
}

TEST_F(IoTokenTest, TokenEndsServe) {
  run([] {
    Listener listener = listen(any_port());
    Io client = connect(listener.local_address());
    bool handler_ended = false;
    const auto handler = [&](Io connection) {
      struct Guard {
        bool& ended;
        ~Guard() { ended = true; }
      } guard{handler_ended};
      read_text(connection);
    };
    EXPECT_THROW(serve(listener, handler, {}, timeout(3ms)), OperationCancelled);
    EXPECT_TRUE(handler_ended);
  });
}

TEST_F(IoTokenTest, TokenEndsReceive) {
  run([] {
    DatagramSocket socket = bind_udp(any_port());
    std::byte buffer[16];
    EXPECT_THROW(socket.receive_from(buffer, timeout(1ms)), OperationCancelled);
  });
}

TEST_F(IoTokenTest, TokenEndsConnect) {
  run([] {
    UniqueFd listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const Address any = any_port();
    ASSERT_EQ(::bind(listener.get(), any.data(), any.size()), 0);
    ASSERT_EQ(::listen(listener.get(), 0), 0);
    sockaddr_storage storage;
    socklen_t size = sizeof storage;
    ASSERT_EQ(::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&storage), &size), 0);
    const Address address = Address::from(reinterpret_cast<sockaddr*>(&storage), size);
    std::vector<Io> connected;
    // The backlog accepts one or two connections; the next attempt gets no answer.
    EXPECT_THROW(
        {
          for (int i = 0; i < 8; ++i) connected.push_back(connect(address, {}, timeout(20ms)));
        },
        OperationCancelled);
  });
}

TEST_F(IoTokenTest, DeadlineEndsRead) {
  run([] {
    auto [io, peer] = connection();
    const TimePoint deadline = Clock::now() + 5ms;
    EXPECT_THROW(read_text(io, 10, deadline), TimeoutError);
    EXPECT_GE(Clock::now(), deadline);
    EXPECT_THROW(read_text(io, 10, deadline), TimeoutError) << "a passed deadline";
    ASSERT_EQ(::send(peer.get(), "later", 5, 0), 5);
    settle();
    EXPECT_EQ(read_text(io, 10, deadline), "later");
  });
}

}  // namespace
}  // namespace trueasync::test
