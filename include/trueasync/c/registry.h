/* registry.h: the implementation of ta_get_api() and ta_register(), independent of the library.
 *
 * The library includes this file. A host that must not depend on the library at link time includes it in exactly one of
 * its own C files and exports the two symbols (-rdynamic). A library that is loaded later registers its tables there.
 *
 * Ownership: one pointer per table.
 * Thread safety: any thread. */
#ifndef TRUEASYNC_C_REGISTRY_H
#define TRUEASYNC_C_REGISTRY_H

#include <stdio.h>

#include "trueasync.h"

#ifdef __cplusplus
extern "C" {
#endif

static const ta_table_head* ta_registered[TA_TABLE_COUNT];

static const char* ta_table_name(ta_table_id id) {
  static const char* const names[TA_TABLE_COUNT] = {"core", "runtime",     "event", "reactor",
                                                    "I/O",  "thread pool", "pool",  "host"};
  return names[id];
}

static ta_status ta_check_table(ta_table_id id, uint32_t minor, ta_error* error) {
  char text[256];
  const ta_table_head* table = __atomic_load_n(&ta_registered[id], __ATOMIC_ACQUIRE);
  if (!table) {
    snprintf(text, sizeof text, "ta_get_api: no %s table is registered; link or load the runtime first",
             ta_table_name(id));
    return ta_fail(error, TA_UNAVAILABLE, 0, text);
  }
  if (table->minor < minor) {
    snprintf(text, sizeof text,
             "ta_get_api: the %s table of %s is version %u.%u, the program needs %u.%u; use a newer runtime",
             ta_table_name(id), table->implementation, (unsigned)table->major, (unsigned)table->minor,
             (unsigned)TA_ABI_MAJOR, (unsigned)minor);
    return ta_fail(error, TA_VERSION, 0, text);
  }
  return TA_OK;
}

TA_EXPORT ta_status ta_get_api(uint32_t major, uint32_t minor, ta_api* api, ta_error* error) {
  char text[160];
  size_t room = 0;
  if (!api || api->size < offsetof(ta_api, core) + sizeof(void*)) {
    return ta_fail(error, TA_MISUSE, 0, "ta_get_api: ta_api.size is not set; write ta_api api = TA_OPTIONS(ta_api)");
  }
  if (major != TA_ABI_MAJOR) {
    snprintf(text, sizeof text, "ta_get_api: the program was built for API version %u, the runtime has version %u",
             (unsigned)major, (unsigned)TA_ABI_MAJOR);
    return ta_fail(error, TA_VERSION, 0, text);
  }
  room = (api->size - offsetof(ta_api, core)) / sizeof(void*);
  for (ta_table_id id = 0; id < TA_TABLE_COUNT && id < room; ++id) {
    ta_status status = id == TA_TABLE_HOST ? TA_OK : ta_check_table(id, minor, error);
    if (status != TA_OK) return status;
  }
  memset((char*)api + offsetof(ta_api, core), 0, api->size - offsetof(ta_api, core));
  for (ta_table_id id = 0; id < TA_TABLE_COUNT && id < room; ++id) {
    const ta_table_head* table = __atomic_load_n(&ta_registered[id], __ATOMIC_ACQUIRE);
    memcpy((char*)api + offsetof(ta_api, core) + id * sizeof table, &table, sizeof table);
  }
  return TA_OK;
}

TA_EXPORT ta_status ta_register(ta_table_id id, const void* table, uint64_t flags, ta_error* error) {
  char text[256];
  const ta_table_head* head = (const ta_table_head*)table;
  const ta_table_head* registered = 0;
  if (id >= TA_TABLE_COUNT) return ta_fail(error, TA_MISUSE, 0, "ta_register: unknown table id");
  if (flags & ~(uint64_t)TA_REGISTER_OVERRIDE) return ta_fail(error, TA_MISUSE, 0, "ta_register: unknown flags");
  if (!head || head->size < sizeof *head || !head->implementation) {
    return ta_fail(error, TA_MISUSE, 0, "ta_register: the ta_table_head is not filled in");
  }
  if (head->major != TA_ABI_MAJOR) {
    snprintf(text, sizeof text, "ta_register: the %s table of %s has API version %u, the registry has version %u",
             ta_table_name(id), head->implementation, (unsigned)head->major, (unsigned)TA_ABI_MAJOR);
    return ta_fail(error, TA_VERSION, 0, text);
  }
  if (flags & TA_REGISTER_OVERRIDE) {
    __atomic_store_n(&ta_registered[id], head, __ATOMIC_RELEASE);
    return TA_OK;
  }
  if (__atomic_compare_exchange_n(&ta_registered[id], &registered, head, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    return TA_OK;
  }
  snprintf(text, sizeof text,
           "ta_register: %s: the %s table of %s is already registered; pass TA_REGISTER_OVERRIDE to replace it",
           head->implementation, ta_table_name(id), registered->implementation);
  return ta_fail(error, TA_EXISTS, 0, text);
}

#ifdef __cplusplus
}
#endif

#endif
