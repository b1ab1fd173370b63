/* The thread pool: work that would hold up everybody else. */
#ifndef TRUEASYNC_C_THREADS_H
#define TRUEASYNC_C_THREADS_H

#include "trueasync/c/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ta_thread_pool_options {
  size_t size;
  uint32_t workers; /* 0: one per CPU */
  uint32_t reserved;
  size_t queue_capacity; /* jobs that may wait without holding up who submits; 0: four per worker */
} ta_thread_pool_options;

enum { TA_JOB_RUN_IF_ABANDONED = 1 }; /* flags of ta_job_options: it runs though the last who awaited it has left */

typedef struct ta_job_options {
  size_t size;
  ta_function work; /* on another thread: nothing of this interface may be called there but trigger_fire */
  void* argument;
  ta_dispose dispose; /* on either thread, after the work or when it never begins; may be NULL */
  uint64_t flags;
} ta_job_options;

typedef struct ta_thread_pool_table {
  ta_table_head head;

  ta_status (*create)(const ta_thread_pool_options* options, ta_thread_pool** threads,
                      ta_error* error); /* options: or NULL */
  /* Cancels what has not begun and waits, without suspending, for what runs. */
  void (*destroy)(ta_thread_pool* threads);
  /* Suspends while the queue is full. */
  ta_status (*submit)(ta_thread_pool* threads, const ta_job_options* options, ta_job** job, ta_location location,
                      ta_error* error);
  /* Waits for its end and returns what the work returned; TA_TARGET_CANCELLED when it never ran. */
  ta_status (*await)(ta_job* job, int64_t timeout_ns, ta_location location, ta_error* error);
  ta_event* (*event)(ta_job* job); /* borrowed */
  /* True: it will never run. */
  bool (*cancel)(ta_job* job);
  void (*release)(ta_job* job);
  /* No new jobs: TA_CLOSED. Those submitted before are done. */
  void (*close)(ta_thread_pool* threads);
  /* Suspends until nothing is queued or running. */
  ta_status (*drain)(ta_thread_pool* threads, ta_location location, ta_error* error);
} ta_thread_pool_table;

#ifdef __cplusplus
}
#endif

#endif
