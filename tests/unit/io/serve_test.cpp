// serve(): the accept loop.
#include "stream_fixture.hpp"
#include "trueasync/io/net.hpp"

namespace trueasync::test {
namespace {

using ServeTest = IoTest;

struct Server {
  Listener listener = listen(Address::loopback(AddressFamily::ipv4, 0));
  Io client() { return connect(listener.local_address()); }
};

void echo(Io io) {
  for (std::string text; !(text = read_text(io)).empty();) io.write_all(text);
}

TEST_F(ServeTest, CloseDrainsConnections) {
  run([] {
    Server server;
    auto serving = spawn([&] { serve(server.listener, echo); });
    Io one = server.client(), two = server.client();
    two.write_all("two");
    EXPECT_EQ(read_text(two), "two");
    one.write_all("one");
    EXPECT_EQ(read_text(one), "one");
    server.listener.close();
    settle();
    EXPECT_FALSE(serving.is_finished()) << "two connections are still open";
    one.write_all("after the close");
    EXPECT_EQ(read_text(one), "after the close");
    one.close();
    two.close();
    await(serving);
  });
}

// AIO-04
TEST_F(ServeTest, MaxConnectionsLimitsAccepts) {
  run([] {
    Server server;
    std::size_t active = 0, maximum = 0;
    auto serving = spawn([&] {
      serve(server.listener,
            [&](Io io) {
              maximum = std::max(maximum, ++active);
              echo(std::move(io));
              --active;
            },
            {.max_connections = 2});
    });
    std::vector<Io> clients;
    for (int i = 0; i < 5; ++i) clients.push_back(server.client());
    settle();
    EXPECT_EQ(server.listener.accepted(), 2u) << "the other connections wait in the backlog";
    for (Io& client : clients) {
      client.write_all("x");
      EXPECT_EQ(read_text(client), "x");
      client.close();
    }
    server.listener.close();
    await(serving);
    EXPECT_EQ(maximum, 2u);
  });
}

// IO-08
TEST_F(ServeTest, IoErrorEndsOnlyItsConnection) {
  run([] {
    Server server;
    auto serving = spawn([&] { serve(server.listener, echo); });
    Io good = server.client();
    {
      Io bad = server.client();
      bad.write_all("x");
      EXPECT_EQ(read_text(bad), "x");
      set_socket_options(bad, {.linger = 0s});
    }  // resets the connection while its handler reads
    settle();
    good.write_all("still here");
    EXPECT_EQ(read_text(good), "still here");
    good.close();
    server.listener.close();
    await(serving);
  });
}

TEST_F(ServeTest, OnErrorReceivesHandlerErrors) {
  run([] {
    Server server;
    std::vector<std::string> errors;
    const ServeOptions options{.on_error = [&](std::exception_ptr error) {
      errors.push_back(thrown([&] { std::rethrow_exception(error); }));
    }};
    auto serving = spawn([&] {
      serve(
          server.listener, [](Io) { throw std::runtime_error("oops"); }, options);
    });
    Io client = server.client();
    EXPECT_EQ(read_text(client), "");
    server.listener.close();
    await(serving);
    EXPECT_EQ(errors, std::vector<std::string>{"oops"});
  });
}

TEST_F(ServeTest, UnhandledHandlerErrorEndsRuntime) {
  EXPECT_NE(thrown<std::runtime_error>([&] {
              run([] {
                Server server;
                auto serving = spawn([&] { serve(server.listener, [](Io) { throw std::runtime_error("oops"); }); });
                Io client = server.client();
                await(serving);
              });
            }),
            "");
}

// CXL-01 SC-03
TEST_F(ServeTest, CancelCancelsHandlersAndWaits) {
  run([] {
    Server server;
    int cleaned = 0;
    auto serving = spawn([&] {
      serve(server.listener, [&](Io io) {
        try {
          read_text(io);
        } catch (const Cancelled&) {
          delay(1ms);  // cleanup may suspend
          ++cleaned;
          throw;
        }
      });
    });
    Io one = server.client(), two = server.client();
    settle();
    serving.cancel();
    EXPECT_THROW(await(serving), Cancelled);
    EXPECT_EQ(cleaned, 2);
  });
}

// CXL-01 R4
TEST_F(ServeTest, UnstartedHandlerReleasesItsSlot) {
  run([] {
    Server server;
    auto serving = spawn([&] { serve(server.listener, echo, {.max_connections = 1}); });
    settle();
    Io client = server.client();
    // The server has accepted and spawned. It is cancelled before the handler runs.
    while (server.listener.accepted() == 0) yield();
    serving.cancel();
    EXPECT_THROW(await(serving), Cancelled);
  });
}

}  // namespace
}  // namespace trueasync::test
