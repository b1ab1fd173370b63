// The thread pool table of the C API.
#include "trueasync/threads/thread_pool.hpp"

#include "capi/handles.hpp"
#include "capi/tables.hpp"

namespace trueasync::detail {

namespace {

ThreadPool& thread_pool_of(ta_thread_pool* threads) {
  return *require_non_null(reinterpret_cast<ThreadPool*>(threads), "the thread pool");
}
Job<void>* job_of(ta_job* job) noexcept { return reinterpret_cast<Job<void>*>(job); }

ta_status create(const ta_thread_pool_options* caller_options, ta_thread_pool** threads, ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    require_non_null(threads, "the output parameter `threads`");
    const ta_thread_pool_options options = read_options(caller_options, "ta_thread_pool_options");
    *threads = reinterpret_cast<ta_thread_pool*>(
        new ThreadPool({.workers = options.workers, .queue_capacity = options.queue_capacity}));
  });
}

void destroy(ta_thread_pool* threads) noexcept { delete reinterpret_cast<ThreadPool*>(threads); }

ta_status submit(ta_thread_pool* threads, const ta_job_options* caller_options, ta_job** job, ta_location location,
                 ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    CFunction function = take_function(caller_options, &ta_job_options::work);
    const ta_job_options options = read_options(require_non_null(caller_options, "the options"), "ta_job_options");
    check_flags(options.flags, TA_JOB_RUN_IF_ABANDONED, "ta_job_options.flags");
    require_non_null(options.work, "ta_job_options.work");
    SubmitOptions native;
    if (options.flags & TA_JOB_RUN_IF_ABANDONED) native.on_abandoned = OnAbandoned::run;
    auto created = std::make_unique<Job<void>>(
        thread_pool_of(threads).submit(std::move(function), native, {}, to_location(location)));
    if (job) *job = reinterpret_cast<ta_job*>(created.release());
  });
}

ta_status await(ta_job* job, int64_t timeout_ns, ta_location location, ta_error* error) noexcept {
  return catch_to_status(error, [&] {
    const Job<void> copy = *require_non_null(job_of(job), "the job");  // the handle may be released during the wait
    if (timeout_ns >= 0 && !copy.is_finished()) wait_for(copy.event(), timeout_ns, to_location(location), "await");
    trueasync::await(copy, {}, to_location(location));
  });
}

ta_event* event(ta_job* job) noexcept { return job ? handle_of(&job_of(job)->event()) : nullptr; }

bool cancel(ta_job* job) noexcept { return job && job_of(job)->cancel(); }

void release(ta_job* job) noexcept { delete job_of(job); }

void close(ta_thread_pool* threads) noexcept {
  if (threads) reinterpret_cast<ThreadPool*>(threads)->close();
}

ta_status drain(ta_thread_pool* threads, ta_location location, ta_error* error) noexcept {
  return catch_to_status(error, [&] { thread_pool_of(threads).drain({}, to_location(location)); });
}

}  // namespace

constinit const ta_thread_pool_table kThreadPoolTable = {
    .head = table_head<ta_thread_pool_table>(),
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
