// The reactor on libuv. <uv.h> is included in this folder only (REA-01).
//
// It waits in an epoll descriptor of its own (EpollPoller), in which libuv's stands too; libuv's loop turns when that is
// ready, and never blocks (IO-29). Precision is a millisecond, rounded up: never early.
// One poll handle per descriptor and one signal handle per number, however many wait (REA-03).
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

// What a uv handle's `data` points to. The uv handle lives on the heap and is freed by its close callback (IO-04);
// its owner may die earlier or later than the reactor.
class UvHandleOwner {
 public:
  // The reactor closes: forget the handle. Returns a description for the list of left-overs.
  virtual std::string close_and_describe() noexcept = 0;

 protected:
  ~UvHandleOwner() = default;
};

// A request that libuv has and that can't always be stopped: work on a thread, a lookup. It stands in its reactor's list
// from the call that begins it to its completion, and lives as long (R2).
//
// At the end of the reactor, in two steps (DN-02): what no thread has begun with is cancelled if it may be, and the rest has a bounded
// time to end. What is wedged even then keeps its memory and the loop's, for ever: a leak is better than a thread that
// writes into freed memory.
class UvRequest : public ListHook {
 public:
  // Cancels it if it may be and no thread has begun with it; its completion comes in any case.
  virtual void cancel() noexcept = 0;
  // The reactor goes, or this is the child of a fork: it is out of the list, and a completion that comes nevertheless
  // does nothing. Its memory stays. Returns what it was.
  virtual std::string abandon() noexcept = 0;

 protected:
  ~UvRequest() = default;
};

class EpollReactor final : public Reactor {
 public:
  // Throws Error when the loop can't be made, or libuv is older than what is known to work.
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
  int backend_fd() const noexcept override { return edges_.descriptor(); }
  void after_fork() noexcept override;
  std::vector<std::string> close() noexcept override;

  uv_loop_t* loop() noexcept { return loop_.get(); }
  // The turn under way may block: nobody is ready to run.
  bool is_blocking() const noexcept { return waiting_; }
  EpollPoller& epoll() noexcept { return edges_; }
  // Descriptors the loop listens to.
  std::size_t registrations() const noexcept { return polls_.size() + edges_.size(); }
  std::unordered_map<int, UvPollHandle*>& polls() noexcept { return polls_; }
  std::unordered_map<int, UvSignalHandle*>& signals() noexcept { return signals_; }
  std::unordered_map<int, PidfdProcess*>& processes() noexcept { return processes_; }
  // What libuv has under way on threads, and requests to use again.
  IntrusiveList<UvRequest>& requests() noexcept { return requests_; }
  std::vector<UvWork*>& spare_works() noexcept { return spare_works_; }
  UvLookupLimiter& lookup_budget() noexcept { return lookup_budget_; }

 protected:
  void poll(TimePoint until) noexcept override;

 private:
  bool run_uv_if_due() noexcept;
  void drain_requests() noexcept;
  std::vector<std::string> abandon_requests() noexcept;

  std::unique_ptr<uv_loop_t> loop_ = std::make_unique<uv_loop_t>();  // not a member: it may have to stay for ever
  EpollPoller edges_;
  uv_async_t* wake_up_ = nullptr;
  std::unordered_map<int, UvPollHandle*> polls_;
  std::unordered_map<int, UvSignalHandle*> signals_;
  std::unordered_map<int, PidfdProcess*> processes_;
  IntrusiveList<UvRequest> requests_;
  std::vector<UvWork*> spare_works_;
  UvLookupLimiter lookup_budget_;
  unsigned forks_seen_ = 0;
  bool waiting_ = false;
  bool closed_ = false;
};

// Hands a heap-allocated uv handle to libuv for closing; the close callback frees it.
template <class Handle>
void close_and_free(Handle* handle) noexcept {
  handle->data = nullptr;
  uv_close(reinterpret_cast<uv_handle_t*>(handle),
           [](uv_handle_t* closed) { delete reinterpret_cast<Handle*>(closed); });
}

// "poll: bad file descriptor" as an error value.
std::exception_ptr uv_error(const char* what, int code);

}  // namespace trueasync::detail
