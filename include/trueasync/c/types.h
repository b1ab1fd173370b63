/* What every part of the C interface uses: statuses, errors, places, handles, the head of a table. See trueasync.h. */
#ifndef TRUEASYNC_C_TYPES_H
#define TRUEASYNC_C_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define TA_EXPORT __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

typedef int32_t ta_status;
enum {
  TA_OK = 0,
  TA_CANCELLED = 1,   /* this coroutine was asked to end */
  TA_TIMEOUT = 2,     /* the limit, or the deadline of the scope, has passed */
  TA_MISUSE = 3,      /* called in a way that can't work; the text says what to do instead */
  TA_VERSION = 4,     /* this program and the runtime don't fit */
  TA_EXISTS = 5,      /* something else is registered already */
  TA_UNAVAILABLE = 6, /* nobody offers this; of a pool: the circuit breaker is open */
  TA_NO_MEMORY = 7,
  TA_NO_STACK = 8,          /* no stack for a coroutine; the text names the limit */
  TA_DEADLOCK = 9,          /* nothing can wake anybody any more; the text is the report */
  TA_IO = 10,               /* ta_error.system is errno */
  TA_DNS = 11,              /* ta_error.system is EAI_... */
  TA_CLOSED = 12,           /* closed on our side: a handle, a pool */
  TA_TARGET_CANCELLED = 13, /* what was awaited was cancelled, or the wait was ended by a token */
  TA_EMPTY = 14,            /* nothing there right now */
  TA_FAILED = 15,           /* any other failure, of a C++ callable for instance */
  TA_OVERLOADED = 16,       /* too many wait already */
  TA_REJECTED = 17,         /* a hook's word about a resource: it is no good */
  TA_STATUS_USER_BASE = 1000
};

/* Owned by the caller. A longer text fits if more memory is given and `size` says so: `message` is the end of it. */
typedef struct ta_error {
  size_t size;
  ta_status status;
  int32_t system; /* errno or EAI_..., 0: none */
  char message[496];
} ta_error;
#define TA_ERROR_INIT                 \
  {                                   \
    sizeof(ta_error), TA_OK, 0, { 0 } \
  }

/* Fills an error and returns the status: return ta_fail(error, TA_IO, errno, "no answer"); */
static inline ta_status ta_fail(ta_error* error, ta_status status, int system_error, const char* message) {
  if (error && error->size > offsetof(ta_error, message)) {
    size_t room = error->size - offsetof(ta_error, message) - 1;
    size_t length = message ? strlen(message) : 0;
    char* text = (char*)error + offsetof(ta_error, message);
    if (length > room) length = room;
    error->status = status;
    error->system = system_error;
    if (length) memcpy(text, message, length);
    text[length] = 0;
  }
  return status;
}

/* Where something was asked for, for reports. The text of `file` must live as long as the program does. */
typedef struct ta_location {
  const char* file;
  uint32_t line;
} ta_location;

#ifdef __cplusplus
#define TA_HERE (ta_location{__FILE__, __LINE__})
#else
#define TA_HERE ((ta_location){__FILE__, __LINE__})
#endif

/* Limits and delays are nanoseconds. As a limit TA_NO_TIMEOUT, or anything negative, is none. */
#define TA_NO_TIMEOUT INT64_C(-1)
#define TA_MICROSECONDS(n) ((int64_t)(n)*INT64_C(1000))
#define TA_MILLISECONDS(n) ((int64_t)(n)*INT64_C(1000000))
#define TA_SECONDS(n) ((int64_t)(n)*INT64_C(1000000000))

typedef struct ta_coroutine ta_coroutine;
typedef struct ta_event ta_event;
typedef struct ta_subscription ta_subscription;
typedef struct ta_microtask ta_microtask;
typedef struct ta_runtime ta_runtime;
typedef struct ta_trigger ta_trigger;
typedef struct ta_lookup ta_lookup;
typedef struct ta_process ta_process;
typedef struct ta_io ta_io;
typedef struct ta_request ta_request;
typedef struct ta_listener ta_listener;
typedef struct ta_thread_pool ta_thread_pool;
typedef struct ta_job ta_job;
typedef struct ta_pool ta_pool;

/* A function of the program's. What it returns other than TA_OK is its failure. */
typedef ta_status (*ta_function)(void* argument, ta_error* error);
/* The argument is needed no more. Called exactly once, also when the function that was to take it has failed; must not
 * suspend. */
typedef void (*ta_dispose)(void* argument);

/* Every table begins with this. TA_HAS tells whether a table, or a struct that was filled, reaches this far. */
typedef struct ta_table_head {
  size_t size;
  uint32_t major;
  uint32_t minor;
  const char* implementation; /* "trueasync 0.1.0" */
} ta_table_head;
#define TA_HAS(table, type, member) \
  (((const ta_table_head*)(table))->size >= offsetof(type, member) + sizeof(((type*)0)->member))

#ifdef __cplusplus
}
#endif

#endif
