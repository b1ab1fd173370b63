// The end of a process, seen through a pidfd that the loop polls. Without pidfds (Linux before 5.4, valgrind) through
// SIGCHLD: then only children can be waited for.
#pragma once

#include "reactor/process_event.hpp"
#include "reactor/uv/uv_reactor.hpp"

namespace trueasync::detail {

// States: unwatched ⇄ watched (the loop listens) → ended (status noted), for a while as a zombie if held back.
class UvProcess final : public ProcessEvent, public ReactorGuest {
 public:
  // The one that exists for this process, or a new one.
  static Ref<UvProcess> of(UvReactor& reactor, int pid);

  bool has_ended() noexcept override { return look(); }
  int send(int signal) noexcept override;
  int send_to_group(int signal) noexcept override;
  void reap_in_any_case() noexcept override;
  void hold_back() noexcept override { held_back_ = true; }
  void reap() noexcept override;
  bool replay(Notification& result) const noexcept override;
  void on_reactor_gone() noexcept override;

  // For tests: as on a system that has no pidfds.
  static bool without_pidfd;

 protected:
  std::exception_ptr on_start() noexcept override;
  void on_stop() noexcept override;

 private:
  struct Watch : Subscription {
    UvProcess* process = nullptr;
    Ref<Event> source;  // readiness of the pidfd, or SIGCHLD
  };

  UvProcess(UvReactor& reactor, int pid);
  ~UvProcess() override;

  std::exception_ptr watch() noexcept;
  void unwatch() noexcept;  // all ways out of watching lead here (PR-03)
  bool look() noexcept;
  bool note_end() noexcept;
  bool ask_for_status() noexcept;
  void on_change() noexcept;
  void leave_table() noexcept;

  UvReactor* reactor_;
  int pidfd_ = -1;
  Watch watch_;
  Ref<UvProcess> self_;  // while it is to be reaped in any case
  bool ended_ = false;
  bool held_back_ = false;
  bool zombie_ = false;  // ended while held back
};

}  // namespace trueasync::detail
