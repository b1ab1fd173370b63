// The thread pool in C.
#include "trueasync/thread_pool.hpp"

#include "capi/handles.hpp"
#include "capi/tables.hpp"

namespace trueasync::detail {

namespace {

ThreadPool& threads_of(ta_threads* threads) {
  return *checked(reinterpret_cast<ThreadPool*>(threads), "the thread pool");
}
Job<void>* job_of(ta_job* job) noexcept { return reinterpret_cast<Job<void>*>(job); }

ta_status create(const ta_threads_options* given, ta_threads** threads, ta_error* error) noexcept {
  return guarded(error, [&] {
    checked(threads, "the thread pool");
    const ta_threads_options options = read_options(given, "ta_threads_options");
    *threads = reinterpret_cast<ta_threads*>(new ThreadPool({.workers = options.workers, .queue = options.queue}));
  });
}

void destroy(ta_threads* threads) noexcept { delete reinterpret_cast<ThreadPool*>(threads); }

ta_status submit(ta_threads* threads, const ta_job_options* given, ta_job** job, ta_place place,
                 ta_error* error) noexcept {
  return guarded(error, [&] {
    CCall call = call_of(given, &ta_job_options::work);
    const ta_job_options options = read_options(checked(given, "the options"), "ta_job_options");
    check_flags(options.flags, TA_JOB_RUNS_UNAWAITED, "ta_job_options.flags");
    checked(options.work, "ta_job_options.work");
    SubmitOptions native;
    if (options.flags & TA_JOB_RUNS_UNAWAITED) native.fate = WhenNobodyAwaits::run;
    auto made = std::make_unique<Job<void>>(threads_of(threads).submit(std::move(call), native, place_of(place)));
    if (job) *job = reinterpret_cast<ta_job*>(made.release());
  });
}

ta_status await(ta_job* job, int64_t limit, ta_place place, ta_error* error) noexcept {
  return guarded(error, [&] {
    const Job<void> one = *checked(job_of(job), "the job");  // the handle may be released while we wait
    if (limit >= 0 && !one.is_finished()) wait_for(one.event(), limit, place_of(place), "await");
    trueasync::await(one, place_of(place));
  });
}

ta_event* event(ta_job* job) noexcept { return job ? handle_of(&job_of(job)->event()) : nullptr; }

bool cancel(ta_job* job) noexcept { return job && job_of(job)->cancel(); }

void release(ta_job* job) noexcept { delete job_of(job); }

void close(ta_threads* threads) noexcept {
  if (threads) reinterpret_cast<ThreadPool*>(threads)->close();
}

ta_status drain(ta_threads* threads, ta_place place, ta_error* error) noexcept {
  return guarded(error, [&] { threads_of(threads).drain(place_of(place)); });
}

}  // namespace

constinit const ta_threads_table kThreadsTable = {
    .head = table_head<ta_threads_table>(),
    .create = &create,
    .destroy = &destroy,
    .submit = &submit,
    .await = &await,
    .event = &event,
    .cancel = &cancel,
    .release = &release,
    .close = &close,
    .drain = &drain,
};

}  // namespace trueasync::detail
