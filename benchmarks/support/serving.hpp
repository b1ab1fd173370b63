// What the servers of the load works share: a listening socket on a free port of the loopback interface, told to the
// driver by a line `PORT <number>`. Plain system calls, so that it is the same for every native program.
#pragma once

namespace bench {

// As many open descriptors as the system lets us have.
void allow_many_descriptors();
// Non-blocking, with a backlog for thousands. Ends the program with a message when it fails.
int listen_on_loopback();
// The line the driver waits for.
void announce_port(int port);
int port_of(int listener);
void set_no_delay(int socket);

}  // namespace bench
