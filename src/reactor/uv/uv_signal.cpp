#include "reactor/uv/uv_signal.hpp"

#include "reactor/uv/signal_dispositions.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail {

UvSignalHandle* UvSignalHandle::find_or_make(EpollReactor& reactor, int number, int& code) {
  if (auto found = reactor.signals().find(number); found != reactor.signals().end()) return found->second;
  // All memory first: once libuv knows the handle nothing may fail.
  std::unique_ptr<UvSignalHandle> shared(new UvSignalHandle(reactor, number));
  auto handle = std::make_unique<uv_signal_t>();
  const auto place = reactor.signals().emplace(number, shared.get()).first;
  code = uv_signal_init(reactor.loop(), handle.get());
  if (code == 0) {
    handle->data = static_cast<UvHandleOwner*>(shared.get());
    shared->handle_ = handle.release();
    code = shared->listen();
    if (code == 0) return shared.release();
    close_and_free(shared->handle_);
  }
  reactor.signals().erase(place);
  return nullptr;
}

int UvSignalHandle::listen() noexcept {
  const ScopedSignalBlock pause(number_);
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

void UvSignalHandle::retire() noexcept {
  reactor_.signals().erase(number_);
  // In another thread a signal between these two steps meets the default action: libuv knows no other.
  const ScopedSignalBlock pause(number_);
  close_and_free(handle_);
  restore_disposition(number_);
  delete this;
}

void UvSignalHandle::remove(UvSignal& event) noexcept {
  event.ListHook::unlink();
  if (events_.empty() && !dispatching_) retire();
}

void UvSignalHandle::on_signal() noexcept {
  // Telling an event may take it away, or start others: those of this round stand in a list of their own.
  dispatching_ = true;
  IntrusiveList<UvSignal> round;
  round.splice_back(events_);
  while (UvSignal* event = round.pop_front()) {
    events_.push_back(*event);
    event->notify_signal();
  }
  dispatching_ = false;
  if (events_.empty()) retire();
}

std::string UvSignalHandle::close_and_describe() noexcept {
  while (UvSignal* event = events_.pop_front()) event->forget_reactor();
  std::string text = "signal " + std::to_string(number_);
  retire();
  return text;
}

std::exception_ptr UvSignal::on_start() noexcept {
  try {
    if (!reactor_) return std::make_exception_ptr(MisuseError("the runtime is gone: " + describe()));
    int code = 0;
    handle_ = UvSignalHandle::find_or_make(*reactor_, number_, code);
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
