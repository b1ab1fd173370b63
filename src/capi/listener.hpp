// Listeners of the C API: members of the I/O table.
#pragma once

#include "trueasync.h"
#include "trueasync/io/io.hpp"
#include "trueasync/io/net.hpp"

namespace trueasync::detail {

ta_status c_listen(const char* address, const ta_listen_options* options, ta_listener** listener,
                   ta_error* error) noexcept;
ta_status c_accept(ta_listener* listener, int64_t timeout_ns, ta_io** io, ta_location location,
                   ta_error* error) noexcept;
ta_event* c_listener_event(ta_listener* listener) noexcept;
ta_status c_listener_address(ta_listener* listener, ta_address* address, ta_error* error) noexcept;
void c_listener_close(ta_listener* listener) noexcept;
void c_listener_destroy(ta_listener* listener) noexcept;

ta_io* new_handle(Io io);
// `flags`: TA_SOCKET_...
SocketOptions socket_options(std::uint64_t flags);

}  // namespace trueasync::detail
