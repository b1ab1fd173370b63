// The replacements of blocking C library calls. Each has the signature, results and errno of its original. In a
// coroutine that may suspend, a replacement suspends instead of blocking. Everywhere else it calls the original.
//
// Thread safety: any thread.
// Errors: nothing throws, because the callers are C code.
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

namespace trueasync::detail::interpose {

// Whether `host` is a numeric IPv4 or IPv6 address, which needs no lookup. Defined in getaddrinfo.cpp.
bool is_numeric_address(const char* host) noexcept;

}  // namespace trueasync::detail::interpose

namespace trueasync::detail::interpose::calls {

// sleep.cpp
unsigned sleep(unsigned seconds) noexcept;
int usleep(useconds_t microseconds) noexcept;
int nanosleep(const timespec* duration, timespec* remaining) noexcept;
int clock_nanosleep(clockid_t clock, int flags, const timespec* when, timespec* remaining) noexcept;

// poll.cpp. `return_address` lies in the calling code.
int poll(const void* return_address, pollfd* entries, nfds_t count, int timeout_ms) noexcept;
int poll_chk(const void* return_address, pollfd* entries, nfds_t count, int timeout_ms, std::size_t size) noexcept;
int ppoll(pollfd* entries, nfds_t count, const timespec* timeout, const sigset_t* mask) noexcept;
int ppoll_chk(pollfd* entries, nfds_t count, const timespec* timeout, const sigset_t* mask, std::size_t size) noexcept;
int epoll_wait(int epoll_fd, epoll_event* events, int count, int timeout_ms) noexcept;
int epoll_pwait(int epoll_fd, epoll_event* events, int count, int timeout_ms, const sigset_t* mask) noexcept;

// select.cpp
int select(int count, fd_set* in, fd_set* out, fd_set* except, timeval* timeout) noexcept;
int pselect(int count, fd_set* in, fd_set* out, fd_set* except, const timespec* timeout, const sigset_t* mask) noexcept;

// receive.cpp
ssize_t read(int fd, void* buffer, std::size_t size) noexcept;
ssize_t read_chk(int fd, void* buffer, std::size_t size, std::size_t buffer_size) noexcept;
ssize_t readv(int fd, const iovec* iovecs, int count) noexcept;
ssize_t recv(int fd, void* buffer, std::size_t size, int flags) noexcept;
ssize_t recv_chk(int fd, void* buffer, std::size_t size, std::size_t buffer_size, int flags) noexcept;
ssize_t recvfrom(int fd, void* buffer, std::size_t size, int flags, sockaddr* from, socklen_t* length) noexcept;
ssize_t recvfrom_chk(int fd, void* buffer, std::size_t size, std::size_t buffer_size, int flags, sockaddr* from,
                     socklen_t* length) noexcept;
ssize_t recvmsg(int fd, msghdr* message, int flags) noexcept;

// send.cpp
ssize_t write(int fd, const void* data, std::size_t size) noexcept;
ssize_t writev(int fd, const iovec* iovecs, int count) noexcept;
ssize_t send(int fd, const void* data, std::size_t size, int flags) noexcept;
ssize_t sendto(int fd, const void* data, std::size_t size, int flags, const sockaddr* to, socklen_t length) noexcept;
ssize_t sendmsg(int fd, const msghdr* message, int flags) noexcept;

// accept.cpp, connect.cpp
int accept(int fd, sockaddr* peer, socklen_t* length) noexcept;
int accept4(int fd, sockaddr* peer, socklen_t* length, int flags) noexcept;
int connect(int fd, const sockaddr* address, socklen_t length) noexcept;

// getaddrinfo.cpp
int getaddrinfo(const char* host, const char* service, const addrinfo* hints, addrinfo** result) noexcept;
int getnameinfo(const sockaddr* address, socklen_t length, char* host, socklen_t host_size, char* service,
                socklen_t service_size, int flags) noexcept;
// gethostby.cpp
hostent* gethostbyname(const char* name) noexcept;
hostent* gethostbyname2(const char* name, int family) noexcept;
hostent* gethostbyaddr(const void* address, socklen_t length, int family) noexcept;
int gethostbyname_r(const char* name, hostent* entry, char* buffer, std::size_t size, hostent** result,
                    int* error) noexcept;
int gethostbyname2_r(const char* name, int family, hostent* entry, char* buffer, std::size_t size, hostent** result,
                     int* error) noexcept;
int gethostbyaddr_r(const void* address, socklen_t length, int family, hostent* entry, char* buffer, std::size_t size,
                    hostent** result, int* error) noexcept;
// res_query.cpp
int res_query(const char* name, int dns_class, int type, unsigned char* answer, int size) noexcept;
int res_search(const char* name, int dns_class, int type, unsigned char* answer, int size) noexcept;
int res_nquery(res_state state, const char* name, int dns_class, int type, unsigned char* answer, int size) noexcept;
int res_nsearch(res_state state, const char* name, int dns_class, int type, unsigned char* answer, int size) noexcept;

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

// close.cpp
int close(int fd) noexcept;
int fclose(FILE* stream) noexcept;
int dup2(int from, int to) noexcept;
int dup3(int from, int to, int flags) noexcept;
int close_range(unsigned first, unsigned last, int flags) noexcept;
void closefrom(int first) noexcept;

// dlopen.cpp
void* dlopen(const char* path, int flags) noexcept;

}  // namespace trueasync::detail::interpose::calls
