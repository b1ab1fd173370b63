#include "reactor/epoll/epoll_poller.hpp"

#include <unistd.h>

#include <cerrno>
#include <utility>

namespace trueasync::detail {

namespace {

// EPOLLRDHUP and EPOLLPRI are requested because after them a short read does not mean that the descriptor is drained.
constexpr std::uint32_t kInterest = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLPRI | EPOLLET;

}  // namespace

EpollPoller::~EpollPoller() {
  if (fd_ >= 0) ::close(fd_);
}

int EpollPoller::open(int nested_fd) noexcept {
  const int new_fd = ::epoll_create1(EPOLL_CLOEXEC);
  if (new_fd < 0) return errno;
  if (const int old = std::exchange(fd_, new_fd); old >= 0) ::close(old);
  epoll_event interest = {};
  interest.events = EPOLLIN;
  interest.data.ptr = this;
  if (::epoll_ctl(fd_, EPOLL_CTL_ADD, nested_fd, &interest) != 0) return errno;
  for (auto* entry = entries_.front(); entry; entry = entries_.next_of(*entry)) {
    if (const int code = control(EPOLL_CTL_ADD, *entry); code != 0 && code != EEXIST) return code;
  }
  return 0;
}

int EpollPoller::control(int operation, EpollEntry& entry) noexcept {
  epoll_event interest = {};
  interest.events = kInterest;
  interest.data.ptr = &entry;
  return ::epoll_ctl(fd_, operation, entry.fd_, &interest) == 0 ? 0 : errno;
}

EpollEntry* EpollPoller::find_same_descriptor(const EpollEntry& entry) noexcept {
  for (auto* other = entries_.front(); other; other = entries_.next_of(*other)) {
    if (other != &entry && other->fd_ == entry.fd_) return other;
  }
  return nullptr;
}

int EpollPoller::add(EpollEntry& entry) noexcept {
  int code = control(EPOLL_CTL_ADD, entry);
  if (code == EEXIST) {
    EpollEntry* other = find_same_descriptor(entry);
    if (!other) return code;
    other->shared_ = entry.shared_ = true;
    code = control(EPOLL_CTL_MOD, entry);  // EPOLL_CTL_MOD also reports current readiness, to both entries
  }
  if (code != 0) return code;
  entries_.push_back(entry);
  ++size_;
  return 0;
}

void EpollPoller::remove(EpollEntry& entry) noexcept {
  entry.unlink();
  --size_;
  EpollEntry* other = entry.shared_ ? find_same_descriptor(entry) : nullptr;
  if (other) {
    control(EPOLL_CTL_MOD, *other);
  } else {
    control(EPOLL_CTL_DEL, entry);
  }
  replace_in_batch(entry, other);
}

void EpollPoller::abandon(EpollEntry& entry) noexcept {
  entry.unlink();
  --size_;
  replace_in_batch(entry, nullptr);
}

void EpollPoller::replace_in_batch(EpollEntry& entry, EpollEntry* other) noexcept {
  for (int i = batch_next_; i < batch_end_; ++i) {
    epoll_event& event = batch_[static_cast<std::size_t>(i)];
    if (event.data.ptr == &entry) event.data.ptr = other;
  }
}

EpollEntry* EpollPoller::next_undispatched(int fd) noexcept {
  for (auto* entry = entries_.front(); entry; entry = entries_.next_of(*entry)) {
    if (entry->fd_ == fd && entry->dispatch_round_ != round_) return entry;
  }
  return nullptr;
}

bool EpollPoller::poll(int milliseconds) noexcept {
  bool nested_ready = false;
  batch_end_ = ::epoll_wait(fd_, batch_.data(), static_cast<int>(batch_.size()), milliseconds);
  for (batch_next_ = 0; batch_next_ < batch_end_;) {
    const epoll_event event = batch_[static_cast<std::size_t>(batch_next_++)];
    if (event.data.ptr == this) {
      nested_ready = true;
    } else if (auto* entry = static_cast<EpollEntry*>(event.data.ptr)) {
      if (__builtin_expect(entry->shared_, 0)) {
        const int fd = entry->fd_;
        ++round_;
        // Searched from the front for each entry: a callback may remove any of them.
        while (EpollEntry* next = next_undispatched(fd)) {
          next->dispatch_round_ = round_;
          next->on_ready(event.events);
        }
      } else {
        entry->on_ready(event.events);
      }
    }
  }
  batch_end_ = batch_next_ = 0;
  return nested_ready;
}

}  // namespace trueasync::detail
