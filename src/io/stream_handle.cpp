#include "io/stream_handle.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "io/socket.hpp"
#include "scheduler/api_support.hpp"
#include "scheduler/fast_path.hpp"
#include "trueasync/io/io.hpp"

namespace trueasync::detail {

namespace {

constexpr std::size_t kMaxBatch = 16;

bool would_block(int code) noexcept { return code == EAGAIN || code == EWOULDBLOCK; }

// Removes the first `bytes` bytes from the pieces.
void advance(iovec*& pieces, std::size_t& count, std::size_t bytes) noexcept {
  while (count != 0 && bytes >= pieces->iov_len) {
    bytes -= pieces->iov_len;
    ++pieces;
    --count;
  }
  if (count == 0) return;
  pieces->iov_base = static_cast<std::byte*>(pieces->iov_base) + bytes;
  pieces->iov_len -= bytes;
}

}  // namespace

StreamHandle::StreamHandle(IoKind kind, int fd, std::string name, PollMode mode)
    : IoHandle(kind, fd, std::move(name)), is_socket_(kind == IoKind::tcp || kind == IoKind::udp), mode_(mode) {
  int type = 0;
  socklen_t size = sizeof type;
  if (kind == IoKind::pipe && ::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0) is_socket_ = true;
  if (is_socket_) return;
  ignore_broken_pipes();
  const int access = ::fcntl(fd, F_GETFL) & O_ACCMODE;
  readable_ = access != O_WRONLY;
  writable_ = access != O_RDONLY;
}

DescriptorRegistration& StreamHandle::registration() {
  if (!registration_) {
    registration_ = require_scheduler("I/O").reactor().new_registration(fd_, mode_);
    input_ = registration_->readable_queue();
    output_ = registration_->writable_queue();
  }
  return *registration_;
}

ssize_t StreamHandle::try_read(Bytes buffer) noexcept {
  if (input_) input_->clear_pending();
  ssize_t got;
  do {
    got = is_socket_ ? ::recv(fd_, buffer.data(), buffer.size(), 0) : ::read(fd_, buffer.data(), buffer.size());
  } while (got < 0 && errno == EINTR);
  if (got > 0) {
    bytes_read_ += static_cast<std::size_t>(got);
    drained_ =
        kind_ != IoKind::udp && static_cast<std::size_t>(got) < buffer.size() && !(input_ && input_->has_hung_up());
  }
  return got;
}

ssize_t StreamHandle::try_write(const iovec* pieces, std::size_t count) noexcept {
  if (output_) output_->clear_pending();
  ssize_t taken;
  do {
    if (is_socket_ && count == 1) {
      taken = ::send(fd_, pieces->iov_base, pieces->iov_len, MSG_NOSIGNAL);
    } else if (is_socket_) {
      msghdr message = {};
      message.msg_iov = const_cast<iovec*>(pieces);
      message.msg_iovlen = count;
      taken = ::sendmsg(fd_, &message, MSG_NOSIGNAL);
    } else {
      taken = ::writev(fd_, pieces, static_cast<int>(count));
    }
  } while (taken < 0 && errno == EINTR);
  if (taken > 0) bytes_written_ += static_cast<std::size_t>(taken);
  return taken;
}

IoResult StreamHandle::make_error(std::size_t bytes, int code) const noexcept {
  return {bytes, closed_ ? kIoClosed : code, WakeReason::none, nullptr};
}

// An interruption takes precedence over the close of the handle.
IoResult StreamHandle::with_closed_check(IoResult outcome) const noexcept {
  return closed_ && outcome.ok() ? make_error(0, EBADF) : outcome;
}

IoResult StreamHandle::wait_readable(IoWait wait, SourceLocation location) {
  DescriptorRegistration& registered = registration();
  if (input_) return wait_on_readiness_queue(*input_, wait, location);
  return wait_for(registered.readable(), wait, location);
}

IoResult StreamHandle::wait_writable(IoWait wait, SourceLocation location) {
  DescriptorRegistration& registered = registration();
  if (output_) return wait_on_readiness_queue(*output_, wait, location);
  return wait_for(registered.writable(), wait, location);
}

IoResult StreamHandle::wait_on_readiness_queue(ReadinessQueue& queue, IoWait wait, SourceLocation location) {
  if (queue.take_pending()) return {};
  if (__builtin_expect(wait.token() != nullptr, 0)) return wait_for(queue.event(), wait, location);
  ops_since_yield_ = 0;
  Scheduler& scheduler = require_scheduler("I/O");
  struct ForegroundGuard {
    std::size_t& count;
    ~ForegroundGuard() { --count; }
  } foreground{queue.liveness().foreground};
  ++foreground.count;
  WaitEntry entry(queue.event());
  IoResult outcome;
  outcome.reason = scheduler.wait_queued(queue.waiters(), entry, location, deadline_or_max(wait));
  if (__builtin_expect(outcome.reason == WakeReason::error, 0)) {
    outcome.cause = std::exchange(scheduler.running()->error, nullptr);
  }
  return with_closed_check(std::move(outcome));
}

IoResult StreamHandle::wait_for(Event& event, IoWait wait, SourceLocation location) {
  ops_since_yield_ = 0;
  return with_closed_check(wait_for_event(event, wait, location));
}

IoResult StreamHandle::acquire_lock(FifoLockRequest& lock, IoWait wait, SourceLocation location) {
  if (!lock.lock_or_enqueue()) return wait_for(lock, wait, location);
  if (closed_) return make_error(0, EBADF);
  if (++ops_since_yield_ < kMaxOpsWithoutYield) return {};
  return yield_for_fairness(location);
}

IoResult StreamHandle::yield_for_fairness(SourceLocation location) {
  ops_since_yield_ = 0;
  return with_closed_check(yield_once({}, location));
}

// Flattened: after a context switch the processor mispredicts every return of the resumed coroutine.
[[gnu::flatten]] IoResult StreamHandle::read_some(Bytes buffer, IoWait wait, SourceLocation location) {
  if (buffer.empty()) return {};
  // Fast path: an uncontended lock needs no FifoLockRequest.
  if (closed_ || ops_since_yield_ + 1 >= kMaxOpsWithoutYield || !read_lock_.try_lock()) {
    return read_when_locked(buffer, wait, location);
  }
  Ref<IoHandle> keep_alive(this);
  ++ops_since_yield_;
  struct UnlockGuard {
    FifoLock& lock;
    ~UnlockGuard() { lock.unlock(); }
  } guard{read_lock_};
  return read_locked(buffer, wait, location);
}

[[gnu::noinline]] IoResult StreamHandle::read_when_locked(Bytes buffer, IoWait wait, SourceLocation location) {
  Ref<IoHandle> keep_alive(this);
  FifoLockRequest lock(read_lock_);
  if (IoResult outcome = acquire_lock(lock, wait, location); !outcome.ok()) return outcome;
  return read_locked(buffer, wait, location);
}

IoResult StreamHandle::read_locked(Bytes buffer, IoWait wait, SourceLocation location) {
  for (;;) {
    if (!drained_) {
      const ssize_t got = try_read(buffer);
      if (got >= 0) {
        eof_ = got == 0 && kind_ != IoKind::udp;
        return {static_cast<std::size_t>(got), 0, WakeReason::none, nullptr};
      }
      if (!would_block(errno)) return make_error(0, errno);
    }
    drained_ = false;
    if (IoResult outcome = wait_readable(wait, location); !outcome.ok()) return outcome;
  }
}

IoResult StreamHandle::write_some(ConstBytes data, IoWait wait, SourceLocation location) {
  if (data.empty()) return {};
  Ref<IoHandle> keep_alive(this);
  FifoLockRequest lock(write_lock_);
  if (IoResult outcome = acquire_lock(lock, wait, location); !outcome.ok()) return outcome;
  const iovec piece{const_cast<std::byte*>(data.data()), data.size()};
  for (;;) {
    const ssize_t taken = try_write(&piece, 1);
    if (taken >= 0) return {static_cast<std::size_t>(taken), 0, WakeReason::none, nullptr};
    if (!would_block(errno)) return make_error(0, errno);
    if (IoResult outcome = wait_writable(wait, location); !outcome.ok()) return outcome;
  }
}

IoResult StreamHandle::write_pieces(iovec* pieces, std::size_t count, Progress& progress, IoWait wait,
                                    SourceLocation location) {
  advance(pieces, count, 0);
  while (count != 0) {
    IoResult outcome;
    if (progress.since_yield >= kMaxBytesWithoutYield) {  // the peer reads as fast as this coroutine writes
      progress.since_yield = 0;
      outcome = with_closed_check(yield_once(wait, location));
    } else if (const ssize_t taken = try_write(pieces, count); taken >= 0) {
      progress.done += static_cast<std::size_t>(taken);
      progress.since_yield += static_cast<std::size_t>(taken);
      advance(pieces, count, static_cast<std::size_t>(taken));
    } else if (would_block(errno)) {
      progress.since_yield = 0;
      outcome = wait_writable(wait, location);
    } else {
      outcome = make_error(0, errno);
    }
    if (!outcome.ok()) return outcome;
  }
  return {};
}

IoResult StreamHandle::write_all(std::span<const ConstBytes> pieces, IoWait wait, SourceLocation location) {
  // Fast path: one piece, no other writer, and the kernel accepts all of it.
  const bool can_use_fast_path =
      pieces.size() == 1 && !closed_ && !write_lock_.is_locked() && ops_since_yield_ + 1 < kMaxOpsWithoutYield;
  if (!can_use_fast_path || pieces.front().empty()) return write_locked(pieces, 0, wait, location);
  ++ops_since_yield_;
  ConstBytes data = pieces.front();
  const iovec piece{const_cast<std::byte*>(data.data()), data.size()};
  const ssize_t taken = try_write(&piece, 1);
  if (__builtin_expect(static_cast<std::size_t>(taken) == data.size(), 1))
    return {data.size(), 0, WakeReason::none, {}};
  if (taken < 0 && !would_block(errno)) return make_error(0, errno);
  const std::size_t done = taken < 0 ? 0 : static_cast<std::size_t>(taken);
  data = data.subspan(done);
  return write_locked(std::span(&data, 1), done, wait, location);
}

// `done` bytes were written before; the result counts them.
IoResult StreamHandle::write_locked(std::span<const ConstBytes> pieces, std::size_t done, IoWait wait,
                                    SourceLocation location) {
  Ref<IoHandle> keep_alive(this);
  FifoLockRequest lock(write_lock_);
  if (IoResult outcome = acquire_lock(lock, wait, location); !outcome.ok()) {
    outcome.bytes = done;
    return outcome;
  }
  // A write of several batches would become several datagrams.
  if (kind_ == IoKind::udp && pieces.size() > kMaxBatch) return make_error(0, EMSGSIZE);
  Progress progress;
  progress.done = done;
  while (!pieces.empty()) {
    iovec entries[kMaxBatch];
    const std::size_t count = std::min(pieces.size(), kMaxBatch);
    for (std::size_t i = 0; i < count; ++i) {
      entries[i] = {const_cast<std::byte*>(pieces[i].data()), pieces[i].size()};
    }
    pieces = pieces.subspan(count);
    IoResult outcome = write_pieces(entries, count, progress, wait, location);
    if (!outcome.ok()) {
      outcome.bytes = progress.done;
      return outcome;
    }
  }
  return {progress.done, 0, WakeReason::none, nullptr};
}

IoResult StreamHandle::shutdown_write(IoWait wait, SourceLocation location) {
  Ref<IoHandle> keep_alive(this);
  FifoLockRequest lock(write_lock_);
  if (IoResult outcome = acquire_lock(lock, wait, location); !outcome.ok()) return outcome;
  if (!is_socket_ && !readable_) {  // a pipe has no shutdown(): its reader sees the end when the write end is closed
    close();
    return {};
  }
  if (::shutdown(fd_, SHUT_WR) != 0) return make_error(0, errno);
  writable_ = false;
  return {};
}

void StreamHandle::close() noexcept {
  if (closed_) return;
  closed_ = true;
  input_ = output_ = nullptr;
  if (registration_) registration_->close(nullptr);  // waiters wake and check closed_
  ::close(fd_);
  fd_ = -1;
}

Ref<IoRequest> StreamHandle::read_request(Bytes buffer, SourceLocation) { return new_read_request(*this, buffer); }

Ref<IoRequest> StreamHandle::write_request(ConstBytes data, SourceLocation) { return new_write_request(*this, data); }

Ref<IoHandle> new_stream_handle(IoKind kind, int fd, std::string name) {
  return Ref<IoHandle>::adopt(new StreamHandle(kind, fd, std::move(name), poll_mode_for(kind)));
}

}  // namespace trueasync::detail
