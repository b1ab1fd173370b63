// Waits: poll, select, epoll_wait and the sleep family.
#include "parity.hpp"

namespace trueasync::test {
namespace {

void polls(Log& log) {
  const auto poll = [&](std::vector<pollfd> entries, int milliseconds) {
    std::string text = outcome(c_poll(entries.data(), entries.size(), milliseconds));
    for (const pollfd& entry : entries) text += " " + std::to_string(entry.revents);
    log.push_back(text);
  };
  SocketPair tcp = SocketPair::tcp();
  SocketPair unix_pair = SocketPair::unix_sockets();
  SocketPair pipe = SocketPair::pipe();
  poll({}, 3);
  poll({}, 0);
  poll({{-1, POLLIN, 7}}, 3);
  poll({{tcp[0], POLLIN, 0}}, 0);
  poll({{tcp[0], POLLIN, 0}}, 3);
  poll({{tcp[0], POLLOUT, 0}}, 3);
  poll({{tcp[0], POLLIN | POLLOUT, 0}, {unix_pair[0], POLLIN, 0}, {-5, POLLIN, 0}}, 3);
  poll({{tcp[0], POLLIN, 0}, {unix_pair[0], POLLIN, 0}, {pipe[0], POLLIN, 0}}, 3);
  poll({{1'000'000, POLLIN, 0}, {unix_pair[0], POLLIN, 0}}, 50);
  poll({{1'000'000, POLLIN, 0}}, 50);
  {
    const Later later([&] { ::send(tcp[1], "x", 1, 0); });
    poll({{tcp[0], POLLIN | POLLERR | POLLHUP, 0}}, 5000);
  }
  poll({{tcp[0], POLLIN | POLLRDNORM, 0}}, 5000);
  {
    const Later later([&] { ::send(unix_pair[1], "x", 1, 0); });
    poll({{pipe[0], POLLIN, 0}, {unix_pair[0], POLLIN, 0}, {unix_pair[0], 0, 0}}, 5000);
  }
  {
    const Later later([&] { ::close(pipe.release(1)); });
    poll({{pipe[0], 0, 0}}, 5000);
  }
  poll({{pipe[0], POLLIN, 0}}, 5000);
  ::shutdown(tcp[1], SHUT_WR);
  poll({{tcp[0], POLLIN | POLLRDHUP, 0}}, 5000);
  pollfd entry{tcp[0], POLLIN, 0};
  log.push_back(outcome(c_poll_chk(&entry, 1, 5000)));
  const timespec invalid{0, 2'000'000'000};
  log.push_back(outcome(c_ppoll(&entry, 1, &invalid, nullptr)));
  const timespec brief{0, 1'000'000};
  entry.fd = -1;
  log.push_back(outcome(c_ppoll(&entry, 1, &brief, nullptr)));
}

void selects(Log& log) {
  const SocketPair tcp = SocketPair::tcp();
  const SocketPair pipe = SocketPair::pipe();
  const auto select = [&](int count, std::vector<int> in, std::vector<int> out, timeval timeout) {
    fd_set read_set;
    fd_set write_set;
    FD_ZERO(&read_set);
    FD_ZERO(&write_set);
    for (const int fd : in) FD_SET(fd, &read_set);
    for (const int fd : out) FD_SET(fd, &write_set);
    std::string text = outcome(c_select(count, in.empty() ? nullptr : &read_set, &write_set, nullptr, &timeout));
    for (const int fd : in) text += FD_ISSET(fd, &read_set) ? " 1" : " 0";
    for (const int fd : out) text += FD_ISSET(fd, &write_set) ? " 1" : " 0";
    log.push_back(text + (timeout.tv_sec == 0 ? " soon" : " late"));
  };
  const int all = 1 + std::max({tcp[0], tcp[1], pipe[0], pipe[1]});
  select(0, {}, {}, {0, 2000});
  select(-1, {}, {}, {0, 2000});
  select(all, {tcp[0], pipe[0]}, {}, {0, 2000});
  select(all, {tcp[0], pipe[0]}, {}, {0, 0});
  select(all, {tcp[0]}, {tcp[0]}, {5, 0});
  select(all, {tcp[0]}, {}, {0, -1});
  {
    const Later later([&] { ASSERT_EQ(::write(pipe[1], "x", 1), 1); });
    select(all, {tcp[0], pipe[0]}, {}, {5, 0});
  }
  select(1000, {999}, {}, {0, 2000});
  const timespec invalid{0, -1};
  log.push_back(outcome(c_pselect(0, nullptr, nullptr, nullptr, &invalid, nullptr)));
}

void epolls(Log& log) {
  const SocketPair tcp = SocketPair::tcp();
  const int epoll_fd = ::epoll_create1(EPOLL_CLOEXEC);
  epoll_event interest = {};
  interest.events = EPOLLIN;
  ::epoll_ctl(epoll_fd, EPOLL_CTL_ADD, tcp[0], &interest);
  epoll_event events[4] = {};
  log.push_back(outcome(c_epoll_wait(epoll_fd, events, 4, 0)));
  log.push_back(outcome(c_epoll_wait(epoll_fd, events, 4, 3)));
  log.push_back(outcome(c_epoll_wait(epoll_fd, events, 0, 3)));
  {
    const Later later([&] { ::send(tcp[1], "x", 1, 0); });
    log.push_back(outcome(c_epoll_wait(epoll_fd, events, 4, 5000)) + " " + std::to_string(events[0].events));
  }
  ::close(epoll_fd);
}

void sleeps(Log& log) {
  log.push_back(std::to_string(c_sleep(0)));
  log.push_back(outcome(c_usleep(1000)));
  timespec invalid{0, 1'000'000'000};
  timespec remaining{7, 7};
  log.push_back(outcome(c_nanosleep(&invalid, &remaining)));
  timespec brief{0, 1'000'000};
  log.push_back(outcome(c_nanosleep(&brief, &remaining)) + std::to_string(remaining.tv_sec));
  log.push_back(std::to_string(c_clock_nanosleep(CLOCK_MONOTONIC, 0, &brief, nullptr)));
  log.push_back(std::to_string(c_clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &brief, nullptr)));
  log.push_back(std::to_string(c_clock_nanosleep(12345, 0, &brief, nullptr)));
  log.push_back(std::to_string(c_clock_nanosleep(CLOCK_REALTIME, 0, &invalid, nullptr)));
}

INSTANTIATE_TEST_SUITE_P(Waits, BlockingParity,
                         ::testing::Values(Scenario{"Polls", polls}, Scenario{"Selects", selects},
                                           Scenario{"Epolls", epolls}, Scenario{"Sleeps", sleeps}),
                         scenario_name);

}  // namespace
}  // namespace trueasync::test
