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

// libuv reports "bad file descriptor" for every error condition, such as a closed pipe reader or a reset connection. If
// the descriptor is open, the next system call on it returns the real error.
bool is_error_value(int status, int fd) noexcept {
  return status < 0 && !(status == UV_EBADF && ::fcntl(fd, F_GETFD) != -1);
}

}  // namespace

UvPollHandle* UvPollHandle::find_or_create(EpollReactor& reactor, int fd, int& code) {
  if (auto found = reactor.polls().find(fd); found != reactor.polls().end()) return found->second;
  // Allocate everything first: after uv_poll_init nothing may fail.
  std::unique_ptr<UvPollHandle> shared(new UvPollHandle(reactor, fd));
  auto handle = std::make_unique<uv_poll_t>();
  const auto position = reactor.polls().emplace(fd, shared.get()).first;
  code = uv_poll_init(reactor.loop(), handle.get(), fd);
  if (code != 0) {
    reactor.polls().erase(position);
    return nullptr;
  }
  handle->data = static_cast<UvHandleOwner*>(shared.get());
  shared->handle_ = handle.release();
  return shared.release();
}

int UvPollHandle::add(UvPoll& event) noexcept {
  if (event.ListHook::is_linked()) event.ListHook::unlink();  // it was idle
  started_.push_back(event);
  unclaimed_rounds_ = 0;
  return set_interest(interest_ | to_uv(event.bits()));
}

void UvPollHandle::park_idle(UvPoll& event) noexcept {
  event.ListHook::unlink();
  idle_.push_back(event);
  // A socket is almost always writable: keeping the interest would wake the loop needlessly.
  if (event.bits() & kPollWritable) update_interest();
}

void UvPollHandle::remove(UvPoll& event) noexcept {
  event.ListHook::unlink();
  update_interest();
  close_if_unused();
}

int UvPollHandle::set_interest(int interest) noexcept {
  if (interest == interest_) return 0;
  // If the descriptor was closed without close_waits(), epoll_ctl would fail and libuv would abort the process.
  const bool is_open = interest == 0 || ::fcntl(fd_, F_GETFD) != -1;
  interest_ = is_open ? interest : 0;
  if (interest_ == 0) {
    const int code = uv_poll_stop(handle_);
    return is_open ? code : UV_EBADF;
  }
  return uv_poll_start(handle_, interest, [](uv_poll_t* handle, int status, int events) {
    static_cast<UvPollHandle*>(static_cast<UvHandleOwner*>(handle->data))->on_ready(status, events);
  });
}

int UvPollHandle::active_interest() const noexcept {
  int interest = 0;
  for (UvPoll* event = started_.front(); event; event = started_.next_of(*event)) interest |= to_uv(event->bits());
  return interest;
}

void UvPollHandle::update_interest() noexcept {
  if (dispatching_) return;  // some events are in on_ready()'s list; it updates the interest when it is done
  int interest = active_interest();
  if (!idle_.empty()) interest |= interest_ & to_uv(kPollReadable);
  if (interest != 0) set_interest(interest);
}

void UvPollHandle::close_if_unused() noexcept {
  if (dispatching_ || !started_.empty() || !idle_.empty()) return;
  reactor_.polls().erase(fd_);
  close_and_free(handle_);
  delete this;
}

void UvPollHandle::close_waits(const std::exception_ptr& reason) noexcept {
  const bool was_dispatching = std::exchange(dispatching_, true);
  IntrusiveList<UvPoll> round;
  round.splice_back(started_);
  round.splice_back(idle_);
  while (UvPoll* event = round.pop_front()) {
    idle_.push_back(*event);  // unregister() below unlinks it
    Ref<Event> keep_alive(event);
    event->close(reason);
    event->unregister();
  }
  dispatching_ = was_dispatching;
  close_if_unused();
}

void UvPollHandle::on_ready(int status, int events) noexcept {
  // An error ends every wait on the descriptor, whatever its interest.
  if (status < 0) interest_ = 0;  // libuv has stopped the handle; the next start must register it again
  const unsigned ready = status < 0 ? kPollReadable | kPollWritable | kPollError : from_uv(events);
  std::exception_ptr error = is_error_value(status, fd_) ? uv_error("poll", status) : nullptr;
  // A notification may remove events or start others, so the events of this round are moved to a separate list.
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
  const unsigned unclaimed = ready & ~claimed & ~unsigned{kPollError};
  if (unclaimed != 0 && (reactor_.is_blocking() || ++unclaimed_rounds_ == kMaxUnclaimedRounds)) {
    // No coroutine waits for this readiness, and the loop must not spin on it. In a non-blocking poll the owner may
    // simply not have run yet. After an error libuv has stopped the handle although events may still be started.
    set_interest((status < 0 ? active_interest() : interest_) & ~to_uv(unclaimed));
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
  const std::string message = "poll on descriptor " + std::to_string(fd) + ": the descriptor was closed";
  found->second->close_waits(std::make_exception_ptr(Error(message)));
}

void UvPoll::close_descriptor_waits() noexcept {
  if (reactor_) UvPollHandle::close_waits(*reactor_, fd_);
}

std::string UvPoll::describe() const {
  const char* interest = bits_ == kPollReadable   ? "readable"
                         : bits_ == kPollWritable ? "writable"
                                                  : "readable or writable";
  return "descriptor " + std::to_string(fd_) + " " + interest;
}

std::exception_ptr UvPoll::on_start() noexcept {
  try {
    if (!reactor_)
      return std::make_exception_ptr(MisuseError("wait for " + describe() + ": the runtime was destroyed"));
    int code = 0;
    if (!handle_) handle_ = UvPollHandle::find_or_create(*reactor_, fd_, code);
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
  if (lifetime_ == Lifetime::persistent && !is_closed()) {
    handle_->park_idle(*this);
  } else {
    unregister();
  }
}

}  // namespace trueasync::detail
