/* host.h: the table that a host language registers so that extensions can create its objects. */
#ifndef TRUEASYNC_C_HOST_H
#define TRUEASYNC_C_HOST_H

#include "trueasync/c/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ta_host_table: implemented by the host, registered as TA_TABLE_HOST. */
typedef struct ta_host_table {
  ta_table_head head;
  /* Wraps a pool in an object of the host language. */
  ta_status (*wrap_pool)(ta_pool* pool, void** object, ta_error* error);
} ta_host_table;

#ifdef __cplusplus
}
#endif

#endif
