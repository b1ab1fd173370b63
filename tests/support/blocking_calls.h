// C library calls from a separate shared object. The test program contains the library itself, so its own calls are
// never interposed.
#pragma once

#include <netdb.h>
#include <poll.h>
#include <resolv.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

unsigned c_sleep(unsigned seconds);
int c_usleep(unsigned microseconds);
int c_nanosleep(const struct timespec* length, struct timespec* rest);
int c_clock_nanosleep(clockid_t clock, int flags, const struct timespec* when, struct timespec* rest);

int c_poll(struct pollfd* entries, nfds_t count, int milliseconds);
int c_poll_chk(struct pollfd* entries, nfds_t count, int milliseconds);
int c_ppoll(struct pollfd* entries, nfds_t count, const struct timespec* timeout, const sigset_t* mask);
int c_select(int count, fd_set* in, fd_set* out, fd_set* special, struct timeval* timeout);
int c_pselect(int count, fd_set* in, fd_set* out, fd_set* special, const struct timespec* timeout,
              const sigset_t* mask);
int c_epoll_wait(int epoll, struct epoll_event* events, int count, int milliseconds);

ssize_t c_read(int fd, void* buffer, size_t size);
ssize_t c_read_chk(int fd, void* buffer, size_t size);
ssize_t c_readv(int fd, const struct iovec* pieces, int count);
ssize_t c_recv(int fd, void* buffer, size_t size, int flags);
ssize_t c_recvfrom(int fd, void* buffer, size_t size, int flags, struct sockaddr* from, socklen_t* length);
ssize_t c_recvmsg(int fd, struct msghdr* message, int flags);
ssize_t c_write(int fd, const void* data, size_t size);
ssize_t c_writev(int fd, const struct iovec* pieces, int count);
ssize_t c_send(int fd, const void* data, size_t size, int flags);
ssize_t c_sendto(int fd, const void* data, size_t size, int flags, const struct sockaddr* to, socklen_t length);
ssize_t c_sendmsg(int fd, const struct msghdr* message, int flags);

int c_accept(int fd, struct sockaddr* peer, socklen_t* length);
int c_accept4(int fd, struct sockaddr* peer, socklen_t* length, int flags);
int c_connect(int fd, const struct sockaddr* address, socklen_t length);

int c_getaddrinfo(const char* host, const char* service, const struct addrinfo* hints, struct addrinfo** result);
int c_getnameinfo(const struct sockaddr* address, socklen_t length, char* host, socklen_t host_size, char* service,
                  socklen_t service_size, int flags);
struct hostent* c_gethostbyname(const char* name);
int c_gethostbyname_r(const char* name, struct hostent* entry, char* buffer, size_t size, struct hostent** result,
                      int* error);
struct hostent* c_gethostbyaddr(const void* address, socklen_t length, int family);
int c_res_nsearch(res_state state, const char* name, int kind, int type, unsigned char* answer, int size);

pid_t c_waitpid(pid_t process, int* status, int options);
pid_t c_wait4(pid_t process, int* status, int options, struct rusage* usage);
int c_waitid(idtype_t type, id_t id, siginfo_t* info, int options);
FILE* c_popen(const char* command, const char* mode);
int c_pclose(FILE* stream);
int c_system(const char* command);
pid_t c_fork(void);

int c_flock(int fd, int operation);
int c_lockf(int fd, int command, off_t length);
int c_fcntl(int fd, int command, void* argument);

int c_close(int fd);
int c_fclose(FILE* stream);
int c_dup2(int from, int to);
void* c_dlopen(const char* path, int flags);

// The address of recv() that this object uses.
void* c_address_of_recv(void);

#ifdef __cplusplus
}
#endif
