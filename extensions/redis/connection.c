#include "connection.h"

#include <errno.h>
#include <fcntl.h>
#include <hiredis/sds.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { MAX_SETUP_COMMANDS = 3 };

static ta_status lost(const struct redis_connection* connection, ta_error* error) {
  const redisContext* context = connection->context;
  return ta_fail(error, TA_REDIS_LOST, context->err == REDIS_ERR_IO ? errno : 0, context->errstr);
}

static ta_status set_path(const char* path, ta_address* address, ta_error* error) {
  struct sockaddr_un unix_address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof unix_address.sun_path) {
    return ta_fail(error, TA_MISUSE, 0, "ta_redis_options.path: too long for a Unix socket");
  }
  strcpy(unix_address.sun_path, path);
  memset(address, 0, sizeof *address);
  address->length = sizeof unix_address;
  memcpy(address->storage.bytes, &unix_address, sizeof unix_address);
  return TA_OK;
}

/* redisConnectNonBlock() is not used: its name lookup blocks the thread, and it takes only one address of a name that was
 * looked up before. The runtime tries every address within the timeout. */
static ta_status open_connection(const struct redis_settings* settings, ta_io** io, ta_error* error) {
  ta_connect_options options = TA_OPTIONS(ta_connect_options);
  ta_address address;
  ta_status status = TA_OK;
  options.timeout_ns = settings->connect_timeout_ns;
  if (settings->path) {
    status = set_path(settings->path, &address, error);
    if (status != TA_OK) return status;
    options.to = &address;
  }
  status = ta.io->connect(settings->host, settings->port, &options, io, TA_HERE, error);
  if (status != TA_IO) return status;
  if (error) error->status = TA_REDIS_LOST; /* the message already names each address and its error */
  return TA_REDIS_LOST;
}

/* hiredis gets a copy of the descriptor: it closes the copy, and `io` closes the original. */
static ta_status adopt_descriptor(ta_io* io, struct redis_connection* connection, ta_error* error) {
  ta_io_info info = TA_OPTIONS(ta_io_info);
  int fd = -1;
  ta_status status = ta.io->info(io, &info, error);
  if (status != TA_OK) return status;
  fd = fcntl(info.descriptor, F_DUPFD_CLOEXEC, 0);
  if (fd < 0) return ta_fail(error, TA_REDIS_LOST, errno, strerror(errno));
  connection->context = redisConnectFd(fd);
  if (!connection->context) {
    close(fd);
    return ta_fail(error, TA_NO_MEMORY, 0, "cannot allocate a connection");
  }
  /* redisConnectFd marks the socket as blocking; hiredis would then treat EAGAIN as an error. */
  connection->context->flags &= ~REDIS_BLOCK;
  return connection->context->err ? lost(connection, error) : TA_OK;
}

static ta_status establish(const struct redis_settings* settings, struct redis_connection* connection,
                           ta_error* error) {
  ta_io* io = NULL;
  ta_status status = open_connection(settings, &io, error);
  if (status != TA_OK) return status;
  status = adopt_descriptor(io, connection, error);
  ta.io->destroy(io);
  if (status != TA_OK) return status;
  return ta.reactor->poll_event(connection->context->fd, TA_READABLE, &connection->readable, error);
}

/* Always includes PING: a server with too many clients accepts the connection, reports the error as the response to the
 * first command, and closes the connection. */
static ta_status run_setup_commands(const struct redis_settings* settings, struct redis_connection* connection,
                                    int64_t deadline, ta_error* error) {
  char database[16];
  const char* auth[] = {"AUTH", settings->password};
  const char* select[] = {"SELECT", database};
  const char* ping[] = {"PING"};
  ta_redis_command commands[MAX_SETUP_COMMANDS];
  size_t count = 0;
  ta_status status = TA_OK;
  snprintf(database, sizeof database, "%u", (unsigned)settings->database);
  if (settings->password) commands[count++] = (ta_redis_command){2, auth, NULL};
  if (settings->database != 0) commands[count++] = (ta_redis_command){2, select, NULL};
  commands[count++] = (ta_redis_command){1, ping, NULL};
  for (size_t i = 0; i < count && status == TA_OK; ++i) {
    redisReply* reply = NULL;
    status = redis_exchange(connection, &commands[i], 1, deadline, &reply, error);
    if (status == TA_OK && reply->type == REDIS_REPLY_ERROR) status = ta_fail(error, TA_REDIS_ERROR, 0, reply->str);
    freeReplyObject(reply);
  }
  return status;
}

