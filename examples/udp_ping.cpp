// Requests over UDP with retransmission: every request has an id, the response must have the same id and arrive in time,
// and a request without a response is sent again. This server drops every third request.
#include <array>
#include <cstdio>
#include <cstring>
#include <trueasync/trueasync.hpp>

namespace ta = trueasync;
using namespace std::chrono_literals;

struct Request {
  std::uint32_t id;
  char text[12];
};

void respond_to_all(ta::DatagramSocket& socket) {
  std::array<std::byte, sizeof(Request)> buffer;
  for (int count = 1;; ++count) {
    const ta::Datagram got = socket.receive_from(buffer);
    if (count % 3 == 0 || got.size != sizeof(Request)) continue;  // dropped, or not a request
    socket.send_to(buffer, got.from);
  }
}

// Returns the number of attempts.
int send_request(ta::DatagramSocket& socket, std::uint32_t id) {
  Request request{id, "ping"};
  for (int attempt = 1; attempt <= 5; ++attempt) {
    socket.send(std::as_bytes(std::span(&request, 1)));
    try {
      Request response;
      do socket.receive_from(std::as_writable_bytes(std::span(&response, 1)), 20ms);
      while (response.id != id);  // a late response to an earlier request
      return attempt;
    } catch (const ta::TimeoutError&) {
    }
  }
  throw ta::TimeoutError("no response after 5 attempts");
}

int main() {
  return ta::run([] {
    ta::DatagramSocket server = ta::bind_udp(ta::Address::loopback(ta::AddressFamily::ipv4, 0));
    ta::TaskScope responder;  // finishes before the socket is destroyed
    responder.spawn([&] { respond_to_all(server); });
    ta::DatagramSocket client = ta::connect_udp(server.local_address());
    for (std::uint32_t id = 1; id <= 4; ++id) {
      std::printf("ping %u: response at attempt %d\n", id, send_request(client, id));
    }
  });
}
