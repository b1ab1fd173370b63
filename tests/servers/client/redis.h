/* Shared by the Redis driver and its contract check. */
#ifndef TRUEASYNC_TESTS_REDIS_H
#define TRUEASYNC_TESTS_REDIS_H

#include "trueasync_redis.h"

extern const ta_redis_table* redis;
extern ta_redis* server;

ta_status check_redis_contract(ta_error* error);

#endif
