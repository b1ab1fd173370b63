// Creation, configuration and binding of sockets.
//
// Errors: throw IoError with `operation` in its message.
#pragma once

#include <string>

#include "io/unique_fd.hpp"
#include "trueasync/io/net.hpp"

namespace trueasync::detail {

// Creates a non-blocking, close-on-exec socket. Throws MisuseError for an empty address.
UniqueFd open_socket(const Address& address, int type, const std::string& operation);
void set_option(int fd, int level, int option, int value, const std::string& operation);
void apply_options(const SocketOptions& options, int fd, AddressFamily family, const std::string& operation);
void bind_socket(int fd, const Address& address, const std::string& operation);
// The local address of the socket.
Address bound_address(int fd, const std::string& operation);

IoKind stream_kind(const Address& address) noexcept;
// Removes the file that a unix-domain socket is bound to: the file is useless without the socket.
void remove_socket_file(const Address& address) noexcept;

// Ignores SIGPIPE for the process, unless the program has its own handler: a write to a closed peer then fails with
// EPIPE. For calls without MSG_NOSIGNAL. Only the first call has an effect.
void ignore_broken_pipes();

}  // namespace trueasync::detail
