/* A pool with C functions as hooks. */
#include "programs.h"

enum { MAX_NUMBERS = 32 };

/* The resources are consecutive numbers. The hooks count their calls. */
struct numbers {
  int values[MAX_NUMBERS];
  int created;
  int destroyed;
  int disposed;
  int checks;
  int resets;
  int factory_failures; /* number of factory calls that will fail */
  int rejected_number;  /* the hooks reject this number */
  bool hooks_suspend;
  int successes;
  int failures;
};

static ta_status create_number(void* context, void** resource, ta_error* error) {
  struct numbers* numbers = context;
  if (numbers->hooks_suspend && ta.core->sleep(TA_MILLISECONDS(1), TA_HERE, error) != TA_OK) return error->status;
  if (numbers->factory_failures > 0) {
    --numbers->factory_failures;
    return ta_fail(error, TA_STATUS_USER_BASE, 1, "no more numbers");
  }
  numbers->values[numbers->created] = numbers->created;
  *resource = &numbers->values[numbers->created++];
  return TA_OK;
}

static ta_status destroy_number(void* context, void* resource, ta_error* error) {
  struct numbers* numbers = context;
  (void)resource;
  ++numbers->destroyed;
  return numbers->hooks_suspend ? ta.core->sleep(TA_MILLISECONDS(1), TA_HERE, error) : TA_OK;
}

static ta_status check_number(void* context, void* resource, ta_error* error) {
  struct numbers* numbers = context;
  ++numbers->checks;
  if (numbers->hooks_suspend) ta.core->yield(TA_HERE, error);
  return *(int*)resource == numbers->rejected_number ? TA_REJECTED : TA_OK;
}

static ta_status reset_number(void* context, void* resource, ta_error* error) {
  ++((struct numbers*)context)->resets;
  (void)resource;
  (void)error;
  return TA_OK;
}

static void dispose_numbers(void* context) { ++((struct numbers*)context)->disposed; }

static ta_pool_options options_for(struct numbers* numbers) {
  ta_pool_options options = TA_OPTIONS(ta_pool_options);
  options.name = "numbers";
  options.context = numbers;
  options.dispose = dispose_numbers;
  options.factory = create_number;
  options.destructor = destroy_number;
  options.max = 2;
  numbers->rejected_number = -1;
  return options;
}

static ta_pool* create_pool(const ta_pool_options* options, ta_error* error) {
  ta_pool* pool = NULL;
  ta.pool->create(options, &pool, TA_HERE, error);
  return pool;
}

PROGRAM(pool_acquire_and_release) {
  struct numbers numbers = {.created = 0};
  ta_pool_options options = options_for(&numbers);
  ta_lease first;
  ta_lease second;
  ta_lease third;
  ta_pool_statistics statistics = TA_OPTIONS(ta_pool_statistics);
  (void)argument;
  options.min = 1;
  ta_pool* pool = create_pool(&options, error);
  REQUIRE(pool && numbers.created == 1);
  REQUIRE(ta.pool->acquire(pool, TA_SECONDS(60), &first, TA_HERE, error) == TA_OK);
  REQUIRE(ta.pool->acquire(pool, TA_NO_TIMEOUT, &second, TA_HERE, error) == TA_OK);
  REQUIRE(first.resource != second.resource && numbers.created == 2);
  REQUIRE(ta.pool->try_acquire(pool, &third, TA_HERE, NULL) == TA_EMPTY && third.resource == NULL);
  REQUIRE(ta.pool->statistics(pool, &statistics, error) == TA_OK);
  REQUIRE(statistics.total == 2 && statistics.active == 2 && statistics.idle == 0 && statistics.created == 2);
  REQUIRE(ta.pool->find_lease(pool, second.resource, &third, error) == TA_OK && third.generation == second.generation);
  REQUIRE(ta.pool->release(pool, &third, TA_RELEASE_CLEAN, error) == TA_OK && third.resource == NULL);
  REQUIRE(ta.pool->find_lease(pool, second.resource, &third, NULL) == TA_EMPTY);
  REQUIRE(ta.pool->try_acquire(pool, &third, TA_HERE, error) == TA_OK && third.resource == second.resource);
  REQUIRE(ta.pool->release(pool, &first, TA_RELEASE_CLEAN, error) == TA_OK);
  REQUIRE(ta.pool->release(pool, &third, TA_RELEASE_BROKEN, error) == TA_OK && numbers.destroyed == 1);
  REQUIRE(ta.pool->resize(pool, 0, 5, error) == TA_OK);
  REQUIRE(ta.pool->resize(pool, 6, 5, NULL) == TA_MISUSE);
  REQUIRE(ta.pool->close(pool, error) == TA_OK && numbers.destroyed == 2);
  REQUIRE(ta.pool->statistics(pool, &statistics, error) == TA_OK);
  REQUIRE(statistics.total == 0 && statistics.created == statistics.destroyed && statistics.acquired == 3);
  REQUIRE(numbers.disposed == 0);
  ta.pool->destroy(pool);
  REQUIRE(numbers.disposed == 1);
  return TA_OK;
}

