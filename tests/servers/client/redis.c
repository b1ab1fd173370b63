/* Transactions: set, read and count the worker's key, pipelined on one connection; or a single command. */
#include "redis.h"

#include <stdio.h>
#include <stdlib.h>

#include "client.h"

const ta_redis_table* redis;
ta_redis* server;
static unsigned long confirmed;

enum { STEPS = 3, HOST_MAX = 64 };

static ta_status open_redis(const struct client_settings* settings, ta_error* error) {
  ta_redis_options options = TA_OPTIONS(ta_redis_options);
  char host[HOST_MAX] = "";
  unsigned port = 0;
  ta_status status = ta.runtime->load_extension(settings->extension, &redis, error);
  if (status != TA_OK) return status;
  if (settings->target[0] == '/') {
    options.path = settings->target;
  } else if (sscanf(settings->target, "%63[^:]:%u", host, &port) == 2) {
    options.host = host;
    options.port = (uint16_t)port;
  } else {
    return ta_fail(error, TA_MISUSE, 0, "the target must be HOST:PORT or a path");
  }
  options.max = CONNECTIONS;
  options.connect_timeout_ns = settings->connect_timeout_ns;
  options.healthcheck_interval_ns = settings->healthcheck_interval_ns;
  return redis->open(&options, &server, TA_HERE, error);
}

static void close_redis(void) {
  redis->close(server);
  server = NULL;
}

static ta_pool* pool(void) { return redis->pool(server); }

static ta_status echo(const char* text, int64_t timeout_ns, bool* right, ta_error* error) {
  const char* words[] = {"ECHO", text};
  const ta_redis_command command = {2, words, NULL};
  redisReply* reply = NULL;
  const ta_status status = redis->command(server, &command, timeout_ns, &reply, TA_HERE, error);
  if (status != TA_OK) return status;
  *right = reply->type == REDIS_REPLY_STRING && strcmp(reply->str, text) == 0;
  redis->free_reply(reply);
  return TA_OK;
}

static ta_status work(unsigned worker, unsigned number, int64_t timeout_ns, bool* right, ta_error* error) {
  char key[24];
  char value[24];
  const char* set[] = {"SET", key, value};
  const char* get[] = {"GET", key};
  const char* count[] = {"INCR", "confirmed"};
  const ta_redis_command commands[STEPS] = {{3, set, NULL}, {2, get, NULL}, {2, count, NULL}};
  redisReply* replies[STEPS];
  ta_status status = TA_OK;
  snprintf(key, sizeof key, "worker:%u", worker);
  snprintf(value, sizeof value, "%u", number);
  if (number % 4 == 0) return echo(value, timeout_ns, right, error);
  status = redis->pipeline(server, commands, STEPS, timeout_ns, replies, TA_HERE, error);
  if (status != TA_OK) return status;
  *right = replies[0]->type == REDIS_REPLY_STATUS && replies[1]->type == REDIS_REPLY_STRING &&
           strcmp(replies[1]->str, value) == 0 && replies[2]->type == REDIS_REPLY_INTEGER;
  for (int i = 0; i < STEPS; ++i) redis->free_reply(replies[i]);
  ++confirmed;
  return TA_OK;
}

static unsigned long confirmed_writes(void) { return confirmed; }

const struct driver redis_driver = {
    .name = "redis",
    .open = open_redis,
    .close = close_redis,
    .pool = pool,
    .work = work,
    .check_contract = check_redis_contract,
    .confirmed = confirmed_writes,
};
