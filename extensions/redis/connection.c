#include "connection.h"

#include <errno.h>
#include <hiredis/sds.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

enum { INTRODUCTION_MAX = 3 };

static ta_status lost(const struct redis_connection* connection, ta_error* error) {
  const redisContext* context = connection->context;
  return ta_fail(error, TA_REDIS_LOST, context->err == REDIS_ERR_IO ? errno : 0, context->errstr);
}

/* What hiredis does on its own would look the name up while everybody waits. */
static ta_status find_address(const struct redis_settings* settings, int64_t deadline, char* host, ta_error* error) {
  ta_address address;
  size_t count = 0;
  ta_status status = ta.reactor->resolve(settings->host, NULL, TA_FAMILY_ANY, ta_left_until(&ta, deadline), &address, 1,
                                         &count, TA_HERE, error);
  if (status != TA_OK) return status;
  if (getnameinfo((const struct sockaddr*)address.storage.bytes, address.length, host, NI_MAXHOST, NULL, 0,
                  NI_NUMERICHOST) != 0) {
    return ta_fail(error, TA_REDIS_LOST, 0, "the server's name has an address that can't be written");
  }
  return TA_OK;
}

static ta_status begin_connecting(const struct redis_settings* settings, int64_t deadline,
                                  struct redis_connection* connection, ta_error* error) {
  char host[NI_MAXHOST];
  if (settings->path) {
    connection->context = redisConnectUnixNonBlock(settings->path);
  } else {
    ta_status status = find_address(settings, deadline, host, error);
    if (status != TA_OK) return status;
    connection->context = redisConnectNonBlock(host, settings->port);
  }
  if (!connection->context) return ta_fail(error, TA_NO_MEMORY, 0, "no memory for a connection");
  return connection->context->err ? lost(connection, error) : TA_OK;
}

static ta_status finish_connecting(struct redis_connection* connection, int64_t deadline, ta_error* error) {
  const int fd = connection->context->fd;
  int failure = 0;
  socklen_t size = sizeof failure;
  char text[128];
  ta_status status = ta.reactor->poll(fd, TA_WRITABLE, ta_left_until(&ta, deadline), NULL, TA_HERE, error);
  if (status != TA_OK) return status;
  if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &failure, &size) != 0) failure = errno;
  if (failure != 0) {
    snprintf(text, sizeof text, "can't connect to the Redis server: %s", strerror(failure));
    return ta_fail(error, TA_REDIS_LOST, failure, text);
  }
  return ta.reactor->poll_event(fd, TA_READABLE, &connection->readable, error);
}

/* PING at least: a server that has too many clients accepts, says so as the answer to the first command, and closes. */
static ta_status introduce(const struct redis_settings* settings, struct redis_connection* connection, int64_t deadline,
                           ta_error* error) {
  char database[16];
  const char* auth[] = {"AUTH", settings->password};
  const char* select[] = {"SELECT", database};
  const char* ping[] = {"PING"};
  ta_redis_command commands[INTRODUCTION_MAX];
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

ta_status redis_connect(const struct redis_settings* settings, struct redis_connection** made, ta_error* error) {
  const int64_t deadline = ta_deadline_after(&ta, settings->connect_limit);
  struct redis_connection* connection = calloc(1, sizeof *connection);
  ta_status status = TA_OK;
  if (!connection) return ta_fail(error, TA_NO_MEMORY, 0, "no memory for a connection");
  status = begin_connecting(settings, deadline, connection, error);
  if (status == TA_OK) status = finish_connecting(connection, deadline, error);
  if (status == TA_OK) status = introduce(settings, connection, deadline, error);
  if (status == TA_OK) {
    *made = connection;
  } else {
    redis_disconnect(connection);
  }
  return status;
}

/* The event first: it watches the descriptor that is closed here. */
void redis_disconnect(struct redis_connection* connection) {
  if (connection->readable) ta.event->release(connection->readable);
  if (connection->context) redisFree(connection->context);
  free(connection);
}

bool redis_is_quiet(const struct redis_connection* connection) {
  char byte = 0;
  ssize_t got = 0;
  if (ta_is_a_moment_ago(&ta, connection->answered)) return true;
  got = recv(connection->context->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

/* Not redisBufferWrite: its write() raises SIGPIPE when the server has gone. */
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
  snprintf(text, sizeof text, "the connection to the Redis server broke: %s", strerror(errno));
  return ta_fail(error, TA_REDIS_LOST, errno, text);
}

/* While something is left to be sent it must be possible to read as well: a server that can't get rid of its answers
 * stops listening. */
static ta_status send_or_receive(struct redis_connection* connection, int64_t deadline, ta_error* error) {
  redisContext* context = connection->context;
  uint32_t ready = TA_READABLE;
  ta_status status = TA_OK;
  if (sdslen(context->obuf) != 0) {
    status = send_some(connection, error);
    if (status != TA_OK) return status;
  }
  if (sdslen(context->obuf) != 0) {
    status =
        ta.reactor->poll(context->fd, TA_READABLE | TA_WRITABLE, ta_left_until(&ta, deadline), &ready, TA_HERE, error);
  } else {
    status = ta.event->wait(connection->readable, ta_left_until(&ta, deadline), NULL, TA_HERE, error);
  }
  if (status != TA_OK || !(ready & TA_READABLE)) return status;
  return redisBufferRead(context) == REDIS_OK ? TA_OK : lost(connection, error);
}

static ta_status append(struct redis_connection* connection, const ta_redis_command* command, ta_error* error) {
  /* hiredis takes the words without const and does not change them. */
  const char** words = (const char**)(uintptr_t)command->words;
  const int done = redisAppendCommandArgv(connection->context, command->count, words, command->lengths);
  return done == REDIS_OK ? TA_OK : ta_fail(error, TA_NO_MEMORY, 0, "no memory for a command");
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
  connection->answered = ta.reactor->now();
  if (status == TA_OK) return TA_OK;
  while (received > 0) freeReplyObject(replies[--received]);
  return status;
}
