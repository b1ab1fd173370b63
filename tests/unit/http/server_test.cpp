// The server of the HTTP example: bookkeeping of its connections.
#include "http/server.hpp"

#include <gtest/gtest.h>

#include <trueasync/io/net.hpp>

namespace http {
namespace {

TEST(HttpServer, CancelledConnectionIsRemoved) {
  ta::Runtime runtime;
  runtime.run([] {
    ta::Listener listener = ta::listen(ta::Address::loopback(ta::AddressFamily::ipv4, 0));
    Server server([](const Request&, Response&) {});
    ta::Io client = ta::connect(listener.local_address());
    {
      ta::TaskScope connections;
      connections.spawn([&] { server.take(listener.accept()); });
      while (server.connections() == 0) ta::yield();
    }
    EXPECT_EQ(server.connections(), 0u);
    server.drain(std::chrono::nanoseconds(0));
  });
}

}  // namespace
}  // namespace http