struct acquiring {
  ta_pool* pool;
  ta_status status;
};

static ta_status acquire_one(void* argument, ta_error* error) {
  struct acquiring* acquiring = argument;
  ta_lease lease;
  (void)error;
  acquiring->status = ta.pool->acquire(acquiring->pool, TA_NO_TIMEOUT, &lease, TA_HERE, NULL);
  if (acquiring->status == TA_OK) ta.pool->release(acquiring->pool, &lease, TA_RELEASE_CLEAN, NULL);
  return TA_OK;
}

static ta_coroutine* start_acquiring(struct acquiring* acquiring) {
  ta_spawn_options options = TA_OPTIONS(ta_spawn_options);
  ta_coroutine* coroutine = NULL;
  options.entry = acquire_one;
  options.argument = acquiring;
  if (ta.core->spawn(&options, &coroutine, TA_HERE, NULL) != TA_OK) return NULL;
  ta.core->yield(TA_HERE, NULL);
  return coroutine;
}

static ta_status finish(ta_coroutine* coroutine) {
  ta_status status = ta.core->await(coroutine, TA_NO_TIMEOUT, TA_HERE, NULL);
  ta.core->release(coroutine);
  return status;
}

PROGRAM(pool_timeout_and_close) {
  struct numbers numbers = {.created = 0};
  ta_pool_options options = options_for(&numbers);
  ta_lease lease;
  ta_lease none;
  (void)argument;
  options.max = 1;
  options.max_waiting = 1;
  ta_pool* pool = create_pool(&options, error);
  REQUIRE(ta.pool->acquire(pool, TA_NO_TIMEOUT, &lease, TA_HERE, error) == TA_OK);
  REQUIRE(ta.pool->acquire(pool, TA_MILLISECONDS(1), &none, TA_HERE, error) == TA_TIMEOUT);
  REQUIRE(error->status == TA_TIMEOUT && strstr(error->message, "numbers") && strstr(error->message, "pool.c"));

  struct acquiring granted = {pool, -1};
  ta_coroutine* coroutine = start_acquiring(&granted);
  REQUIRE(ta.pool->acquire(pool, TA_NO_TIMEOUT, &none, TA_HERE, error) == TA_OVERLOADED);
  REQUIRE(ta.pool->release(pool, &lease, TA_RELEASE_CLEAN, error) == TA_OK);
  REQUIRE(finish(coroutine) == TA_OK && granted.status == TA_OK);

  REQUIRE(ta.pool->acquire(pool, TA_NO_TIMEOUT, &lease, TA_HERE, error) == TA_OK);
  struct acquiring waiting = {pool, -1};
  coroutine = start_acquiring(&waiting);
  REQUIRE(ta.pool->close(pool, error) == TA_OK);
  REQUIRE(finish(coroutine) == TA_OK && waiting.status == TA_CLOSED);
  REQUIRE(ta.pool->acquire(pool, TA_NO_TIMEOUT, &none, TA_HERE, NULL) == TA_CLOSED);
  REQUIRE(numbers.destroyed == 0); /* a leased resource stays valid */
  REQUIRE(ta.pool->release(pool, &lease, TA_RELEASE_CLEAN, error) == TA_OK && numbers.destroyed == 1);
  ta.pool->destroy(pool);
  return TA_OK;
}

