// BlockingCall: a system call without a handle, such as open, rename or stat, that runs on a worker thread.
//
// Ownership: owns the arguments and the results of the call, so the waiter may stop waiting at any time.
// Thread safety: run() runs on a worker thread, everything else on the runtime's thread.
#pragma once

#include <utility>

#include "io/io_handle.hpp"
#include "reactor/work_event.hpp"
#include "scheduler/api_support.hpp"

namespace trueasync::detail {

// For the on_start() of work that the first wait submits.
inline std::exception_ptr submit_now(WorkEvent& work) noexcept {
  try {
    require_scheduler("blocking call").reactor().submit(work);
    return nullptr;
  } catch (...) {
    return std::current_exception();
  }
}

// `Call` returns 0 or errno and stores its results in its own members.
template <class Call>
class BlockingCall final : public WorkEvent {
 public:
  BlockingCall(const char* operation, Call function) : WorkEvent(operation), call(std::move(function)) {}
  void run() noexcept override { error = call(); }

  Call call;
  int error = 0;

 protected:
  bool is_cancellable() const noexcept override { return true; }
  // Called only when a wait is accepted: a cancelled coroutine submits nothing.
  std::exception_ptr on_start() noexcept override { return is_in_flight() || is_done() ? nullptr : submit_now(*this); }
};

// Suspends until `call` has run and returns it with its results. Throws TimeoutError, OperationCancelled, Cancelled, and
// Error in a runtime without worker threads.
template <class Call>
Ref<BlockingCall<Call>> run_blocking(const char* operation, Call call, ::trueasync::WaitOptions options,
                                     SourceLocation location) {
  require_scheduler(operation);
  auto work = Ref<BlockingCall<Call>>::adopt(new BlockingCall<Call>(operation, std::move(call)));
  Event* events[] = {work.get()};
  wait_any(events, options, location);
  return work;
}

}  // namespace trueasync::detail
