/* The C interface of TrueAsync: all that an extension, or a host in another language, may see (ABI-01, ABI-02).
 *
 * A program fetches the tables of functions once, with ta_get_api(), and calls through them:
 *
 *     static ta_api ta = {.size = sizeof(ta_api)};
 *     ta_error error = TA_ERROR_INIT;
 *     if (ta_get_api(TA_ABI_MAJOR, TA_ABI_MINOR, &ta, &error) != TA_OK) ...
 *     ta.core->sleep(TA_MILLISECONDS(5), TA_HERE, &error);
 *
 * The tables are registered at load time by whatever implements them (ta_register); who only calls needs this header and
 * nothing of the implementation. An extension in a shared object gets ta_get_api as an argument of its
 * ta_extension_main, so it needs no symbol either.
 *
 * Owns: handles are opaque and counted or freed as said per function; what is "borrowed" is not to be released.
 * Text and structs given to a function are copied, unless it says otherwise. The file names of places are not: an
 * extension stays loaded while the runtime runs.
 * Threads: every call on the thread of its runtime, except ta_get_api, ta_register, trigger_fire and what thread-pool
 * work does. Callbacks come on that thread; those that must not suspend say so.
 * Errors: a status, and a text in the caller's ta_error (which may be NULL). On TA_OK the ta_error is left alone. No C++
 * exception comes out of any function. A cancellation is a status, TA_CANCELLED: clean up and return it. It is sticky,
 * so cleanup that has to wait does so inside protect(). A callback fails by returning a status other than TA_OK with a
 * text in the ta_error it was given; codes of an extension's own begin at TA_STATUS_USER_BASE.
 *
 * Versions: the major number changes when something is taken away, the minor when something is added at the end. Every
 * struct begins with its size, set by the program to its own sizeof. A shorter one, of an older program, is completed by
 * defaults; a longer one, of a newer program, is taken when what is not known here is zero, and refused with TA_VERSION
 * otherwise. Structs that are filled get as much as the program has room for; what is not known here is zero. Unknown
 * flags are refused. ta_location, ta_wait_item, ta_address, ta_buffer and ta_lease have no size: they stay as they are
 * within a major version. */
#ifndef TRUEASYNC_H
#define TRUEASYNC_H

#include "trueasync/c/core.h"
#include "trueasync/c/event.h"
#include "trueasync/c/host.h"
#include "trueasync/c/io.h"
#include "trueasync/c/pool.h"
#include "trueasync/c/reactor.h"
#include "trueasync/c/runtime.h"
#include "trueasync/c/thread_pool.h"
#include "trueasync/c/types.h"

#define TA_ABI_MAJOR 1
#define TA_ABI_MINOR 0

#ifdef __cplusplus
extern "C" {
#endif

typedef uint32_t ta_table_id;
enum {
  TA_TABLE_CORE = 0,
  TA_TABLE_RUNTIME = 1,
  TA_TABLE_EVENT = 2,
  TA_TABLE_REACTOR = 3,
  TA_TABLE_IO = 4,
  TA_TABLE_THREADS = 5,
  TA_TABLE_POOL = 6,
  TA_TABLE_HOST = 7,
  TA_TABLE_COUNT = 8
};

/* In the order of the areas. `host` is NULL unless a host has registered one; the others are there. */
typedef struct ta_api {
  size_t size;
  const ta_core_table* core;
  const ta_runtime_table* runtime;
  const ta_event_table* event;
  const ta_reactor_table* reactor;
  const ta_io_table* io;
  const ta_thread_pool_table* threads;
  const ta_pool_table* pool;
  const ta_host_table* host;
} ta_api;

/* The tables, of this major version and at least this minor one. TA_VERSION: the runtime is another one, or too old;
 * TA_UNAVAILABLE: nothing is registered. A program that gets along with less asks for an older minor version and looks
 * at each newer member with TA_HAS. Thread-safe. */
TA_EXPORT ta_status ta_get_api(uint32_t major, uint32_t minor, ta_api* api, ta_error* error);

enum { TA_REGISTER_OVERRIDE = 1 }; /* flags of ta_register */

/* For implementations: `table` (which begins with a ta_table_head and stays where it is) serves `area` from now on. A
 * second one is refused with TA_EXISTS, unless it says that it overrides; who has fetched the first keeps it.
 * Thread-safe. */
TA_EXPORT ta_status ta_register(ta_table_id area, const void* table, uint64_t flags, ta_error* error);

/* What an extension defines; load_extension() of the runtime's table calls it. `argument` is what that was given. */
typedef ta_status (*ta_extension_entry)(ta_get_api_function get_api, void* argument, ta_error* error);
#define TA_EXTENSION_ENTRY "ta_extension_main"
TA_EXPORT ta_status ta_extension_main(ta_get_api_function get_api, void* argument, ta_error* error);

#ifdef __cplusplus
}
#endif

/* An option struct with its size set and nothing else: ta_spawn_options options = TA_OPTIONS(ta_spawn_options); */
#ifdef __cplusplus
template <class T>
inline T ta_options() noexcept {
  T options{};
  options.size = sizeof(T);
  return options;
}
#define TA_OPTIONS(type) (ta_options<type>())
#else
#define TA_OPTIONS(type) ((type){.size = sizeof(type)})
#endif

#endif
