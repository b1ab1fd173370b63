// ProcessEvent: the exit of a process. Fires once and replays the result to later waiters.
//
// A reactor has one event per process. Only this event reaps, so waiters cannot race for the status. The status is
// unknown if the process is not a child or was reaped by other code.
//
// Lifetime: reference-counted; may outlive the reactor.
// Thread safety: the reactor's thread.
#pragma once

#include "reactor/reactor.hpp"

namespace trueasync::detail {

struct ProcessExit {
  int code = 0;
  int signal = 0;  // the signal that killed it; 0: it exited
  bool known = false;
};

class ProcessEvent : public Event {
 public:
  int pid() const noexcept { return pid_; }
  // Checks the process itself, so it may return true before the loop has noticed the exit.
  virtual bool has_ended() noexcept = 0;
  const ProcessExit& end() const noexcept { return end_; }

  // Signals this process, never another process that reuses its pid. Returns errno: ESRCH if it has ended.
  virtual int send_signal(int signal) noexcept = 0;
  // Signals the process group that it leads, also after its end while the reap is deferred. Returns ESRCH after the
  // reap.
  virtual int send_signal_to_group(int signal) noexcept = 0;
  // The loop reaps the child even if no coroutine ever waits for it. This does not keep the loop alive.
  virtual void enable_auto_reap() noexcept = 0;
  // From now on the exit is recorded, but the process stays a zombie until reap(), so that its pid and group id cannot
  // be reused. Destroying the event reaps too.
  virtual void defer_reap() noexcept = 0;
  virtual void reap() noexcept = 0;

  std::string describe() const override { return "exit of process " + std::to_string(pid_); }

 protected:
  ProcessEvent(LivenessCounts* liveness, int pid) noexcept : Event(liveness), pid_(pid) {}

  int pid_;
  ProcessExit end_;
};

}  // namespace trueasync::detail
