/* The Redis driver's own, for the check of manners. */
#ifndef TRUEASYNC_TESTS_REDIS_H
#define TRUEASYNC_TESTS_REDIS_H

#include "trueasync_redis.h"

extern const ta_redis_table* redis;
extern ta_redis* server;

ta_status check_redis_manners(ta_error* error);

#endif
