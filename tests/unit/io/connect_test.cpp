// connect() to one address, to several addresses and to a host name.
#include <cerrno>
#include <cstring>

#include "stream_fixture.hpp"
#include "trueasync/io/net.hpp"

namespace trueasync::test {
namespace {

using ConnectTest = IoTest;

// A port without a listener. Kept bound, so that no other process can listen on it.
struct RefusingPort {
  explicit RefusingPort(AddressFamily family = AddressFamily::ipv4)
      : socket(::socket(family == AddressFamily::ipv4 ? AF_INET : AF_INET6, SOCK_STREAM, 0)) {
    const Address any = Address::loopback(family, 0);
    EXPECT_EQ(::bind(socket.get(), any.data(), any.size()), 0);
    sockaddr_storage storage;
    socklen_t size = sizeof storage;
    EXPECT_EQ(::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&storage), &size), 0);
    address = Address::from(reinterpret_cast<sockaddr*>(&storage), size);
  }
  UniqueFd socket;
  Address address;
};

// A listener with a full backlog: a connection attempt gets no answer.
struct SilentPort {
  SilentPort() : listener(::socket(AF_INET, SOCK_STREAM, 0)) {
    const Address any = Address::loopback(AddressFamily::ipv4, 0);
    EXPECT_EQ(::bind(listener.get(), any.data(), any.size()), 0);
    EXPECT_EQ(::listen(listener.get(), 0), 0);
    sockaddr_storage storage;
    socklen_t size = sizeof storage;
    EXPECT_EQ(::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&storage), &size), 0);
    address = Address::from(reinterpret_cast<sockaddr*>(&storage), size);
    for (int i = 0; i < 4; ++i) {
      pending_connections.emplace_back(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0));
      (void)!::connect(pending_connections.back().get(), address.data(), address.size());
    }
  }
  UniqueFd listener;
  Address address;
  std::vector<UniqueFd> pending_connections;
};

// AIO-03
TEST_F(ConnectTest, RefusedConnectionNamesAddress) {
  run([] {
    RefusingPort refusing;
    const std::string text = refusing.address.to_string();
    EXPECT_EQ(thrown<IoError>([&] { (void)connect(refusing.address); }), "connect " + text + ": Connection refused");
    EXPECT_EQ(thrown<IoError>([&] { (void)connect("127.0.0.1", refusing.address.port()); }),
              "connect " + text + ": Connection refused");
    EXPECT_EQ(thrown_code([&] { (void)connect(refusing.address); }), ECONNREFUSED);
  });
}

TEST_F(ConnectTest, ErrorListsEveryAttempt) {
  run([] {
    RefusingPort first, second;
    const Address both[] = {first.address, second.address};
    EXPECT_EQ(thrown<IoError>([&] { (void)connect_any(both, "pair"); }),
              "connect pair: " + first.address.to_string() + ": Connection refused; " + second.address.to_string() +
                  ": Connection refused");
    EXPECT_THROW((void)connect_any({}, "nothing"), MisuseError);
  });
}

TEST_F(ConnectTest, FailedAttemptStartsNextImmediately) {
  run([] {
    RefusingPort refusing;
    Listener listener = listen(Address::loopback(AddressFamily::ipv4, 0));
    const Address both[] = {refusing.address, listener.local_address()};
    Io io = connect_any(both, "pair", {.attempt_delay = 1h});
    EXPECT_EQ(peer_address(io), listener.local_address());
  });
}

TEST_F(ConnectTest, SlowAttemptLosesRaceAndIsClosed) {
  run([] {
    SilentPort silent;
    Listener listener = listen(Address::loopback(AddressFamily::ipv4, 0));
    const Address both[] = {silent.address, listener.local_address()};
    const std::size_t before = count_open_descriptors();
    Io io = connect_any(both, "pair", {.attempt_delay = 5ms});
    EXPECT_EQ(peer_address(io), listener.local_address());
    EXPECT_EQ(count_open_descriptors(), before + 1) << "the losing attempt is closed";
    EXPECT_EQ(registrations(), io.descriptor() >= 0 ? registrations() : 0u);
  });
}

TEST_F(ConnectTest, TimeoutIsSharedAmongAddresses) {
  run([] {
    SilentPort silent, other;
    Listener listener = listen(Address::loopback(AddressFamily::ipv4, 0));
    const Address all[] = {silent.address, other.address, listener.local_address()};
    Io io = connect_any(all, "three", {.attempt_delay = 1h}, 600ms);
    EXPECT_EQ(peer_address(io), listener.local_address());
  });
}

TEST_F(ConnectTest, AddressFamiliesAlternate) {
  run([] {
    UniqueFd probe(::socket(AF_INET6, SOCK_STREAM, 0));
    const Address six = Address::loopback(AddressFamily::ipv6, 0);
    if (probe.get() < 0 || ::bind(probe.get(), six.data(), six.size()) != 0) {
      GTEST_SKIP() << "IPv6 is not available: " << std::strerror(errno);
    }
    RefusingPort four_a, four_b, six_a(AddressFamily::ipv6);
    const Address all[] = {six_a.address, four_a.address, four_b.address};
    const Address same_family_first[] = {four_a.address, four_b.address, six_a.address};
    const std::string error = thrown<IoError>([&] { (void)connect_any(same_family_first, "host"); });
    const auto position = [&](const RefusingPort& port) { return error.find(port.address.to_string()); };
    EXPECT_LT(position(four_a), position(six_a));
    EXPECT_LT(position(six_a), position(four_b)) << error;
    EXPECT_EQ(thrown_code([&] { (void)connect_any(all, "host"); }), ECONNREFUSED);
  });
}

// IO-22 CXL-01
TEST_F(ConnectTest, ConnectTimesOutAndCanBeCancelled) {
  run([] {
    SilentPort silent;
    EXPECT_THROW((void)connect(silent.address, {}, 3ms), TimeoutError);
    EXPECT_THROW((void)connect("127.0.0.1", silent.address.port(), {}, 3ms), TimeoutError);
    auto parked = spawn([&] { (void)connect(silent.address); });
    settle();
    EXPECT_FALSE(parked.is_finished());
    parked.cancel();
    EXPECT_THROW(await(parked), Cancelled);
    EXPECT_EQ(registrations(), 0u);
  });
}

// REA-02
TEST_F(ConnectTest, HostNameIsResolved) {
  run([] {
    Listener listener = listen(Address::loopback(AddressFamily::ipv4, 0));
    Io io = connect("localhost", listener.local_address().port(), {}, 10s);
    EXPECT_EQ(peer_address(io).port(), listener.local_address().port());
    Io server = listener.accept();
    io.write_all("hi");
    EXPECT_EQ(read_text(server), "hi");
  });
}

TEST_F(ConnectTest, BindsToLocalAddress) {
  run([] {
    Listener listener = listen(Address::loopback(AddressFamily::ipv4, 0));
    Io io = connect(listener.local_address(), {.local = Address::parse("127.0.0.2:0")});
    EXPECT_EQ(local_address(io).host(), "127.0.0.2");
    EXPECT_NE(
        thrown<IoError>([&] { (void)connect(listener.local_address(), {.local = Address::parse("192.0.2.1:0")}); }),
        "");
  });
}

}  // namespace
}  // namespace trueasync::test
