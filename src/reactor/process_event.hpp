// The end of a process (REA-02): fires once, and replays what it found to whoever comes late.
//
// One event per process and reactor however many ask (REA-03): it is the only one that reaps, so waiters can't race for
// the status (PR-07). A process that somebody else has reaped, or that is no child of ours, has ended with its status
// unknown (PR-02). Lifetime: counted; may outlive the reactor. Threads: the reactor's.
#pragma once

#include "reactor/reactor.hpp"

namespace trueasync::detail {

struct ProcessExit {
  int code = 0;
  int signal = 0;  // what killed it; 0: it exited
  bool known = false;
};

class ProcessEvent : public Event {
 public:
  int pid() const noexcept { return pid_; }
  // True also when the loop has not looked yet.
  virtual bool has_ended() noexcept = 0;
  const ProcessExit& end() const noexcept { return end_; }

  // Signals this process, never another that got its number. Returns errno: ESRCH when it has ended.
  virtual int send_signal(int signal) noexcept = 0;
  // Signals the group that it leads, also when it has ended but is held back. ESRCH once it was reaped.
  virtual int send_signal_to_group(int signal) noexcept = 0;
  // A child of ours that nobody may ever wait for: the loop reaps it all the same, without being kept alive by it.
  virtual void enable_auto_reap() noexcept = 0;
  // From now on the end is noted, but the process stays a zombie until reap(): its number, and that of its group, can't
  // go to another one meanwhile. Whoever drops the event reaps, too.
  virtual void defer_reap() noexcept = 0;
  virtual void reap() noexcept = 0;

  std::string describe() const override { return "end of process " + std::to_string(pid_); }

 protected:
  ProcessEvent(LivenessCounts* liveness, int pid) noexcept : Event(liveness), pid_(pid) {}

  int pid_;
  ProcessExit end_;
};

}  // namespace trueasync::detail
