/* An extension as a third party would write it: a shared object that uses trueasync.h and no symbol of the library. It
 * manages a pool of counters and a user-defined event that fires on each change. */
#include "extension.h"

#include <stdlib.h>

static ta_api ta;

struct counters {
  ta_pool* pool;
  ta_event* changed;
  int created;
};

static ta_status create_counter(void* context, void** resource, ta_error* error) {
  struct counters* counters = context;
  int* counter = calloc(1, sizeof *counter);
  if (!counter) return ta_fail(error, TA_NO_MEMORY, 0, "out of memory for a counter");
  ++counters->created;
  *resource = counter;
  return ta.core->yield(TA_HERE, error); /* suspends, as connecting would */
}

static ta_status free_counter(void* context, void* resource, ta_error* error) {
  (void)context;
  (void)error;
  free(resource);
  return TA_OK;
}

static ta_status open_counters(struct counters** result, ta_error* error) {
  struct counters* counters = calloc(1, sizeof *counters);
  ta_pool_options options = TA_OPTIONS(ta_pool_options);
  ta_event_type type = TA_OPTIONS(ta_event_type);
  ta_status status = counters ? TA_OK : ta_fail(error, TA_NO_MEMORY, 0, "out of memory for the counters");
  options.name = "counters";
  options.context = counters;
  options.factory = create_counter;
  options.destructor = free_counter;
  options.max = 2;
  type.name = "a counter change";
  if (status == TA_OK) status = ta.pool->create(&options, &counters->pool, TA_HERE, error);
  if (status == TA_OK) status = ta.event->create(&type, counters, &counters->changed, error);
  *result = counters;
  return status;
}

static ta_status add(struct counters* counters, int amount, int* total, ta_error* error) {
  ta_lease lease;
  ta_status status = ta.pool->acquire(counters->pool, TA_SECONDS(60), &lease, TA_HERE, error);
  if (status != TA_OK) return status;
  *(int*)lease.resource += amount;
  *total = *(int*)lease.resource;
  status = ta.event->notify(counters->changed, (uintptr_t)*total, error);
  ta.pool->release(counters->pool, &lease, TA_RELEASE_CLEAN, NULL);
  return status;
}

static ta_event* changed(struct counters* counters) { return counters->changed; }

static void close_counters(struct counters* counters) {
  ta.pool->destroy(counters->pool);
  ta.event->release(counters->changed);
  free(counters);
}

ta_status ta_extension_main(ta_get_api_function get_api, void* argument, ta_error* error) {
  static const struct counters_functions functions = {open_counters, add, changed, close_counters};
  const struct counters_functions** out = argument;
  ta_status status = TA_OK;
  ta.size = sizeof ta;
  status = get_api(TA_ABI_MAJOR, TA_ABI_MINOR, &ta, error);
  if (status != TA_OK) return status;
  if (!out) return ta_fail(error, TA_STATUS_USER_BASE, 0, "the argument must point to a counters_functions pointer");
  *out = &functions;
  return TA_OK;
}
