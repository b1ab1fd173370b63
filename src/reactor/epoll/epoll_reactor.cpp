#include "reactor/epoll/epoll_reactor.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "base/check.hpp"
#include "reactor/epoll/epoll_registration.hpp"
#include "reactor/epoll/inotify_watch.hpp"
#include "reactor/epoll/pidfd_process.hpp"
#include "reactor/uv/uv_lookup.hpp"
#include "reactor/uv/uv_poll.hpp"
#include "reactor/uv/uv_signal.hpp"
#include "reactor/uv/uv_trigger.hpp"
#include "reactor/uv/uv_work.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail {

namespace {

// cmake/options.cmake and php/config.m4 require the same version.
constexpr unsigned kMinUvVersion = (1u << 16) | (44u << 8);  // 1.44.0

// Counts the forks in this process's ancestry since the first loop was created. A loop that was created under another
// count shares its epoll descriptor with the parent and must be set up again before use.
std::atomic<unsigned> forks{0};

void count_forks() {
  static const int registered = pthread_atfork(nullptr, nullptr, [] { forks.fetch_add(1, std::memory_order_relaxed); });
  if (registered != 0) throw Error("pthread_atfork failed: out of memory");
}

void ignore_async(uv_async_t*) {}

// epoll_wait takes milliseconds as an int; a longer wait polls again.
constexpr std::chrono::milliseconds kMaxPollTimeout = std::chrono::hours(24);

// The maximum delay of a close by requests on worker threads.
constexpr std::chrono::milliseconds kDrainTimeout{1000};

// Leaks a loop that a stuck thread may still write to. The list keeps it reachable for leak checkers.
void leak_loop(std::unique_ptr<uv_loop_t> loop) noexcept {
  struct Kept {
    std::unique_ptr<uv_loop_t> loop;
    Kept* next;
  };
  static std::atomic<Kept*> all{nullptr};
  auto* kept = new Kept{std::move(loop), all.load(std::memory_order_relaxed)};
  while (!all.compare_exchange_weak(kept->next, kept, std::memory_order_release, std::memory_order_relaxed)) {
  }
}

}  // namespace

std::exception_ptr uv_error(const char* operation, int code) {
  return std::make_exception_ptr(Error(std::string(operation) + ": " + uv_strerror(code)));
}

EpollReactor::EpollReactor() {
  if (uv_version() < kMinUvVersion) {
    throw Error(std::string("libuv ") + uv_version_string() + " is too old; version 1.44 or later is required");
  }
  count_forks();
  forks_seen_ = forks.load(std::memory_order_relaxed);
  if (int code = uv_loop_init(loop_.get())) throw Error(std::string("uv_loop_init: ") + uv_strerror(code));
  wake_up_ = new uv_async_t;
  uv_async_init(loop_.get(), wake_up_, &ignore_async);
  wake_up_->data = nullptr;
  if (const int code = epoll_.open(uv_backend_fd(loop_.get()))) {
    close();
    throw Error(std::string("epoll_create1: ") + std::strerror(code));
  }
}

EpollReactor::~EpollReactor() { close(); }

void EpollReactor::wake_up() noexcept { uv_async_send(wake_up_); }

// libuv registers handles that were started since its last iteration only in the next one; uv_backend_timeout() is 0
// then.
bool EpollReactor::run_uv_if_due() noexcept {
  const bool is_due = uv_backend_timeout(loop_.get()) == 0;
  if (is_due) uv_run(loop_.get(), UV_RUN_NOWAIT);
  return is_due;
}

void EpollReactor::poll(TimePoint until) noexcept {
  if (__builtin_expect(forks_seen_ != forks.load(std::memory_order_relaxed), 0)) after_fork();
  int milliseconds = -1;
  const bool has_run = run_uv_if_due();
  if (has_run || until == TimePoint::min()) {
    milliseconds = 0;
  } else if (until != TimePoint::max()) {
    const auto remaining = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
    milliseconds = static_cast<int>(std::clamp<std::int64_t>(remaining, 0, kMaxPollTimeout.count()));
  }
  blocking_ = milliseconds != 0;
  if (epoll_.poll(milliseconds) && !has_run) uv_run(loop_.get(), UV_RUN_NOWAIT);
  blocking_ = false;
}

void EpollReactor::after_fork() noexcept {
  forks_seen_ = forks.load(std::memory_order_relaxed);
  abandon_requests();  // the threads of the pool do not exist in the child
  const bool is_set_up = uv_loop_fork(loop_.get()) == 0 && epoll_.open(uv_backend_fd(loop_.get())) == 0;
  TRUEASYNC_CHECK(is_set_up, "event loop setup failed after fork");
}

Ref<Event> EpollReactor::new_poll(int fd, unsigned bits) {
  return Ref<UvStandalonePoll>::adopt(new UvStandalonePoll(*this, fd, bits));
}

Ref<TriggerEvent> EpollReactor::new_trigger() { return Ref<UvTrigger>::adopt(new UvTrigger(*this)); }

Ref<Event> EpollReactor::new_signal(int number) { return Ref<UvSignal>::adopt(new UvSignal(*this, number)); }

Ref<DescriptorRegistration> EpollReactor::new_registration(int fd, PollMode mode) {
  if (mode == PollMode::edge) return Ref<DescriptorRegistration>::adopt(new EpollRegistration(*this, fd));
  return Ref<DescriptorRegistration>::adopt(new UvPollRegistration(*this, fd));
}

Ref<ProcessEvent> EpollReactor::new_process(int pid) { return PidfdProcess::of(*this, pid); }

Ref<FsWatchEvent> EpollReactor::new_fs_watch(std::string path) {
  return Ref<InotifyWatch>::adopt(new InotifyWatch(*this, std::move(path)));
}

Ref<LookupEvent> EpollReactor::new_lookup(LookupQuery query) {
  return Ref<UvLookup>::adopt(new UvLookup(*this, std::move(query)));
}

void EpollReactor::submit(WorkEvent& work) { UvWork::submit(*this, work); }

std::vector<std::string> EpollReactor::abandon_requests() noexcept {
  std::vector<std::string> names;
  while (UvRequest* request = requests_.pop_front()) names.push_back(request->abandon());
  return names;
}

void EpollReactor::drain_requests() noexcept {
  for (UvRequest* request = requests_.front(); request; request = requests_.next_of(*request)) request->cancel();
  const TimePoint deadline = Clock::now() + kDrainTimeout;
  while (!requests_.empty() && Clock::now() < deadline) poll(deadline);
}

std::vector<std::string> EpollReactor::close() noexcept {
  std::vector<std::string> leaked;
  if (closed_) return leaked;
  closed_ = true;
  notify_closed();
  drain_requests();
  leaked = abandon_requests();
  UvWork::free_spares(*this);
  close_and_free(wake_up_);
  uv_walk(
      loop_.get(),
      [](uv_handle_t* handle, void* names) {
        if (uv_is_closing(handle)) return;
        auto* owner = static_cast<UvHandleOwner*>(handle->data);
        static_cast<std::vector<std::string>*>(names)->push_back(owner->close_and_describe());
      },
      &leaked);
  // Each close callback needs a loop iteration. The number is bounded so that a stuck handle cannot block the program.
  int code = uv_loop_close(loop_.get());
  for (int iteration = 0; iteration < 64 && code == UV_EBUSY; ++iteration) {
    uv_run(loop_.get(), UV_RUN_NOWAIT);
    code = uv_loop_close(loop_.get());
  }
  if (code == UV_EBUSY) leak_loop(std::move(loop_));
  return leaked;
}

}  // namespace trueasync::detail
