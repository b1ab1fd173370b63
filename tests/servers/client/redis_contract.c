/* The contract of the functions of the Redis extension, checked on an idle server. */
#include "redis.h"

#include <stdlib.h>

#include "contract.h"

enum { MANY = 20000, VALUE = 1000 };
#define TIMEOUT_NS TA_SECONDS(20)

static ta_status check_errors(ta_error* error) {
  const char* words[] = {"GET"};
  const ta_redis_command command = {1, words, NULL};
  const uint64_t before = destroyed_in(redis->pool(server));
  redisReply* reply = NULL;
  REQUIRE(redis->command(server, &command, TIMEOUT_NS, &reply, TA_HERE, error) == TA_REDIS_ERROR);
  REQUIRE(!reply && strstr(error->message, "wrong number"));
  REQUIRE(redis->pipeline(server, &command, 1, TIMEOUT_NS, &reply, TA_HERE, error) == TA_OK);
  REQUIRE(reply->type == REDIS_REPLY_ERROR);
  redis->free_reply(reply);
  REQUIRE(destroyed_in(redis->pool(server)) == before); /* an error reply does not destroy the connection */
  return TA_OK;
}

/* More data than a socket buffer holds, in both directions, with binary values. */
static ta_status check_sizes(ta_error* error) {
  char value[VALUE] = {1, 0, 2};
  const char* set[] = {"SET", "large", value};
  const size_t set_lengths[] = {3, 5, VALUE};
  const char* get[] = {"GET", "large"};
  const ta_redis_command first = {3, set, set_lengths};
  ta_redis_command* commands = calloc(MANY, sizeof *commands);
  redisReply** replies = calloc(MANY, sizeof *replies);
  ta_status status = TA_OK;
  int right = 0;
  REQUIRE(commands && replies);
  for (int i = 0; i < MANY; ++i) commands[i] = (ta_redis_command){2, get, NULL};
  status = redis->command(server, &first, TIMEOUT_NS, NULL, TA_HERE, error);
  if (status == TA_OK) status = redis->pipeline(server, commands, MANY, TIMEOUT_NS, replies, TA_HERE, error);
  for (int i = 0; i < MANY && status == TA_OK; ++i) {
    right += replies[i]->len == VALUE && memcmp(replies[i]->str, value, VALUE) == 0;
    redis->free_reply(replies[i]);
  }
  free(commands);
  free(replies);
  REQUIRE(status == TA_OK && right == MANY);
  return TA_OK;
}

static ta_status wait_long(int64_t timeout_ns, ta_error* error) {
  const char* words[] = {"BLPOP", "nothing", "20"};
  const ta_redis_command command = {3, words, NULL};
  return redis->command(server, &command, timeout_ns, NULL, TA_HERE, error);
}

static ta_status wait_forever(void* argument, ta_error* error) {
  (void)argument;
  return wait_long(TA_NO_TIMEOUT, error);
}

/* DB-11: a timeout or cancellation before the response destroys the connection. */
static ta_status check_abandoned_calls(ta_error* error) {
  const uint64_t before = destroyed_in(redis->pool(server));
  REQUIRE(wait_long(TA_MILLISECONDS(50), NULL) == TA_TIMEOUT);
  REQUIRE(destroyed_in(redis->pool(server)) == before + 1);
  REQUIRE(cancel_while_waiting(wait_forever, redis->pool(server), error) == TA_TARGET_CANCELLED);
  REQUIRE(destroyed_in(redis->pool(server)) == before + 2);
  return TA_OK;
}

ta_status check_redis_contract(ta_error* error) {
  ta_status status = check_errors(error);
  if (status == TA_OK) status = check_sizes(error);
  if (status == TA_OK) status = check_abandoned_calls(error);
  return status;
}
