/* One connection to a Redis server: hiredis formats and parses, this waits and sends. */
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
  int64_t connect_limit;
};

struct redis_connection {
  redisContext* context;
  ta_event* readable;
  int64_t answered; /* when it did last */
};

ta_status redis_connect(const struct redis_settings* settings, struct redis_connection** made, ta_error* error);
void redis_disconnect(struct redis_connection* connection);

/* Whether nothing has happened to it since its last answer. Does not wait. */
bool redis_is_quiet(const struct redis_connection* connection);

/* Sends the commands and waits for as many replies. After a failure the connection is of no use any more. */
ta_status redis_exchange(struct redis_connection* connection, const ta_redis_command* commands, size_t count,
                         int64_t deadline, redisReply** replies, ta_error* error);

#endif
