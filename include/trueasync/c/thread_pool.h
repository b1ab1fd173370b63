/* thread_pool.h: a thread pool for CPU-bound work and blocking calls in the C API. */
#ifndef TRUEASYNC_C_THREAD_POOL_H
#define TRUEASYNC_C_THREAD_POOL_H

#include "trueasync/c/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ta_thread_pool_options: options of a thread pool. */
typedef struct ta_thread_pool_options {
  size_t size;
  uint32_t workers; /* 0: one per CPU */
  uint32_t reserved;
  size_t queue_capacity; /* jobs that may be queued before submit() suspends; 0: four per worker */
} ta_thread_pool_options;

/* flag of ta_job_options: run the job even if its last waiter has stopped waiting */
enum { TA_JOB_RUN_IF_ABANDONED = 1 };

/* ta_job_options: one job. */
typedef struct ta_job_options {
  size_t size;
  /* Runs on a worker thread. It may call trigger_fire() and no other function of this API. */
  ta_function work;
  void* argument;
  /* Called with `argument` on either thread, after the work or if it never starts. May be NULL. */
  ta_dispose dispose;
  uint64_t flags;
} ta_job_options;

/* ta_thread_pool_table: the functions of this header. */
typedef struct ta_thread_pool_table {
  ta_table_head head;

  /* `options` may be NULL. */
  ta_status (*create)(const ta_thread_pool_options* options, ta_thread_pool** pool, ta_error* error);
  /* Cancels queued jobs and blocks the thread until running jobs have finished. */
  void (*destroy)(ta_thread_pool* pool);
  /* Queues a job. Suspends while the queue is full. */
  ta_status (*submit)(ta_thread_pool* pool, const ta_job_options* options, ta_job** job, ta_location location,
                      ta_error* error);
  /* Suspends until the job has finished and returns the status of its work function. TA_TARGET_CANCELLED if the job
   * never ran. */
  ta_status (*await)(ta_job* job, int64_t timeout_ns, ta_location location, ta_error* error);
  ta_event* (*event)(ta_job* job); /* borrowed */
  /* Cancels the job. Returns true if the job will never run. */
  bool (*cancel)(ta_job* job);
  void (*release)(ta_job* job);
  /* Rejects new jobs with TA_CLOSED. Jobs submitted before still run. */
  void (*close)(ta_thread_pool* pool);
  /* Suspends until no job is queued or running. */
  ta_status (*drain)(ta_thread_pool* pool, ta_location location, ta_error* error);
} ta_thread_pool_table;

#ifdef __cplusplus
}
#endif

#endif
