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
      guest_(reactor, *this) {}

int EpollRegistration::add() noexcept { return reactor_ ? reactor_->epoll().add(*this) : EBADF; }

void EpollRegistration::end() noexcept {
  if (is_registered()) reactor_->epoll().remove(*this);
}

void EpollRegistration::on_ready(std::uint32_t events) noexcept {
  Ref<Event> keep(&readable_);  // not the watch: it may be let go while one of its events is held
  const bool is_broken = events & (EPOLLERR | EPOLLHUP);
  const unsigned error = is_broken ? unsigned{kPollError} : 0;  // ends every wait, whatever it is for (IO-08)
  if (is_broken || (events & (EPOLLRDHUP | EPOLLPRI))) readable_.set_hung_up();
  if (is_broken || (events & (EPOLLIN | EPOLLRDHUP | EPOLLPRI))) readable_.on_ready(kPollReadable | error);
  if (is_broken || (events & EPOLLOUT)) writable_.on_ready(kPollWritable | error);
}

void EpollRegistration::close(std::exception_ptr reason) noexcept {
  Ref<Event> keep(&readable_);
  end();
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
  end();
  reactor_ = nullptr;
  readable_.on_reactor_closed();
  writable_.on_reactor_closed();
}

void EpollRegistration::dispose() noexcept {
  readable_.Event::release();
  writable_.Event::release();  // the last one takes the watch along
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
  return "descriptor " + std::to_string(watch_.descriptor()) + (bit_ == kPollReadable ? " readable" : " writable");
}

std::exception_ptr EpollRegistration::Direction::on_start() noexcept {
  try {
    if (!watch_.reactor_) return std::make_exception_ptr(MisuseError("the runtime is gone: " + describe()));
    if (const int code = watch_.begin()) return uv_error(describe().c_str(), uv_translate_sys_error(code));
    return nullptr;
  } catch (...) {
    return std::current_exception();
  }
}

void EpollRegistration::Direction::dispose() noexcept {
  if (--watch_.parts_held_ == 0) delete &watch_;
}

}  // namespace trueasync::detail
