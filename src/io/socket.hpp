// Sockets before they are handles: made, configured, bound. Every error is an IoError that names the operation.
#pragma once

#include <string>

#include "io/unique_fd.hpp"
#include "trueasync/net.hpp"

namespace trueasync::detail {

// Non-blocking and close-on-exec.
UniqueFd open_socket(const Address& address, int type, const std::string& operation);
void set_option(int fd, int level, int option, int value, const std::string& operation);
void apply(const SocketOptions& options, int fd, AddressFamily family, const std::string& operation);
void bind_socket(int fd, const Address& address, const std::string& operation);
// Where it is bound. Throws IoError.
Address bound_address(int fd, const std::string& operation);

IoKind stream_kind(const Address& address) noexcept;
// The file that a unix-domain socket was bound to is of no use without it.
void remove_socket_file(const Address& address) noexcept;

}  // namespace trueasync::detail
