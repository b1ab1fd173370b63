// Counts the system calls of an echo server with strace.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "support/descriptor.hpp"
#include "trueasync/io/net.hpp"
#include "trueasync/trueasync.hpp"

namespace trueasync::test {
namespace {

constexpr int kConnections = 64;
constexpr int kRounds = 40;
constexpr const char* kPortPipe = "TRUEASYNC_TEST_PORT_PIPE";

// The traced program: writes its port to the pipe, serves kConnections connections and exits when all are closed.
TEST(IoSyscalls, DISABLED_Server) {
  const char* pipe = std::getenv(kPortPipe);
  if (!pipe) GTEST_SKIP() << "started by EchoedRequestNeedsOneReadAndOneWrite only";
  Runtime runtime;
  runtime.run([&] {
    Listener listener = listen(Address::loopback(AddressFamily::ipv4, 0));
    const std::uint16_t port = listener.local_address().port();
    ASSERT_EQ(::write(std::atoi(pipe), &port, sizeof port), static_cast<ssize_t>(sizeof port));
    serve(listener, [&](Io io) {
      if (listener.accepted() == kConnections) listener.close();
      std::array<std::byte, 512> buffer;
      for (std::size_t got; (got = io.read_some(buffer)) != 0;) io.write_all(std::span(buffer).first(got));
    });
  });
}

std::map<std::string, long> parse_counts(const std::string& file) {
  std::map<std::string, long> counts;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::vector<std::string> all;
    for (std::string word; words >> word;) all.push_back(word);
    if (all.size() >= 5 && all[0].find('.') != std::string::npos) counts[all.back()] += std::atol(all[3].c_str());
  }
  return counts;
}

std::vector<UniqueFd> connect_all(std::uint16_t port) {
  const Address server = Address::loopback(AddressFamily::ipv4, port);
  std::vector<UniqueFd> clients;
  for (int i = 0; i < kConnections; ++i) {
    clients.emplace_back(::socket(AF_INET, SOCK_STREAM, 0));
    EXPECT_EQ(::connect(clients.back().get(), server.data(), server.size()), 0);
  }
  return clients;
}

void exchange(const std::vector<UniqueFd>& clients, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    for (const UniqueFd& client : clients) client.write_byte();
    for (const UniqueFd& client : clients) client.read_byte();
  }
}

pid_t start_traced(const std::string& counts_file, int port_pipe) {
  char self[4096] = {};
  EXPECT_GT(::readlink("/proc/self/exe", self, sizeof self - 1), 0);
  const pid_t pid = ::fork();
  if (pid != 0) return pid;
  ::setenv(kPortPipe, std::to_string(port_pipe).c_str(), 1);
  ::setenv("ASAN_OPTIONS", "detect_leaks=0", 1);  // the leak checker does not work under a tracer
  ::execlp("strace", "strace", "-f", "-c", "-U", "time-percent,total-time,avg-time,calls,errors,name", "-o",
           counts_file.c_str(), self, "--gtest_filter=IoSyscalls.DISABLED_Server", "--gtest_also_run_disabled_tests",
           "--gtest_brief=1", static_cast<char*>(nullptr));
  ::_exit(127);
}

// REA-03 AIO-03
TEST(IoSyscalls, EchoedRequestNeedsOneReadAndOneWrite) {
  if (std::system("strace -o /dev/null true 2>/dev/null") != 0)
    GTEST_SKIP() << "strace is not installed or not permitted to trace";
  const std::string counts_file = ::testing::TempDir() + "ta_syscalls_" + std::to_string(::getpid());
  auto [port_read, port_write] = make_pipe();
  const pid_t traced = start_traced(counts_file, port_write.get());
  port_write.close();
  std::uint16_t port = 0;
  ASSERT_EQ(::read(port_read.get(), &port, sizeof port), static_cast<ssize_t>(sizeof port))
      << "the server did not start";
  {
    const std::vector<UniqueFd> clients = connect_all(port);
    exchange(clients, kRounds);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(traced, &status, 0), traced);
  ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  std::map<std::string, long> counts = parse_counts(counts_file);
  ::unlink(counts_file.c_str());

  const long requests = long{kConnections} * kRounds;
  // Besides the requests, each connection has a first read without data and a read at end of file. Their number does
  // not depend on the number of requests.
  EXPECT_GE(counts["recvfrom"], requests);
  EXPECT_LE(counts["recvfrom"], requests + 3 * kConnections);
  EXPECT_GE(counts["sendto"], requests);
  EXPECT_LE(counts["sendto"], requests + kConnections);
  EXPECT_LE(counts["epoll_ctl"], requests / 4) << "the registration must persist while a connection is busy";
  EXPECT_GT(counts["epoll_wait"] + counts["epoll_pwait"], 0);
  EXPECT_LE(counts["epoll_wait"] + counts["epoll_pwait"], requests + 4 * kConnections)
      << "one wait must return a batch of events";
  RecordProperty("epoll_ctl", static_cast<int>(counts["epoll_ctl"]));
  RecordProperty("epoll_wait", static_cast<int>(counts["epoll_wait"] + counts["epoll_pwait"]));
}

}  // namespace
}  // namespace trueasync::test
