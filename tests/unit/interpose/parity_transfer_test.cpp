// Transfers: the read, write, recv and send families on sockets, pipes and files.
#include <sys/file.h>

#include "parity.hpp"

namespace trueasync::test {
namespace {

void set_timeout(int fd, int option, int milliseconds) {
  const timeval value{0, milliseconds * 1000};
  ::setsockopt(fd, SOL_SOCKET, option, &value, sizeof value);
}

void set_nonblocking(int fd) { ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK); }

std::string format_received(ssize_t size, const char* buffer) {
  return outcome(size) + (size > 0 ? " " + std::string(buffer, static_cast<std::size_t>(size)) : "");
}

void nonblocking_descriptors(Log& log) {
  char buffer[8];
  const SocketPair sockets = SocketPair::tcp();
  log.push_back(outcome(c_recv(sockets[0], buffer, 8, MSG_DONTWAIT)));
  set_nonblocking(sockets[0]);
  log.push_back(outcome(c_recv(sockets[0], buffer, 8, 0)));
  log.push_back(outcome(c_read(sockets[0], buffer, 8)));
  log.push_back(outcome(c_recvfrom(sockets[0], buffer, 8, 0, nullptr, nullptr)));
  const SocketPair pipe = SocketPair::pipe();
  set_nonblocking(pipe[0]);
  set_nonblocking(pipe[1]);
  log.push_back(outcome(c_read(pipe[0], buffer, 8)));
  const std::string data(1 << 20, 'x');
  log.push_back(outcome(c_write(pipe[1], data.data(), data.size())));
  log.push_back(outcome(c_write(pipe[1], data.data(), 100)));
  const TcpListener listener;
  set_nonblocking(listener.fd());
  log.push_back(outcome(c_accept(listener.fd(), nullptr, nullptr)));
  const std::string large(64 << 20, 'x');
  const ssize_t sent = c_send(sockets[0], large.data(), large.size(), 0);
  log.push_back(sent > 0 && static_cast<std::size_t>(sent) < large.size() ? "a part" : outcome(sent));
}

void socket_timeouts(Log& log) {
  char buffer[8];
  const SocketPair sockets = SocketPair::tcp();
  set_timeout(sockets[0], SO_RCVTIMEO, 20);
  set_timeout(sockets[0], SO_SNDTIMEO, 20);
  log.push_back(outcome(c_recv(sockets[0], buffer, 8, 0)));
  log.push_back(outcome(c_read(sockets[0], buffer, 8)));
  c_send(sockets[1], "abc", 3, 0);
  log.push_back(format_received(c_recv(sockets[0], buffer, 8, MSG_WAITALL), buffer));
  const std::string data(64 << 20, 'x');
  const ssize_t sent = c_send(sockets[0], data.data(), data.size(), 0);
  log.push_back(sent > 0 && static_cast<std::size_t>(sent) < data.size() ? "a part" : outcome(sent));
  const TcpListener listener;
  set_timeout(listener.fd(), SO_RCVTIMEO, 20);
  log.push_back(outcome(c_accept(listener.fd(), nullptr, nullptr)));
}

void delayed_data(Log& log) {
  char buffer[16] = {};
  const SocketPair sockets = SocketPair::tcp();
  const SocketPair pipe = SocketPair::pipe();
  {
    const Later later([&] { ::send(sockets[1], "hello", 5, 0); });
    log.push_back(format_received(c_recv(sockets[0], buffer, 16, 0), buffer));
  }
  {
    const Later later([&] { ::send(sockets[1], "again", 5, 0); });
    log.push_back(format_received(c_read_chk(sockets[0], buffer, 16), buffer));
  }
  {
    const Later later([&] { ASSERT_EQ(::write(pipe[1], "pipe", 4), 4); });
    log.push_back(format_received(c_read(pipe[0], buffer, 16), buffer));
  }
  {
    const Later later([&] { ASSERT_EQ(::write(pipe[1], "pieces", 6), 6); });
    const iovec iovecs[2] = {{buffer, 2}, {buffer + 8, 8}};
    log.push_back(outcome(c_readv(pipe[0], iovecs, 2)) + std::string(buffer, 2) + std::string(buffer + 8, 4));
  }
}

void wait_all(Log& log) {
  char buffer[16] = {};
  SocketPair sockets = SocketPair::tcp();
  {
    const Later later([&] {
      for (const char* part : {"ab", "cd", "ef"}) {
        ::send(sockets[1], part, 2, 0);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
    });
    log.push_back(format_received(c_recv(sockets[0], buffer, 6, MSG_WAITALL), buffer));
  }
  ::send(sockets[1], "peek", 4, 0);
  log.push_back(format_received(c_recv(sockets[0], buffer, 2, MSG_PEEK), buffer));
  log.push_back(format_received(c_recv(sockets[0], buffer, 4, MSG_PEEK | MSG_WAITALL), buffer));
  log.push_back(format_received(c_recv(sockets[0], buffer, 16, 0), buffer));
  {
    const Later later([&] {
      ::send(sockets[1], "end", 3, 0);
      ::shutdown(sockets[1], SHUT_WR);
    });
    iovec iovecs[2] = {{buffer, 2}, {buffer + 8, 8}};
    msghdr message = {};
    message.msg_iov = iovecs;
    message.msg_iovlen = 2;
    log.push_back(outcome(c_recvmsg(sockets[0], &message, MSG_WAITALL)) + std::string(buffer, 2) + buffer[8]);
  }
  log.push_back(outcome(c_recv(sockets[0], buffer, 16, 0)));
}

void hangups_and_errors(Log& log) {
  char buffer[8];
  SocketPair sockets = SocketPair::tcp();
  const linger abort_on_close{1, 0};
  ::setsockopt(sockets[1], SOL_SOCKET, SO_LINGER, &abort_on_close, sizeof abort_on_close);
  {
    const Later later([&] { ::close(sockets.release(1)); });
    log.push_back(outcome(c_recv(sockets[0], buffer, 8, 0)));
  }
  log.push_back(outcome(c_recv(sockets[0], buffer, 8, 0)));
  log.push_back(outcome(c_send(sockets[0], "x", 1, MSG_NOSIGNAL)));
  SocketPair pipe = SocketPair::pipe();
  {
    const Later later([&] { ::close(pipe.release(1)); });
    log.push_back(outcome(c_read(pipe[0], buffer, 8)));
  }
  SocketPair broken = SocketPair::pipe();
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

void regular_files(Log& log) {
  char name[] = "/tmp/trueasync-blocking-XXXXXX";
  const int file = ::mkstemp(name);
  ::unlink(name);
  const std::string text(100'000, 'f');
  char buffer[8] = {};
  log.push_back(outcome(c_write(file, text.data(), text.size())));
  ::lseek(file, 99'997, SEEK_SET);
  log.push_back(format_received(c_read(file, buffer, 8), buffer));
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

void large_transfers(Log& log) {
  const std::string content(8 << 20, 'b');
  for (const bool is_pipe : {false, true}) {
    const SocketPair pair = is_pipe ? SocketPair::pipe() : SocketPair::unix_sockets();
    const int in = pair[0];
    const Later later([&] {
      std::string buffer(1 << 16, ' ');
      std::size_t sum = 0;
      while (sum < 2 * content.size()) {
        const ssize_t size = ::read(in, buffer.data(), buffer.size());
        if (size <= 0) break;
        sum += static_cast<std::size_t>(size);
      }
    });
    log.push_back(outcome(c_write(pair[1], content.data(), content.size())));
    char* data = const_cast<char*>(content.data());
    const iovec iovecs[3] = {{data, 3 << 20}, {data, 0}, {data, 5 << 20}};
    log.push_back(outcome(c_writev(pair[1], iovecs, 3)));
  }
}

void datagrams(Log& log) {
  const SocketPair sockets = SocketPair::unix_sockets(SOCK_DGRAM);
  char buffer[8] = {};
  const Later later([&] {
    ::send(sockets[1], "one", 3, 0);
    ::send(sockets[1], "two", 3, 0);
    ::send(sockets[1], "a longer one", 12, 0);
    ::send(sockets[1], "", 0, 0);
  });
  log.push_back(format_received(c_recv(sockets[0], buffer, 8, 0), buffer));
  log.push_back(format_received(c_recv(sockets[0], buffer, 8, MSG_WAITALL), buffer));
  iovec iov{buffer, 8};
  msghdr message = {};
  message.msg_iov = &iov;
  message.msg_iovlen = 1;
  log.push_back(format_received(c_recvmsg(sockets[0], &message, 0), buffer) +
                std::to_string(message.msg_flags & MSG_TRUNC));
  log.push_back(format_received(c_recvfrom(sockets[0], buffer, 8, 0, nullptr, nullptr), buffer));
  log.push_back(outcome(c_sendmsg(sockets[0], &message, 0)));
  const sockaddr_in nowhere = {};
  log.push_back(outcome(c_sendto(sockets[0], "x", 1, 0, reinterpret_cast<const sockaddr*>(&nowhere), sizeof nowhere)));
}

INSTANTIATE_TEST_SUITE_P(Transfers, BlockingParity,
                         ::testing::Values(Scenario{"NonblockingDescriptors", nonblocking_descriptors},
                                           Scenario{"SocketTimeouts", socket_timeouts},
                                           Scenario{"DelayedData", delayed_data}, Scenario{"WaitAll", wait_all},
                                           Scenario{"HangupsAndErrors", hangups_and_errors},
                                           Scenario{"RegularFiles", regular_files},
                                           Scenario{"LargeTransfers", large_transfers},
                                           Scenario{"Datagrams", datagrams}),
                         scenario_name);

}  // namespace
}  // namespace trueasync::test
