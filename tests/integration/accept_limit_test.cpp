// A server without free descriptors keeps its connections, sheds new connections and recovers.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <array>
#include <string>
#include <vector>

#include "child_process.hpp"
#include "support/descriptor.hpp"
#include "trueasync/io/net.hpp"
#include "trueasync/trueasync.hpp"

namespace trueasync::test {
namespace {

constexpr int kOk = 0, kNothingShed = 3;

// Echoes until a client sends 'q'.
int serve_with_few_descriptors(Listener& listener, int report) {
  Runtime runtime;
  const rlimit few{30, 30};
  if (::setrlimit(RLIMIT_NOFILE, &few) != 0) return 2;
  runtime.run([&] {
    signal_parent(report);
    serve(listener, [&](Io io) {
      std::array<std::byte, 16> buffer;
      for (std::size_t got; (got = io.read_some(buffer)) != 0;) {
        if (static_cast<char>(buffer[0]) == 'q') listener.close();
        io.write_all(std::span(buffer).first(got));
      }
    });
  });
  return listener.shed() != 0 ? kOk : kNothingShed;
}

UniqueFd connect_client(const Address& address) {
  UniqueFd client(::socket(AF_INET, SOCK_STREAM, 0));
  const timeval timeout{20, 0};  // a missing answer must not block the test program
  EXPECT_EQ(::setsockopt(client.get(), SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout), 0);
  EXPECT_EQ(::connect(client.get(), address.data(), address.size()), 0);
  return client;
}

enum class Answer { echoed, shed, none };

Answer ask(const UniqueFd& client, char command = 'x') {
  if (::send(client.get(), &command, 1, MSG_NOSIGNAL) != 1) return Answer::shed;
  char answer;
  const ssize_t got = ::recv(client.get(), &answer, 1, 0);
  if (got == 1) return Answer::echoed;
  return got == 0 || errno == ECONNRESET || errno == EPIPE ? Answer::shed : Answer::none;
}

// IO-24 R4
TEST(AcceptLimit, ServerWithoutDescriptorsShedsConnectionsAndRecovers) {
#if defined(TRUEASYNC_ASAN)
  GTEST_SKIP() << "UndefinedBehaviorSanitizer needs free descriptors to inspect objects";
#endif
  Listener listener = listen(Address::loopback(AddressFamily::ipv4, 0));
  const Address address = listener.local_address();
  Child child([&](int report) { return serve_with_few_descriptors(listener, report); });
  ASSERT_TRUE(child.wait_for_report());
  listener.close();  // the child has its own descriptor

  std::vector<UniqueFd> clients;
  std::size_t echoed = 0, shed = 0;
  for (int i = 0; i < 60; ++i) {
    clients.push_back(connect_client(address));
    const Answer answer = ask(clients.back());
    echoed += answer == Answer::echoed;
    shed += answer == Answer::shed;
  }
  EXPECT_GT(echoed, 5u);
  EXPECT_GT(shed, 5u);
  EXPECT_EQ(echoed + shed, 60u) << "a client got no answer";
  EXPECT_EQ(ask(clients.front()), Answer::echoed) << "accepted connections must keep working";

  clients.clear();
  Answer after = Answer::shed;
  for (int i = 0; i < 1000 && after != Answer::echoed; ++i) after = ask(connect_client(address));
  EXPECT_EQ(after, Answer::echoed) << "the server did not recover";
  for (int i = 0; i < 1000 && ask(connect_client(address), 'q') != Answer::echoed; ++i) {
  }
  const ChildResult result = child.wait();
  EXPECT_TRUE(result.exited_with(kOk)) << result;
}

}  // namespace
}  // namespace trueasync::test
