#include "support/blocking_calls.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

// The functions that a build with _FORTIFY_SOURCE calls.
int __poll_chk(struct pollfd* entries, nfds_t count, int milliseconds, size_t size);
ssize_t __read_chk(int fd, void* buffer, size_t size, size_t room);

unsigned c_sleep(unsigned seconds) { return sleep(seconds); }
int c_usleep(unsigned microseconds) { return usleep(microseconds); }
int c_nanosleep(const struct timespec* length, struct timespec* rest) { return nanosleep(length, rest); }
int c_clock_nanosleep(clockid_t clock, int flags, const struct timespec* when, struct timespec* rest) {
  return clock_nanosleep(clock, flags, when, rest);
}

int c_poll(struct pollfd* entries, nfds_t count, int milliseconds) { return poll(entries, count, milliseconds); }
int c_poll_chk(struct pollfd* entries, nfds_t count, int milliseconds) {
  return __poll_chk(entries, count, milliseconds, count * sizeof *entries);
}
int c_ppoll(struct pollfd* entries, nfds_t count, const struct timespec* timeout, const sigset_t* mask) {
  return ppoll(entries, count, timeout, mask);
}
int c_select(int count, fd_set* in, fd_set* out, fd_set* special, struct timeval* timeout) {
  return select(count, in, out, special, timeout);
}
int c_pselect(int count, fd_set* in, fd_set* out, fd_set* special, const struct timespec* timeout,
              const sigset_t* mask) {
  return pselect(count, in, out, special, timeout, mask);
}
int c_epoll_wait(int epoll, struct epoll_event* events, int count, int milliseconds) {
  return epoll_wait(epoll, events, count, milliseconds);
}

ssize_t c_read(int fd, void* buffer, size_t size) { return read(fd, buffer, size); }
ssize_t c_read_chk(int fd, void* buffer, size_t size) { return __read_chk(fd, buffer, size, size); }
ssize_t c_readv(int fd, const struct iovec* pieces, int count) { return readv(fd, pieces, count); }
ssize_t c_recv(int fd, void* buffer, size_t size, int flags) { return recv(fd, buffer, size, flags); }
ssize_t c_recvfrom(int fd, void* buffer, size_t size, int flags, struct sockaddr* from, socklen_t* length) {
  return recvfrom(fd, buffer, size, flags, from, length);
}
ssize_t c_recvmsg(int fd, struct msghdr* message, int flags) { return recvmsg(fd, message, flags); }
ssize_t c_write(int fd, const void* data, size_t size) { return write(fd, data, size); }
ssize_t c_writev(int fd, const struct iovec* pieces, int count) { return writev(fd, pieces, count); }
ssize_t c_send(int fd, const void* data, size_t size, int flags) { return send(fd, data, size, flags); }
ssize_t c_sendto(int fd, const void* data, size_t size, int flags, const struct sockaddr* to, socklen_t length) {
  return sendto(fd, data, size, flags, to, length);
}
ssize_t c_sendmsg(int fd, const struct msghdr* message, int flags) { return sendmsg(fd, message, flags); }

int c_accept(int fd, struct sockaddr* peer, socklen_t* length) { return accept(fd, peer, length); }
int c_accept4(int fd, struct sockaddr* peer, socklen_t* length, int flags) { return accept4(fd, peer, length, flags); }
int c_connect(int fd, const struct sockaddr* address, socklen_t length) { return connect(fd, address, length); }

int c_getaddrinfo(const char* host, const char* service, const struct addrinfo* hints, struct addrinfo** result) {
  return getaddrinfo(host, service, hints, result);
}
int c_getnameinfo(const struct sockaddr* address, socklen_t length, char* host, socklen_t host_size, char* service,
                  socklen_t service_size, int flags) {
  return getnameinfo(address, length, host, host_size, service, service_size, flags);
}
struct hostent* c_gethostbyname(const char* name) {
  return gethostbyname(name);
}
int c_gethostbyname_r(const char* name, struct hostent* entry, char* buffer, size_t size, struct hostent** result,
                      int* error) {
  return gethostbyname_r(name, entry, buffer, size, result, error);
}
struct hostent* c_gethostbyaddr(const void* address, socklen_t length, int family) {
  return gethostbyaddr(address, length, family);
}
int c_res_nsearch(res_state state, const char* name, int kind, int type, unsigned char* answer, int size) {
  return res_nsearch(state, name, kind, type, answer, size);
}

pid_t c_waitpid(pid_t process, int* status, int options) { return waitpid(process, status, options); }
pid_t c_wait4(pid_t process, int* status, int options, struct rusage* usage) {
  return wait4(process, status, options, usage);
}
int c_waitid(idtype_t type, id_t id, siginfo_t* info, int options) { return waitid(type, id, info, options); }
FILE* c_popen(const char* command, const char* mode) { return popen(command, mode); }
int c_pclose(FILE* stream) { return pclose(stream); }
int c_system(const char* command) { return system(command); }
pid_t c_fork(void) { return fork(); }

int c_flock(int fd, int operation) { return flock(fd, operation); }
int c_lockf(int fd, int command, off_t length) { return lockf(fd, command, length); }
int c_fcntl(int fd, int command, void* argument) { return fcntl(fd, command, argument); }

int c_close(int fd) { return close(fd); }
int c_fclose(FILE* stream) { return fclose(stream); }
int c_dup2(int from, int to) { return dup2(from, to); }
void* c_dlopen(const char* path, int flags) { return dlopen(path, flags); }

void* c_address_of_recv(void) { return (void*)(size_t)&recv; }
