// Functions whose own file is not there yet: weak, so that it takes their place by being linked. Delete a line when the
// function has its file, and this file when it is empty.
#include "support/zend.hpp"

#define TRUEASYNC_PENDING(name)                                                \
  [[gnu::weak]] ZEND_FUNCTION(name) {                                          \
    (void)execute_data;                                                        \
    (void)return_value;                                                        \
    zend_throw_error(nullptr, "this function is not implemented yet: " #name); \
  }

TRUEASYNC_PENDING(Async_current_context)
TRUEASYNC_PENDING(Async_coroutine_context)
TRUEASYNC_PENDING(Async_root_context)
TRUEASYNC_PENDING(Async_request_context)
TRUEASYNC_PENDING(Async_spawn_with)
TRUEASYNC_PENDING(Async_iterate)
TRUEASYNC_PENDING(Async_available_parallelism)
TRUEASYNC_PENDING(Async_cpu_usage)
TRUEASYNC_PENDING(Async_loadavg)
TRUEASYNC_PENDING(Async_runtime_stats)
TRUEASYNC_PENDING(Async_spawn_thread)