PROGRAM(pool_rejects_invalid_release) {
  struct numbers numbers = {.created = 0};
  struct numbers other_numbers = {.created = 0};
  ta_pool_options options = options_for(&numbers);
  ta_pool_options other_options = options_for(&other_numbers);
  ta_lease lease;
  ta_lease copy;
  ta_lease again;
  ta_pool_statistics statistics = TA_OPTIONS(ta_pool_statistics);
  (void)argument;
  ta_pool* pool = create_pool(&options, error);
  ta_pool* other = create_pool(&other_options, error);
  REQUIRE(ta.pool->acquire(pool, TA_NO_TIMEOUT, &lease, TA_HERE, error) == TA_OK);
  copy = lease;
  REQUIRE(ta.pool->release(other, &copy, TA_RELEASE_CLEAN, error) == TA_MISUSE && copy.resource == lease.resource);
  REQUIRE(ta.pool->release(pool, &copy, 9, NULL) == TA_MISUSE);
  again = lease;
  REQUIRE(ta.pool->release(pool, &lease, TA_RELEASE_CLEAN, error) == TA_OK);
  REQUIRE(ta.pool->release(pool, &lease, TA_RELEASE_CLEAN, NULL) == TA_MISUSE); /* empty */
  REQUIRE(ta.pool->release(pool, &again, TA_RELEASE_CLEAN, NULL) == TA_MISUSE); /* expired */
  /* Also if the same resource has a new lease. */
  REQUIRE(ta.pool->acquire(pool, TA_NO_TIMEOUT, &lease, TA_HERE, error) == TA_OK && lease.resource == copy.resource);
  REQUIRE(ta.pool->release(pool, &copy, TA_RELEASE_BROKEN, NULL) == TA_MISUSE);
  REQUIRE(ta.pool->statistics(pool, &statistics, error) == TA_OK);
  REQUIRE(statistics.active == 1 && statistics.idle == 0 && statistics.destroyed == 0);
  REQUIRE(ta.pool->release(pool, &lease, TA_RELEASE_CLEAN, error) == TA_OK);
  ta.pool->destroy(pool);
  ta.pool->destroy(other);
  ta.pool->destroy(NULL);
  return TA_OK;
}

PROGRAM(pool_hooks_accept_or_reject) {
  struct numbers numbers = {.created = 0};
  ta_pool_options options = options_for(&numbers);
  ta_lease lease;
  (void)argument;
  options.before_acquire = check_number;
  options.before_release = check_number;
  options.healthcheck = check_number;
  options.healthcheck_interval_ns = TA_MILLISECONDS(1);
  options.reset = reset_number;
  options.max_lifetime_ns = TA_SECONDS(3600);
  options.idle_timeout_ns = TA_SECONDS(3600);
  options.flags = TA_POOL_FIFO;
  ta_pool* pool = create_pool(&options, error);
  REQUIRE(ta.pool->acquire(pool, TA_NO_TIMEOUT, &lease, TA_HERE, error) == TA_OK);
  numbers.rejected_number = 0;
  REQUIRE(ta.pool->release(pool, &lease, TA_RELEASE_CLEAN, error) == TA_OK);
  REQUIRE(numbers.checks == 1 && numbers.destroyed == 1);
  REQUIRE(ta.pool->acquire(pool, TA_NO_TIMEOUT, &lease, TA_HERE, error) == TA_OK && *(int*)lease.resource == 1);
  REQUIRE(ta.pool->release(pool, &lease, TA_RELEASE_DIRTY, error) == TA_OK && numbers.resets == 1);
  numbers.rejected_number = 1;
  REQUIRE(ta.pool->acquire(pool, TA_NO_TIMEOUT, &lease, TA_HERE, error) == TA_OK && *(int*)lease.resource == 2);
  REQUIRE(numbers.destroyed == 2);
  REQUIRE(ta.pool->release(pool, &lease, TA_RELEASE_CLEAN, error) == TA_OK);
  numbers.rejected_number = 2; /* the health check destroys it */
  for (int i = 0; i < 1000 && numbers.destroyed < 3; ++i)
    REQUIRE(ta.core->sleep(TA_MILLISECONDS(1), TA_HERE, error) == TA_OK);
  REQUIRE(numbers.destroyed == 3);
  ta.pool->destroy(pool);
  return TA_OK;
}

