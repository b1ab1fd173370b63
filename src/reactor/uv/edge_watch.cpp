#include "reactor/uv/edge_watch.hpp"

#include <cerrno>

#include "reactor/uv/uv_poll.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail {

EdgeWatch::EdgeWatch(UvReactor& reactor, int fd) noexcept
    : EdgeRegistration(fd),
      reactor_(&reactor),
      readable_(reactor.liveness(), *this, kPollReadable),
      writable_(reactor.liveness(), *this, kPollWritable),
      guest_(reactor, *this) {}

int EdgeWatch::add() noexcept { return reactor_ ? reactor_->edges().add(*this) : EBADF; }

void EdgeWatch::end() noexcept {
  if (is_registered()) reactor_->edges().remove(*this);
}

void EdgeWatch::tell(std::uint32_t events) noexcept {
  Ref<Event> keep(&readable_);  // not the watch: it may be let go while one of its events is held
  const bool is_broken = events & (EPOLLERR | EPOLLHUP);
  const unsigned error = is_broken ? unsigned{kPollError} : 0;  // ends every wait, whatever it is for (IO-08)
  if (is_broken || (events & (EPOLLRDHUP | EPOLLPRI))) readable_.note_end();
  if (is_broken || (events & (EPOLLIN | EPOLLRDHUP | EPOLLPRI))) readable_.tell(kPollReadable | error);
  if (is_broken || (events & EPOLLOUT)) writable_.tell(kPollWritable | error);
}

void EdgeWatch::close(std::exception_ptr reason) noexcept {
  Ref<Event> keep(&readable_);
  end();
  readable_.serve_all();
  writable_.serve_all();
  readable_.Event::close(reason);
  writable_.Event::close(std::move(reason));
  if (reactor_) UvPollHandle::give_up(*reactor_, descriptor());
}

void EdgeWatch::lose() noexcept {
  if (is_registered()) reactor_->edges().forget(*this);
}

void EdgeWatch::on_reactor_gone() noexcept {
  end();
  reactor_ = nullptr;
  readable_.on_reactor_gone();
  writable_.on_reactor_gone();
}

void EdgeWatch::dispose() noexcept {
  readable_.Event::release();
  writable_.Event::release();  // the last one takes the watch along
}

void EdgeWatch::Side::tell(unsigned bits) noexcept {
  count_telling();
  const bool was_awaited = serve_all();
  if (has_subscribers()) {
    notify({bits, nullptr});
  } else if (!was_awaited) {
    keep_for_next();
  }
}

bool EdgeWatch::Side::replay(Notification& result) const noexcept {
  result = {bit_, nullptr};
  return take_kept();
}

bool EdgeWatch::Side::reclaim(Subscription&) noexcept {
  keep_for_next();
  return true;
}

std::string EdgeWatch::Side::describe() const {
  return "descriptor " + std::to_string(watch_.descriptor()) + (bit_ == kPollReadable ? " readable" : " writable");
}

std::exception_ptr EdgeWatch::Side::on_start() noexcept {
  try {
    if (!watch_.reactor_) return std::make_exception_ptr(MisuseError("the runtime is gone: " + describe()));
    if (const int code = watch_.begin()) return uv_error(describe().c_str(), uv_translate_sys_error(code));
    return nullptr;
  } catch (...) {
    return std::current_exception();
  }
}

void EdgeWatch::Side::dispose() noexcept {
  if (--watch_.parts_held_ == 0) delete &watch_;
}

}  // namespace trueasync::detail
