// What builds with _FORTIFY_SOURCE call: the originals with the room that the compiler knows. They end the program when it
// is not enough. No header declares them for us.
#pragma once

#include <poll.h>
#include <sys/socket.h>
#include <sys/types.h>

#include <csignal>
#include <ctime>

extern "C" {
int __poll_chk(struct pollfd* entries, nfds_t count, int milliseconds, std::size_t size);
int __ppoll_chk(struct pollfd* entries, nfds_t count, const struct timespec* timeout, const sigset_t* mask,
                std::size_t size);
ssize_t __read_chk(int fd, void* buffer, std::size_t size, std::size_t room);
ssize_t __recv_chk(int fd, void* buffer, std::size_t size, std::size_t room, int flags);
ssize_t __recvfrom_chk(int fd, void* buffer, std::size_t size, std::size_t room, int flags, struct sockaddr* from,
                       socklen_t* length);
}
