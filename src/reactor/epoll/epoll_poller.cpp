#include "reactor/epoll/epoll_poller.hpp"

#include <unistd.h>

#include <cerrno>
#include <utility>

namespace trueasync::detail {

namespace {

// A hang-up of the peer and urgent data are wanted by name: after them a short read does not mean that nothing is left.
constexpr std::uint32_t kWanted = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLPRI | EPOLLET;

}  // namespace

EpollPoller::~EpollPoller() {
  if (fd_ >= 0) ::close(fd_);
}

int EpollPoller::open(int guest) noexcept {
  const int fresh = ::epoll_create1(EPOLL_CLOEXEC);
  if (fresh < 0) return errno;
  if (const int old = std::exchange(fd_, fresh); old >= 0) ::close(old);
  epoll_event interest = {};
  interest.events = EPOLLIN;
  interest.data.ptr = this;
  if (::epoll_ctl(fd_, EPOLL_CTL_ADD, guest, &interest) != 0) return errno;
  for (auto* each = registrations_.front(); each; each = registrations_.next_of(*each)) {
    if (const int code = listen(EPOLL_CTL_ADD, *each); code != 0 && code != EEXIST) return code;
  }
  return 0;
}

int EpollPoller::listen(int operation, EpollEntry& registration) noexcept {
  epoll_event interest = {};
  interest.events = kWanted;
  interest.data.ptr = &registration;
  return ::epoll_ctl(fd_, operation, registration.fd_, &interest) == 0 ? 0 : errno;
}

EpollEntry* EpollPoller::find_same_descriptor(const EpollEntry& registration) noexcept {
  for (auto* each = registrations_.front(); each; each = registrations_.next_of(*each)) {
    if (each != &registration && each->fd_ == registration.fd_) return each;
  }
  return nullptr;
}

int EpollPoller::add(EpollEntry& registration) noexcept {
  int code = listen(EPOLL_CTL_ADD, registration);
  if (code == EEXIST) {
    EpollEntry* other = find_same_descriptor(registration);
    if (!other) return code;
    other->shared_ = registration.shared_ = true;
    code = listen(EPOLL_CTL_MOD, registration);  // and what is ready by now is told to both
  }
  if (code != 0) return code;
  registrations_.push_back(registration);
  ++size_;
  return 0;
}

void EpollPoller::remove(EpollEntry& registration) noexcept {
  registration.unlink();
  --size_;
  EpollEntry* other = registration.shared_ ? find_same_descriptor(registration) : nullptr;
  if (other) {
    listen(EPOLL_CTL_MOD, *other);
  } else {
    listen(EPOLL_CTL_DEL, registration);
  }
  replace_in_batch(registration, other);
}

void EpollPoller::abandon(EpollEntry& registration) noexcept {
  registration.unlink();
  --size_;
  replace_in_batch(registration, nullptr);
}

void EpollPoller::replace_in_batch(EpollEntry& registration, EpollEntry* other) noexcept {
  for (int i = batch_next_; i < batch_end_; ++i) {
    epoll_event& event = batch_[static_cast<std::size_t>(i)];
    if (event.data.ptr == &registration) event.data.ptr = other;
  }
}

EpollEntry* EpollPoller::next_undispatched(int fd) noexcept {
  for (auto* each = registrations_.front(); each; each = registrations_.next_of(*each)) {
    if (each->fd_ == fd && each->dispatch_round_ != round_) return each;
  }
  return nullptr;
}

bool EpollPoller::poll(int milliseconds) noexcept {
  bool is_guest_due = false;
  batch_end_ = ::epoll_wait(fd_, batch_.data(), static_cast<int>(batch_.size()), milliseconds);
  for (batch_next_ = 0; batch_next_ < batch_end_;) {
    const epoll_event event = batch_[static_cast<std::size_t>(batch_next_++)];
    if (event.data.ptr == this) {
      is_guest_due = true;
    } else if (auto* registration = static_cast<EpollEntry*>(event.data.ptr)) {
      if (__builtin_expect(registration->shared_, 0)) {
        const int fd = registration->fd_;
        ++round_;
        // From the front each time: telling one may take any of them away.
        while (EpollEntry* each = next_undispatched(fd)) {
          each->dispatch_round_ = round_;
          each->on_ready(event.events);
        }
      } else {
        registration->on_ready(event.events);
      }
    }
  }
  batch_end_ = batch_next_ = 0;
  return is_guest_due;
}

}  // namespace trueasync::detail
