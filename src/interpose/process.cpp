// The wait family, pclose and system. The exit of one process is waited for in the reactor by a pidfd. Other waits (any
// child, stop and continue events) run on a helper thread with WNOWAIT. That thread does not reap the child, so an
// interrupted waiter loses no status.
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "interpose/blocking_wait.hpp"
#include "interpose/calls.hpp"
#include "interpose/helper_threads.hpp"

namespace trueasync::detail::interpose::calls {

namespace {

struct ChildSelector {
  idtype_t type;
  id_t id;
  int options;  // of waitid()

  // Blocks the thread until a child can be reaped or no child matches.
  void operator()() const noexcept {
    siginfo_t info = {};
    ::waitid(type, id, &info, options | WNOWAIT);
  }
};

ChildSelector to_selector(pid_t process, int options) noexcept {
  const int events = WEXITED | ((options & WUNTRACED) ? WSTOPPED : 0) | (options & WCONTINUED) |
                     (options & static_cast<int>(__WALL | __WCLONE | __WNOTHREAD));
  if (process > 0) return {P_PID, static_cast<id_t>(process), events};
  if (process == -1) return {P_ALL, 0, events};
  return {P_PGID, static_cast<id_t>(process == 0 ? ::getpgrp() : -process), events};
}

WaitResult wait_for_exit(Scheduler& scheduler, const char* call, int pidfd) noexcept {
  TrackedDescriptor* descriptor = new (std::nothrow) TrackedDescriptor(pidfd, FileIdentity::of(pidfd));
  if (!descriptor) return WaitResult::unsupported;
  return wait_ready(scheduler, *Ref<TrackedDescriptor>::adopt(descriptor), Side::in, call, TimePoint::max());
}

WaitResult wait_for_change(Scheduler& scheduler, const char* call, const ChildSelector& selector) noexcept {
  if (selector.type == P_PID && selector.options == WEXITED) {
    const int pidfd = static_cast<int>(::syscall(SYS_pidfd_open, selector.id, 0u));
    if (pidfd >= 0) {
      const WaitResult waited = wait_for_exit(scheduler, call, pidfd);
      const ErrnoGuard errno_guard;
      ::close(pidfd);
      errno_guard.restore();
      if (waited != WaitResult::unsupported) return waited;
    }
  }
  try {
    return run_on_helper(scheduler, call, HelperFamily::process, make_job(selector));
  } catch (...) {
    return WaitResult::unsupported;
  }
}

// `try_wait` does not block and returns 0 if no child has changed state.
template <class TryWait, class Block>
pid_t wait_suspending(Scheduler& scheduler, const char* call, const ChildSelector& selector, TryWait&& try_wait,
                      Block&& block) noexcept {
  for (;;) {
    if (const pid_t found = try_wait(); found != 0) return found;
    switch (wait_for_change(scheduler, call, selector)) {
      case WaitResult::interrupted:
        if (selector.type == P_PID) notify_child_wait_abandoned(static_cast<int>(selector.id));
        return -1;
      case WaitResult::unsupported:
        return block();
      default:
        break;
    }
  }
}

struct PcloseCall {
  static constexpr bool kAlwaysRuns = true;  // else the stream would leak and the child stay unreaped
  FILE* stream;
  int result = -1;
  void operator()() noexcept { result = ::pclose(stream); }
};

struct SystemCommand {
  std::string text;
  sigset_t signals;  // the caller's signal mask, inherited by the command
  int result = -1;
  void operator()() noexcept {
    sigset_t before;
    ::pthread_sigmask(SIG_SETMASK, &signals, &before);
    result = ::system(text.c_str());
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
};

template <class Call, class Block>
int run_process_call(Scheduler& scheduler, const char* name, Call call, Block&& block) noexcept {
  try {
    const auto job = make_job(std::move(call));
    switch (run_on_helper(scheduler, name, HelperFamily::process, job)) {
      case WaitResult::ready:
        if (job->call.result == -1) errno = job->error();
        return job->call.result;
      case WaitResult::interrupted:
        return -1;
      default:
        break;
    }
  } catch (...) {
  }
  return block();
}

}  // namespace

pid_t wait(int* status) noexcept { return calls::wait4(-1, status, 0, nullptr); }

pid_t waitpid(pid_t process, int* status, int options) noexcept {
  return calls::wait4(process, status, options, nullptr);
}

pid_t wait3(int* status, int options, rusage* usage) noexcept { return calls::wait4(-1, status, options, usage); }

pid_t wait4(pid_t process, int* status, int options, rusage* usage) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler || (options & WNOHANG)) return ::wait4(process, status, options, usage);
  return wait_suspending(
      *scheduler, "waitpid", to_selector(process, options),
      [=] { return ::wait4(process, status, options | WNOHANG, usage); },
      [=] { return ::wait4(process, status, options, usage); });
}

int waitid(idtype_t type, id_t id, siginfo_t* info, int options) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler || (options & WNOHANG)) return ::waitid(type, id, info, options);
  const auto try_wait = [=]() -> pid_t {
    siginfo_t found = {};
    const int result = ::waitid(type, id, &found, options | WNOHANG);
    if (result == 0 && found.si_pid == 0) return 0;
    if (result == 0 && info) *info = found;
    return result == 0 ? 1 : -1;
  };
  const pid_t result = wait_suspending(*scheduler, "waitid", {type, id, options & ~WNOWAIT}, try_wait,
                                       [=] { return ::waitid(type, id, info, options) == 0 ? 1 : -1; });
  return result < 0 ? -1 : 0;
}

int pclose(FILE* stream) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler || !stream) return ::pclose(stream);
  if (auto* table = DescriptorTable::existing()) table->close(::fileno(stream));
  return run_process_call(*scheduler, "pclose", PcloseCall{stream}, [=] { return ::pclose(stream); });
}

int system(const char* command) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler || !command) return ::system(command);
  try {
    SystemCommand call{command, {}};
    ::pthread_sigmask(SIG_SETMASK, nullptr, &call.signals);
    return run_process_call(*scheduler, "system", std::move(call), [=] { return ::system(command); });
  } catch (...) {
    return ::system(command);
  }
}

}  // namespace trueasync::detail::interpose::calls
