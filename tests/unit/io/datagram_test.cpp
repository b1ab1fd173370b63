// DatagramSocket: send and receive with addresses.
#include "trueasync/io/datagram.hpp"

#include <cerrno>

#include "stream_fixture.hpp"

namespace trueasync::test {
namespace {

using DatagramTest = IoTest;

DatagramSocket bind_loopback() { return bind_udp(Address::loopback(AddressFamily::ipv4, 0)); }

std::string to_text(const Datagram& datagram, const std::array<std::byte, 64>& buffer) {
  return std::string(reinterpret_cast<const char*>(buffer.data()), datagram.size);
}

// AIO-01
TEST_F(DatagramTest, ReceiveReturnsSenderAddress) {
  run([] {
    DatagramSocket one = bind_loopback(), two = bind_loopback();
    std::array<std::byte, 64> buffer;
    auto receiver = spawn([&] { return two.receive_from(buffer); });
    settle();
    one.send_to(as_bytes("ping"), two.local_address());
    const Datagram got = await(receiver);
    EXPECT_EQ(to_text(got, buffer), "ping");
    EXPECT_EQ(got.from, one.local_address());
    EXPECT_FALSE(got.is_truncated());
  });
}

// IO-26 AIO-03
TEST_F(DatagramTest, ReportsEmptyAndTruncatedDatagrams) {
  run([] {
    DatagramSocket one = bind_loopback(), two = bind_loopback();
    std::array<std::byte, 64> buffer;
    one.send_to({}, two.local_address());
    one.send_to(as_bytes(std::string(100, 'x')), two.local_address());
    one.send_to(as_bytes("after"), two.local_address());
    Datagram got = two.receive_from(buffer);
    EXPECT_EQ(got.size, 0u);
    EXPECT_EQ(got.from, one.local_address()) << "an empty datagram is not the end of the stream";
    got = two.receive_from(buffer);
    EXPECT_TRUE(got.is_truncated());
    EXPECT_EQ(got.size, buffer.size());
    EXPECT_EQ(got.full_size, 100u);
    EXPECT_EQ(to_text(two.receive_from(buffer), buffer), "after");
    EXPECT_EQ(thrown<IoError>([&] { one.send_to(as_bytes(std::string(70000, 'x')), two.local_address()); }),
              "send to " + two.local_address().to_string() + " from " + one.local_address().to_string() +
                  ": Message too long");
  });
}

TEST_F(DatagramTest, ConnectedSocketReceivesFromPeerOnly) {
  run([] {
    DatagramSocket server = bind_loopback(), other_sender = bind_loopback();
    DatagramSocket client = connect_udp(server.local_address());
    std::array<std::byte, 64> buffer;
    client.send(as_bytes("question"));
    const Datagram question = server.receive_from(buffer);
    other_sender.send_to(as_bytes("noise"), question.from);
    server.send_to(as_bytes("answer"), question.from);
    EXPECT_EQ(to_text(client.receive_from(buffer), buffer), "answer");
    EXPECT_THROW((void)client.receive_from(buffer, 2ms), TimeoutError);
    server.close();
    client.send(as_bytes("after close"));
    EXPECT_EQ(thrown_code([&] { (void)client.receive_from(buffer, 10s); }), ECONNREFUSED);
  });
}

// IO-09 IO-10 IO-22
TEST_F(DatagramTest, ReceiversAreFifoAndWakeOnClose) {
  run([] {
    DatagramSocket one = bind_loopback(), two = bind_loopback();
    std::array<std::byte, 64> first_buffer, second_buffer, third_buffer;
    auto first = spawn([&] { (void)two.receive_from(first_buffer); });
    auto second = spawn([&] { return to_text(two.receive_from(second_buffer), second_buffer); });
    auto third = spawn([&] { return thrown<ClosedError>([&] { (void)two.receive_from(third_buffer); }); });
    settle();
    first.cancel();
    one.send_to(as_bytes("b"), two.local_address());
    EXPECT_EQ(await(second), "b");
    two.close();
    EXPECT_NE(await(third), "");
    EXPECT_THROW(one.send_to({}, Address::parse("unix:@no-receiver")), IoError);
    DatagramSocket empty;
    EXPECT_THROW((void)empty.receive_from(first_buffer), MisuseError);
  });
}

// AIO-04
TEST_F(DatagramTest, UnixSendWaitsWhileReceiverQueueIsFull) {
  run([] {
    const std::string prefix = "@ta_dgram_" + std::to_string(::getpid());
    DatagramSocket one = bind_udp(Address::unix_socket(prefix + "_1"));
    DatagramSocket two = bind_udp(Address::unix_socket(prefix + "_2"));
    constexpr std::size_t kCount = 2000;
    std::size_t sent = 0;
    auto sender = spawn([&] {
      for (; sent < kCount; ++sent) one.send_to(as_bytes("x"), two.local_address());
    });
    settle();
    EXPECT_LT(sent, kCount) << "the receiver's queue is bounded";
    EXPECT_THROW(one.send_to(as_bytes("y"), two.local_address(), 2ms), TimeoutError);
    std::array<std::byte, 64> buffer;
    for (std::size_t i = 0; i < kCount; ++i) {
      const Datagram got = two.receive_from(buffer);
      ASSERT_EQ(to_text(got, buffer), "x");
      EXPECT_EQ(got.from, one.local_address());
    }
    await(sender);
    DatagramSocket unnamed = connect_udp(two.local_address());
    unnamed.send(as_bytes("z"));
    EXPECT_TRUE(two.receive_from(buffer).from.empty());
  });
}

}  // namespace
}  // namespace trueasync::test
