// PidfdProcess: the exit of a process, from a pidfd that the loop polls. Without pidfds (Linux before 5.4, valgrind) it
// uses SIGCHLD and can wait for children only.
#pragma once

#include "reactor/epoll/epoll_reactor.hpp"
#include "reactor/process_event.hpp"

namespace trueasync::detail {

// States: unwatched ⇄ watched (the loop polls) → ended (status recorded; a zombie until reap() if deferred).
class PidfdProcess final : public ProcessEvent, public ReactorObserver {
 public:
  // Returns the event of this process, creating it if necessary.
  static Ref<PidfdProcess> of(EpollReactor& reactor, int pid);

  bool has_ended() noexcept override { return poll_exit(); }
  int send_signal(int signal) noexcept override;
  int send_signal_to_group(int signal) noexcept override;
  void enable_auto_reap() noexcept override;
  void defer_reap() noexcept override { reap_deferred_ = true; }
  void reap() noexcept override;
  bool replay(Notification& result) const noexcept override;
  void on_reactor_closed() noexcept override;

  // For tests: behaves as on a system without pidfds.
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
  void unwatch() noexcept;  // every path that ends the watch calls this
  bool poll_exit() noexcept;
  bool record_exit() noexcept;
  bool query_status() noexcept;
  void on_change() noexcept;
  void unregister() noexcept;

  EpollReactor* reactor_;
  int pidfd_ = -1;
  Watch watch_;
  Ref<PidfdProcess> self_;  // keeps the event alive while auto-reap is enabled
  bool ended_ = false;
  bool reap_deferred_ = false;
  bool zombie_ = false;  // ended while the reap is deferred
};

}  // namespace trueasync::detail
