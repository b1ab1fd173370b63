// A server that has run out of descriptors: those it serves go on, the others are turned away, and it recovers.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <array>
#include <string>
#include <vector>

#include "child_process.hpp"
#include "support/descriptor.hpp"
#include "trueasync/listener.hpp"
#include "trueasync/trueasync.hpp"

namespace trueasync::test {
namespace {

constexpr int kServed = 0, kNothingShed = 3;

// Echoes until somebody says 'q'.
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
  return listener.shed() != 0 ? kServed : kNothingShed;
}

UniqueFd client_of(const Address& address) {
  UniqueFd client(::socket(AF_INET, SOCK_STREAM, 0));
  const timeval patience{20, 0};  // an answer that never comes must not hang the suite
  EXPECT_EQ(::setsockopt(client.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience), 0);
  EXPECT_EQ(::connect(client.get(), address.data(), address.size()), 0);
  return client;
}

enum class Answer { served, turned_away, none };

Answer ask(const UniqueFd& client, char what = 'x') {
  if (::send(client.get(), &what, 1, MSG_NOSIGNAL) != 1) return Answer::turned_away;
  char answer;
  const ssize_t got = ::recv(client.get(), &answer, 1, 0);
  if (got == 1) return Answer::served;
  return got == 0 || errno == ECONNRESET || errno == EPIPE ? Answer::turned_away : Answer::none;
}

TEST(AcceptLimit, AServerWithoutDescriptorsGoesOnServingShedsTheRestAndRecovers) {
  // IO-24 R4
#if defined(TRUEASYNC_ASAN)
  GTEST_SKIP() << "UndefinedBehaviorSanitizer needs descriptors of its own to look at an object";
#endif
  Listener listener = listen(Address::loopback(AddressFamily::ipv4, 0));
  const Address address = listener.local_address();
  Child child([&](int report) { return serve_with_few_descriptors(listener, report); });
  ASSERT_TRUE(child.wait_for_report());
  listener.close();  // our copy; the child has its own

  std::vector<UniqueFd> clients;
  std::size_t served = 0, turned_away = 0;
  for (int i = 0; i < 60; ++i) {
    clients.push_back(client_of(address));
    const Answer answer = ask(clients.back());
    served += answer == Answer::served;
    turned_away += answer == Answer::turned_away;
  }
  EXPECT_GT(served, 5u);
  EXPECT_GT(turned_away, 5u);
  EXPECT_EQ(served + turned_away, 60u) << "nobody was left without an answer";
  EXPECT_EQ(ask(clients.front()), Answer::served) << "those who were connected go on";

  clients.clear();
  Answer after = Answer::turned_away;
  for (int i = 0; i < 1000 && after != Answer::served; ++i) after = ask(client_of(address));
  EXPECT_EQ(after, Answer::served) << "it recovers";
  for (int i = 0; i < 1000 && ask(client_of(address), 'q') != Answer::served; ++i) {
  }
  const Ended ended = child.wait();
  EXPECT_TRUE(ended.exited_with(kServed)) << ended;
}

}  // namespace
}  // namespace trueasync::test
