// The variants that builds with _FORTIFY_SOURCE call. They take the buffer size known to the compiler and abort the
// program if it is too small. No system header declares them for this build.
#pragma once

#include <poll.h>
#include <sys/socket.h>
#include <sys/types.h>

#include <csignal>
#include <ctime>

extern "C" {
int __poll_chk(struct pollfd* entries, nfds_t count, int timeout_ms, std::size_t size);
int __ppoll_chk(struct pollfd* entries, nfds_t count, const struct timespec* timeout, const sigset_t* mask,
                std::size_t size);
ssize_t __read_chk(int fd, void* buffer, std::size_t size, std::size_t buffer_size);
ssize_t __recv_chk(int fd, void* buffer, std::size_t size, std::size_t buffer_size, int flags);
ssize_t __recvfrom_chk(int fd, void* buffer, std::size_t size, std::size_t buffer_size, int flags,
                       struct sockaddr* from, socklen_t* length);
}
