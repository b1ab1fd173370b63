/* The thread pool: work that would hold up everybody else. */
#ifndef TRUEASYNC_C_THREADS_H
#define TRUEASYNC_C_THREADS_H

#include "trueasync/c/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ta_threads_options {
  size_t size;
  uint32_t workers; /* 0: one per CPU */
  uint32_t reserved;
  size_t queue; /* jobs that may wait without holding up who submits; 0: four per worker */
} ta_threads_options;

enum { TA_JOB_RUNS_UNAWAITED = 1 }; /* flags of ta_job_options: it runs though the last who awaited it has left */

typedef struct ta_job_options {
  size_t size;
  ta_call work; /* on another thread: nothing of this interface may be called there but trigger_fire */
  void* argument;
  ta_dispose dispose; /* on either thread, after the work or when it never begins; may be NULL */
  uint64_t flags;
} ta_job_options;

typedef struct ta_threads_table {
  ta_table_head head;

  ta_status (*create)(const ta_threads_options* options, ta_threads** threads, ta_error* error); /* options: or NULL */
  /* Cancels what has not begun and waits, without suspending, for what runs. */
  void (*destroy)(ta_threads* threads);
  /* Suspends while the queue is full. */
  ta_status (*submit)(ta_threads* threads, const ta_job_options* options, ta_job** job, ta_place place,
                      ta_error* error);
  /* Waits for its end and returns what the work returned; TA_TARGET_CANCELLED when it never ran. */
  ta_status (*await)(ta_job* job, int64_t limit, ta_place place, ta_error* error);
  ta_event* (*event)(ta_job* job); /* borrowed */
  /* True: it will never run. */
  bool (*cancel)(ta_job* job);
  void (*release)(ta_job* job);
  /* No new jobs: TA_CLOSED. Those submitted before are done. */
  void (*close)(ta_threads* threads);
  /* Suspends until nothing is queued or running. */
  ta_status (*drain)(ta_threads* threads, ta_place place, ta_error* error);
} ta_threads_table;

#ifdef __cplusplus
}
#endif

#endif
