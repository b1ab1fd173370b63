/* I/O handles over descriptors, connections, listeners. */
#ifndef TRUEASYNC_C_IO_H
#define TRUEASYNC_C_IO_H

#include "trueasync/c/reactor.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t ta_io_kind;
enum { TA_IO_PIPE = 0, TA_IO_FILE = 1, TA_IO_TCP = 2, TA_IO_UDP = 3, TA_IO_TTY = 4 };

enum {
  TA_SOCKET_DELAY = 1,      /* small writes may be gathered (Nagle) */
  TA_SOCKET_KEEP_ALIVE = 2, /* dead peers are noticed in the end */
  TA_LISTEN_REUSE_PORT = 4, /* several listeners share the port */
  TA_LISTEN_IPV6_ONLY = 8
};

/* Filled. */
typedef struct ta_io_info {
  size_t size;
  ta_io_kind kind;
  int32_t descriptor; /* -1 once closed */
  uint64_t bytes_read;
  uint64_t bytes_written;
  uint8_t readable;
  uint8_t writable;
  uint8_t closed;
  uint8_t eof;
  uint8_t append;
  uint8_t reserved[3];
} ta_io_info;

typedef struct ta_buffer {
  const void* data;
  size_t length;
} ta_buffer;

typedef struct ta_connect_options {
  size_t size;
  int64_t timeout_ns;   /* for all of it: lookup and attempts; 0 and TA_NO_TIMEOUT: none */
  const ta_address* to; /* instead of host and port; may be NULL */
  ta_family family;
  uint32_t reserved;
  uint64_t flags; /* TA_SOCKET_... */
} ta_connect_options;

typedef struct ta_listen_options {
  size_t size;
  int32_t backlog; /* 0: as many as the kernel allows */
  uint32_t reserved;
  uint64_t flags; /* TA_LISTEN_..., TA_SOCKET_... of what is accepted */
} ta_listen_options;

typedef struct ta_io_table {
  ta_table_head head;

  /* Takes over an open descriptor, of whatever kind; it becomes non-blocking. On a failure it is still the caller's.
   * `name` is for messages and may be NULL. destroy() closes. */
  ta_status (*adopt)(int descriptor, const char* name, ta_io** io, ta_error* error);
  /* "localhost" and 6379. `options` may be NULL; with options->to host and port are ignored. */
  ta_status (*connect)(const char* host, uint16_t port, const ta_connect_options* options, ta_io** io,
                       ta_location location, ta_error* error);
  void (*destroy)(ta_io* io);

  /* Suspends until there is something; *length gets how much, 0 at the end. After a timeout or a cancellation nothing
   * was taken. */
  ta_status (*read)(ta_io* io, void* buffer, size_t capacity, size_t* length, int64_t timeout_ns, ta_location location,
                    ta_error* error);
  /* All of it; one write is never torn by another. */
  ta_status (*write)(ta_io* io, const void* data, size_t length, int64_t timeout_ns, ta_location location,
                     ta_error* error);
  ta_status (*write_vectored)(ta_io* io, const ta_buffer* buffers, size_t count, int64_t timeout_ns,
                              ta_location location, ta_error* error);
  /* At least one byte; *written gets how many. */
  ta_status (*write_some)(ta_io* io, const void* data, size_t length, size_t* written, int64_t timeout_ns,
                          ta_location location, ta_error* error);
  /* The other side sees the end; reading goes on. */
  ta_status (*shutdown_write)(ta_io* io, int64_t timeout_ns, ta_location location, ta_error* error);
  /* Whoever waits gets TA_CLOSED. A second close does nothing. */
  void (*close)(ta_io* io);
  ta_status (*info)(ta_io* io, ta_io_info* info, ta_error* error);
  ta_status (*local_address)(ta_io* io, ta_address* address, ta_error* error);
  ta_status (*peer_address)(ta_io* io, ta_address* address, ta_error* error);

  /* One operation as an event, for waits on several things. The buffer must live until it is completed or released. */
  ta_status (*read_request)(ta_io* io, void* buffer, size_t capacity, ta_request** request, ta_location location,
                            ta_error* error);
  ta_status (*write_request)(ta_io* io, const void* data, size_t length, ta_request** request, ta_location location,
                             ta_error* error);
  ta_event* (*request_event)(ta_request* request); /* borrowed */
  /* How many bytes; TA_EMPTY before it is completed. */
  ta_status (*request_result)(ta_request* request, size_t* length, ta_error* error);
  void (*request_release)(ta_request* request);

  /* "127.0.0.1:0", "[::1]:80", "unix:/run/x.sock". `options` may be NULL. */
  ta_status (*listen)(const char* address, const ta_listen_options* options, ta_listener** listener, ta_error* error);
  ta_status (*accept)(ta_listener* listener, int64_t timeout_ns, ta_io** io, ta_location location, ta_error* error);
  /* Fires when a connection may be waiting. Borrowed; NULL outside a runtime. */
  ta_event* (*listener_event)(ta_listener* listener);
  /* With the port the kernel has chosen. */
  ta_status (*listener_address)(ta_listener* listener, ta_address* address, ta_error* error);
  /* Whoever accepts gets TA_CLOSED. */
  void (*listener_close)(ta_listener* listener);
  void (*listener_destroy)(ta_listener* listener);
} ta_io_table;

#ifdef __cplusplus
}
#endif

#endif
