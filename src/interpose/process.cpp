// The end of processes: wait and its family, pclose, system. A process by its number is waited for in the loop, by a
// descriptor of it; any child, and changes that are no end, by a thread that looks without taking (WNOWAIT), so that
// nothing is lost when whoever waits leaves.
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
  int options;  // waitid's

  // Blocks the thread until there is something to take, or nothing to wait for.
  void operator()() const noexcept {
    siginfo_t info = {};
    ::waitid(type, id, &info, options | WNOWAIT);
  }
};

ChildSelector children_of(pid_t process, int options) noexcept {
  const int changes = WEXITED | ((options & WUNTRACED) ? WSTOPPED : 0) | (options & WCONTINUED) |
                      (options & static_cast<int>(__WALL | __WCLONE | __WNOTHREAD));
  if (process > 0) return {P_PID, static_cast<id_t>(process), changes};
  if (process == -1) return {P_ALL, 0, changes};
  return {P_PGID, static_cast<id_t>(process == 0 ? ::getpgrp() : -process), changes};
}

WaitResult wait_for_end(Scheduler& scheduler, const char* call, int pidfd) noexcept {
  TrackedDescriptor* fresh = new (std::nothrow) TrackedDescriptor(pidfd, FileIdentity::of(pidfd));
  if (!fresh) return WaitResult::unsupported;
  return wait_ready(scheduler, *Ref<TrackedDescriptor>::adopt(fresh), Side::in, call, TimePoint::max());
}

WaitResult wait_for_change(Scheduler& scheduler, const char* call, const ChildSelector& children) noexcept {
  if (children.type == P_PID && children.options == WEXITED) {
    const int pidfd = static_cast<int>(::syscall(SYS_pidfd_open, children.id, 0u));
    if (pidfd >= 0) {
      const WaitResult waited = wait_for_end(scheduler, call, pidfd);
      const ErrnoGuard kept;
      ::close(pidfd);
      kept.restore();
      if (waited != WaitResult::unsupported) return waited;
    }
  }
  try {
    return run_on_helper(scheduler, call, HelperFamily::process, make_job(children));
  } catch (...) {
    return WaitResult::unsupported;
  }
}

// `look` asks without waiting: 0 when there is nothing yet.
template <class Look, class Block>
pid_t wait_in(Scheduler& scheduler, const char* call, const ChildSelector& children, Look&& look,
              Block&& block) noexcept {
  for (;;) {
    if (const pid_t found = look(); found != 0) return found;
    switch (wait_for_change(scheduler, call, children)) {
      case WaitResult::interrupted:
        if (children.type == P_PID) notify_child_wait_abandoned(static_cast<int>(children.id));
        return -1;
      case WaitResult::unsupported:
        return block();
      default:
        break;
    }
  }
}

struct Closing {
  static constexpr bool kAlwaysRuns = true;  // or nobody would
  FILE* stream;
  int result = -1;
  void operator()() noexcept { result = ::pclose(stream); }
};

struct Command {
  std::string text;
  sigset_t signals;  // what the caller blocks: the command inherits it
  int result = -1;
  void operator()() noexcept {
    sigset_t before;
    ::pthread_sigmask(SIG_SETMASK, &signals, &before);
    result = ::system(text.c_str());
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
};

template <class Call, class Block>
int run_process_call(Scheduler& scheduler, const char* call, Call made, Block&& block) noexcept {
  try {
    const auto job = make_job(std::move(made));
    switch (run_on_helper(scheduler, call, HelperFamily::process, job)) {
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
  return wait_in(
      *scheduler, "waitpid", children_of(process, options),
      [=] { return ::wait4(process, status, options | WNOHANG, usage); },
      [=] { return ::wait4(process, status, options, usage); });
}

int waitid(idtype_t type, id_t id, siginfo_t* info, int options) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler || (options & WNOHANG)) return ::waitid(type, id, info, options);
  const auto look = [=]() -> pid_t {
    siginfo_t found = {};
    const int result = ::waitid(type, id, &found, options | WNOHANG);
    if (result == 0 && found.si_pid == 0) return 0;
    if (result == 0 && info) *info = found;
    return result == 0 ? 1 : -1;
  };
  const pid_t result = wait_in(*scheduler, "waitid", {type, id, options & ~WNOWAIT}, look,
                               [=] { return ::waitid(type, id, info, options) == 0 ? 1 : -1; });
  return result < 0 ? -1 : 0;
}

int pclose(FILE* stream) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler || !stream) return ::pclose(stream);
  if (auto* table = DescriptorTable::existing()) table->close(::fileno(stream));
  return run_process_call(*scheduler, "pclose", Closing{stream}, [=] { return ::pclose(stream); });
}

int system(const char* command) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler || !command) return ::system(command);
  try {
    Command made{command, {}};
    ::pthread_sigmask(SIG_SETMASK, nullptr, &made.signals);
    return run_process_call(*scheduler, "system", std::move(made), [=] { return ::system(command); });
  } catch (...) {
    return ::system(command);
  }
}

}  // namespace trueasync::detail::interpose::calls
