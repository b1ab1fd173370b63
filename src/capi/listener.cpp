#include "trueasync/io/net.hpp"

#include "capi/address.hpp"
#include "capi/handles.hpp"
#include "capi/listener.hpp"

namespace trueasync::detail {

namespace {

Listener& listener_of(ta_listener* listener) {
  return *require_non_null(reinterpret_cast<Listener*>(listener), "the listener");
}

}  // namespace

ta_status c_listen(const char* address, const ta_listen_options* caller_options, ta_listener** listener,
                   ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    require_non_null(listener, "the output parameter `listener`");
    const ta_listen_options options = read_options(caller_options, "ta_listen_options");
    check_flags(options.flags, TA_LISTEN_REUSE_PORT | TA_LISTEN_IPV6_ONLY | TA_SOCKET_DELAY | TA_SOCKET_KEEP_ALIVE,
                "ta_listen_options.flags");
    ListenOptions native;
    if (options.backlog > 0) native.backlog = options.backlog;
    native.reuse_port = options.flags & TA_LISTEN_REUSE_PORT;
    native.ipv6_only = options.flags & TA_LISTEN_IPV6_ONLY;
    native.socket = socket_options(options.flags);
    *listener = reinterpret_cast<ta_listener*>(
        new Listener(listen(Address::parse(require_non_null(address, "the address")), native)));
  });
}

ta_status c_accept(ta_listener* listener, int64_t timeout_ns, ta_io** io, ta_location location,
                   ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    require_non_null(io, "the output parameter `io`");
    *io = new_handle(listener_of(listener).accept(to_timeout(timeout_ns), to_location(location)));
  });
}

ta_event* c_listener_event(ta_listener* listener) noexcept {
  try {
    return handle_of(&listener_of(listener).event());
  } catch (...) {
    return nullptr;
  }
}

ta_status c_listener_address(ta_listener* listener, ta_address* address, ta_error* error) noexcept {
  return catch_to_status(
      error, [&] { *require_non_null(address, "the address") = to_c_address(listener_of(listener).local_address()); });
}

void c_listener_close(ta_listener* listener) noexcept {
  if (listener) reinterpret_cast<Listener*>(listener)->close();
}

void c_listener_destroy(ta_listener* listener) noexcept { delete reinterpret_cast<Listener*>(listener); }

}  // namespace trueasync::detail
