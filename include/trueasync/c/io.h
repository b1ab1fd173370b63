/* io.h: I/O handles for descriptors, connections and listeners in the C API. */
#ifndef TRUEASYNC_C_IO_H
#define TRUEASYNC_C_IO_H

#include "trueasync/c/reactor.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t ta_io_kind;
enum { TA_IO_PIPE = 0, TA_IO_FILE = 1, TA_IO_TCP = 2, TA_IO_UDP = 3, TA_IO_TTY = 4 };

/* Flags of ta_connect_options and ta_listen_options. */
enum {
  TA_SOCKET_DELAY = 1,      /* enable Nagle's algorithm; without it TCP_NODELAY is set */
  TA_SOCKET_KEEP_ALIVE = 2, /* enable TCP keep-alive */
  TA_LISTEN_REUSE_PORT = 4, /* several listeners may share the port */
  TA_LISTEN_IPV6_ONLY = 8   /* do not accept IPv4 on an IPv6 listener */
};

/* ta_io_info: a snapshot of an I/O handle, filled by info(). */
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

/* ta_buffer: one piece of a vectored write. */
typedef struct ta_buffer {
  const void* data;
  size_t length;
} ta_buffer;

/* ta_connect_options: options of connect(). */
typedef struct ta_connect_options {
  size_t size;
  int64_t timeout_ns;   /* for the lookup and all attempts; 0 or TA_NO_TIMEOUT: no timeout */
  const ta_address* to; /* connect to this address instead of host and port; may be NULL */
  ta_family family;
  uint32_t reserved;
  uint64_t flags; /* TA_SOCKET_... */
} ta_connect_options;

/* ta_listen_options: options of listen(). */
typedef struct ta_listen_options {
  size_t size;
  int32_t backlog; /* 0: the kernel's maximum */
  uint32_t reserved;
  uint64_t flags; /* TA_LISTEN_...; TA_SOCKET_... apply to accepted connections */
} ta_listen_options;

/* ta_io_table: the functions of this header. */
typedef struct ta_io_table {
  ta_table_head head;

  /* Takes ownership of an open descriptor of any kind and makes it non-blocking. On failure the descriptor still
   * belongs to the caller. `name` is for error messages and may be NULL. destroy() closes the descriptor. */
  ta_status (*adopt)(int descriptor, const char* name, ta_io** io, ta_error* error);
  /* Connects to a host and port such as "localhost" and 6379. `options` may be NULL. If options->to is set, `host` and
   * `port` are ignored. */
  ta_status (*connect)(const char* host, uint16_t port, const ta_connect_options* options, ta_io** io,
                       ta_location location, ta_error* error);
  void (*destroy)(ta_io* io);

  /* Suspends until data is available. *length gets the number of bytes, 0 at the end of the stream. A read that timed
   * out or was cancelled consumed no data. */
  ta_status (*read)(ta_io* io, void* buffer, size_t capacity, size_t* length, int64_t timeout_ns, ta_location location,
                    ta_error* error);
  /* Writes all bytes. Concurrent writes are not interleaved. */
  ta_status (*write)(ta_io* io, const void* data, size_t length, int64_t timeout_ns, ta_location location,
                     ta_error* error);
  ta_status (*write_vectored)(ta_io* io, const ta_buffer* buffers, size_t count, int64_t timeout_ns,
                              ta_location location, ta_error* error);
  /* Writes at least one byte; *written gets the number of bytes. */
  ta_status (*write_some)(ta_io* io, const void* data, size_t length, size_t* written, int64_t timeout_ns,
                          ta_location location, ta_error* error);
  /* Closes the write side: the peer reads the end of the stream. Reading remains possible. */
  ta_status (*shutdown_write)(ta_io* io, int64_t timeout_ns, ta_location location, ta_error* error);
  /* Closes the handle. Waiters get TA_CLOSED. A second close has no effect. */
  void (*close)(ta_io* io);
  ta_status (*info)(ta_io* io, ta_io_info* info, ta_error* error);
  ta_status (*local_address)(ta_io* io, ta_address* address, ta_error* error);
  ta_status (*peer_address)(ta_io* io, ta_address* address, ta_error* error);

  /* One operation as an event, for waiting on several events. The buffer must stay valid until the request has
   * completed or is released. */
  ta_status (*read_request)(ta_io* io, void* buffer, size_t capacity, ta_request** request, ta_location location,
                            ta_error* error);
  ta_status (*write_request)(ta_io* io, const void* data, size_t length, ta_request** request, ta_location location,
                             ta_error* error);
  ta_event* (*request_event)(ta_request* request); /* borrowed */
  /* The number of bytes; TA_EMPTY before the request has completed. */
  ta_status (*request_result)(ta_request* request, size_t* length, ta_error* error);
  void (*request_release)(ta_request* request);

  /* Listens on an address such as "127.0.0.1:0", "[::1]:80" or "unix:/run/x.sock". `options` may be NULL. */
  ta_status (*listen)(const char* address, const ta_listen_options* options, ta_listener** listener, ta_error* error);
  ta_status (*accept)(ta_listener* listener, int64_t timeout_ns, ta_io** io, ta_location location, ta_error* error);
  /* Fires when a connection may be ready to accept. Borrowed; NULL outside a runtime. */
  ta_event* (*listener_event)(ta_listener* listener);
  /* The bound address, with the port that the kernel chose. */
  ta_status (*listener_address)(ta_listener* listener, ta_address* address, ta_error* error);
  /* Closes the listener. Waiting accept() calls get TA_CLOSED. */
  void (*listener_close)(ta_listener* listener);
  void (*listener_destroy)(ta_listener* listener);
} ta_io_table;

#ifdef __cplusplus
}
#endif

#endif
