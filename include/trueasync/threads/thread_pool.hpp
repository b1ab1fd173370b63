// ThreadPool: threads for CPU-bound work, separate from the worker threads for files and name lookups. submit() returns
// a Job, a cancellable future for await(), the await functions and select(). map() processes a whole range.
//
// When the queue is full, submit() suspends. Cancelling a job, by cancel() or because its last awaiter was interrupted,
// removes it from the queue. A running job continues; its std::stop_token, if it takes one, is fired. A job that was
// never awaited runs.
//
// Ownership: its workers; the destructor cancels queued jobs and waits for running jobs.
// Thread safety: a pool may serve the runtimes of several threads; a job belongs to the runtime that submitted it.
// Errors: await() throws the error of a job with its type. submit() throws ThreadPoolClosedError after close() and
// MisuseError outside a runtime.
#pragma once

#include <cstddef>
#include <memory>
#include <ranges>
#include <vector>

#include "trueasync/detail/remote_call.hpp"
#include "trueasync/event.hpp"
#include "trueasync/sync/future.hpp"
#include "trueasync/task.hpp"

namespace trueasync {

namespace detail {
class ThreadPoolCore;
}

// ThreadPoolClosedError: the thread pool is closed.
class TRUEASYNC_EXPORT ThreadPoolClosedError : public Error {
 public:
  using Error::Error;
  ~ThreadPoolClosedError() override;
};

// ThreadPoolOptions: options of a thread pool.
struct ThreadPoolOptions {
  unsigned workers = 0;            // 0: one per CPU
  std::size_t queue_capacity = 0;  // jobs that may be queued before submit() suspends; 0: four per worker
};

// OnAbandoned: what happens to an awaited job when its last awaiter is interrupted.
enum class OnAbandoned : unsigned char { cancel, run };

// SubmitOptions: options of submit().
struct SubmitOptions {
  OnAbandoned on_abandoned = OnAbandoned::cancel;  // default: cancel
};

// Job: a function queued to a thread pool, and its result.
template <class T>
class Job {
 public:
  Job() noexcept = default;
  Job(Ref<Event> event, std::shared_ptr<detail::RemoteResult<T>> result) noexcept
      : event_(std::move(event)), result_(std::move(result)) {}

  explicit operator bool() const noexcept { return static_cast<bool>(event_); }
  Event& event() const noexcept { return *event_; }
  bool is_finished() const noexcept { return detail::is_remote_done(*event_); }
  bool is_cancelled() const noexcept { return detail::is_remote_cancelled(*event_); }
  // Returns true if the job will never start; otherwise it was asked to stop.
  bool cancel() const noexcept;
  // The result as a Future, for map(), catch_error() and finally(). A coroutine waits for the job.
  Future<T> future(SourceLocation location = SourceLocation::current()) &&;
  detail::RemoteResult<T>& result() const noexcept { return *result_; }

 private:
  Ref<Event> event_;
  std::shared_ptr<detail::RemoteResult<T>> result_;
};

class TRUEASYNC_EXPORT ThreadPool {
 public:
  explicit ThreadPool(ThreadPoolOptions options = {});
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ~ThreadPool();

  // Queues a job; suspends while the queue is full.
  template <class F>
  auto submit(F&& function, SubmitOptions options = {}, WaitOptions wait = {},
              SourceLocation location = SourceLocation::current()) -> Job<detail::RemoteReturnOf<F>> {
    auto call = detail::make_remote(std::forward<F>(function));
    Ref<Event> event = submit_call(call, options, wait, location);
    return {std::move(event), std::move(call)};
  }

  // Runs function(element) as a job for every element and suspends until all are done. Returns a vector of the results
  // in the order of the range, or void. The first error in that order cancels queued jobs and is thrown. `options`
  // bound the whole call.
  template <std::ranges::input_range R, class F>
  auto map(R&& range, F function, WaitOptions options = {}, SourceLocation location = SourceLocation::current()) {
    using Element = std::ranges::range_value_t<R>;
    using Result = std::invoke_result_t<F&, Element&>;
    if (options.has_time()) options = detail::with_fixed_deadline(options);
    std::vector<Job<Result>> jobs;
    try {
      for (auto&& element : range) {
        jobs.push_back(
            submit([function, item = Element(element)]() mutable { return function(item); }, {}, options, location));
      }
      if constexpr (std::is_void_v<Result>) {
        for (auto& job : jobs) await(job, options, location);
      } else {
        std::vector<Result> results;
        results.reserve(jobs.size());
        for (auto& job : jobs) results.push_back(await(std::move(job), options, location));
        return results;
      }
    } catch (...) {
      for (auto& job : jobs) job.cancel();
      throw;
    }
  }

  // Rejects new jobs. Jobs submitted before still run, then the workers exit.
  void close() noexcept;
  // close(), and cancels queued jobs and asks running jobs to stop.
  void cancel() noexcept;
  // Suspends until no job is queued or running.
  void drain(WaitOptions options = {}, SourceLocation location = SourceLocation::current());

  // The number of running worker threads, which may be less than requested.
  unsigned workers() const noexcept;
  std::size_t queued() const noexcept;
  std::size_t running() const noexcept;

 private:
  Ref<Event> submit_call(std::shared_ptr<detail::RemoteCall> call, SubmitOptions options, WaitOptions wait,
                         SourceLocation location);

  std::shared_ptr<detail::ThreadPoolCore> core_;
};

namespace detail {
TRUEASYNC_EXPORT bool cancel_job(Event& job) noexcept;
}

template <class T>
bool Job<T>::cancel() const noexcept {
  return detail::cancel_job(*event_);
}

// Waits for the result: copied from a named job, moved from a moved job.
template <class T>
T await(const Job<T>& job, WaitOptions options = {}, SourceLocation location = SourceLocation::current()) {
  detail::join_remote(job.event(), options, location);
  return job.result().copy();
}
template <class T>
T await(Job<T>&& job, WaitOptions options = {}, SourceLocation location = SourceLocation::current()) {
  detail::join_remote(job.event(), options, location);
  return job.result().take();
}

template <class T>
Future<T> Job<T>::future(SourceLocation location) && {
  Promise<T> promise(location);
  Future<T> result = promise.future();
  spawn([job = std::move(*this), kept = std::move(promise),
         location]() mutable { kept.complete_with([&] { return await(std::move(job), {}, location); }, location); },
        location);
  return result;
}

}  // namespace trueasync
