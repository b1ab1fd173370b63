#include "reactor/uv/uv_trigger.hpp"

#include <thread>

#include "trueasync/error.hpp"

namespace trueasync::detail {

UvTrigger::UvTrigger(EpollReactor& reactor) : TriggerEvent(&reactor.liveness()), handle_(new uv_async_t) {
  const int code = uv_async_init(reactor.loop(), handle_, [](uv_async_t* handle) {
    static_cast<UvTrigger*>(static_cast<UvHandleOwner*>(handle->data))->on_async();
  });
  if (code != 0) {
    delete handle_;
    std::rethrow_exception(uv_error("trigger", code));
  }
  handle_->data = static_cast<UvHandleOwner*>(this);
}

UvTrigger::~UvTrigger() {
  block_new_fires();  // a woken waiter may destroy the trigger before fire() has returned
  if (handle_) close_and_free(handle_);
}

std::exception_ptr UvTrigger::on_start() noexcept {
  if (handle_) return nullptr;
  return std::make_exception_ptr(MisuseError("wait for trigger: the runtime was destroyed"));
}

void UvTrigger::fire() noexcept {
  const bool is_open = !(firing_.fetch_add(1, std::memory_order_acquire) & kClosed);
  fired_.store(true, std::memory_order_release);
  if (is_open) uv_async_send(handle_);
  firing_.fetch_sub(1, std::memory_order_release);  // last access to this object
}

void UvTrigger::block_new_fires() noexcept {
  firing_.fetch_or(kClosed, std::memory_order_acq_rel);
  while (firing_.load(std::memory_order_acquire) != kClosed) std::this_thread::yield();
}

bool UvTrigger::replay(Notification& result) const noexcept {
  result = {1, nullptr};
  return fired_.exchange(false, std::memory_order_acq_rel);
}

bool UvTrigger::reclaim(Subscription&) noexcept {
  fire();
  return true;
}

void UvTrigger::on_async() noexcept {
  // Without a waiter the flag stays set for the next one.
  if (has_subscribers() && fired_.exchange(false, std::memory_order_acq_rel)) notify({1, nullptr});
}

std::string UvTrigger::close_and_describe() noexcept {
  block_new_fires();
  detach_liveness();
  close_and_free(handle_);
  handle_ = nullptr;
  return describe();
}

}  // namespace trueasync::detail
