// A ping over UDP as a name server is asked: every question has a number, the answer must carry it and come in time, and
// a lost datagram is sent again. The server here loses every third one.
#include <array>
#include <cstdio>
#include <cstring>
#include <trueasync/trueasync.hpp>

namespace ta = trueasync;
using namespace std::chrono_literals;

struct Question {
  std::uint32_t number;
  char text[12];
};

void answer_all(ta::DatagramSocket& socket) {
  std::array<std::byte, sizeof(Question)> buffer;
  for (int count = 1;; ++count) {
    const ta::Datagram got = socket.receive_from(buffer);
    if (count % 3 == 0 || got.size != sizeof(Question)) continue;  // lost, or nothing of ours
    socket.send_to(buffer, got.from);
  }
}

// How often it had to be asked.
int ask(ta::DatagramSocket& socket, std::uint32_t number) {
  Question question{number, "ping"};
  for (int tries = 1; tries <= 5; ++tries) {
    socket.send(std::as_bytes(std::span(&question, 1)));
    try {
      Question answer;
      do socket.receive_from(std::as_writable_bytes(std::span(&answer, 1)), 20ms);
      while (answer.number != number);  // a late answer to an earlier question
      return tries;
    } catch (const ta::TimeoutError&) {
    }
  }
  throw ta::TimeoutError("no answer");
}

int main() {
  return ta::run([] {
    ta::DatagramSocket server = ta::bind_udp(ta::Address::loopback(ta::AddressFamily::ipv4, 0));
    ta::TaskScope answering;  // ends before the socket it uses
    answering.spawn([&] { answer_all(server); });
    ta::DatagramSocket client = ta::connect_udp(server.local_address());
    for (std::uint32_t number = 1; number <= 4; ++number) {
      std::printf("ping %u: answered at try %d\n", number, ask(client, number));
    }
  });
}