PROGRAM(pool_factory_fails) {
  struct numbers numbers = {.created = 0};
  ta_pool_options options = options_for(&numbers);
  ta_lease lease;
  ta_pool* pool = NULL;
  (void)argument;
  numbers.factory_failures = 1;
  options.min = 1;
  REQUIRE(ta.pool->create(&options, &pool, TA_HERE, error) == TA_STATUS_USER_BASE && !pool);
  REQUIRE(strcmp(error->message, "no more numbers") == 0 && numbers.disposed == 1);
  options.min = 0;
  pool = create_pool(&options, error);
  numbers.factory_failures = 1;
  REQUIRE(ta.pool->acquire(pool, TA_SECONDS(60), &lease, TA_HERE, error) == TA_STATUS_USER_BASE);
  REQUIRE(lease.resource == NULL && error->system == 1);
  REQUIRE(ta.pool->acquire(pool, TA_SECONDS(60), &lease, TA_HERE, error) == TA_OK);
  REQUIRE(ta.pool->release(pool, &lease, TA_RELEASE_CLEAN, error) == TA_OK);
  ta.pool->destroy(pool);
  return TA_OK;
}

PROGRAM(pool_invalid_options) {
  struct numbers numbers = {.created = 0};
  ta_pool_options good = options_for(&numbers);
  ta_pool* pool = NULL;
  (void)argument;
  REQUIRE(ta.pool->create(NULL, &pool, TA_HERE, error) == TA_MISUSE);
  ta_pool_options bad = good;
  bad.max = 0;
  REQUIRE(ta.pool->create(&bad, &pool, TA_HERE, error) == TA_MISUSE && numbers.disposed == 1);
  bad = good;
  bad.min = 3;
  REQUIRE(ta.pool->create(&bad, &pool, TA_HERE, error) == TA_MISUSE && numbers.disposed == 2);
  bad = good;
  bad.factory = NULL;
  REQUIRE(ta.pool->create(&bad, &pool, TA_HERE, error) == TA_MISUSE && numbers.disposed == 3);
  bad = good;
  bad.healthcheck_interval_ns = -1;
  REQUIRE(ta.pool->create(&bad, &pool, TA_HERE, error) == TA_MISUSE && numbers.disposed == 4);
  bad = good;
  bad.flags = 1 << 20;
  REQUIRE(ta.pool->create(&bad, &pool, TA_HERE, error) == TA_MISUSE && numbers.disposed == 5 && !pool);
  return TA_OK;
}

static ta_breaker_state count_success(void* context, ta_breaker_state state) {
  struct numbers* numbers = context;
  ++numbers->successes;
  return state == TA_BREAKER_RECOVERING ? TA_BREAKER_ACTIVE : state;
}

static ta_breaker_state count_failure(void* context, ta_breaker_state state, const ta_error* failure) {
  struct numbers* numbers = context;
  (void)state;
  ++numbers->failures;
  return failure->status == TA_OK ? TA_BREAKER_ACTIVE : TA_BREAKER_INACTIVE;
}

static bool recover(void* context) {
  (void)context;
  return true;
}

