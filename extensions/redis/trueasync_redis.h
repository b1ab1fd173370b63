/* A Redis client extension: a pool of hiredis connections that suspend the calling coroutine.
 *
 *     const ta_redis_table* redis = NULL;
 *     ta.runtime->load_extension("trueasync_redis.so", &redis, &error);
 *     redis->open(&options, &server, TA_HERE, &error);
 *     redis->command(server, &get, TA_SECONDS(1), &reply, TA_HERE, &error);
 *
 * A connection with an unread response, after a timeout or a cancellation, is destroyed.
 *
 * Ownership: the caller frees the replies.
 * Thread safety: the runtime's thread.
 * Errors: the common statuses and the two below. */
#ifndef TRUEASYNC_REDIS_H
#define TRUEASYNC_REDIS_H

#include <hiredis/hiredis.h>
#include <trueasync.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  TA_REDIS_ERROR = TA_STATUS_USER_BASE,   /* the server rejected the command; the message is the server's */
  TA_REDIS_LOST = TA_STATUS_USER_BASE + 1 /* cannot connect, or connection lost; the command may have been executed */
};

typedef struct ta_redis ta_redis;

typedef struct ta_redis_options {
  size_t size;
  const char* host;     /* NULL: 127.0.0.1; every address of a name is tried */
  const char* path;     /* of a Unix socket, used instead of host and port; may be NULL */
  const char* password; /* may be NULL */
  uint32_t database;
  uint16_t port; /* 0: 6379 */
  uint16_t reserved;
  uint32_t min;                      /* connections that are always kept open */
  uint32_t max;                      /* 0: 8 */
  int64_t connect_timeout_ns;        /* for all addresses together; 0: 5 s */
  int64_t healthcheck_interval_ns;   /* PING of idle connections; 0: none */
  int64_t max_lifetime_ns;           /* 0: none */
  int64_t idle_timeout_ns;           /* 0: none */
  const ta_breaker_options* breaker; /* may be NULL */
} ta_redis_options;

typedef struct ta_redis_command {
  int count; /* number of words */
  const char* const* words;
  const size_t* lengths; /* NULL: the words are zero-terminated */
} ta_redis_command;

typedef struct ta_redis_table {
  ta_table_head head;

  ta_status (*open)(const ta_redis_options* options, ta_redis** redis, ta_location location, ta_error* error);
  void (*close)(ta_redis* redis);

  /* The timeout covers the wait for a connection, sending and the response. `reply` may be NULL. */
  ta_status (*command)(ta_redis* redis, const ta_redis_command* command, int64_t timeout_ns, redisReply** reply,
                       ta_location location, ta_error* error);
  /* Sends all commands on one connection without waiting between them; replies are in order. A rejected command has a
   * reply of type REDIS_REPLY_ERROR. On a failure there are no replies. */
  ta_status (*pipeline)(ta_redis* redis, const ta_redis_command* commands, size_t count, int64_t timeout_ns,
                        redisReply** replies, ta_location location, ta_error* error);
  void (*free_reply)(redisReply* reply); /* may be NULL */

  /* The pool, for statistics, resizing and the breaker. Borrowed. */
  ta_pool* (*pool)(ta_redis* redis);
} ta_redis_table;

#ifdef __cplusplus
}
#endif

#endif
