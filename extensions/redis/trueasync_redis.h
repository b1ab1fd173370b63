/* A Redis client as an extension: connections of hiredis in a pool, awaited through the reactor.
 *
 *     const ta_redis_table* redis = NULL;
 *     ta.runtime->load_extension("trueasync_redis.so", &redis, &error);
 *     redis->open(&options, &server, TA_HERE, &error);
 *     redis->command(server, &get, TA_SECONDS(1), &reply, TA_HERE, &error);
 *
 * Owns: whoever gets a reply frees it. Threads: the runtime's. Errors: statuses as everywhere, and the two below. A
 * connection with an answer unread – after a timeout, a cancellation – is not used again. */
#ifndef TRUEASYNC_REDIS_H
#define TRUEASYNC_REDIS_H

#include <hiredis/hiredis.h>
#include <trueasync.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  TA_REDIS_ERROR = TA_STATUS_USER_BASE,   /* the server has refused the command; the text is its own */
  TA_REDIS_LOST = TA_STATUS_USER_BASE + 1 /* no connection, or it broke: the command may have been done or not */
};

typedef struct ta_redis ta_redis;

typedef struct ta_redis_options {
  size_t size;
  const char* host;     /* NULL: 127.0.0.1; every address of a name is tried */
  const char* path;     /* of a Unix socket, instead of host and port; may be NULL */
  const char* password; /* may be NULL */
  uint32_t database;
  uint16_t port; /* 0: 6379 */
  uint16_t reserved;
  uint32_t min;                      /* connections made in advance, and kept */
  uint32_t max;                      /* 0: 8 */
  int64_t connect_limit;             /* for all addresses; nanoseconds, as all here; 0: 5 s */
  int64_t healthcheck_interval;      /* of idle connections, by PING; 0: none */
  int64_t max_lifetime;              /* 0: none */
  int64_t idle_timeout;              /* 0: none */
  const ta_breaker_options* breaker; /* may be NULL */
} ta_redis_options;

typedef struct ta_redis_command {
  int count; /* of words */
  const char* const* words;
  const size_t* lengths; /* NULL: the words end with a zero */
} ta_redis_command;

typedef struct ta_redis_table {
  ta_table_head head;

  ta_status (*open)(const ta_redis_options* options, ta_redis** redis, ta_location location, ta_error* error);
  void (*close)(ta_redis* redis);

  /* One deadline for everything: a connection, sending, the answer. `reply` may be NULL. */
  ta_status (*command)(ta_redis* redis, const ta_redis_command* command, int64_t timeout_ns, redisReply** reply,
                       ta_location location, ta_error* error);
  /* All of them on one connection, sent together, answered in order. What the server refuses has a reply of the type
   * REDIS_REPLY_ERROR. On a failure there are no replies. */
  ta_status (*pipeline)(ta_redis* redis, const ta_redis_command* commands, size_t count, int64_t timeout_ns,
                        redisReply** replies, ta_location location, ta_error* error);
  void (*free_reply)(redisReply* reply); /* or NULL */

  /* Its pool, for statistics, resizing and the breaker. Borrowed. */
  ta_pool* (*pool)(ta_redis* redis);
} ta_redis_table;

#ifdef __cplusplus
}
#endif

#endif
