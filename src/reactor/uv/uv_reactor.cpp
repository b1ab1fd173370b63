#include "reactor/uv/uv_reactor.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "reactor/uv/uv_poll.hpp"
#include "reactor/uv/uv_signal.hpp"
#include "reactor/uv/uv_trigger.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail {

namespace {

constexpr unsigned kOldestKnownGood = (1u << 16) | (42u << 8);  // 1.42.0

void ignore_timer(uv_timer_t*) {}
void ignore_async(uv_async_t*) {}

}  // namespace

std::exception_ptr uv_error(const char* what, int code) {
  return std::make_exception_ptr(Error(std::string(what) + ": " + uv_strerror(code)));
}

UvReactor::UvReactor() {
  if (uv_version() < kOldestKnownGood) {
    throw Error(std::string("libuv ") + uv_version_string() + " is too old: 1.42 or newer is needed");
  }
  if (int code = uv_loop_init(&loop_)) throw Error(std::string("can't make an event loop: ") + uv_strerror(code));
  alarm_ = new uv_timer_t;
  uv_timer_init(&loop_, alarm_);
  alarm_->data = nullptr;
  wake_up_ = new uv_async_t;
  uv_async_init(&loop_, wake_up_, &ignore_async);
  wake_up_->data = nullptr;
}

UvReactor::~UvReactor() { close(); }

void UvReactor::wake_up() noexcept { uv_async_send(wake_up_); }

void UvReactor::poll(TimePoint until) noexcept {
  if (until == TimePoint::min()) {
    uv_run(&loop_, UV_RUN_NOWAIT);
    return;
  }
  if (until != TimePoint::max()) {
    const auto left = std::max(until - Clock::now(), Clock::duration::zero());
    const auto whole = std::chrono::ceil<std::chrono::milliseconds>(left);
    uv_update_time(&loop_);  // the timer must count from now, not from the end of the last turn
    uv_timer_start(alarm_, &ignore_timer, static_cast<std::uint64_t>(whole.count()), 0);
  }
  uv_run(&loop_, UV_RUN_ONCE);
  uv_timer_stop(alarm_);
}

void UvReactor::after_fork() noexcept {
  TRUEASYNC_CHECK(uv_loop_fork(&loop_) == 0, "the event loop could not be set up again after a fork");
}

Ref<Event> UvReactor::new_poll(int fd, unsigned bits) { return Ref<UvPoll>::adopt(new UvPoll(*this, fd, bits)); }

Ref<TriggerEvent> UvReactor::new_trigger() { return Ref<UvTrigger>::adopt(new UvTrigger(*this)); }

Ref<Event> UvReactor::new_signal(int number) { return Ref<UvSignal>::adopt(new UvSignal(*this, number)); }

std::vector<std::string> UvReactor::close() noexcept {
  std::vector<std::string> left;
  if (closed_) return left;
  closed_ = true;
  close_and_free(alarm_);
  close_and_free(wake_up_);
  uv_walk(
      &loop_,
      [](uv_handle_t* handle, void* names) {
        if (uv_is_closing(handle)) return;
        auto* owner = static_cast<UvOwner*>(handle->data);
        static_cast<std::vector<std::string>*>(names)->push_back(owner->on_reactor_closed());
      },
      &left);
  // Close callbacks need a turn each; a bounded number, so that a wedged handle can't hang the program.
  for (int turn = 0; turn < 64 && uv_loop_close(&loop_) == UV_EBUSY; ++turn) uv_run(&loop_, UV_RUN_NOWAIT);
  return left;
}

}  // namespace trueasync::detail
