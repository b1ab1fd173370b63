// Each scenario runs twice: plainly on a thread of its own, and in a coroutine with the calls replaced. What the calls
// return, and errno, must be the same.
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cstring>
#include <thread>

#include "fixture.hpp"

namespace trueasync::test {
namespace {

using Log = std::vector<std::string>;

struct Scenario {
  const char* name;
  void (*run)(Log& log);
};

// Does something from another thread a little later: what it waits for is under way then, mostly.
class Later {
 public:
  template <class F>
  explicit Later(F function)
      : thread_([function] {
          std::this_thread::sleep_for(std::chrono::milliseconds(5));
          function();
        }) {}
  ~Later() { thread_.join(); }

 private:
  std::thread thread_;
};

void limit(int fd, int option, int milliseconds) {
  const timeval value{0, milliseconds * 1000};
  ::setsockopt(fd, SOL_SOCKET, option, &value, sizeof value);
}

void set_nonblocking(int fd) { ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK); }

std::string got(ssize_t size, const char* buffer) {
  return outcome(size) + (size > 0 ? " " + std::string(buffer, static_cast<std::size_t>(size)) : "");
}

void nonblocking_descriptors(Log& log) {
  char buffer[8];
  const Ends sockets = Ends::tcp();
  log.push_back(outcome(c_recv(sockets[0], buffer, 8, MSG_DONTWAIT)));
  set_nonblocking(sockets[0]);
  log.push_back(outcome(c_recv(sockets[0], buffer, 8, 0)));
  log.push_back(outcome(c_read(sockets[0], buffer, 8)));
  log.push_back(outcome(c_recvfrom(sockets[0], buffer, 8, 0, nullptr, nullptr)));
  const Ends pipe = Ends::pipe();
  set_nonblocking(pipe[0]);
  set_nonblocking(pipe[1]);
  log.push_back(outcome(c_read(pipe[0], buffer, 8)));
  const std::string much(1 << 20, 'x');
  log.push_back(outcome(c_write(pipe[1], much.data(), much.size())));
  log.push_back(outcome(c_write(pipe[1], much.data(), 100)));
  const TcpListener listener;
  set_nonblocking(listener.fd());
  log.push_back(outcome(c_accept(listener.fd(), nullptr, nullptr)));
  const std::string more(64 << 20, 'x');
  const ssize_t sent = c_send(sockets[0], more.data(), more.size(), 0);
  log.push_back(sent > 0 && static_cast<std::size_t>(sent) < more.size() ? "a part" : outcome(sent));
}

void socket_timeouts(Log& log) {
  char buffer[8];
  const Ends sockets = Ends::tcp();
  limit(sockets[0], SO_RCVTIMEO, 20);
  limit(sockets[0], SO_SNDTIMEO, 20);
  log.push_back(outcome(c_recv(sockets[0], buffer, 8, 0)));
  log.push_back(outcome(c_read(sockets[0], buffer, 8)));
  c_send(sockets[1], "abc", 3, 0);
  log.push_back(got(c_recv(sockets[0], buffer, 8, MSG_WAITALL), buffer));
  const std::string much(64 << 20, 'x');
  const ssize_t sent = c_send(sockets[0], much.data(), much.size(), 0);
  log.push_back(sent > 0 && static_cast<std::size_t>(sent) < much.size() ? "a part" : outcome(sent));
  const TcpListener listener;
  limit(listener.fd(), SO_RCVTIMEO, 20);
  log.push_back(outcome(c_accept(listener.fd(), nullptr, nullptr)));
}

void data_that_comes_later(Log& log) {
  char buffer[16] = {};
  const Ends sockets = Ends::tcp();
  const Ends pipe = Ends::pipe();
  {
    const Later later([&] { ::send(sockets[1], "hello", 5, 0); });
    log.push_back(got(c_recv(sockets[0], buffer, 16, 0), buffer));
  }
  {
    const Later later([&] { ::send(sockets[1], "again", 5, 0); });
    log.push_back(got(c_read_chk(sockets[0], buffer, 16), buffer));
  }
  {
    const Later later([&] { ASSERT_EQ(::write(pipe[1], "pipe", 4), 4); });
    log.push_back(got(c_read(pipe[0], buffer, 16), buffer));
  }
  {
    const Later later([&] { ASSERT_EQ(::write(pipe[1], "pieces", 6), 6); });
    const iovec pieces[2] = {{buffer, 2}, {buffer + 8, 8}};
    log.push_back(outcome(c_readv(pipe[0], pieces, 2)) + std::string(buffer, 2) + std::string(buffer + 8, 4));
  }
}

void waiting_for_all(Log& log) {
  char buffer[16] = {};
  Ends sockets = Ends::tcp();
  {
    const Later later([&] {
      for (const char* part : {"ab", "cd", "ef"}) {
        ::send(sockets[1], part, 2, 0);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
    });
    log.push_back(got(c_recv(sockets[0], buffer, 6, MSG_WAITALL), buffer));
  }
  ::send(sockets[1], "peek", 4, 0);
  log.push_back(got(c_recv(sockets[0], buffer, 2, MSG_PEEK), buffer));
  log.push_back(got(c_recv(sockets[0], buffer, 4, MSG_PEEK | MSG_WAITALL), buffer));
  log.push_back(got(c_recv(sockets[0], buffer, 16, 0), buffer));
  {
    const Later later([&] {
      ::send(sockets[1], "end", 3, 0);
      ::shutdown(sockets[1], SHUT_WR);
    });
    iovec pieces[2] = {{buffer, 2}, {buffer + 8, 8}};
    msghdr message = {};
    message.msg_iov = pieces;
    message.msg_iovlen = 2;
    log.push_back(outcome(c_recvmsg(sockets[0], &message, MSG_WAITALL)) + std::string(buffer, 2) + buffer[8]);
  }
  log.push_back(outcome(c_recv(sockets[0], buffer, 16, 0)));
}

void ends_and_errors(Log& log) {
  char buffer[8];
  Ends sockets = Ends::tcp();
  const linger at_once{1, 0};
  ::setsockopt(sockets[1], SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  {
    const Later later([&] { ::close(sockets.release(1)); });
    log.push_back(outcome(c_recv(sockets[0], buffer, 8, 0)));
  }
  log.push_back(outcome(c_recv(sockets[0], buffer, 8, 0)));
  log.push_back(outcome(c_send(sockets[0], "x", 1, MSG_NOSIGNAL)));
  Ends pipe = Ends::pipe();
  {
    const Later later([&] { ::close(pipe.release(1)); });
    log.push_back(outcome(c_read(pipe[0], buffer, 8)));
  }
  Ends broken = Ends::pipe();
  broken.close(0);
  ::signal(SIGPIPE, SIG_IGN);
  log.push_back(outcome(c_write(broken[1], "x", 1)));
  for (const int fd : {-1, 1'000'000}) {
    log.push_back(outcome(c_recv(fd, buffer, 8, 0)));
    log.push_back(outcome(c_read(fd, buffer, 8)));
    log.push_back(outcome(c_write(fd, buffer, 8)));
    log.push_back(outcome(c_send(fd, buffer, 8, 0)));
    log.push_back(outcome(c_accept(fd, nullptr, nullptr)));
    log.push_back(outcome(c_connect(fd, nullptr, 0)));
    log.push_back(outcome(c_flock(fd, LOCK_EX)));
    epoll_event event;
    log.push_back(outcome(c_epoll_wait(fd, &event, 1, 10)));
  }
  const int directory = ::open("/", O_RDONLY | O_DIRECTORY);
  log.push_back(outcome(c_read(directory, buffer, 8)));
  log.push_back(outcome(c_recv(directory, buffer, 8, 0)));
  ::close(directory);
  log.push_back(outcome(c_accept(sockets[0], nullptr, nullptr)));
}

void files_are_as_they_were(Log& log) {
  char name[] = "/tmp/trueasync-blocking-XXXXXX";
  const int file = ::mkstemp(name);
  ::unlink(name);
  const std::string text(100'000, 'f');
  char buffer[8] = {};
  log.push_back(outcome(c_write(file, text.data(), text.size())));
  ::lseek(file, 99'997, SEEK_SET);
  log.push_back(got(c_read(file, buffer, 8), buffer));
  log.push_back(outcome(c_read(file, buffer, 8)));
  pollfd entry{file, POLLIN | POLLOUT, 0};
  log.push_back(outcome(c_poll(&entry, 1, 1000)) + " " + std::to_string(entry.revents));
  log.push_back(outcome(c_flock(file, LOCK_EX)));
  log.push_back(outcome(c_flock(file, LOCK_UN)));
  ::lseek(file, 0, SEEK_SET);
  log.push_back(outcome(c_lockf(file, F_LOCK, 10)));
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  log.push_back(outcome(c_fcntl(file, F_SETLKW, &lock)));
  lock.l_whence = 99;
  log.push_back(outcome(c_fcntl(file, F_SETLKW, &lock)));
  ::close(file);
}

void big_transfers(Log& log) {
  const std::string much(8 << 20, 'b');
  for (const bool is_pipe : {false, true}) {
    const Ends ends = is_pipe ? Ends::pipe() : Ends::unix_sockets();
    const int in = ends[0];
    const Later later([&] {
      std::string buffer(1 << 16, ' ');
      std::size_t sum = 0;
      while (sum < 2 * much.size()) {
        const ssize_t size = ::read(in, buffer.data(), buffer.size());
        if (size <= 0) break;
        sum += static_cast<std::size_t>(size);
      }
    });
    log.push_back(outcome(c_write(ends[1], much.data(), much.size())));
    char* data = const_cast<char*>(much.data());
    const iovec pieces[3] = {{data, 3 << 20}, {data, 0}, {data, 5 << 20}};
    log.push_back(outcome(c_writev(ends[1], pieces, 3)));
  }
}

void messages(Log& log) {
  const Ends sockets = Ends::unix_sockets(SOCK_DGRAM);
  char buffer[8] = {};
  const Later later([&] {
    ::send(sockets[1], "one", 3, 0);
    ::send(sockets[1], "two", 3, 0);
    ::send(sockets[1], "a longer one", 12, 0);
    ::send(sockets[1], "", 0, 0);
  });
  log.push_back(got(c_recv(sockets[0], buffer, 8, 0), buffer));
  log.push_back(got(c_recv(sockets[0], buffer, 8, MSG_WAITALL), buffer));
  iovec piece{buffer, 8};
  msghdr message = {};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  log.push_back(got(c_recvmsg(sockets[0], &message, 0), buffer) + std::to_string(message.msg_flags & MSG_TRUNC));
  log.push_back(got(c_recvfrom(sockets[0], buffer, 8, 0, nullptr, nullptr), buffer));
  log.push_back(outcome(c_sendmsg(sockets[0], &message, 0)));
  const sockaddr_in nowhere = {};
  log.push_back(outcome(c_sendto(sockets[0], "x", 1, 0, reinterpret_cast<const sockaddr*>(&nowhere), sizeof nowhere)));
}

void polls(Log& log) {
  const auto poll = [&](std::vector<pollfd> entries, int milliseconds) {
    std::string text = outcome(c_poll(entries.data(), entries.size(), milliseconds));
    for (const pollfd& entry : entries) text += " " + std::to_string(entry.revents);
    log.push_back(text);
  };
  Ends one = Ends::tcp();
  Ends two = Ends::unix_sockets();
  Ends pipe = Ends::pipe();
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
  const Ends one = Ends::tcp();
  const Ends pipe = Ends::pipe();
  const auto select = [&](int count, std::vector<int> in, std::vector<int> out, timeval limit) {
    fd_set reads;
    fd_set writes;
    FD_ZERO(&reads);
    FD_ZERO(&writes);
    for (const int fd : in) FD_SET(fd, &reads);
    for (const int fd : out) FD_SET(fd, &writes);
    std::string text = outcome(c_select(count, in.empty() ? nullptr : &reads, &writes, nullptr, &limit));
    for (const int fd : in) text += FD_ISSET(fd, &reads) ? " 1" : " 0";
    for (const int fd : out) text += FD_ISSET(fd, &writes) ? " 1" : " 0";
    log.push_back(text + (limit.tv_sec == 0 ? " soon" : " late"));
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
  const Ends one = Ends::tcp();
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

void connections(Log& log) {
  TcpListener listener;
  const auto connect = [&](int fd, const sockaddr* address, socklen_t size) {
    log.push_back(outcome(c_connect(fd, address, size)));
  };
  const int fd = tcp_socket();
  connect(fd, listener.address(), listener.size());
  log.push_back((::fcntl(fd, F_GETFL) & O_NONBLOCK) ? "changed" : "as it was");
  connect(fd, listener.address(), listener.size());
  sockaddr_in peer = {};
  socklen_t size = sizeof peer;
  const int accepted = c_accept4(listener.fd(), reinterpret_cast<sockaddr*>(&peer), &size, SOCK_CLOEXEC);
  log.push_back(accepted >= 0 && size == sizeof peer && peer.sin_family == AF_INET ? "accepted" : "not accepted");
  log.push_back((::fcntl(listener.fd(), F_GETFL) & O_NONBLOCK) ? "changed" : "as it was");
  ::close(accepted);
  ::close(fd);
  listener.close();
  const int refused = tcp_socket();
  connect(refused, listener.address(), listener.size());
  connect(refused, listener.address(), listener.size());
  ::close(refused);
  const int local = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un nowhere = {};
  nowhere.sun_family = AF_UNIX;
  std::strcpy(nowhere.sun_path, "/nowhere/at/all");
  connect(local, reinterpret_cast<const sockaddr*>(&nowhere), sizeof nowhere);
  connect(local, listener.address(), listener.size());
  ::close(local);
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

std::string addresses(const addrinfo* list) {
  std::string text;
  for (; list; list = list->ai_next) {
    char host[64] = {};
    char service[32] = {};
    ::getnameinfo(list->ai_addr, list->ai_addrlen, host, sizeof host, service, sizeof service,
                  NI_NUMERICHOST | NI_NUMERICSERV);
    text += std::string(" ") + host + ":" + service + "/" + std::to_string(list->ai_socktype) + "/" +
            std::to_string(list->ai_flags);
  }
  return text;
}

void lookups(Log& log) {
  const auto look = [&](const char* host, const char* service, const addrinfo* hints) {
    addrinfo* found = nullptr;
    const int result = c_getaddrinfo(host, service, hints, &found);
    log.push_back(std::to_string(result) + addresses(found));
    if (found) ::freeaddrinfo(found);
  };
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  look("localhost", "80", &hints);
  look("127.0.0.1", nullptr, nullptr);
  look("localhost", nullptr, nullptr);
  look(nullptr, nullptr, nullptr);
  look("localhost", "no-such-service", &hints);
  hints.ai_flags = 0x40000000;
  look("localhost", "80", &hints);
  sockaddr_in loopback = {};
  loopback.sin_family = AF_INET;
  loopback.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  char host[64] = {};
  char service[32] = {};
  log.push_back(std::to_string(c_getnameinfo(reinterpret_cast<const sockaddr*>(&loopback), sizeof loopback, host,
                                             sizeof host, service, sizeof service, 0)) +
                host + service);
  log.push_back(std::to_string(
      c_getnameinfo(reinterpret_cast<const sockaddr*>(&loopback), sizeof loopback, host, 2, nullptr, 0, 0)));
}

std::string entry_text(const hostent* entry) {
  if (!entry) return "nothing";
  std::string text = entry->h_name;
  for (char** each = entry->h_aliases; *each; ++each) text += std::string(" ") + *each;
  for (char** each = entry->h_addr_list; *each; ++each) {
    for (int i = 0; i < entry->h_length; ++i) text += "." + std::to_string(static_cast<unsigned char>((*each)[i]));
  }
  return text + "/" + std::to_string(entry->h_addrtype);
}

void host_entries(Log& log) {
  log.push_back(entry_text(c_gethostbyname("localhost")));
  log.push_back(entry_text(c_gethostbyname("127.0.0.2")));
  const in_addr loopback{htonl(INADDR_LOOPBACK)};
  log.push_back(entry_text(c_gethostbyaddr(&loopback, sizeof loopback, AF_INET)));
  hostent entry = {};
  char buffer[2048];
  hostent* result = nullptr;
  int error = 0;
  log.push_back(std::to_string(c_gethostbyname_r("localhost", &entry, buffer, sizeof buffer, &result, &error)) +
                entry_text(result));
  log.push_back(std::to_string(c_gethostbyname_r("localhost", &entry, buffer, 8, &result, &error)) +
                entry_text(result) + std::to_string(error));
}

void processes(Log& log) {
  const auto child = [](int code, int milliseconds) {
    const pid_t process = ::fork();
    if (process == 0) {
      ::usleep(static_cast<useconds_t>(milliseconds) * 1000);
      if (code < 0) ::kill(::getpid(), -code);
      ::_exit(code);
    }
    return process;
  };
  int status = 0;
  pid_t process = child(3, 5);
  log.push_back(std::to_string(c_waitpid(process, &status, 0) == process) + " " + std::to_string(status));
  log.push_back(outcome(c_waitpid(process, &status, 0)));
  log.push_back(outcome(c_waitpid(1, &status, 0)));
  log.push_back(outcome(c_waitpid(process, &status, 0x40000000)));
  process = child(-SIGTERM, 5);
  log.push_back(std::to_string(c_waitpid(process, &status, WUNTRACED) == process) + " " + std::to_string(status));
  process = child(4, 300);
  log.push_back(outcome(c_waitpid(process, &status, WNOHANG)));
  rusage usage = {};
  log.push_back(std::to_string(c_wait4(process, &status, 0, &usage) == process) + " " + std::to_string(status));
  process = child(5, 5);
  siginfo_t info = {};
  log.push_back(outcome(c_waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOWAIT)) + " " +
                std::to_string(info.si_status));
  log.push_back(outcome(c_waitid(P_PID, static_cast<id_t>(process), &info, WEXITED)));
  log.push_back(outcome(c_waitid(P_PID, static_cast<id_t>(process), &info, WEXITED)));
  process = child(6, 5);
  log.push_back(std::to_string(c_waitpid(0, &status, 0) == process) + " " + std::to_string(status));
  log.push_back(std::to_string(c_system("exit 7")));
  log.push_back(std::to_string(c_system("kill -TERM $$; exit 3")));
  FILE* stream = c_popen("cat; exit 8", "w");
  log.push_back(std::to_string(c_pclose(stream)));
}

constexpr Scenario kScenarios[] = {
    {"NonblockingDescriptors", nonblocking_descriptors},
    {"SocketTimeouts", socket_timeouts},
    {"DataThatComesLater", data_that_comes_later},
    {"WaitingForAll", waiting_for_all},
    {"EndsAndErrors", ends_and_errors},
    {"FilesAreAsTheyWere", files_are_as_they_were},
    {"BigTransfers", big_transfers},
    {"Messages", messages},
    {"Polls", polls},
    {"Selects", selects},
    {"Epolls", epolls},
    {"Connections", connections},
    {"Sleeps", sleeps},
    {"Lookups", lookups},
    {"HostEntries", host_entries},
    {"Processes", processes},
};

class BlockingEquality : public ::testing::TestWithParam<Scenario> {};

TEST_P(BlockingEquality, ResultsAndErrnoAreTheOriginals) {
  Log plain;
  std::thread([&] { GetParam().run(plain); }).join();
  Log replaced;
  blocking::enable({"blocking_calls"});
  {
    Runtime runtime;
    runtime.run([&] { await(spawn({.stack_size = 512 * 1024}, [&] { GetParam().run(replaced); })); });
    expect_nothing_left(runtime);
  }
  blocking::disable();
  EXPECT_EQ(plain, replaced);
}

INSTANTIATE_TEST_SUITE_P(Scenarios, BlockingEquality, ::testing::ValuesIn(kScenarios),
                         [](const auto& scenario) { return std::string(scenario.param.name); });

}  // namespace
}  // namespace trueasync::test
