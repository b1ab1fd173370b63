// Ten thousand idle connections: what each costs in memory, and that they cost nothing in time. With
// TRUEASYNC_STRESS_CONNECTIONS=50000 as many as that asks for.
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
#include "trueasync/listener.hpp"
#include "trueasync/trueasync.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMostBytesEach = 6 * 1024;
constexpr std::size_t kPerAddress = 20000;  // connections to one address, which has so many ports on the other side

std::size_t wanted_connections() {
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

// The other side, a process of its own: connects, and when told to, echoes once through every connection.
int be_the_client(std::size_t count, std::uint16_t port, int command, int report) {
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

void echo(Io io, std::size_t& begun) {
  ++begun;
  std::array<std::byte, 256> buffer;
  for (std::size_t got; (got = io.read_some(buffer)) != 0;) io.write_all(std::span(buffer).first(got));
}

TEST(IdleConnections, CostLittleMemoryAndNoTime) {
  // XC-13 SCH-05
  const std::size_t count = wanted_connections();
  if (!raise_descriptor_limit(count + 100)) GTEST_SKIP() << "the limit of open descriptors is below " << count;
  Listener listener = listen(Address::any(AddressFamily::ipv4, 0));
  auto [command_read, command_write] = make_pipe();
  auto [report_read, report_write] = make_pipe();
  const pid_t client = ::fork();
  if (client == 0) {
    ::_exit(be_the_client(count, listener.local_address().port(), command_read.get(), report_write.get()));
  }
  report_write.close();

  Runtime runtime;
  runtime.run([&] {
    Io report = Io::adopt(report_read.release(), "report");
    const std::size_t before = resident_bytes();
    std::size_t begun = 0;
    auto serving = spawn([&] { serve(listener, [&begun](Io io) { echo(std::move(io), begun); }); });
    std::array<std::byte, 1> byte;
    ASSERT_EQ(report.read_some(byte, 120s), 1u) << "the client could not connect";
    while (begun < count) delay(1ms);  // one that has begun and does not run waits for its first byte
    const std::size_t each = (resident_bytes() - before) / count;
    RecordProperty("bytes_each", static_cast<int>(each));
#if defined(__OPTIMIZE__) && !defined(TRUEASYNC_ASAN) && !defined(TRUEASYNC_TSAN)
    EXPECT_LE(each, kMostBytesEach);
#endif
    const Statistics idle = statistics();
    delay(500ms);
    EXPECT_LE(statistics().polls_blocking - idle.polls_blocking, 8u) << "nobody has anything to do";
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
