// EpollReactor: the reactor on epoll and libuv. Only src/reactor includes <uv.h>.
//
// It blocks in its own epoll descriptor (EpollPoller), in which libuv's descriptor is nested. libuv's loop runs when
// that is ready, and never blocks. Timeouts are rounded up to milliseconds, so no timer fires early. Any number of
// waiters share one poll handle per descriptor and one signal handle per signal number.
#pragma once

#include <uv.h>

#include <memory>
#include <unordered_map>

#include "reactor/epoll/epoll_poller.hpp"
#include "reactor/reactor.hpp"
#include "reactor/uv/uv_lookup_limiter.hpp"

namespace trueasync::detail {

class UvPollHandle;
class PidfdProcess;
class UvSignalHandle;
class UvWork;

// UvHandleOwner: the object behind the `data` pointer of a uv handle. The uv handle is allocated on the heap and freed
// by its close callback. Its owner may be destroyed before or after the reactor.
class UvHandleOwner {
 public:
  // The reactor closes: closes the handle and detaches from it. Returns a description for the leak report.
  virtual std::string close_and_describe() noexcept = 0;

 protected:
  ~UvHandleOwner() = default;
};

// UvRequest: a libuv request that cannot always be cancelled: work on a thread, a name lookup. It is in its reactor's
// list from submission to completion, and exists at least that long.
//
// When the reactor closes, requests that no thread has started are cancelled if allowed, and the rest get a bounded
// time to complete. A request that is stuck even then leaks its memory and the loop: a leak is better than a thread
// that writes to freed memory.
class UvRequest : public ListHook {
 public:
  // Cancels the request if that is allowed and no thread has started it. The completion callback runs in any case.
  virtual void cancel() noexcept = 0;
  // Called when the reactor closes and in the child of a fork: the request is out of the list, and a late completion
  // has no effect. Its memory is leaked. Returns a description.
  virtual std::string abandon() noexcept = 0;

 protected:
  ~UvRequest() = default;
};

class EpollReactor final : public Reactor {
 public:
  // Throws Error if the loop cannot be created or libuv is too old.
  EpollReactor();
  ~EpollReactor() override;

  TimePoint now() noexcept override { return Clock::now(); }
  void wake_up() noexcept override;
  Ref<Event> new_poll(int fd, unsigned bits) override;
  Ref<TriggerEvent> new_trigger() override;
  Ref<Event> new_signal(int number) override;
  Ref<DescriptorRegistration> new_registration(int fd, PollMode mode) override;
  void submit(WorkEvent& work) override;
  Ref<LookupEvent> new_lookup(LookupQuery query) override;
  Ref<ProcessEvent> new_process(int pid) override;
  Ref<FsWatchEvent> new_fs_watch(std::string path) override;
  int backend_fd() const noexcept override { return epoll_.descriptor(); }
  void after_fork() noexcept override;
  std::vector<std::string> close() noexcept override;

  uv_loop_t* loop() noexcept { return loop_.get(); }
  // Whether the current poll may block, because no coroutine is ready.
  bool is_blocking() const noexcept { return blocking_; }
  EpollPoller& epoll() noexcept { return epoll_; }
  // The number of registered descriptors.
  std::size_t registrations() const noexcept { return polls_.size() + epoll_.size(); }
  std::unordered_map<int, UvPollHandle*>& polls() noexcept { return polls_; }
  std::unordered_map<int, UvSignalHandle*>& signals() noexcept { return signals_; }
  std::unordered_map<int, PidfdProcess*>& processes() noexcept { return processes_; }
  // Requests in flight on worker threads, and idle requests for reuse.
  IntrusiveList<UvRequest>& requests() noexcept { return requests_; }
  std::vector<UvWork*>& spare_works() noexcept { return spare_works_; }
  UvLookupLimiter& lookup_limiter() noexcept { return lookup_limiter_; }

 protected:
  void poll(TimePoint until) noexcept override;

 private:
  bool run_uv_if_due() noexcept;
  void drain_requests() noexcept;
  std::vector<std::string> abandon_requests() noexcept;

  std::unique_ptr<uv_loop_t> loop_ =
      std::make_unique<uv_loop_t>();  // on the heap because leak_loop() may have to leak it
  EpollPoller epoll_;
  uv_async_t* wake_up_ = nullptr;
  std::unordered_map<int, UvPollHandle*> polls_;
  std::unordered_map<int, UvSignalHandle*> signals_;
  std::unordered_map<int, PidfdProcess*> processes_;
  IntrusiveList<UvRequest> requests_;
  std::vector<UvWork*> spare_works_;
  UvLookupLimiter lookup_limiter_;
  unsigned forks_seen_ = 0;
  bool blocking_ = false;
  bool closed_ = false;
};

// Closes a heap-allocated uv handle; the close callback frees it.
template <class Handle>
void close_and_free(Handle* handle) noexcept {
  handle->data = nullptr;
  uv_close(reinterpret_cast<uv_handle_t*>(handle),
           [](uv_handle_t* closed) { delete reinterpret_cast<Handle*>(closed); });
}

// An Error such as `poll: bad file descriptor`.
std::exception_ptr uv_error(const char* operation, int code);

}  // namespace trueasync::detail
