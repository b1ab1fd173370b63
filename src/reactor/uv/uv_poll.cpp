#include "reactor/uv/uv_poll.hpp"

#include <fcntl.h>

#include "trueasync/error.hpp"

namespace trueasync::detail {

namespace {

int to_uv(unsigned bits) noexcept {
  return ((bits & kPollReadable) ? UV_READABLE | UV_DISCONNECT : 0) | ((bits & kPollWritable) ? UV_WRITABLE : 0);
}

unsigned from_uv(int events) noexcept {
  unsigned bits = 0;
  if (events & (UV_READABLE | UV_DISCONNECT)) bits |= kPollReadable;
  if (events & UV_WRITABLE) bits |= kPollWritable;
  return bits;
}

// libuv says "bad file descriptor" whenever the kernel reports an error condition – a pipe whose reader has gone, a
// connection that was reset. Of a descriptor that is open the next call on it tells more.
bool is_error_value(int status, int fd) noexcept {
  return status < 0 && !(status == UV_EBADF && ::fcntl(fd, F_GETFD) != -1);
}

}  // namespace

UvPollHandle* UvPollHandle::find_or_make(UvReactor& reactor, int fd, int& code) {
  if (auto found = reactor.polls().find(fd); found != reactor.polls().end()) return found->second;
  // All memory first: once libuv knows the handle nothing may fail.
  std::unique_ptr<UvPollHandle> shared(new UvPollHandle(reactor, fd));
  auto handle = std::make_unique<uv_poll_t>();
  const auto place = reactor.polls().emplace(fd, shared.get()).first;
  code = uv_poll_init(reactor.loop(), handle.get(), fd);
  if (code != 0) {
    reactor.polls().erase(place);
    return nullptr;
  }
  handle->data = static_cast<UvOwner*>(shared.get());
  shared->handle_ = handle.release();
  return shared.release();
}

int UvPollHandle::add(UvPoll& event) noexcept {
  events_.push_back(event);
  return update();
}

void UvPollHandle::remove(UvPoll& event) noexcept {
  event.ListHook::unlink();
  if (!events_.empty()) {
    update();
    return;
  }
  reactor_.polls().erase(fd_);
  close_and_free(handle_);
  delete this;
}

int UvPollHandle::update() noexcept {
  int wanted = 0;
  for (UvPoll* event = events_.front(); event; event = events_.next_of(*event)) wanted |= to_uv(event->bits());
  if (wanted == listening_) return 0;
  listening_ = wanted;
  return uv_poll_start(handle_, wanted, [](uv_poll_t* handle, int status, int events) {
    static_cast<UvPollHandle*>(static_cast<UvOwner*>(handle->data))->on_ready(status, events);
  });
}

void UvPollHandle::on_ready(int status, int events) noexcept {
  // An error ends every wait on the descriptor, whatever it asked for (IO-08). Telling an event may take it – or this
  // handle – away, so the ones to tell are collected first and held.
  if (status < 0) listening_ = 0;  // libuv has stopped the handle; who starts next must be able to listen again
  const unsigned ready = status < 0 ? kPollReadable | kPollWritable | kPollError : from_uv(events);
  std::exception_ptr error = is_error_value(status, fd_) ? uv_error("poll", status) : nullptr;
  std::vector<Ref<UvPoll>> told;
  for (UvPoll* event = events_.front(); event; event = events_.next_of(*event)) {
    if (event->bits() & ready) told.emplace_back(event);
  }
  for (auto& event : told) event->tell(ready & (event->bits() | kPollError), error);
}

std::string UvPollHandle::on_reactor_closed() noexcept {
  while (UvPoll* event = events_.pop_front()) event->forget_reactor();
  reactor_.polls().erase(fd_);
  close_and_free(handle_);
  std::string text = "poll on descriptor " + std::to_string(fd_);
  delete this;
  return text;
}

std::string UvPoll::describe() const {
  const char* what = bits_ == kPollReadable ? "readable" : bits_ == kPollWritable ? "writable" : "readable or writable";
  return "descriptor " + std::to_string(fd_) + " " + what;
}

std::exception_ptr UvPoll::on_start() noexcept {
  try {
    if (!reactor_) return std::make_exception_ptr(MisuseError("the runtime is gone: " + describe()));
    int code = 0;
    handle_ = UvPollHandle::find_or_make(*reactor_, fd_, code);
    if (!handle_) return uv_error(("poll on descriptor " + std::to_string(fd_)).c_str(), code);
    if ((code = handle_->add(*this)) == 0) return nullptr;
    on_stop();
    return uv_error(("poll on descriptor " + std::to_string(fd_)).c_str(), code);
  } catch (...) {
    return std::current_exception();
  }
}

void UvPoll::on_stop() noexcept {
  if (handle_) std::exchange(handle_, nullptr)->remove(*this);
}

}  // namespace trueasync::detail
