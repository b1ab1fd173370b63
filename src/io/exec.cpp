#include "trueasync/io/process.hpp"

#include <algorithm>

#include "io/exec_call.hpp"
#include "reactor/process_event.hpp"
#include "reactor/timer_queue.hpp"
#include "scheduler/api_support.hpp"
#include "trueasync/cancel.hpp"
#include "trueasync/detail/access.hpp"

namespace trueasync {

namespace detail {

namespace {

// Output that was written before the exit needs a loop iteration to be read.
constexpr Duration kMinOutputTimeout = std::chrono::milliseconds(10);

}  // namespace

// Collects the events of the exit, the output and the error output that have not fired. Returns their number.
std::size_t ExecCall::collect_pending(Entries& entries) {
  std::size_t count = 0;
  if (!run_->process.status()) entries[count++].event = &run_->process.event();
  for (const Task<void>& reader : readers_) {
    if (reader && !reader.is_finished()) entries[count++].event = &reader.event();
  }
  return count;
}

ExecCall::Ended ExecCall::wait_for_end(IoWait wait, std::optional<Duration> output_timeout) {
  Scheduler& scheduler = require_scheduler("exec");
  const TimePoint deadline = deadline_or_max(wait);
  TimePoint output_deadline = TimePoint::max();
  while (true) {
    Entries entries;
    std::size_t count = collect_pending(entries);
    if (run_->failure || run_->output_limit_exceeded) return Ended::failed;
    if (count == 0) return Ended::exited;
    const TimePoint now = scheduler.reactor().now();
    if (output_timeout && output_deadline == TimePoint::max() && run_->process.status()) {
      output_deadline = deadline_after(now, std::max(*output_timeout, kMinOutputTimeout));
    }
    if (now >= output_deadline) return Ended::exited;
    if (now >= deadline) return Ended::timed_out;
    // The call does not wait for the input to be read completely, but writing it may fail.
    if (feeder_ && !feeder_.is_finished()) entries[count++].event = &feeder_.event();
    if (wait.token()) {
      entries[count].event = wait.token();
      entries[count++].is_token = true;
    }
    WaitRequest request;
    request.entries = std::span(entries.data(), count);
    if (const TimePoint end = std::min(output_deadline, deadline); end != TimePoint::max()) request.deadline = end;
    const WakeReason reason = scheduler.wait(request, location_);
    if (reason == WakeReason::cancelled) return Ended::cancelled;
    if (reason == WakeReason::token) {
      token_error_ = to_io_result(reason, request).cause;
      return Ended::token;
    }
    if (reason == WakeReason::error) {
      run_->failure = request.error;
      return Ended::failed;
    }
  }
}

void ExecCall::signal_group(int signal) noexcept {
  try {
    run_->process.kill(signal, KillTarget::group);
  } catch (const IoError&) {
    // The process changed its credentials and cannot be signalled. The call waits for it nevertheless.
  }
}

// Sends SIGTERM to the process group, then SIGKILL. Keeps the first failure: errors during termination are ignored.
void ExecCall::terminate() {
  const std::exception_ptr failure = std::exchange(run_->failure, nullptr);
  run_->output_limit_exceeded = false;
  signal_group(SIGTERM);
  wait_for_end(start_wait(run_->options.grace), Duration(0));
  // Also if the process has exited: other processes of its group may still run.
  signal_group(SIGKILL);
  while (!run_->process.status() && wait_for_end({}, Duration(0)) == Ended::failed) {
    run_->failure = nullptr;
    run_->output_limit_exceeded = false;
  }
  if (failure) run_->failure = failure;
}

// Cancels the coroutines of the call and waits until they have finished.
void ExecCall::finish_tasks() {
  Scheduler& scheduler = require_scheduler("exec");
  for (const Task<void>* task : {&feeder_, &readers_[0], &readers_[1]}) {
    if (!*task) continue;
    task->cancel();
    if (task->is_finished()) continue;
    WaitEntry entry(task->event());
    WaitRequest request;
    request.entries = std::span(&entry, 1);
    scheduler.wait(request, location_);
  }
  run_->process.input().close();
  run_->process.output().close();
  run_->process.error_output().close();
}

ExecResult ExecCall::run(IoWait wait) {
  Scheduler& scheduler = require_scheduler("exec");
  const Ended ended = wait_for_end(wait, run_->options.output_timeout);
  protect([&] {
    if (ended != Ended::exited) terminate();
    finish_tasks();
  });
  if (ended == Ended::cancelled) throw_cancelled(*scheduler.running());
  Access::handle(run_->process).reap();
  if (ended == Ended::token) throw_operation_cancelled(*scheduler.running(), token_error_);
  if (run_->failure) std::rethrow_exception(run_->failure);
  run_->result.timed_out = ended == Ended::timed_out;
  run_->result.status = run_->process.status().value_or(ExitStatus{});
  return std::move(run_->result);
}

}  // namespace detail

ExecResult exec(ExecOptions options, WaitOptions wait, SourceLocation location) {
  detail::ExecCall call(std::move(options), location);
  return call.run(detail::start_wait(wait));
}

}  // namespace trueasync
