// The I/O table of the C API.
#include <vector>

#include "capi/address.hpp"
#include "capi/handles.hpp"
#include "capi/listener.hpp"
#include "capi/tables.hpp"
#include "trueasync/io/io.hpp"
#include "trueasync/io/net.hpp"

namespace trueasync::detail {

namespace {

Io& io_of(ta_io* io) { return *require_non_null(reinterpret_cast<Io*>(io), "the I/O handle"); }

Bytes to_bytes(void* buffer, size_t capacity) {
  return {static_cast<std::byte*>(capacity ? require_non_null(buffer, "the buffer") : buffer), capacity};
}
ConstBytes to_bytes(const void* data, size_t length) {
  return {static_cast<const std::byte*>(length ? require_non_null(data, "the data") : data), length};
}

ta_status adopt(int descriptor, const char* name, ta_io** io, ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    require_non_null(io, "the output parameter `io`");
    *io = new_handle(Io::adopt(descriptor, name ? name : ""));
  });
}

ta_status connect(const char* host, uint16_t port, const ta_connect_options* caller_options, ta_io** io,
                  ta_location location, ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    require_non_null(io, "the output parameter `io`");
    const ta_connect_options options = read_options(caller_options, "ta_connect_options");
    check_flags(options.flags, TA_SOCKET_DELAY | TA_SOCKET_KEEP_ALIVE, "ta_connect_options.flags");
    ConnectOptions native;
    native.family = to_family(options.family);
    native.socket = socket_options(options.flags);
    // In an options structure 0 means no timeout, unlike in a parameter.
    const WaitOptions wait = options.timeout_ns > 0 ? to_timeout(options.timeout_ns) : std::nullopt;
    *io = new_handle(options.to ? trueasync::connect(to_address(*options.to), native, wait, to_location(location))
                                : trueasync::connect(std::string_view(require_non_null(host, "the host")), port, native,
                                                     wait, to_location(location)));
  });
}

void destroy(ta_io* io) noexcept { delete reinterpret_cast<Io*>(io); }

ta_status read(ta_io* io, void* buffer, size_t capacity, size_t* length, int64_t timeout_ns, ta_location location,
               ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    require_non_null(length, "the output parameter `length`");
    *length = 0;
    *length = io_of(io).read_some(to_bytes(buffer, capacity), to_timeout(timeout_ns), to_location(location));
  });
}

ta_status write(ta_io* io, const void* data, size_t length, int64_t timeout_ns, ta_location location,
                ta_error* error) noexcept {
  return catch_to_status(
      error, [&] { io_of(io).write_all(to_bytes(data, length), to_timeout(timeout_ns), to_location(location)); });
}

ta_status write_vectored(ta_io* io, const ta_buffer* buffers, size_t count, int64_t timeout_ns, ta_location location,
                         ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    std::vector<ConstBytes> pieces;
    pieces.reserve(count);
    for (size_t i = 0; i < count; ++i) {
      pieces.push_back(to_bytes(require_non_null(buffers, "the buffers")[i].data, buffers[i].length));
    }
    io_of(io).write_all(pieces, to_timeout(timeout_ns), to_location(location));
  });
}

ta_status write_some(ta_io* io, const void* data, size_t length, size_t* written, int64_t timeout_ns,
                     ta_location location, ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    require_non_null(written, "the output parameter `written`");
    *written = 0;
    *written = io_of(io).write_some(to_bytes(data, length), to_timeout(timeout_ns), to_location(location));
  });
}

ta_status shutdown_write(ta_io* io, int64_t timeout_ns, ta_location location, ta_error* error) noexcept {
  return catch_to_status(error, [&] { io_of(io).shutdown_write(to_timeout(timeout_ns), to_location(location)); });
}

void close(ta_io* io) noexcept {
  if (io) reinterpret_cast<Io*>(io)->close();
}

