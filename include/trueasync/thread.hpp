// Thread<T>: a function on a thread of its own, and its end as an event: Thread thread([] { return crunch(); }).
//
// Owns: a share of the result; dropping the handle leaves the thread running. Lifetime: the thread may outlive the handle
// and the runtime; then its result goes nowhere (SH-09). It counts as something that can still happen only while somebody
// awaits it (SH-10). Threads: the handle belongs to its runtime's; the function, and what it holds, to the new one.
// Errors: await throws what the function threw, with its type; an error nobody awaited when the last handle goes is
// unhandled, as a coroutine's. Error when no thread can be had.
#pragma once

#include "trueasync/detail/remote_call.hpp"

namespace trueasync {

namespace detail {
TRUEASYNC_EXPORT Ref<Event> start_thread(std::shared_ptr<RemoteCall> call, SourceLocation location);
}

template <class T>
class Thread {
 public:
  // Started at once. A function that takes a std::stop_token gets one; request_stop() fires it.
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

// Waits for its end. From a named thread the result is copied, from a moved one moved out.
template <class T>
T await(const Thread<T>& thread, SourceLocation location = SourceLocation::current()) {
  detail::join_remote(thread.event(), nullptr, location);
  return thread.result().copy();
}
template <class T>
T await(Thread<T>&& thread, SourceLocation location = SourceLocation::current()) {
  detail::join_remote(thread.event(), nullptr, location);
  return thread.result().take();
}
template <class T>
T await(const Thread<T>& thread, Event& token, SourceLocation location = SourceLocation::current()) {
  detail::join_remote(thread.event(), &token, location);
  return thread.result().copy();
}

}  // namespace trueasync
