#include "reactor/epoll/pidfd_process.hpp"

#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "trueasync/error.hpp"

namespace trueasync::detail {

namespace {

// Older C libraries have no wrappers for these system calls.
int open_pidfd(int pid) noexcept { return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0u)); }
int signal_pidfd(int pidfd, int signal) noexcept {
  return static_cast<int>(::syscall(SYS_pidfd_send_signal, pidfd, signal, nullptr, 0u));
}

bool is_readable(int fd) noexcept {
  pollfd entry{fd, POLLIN, 0};
  return ::poll(&entry, 1, 0) > 0;
}

}  // namespace

bool PidfdProcess::without_pidfd = false;

Ref<PidfdProcess> PidfdProcess::of(EpollReactor& reactor, int pid) {
  if (auto found = reactor.processes().find(pid); found != reactor.processes().end()) {
    return Ref<PidfdProcess>(found->second);
  }
  return Ref<PidfdProcess>::adopt(new PidfdProcess(reactor, pid));
}

PidfdProcess::PidfdProcess(EpollReactor& reactor, int pid)
    : ProcessEvent(&reactor.liveness(), pid), reactor_(&reactor) {
  watch_.process = this;
  watch_.persistent = true;
  watch_.callback = [](Subscription& self, const Notification&) noexcept {
    static_cast<Watch&>(self).process->on_change();
  };
  reactor.processes().emplace(pid, this);
  reactor.observers().push_back(*this);
  pidfd_ = without_pidfd ? -1 : open_pidfd(pid);
  if (pidfd_ < 0 && !without_pidfd && errno == ESRCH) {
    ended_ = true;
    unregister();
  }
}

PidfdProcess::~PidfdProcess() {
  reap();
  unwatch();
  unregister();
  if (pidfd_ >= 0) ::close(pidfd_);
  if (ReactorObserver::is_linked()) ReactorObserver::unlink();
}

// From now on the pid may belong to another process.
void PidfdProcess::unregister() noexcept {
  if (!reactor_) return;
  auto found = reactor_->processes().find(pid_);
  if (found != reactor_->processes().end() && found->second == this) reactor_->processes().erase(found);
}

// Returns true if the process has ended.
bool PidfdProcess::query_status() noexcept {
  const int options = WEXITED | WNOHANG | (reap_deferred_ ? WNOWAIT : 0);
  siginfo_t info{};
  int result = -1;
  do {
    info.si_pid = 0;
    result = pidfd_ >= 0 ? ::waitid(P_PIDFD, static_cast<id_t>(pidfd_), &info, options)
                         : ::waitid(P_PID, static_cast<id_t>(pid_), &info, options);
  } while (result != 0 && errno == EINTR);
  if (result == 0 && info.si_pid == 0) return false;
  if (result == 0) {
    const bool exited = info.si_code == CLD_EXITED;
    end_ = {exited ? info.si_status : 0, exited ? 0 : info.si_status, true};
    return true;
  }
  // Not a child, or already reaped. Without a pidfd it may even be running.
  return pidfd_ >= 0 || ::kill(pid_, 0) != 0;
}

bool PidfdProcess::record_exit() noexcept {
  if (ended_) return true;
  if (pidfd_ >= 0 && !is_readable(pidfd_)) return false;
  if (!query_status()) return false;
  ended_ = true;
  zombie_ = reap_deferred_ && end_.known;
  if (!zombie_) unregister();
  return true;
}

// The caller holds a reference to the event.
bool PidfdProcess::poll_exit() noexcept {
  if (!record_exit()) return false;
  if (!is_active()) {  // no waiter needs a notification
    unwatch();
    self_ = nullptr;
  }
  return true;
}

void PidfdProcess::reap() noexcept {
  reap_deferred_ = false;
  if (!std::exchange(zombie_, false)) return;
  const ProcessExit end = end_;
  query_status();
  end_ = end;  // keep_alive the status that was recorded first
  unregister();
}

bool PidfdProcess::replay(Notification& result) const noexcept {
  result = {};
  return const_cast<PidfdProcess*>(this)->poll_exit();  // may reap; the state is a cache of the kernel's
}

int PidfdProcess::send_signal(int signal) noexcept {
  if (ended_) return ESRCH;
  const int result = pidfd_ >= 0 ? signal_pidfd(pidfd_, signal) : ::kill(pid_, signal);
  return result == 0 ? 0 : errno;
}

int PidfdProcess::send_signal_to_group(int signal) noexcept {
  if (ended_ && !zombie_) return ESRCH;  // the id may belong to another group
  return ::kill(-pid_, signal) == 0 ? 0 : errno;
}

void PidfdProcess::enable_auto_reap() noexcept {
  if (poll_exit() || self_ || !reactor_) return;
  if (watch()) return;  // out of memory: the next waiter reaps
  self_ = Ref<PidfdProcess>(this);
}

std::exception_ptr PidfdProcess::on_start() noexcept {
  if (!reactor_) return std::make_exception_ptr(MisuseError("wait for " + describe() + ": the runtime was destroyed"));
  return watch();
}

void PidfdProcess::on_stop() noexcept {
  if (!self_) unwatch();
}

std::exception_ptr PidfdProcess::watch() noexcept {
  try {
    if (watch_.source) return nullptr;
    Ref<Event> event = pidfd_ >= 0 ? reactor_->new_poll(pidfd_, kPollReadable) : reactor_->new_signal(SIGCHLD);
    event->set_background();  // the PidfdProcess itself counts as foreground while it is started
    if (auto error = event->start()) return error;
    watch_.source = std::move(event);
    watch_.source->subscribe(watch_);
    // Without a pidfd the process may have ended before the watch: trigger a check by the loop.
    if (pidfd_ < 0 && record_exit()) ::kill(::getpid(), SIGCHLD);
    return nullptr;
  } catch (...) {
    return std::current_exception();
  }
}

void PidfdProcess::unwatch() noexcept {
  Ref<Event> event = std::move(watch_.source);
  if (!event) return;
  event->unsubscribe(watch_);
  event->stop();
}

void PidfdProcess::on_change() noexcept {
  Ref<PidfdProcess> keep_alive(this);
  if (!record_exit()) return;
  unwatch();
  self_ = nullptr;
  notify({});
}

void PidfdProcess::on_reactor_closed() noexcept {
  Ref<PidfdProcess> keep_alive(this);
  unwatch();
  detach_liveness();
  unregister();
  reactor_ = nullptr;
  self_ = nullptr;
}

}  // namespace trueasync::detail