ta_status info(ta_io* io, ta_io_info* output, ta_error* error) noexcept {
  static_assert(static_cast<unsigned>(IoKind::pipe) == TA_IO_PIPE &&
                static_cast<unsigned>(IoKind::file) == TA_IO_FILE && static_cast<unsigned>(IoKind::tcp) == TA_IO_TCP &&
                static_cast<unsigned>(IoKind::udp) == TA_IO_UDP && static_cast<unsigned>(IoKind::tty) == TA_IO_TTY);
  return catch_to_status(error, [&] {
    const Io& handle = io_of(io);
    const IoState state = handle.state();
    ta_io_info result = {};
    result.kind = static_cast<ta_io_kind>(handle.kind());
    result.descriptor = handle.descriptor();
    result.bytes_read = handle.bytes_read();
    result.bytes_written = handle.bytes_written();
    result.readable = state.readable;
    result.writable = state.writable;
    result.closed = state.closed;
    result.eof = state.eof;
    result.append = state.append;
    write_struct(output, result, "ta_io_info");
  });
}

ta_status local_address(ta_io* io, ta_address* address, ta_error* error) noexcept {
  return catch_to_status(
      error, [&] { *require_non_null(address, "the address") = to_c_address(trueasync::local_address(io_of(io))); });
}

ta_status peer_address(ta_io* io, ta_address* address, ta_error* error) noexcept {
  return catch_to_status(
      error, [&] { *require_non_null(address, "the address") = to_c_address(trueasync::peer_address(io_of(io))); });
}

IoRequest* request_of(ta_request* request) noexcept { return reinterpret_cast<IoRequest*>(request); }

ta_status read_request(ta_io* io, void* buffer, size_t capacity, ta_request** request, ta_location location,
                       ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    require_non_null(request, "the output parameter `request`");
    Ref<IoRequest> created = io_of(io).read_request(to_bytes(buffer, capacity), to_location(location));
    *request = reinterpret_cast<ta_request*>(created.detach());
  });
}

ta_status write_request(ta_io* io, const void* data, size_t length, ta_request** request, ta_location location,
                        ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    require_non_null(request, "the output parameter `request`");
    Ref<IoRequest> created = io_of(io).write_request(to_bytes(data, length), to_location(location));
    *request = reinterpret_cast<ta_request*>(created.detach());
  });
}

ta_event* request_event(ta_request* request) noexcept { return handle_of(static_cast<Event*>(request_of(request))); }

ta_status request_result(ta_request* request, size_t* length, ta_error* error) noexcept {
  return catch_to_status(error, [&]() -> ta_status {
    const IoRequest& native = *request_of(require_non_null(request, "the request"));
    if (!native.is_completed()) {
      return ta_fail(error, TA_EMPTY, 0, "request_result: the request has not completed; wait for its event");
    }
    const size_t bytes = native.result();
    if (length) *length = bytes;
    return TA_OK;
  });
}

void request_release(ta_request* request) noexcept {
  if (request) request_of(request)->release();
}

}  // namespace

ta_io* new_handle(Io io) { return reinterpret_cast<ta_io*>(new Io(std::move(io))); }

SocketOptions socket_options(std::uint64_t flags) {
  SocketOptions options;
  options.no_delay = !(flags & TA_SOCKET_DELAY);
  if (flags & TA_SOCKET_KEEP_ALIVE) options.keep_alive.emplace();
  return options;
}

constinit const ta_io_table kIoTable = {
    .head = table_head<ta_io_table>(),
    .adopt = &adopt,
    .connect = &connect,
    .destroy = &destroy,
    .read = &read,
    .write = &write,
    .write_vectored = &write_vectored,
    .write_some = &write_some,
    .shutdown_write = &shutdown_write,
    .close = &close,
    .info = &info,
    .local_address = &local_address,
    .peer_address = &peer_address,
    .read_request = &read_request,
    .write_request = &write_request,
    .request_event = &request_event,
    .request_result = &request_result,
    .request_release = &request_release,
    .listen = &c_listen,
    .accept = &c_accept,
    .listener_event = &c_listener_event,
    .listener_address = &c_listener_address,
    .listener_close = &c_listener_close,
    .listener_destroy = &c_listener_destroy,
};

}  // namespace trueasync::detail
