// The reactor on libuv. <uv.h> is included in this folder only (REA-01).
//
// The loop blocks in UV_RUN_ONCE with an active async handle and one uv timer for the earliest deadline, never in an
// empty loop: that path spins in some versions (IO-29). Precision is libuv's millisecond, rounded up: never early.
// One poll handle per descriptor and one signal handle per number, however many wait (REA-03).
#pragma once

#include <uv.h>

#include <memory>
#include <unordered_map>

#include "reactor/reactor.hpp"

namespace trueasync::detail {

class UvPollHandle;
class UvSignalHandle;

// What a uv handle's `data` points to. The uv handle lives on the heap and is freed by its close callback (IO-04);
// its owner may die earlier or later than the reactor.
class UvOwner {
 public:
  // The reactor closes: forget the handle. Returns a description for the list of left-overs.
  virtual std::string on_reactor_closed() noexcept = 0;

 protected:
  ~UvOwner() = default;
};

class UvReactor final : public Reactor {
 public:
  // Throws Error when the loop can't be made, or libuv is older than what is known to work.
  UvReactor();
  ~UvReactor() override;

  TimePoint now() noexcept override { return Clock::now(); }
  void wake_up() noexcept override;
  Ref<Event> new_poll(int fd, unsigned bits) override;
  Ref<TriggerEvent> new_trigger() override;
  Ref<Event> new_signal(int number) override;
  Ref<DescriptorWatch> new_watch(int fd) override;
  int backend_fd() const noexcept override { return uv_backend_fd(&loop_); }
  void after_fork() noexcept override;
  std::vector<std::string> close() noexcept override;

  uv_loop_t* loop() noexcept { return &loop_; }
  std::unordered_map<int, UvPollHandle*>& polls() noexcept { return polls_; }
  std::unordered_map<int, UvSignalHandle*>& signals() noexcept { return signals_; }

 protected:
  void poll(TimePoint until) noexcept override;

 private:
  uv_loop_t loop_;
  uv_timer_t* alarm_ = nullptr;
  uv_async_t* wake_up_ = nullptr;
  std::unordered_map<int, UvPollHandle*> polls_;
  std::unordered_map<int, UvSignalHandle*> signals_;
  unsigned forks_seen_ = 0;
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
