#include "trueasync/exec.hpp"

#include <algorithm>

#include "io/exec_call.hpp"
#include "reactor/process_event.hpp"
#include "reactor/timer_queue.hpp"
#include "scheduler/api_support.hpp"
#include "trueasync/cancel.hpp"

namespace trueasync {

namespace detail {

namespace {

// Output that was written before the exit needs a loop iteration to be read.
constexpr std::chrono::nanoseconds kMinLinger = std::chrono::milliseconds(10);

}  // namespace

// Collects the events of the exit, the output and the error output that have not fired. Returns their number.
std::size_t ExecCall::collect_pending(std::array<WaitEntry, 4>& entries) {
  std::size_t count = 0;
  if (!run_->process.status()) entries[count++].event = &run_->process.event();
  for (const Task<void>& reader : readers_) {
    if (reader && !reader.is_finished()) entries[count++].event = &reader.event();
  }
  return count;
}

ExecCall::Ended ExecCall::wait_for_end(std::optional<TimePoint> deadline, Limit linger) {
  Scheduler& scheduler = require_scheduler("exec");
  std::optional<TimePoint> linger_end;
  while (true) {
    std::array<WaitEntry, 4> entries;
    std::size_t count = collect_pending(entries);
    if (run_->failure || run_->output_limit_exceeded) return Ended::failed;
    if (count == 0) return Ended::exited;
    const TimePoint now = scheduler.reactor().now();
    if (linger && !linger_end && run_->process.status()) {
      linger_end = deadline_after(now, std::max(*linger, kMinLinger));
    }
    if (linger_end && now >= *linger_end) return Ended::exited;
    if (deadline && now >= *deadline) return Ended::timed_out;
    // The call does not wait for the input to be read completely, but writing it may fail.
    if (feeder_ && !feeder_.is_finished()) entries[count++].event = &feeder_.event();
    WaitRequest request;
    request.entries = std::span(entries.data(), count);
    request.deadline = linger_end && (!deadline || *linger_end < *deadline) ? linger_end : deadline;
    const WakeReason reason = scheduler.wait(request, location_);
    if (reason == WakeReason::cancelled) return Ended::cancelled;
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
  Scheduler& scheduler = require_scheduler("exec");
  const std::exception_ptr failure = std::exchange(run_->failure, nullptr);
  run_->output_limit_exceeded = false;
  const auto wait = [&](std::optional<std::chrono::nanoseconds> timeout) {
    std::optional<TimePoint> deadline;
    if (timeout) deadline = deadline_after(scheduler.reactor().now(), *timeout);
    return wait_for_end(deadline, std::chrono::nanoseconds(0));
  };
  signal_group(SIGTERM);
  wait(run_->options.grace);
  // Also if the process has exited: other processes of its group may still run.
  signal_group(SIGKILL);
  while (!run_->process.status() && wait(std::nullopt) == Ended::failed) {
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

ExecResult ExecCall::run() {
  Scheduler& scheduler = require_scheduler("exec");
  std::optional<TimePoint> deadline;
  if (run_->options.timeout) deadline = deadline_after(scheduler.reactor().now(), *run_->options.timeout);
  const Ended ended = wait_for_end(deadline, run_->options.output_timeout);
  protect([&] {
    if (ended != Ended::exited) terminate();
    finish_tasks();
  });
  if (ended == Ended::cancelled) throw_cancelled(*scheduler.running());
  run_->process.handle().reap();
  if (run_->failure) std::rethrow_exception(run_->failure);
  run_->result.timed_out = ended == Ended::timed_out;
  run_->result.status = run_->process.status().value_or(ExitStatus{});
  return std::move(run_->result);
}

}  // namespace detail

ExecResult exec(ExecOptions options, SourceLocation location) {
  return detail::ExecCall(std::move(options), location).run();
}

}  // namespace trueasync
