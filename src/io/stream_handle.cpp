#include "io/stream_handle.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "io/broken_pipe.hpp"
#include "io/stream_request.hpp"
#include "scheduler/api_support.hpp"
#include "scheduler/wait_queued.hpp"

namespace trueasync::detail {

namespace {

constexpr std::size_t kPiecesAtOnce = 16;

bool would_block(int code) noexcept { return code == EAGAIN || code == EWOULDBLOCK; }

// Drops the first `bytes` of what is to be written.
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
  if (!watch_) {
    watch_ = require_scheduler("I/O").reactor().new_registration(fd_, mode_);
    input_ = watch_->readable_queue();
    output_ = watch_->writable_queue();
  }
  return *watch_;
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

IoResult StreamHandle::outcome_of_errno(std::size_t bytes, int code) const noexcept {
  return {bytes, closed_ ? kIoClosed : code, WakeReason::none, nullptr};
}

// Whoever was cancelled or was too late before the close learns of that, not of the close.
IoResult StreamHandle::with_closed_check(IoResult outcome) const noexcept {
  return closed_ && outcome.ok() ? outcome_of_errno(0, EBADF) : outcome;
}

IoResult StreamHandle::wait_readable(IoDeadline deadline, SourceLocation location) {
  DescriptorRegistration& registered = registration();
  if (input_) return wait_on_readiness_queue(*input_, deadline, location);
  return wait_for(registered.readable(), deadline, location);
}

IoResult StreamHandle::wait_writable(IoDeadline deadline, SourceLocation location) {
  DescriptorRegistration& registered = registration();
  if (output_) return wait_on_readiness_queue(*output_, deadline, location);
  return wait_for(registered.writable(), deadline, location);
}

IoResult StreamHandle::wait_on_readiness_queue(ReadinessQueue& direct, IoDeadline deadline, SourceLocation location) {
  if (direct.take_pending()) return {};
  ops_since_yield_ = 0;
  Scheduler& scheduler = require_scheduler("I/O");
  struct Alive {
    std::size_t& count;
    ~Alive() { --count; }
  } alive{direct.liveness().foreground};
  ++alive.count;
  WaitEntry entry(direct.event());
  IoResult outcome;
  outcome.reason = scheduler.wait_queued(direct.waiters(), entry, location, deadline.value_or(TimePoint::max()));
  if (__builtin_expect(outcome.reason == WakeReason::error, 0)) {
    outcome.cause = std::exchange(scheduler.running()->error, nullptr);
  }
  return with_closed_check(std::move(outcome));
}

IoResult StreamHandle::wait_for(Event& event, IoDeadline deadline, SourceLocation location) {
  ops_since_yield_ = 0;
  WaitEntry entry(event);
  WaitRequest request;
  request.entries = std::span(&entry, 1);
  request.deadline = deadline;
  const WakeReason reason = require_scheduler("I/O").wait(request, location);
  return with_closed_check({0, 0, reason, request.error});
}

IoResult StreamHandle::acquire_lock(FifoLockRequest& turn, IoDeadline deadline, SourceLocation location) {
  if (!turn.lock_or_enqueue()) return wait_for(turn, deadline, location);
  if (closed_) return outcome_of_errno(0, EBADF);
  if (++ops_since_yield_ < kMaxOpsWithoutYield) return {};
  return yield_for_fairness(location);
}

IoResult StreamHandle::yield_for_fairness(SourceLocation location) {
  ops_since_yield_ = 0;
  return with_closed_check(yield_once(std::nullopt, location));
}

// Flat: where a coroutine goes on, each return is one that the processor guesses wrong.
[[gnu::flatten]] IoResult StreamHandle::read(Bytes buffer, IoDeadline deadline, SourceLocation location) {
  if (buffer.empty()) return {};
  // Mostly nobody else reads: then no place in the line is needed.
  if (closed_ || ops_since_yield_ + 1 >= kMaxOpsWithoutYield || !reading_.try_lock()) {
    return read_when_locked(buffer, deadline, location);
  }
  Ref<IoHandle> keep(this);
  ++ops_since_yield_;
  struct Held {
    FifoLock& queue;
    ~Held() { queue.unlock(); }
  } held{reading_};
  return read_locked(buffer, deadline, location);
}

[[gnu::noinline]] IoResult StreamHandle::read_when_locked(Bytes buffer, IoDeadline deadline, SourceLocation location) {
  Ref<IoHandle> keep(this);
  FifoLockRequest turn(reading_);
  if (IoResult outcome = acquire_lock(turn, deadline, location); !outcome.ok()) return outcome;
  return read_locked(buffer, deadline, location);
}

IoResult StreamHandle::read_locked(Bytes buffer, IoDeadline deadline, SourceLocation location) {
  for (;;) {
    if (!drained_) {
      const ssize_t got = try_read(buffer);
      if (got >= 0) {
        eof_ = got == 0 && kind_ != IoKind::udp;
        return {static_cast<std::size_t>(got), 0, WakeReason::none, nullptr};
      }
      if (!would_block(errno)) return outcome_of_errno(0, errno);
    }
    drained_ = false;
    if (IoResult outcome = wait_readable(deadline, location); !outcome.ok()) return outcome;
  }
}

IoResult StreamHandle::write_some(ConstBytes data, IoDeadline deadline, SourceLocation location) {
  if (data.empty()) return {};
  Ref<IoHandle> keep(this);
  FifoLockRequest turn(writing_);
  if (IoResult outcome = acquire_lock(turn, deadline, location); !outcome.ok()) return outcome;
  const iovec piece{const_cast<std::byte*>(data.data()), data.size()};
  for (;;) {
    const ssize_t taken = try_write(&piece, 1);
    if (taken >= 0) return {static_cast<std::size_t>(taken), 0, WakeReason::none, nullptr};
    if (!would_block(errno)) return outcome_of_errno(0, errno);
    if (IoResult outcome = wait_writable(deadline, location); !outcome.ok()) return outcome;
  }
}

IoResult StreamHandle::write_pieces(iovec* pieces, std::size_t count, Progress& progress, IoDeadline deadline,
                                    SourceLocation location) {
  advance(pieces, count, 0);
  while (count != 0) {
    IoResult outcome;
    if (progress.unbroken >= kMaxBytesWithoutYield) {  // a peer that takes it as fast as it comes
      progress.unbroken = 0;
      outcome = with_closed_check(yield_once(deadline, location));
    } else if (const ssize_t taken = try_write(pieces, count); taken >= 0) {
      progress.done += static_cast<std::size_t>(taken);
      progress.unbroken += static_cast<std::size_t>(taken);
      advance(pieces, count, static_cast<std::size_t>(taken));
    } else if (would_block(errno)) {
      progress.unbroken = 0;
      outcome = wait_writable(deadline, location);
    } else {
      outcome = outcome_of_errno(0, errno);
    }
    if (!outcome.ok()) return outcome;
  }
  return {};
}

IoResult StreamHandle::write_all(std::span<const ConstBytes> pieces, IoDeadline deadline, SourceLocation location) {
  // The commonest write: one piece, nobody else writes, and the kernel takes all of it.
  const bool is_simple =
      pieces.size() == 1 && !closed_ && !writing_.is_locked() && ops_since_yield_ + 1 < kMaxOpsWithoutYield;
  if (!is_simple || pieces.front().empty()) return write_locked(pieces, 0, deadline, location);
  ++ops_since_yield_;
  ConstBytes data = pieces.front();
  const iovec piece{const_cast<std::byte*>(data.data()), data.size()};
  const ssize_t taken = try_write(&piece, 1);
  if (__builtin_expect(static_cast<std::size_t>(taken) == data.size(), 1))
    return {data.size(), 0, WakeReason::none, {}};
  if (taken < 0 && !would_block(errno)) return outcome_of_errno(0, errno);
  const std::size_t done = taken < 0 ? 0 : static_cast<std::size_t>(taken);
  data = data.subspan(done);
  return write_locked(std::span(&data, 1), done, deadline, location);
}

// `done` of it have gone out already.
IoResult StreamHandle::write_locked(std::span<const ConstBytes> pieces, std::size_t done, IoDeadline deadline,
                                    SourceLocation location) {
  Ref<IoHandle> keep(this);
  FifoLockRequest turn(writing_);
  if (IoResult outcome = acquire_lock(turn, deadline, location); !outcome.ok()) {
    outcome.bytes = done;
    return outcome;
  }
  // What goes out as one datagram must not become several.
  if (kind_ == IoKind::udp && pieces.size() > kPiecesAtOnce) return outcome_of_errno(0, EMSGSIZE);
  Progress progress;
  progress.done = done;
  while (!pieces.empty()) {
    iovec some[kPiecesAtOnce];
    const std::size_t count = std::min(pieces.size(), kPiecesAtOnce);
    for (std::size_t i = 0; i < count; ++i) {
      some[i] = {const_cast<std::byte*>(pieces[i].data()), pieces[i].size()};
    }
    pieces = pieces.subspan(count);
    IoResult outcome = write_pieces(some, count, progress, deadline, location);
    if (!outcome.ok()) {
      outcome.bytes = progress.done;
      return outcome;
    }
  }
  return {progress.done, 0, WakeReason::none, nullptr};
}

IoResult StreamHandle::shutdown_write(IoDeadline deadline, SourceLocation location) {
  Ref<IoHandle> keep(this);
  FifoLockRequest turn(writing_);
  if (IoResult outcome = acquire_lock(turn, deadline, location); !outcome.ok()) return outcome;
  if (!is_socket_ && !readable_) {  // the end of a pipe: closing it is how the other side learns
    close();
    return {};
  }
  if (::shutdown(fd_, SHUT_WR) != 0) return outcome_of_errno(0, errno);
  writable_ = false;
  return {};
}

void StreamHandle::close() noexcept {
  if (closed_) return;
  closed_ = true;
  input_ = output_ = nullptr;
  if (watch_) watch_->close(nullptr);  // who waits looks at closed_
  ::close(fd_);
  fd_ = -1;
}

Ref<IoRequest> StreamHandle::read_request(Bytes buffer, SourceLocation) { return new_read_request(*this, buffer); }

Ref<IoRequest> StreamHandle::write_request(ConstBytes data, SourceLocation) { return new_write_request(*this, data); }

Ref<IoHandle> new_stream_handle(IoKind kind, int fd, std::string name) {
  return Ref<IoHandle>::adopt(new StreamHandle(kind, fd, std::move(name), poll_mode_for(kind)));
}

}  // namespace trueasync::detail
