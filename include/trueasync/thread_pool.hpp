// ThreadPool: threads for CPU-bound work, apart from those that serve files and names. submit() returns a Job<T>: a future
// that can be cancelled, for await, the await family and select; map() does a whole range and returns the results in its order.
//
// Back-pressure: when the queue is full submit() suspends until there is room. Cancelling a job – by cancel(), or because
// the last who awaited it left – takes it out of the queue; a job that runs already goes on, asked to stop if its function
// takes a std::stop_token. A job that nobody ever awaited runs.
// Owns: its workers; the destructor cancels what has not started and waits for what runs. Threads: one pool may serve the
// runtimes of many threads; a job belongs to the runtime that submitted it. Errors: a job's error is thrown by await,
// with its type, and leaves the worker as it was; submit throws ThreadPoolClosedError after close(), MisuseError outside a
// runtime.
#pragma once

#include <cstddef>
#include <memory>
#include <ranges>
#include <vector>

#include "trueasync/detail/remote_call.hpp"
#include "trueasync/future.hpp"
#include "trueasync/task.hpp"

namespace trueasync {

namespace detail {
class ThreadPoolCore;
}

class TRUEASYNC_EXPORT ThreadPoolClosedError : public Error {
 public:
  using Error::Error;
  ~ThreadPoolClosedError() override;
};

struct ThreadPoolOptions {
  unsigned workers = 0;            // 0: one per CPU
  std::size_t queue_capacity = 0;  // jobs that may wait without holding up who submits; 0: four per worker
};

enum class OnAbandoned : unsigned char { cancel, run };

struct SubmitOptions {
  OnAbandoned on_abandoned = OnAbandoned::cancel;  // of a job that was awaited, when the last waiter leaves
};

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
  // True if it will never start. Otherwise it was asked to stop.
  bool cancel() const noexcept;
  // What comes of it as a Future, for chains of map, catch_error and finally. A coroutine waits for the job.
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

  template <class F>
  auto submit(F&& function, SubmitOptions options = {}, SourceLocation location = SourceLocation::current())
      -> Job<detail::RemoteReturnOf<F>> {
    auto call = detail::make_remote(std::forward<F>(function));
    Ref<Event> event = submit_call(call, options, location);
    return {std::move(event), std::move(call)};
  }

  // function(element) for every element, each a job; suspends until all are done. A vector of what they return, nothing
  // where they return nothing. The first error, in the range's order, cancels those that have not started and is thrown.
  template <std::ranges::input_range R, class F>
  auto map(R&& range, F function, SourceLocation location = SourceLocation::current()) {
    using Element = std::ranges::range_value_t<R>;
    using Result = std::invoke_result_t<F&, Element&>;
    std::vector<Job<Result>> jobs;
    try {
      for (auto&& element : range) {
        jobs.push_back(submit([function, item = Element(element)]() mutable { return function(item); }, {}, location));
      }
      if constexpr (std::is_void_v<Result>) {
        for (auto& job : jobs) await(job, location);
      } else {
        std::vector<Result> results;
        results.reserve(jobs.size());
        for (auto& job : jobs) results.push_back(await(std::move(job), location));
        return results;
      }
    } catch (...) {
      for (auto& job : jobs) job.cancel();
      throw;
    }
  }

  // No new jobs; those submitted before are done, then the workers end.
  void close() noexcept;
  // close(), and what has not started is cancelled, what runs is asked to stop.
  void cancel() noexcept;
  // Suspends until nothing is queued or running.
  void drain(SourceLocation location = SourceLocation::current());

  // How many are alive, not how many were asked for.
  unsigned workers() const noexcept;
  std::size_t queued() const noexcept;
  std::size_t running() const noexcept;

 private:
  Ref<Event> submit_call(std::shared_ptr<detail::RemoteCall> call, SubmitOptions options, SourceLocation location);

  std::shared_ptr<detail::ThreadPoolCore> core_;
};

namespace detail {
TRUEASYNC_EXPORT bool cancel_job(Event& job) noexcept;
}

template <class T>
bool Job<T>::cancel() const noexcept {
  return detail::cancel_job(*event_);
}

// Waits for the result: copied from a named job, moved out of a moved one.
template <class T>
T await(const Job<T>& job, SourceLocation location = SourceLocation::current()) {
  detail::join_remote(job.event(), nullptr, location);
  return job.result().copy();
}
template <class T>
T await(Job<T>&& job, SourceLocation location = SourceLocation::current()) {
  detail::join_remote(job.event(), nullptr, location);
  return job.result().take();
}
template <class T>
T await(const Job<T>& job, Event& token, SourceLocation location = SourceLocation::current()) {
  detail::join_remote(job.event(), &token, location);
  return job.result().copy();
}

template <class T>
Future<T> Job<T>::future(SourceLocation location) && {
  Promise<T> promise(location);
  Future<T> result = promise.future();
  spawn([job = std::move(*this), kept = std::move(promise),
         location]() mutable { kept.complete_with([&] { return await(std::move(job), location); }, location); },
        location);
  return result;
}

}  // namespace trueasync
