#include "reactor/epoll/epoll_registration.hpp"

#include <cerrno>

#include "reactor/uv/uv_poll.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail {

EpollRegistration::EpollRegistration(EpollReactor& reactor, int fd) noexcept
    : EpollEntry(fd),
      reactor_(&reactor),
      readable_(reactor.liveness(), *this, kPollReadable),
      writable_(reactor.liveness(), *this, kPollWritable),
      observer_(reactor, *this) {}

int EpollRegistration::add() noexcept { return reactor_ ? reactor_->epoll().add(*this) : EBADF; }

void EpollRegistration::unregister() noexcept {
  if (is_registered()) reactor_->epoll().remove(*this);
}

void EpollRegistration::on_ready(std::uint32_t events) noexcept {
  Ref<Event> keep_alive(&readable_);  // not the registration: it may be released while one of its events is held
  const bool is_broken = events & (EPOLLERR | EPOLLHUP);
  const unsigned error = is_broken ? unsigned{kPollError} : 0;  // an error ends the waits of both directions
  if (is_broken || (events & (EPOLLRDHUP | EPOLLPRI))) readable_.set_hung_up();
  if (is_broken || (events & (EPOLLIN | EPOLLRDHUP | EPOLLPRI))) readable_.on_ready(kPollReadable | error);
  if (is_broken || (events & EPOLLOUT)) writable_.on_ready(kPollWritable | error);
}

void EpollRegistration::close(std::exception_ptr reason) noexcept {
  Ref<Event> keep_alive(&readable_);
  unregister();
  readable_.wake_all();
  writable_.wake_all();
  readable_.Event::close(reason);
  writable_.Event::close(std::move(reason));
  if (reactor_) UvPollHandle::close_waits(*reactor_, descriptor());
}

void EpollRegistration::abandon() noexcept {
  if (is_registered()) reactor_->epoll().abandon(*this);
}

void EpollRegistration::on_reactor_closed() noexcept {
  unregister();
  reactor_ = nullptr;
  readable_.on_reactor_closed();
  writable_.on_reactor_closed();
}

void EpollRegistration::dispose() noexcept {
  readable_.Event::release();
  writable_.Event::release();  // the last release deletes the registration
}

void EpollRegistration::Direction::on_ready(unsigned bits) noexcept {
  count_ready();
  const bool was_awaited = wake_all();
  if (has_subscribers()) {
    notify({bits, nullptr});
  } else if (!was_awaited) {
    set_pending();
  }
}

bool EpollRegistration::Direction::replay(Notification& result) const noexcept {
  result = {bit_, nullptr};
  return take_pending();
}

bool EpollRegistration::Direction::reclaim(Subscription&) noexcept {
  set_pending();
  return true;
}

std::string EpollRegistration::Direction::describe() const {
  return "descriptor " + std::to_string(registration_.descriptor()) +
         (bit_ == kPollReadable ? " readable" : " writable");
}

std::exception_ptr EpollRegistration::Direction::on_start() noexcept {
  try {
    if (!registration_.reactor_)
      return std::make_exception_ptr(MisuseError("wait for " + describe() + ": the runtime was destroyed"));
    if (const int code = registration_.ensure_registered())
      return uv_error(describe().c_str(), uv_translate_sys_error(code));
    return nullptr;
  } catch (...) {
    return std::current_exception();
  }
}

void EpollRegistration::Direction::dispose() noexcept {
  if (--registration_.live_directions_ == 0) delete &registration_;
}

}  // namespace trueasync::detail
