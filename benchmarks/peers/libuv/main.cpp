// libuv with streams and callbacks, as in C. uv_try_write() is tried first, because it is the cheapest.
#include <uv.h>

#include <cstdlib>

#include "support/harness.hpp"
#include "support/serving.hpp"

namespace {

char buffer[65536];

void give_buffer(uv_handle_t*, std::size_t, uv_buf_t* place) { *place = uv_buf_init(buffer, sizeof buffer); }

void echo(uv_stream_t* peer, ssize_t got, const uv_buf_t* data) {
  if (got < 0) {
    uv_close(reinterpret_cast<uv_handle_t*>(peer), [](uv_handle_t* closed) { std::free(closed); });
  } else if (got > 0) {
    const uv_buf_t answer = uv_buf_init(data->base, static_cast<unsigned>(got));
    uv_try_write(peer, &answer, 1);
  }
}

void on_connection(uv_stream_t* listener, int) {
  auto* peer = static_cast<uv_tcp_t*>(std::malloc(sizeof(uv_tcp_t)));
  uv_tcp_init(listener->loop, peer);
  if (uv_accept(listener, reinterpret_cast<uv_stream_t*>(peer)) != 0) return;
  uv_tcp_nodelay(peer, 1);
  uv_read_start(reinterpret_cast<uv_stream_t*>(peer), give_buffer, echo);
}

void serve_echo(std::uint64_t) {
  uv_loop_t* loop = uv_default_loop();
  uv_tcp_t listener;
  uv_tcp_init(loop, &listener);
  uv_tcp_open(&listener, bench::listen_on_loopback());
  if (uv_listen(reinterpret_cast<uv_stream_t*>(&listener), 4096, on_connection) != 0) std::exit(1);
  uv_os_fd_t descriptor;
  uv_fileno(reinterpret_cast<uv_handle_t*>(&listener), &descriptor);
  bench::announce_port(bench::port_of(descriptor));
  uv_run(loop, UV_RUN_DEFAULT);
}

constexpr bench::Workload kWorkloads[] = {{"serve-echo", serve_echo, 0}};

}  // namespace

int main(int argc, char** argv) { return bench::run_workload(argc, argv, kWorkloads); }
