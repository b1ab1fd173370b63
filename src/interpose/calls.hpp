// The replaced calls: each has its original's signature and meaning, to the errno. In a coroutine that may suspend they
// suspend instead of blocking; anywhere else they are the original.
//
// None throws: C code calls them. Files by family, as said below.
#pragma once

#include <netdb.h>
#include <poll.h>
#include <resolv.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdio>
#include <ctime>

namespace trueasync::detail::interpose::calls {

// sleep.cpp
unsigned sleep(unsigned seconds) noexcept;
int usleep(useconds_t microseconds) noexcept;
int nanosleep(const timespec* length, timespec* rest) noexcept;
int clock_nanosleep(clockid_t clock, int flags, const timespec* when, timespec* rest) noexcept;

// poll.cpp. `code` made the call.
int poll(const void* code, pollfd* entries, nfds_t count, int milliseconds) noexcept;
int poll_chk(const void* code, pollfd* entries, nfds_t count, int milliseconds, std::size_t size) noexcept;
int ppoll(pollfd* entries, nfds_t count, const timespec* timeout, const sigset_t* mask) noexcept;
int ppoll_chk(pollfd* entries, nfds_t count, const timespec* timeout, const sigset_t* mask, std::size_t size) noexcept;
int epoll_wait(int epoll, epoll_event* events, int count, int milliseconds) noexcept;
int epoll_pwait(int epoll, epoll_event* events, int count, int milliseconds, const sigset_t* mask) noexcept;

// select.cpp
int select(int count, fd_set* in, fd_set* out, fd_set* special, timeval* timeout) noexcept;
int pselect(int count, fd_set* in, fd_set* out, fd_set* special, const timespec* timeout,
            const sigset_t* mask) noexcept;

// receive.cpp
ssize_t read(int fd, void* buffer, std::size_t size) noexcept;
ssize_t read_chk(int fd, void* buffer, std::size_t size, std::size_t room) noexcept;
ssize_t readv(int fd, const iovec* pieces, int count) noexcept;
ssize_t recv(int fd, void* buffer, std::size_t size, int flags) noexcept;
ssize_t recv_chk(int fd, void* buffer, std::size_t size, std::size_t room, int flags) noexcept;
ssize_t recvfrom(int fd, void* buffer, std::size_t size, int flags, sockaddr* from, socklen_t* length) noexcept;
ssize_t recvfrom_chk(int fd, void* buffer, std::size_t size, std::size_t room, int flags, sockaddr* from,
                     socklen_t* length) noexcept;
ssize_t recvmsg(int fd, msghdr* message, int flags) noexcept;

// send.cpp
ssize_t write(int fd, const void* data, std::size_t size) noexcept;
ssize_t writev(int fd, const iovec* pieces, int count) noexcept;
ssize_t send(int fd, const void* data, std::size_t size, int flags) noexcept;
ssize_t sendto(int fd, const void* data, std::size_t size, int flags, const sockaddr* to, socklen_t length) noexcept;
ssize_t sendmsg(int fd, const msghdr* message, int flags) noexcept;

// accept.cpp, connect.cpp
int accept(int fd, sockaddr* peer, socklen_t* length) noexcept;
int accept4(int fd, sockaddr* peer, socklen_t* length, int flags) noexcept;
int connect(int fd, const sockaddr* address, socklen_t length) noexcept;

// lookup.cpp
int getaddrinfo(const char* host, const char* service, const addrinfo* hints, addrinfo** result) noexcept;
int getnameinfo(const sockaddr* address, socklen_t length, char* host, socklen_t host_size, char* service,
                socklen_t service_size, int flags) noexcept;
// host_lookup.cpp
hostent* gethostbyname(const char* name) noexcept;
hostent* gethostbyname2(const char* name, int family) noexcept;
hostent* gethostbyaddr(const void* address, socklen_t length, int family) noexcept;
int gethostbyname_r(const char* name, hostent* entry, char* buffer, std::size_t size, hostent** result,
                    int* error) noexcept;
int gethostbyname2_r(const char* name, int family, hostent* entry, char* buffer, std::size_t size, hostent** result,
                     int* error) noexcept;
int gethostbyaddr_r(const void* address, socklen_t length, int family, hostent* entry, char* buffer, std::size_t size,
                    hostent** result, int* error) noexcept;
// resolver.cpp
int res_query(const char* name, int kind, int type, unsigned char* answer, int size) noexcept;
int res_search(const char* name, int kind, int type, unsigned char* answer, int size) noexcept;
int res_nquery(res_state state, const char* name, int kind, int type, unsigned char* answer, int size) noexcept;
int res_nsearch(res_state state, const char* name, int kind, int type, unsigned char* answer, int size) noexcept;

// process.cpp
pid_t wait(int* status) noexcept;
pid_t waitpid(pid_t process, int* status, int options) noexcept;
pid_t wait3(int* status, int options, rusage* usage) noexcept;
pid_t wait4(pid_t process, int* status, int options, rusage* usage) noexcept;
int waitid(idtype_t type, id_t id, siginfo_t* info, int options) noexcept;
int pclose(FILE* stream) noexcept;
int system(const char* command) noexcept;

// lock.cpp
int flock(int fd, int operation) noexcept;
int lockf(int fd, int command, off_t length) noexcept;
int fcntl(int fd, int command, void* argument) noexcept;

// closing.cpp
int close(int fd) noexcept;
int fclose(FILE* stream) noexcept;
int dup2(int from, int to) noexcept;
int dup3(int from, int to, int flags) noexcept;
int close_range(unsigned first, unsigned last, int flags) noexcept;
void closefrom(int first) noexcept;

// loading.cpp
void* dlopen(const char* path, int flags) noexcept;

}  // namespace trueasync::detail::interpose::calls
