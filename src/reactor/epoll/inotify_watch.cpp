#include "reactor/epoll/inotify_watch.hpp"

#include <sys/inotify.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "trueasync/error.hpp"

namespace trueasync::detail {

namespace {

constexpr std::uint32_t kMask = IN_CREATE | IN_DELETE | IN_MODIFY | IN_ATTRIB | IN_MOVED_FROM | IN_MOVED_TO |
                                IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK;

RawFsChange::Kind to_kind(std::uint32_t mask) noexcept {
  using Kind = RawFsChange::Kind;
  if (mask & IN_Q_OVERFLOW) return Kind::overflow;
  if (mask & IN_IGNORED) return Kind::watch_removed;
  if (mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT)) return Kind::self_removed;
  if (mask & (IN_CREATE | IN_MOVED_TO)) return Kind::appeared;
  if (mask & (IN_DELETE | IN_MOVED_FROM)) return Kind::disappeared;
  return Kind::changed;
}

}  // namespace

InotifyWatch::InotifyWatch(EpollReactor& reactor, std::string path)
    : FsWatchEvent(&reactor.liveness()),
      reactor_(&reactor),
      path_(std::move(path)),
      fd_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {
  if (fd_ < 0) open_error_ = errno;
  readable_.watch = this;
  readable_.persistent = true;
  readable_.callback = [](Subscription& self, const Notification&) noexcept {
    InotifyWatch& watch = *static_cast<Readable&>(self).watch;
    if (watch.fill()) watch.notify({});
  };
  reactor.observers().push_back(*this);
}

InotifyWatch::~InotifyWatch() {
  unwatch();
  if (fd_ >= 0) ::close(fd_);
  if (ReactorObserver::is_linked()) ReactorObserver::unlink();
}

int InotifyWatch::add(const std::string& directory) noexcept {
  if (fd_ < 0) return -open_error_;
  const int watch = ::inotify_add_watch(fd_, directory.c_str(), kMask);
  return watch >= 0 ? watch : -errno;
}

void InotifyWatch::remove(int watch) noexcept {
  if (fd_ >= 0) ::inotify_rm_watch(fd_, watch);
}

bool InotifyWatch::fill() noexcept {
  if (fd_ < 0) return false;
  ssize_t count = 0;
  do {
    count = ::read(fd_, buffer_.data(), buffer_.size());
  } while (count < 0 && errno == EINTR);
  position_ = 0;
  end_ = count > 0 ? static_cast<std::size_t>(count) : 0;
  return end_ != 0;
}

bool InotifyWatch::next(RawFsChange& change) noexcept {
  if (position_ == end_) return false;
  inotify_event event;
  std::memcpy(&event, buffer_.data() + position_, sizeof(event));
  const char* name = buffer_.data() + position_ + sizeof(event);
  position_ += sizeof(event) + event.len;
  change.kind = to_kind(event.mask);
  change.watch = event.wd;
  change.name = event.len ? std::string_view(name) : std::string_view();
  change.is_directory = (event.mask & IN_ISDIR) != 0;
  return true;
}

std::exception_ptr InotifyWatch::on_start() noexcept {
  try {
    if (!reactor_)
      return std::make_exception_ptr(MisuseError("wait for " + describe() + ": the runtime was destroyed"));
    Ref<Event> source = reactor_->new_poll(fd_, kPollReadable);
    source->set_background();  // the InotifyWatch itself counts as foreground
    if (auto error = source->start()) return error;
    readable_.source = std::move(source);
    readable_.source->subscribe(readable_);
    return nullptr;
  } catch (...) {
    return std::current_exception();
  }
}

void InotifyWatch::on_stop() noexcept { unwatch(); }

void InotifyWatch::unwatch() noexcept {
  Ref<Event> source = std::move(readable_.source);
  if (!source) return;
  source->unsubscribe(readable_);
  source->stop();
}

void InotifyWatch::on_reactor_closed() noexcept {
  unwatch();
  detach_liveness();
  reactor_ = nullptr;
}

}  // namespace trueasync::detail
