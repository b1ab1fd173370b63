/* Jobs on worker threads. */
#include <pthread.h>

#include "programs.h"

struct work {
  pthread_t thread;
  int result;
  int disposed;
};

static ta_status square(void* argument, ta_error* error) {
  struct work* work = argument;
  (void)error;
  work->thread = pthread_self();
  work->result *= work->result;
  return ta.core->current() ? CHECK_FAILED : TA_OK; /* a worker thread has no runtime */
}

static void count_dispose(void* argument) { ++((struct work*)argument)->disposed; }

PROGRAM(jobs_run_on_workers) {
  ta_thread_pool_options options = TA_OPTIONS(ta_thread_pool_options);
  ta_job_options job_options = TA_OPTIONS(ta_job_options);
  ta_thread_pool* threads = NULL;
  ta_job* jobs[4];
  struct work items[4] = {{.result = 2}, {.result = 3}, {.result = 4}, {.result = 5}};
  (void)argument;
  options.workers = 2;
  options.queue_capacity = 1; /* submit() must suspend */
  REQUIRE(ta.threads->create(&options, &threads, error) == TA_OK);
  job_options.work = square;
  job_options.dispose = count_dispose;
  for (int i = 0; i < 4; ++i) {
    job_options.argument = &items[i];
    REQUIRE(ta.threads->submit(threads, &job_options, &jobs[i], TA_HERE, error) == TA_OK);
  }
  for (int i = 0; i < 4; ++i) {
    REQUIRE(ta.threads->await(jobs[i], i == 0 ? TA_NO_TIMEOUT : TA_SECONDS(60), TA_HERE, error) == TA_OK);
    REQUIRE(items[i].result == (i + 2) * (i + 2) && items[i].disposed == 1);
    REQUIRE(!pthread_equal(items[i].thread, pthread_self()));
    ta.threads->release(jobs[i]);
  }
  REQUIRE(ta.threads->drain(threads, TA_HERE, error) == TA_OK);
  ta.threads->destroy(threads);
  return TA_OK;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static ta_status wait_for_lock(void* argument, ta_error* error) {
  (void)argument;
  (void)error;
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return TA_OK;
}

static ta_status fail_job(void* argument, ta_error* error) {
  (void)argument;
  return ta_fail(error, TA_STATUS_USER_BASE, 9, "job failed");
}

PROGRAM(failing_and_cancelled_jobs) {
  ta_thread_pool_options options = TA_OPTIONS(ta_thread_pool_options);
  ta_job_options job_options = TA_OPTIONS(ta_job_options);
  ta_thread_pool* threads = NULL;
  ta_job* running = NULL;
  ta_job* queued = NULL;
  struct work work = {.result = 1};
  (void)argument;
  options.workers = 1;
  REQUIRE(ta.threads->create(&options, &threads, error) == TA_OK);
  job_options.work = fail_job;
  REQUIRE(ta.threads->submit(threads, &job_options, &running, TA_HERE, error) == TA_OK);
  REQUIRE(ta.threads->await(running, TA_NO_TIMEOUT, TA_HERE, error) == TA_STATUS_USER_BASE);
  REQUIRE(error->system == 9 && strcmp(error->message, "job failed") == 0);
  ta.threads->release(running);

  pthread_mutex_lock(&lock);
  job_options.work = wait_for_lock;
  job_options.flags = TA_JOB_RUN_IF_ABANDONED;
  REQUIRE(ta.threads->submit(threads, &job_options, &running, TA_HERE, error) == TA_OK);
  REQUIRE(ta.threads->await(running, TA_MILLISECONDS(1), TA_HERE, NULL) == TA_TIMEOUT);
  job_options.work = square;
  job_options.argument = &work;
  job_options.dispose = count_dispose;
  REQUIRE(ta.threads->submit(threads, &job_options, &queued, TA_HERE, error) == TA_OK);
  REQUIRE(ta.threads->cancel(queued));
  REQUIRE(ta.threads->await(queued, TA_NO_TIMEOUT, TA_HERE, NULL) == TA_TARGET_CANCELLED);
  ta.threads->release(queued);
  pthread_mutex_unlock(&lock);
  REQUIRE(ta.event->wait(ta.threads->event(running), TA_SECONDS(60), NULL, TA_HERE, error) == TA_OK);
  ta.threads->release(running);

  ta.threads->close(threads);
  work.disposed = 0;
  REQUIRE(ta.threads->submit(threads, &job_options, &queued, TA_HERE, error) == TA_CLOSED);
  REQUIRE(work.disposed == 1); /* also if submit() fails */
  job_options.flags = 512;
  REQUIRE(ta.threads->submit(threads, &job_options, &queued, TA_HERE, error) == TA_MISUSE && work.disposed == 2);
  ta.threads->destroy(threads);
  return TA_OK;
}
