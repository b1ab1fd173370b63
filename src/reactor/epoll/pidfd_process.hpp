// The end of a process, seen through a pidfd that the loop polls. Without pidfds (Linux before 5.4, valgrind) through
// SIGCHLD: then only children can be waited for.
#pragma once

#include "reactor/epoll/epoll_reactor.hpp"
#include "reactor/process_event.hpp"

namespace trueasync::detail {

// States: unwatched ⇄ watched (the loop listens) → ended (status noted), for a while as a zombie if held back.
class PidfdProcess final : public ProcessEvent, public ReactorObserver {
 public:
  // The one that exists for this process, or a new one.
  static Ref<PidfdProcess> of(EpollReactor& reactor, int pid);

  bool has_ended() noexcept override { return poll_exit(); }
  int send_signal(int signal) noexcept override;
  int send_signal_to_group(int signal) noexcept override;
  void enable_auto_reap() noexcept override;
  void defer_reap() noexcept override { reap_deferred_ = true; }
  void reap() noexcept override;
  bool replay(Notification& result) const noexcept override;
  void on_reactor_closed() noexcept override;

  // For tests: as on a system that has no pidfds.
  static bool without_pidfd;

 protected:
  std::exception_ptr on_start() noexcept override;
  void on_stop() noexcept override;

 private:
  struct Watch : Subscription {
    PidfdProcess* process = nullptr;
    Ref<Event> source;  // readiness of the pidfd, or SIGCHLD
  };

  PidfdProcess(EpollReactor& reactor, int pid);
  ~PidfdProcess() override;

  std::exception_ptr watch() noexcept;
  void unwatch() noexcept;  // all ways out of watching lead here (PR-03)
  bool poll_exit() noexcept;
  bool record_exit() noexcept;
  bool query_status() noexcept;
  void on_change() noexcept;
  void unregister() noexcept;

  EpollReactor* reactor_;
  int pidfd_ = -1;
  Watch watch_;
  Ref<PidfdProcess> self_;  // while it is to be reaped in any case
  bool ended_ = false;
  bool reap_deferred_ = false;
  bool zombie_ = false;  // ended while held back
};

}  // namespace trueasync::detail
