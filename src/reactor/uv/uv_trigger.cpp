#include "reactor/uv/uv_trigger.hpp"

namespace trueasync::detail {

UvTrigger::UvTrigger(UvReactor& reactor) : TriggerEvent(&reactor.liveness()), handle_(new uv_async_t) {
  const int code = uv_async_init(reactor.loop(), handle_, [](uv_async_t* handle) {
    static_cast<UvTrigger*>(static_cast<UvOwner*>(handle->data))->on_async();
  });
  if (code != 0) {
    delete handle_;
    std::rethrow_exception(uv_error("trigger", code));
  }
  handle_->data = static_cast<UvOwner*>(this);
}

UvTrigger::~UvTrigger() {
  if (handle_) close_and_free(handle_);
}

void UvTrigger::fire() noexcept {
  fired_.store(true, std::memory_order_release);
  if (handle_) uv_async_send(handle_);
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
  // Nobody waits: the flag stays up for the next who does.
  if (has_subscribers() && fired_.exchange(false, std::memory_order_acq_rel)) notify({1, nullptr});
}

std::string UvTrigger::on_reactor_closed() noexcept {
  forget_liveness();
  close_and_free(handle_);
  handle_ = nullptr;
  return describe();
}

}  // namespace trueasync::detail
