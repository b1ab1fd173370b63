// What only waits: poll, select, epoll_wait and the sleeps.
#include "parity.hpp"

namespace trueasync::test {
namespace {

void polls(Log& log) {
  const auto poll = [&](std::vector<pollfd> entries, int milliseconds) {
    std::string text = outcome(c_poll(entries.data(), entries.size(), milliseconds));
    for (const pollfd& entry : entries) text += " " + std::to_string(entry.revents);
    log.push_back(text);
  };
  SocketPair one = SocketPair::tcp();
  SocketPair two = SocketPair::unix_sockets();
  SocketPair pipe = SocketPair::pipe();
  poll({}, 3);
  poll({}, 0);
  poll({{-1, POLLIN, 7}}, 3);
  poll({{one[0], POLLIN, 0}}, 0);
  poll({{one[0], POLLIN, 0}}, 3);
  poll({{one[0], POLLOUT, 0}}, 3);
  poll({{one[0], POLLIN | POLLOUT, 0}, {two[0], POLLIN, 0}, {-5, POLLIN, 0}}, 3);
  poll({{one[0], POLLIN, 0}, {two[0], POLLIN, 0}, {pipe[0], POLLIN, 0}}, 3);
  poll({{1'000'000, POLLIN, 0}, {two[0], POLLIN, 0}}, 50);
  poll({{1'000'000, POLLIN, 0}}, 50);
  {
    const Later later([&] { ::send(one[1], "x", 1, 0); });
    poll({{one[0], POLLIN | POLLERR | POLLHUP, 0}}, 5000);
  }
  poll({{one[0], POLLIN | POLLRDNORM, 0}}, 5000);
  {
    const Later later([&] { ::send(two[1], "x", 1, 0); });
    poll({{pipe[0], POLLIN, 0}, {two[0], POLLIN, 0}, {two[0], 0, 0}}, 5000);
  }
  {
    const Later later([&] { ::close(pipe.release(1)); });
    poll({{pipe[0], 0, 0}}, 5000);
  }
  poll({{pipe[0], POLLIN, 0}}, 5000);
  ::shutdown(one[1], SHUT_WR);
  poll({{one[0], POLLIN | POLLRDHUP, 0}}, 5000);
  pollfd entry{one[0], POLLIN, 0};
  log.push_back(outcome(c_poll_chk(&entry, 1, 5000)));
  const timespec odd{0, 2'000'000'000};
  log.push_back(outcome(c_ppoll(&entry, 1, &odd, nullptr)));
  const timespec brief{0, 1'000'000};
  entry.fd = -1;
  log.push_back(outcome(c_ppoll(&entry, 1, &brief, nullptr)));
}

void selects(Log& log) {
  const SocketPair one = SocketPair::tcp();
  const SocketPair pipe = SocketPair::pipe();
  const auto select = [&](int count, std::vector<int> in, std::vector<int> out, timeval timeout) {
    fd_set reads;
    fd_set writes;
    FD_ZERO(&reads);
    FD_ZERO(&writes);
    for (const int fd : in) FD_SET(fd, &reads);
    for (const int fd : out) FD_SET(fd, &writes);
    std::string text = outcome(c_select(count, in.empty() ? nullptr : &reads, &writes, nullptr, &timeout));
    for (const int fd : in) text += FD_ISSET(fd, &reads) ? " 1" : " 0";
    for (const int fd : out) text += FD_ISSET(fd, &writes) ? " 1" : " 0";
    log.push_back(text + (timeout.tv_sec == 0 ? " soon" : " late"));
  };
  const int all = 1 + std::max({one[0], one[1], pipe[0], pipe[1]});
  select(0, {}, {}, {0, 2000});
  select(-1, {}, {}, {0, 2000});
  select(all, {one[0], pipe[0]}, {}, {0, 2000});
  select(all, {one[0], pipe[0]}, {}, {0, 0});
  select(all, {one[0]}, {one[0]}, {5, 0});
  select(all, {one[0]}, {}, {0, -1});
  {
    const Later later([&] { ASSERT_EQ(::write(pipe[1], "x", 1), 1); });
    select(all, {one[0], pipe[0]}, {}, {5, 0});
  }
  select(1000, {999}, {}, {0, 2000});
  const timespec odd{0, -1};
  log.push_back(outcome(c_pselect(0, nullptr, nullptr, nullptr, &odd, nullptr)));
}

void epolls(Log& log) {
  const SocketPair one = SocketPair::tcp();
  const int epoll = ::epoll_create1(EPOLL_CLOEXEC);
  epoll_event wanted = {};
  wanted.events = EPOLLIN;
  ::epoll_ctl(epoll, EPOLL_CTL_ADD, one[0], &wanted);
  epoll_event events[4] = {};
  log.push_back(outcome(c_epoll_wait(epoll, events, 4, 0)));
  log.push_back(outcome(c_epoll_wait(epoll, events, 4, 3)));
  log.push_back(outcome(c_epoll_wait(epoll, events, 0, 3)));
  {
    const Later later([&] { ::send(one[1], "x", 1, 0); });
    log.push_back(outcome(c_epoll_wait(epoll, events, 4, 5000)) + " " + std::to_string(events[0].events));
  }
  ::close(epoll);
}

void sleeps(Log& log) {
  log.push_back(std::to_string(c_sleep(0)));
  log.push_back(outcome(c_usleep(1000)));
  timespec odd{0, 1'000'000'000};
  timespec rest{7, 7};
  log.push_back(outcome(c_nanosleep(&odd, &rest)));
  timespec brief{0, 1'000'000};
  log.push_back(outcome(c_nanosleep(&brief, &rest)) + std::to_string(rest.tv_sec));
  log.push_back(std::to_string(c_clock_nanosleep(CLOCK_MONOTONIC, 0, &brief, nullptr)));
  log.push_back(std::to_string(c_clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &brief, nullptr)));
  log.push_back(std::to_string(c_clock_nanosleep(12345, 0, &brief, nullptr)));
  log.push_back(std::to_string(c_clock_nanosleep(CLOCK_REALTIME, 0, &odd, nullptr)));
}

INSTANTIATE_TEST_SUITE_P(Waits, BlockingParity,
                         ::testing::Values(Scenario{"Polls", polls}, Scenario{"Selects", selects},
                                           Scenario{"Epolls", epolls}, Scenario{"Sleeps", sleeps}),
                         scenario_name);

}  // namespace
}  // namespace trueasync::test
