/* The registry behind ta_get_api() and ta_register(), complete and without a word of any implementation. The library has
 * it. A core that must not depend on the library – it is loaded later, or not at all – includes this file in exactly one
 * of its own C files and exports the two symbols (-rdynamic): a library that is loaded then registers itself there.
 *
 * Owns: one pointer per table. Threads: any. */
#ifndef TRUEASYNC_C_REGISTRY_H
#define TRUEASYNC_C_REGISTRY_H

#include <stdio.h>

#include "trueasync.h"

#ifdef __cplusplus
extern "C" {
#endif

static const ta_table_head* ta_registered[TA_TABLE_COUNT];

static const char* ta_area_name(ta_table_id area) {
  static const char* const names[TA_TABLE_COUNT] = {"core", "runtime",     "event", "reactor",
                                                    "I/O",  "thread pool", "pool",  "host"};
  return names[area];
}

static ta_status ta_check_table(ta_table_id area, uint32_t minor, ta_error* error) {
  char text[256];
  const ta_table_head* table = __atomic_load_n(&ta_registered[area], __ATOMIC_ACQUIRE);
  if (!table) {
    snprintf(text, sizeof text, "nobody has registered a %s table: link or load the runtime first", ta_area_name(area));
    return ta_fail(error, TA_UNAVAILABLE, 0, text);
  }
  if (table->minor < minor) {
    snprintf(text, sizeof text, "the %s table of %s is version %u.%u, this program needs %u.%u: use a newer runtime",
             ta_area_name(area), table->implementation, (unsigned)table->major, (unsigned)table->minor,
             (unsigned)TA_ABI_MAJOR, (unsigned)minor);
    return ta_fail(error, TA_VERSION, 0, text);
  }
  return TA_OK;
}

TA_EXPORT ta_status ta_get_api(uint32_t major, uint32_t minor, ta_api* api, ta_error* error) {
  char text[160];
  size_t room = 0;
  if (!api || api->size < offsetof(ta_api, core) + sizeof(void*)) {
    return ta_fail(error, TA_MISUSE, 0, "ta_get_api needs a ta_api whose size is set: ta_api api = TA_OPTIONS(ta_api)");
  }
  if (major != TA_ABI_MAJOR) {
    snprintf(text, sizeof text, "this program was built for version %u of the interface, the runtime has version %u",
             (unsigned)major, (unsigned)TA_ABI_MAJOR);
    return ta_fail(error, TA_VERSION, 0, text);
  }
  room = (api->size - offsetof(ta_api, core)) / sizeof(void*);
  for (ta_table_id area = 0; area < TA_TABLE_COUNT && area < room; ++area) {
    ta_status status = area == TA_TABLE_HOST ? TA_OK : ta_check_table(area, minor, error);
    if (status != TA_OK) return status;
  }
  memset((char*)api + offsetof(ta_api, core), 0, api->size - offsetof(ta_api, core));
  for (ta_table_id area = 0; area < TA_TABLE_COUNT && area < room; ++area) {
    const ta_table_head* table = __atomic_load_n(&ta_registered[area], __ATOMIC_ACQUIRE);
    memcpy((char*)api + offsetof(ta_api, core) + area * sizeof table, &table, sizeof table);
  }
  return TA_OK;
}

TA_EXPORT ta_status ta_register(ta_table_id area, const void* table, uint64_t flags, ta_error* error) {
  char text[256];
  const ta_table_head* head = (const ta_table_head*)table;
  const ta_table_head* registered = 0;
  if (area >= TA_TABLE_COUNT) return ta_fail(error, TA_MISUSE, 0, "ta_register: there is no such area");
  if (flags & ~(uint64_t)TA_REGISTER_OVERRIDE) return ta_fail(error, TA_MISUSE, 0, "ta_register: unknown flags");
  if (!head || head->size < sizeof *head || !head->implementation) {
    return ta_fail(error, TA_MISUSE, 0, "ta_register: the head of the table is not filled in");
  }
  if (head->major != TA_ABI_MAJOR) {
    snprintf(text, sizeof text, "the %s table of %s is version %u of the interface, this is version %u",
             ta_area_name(area), head->implementation, (unsigned)head->major, (unsigned)TA_ABI_MAJOR);
    return ta_fail(error, TA_VERSION, 0, text);
  }
  if (flags & TA_REGISTER_OVERRIDE) {
    __atomic_store_n(&ta_registered[area], head, __ATOMIC_RELEASE);
    return TA_OK;
  }
  if (__atomic_compare_exchange_n(&ta_registered[area], &registered, head, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    return TA_OK;
  }
  snprintf(text, sizeof text, "%s: the %s table of %s is registered already; say TA_REGISTER_OVERRIDE to replace it",
           head->implementation, ta_area_name(area), registered->implementation);
  return ta_fail(error, TA_EXISTS, 0, text);
}

#ifdef __cplusplus
}
#endif

#endif
