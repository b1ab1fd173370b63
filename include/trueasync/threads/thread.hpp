// Thread: runs a function on a new thread; its end is an event: Thread thread([] { return crunch(); }).
//
// A running thread counts for deadlock detection only while a coroutine awaits it.
//
// Ownership: a share of the result; destroying the handle leaves the thread running.
// Lifetime: the thread may outlive the handle and the runtime; its result is then dropped.
// Thread safety: the handle belongs to its runtime, the function and its captures to the new thread.
// Errors: await() throws the error of the function with its type. An error that is unobserved when the last handle is
// destroyed is unhandled. The constructor throws Error if no thread can be created.
#pragma once

#include "trueasync/detail/remote_call.hpp"

namespace trueasync {

namespace detail {
TRUEASYNC_EXPORT Ref<Event> start_thread(std::shared_ptr<RemoteCall> call, SourceLocation location);
}

template <class T>
class Thread {
 public:
  // Starts the thread. A function that takes a std::stop_token gets a token that request_stop() fires.
  template <class F>
  explicit Thread(F&& function, SourceLocation location = SourceLocation::current()) {
    auto call = detail::make_remote(std::forward<F>(function));
    event_ = detail::start_thread(call, location);
    result_ = std::move(call);
  }
  Thread(Thread&&) noexcept = default;
  Thread& operator=(Thread&&) noexcept = default;

  Event& event() const noexcept { return *event_; }
  bool is_finished() const noexcept { return detail::is_remote_done(*event_); }
  void request_stop() const noexcept { result_->request_stop(); }
  detail::RemoteResult<T>& result() const noexcept { return *result_; }

 private:
  Ref<Event> event_;
  std::shared_ptr<detail::RemoteResult<T>> result_;
};

template <class F>
explicit Thread(F&&) -> Thread<detail::RemoteReturnOf<F>>;

// Waits until the thread has finished. The result is copied from a named handle and moved from a moved handle.
template <class T>
T await(const Thread<T>& thread, WaitOptions options = {}, SourceLocation location = SourceLocation::current()) {
  detail::join_remote(thread.event(), options, location);
  return thread.result().copy();
}
template <class T>
T await(Thread<T>&& thread, WaitOptions options = {}, SourceLocation location = SourceLocation::current()) {
  detail::join_remote(thread.event(), options, location);
  return thread.result().take();
}

}  // namespace trueasync
