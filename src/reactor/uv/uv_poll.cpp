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

UvPollHandle* UvPollHandle::find_or_make(EpollReactor& reactor, int fd, int& code) {
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
  handle->data = static_cast<UvHandleOwner*>(shared.get());
  shared->handle_ = handle.release();
  return shared.release();
}

int UvPollHandle::add(UvPoll& event) noexcept {
  if (event.ListHook::is_linked()) event.ListHook::unlink();  // it rested
  started_.push_back(event);
  unclaimed_rounds_ = 0;
  return set_interest(listening_ | to_uv(event.bits()));
}

void UvPollHandle::park_idle(UvPoll& event) noexcept {
  event.ListHook::unlink();
  idle_.push_back(event);
  // A socket is writable nearly always: listening on would wake the loop for nothing.
  if (event.bits() & kPollWritable) update_interest();
}

void UvPollHandle::remove(UvPoll& event) noexcept {
  event.ListHook::unlink();
  update_interest();
  close_if_unused();
}

int UvPollHandle::set_interest(int wanted) noexcept {
  if (wanted == listening_) return 0;
  // A descriptor that was closed behind our back: telling the kernel of it would make libuv abort the process.
  const bool is_open = wanted == 0 || ::fcntl(fd_, F_GETFD) != -1;
  listening_ = is_open ? wanted : 0;
  if (listening_ == 0) {
    const int code = uv_poll_stop(handle_);
    return is_open ? code : UV_EBADF;
  }
  return uv_poll_start(handle_, wanted, [](uv_poll_t* handle, int status, int events) {
    static_cast<UvPollHandle*>(static_cast<UvHandleOwner*>(handle->data))->on_ready(status, events);
  });
}

int UvPollHandle::active_interest() const noexcept {
  int wanted = 0;
  for (UvPoll* event = started_.front(); event; event = started_.next_of(*event)) wanted |= to_uv(event->bits());
  return wanted;
}

void UvPollHandle::update_interest() noexcept {
  if (dispatching_) return;  // some of them stand in on_ready's list; it looks again when it is through
  int wanted = active_interest();
  if (!idle_.empty()) wanted |= listening_ & to_uv(kPollReadable);
  if (wanted != 0) set_interest(wanted);
}

void UvPollHandle::close_if_unused() noexcept {
  if (dispatching_ || !started_.empty() || !idle_.empty()) return;
  reactor_.polls().erase(fd_);
  close_and_free(handle_);
  delete this;
}

void UvPollHandle::close_waits(const std::exception_ptr& reason) noexcept {
  const bool was_telling = std::exchange(dispatching_, true);
  IntrusiveList<UvPoll> round;
  round.splice_back(started_);
  round.splice_back(idle_);
  while (UvPoll* event = round.pop_front()) {
    idle_.push_back(*event);  // a place to be removed from
    Ref<Event> keep(event);
    event->close(reason);
    event->unregister();
  }
  dispatching_ = was_telling;
  close_if_unused();
}

void UvPollHandle::on_ready(int status, int events) noexcept {
  // An error ends every wait on the descriptor, whatever it asked for (IO-08).
  if (status < 0) listening_ = 0;  // libuv has stopped the handle; who starts next must be able to listen again
  const unsigned ready = status < 0 ? kPollReadable | kPollWritable | kPollError : from_uv(events);
  std::exception_ptr error = is_error_value(status, fd_) ? uv_error("poll", status) : nullptr;
  // Telling an event may take it away, or start others: those of this round stand in a list of their own.
  dispatching_ = true;
  unsigned claimed = 0;
  IntrusiveList<UvPoll> round;
  round.splice_back(started_);
  while (UvPoll* event = round.pop_front()) {
    started_.push_back(*event);
    if (!(event->bits() & ready)) continue;
    claimed |= event->bits();
    event->notify_ready(ready & (event->bits() | kPollError), error);
  }
  dispatching_ = false;
  const unsigned nobodys = ready & ~claimed & ~unsigned{kPollError};
  if (nobodys != 0 && (reactor_.is_blocking() || ++unclaimed_rounds_ == kMaxUnclaimedRounds)) {
    // Its owner is busy elsewhere, and the loop must not spin on it. In a turn without waiting it may just not have
    // had its run yet. After an error libuv listens to nothing, though some may be started still.
    set_interest((status < 0 ? active_interest() : listening_) & ~to_uv(nobodys));
  } else {
    update_interest();
  }
  close_if_unused();
}

std::string UvPollHandle::close_and_describe() noexcept {
  while (UvPoll* event = started_.pop_front()) event->detach_reactor();
  while (UvPoll* event = idle_.pop_front()) event->detach_reactor();
  reactor_.polls().erase(fd_);
  close_and_free(handle_);
  std::string text = "poll on descriptor " + std::to_string(fd_);
  delete this;
  return text;
}

void UvPollHandle::close_waits(EpollReactor& reactor, int fd) noexcept {
  const auto found = reactor.polls().find(fd);
  if (found == reactor.polls().end()) return;
  const std::string what = "descriptor " + std::to_string(fd) + ": it was closed while it was polled";
  found->second->close_waits(std::make_exception_ptr(Error(what)));
}

void UvPoll::close_descriptor_waits() noexcept {
  if (reactor_) UvPollHandle::close_waits(*reactor_, fd_);
}

std::string UvPoll::describe() const {
  const char* what = bits_ == kPollReadable ? "readable" : bits_ == kPollWritable ? "writable" : "readable or writable";
  return "descriptor " + std::to_string(fd_) + " " + what;
}

std::exception_ptr UvPoll::on_start() noexcept {
  try {
    if (!reactor_) return std::make_exception_ptr(MisuseError("the runtime is gone: " + describe()));
    int code = 0;
    if (!handle_) handle_ = UvPollHandle::find_or_make(*reactor_, fd_, code);
    if (!handle_) return uv_error(("poll on descriptor " + std::to_string(fd_)).c_str(), code);
    if ((code = handle_->add(*this)) == 0) return nullptr;
    unregister();
    return uv_error(("poll on descriptor " + std::to_string(fd_)).c_str(), code);
  } catch (...) {
    return std::current_exception();
  }
}

void UvPoll::on_stop() noexcept {
  if (!handle_) return;
  if (stay_ == Lifetime::persistent && !is_closed()) {
    handle_->park_idle(*this);
  } else {
    unregister();
  }
}

}  // namespace trueasync::detail
