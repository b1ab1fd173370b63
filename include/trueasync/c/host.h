/* What a language on top of the runtime registers, so that extensions can make objects of it. */
#ifndef TRUEASYNC_C_HOST_H
#define TRUEASYNC_C_HOST_H

#include "trueasync/c/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ta_host_table {
  ta_table_head head;
  ta_status (*wrap_pool)(ta_pool* pool, void** object, ta_error* error);
} ta_host_table;

#ifdef __cplusplus
}
#endif

#endif
