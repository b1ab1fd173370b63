/* I/O handles. */
#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "programs.h"

struct pair {
  ta_io* io[2];
};

static ta_status open_pair(struct pair* pair, ta_error* error) {
  int ends[2];
  REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  REQUIRE(ta.io->adopt(ends[0], "left", &pair->io[0], error) == TA_OK);
  REQUIRE(ta.io->adopt(ends[1], NULL, &pair->io[1], error) == TA_OK);
  return TA_OK;
}

static void close_pair(struct pair* pair) {
  ta.io->destroy(pair->io[0]);
  ta.io->destroy(pair->io[1]);
}

static ta_status echo(void* argument, ta_error* error) {
  ta_io* io = argument;
  char buffer[4096];
  size_t length = 0;
  for (;;) {
    ta_status status = ta.io->read(io, buffer, sizeof buffer, &length, TA_NO_TIMEOUT, TA_HERE, error);
    if (status != TA_OK || length == 0) return status;
    status = ta.io->write(io, buffer, length, TA_NO_TIMEOUT, TA_HERE, error);
    if (status != TA_OK) return status;
  }
}

static ta_coroutine* start(ta_function entry, void* argument) {
  ta_spawn_options options = TA_OPTIONS(ta_spawn_options);
  ta_coroutine* coroutine = NULL;
  options.entry = entry;
  options.argument = argument;
  return ta.core->spawn(&options, &coroutine, TA_HERE, NULL) == TA_OK ? coroutine : NULL;
}

static ta_status finish(ta_coroutine* coroutine, ta_error* error) {
  ta_status status = ta.core->await(coroutine, TA_NO_TIMEOUT, TA_HERE, error);
  ta.core->release(coroutine);
  return status;
}

PROGRAM(read_and_write) {
  struct pair pair;
  char buffer[64];
  size_t length = 0;
  const ta_buffer pieces[2] = {{"two ", 4}, {"pieces", 6}};
  ta_io_info info = TA_OPTIONS(ta_io_info);
  (void)argument;
  REQUIRE(open_pair(&pair, error) == TA_OK);
  ta_coroutine* server = start(echo, pair.io[1]);
  REQUIRE(ta.io->read(pair.io[0], buffer, sizeof buffer, &length, TA_MILLISECONDS(1), TA_HERE, NULL) == TA_TIMEOUT);
  REQUIRE(ta.io->write(pair.io[0], "hello", 5, TA_NO_TIMEOUT, TA_HERE, error) == TA_OK);
  REQUIRE(ta.io->read(pair.io[0], buffer, sizeof buffer, &length, TA_NO_TIMEOUT, TA_HERE, error) == TA_OK);
  REQUIRE(length == 5 && memcmp(buffer, "hello", 5) == 0);
  REQUIRE(ta.io->write_vectored(pair.io[0], pieces, 2, TA_NO_TIMEOUT, TA_HERE, error) == TA_OK);
  REQUIRE(ta.io->read(pair.io[0], buffer, sizeof buffer, &length, TA_NO_TIMEOUT, TA_HERE, error) == TA_OK &&
          length == 10);
  REQUIRE(ta.io->write_some(pair.io[0], "x", 1, &length, TA_NO_TIMEOUT, TA_HERE, error) == TA_OK && length == 1);
  REQUIRE(ta.io->read(pair.io[0], buffer, sizeof buffer, &length, TA_NO_TIMEOUT, TA_HERE, error) == TA_OK &&
          length == 1);
  REQUIRE(ta.io->info(pair.io[0], &info, error) == TA_OK);
  REQUIRE(info.kind == TA_IO_PIPE && info.bytes_written == 16 && info.bytes_read == 16 && !info.closed);
  REQUIRE(ta.io->shutdown_write(pair.io[0], TA_NO_TIMEOUT, TA_HERE, error) == TA_OK);
  REQUIRE(finish(server, error) == TA_OK);
  ta.io->close(pair.io[1]);
  REQUIRE(ta.io->read(pair.io[0], buffer, sizeof buffer, &length, TA_NO_TIMEOUT, TA_HERE, error) == TA_OK &&
          length == 0);
  close_pair(&pair);
  return TA_OK;
}

static ta_status read_once(void* argument, ta_error* error) {
  char buffer[8];
  size_t length = 99;
  ta_status status = ta.io->read(argument, buffer, sizeof buffer, &length, TA_NO_TIMEOUT, TA_HERE, error);
  return length == 0 ? status : CHECK_FAILED;
}

PROGRAM(close_wakes_reader) {
  struct pair pair;
  (void)argument;
  REQUIRE(open_pair(&pair, error) == TA_OK);
  ta_coroutine* reader = start(read_once, pair.io[0]);
  REQUIRE(ta.core->yield(TA_HERE, error) == TA_OK);
  ta.io->destroy(pair.io[0]); /* wakes the reader, which must not access the destroyed handle */
  REQUIRE(finish(reader, error) == TA_CLOSED);
  REQUIRE(error->system == EBADF && strstr(error->message, "read left"));
  ta.io->destroy(pair.io[1]);
  return TA_OK;
}

static ta_status accept_and_echo(void* argument, ta_error* error) {
  ta_io* io = NULL;
  ta_status status = ta.io->accept(argument, TA_SECONDS(60), &io, TA_HERE, error);
  if (status != TA_OK) return status;
  status = echo(io, error);
  ta.io->destroy(io);
  return status;
}

