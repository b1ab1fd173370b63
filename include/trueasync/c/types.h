/* types.h: the types that all headers of the C API share: statuses, errors, locations, handles and table heads. See
 * trueasync.h. */
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

/* ta_status: the result of a call. */
typedef int32_t ta_status;
enum {
  TA_OK = 0,
  TA_CANCELLED = 1,   /* cancellation of the current coroutine was requested */
  TA_TIMEOUT = 2,     /* the timeout, or the deadline of the scope, has passed */
  TA_MISUSE = 3,      /* invalid use; the message says what to do */
  TA_VERSION = 4,     /* the program and the runtime have incompatible versions */
  TA_EXISTS = 5,      /* a table is already registered */
  TA_UNAVAILABLE = 6, /* not registered; of a pool: the circuit breaker is INACTIVE */
  TA_NO_MEMORY = 7,
  TA_NO_STACK = 8,          /* no stack for a coroutine; the message names the limit */
  TA_DEADLOCK = 9,          /* no event can wake any coroutine; the message is the report */
  TA_IO = 10,               /* ta_error.system is errno */
  TA_DNS = 11,              /* ta_error.system is EAI_... */
  TA_CLOSED = 12,           /* the handle or pool was closed locally */
  TA_TARGET_CANCELLED = 13, /* the awaited object was cancelled, or a token ended the wait */
  TA_EMPTY = 14,            /* nothing available now */
  TA_FAILED = 15,           /* any other error, for example of a C++ callable */
  TA_OVERLOADED = 16,       /* too many waiters */
  TA_REJECTED = 17,         /* a hook rejected a resource */
  TA_STATUS_USER_BASE = 1000
};

/* ta_error: a status and a message, in memory of the caller. `message` is the last member: allocate more memory and set
 * `size` accordingly to receive longer messages. */
typedef struct ta_error {
  size_t size;
  ta_status status;
  int32_t system; /* errno or EAI_...; 0: none */
  char message[496];
} ta_error;
#define TA_ERROR_INIT                 \
  {                                   \
    sizeof(ta_error), TA_OK, 0, { 0 } \
  }

/* ta_fail: fills an error and returns the status: return ta_fail(error, TA_IO, errno, "no answer"); */
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

/* ta_location: the source location of a call, for dumps and error messages. The text of `file` must stay valid until
 * the program ends. */
typedef struct ta_location {
  const char* file;
  uint32_t line;
} ta_location;

#ifdef __cplusplus
#define TA_HERE (ta_location{__FILE__, __LINE__})
#else
#define TA_HERE ((ta_location){__FILE__, __LINE__})
#endif

/* Timeouts and delays are in nanoseconds. A negative timeout, such as TA_NO_TIMEOUT, means no timeout. In an options
 * structure, which starts with zeros, 0 means no timeout. */
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

/* ta_function: a callback of the program. A status other than TA_OK is an error. */
typedef ta_status (*ta_function)(void* argument, ta_error* error);
/* ta_dispose: called exactly once when the argument is no longer needed, also if the function that took it failed. Must
 * not suspend. */
typedef void (*ta_dispose)(void* argument);

/* ta_table_head: the first member of every table. TA_HAS tests whether a table or a filled struct is large enough to
 * contain a member. */
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
