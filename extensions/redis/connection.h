/* One connection to a Redis server. hiredis formats and parses; this code waits and sends. */
#ifndef TRUEASYNC_REDIS_CONNECTION_H
#define TRUEASYNC_REDIS_CONNECTION_H

#include "support/deadline.h"
#include "trueasync_redis.h"

extern ta_api ta;

struct redis_settings {
  char* host;
  char* path;
  char* password;
  uint32_t database;
  uint16_t port;
  int64_t connect_timeout_ns;
};

struct redis_connection {
  redisContext* context;
  ta_event* readable;
  int64_t last_response; /* time of the last response */
};

ta_status redis_connect(const struct redis_settings* settings, struct redis_connection** created, ta_error* error);
void redis_disconnect(struct redis_connection* connection);

/* Whether the connection is open and has no unread data. Does not suspend. */
bool redis_is_idle(const struct redis_connection* connection);

/* Sends the commands and waits for one reply each. After a failure the connection must be closed. */
ta_status redis_exchange(struct redis_connection* connection, const ta_redis_command* commands, size_t count,
                         int64_t deadline, redisReply** replies, ta_error* error);

#endif
