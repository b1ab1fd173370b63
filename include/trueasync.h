/* trueasync.h: the C API of TrueAsync, for extensions and for hosts written in other languages.
 *
 * A program fetches the function tables once with ta_get_api() and calls through them:
 *
 *     static ta_api ta = {.size = sizeof(ta_api)};
 *     ta_error error = TA_ERROR_INIT;
 *     if (ta_get_api(TA_ABI_MAJOR, TA_ABI_MINOR, &ta, &error) != TA_OK) ...
 *     ta.core->sleep(TA_MILLISECONDS(5), TA_HERE, &error);
 *
 * The implementation registers the tables at load time with ta_register(). A program that only calls needs this header
 * and no symbol of the implementation. An extension in a shared object gets ta_get_api as an argument of its
 * ta_extension_main.
 *
 * Versions: the major number changes when a member is removed, the minor number when a member is added at the end of a
 * struct. Every struct begins with its size, which the program sets to its own sizeof. A shorter struct, of an older
 * program, is completed with defaults. A longer struct, of a newer program, is accepted if its unknown part is zero;
 * otherwise the call fails with TA_VERSION. An output struct is filled as far as its size allows, and members unknown
 * to the runtime are set to zero. Unknown flags are rejected. ta_location, ta_wait_item, ta_address, ta_buffer and
 * ta_lease have no size member and do not change within a major version.
 *
 * Ownership: handles are opaque; each function states whether the caller releases, frees or borrows the handle. A
 * borrowed handle must not be released. Text and structs passed to a function are copied, except where stated and
 * except the file names of locations.
 * Lifetime: the file name of a ta_location must stay valid while the runtime runs, so an extension stays loaded.
 * Thread safety: all calls on the thread of the runtime, except ta_get_api(), ta_register(), trigger_fire() and the
 * work function of a thread-pool job. Callbacks run on that thread; callbacks that must not suspend are marked.
 * Errors: a function returns a status and writes a message to the caller's ta_error, which may be NULL. On TA_OK the
 * ta_error is unchanged. No C++ exception leaves a function. Cancellation is the status TA_CANCELLED: clean up and
 * return it. Cancellation is sticky, so cleanup that waits must run inside protect(). A callback fails by returning a
 * status other than TA_OK with a message in the ta_error it got. Status codes of an extension start at
 * TA_STATUS_USER_BASE. */
#ifndef TRUEASYNC_H
#define TRUEASYNC_H

#include "trueasync/c/core.h"
#include "trueasync/c/event.h"
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

/* ta_table_id: the index of a function table in ta_api, in the order of its members. */
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

/* ta_api: pointers to all function tables. `host` is NULL unless a host has registered its table; the other pointers
 * are never NULL after ta_get_api() succeeded. */
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

/* ta_get_api: fills `api` with the tables of this major version and at least this minor version. A program that works
 * with an older runtime requests an older minor version and tests each newer member with TA_HAS.
 * Thread safety: any thread.
 * Errors: TA_VERSION if the runtime has another major version or an older minor version; TA_UNAVAILABLE if no table is
 * registered. */
TA_EXPORT ta_status ta_get_api(uint32_t major, uint32_t minor, ta_api* api, ta_error* error);

enum { TA_REGISTER_OVERRIDE = 1 }; /* flag of ta_register(): replace a registered table */

/* ta_register: registers `table` for the table `id`. For implementations and hosts. `table` begins with a
 * ta_table_head. With TA_REGISTER_OVERRIDE it replaces a registered table; programs that fetched the earlier table keep
 * it.
 * Lifetime: `table` must stay valid until the process ends.
 * Thread safety: any thread.
 * Errors: TA_EXISTS if a table is registered and TA_REGISTER_OVERRIDE is not set. */
TA_EXPORT ta_status ta_register(ta_table_id id, const void* table, uint64_t flags, ta_error* error);

/* ta_extension_entry: the type of the entry function that an extension defines under the name TA_EXTENSION_ENTRY.
 * load_extension() of the runtime table calls it with the `argument` it was given. */
typedef ta_status (*ta_extension_entry)(ta_get_api_function get_api, void* argument, ta_error* error);
#define TA_EXTENSION_ENTRY "ta_extension_main"
TA_EXPORT ta_status ta_extension_main(ta_get_api_function get_api, void* argument, ta_error* error);

#ifdef __cplusplus
}
#endif

/* TA_OPTIONS: an option struct with its size set and all other members zero: ta_spawn_options options =
 * TA_OPTIONS(ta_spawn_options); */
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
