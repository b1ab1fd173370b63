// Load generator of the echo workloads: every connection sends 64 bytes, waits for the response and sends again.
//
// Called as `bench_load <port> <connections> <milliseconds> <server's pid>`. Prints `RESULT <requests per second>` and a
// NOTE with the server's CPU time per request. One thread, plain epoll.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "support/harness.hpp"
#include "support/serving.hpp"

namespace {

constexpr std::size_t kMessage = 64;
constexpr double kWarmUpNs = 300e6;

struct Connection {
  int socket = -1;
  std::size_t received = 0;
};

[[noreturn]] void fail(const char* what) {
  std::perror(what);
  std::exit(1);
}

// User and system seconds of another process.
double cpu_seconds(const char* process) {
  std::ifstream file(std::string("/proc/") + process + "/stat");
  std::string text;
  std::getline(file, text);
  unsigned long user = 0;
  unsigned long system = 0;
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return 0;
  std::sscanf(text.c_str() + name_end + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system);
  return static_cast<double>(user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

void send_message(const Connection& connection) {
  static const std::vector<char> message(kMessage, 'x');
  if (send(connection.socket, message.data(), kMessage, MSG_NOSIGNAL) != static_cast<ssize_t>(kMessage)) fail("send");
}

std::vector<Connection> connect_all(int port, std::size_t count, int poller) {
  std::vector<Connection> all(count);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  for (Connection& connection : all) {
    connection.socket = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(connection.socket, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) fail("connect");
    bench::set_no_delay(connection.socket);
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.ptr = &connection;
    epoll_ctl(poller, EPOLL_CTL_ADD, connection.socket, &event);
  }
  return all;
}

// Handles the ready connections. Returns the number of completed requests.
std::uint64_t poll_once(int poller) {
  epoll_event events[1024];
  char buffer[4096];
  std::uint64_t completed = 0;
  const int count = epoll_wait(poller, events, 1024, 5000);
  if (count == 0) {
    std::fprintf(stderr, "no response from the server within 5 s\n");
    std::exit(1);
  }
  for (int i = 0; i < count; ++i) {
    auto& connection = *static_cast<Connection*>(events[i].data.ptr);
    const ssize_t got = recv(connection.socket, buffer, sizeof buffer, 0);
    if (got <= 0) fail("the server closed a connection");
    connection.received += static_cast<std::size_t>(got);
    if (connection.received < kMessage) continue;
    connection.received -= kMessage;
    ++completed;
    send_message(connection);
  }
  return completed;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: %s <port> <connections> <milliseconds> <pid>\n", argv[0]);
    return 2;
  }
  bench::allow_many_descriptors();
  const int poller = epoll_create1(0);
  const auto connections = connect_all(std::atoi(argv[1]), std::strtoul(argv[2], nullptr, 10), poller);
  for (const Connection& connection : connections) send_message(connection);

  for (const bench::Stopwatch warm_up; warm_up.elapsed_ns() < kWarmUpNs;) poll_once(poller);
  const double duration_ns = std::strtod(argv[3], nullptr) * 1e6;
  const double cpu_before = cpu_seconds(argv[4]);
  std::uint64_t completed = 0;
  const bench::Stopwatch watch;
  while (watch.elapsed_ns() < duration_ns) completed += poll_once(poller);
  const double seconds = watch.elapsed_ns() / 1e9;
  const double cpu = cpu_seconds(argv[4]) - cpu_before;
  bench::note("%.2f µs CPU per request", cpu * 1e6 / static_cast<double>(completed));
  bench::report(static_cast<double>(completed) / seconds);
}
