// An echo server: a coroutine per connection, a limit on the number of connections, an idle timeout, and an orderly end
// that completes open connections. With a port as argument it serves until SIGINT or SIGTERM; without one it runs a demo.
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <trueasync/trueasync.hpp>

namespace ta = trueasync;
using namespace std::chrono_literals;

void echo(ta::Io connection) {
  std::array<std::byte, 4096> buffer;
  for (std::size_t got; (got = connection.read_some(buffer, 60s)) != 0;) {
    connection.write_all(std::span(buffer).first(got), 10s);  // suspends while the peer does not read
  }
}

// Three concurrent clients.
void demonstrate(ta::Listener& listener) {
  std::vector<ta::Task<void>> clients;
  for (const char* word : {"one", "two", "three"}) {
    clients.push_back(ta::spawn([&, word] {
      ta::Io server = ta::connect(listener.local_address(), {}, 5s);
      server.write_all(word);
      server.shutdown_write();
      std::array<std::byte, 64> response;
      const std::size_t got = server.read_some(response, 5s);
      std::printf("sent %s, received %.*s\n", word, static_cast<int>(got),
                  reinterpret_cast<const char*>(response.data()));
    }));
  }
  for (auto& client : clients) ta::await(client);
  listener.close();  // serve() returns when the last connection has ended
}

int main(int argc, char** argv) {
  return ta::run({.shutdown_signals = {SIGINT, SIGTERM}}, [&] {
    const auto port = static_cast<std::uint16_t>(argc > 1 ? std::atoi(argv[1]) : 0);
    ta::Listener listener = ta::listen(ta::Address::loopback(ta::AddressFamily::ipv4, port));
    std::printf("listening on %s\n", listener.local_address().to_string().c_str());
    std::fflush(stdout);
    ta::Task<void> demonstration;
    if (argc <= 1) demonstration = ta::spawn([&] { demonstrate(listener); });
    ta::serve(listener, echo, {.max_connections = 1000});
    std::printf("served %llu connections\n", static_cast<unsigned long long>(listener.accepted()));
  });
}
