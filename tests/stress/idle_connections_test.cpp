// Memory and CPU time of idle connections: 10,000 by default, or the number in TRUEASYNC_STRESS_CONNECTIONS.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <vector>

#include "context/sanitizer.hpp"
#include "support/descriptor.hpp"
#include "trueasync/io/net.hpp"
#include "trueasync/trueasync.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMaxBytesPerConnection = 6 * 1024;
constexpr std::size_t kPerAddress = 20000;  // connections to one server address; less than the range of client ports

std::size_t requested_connections() {
  const char* text = std::getenv("TRUEASYNC_STRESS_CONNECTIONS");
  return text ? std::strtoul(text, nullptr, 10) : 10000;
}

bool raise_descriptor_limit(std::size_t needed) {
  rlimit limit = {};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_cur >= needed) return true;
  limit.rlim_cur = limit.rlim_max;
  return limit.rlim_max >= needed && ::setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

std::size_t resident_bytes() {
  std::ifstream in("/proc/self/statm");
  std::size_t size = 0, resident = 0;
  in >> size >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

// The client process: opens all connections and reports that. After a byte on `command`, it sends one byte over each
// connection and reads the echo.
int run_client(std::size_t count, std::uint16_t port, int command, int report) {
  std::vector<int> clients;
  for (std::size_t i = 0; i < count; ++i) {
    const Address server = Address::ip("127.0.0." + std::to_string(1 + i / kPerAddress), port);
    clients.push_back(::socket(AF_INET, SOCK_STREAM, 0));
    if (::connect(clients.back(), server.data(), server.size()) != 0) return 2;
  }
  char byte = 'c';
  if (::write(report, &byte, 1) != 1 || ::read(command, &byte, 1) != 1) return 3;
  for (int client : clients) {
    if (::send(client, "x", 1, 0) != 1 || ::recv(client, &byte, 1, 0) != 1) return 4;
  }
  return 0;
}

void echo(Io io, std::size_t& started) {
  ++started;
  std::array<std::byte, 256> buffer;
  for (std::size_t got; (got = io.read_some(buffer)) != 0;) io.write_all(std::span(buffer).first(got));
}

// XC-13 SCH-05
TEST(IdleConnections, UseLittleMemoryAndNoCpuTime) {
  const std::size_t count = requested_connections();
  if (!raise_descriptor_limit(count + 100)) GTEST_SKIP() << "RLIMIT_NOFILE is too low for " << count << " connections";
  Listener listener = listen(Address::any(AddressFamily::ipv4, 0));
  auto [command_read, command_write] = make_pipe();
  auto [report_read, report_write] = make_pipe();
  const pid_t client = ::fork();
  if (client == 0) {
    ::_exit(run_client(count, listener.local_address().port(), command_read.get(), report_write.get()));
  }
  report_write.close();

  Runtime runtime;
  runtime.run([&] {
    Io report = Io::adopt(report_read.release(), "report");
    const std::size_t before = resident_bytes();
    std::size_t started = 0;
    auto serving = spawn([&] { serve(listener, [&started](Io io) { echo(std::move(io), started); }); });
    std::array<std::byte, 1> byte;
    ASSERT_EQ(report.read_some(byte, 120s), 1u) << "the client could not connect";
    while (started < count) delay(1ms);  // a started coroutine that does not run waits for its first byte
    const std::size_t bytes_per_connection = (resident_bytes() - before) / count;
    RecordProperty("bytes_per_connection", static_cast<int>(bytes_per_connection));
#if defined(__OPTIMIZE__) && !defined(TRUEASYNC_ASAN) && !defined(TRUEASYNC_TSAN)
    EXPECT_LE(bytes_per_connection, kMaxBytesPerConnection);
#endif
    const Statistics idle = statistics();
    delay(500ms);
    EXPECT_LE(statistics().polls_blocking - idle.polls_blocking, 8u) << "idle connections must not wake the loop";
    EXPECT_LE(statistics().switches - idle.switches, 8u);
    command_write.write_byte();
    listener.close();
    await(serving);
  });
  int status = 0;
  ASSERT_EQ(::waitpid(client, &status, 0), client);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

}  // namespace
}  // namespace trueasync::test
