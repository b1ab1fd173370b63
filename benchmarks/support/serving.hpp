// Shared by the servers of the load workloads: a listening socket on a free port of the loopback interface, reported to the
// driver in a line `PORT <number>`. Every native program uses the same system calls.
#pragma once

namespace bench {

// Raises the limit of open descriptors to the hard limit.
void allow_many_descriptors();
// A nonblocking socket with a backlog for thousands of connections. A failure ends the program with a message.
int listen_on_loopback();
// Prints the PORT line.
void announce_port(int port);
int port_of(int listener);
void set_no_delay(int socket);

}  // namespace bench
