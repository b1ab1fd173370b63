/* Work on other threads. */
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
  return ta.core->current() ? CHECK_FAILED : TA_OK; /* there is no runtime there */
}

static void note_dispose(void* argument) { ++((struct work*)argument)->disposed; }

PROGRAM(jobs_on_threads) {
  ta_thread_pool_options options = TA_OPTIONS(ta_thread_pool_options);
  ta_job_options job_options = TA_OPTIONS(ta_job_options);
  ta_thread_pool* threads = NULL;
  ta_job* jobs[4];
  struct work works[4] = {{.result = 2}, {.result = 3}, {.result = 4}, {.result = 5}};
  (void)argument;
  options.workers = 2;
  options.queue_capacity = 1; /* submit() has to wait */
  REQUIRE(ta.threads->create(&options, &threads, error) == TA_OK);
  job_options.work = square;
  job_options.dispose = note_dispose;
  for (int i = 0; i < 4; ++i) {
    job_options.argument = &works[i];
    REQUIRE(ta.threads->submit(threads, &job_options, &jobs[i], TA_HERE, error) == TA_OK);
  }
  for (int i = 0; i < 4; ++i) {
    REQUIRE(ta.threads->await(jobs[i], i == 0 ? TA_NO_TIMEOUT : TA_SECONDS(60), TA_HERE, error) == TA_OK);
    REQUIRE(works[i].result == (i + 2) * (i + 2) && works[i].disposed == 1);
    REQUIRE(!pthread_equal(works[i].thread, pthread_self()));
    ta.threads->release(jobs[i]);
  }
  REQUIRE(ta.threads->drain(threads, TA_HERE, error) == TA_OK);
  ta.threads->destroy(threads);
  return TA_OK;
}

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static ta_status wait_at_the_gate(void* argument, ta_error* error) {
  (void)argument;
  (void)error;
  pthread_mutex_lock(&gate);
  pthread_mutex_unlock(&gate);
  return TA_OK;
}

static ta_status give_up(void* argument, ta_error* error) {
  (void)argument;
  return ta_fail(error, TA_STATUS_USER_BASE, 9, "gave up");
}

PROGRAM(failing_and_cancelled_jobs) {
  ta_thread_pool_options options = TA_OPTIONS(ta_thread_pool_options);
  ta_job_options job_options = TA_OPTIONS(ta_job_options);
  ta_thread_pool* threads = NULL;
  ta_job* held = NULL;
  ta_job* queued = NULL;
  struct work work = {.result = 1};
  (void)argument;
  options.workers = 1;
  REQUIRE(ta.threads->create(&options, &threads, error) == TA_OK);
  job_options.work = give_up;
  REQUIRE(ta.threads->submit(threads, &job_options, &held, TA_HERE, error) == TA_OK);
  REQUIRE(ta.threads->await(held, TA_NO_TIMEOUT, TA_HERE, error) == TA_STATUS_USER_BASE);
  REQUIRE(error->system == 9 && strcmp(error->message, "gave up") == 0);
  ta.threads->release(held);

  pthread_mutex_lock(&gate);
  job_options.work = wait_at_the_gate;
  job_options.flags = TA_JOB_RUN_IF_ABANDONED;
  REQUIRE(ta.threads->submit(threads, &job_options, &held, TA_HERE, error) == TA_OK);
  REQUIRE(ta.threads->await(held, TA_MILLISECONDS(1), TA_HERE, NULL) == TA_TIMEOUT);
  job_options.work = square;
  job_options.argument = &work;
  job_options.dispose = note_dispose;
  REQUIRE(ta.threads->submit(threads, &job_options, &queued, TA_HERE, error) == TA_OK);
  REQUIRE(ta.threads->cancel(queued));
  REQUIRE(ta.threads->await(queued, TA_NO_TIMEOUT, TA_HERE, NULL) == TA_TARGET_CANCELLED);
  ta.threads->release(queued);
  pthread_mutex_unlock(&gate);
  REQUIRE(ta.event->wait(ta.threads->event(held), TA_SECONDS(60), NULL, TA_HERE, error) == TA_OK);
  ta.threads->release(held);

  ta.threads->close(threads);
  work.disposed = 0;
  REQUIRE(ta.threads->submit(threads, &job_options, &queued, TA_HERE, error) == TA_CLOSED);
  REQUIRE(work.disposed == 1); /* also of one that was refused */
  job_options.flags = 512;
  REQUIRE(ta.threads->submit(threads, &job_options, &queued, TA_HERE, error) == TA_MISUSE && work.disposed == 2);
  ta.threads->destroy(threads);
  return TA_OK;
}