PROGRAM(pool_breaker_by_hand_and_strategy) {
  struct numbers numbers = {.created = 0};
  ta_pool_options options = options_for(&numbers);
  ta_breaker_options breaker = TA_OPTIONS(ta_breaker_options);
  ta_lease lease;
  (void)argument;
  ta_pool* pool = create_pool(&options, error);
  REQUIRE(ta.pool->breaker(pool) == TA_BREAKER_ACTIVE);
  REQUIRE(ta.pool->set_breaker(pool, TA_BREAKER_RECOVERING, NULL) == TA_MISUSE);
  REQUIRE(ta.pool->set_breaker(pool, TA_BREAKER_INACTIVE, error) == TA_OK);
  REQUIRE(ta.pool->acquire(pool, TA_NO_TIMEOUT, &lease, TA_HERE, error) == TA_UNAVAILABLE);
  REQUIRE(ta.pool->set_breaker(pool, TA_BREAKER_RECOVERING, error) == TA_OK);
  REQUIRE(ta.pool->set_breaker(pool, TA_BREAKER_ACTIVE, error) == TA_OK);
  REQUIRE(ta.pool->set_breaker(pool, 5, NULL) == TA_MISUSE);
  ta.pool->destroy(pool);

  breaker.report_success = count_success;
  options.breaker = &breaker;
  REQUIRE(create_pool(&options, error) == NULL && error->status == TA_MISUSE); /* only one hook of three is set */
  breaker.report_failure = count_failure;
  breaker.should_recover = recover;
  breaker.recovery_check_interval_ns = TA_MILLISECONDS(1);
  pool = create_pool(&options, error);
  REQUIRE(ta.pool->acquire(pool, TA_NO_TIMEOUT, &lease, TA_HERE, error) == TA_OK);
  REQUIRE(ta.pool->release(pool, &lease, TA_RELEASE_CLEAN, error) == TA_OK && numbers.successes == 1);
  numbers.factory_failures = 1;
  REQUIRE(ta.pool->acquire(pool, TA_NO_TIMEOUT, &lease, TA_HERE, error) == TA_OK);
  ta_lease second;
  REQUIRE(ta.pool->acquire(pool, TA_SECONDS(60), &second, TA_HERE, error) == TA_UNAVAILABLE);
  REQUIRE(strstr(error->message, "no more numbers"));
  REQUIRE(numbers.failures == 1 && ta.pool->breaker(pool) == TA_BREAKER_INACTIVE);
  for (int i = 0; i < 1000 && ta.pool->breaker(pool) == TA_BREAKER_INACTIVE; ++i) {
    REQUIRE(ta.core->sleep(TA_MILLISECONDS(1), TA_HERE, error) == TA_OK);
  }
  REQUIRE(ta.pool->breaker(pool) == TA_BREAKER_RECOVERING); /* should_recover was called */
  REQUIRE(ta.pool->release(pool, &lease, TA_RELEASE_CLEAN, error) == TA_OK);
  ta.pool->destroy(pool);
  return TA_OK;
}

PROGRAM(pool_outlived_by_lease) {
  struct numbers numbers = {.created = 0};
  ta_pool_options options = options_for(&numbers);
  ta_lease lease;
  (void)argument;
  ta_pool* pool = create_pool(&options, error);
  REQUIRE(ta.pool->acquire(pool, TA_NO_TIMEOUT, &lease, TA_HERE, error) == TA_OK);
  ta.pool->destroy(pool);
  REQUIRE(numbers.destroyed == 0 && numbers.disposed == 0);
  REQUIRE(ta.pool->release(NULL, &lease, TA_RELEASE_CLEAN, error) == TA_OK);
  REQUIRE(numbers.destroyed == 1 && numbers.disposed == 1);
  return TA_OK;
}

PROGRAM(pool_hooks_may_suspend) {
  struct numbers numbers = {.created = 0};
  ta_pool_options options = options_for(&numbers);
  struct acquiring acquiring[6];
  ta_coroutine* coroutines[6];
  ta_pool_statistics statistics = TA_OPTIONS(ta_pool_statistics);
  size_t outstanding = 9;
  (void)argument;
  numbers.hooks_suspend = true;
  options.before_acquire = check_number;
  options.before_release = check_number;
  ta_pool* pool = create_pool(&options, error);
  for (int i = 0; i < 6; ++i) {
    acquiring[i].pool = pool;
    coroutines[i] = start_acquiring(&acquiring[i]);
  }
  for (int i = 0; i < 6; ++i) REQUIRE(finish(coroutines[i]) == TA_OK && acquiring[i].status == TA_OK);
  REQUIRE(numbers.created == 2);
  REQUIRE(ta.pool->statistics(pool, &statistics, error) == TA_OK && statistics.acquired == 6 && statistics.total == 2);
  REQUIRE(statistics.wait.count >= 4);
  REQUIRE(ta.pool->drain(pool, TA_SECONDS(60), &outstanding, TA_HERE, error) == TA_OK && outstanding == 0);
  REQUIRE(numbers.destroyed == 2);
  ta.pool->destroy(pool);
  return TA_OK;
}
