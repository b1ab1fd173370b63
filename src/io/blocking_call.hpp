// BlockingCall: a system call without a handle – open, rename, stat – made by a thread.
//
// Owns: everything the call works with, results included, so that whoever waits may leave (R2). Threads: the call on a
// thread of the pool, the rest on the runtime's.
#pragma once

#include <utility>

#include "io/io_handle.hpp"
#include "reactor/work_event.hpp"
#include "scheduler/api_support.hpp"

namespace trueasync::detail {

// For the on_start() of work that is submitted by the first wait for it.
inline std::exception_ptr submit_now(WorkEvent& work) noexcept {
  try {
    require_scheduler("work on a thread").reactor().submit(work);
    return nullptr;
  } catch (...) {
    return std::current_exception();
  }
}

// `Call` returns 0 or errno, and keeps what it finds out in itself.
template <class Call>
class BlockingCall final : public WorkEvent {
 public:
  BlockingCall(const char* what, Call work) : WorkEvent(what), call(std::move(work)) {}
  void run() noexcept override { error = call(); }

  Call call;
  int error = 0;

 protected:
  bool is_cancellable() const noexcept override { return true; }
  // A wait that is refused – the coroutine is cancelled – begins nothing.
  std::exception_ptr on_start() noexcept override { return is_in_flight() || is_done() ? nullptr : submit_now(*this); }
};

// Suspends until it is done, and returns it for its results. Throws TimeoutError, Cancelled, and Error where there are
// no threads.
template <class Call>
Ref<BlockingCall<Call>> run_blocking(const char* what, Call call, Limit timeout, SourceLocation location) {
  Scheduler& scheduler = require_scheduler(what);
  auto work = Ref<BlockingCall<Call>>::adopt(new BlockingCall<Call>(what, std::move(call)));
  WaitEntry entry(*work);
  WaitRequest request;
  request.entries = std::span(&entry, 1);
  request.deadline = to_deadline(timeout);
  throw_wait_error(scheduler, scheduler.wait(request, location), &request);
  return work;
}

}  // namespace trueasync::detail
