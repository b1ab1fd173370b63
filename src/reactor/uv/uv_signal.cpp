#include "reactor/uv/uv_signal.hpp"

#include "reactor/uv/signal_dispositions.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail {

UvSignalHandle* UvSignalHandle::find_or_create(EpollReactor& reactor, int number, int& code) {
  if (auto found = reactor.signals().find(number); found != reactor.signals().end()) return found->second;
  // Allocate everything first: after uv_signal_init nothing may fail.
  std::unique_ptr<UvSignalHandle> shared(new UvSignalHandle(reactor, number));
  auto handle = std::make_unique<uv_signal_t>();
  const auto position = reactor.signals().emplace(number, shared.get()).first;
  code = uv_signal_init(reactor.loop(), handle.get());
  if (code == 0) {
    handle->data = static_cast<UvHandleOwner*>(shared.get());
    shared->handle_ = handle.release();
    code = shared->listen();
    if (code == 0) return shared.release();
    close_and_free(shared->handle_);
  }
  reactor.signals().erase(position);
  return nullptr;
}

int UvSignalHandle::listen() noexcept {
  const ScopedSignalBlock block(number_);
  save_disposition(number_);
  const int code = uv_signal_start(
      handle_,
      [](uv_signal_t* signal, int) {
        static_cast<UvSignalHandle*>(static_cast<UvHandleOwner*>(signal->data))->on_signal();
      },
      number_);
  if (code == 0) {
    chain_user_handler(number_);
  } else {
    restore_disposition(number_);
  }
  return code;
}

void UvSignalHandle::close_handle() noexcept {
  reactor_.signals().erase(number_);
  // On another thread a signal between these two steps gets the default action, which libuv installs.
  const ScopedSignalBlock block(number_);
  close_and_free(handle_);
  restore_disposition(number_);
  delete this;
}

void UvSignalHandle::remove(UvSignal& event) noexcept {
  event.ListHook::unlink();
  if (events_.empty() && !dispatching_) close_handle();
}

void UvSignalHandle::on_signal() noexcept {
  // A notification may remove events or start others, so the events of this round are moved to a separate list.
  dispatching_ = true;
  IntrusiveList<UvSignal> round;
  round.splice_back(events_);
  while (UvSignal* event = round.pop_front()) {
    events_.push_back(*event);
    event->notify_signal();
  }
  dispatching_ = false;
  if (events_.empty()) close_handle();
}

std::string UvSignalHandle::close_and_describe() noexcept {
  while (UvSignal* event = events_.pop_front()) event->detach_reactor();
  std::string text = "signal " + std::to_string(number_);
  close_handle();
  return text;
}

std::exception_ptr UvSignal::on_start() noexcept {
  try {
    if (!reactor_)
      return std::make_exception_ptr(MisuseError("wait for " + describe() + ": the runtime was destroyed"));
    int code = 0;
    handle_ = UvSignalHandle::find_or_create(*reactor_, number_, code);
    if (!handle_) return uv_error(describe().c_str(), code);
    handle_->add(*this);
    return nullptr;
  } catch (...) {
    return std::current_exception();
  }
}

void UvSignal::on_stop() noexcept {
  if (handle_) std::exchange(handle_, nullptr)->remove(*this);
}

}  // namespace trueasync::detail