PROGRAM(connect_and_accept) {
  ta_listener* listener = NULL;
  ta_listen_options listen_options = TA_OPTIONS(ta_listen_options);
  ta_connect_options connect_options = TA_OPTIONS(ta_connect_options);
  ta_address address;
  ta_address peer;
  ta_io* io = NULL;
  char text[64];
  char buffer[8];
  size_t length = 0;
  (void)argument;
  listen_options.backlog = 16;
  REQUIRE(ta.io->listen("127.0.0.1:0", &listen_options, &listener, error) == TA_OK);
  REQUIRE(ta.io->listener_event(listener));
  REQUIRE(ta.io->listener_address(listener, &address, error) == TA_OK);
  ta.reactor->address_text(&address, text, sizeof text);
  REQUIRE(memcmp(text, "127.0.0.1:", 10) == 0 && text[10] != '0');
  ta_coroutine* server = start(accept_and_echo, listener);
  connect_options.to = &address;
  connect_options.timeout_ns = TA_SECONDS(60);
  connect_options.flags = TA_SOCKET_KEEP_ALIVE;
  REQUIRE(ta.io->connect(NULL, 0, &connect_options, &io, TA_HERE, error) == TA_OK);
  REQUIRE(ta.io->peer_address(io, &peer, error) == TA_OK && peer.length == address.length);
  REQUIRE(memcmp(peer.storage.bytes, address.storage.bytes, address.length) == 0);
  REQUIRE(ta.io->local_address(io, &peer, error) == TA_OK);
  REQUIRE(ta.io->write(io, "ping", 4, TA_NO_TIMEOUT, TA_HERE, error) == TA_OK);
  REQUIRE(ta.io->read(io, buffer, sizeof buffer, &length, TA_SECONDS(60), TA_HERE, error) == TA_OK && length == 4);
  ta.io->destroy(io);
  REQUIRE(finish(server, error) == TA_OK);

  server = start(accept_and_echo, listener);
  REQUIRE(ta.core->yield(TA_HERE, error) == TA_OK);
  ta.io->listener_close(listener);
  REQUIRE(finish(server, error) == TA_CLOSED);
  REQUIRE(ta.io->listener_event(listener) == NULL);
  ta.io->listener_destroy(listener);
  /* The listener is closed. */
  REQUIRE(ta.io->connect(NULL, 0, &connect_options, &io, TA_HERE, error) == TA_IO && error->system == ECONNREFUSED);
  return TA_OK;
}

PROGRAM(io_requests) {
  struct pair pair;
  char buffer[8];
  size_t length = 0;
  ta_request* reading = NULL;
  ta_request* writing = NULL;
  ta_wait_item items[2];
  (void)argument;
  REQUIRE(open_pair(&pair, error) == TA_OK);
  REQUIRE(ta.io->read_request(pair.io[0], buffer, sizeof buffer, &reading, TA_HERE, error) == TA_OK);
  REQUIRE(ta.io->request_result(reading, &length, NULL) == TA_EMPTY);
  REQUIRE(ta.io->write_request(pair.io[1], "abc", 3, &writing, TA_HERE, error) == TA_OK);
  items[0].event = ta.io->request_event(reading);
  items[1].event = ta.io->request_event(writing);
  REQUIRE(ta.event->wait_many(items, 2, 2, TA_SECONDS(60), TA_HERE, error) == TA_OK);
  REQUIRE(ta.io->request_result(reading, &length, error) == TA_OK && length == 3 && memcmp(buffer, "abc", 3) == 0);
  REQUIRE(ta.io->request_result(writing, &length, error) == TA_OK && length == 3);
  ta.io->request_release(reading);
  ta.io->request_release(writing);
  close_pair(&pair);
  return TA_OK;
}

PROGRAM(unknown_flags_are_misuse) {
  ta_connect_options connect_options = TA_OPTIONS(ta_connect_options);
  ta_listen_options listen_options = TA_OPTIONS(ta_listen_options);
  ta_io* io = NULL;
  ta_listener* listener = NULL;
  (void)argument;
  connect_options.flags = 1024;
  REQUIRE(ta.io->connect("127.0.0.1", 1, &connect_options, &io, TA_HERE, error) == TA_MISUSE);
  REQUIRE(strstr(error->message, "1024") && !io);
  connect_options.flags = 0;
  connect_options.family = 77;
  REQUIRE(ta.io->connect("127.0.0.1", 1, &connect_options, &io, TA_HERE, error) == TA_MISUSE);
  listen_options.flags = UINT64_C(1) << 40;
  REQUIRE(ta.io->listen("127.0.0.1:0", &listen_options, &listener, error) == TA_MISUSE && !listener);
  return TA_OK;
}

PROGRAM(io_errors) {
  ta_io* io = NULL;
  ta_listener* listener = NULL;
  size_t length = 0;
  (void)argument;
  REQUIRE(ta.io->adopt(-1, "nothing", &io, error) == TA_IO && error->system == EBADF);
  REQUIRE(ta.io->listen("not an address", NULL, &listener, error) == TA_MISUSE);
  REQUIRE(ta.io->read(NULL, NULL, 0, &length, TA_NO_TIMEOUT, TA_HERE, error) == TA_MISUSE);
  ta.io->destroy(NULL);
  ta.io->close(NULL);
  return TA_OK;
}