ta_status redis_connect(const struct redis_settings* settings, struct redis_connection** created, ta_error* error) {
  const int64_t deadline = ta_deadline_after(&ta, settings->connect_timeout_ns);
  struct redis_connection* connection = calloc(1, sizeof *connection);
  ta_status status = TA_OK;
  if (!connection) return ta_fail(error, TA_NO_MEMORY, 0, "cannot allocate a connection");
  status = establish(settings, connection, error);
  if (status == TA_OK) status = run_setup_commands(settings, connection, deadline, error);
  if (status == TA_OK) {
    *created = connection;
  } else {
    redis_disconnect(connection);
  }
  return status;
}

/* The event uses the descriptor, so it is released before the descriptor is closed. */
void redis_disconnect(struct redis_connection* connection) {
  if (connection->readable) ta.event->release(connection->readable);
  if (connection->context) redisFree(connection->context);
  free(connection);
}

bool redis_is_idle(const struct redis_connection* connection) {
  char byte = 0;
  ssize_t got = 0;
  if (ta_is_recent(&ta, connection->last_response)) return true;
  got = recv(connection->context->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

/* redisBufferWrite() is not used: its write() raises SIGPIPE if the server closed the connection. */
static ta_status send_some(struct redis_connection* connection, ta_error* error) {
  redisContext* context = connection->context;
  const ssize_t sent = send(context->fd, context->obuf, sdslen(context->obuf), MSG_NOSIGNAL | MSG_DONTWAIT);
  char text[128];
  if (sent >= 0) {
    if ((size_t)sent == sdslen(context->obuf)) {
      sdsclear(context->obuf);
    } else {
      sdsrange(context->obuf, sent, -1);
    }
    return TA_OK;
  }
  if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) return TA_OK;
  snprintf(text, sizeof text, "connection to the Redis server lost: %s", strerror(errno));
  return ta_fail(error, TA_REDIS_LOST, errno, text);
}

/* Reads also while there is data to send: a server whose responses are not read stops reading commands. */
static ta_status send_or_receive(struct redis_connection* connection, int64_t deadline, ta_error* error) {
  redisContext* context = connection->context;
  uint32_t ready = TA_READABLE;
  ta_status status = TA_OK;
  if (sdslen(context->obuf) != 0) {
    status = send_some(connection, error);
    if (status != TA_OK) return status;
  }
  if (sdslen(context->obuf) != 0) {
    status = ta.reactor->poll(context->fd, TA_READABLE | TA_WRITABLE, ta_remaining_until(&ta, deadline), &ready,
                              TA_HERE, error);
  } else {
    status = ta.event->wait(connection->readable, ta_remaining_until(&ta, deadline), NULL, TA_HERE, error);
  }
  if (status != TA_OK || !(ready & TA_READABLE)) return status;
  return redisBufferRead(context) == REDIS_OK ? TA_OK : lost(connection, error);
}

static ta_status append(struct redis_connection* connection, const ta_redis_command* command, ta_error* error) {
  /* hiredis has no const here, but does not modify the words. */
  const char** words = (const char**)(uintptr_t)command->words;
  const int done = redisAppendCommandArgv(connection->context, command->count, words, command->lengths);
  return done == REDIS_OK ? TA_OK : ta_fail(error, TA_NO_MEMORY, 0, "cannot allocate a command");
}

ta_status redis_exchange(struct redis_connection* connection, const ta_redis_command* commands, size_t count,
                         int64_t deadline, redisReply** replies, ta_error* error) {
  size_t received = 0;
  ta_status status = TA_OK;
  for (size_t i = 0; i < count && status == TA_OK; ++i) status = append(connection, &commands[i], error);
  while (status == TA_OK && received < count) {
    void* reply = NULL;
    if (redisReaderGetReply(connection->context->reader, &reply) != REDIS_OK) {
      status = ta_fail(error, TA_REDIS_LOST, 0, connection->context->reader->errstr);
    } else if (reply) {
      replies[received++] = reply;
    } else {
      status = send_or_receive(connection, deadline, error);
    }
  }
  connection->last_response = ta.reactor->now();
  if (status == TA_OK) return TA_OK;
  while (received > 0) freeReplyObject(replies[--received]);
  return status;
}
