#include "io/stream_handle.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "io/broken_pipe.hpp"
#include "io/stream_request.hpp"
#include "scheduler/face.hpp"

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

StreamHandle::StreamHandle(IoKind kind, int fd, std::string name)
    : IoHandle(kind, fd, std::move(name)), is_socket_(kind == IoKind::tcp || kind == IoKind::udp) {
  int type = 0;
  socklen_t size = sizeof type;
  if (kind == IoKind::pipe && ::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0) is_socket_ = true;
  if (is_socket_) return;
  ignore_broken_pipes();
  const int access = ::fcntl(fd, F_GETFL) & O_ACCMODE;
  readable_ = access != O_WRONLY;
  writable_ = access != O_RDONLY;
}

DescriptorWatch& StreamHandle::watch() {
  if (!watch_) watch_ = this_scheduler("I/O").reactor().new_watch(fd_);
  return *watch_;
}

ssize_t StreamHandle::try_read(Bytes buffer) noexcept {
  ssize_t got;
  do {
    got = is_socket_ ? ::recv(fd_, buffer.data(), buffer.size(), 0) : ::read(fd_, buffer.data(), buffer.size());
  } while (got < 0 && errno == EINTR);
  if (got > 0) {
    bytes_read_ += static_cast<std::size_t>(got);
    drained_ = kind_ != IoKind::udp && static_cast<std::size_t>(got) < buffer.size();
  }
  return got;
}

ssize_t StreamHandle::try_write(const iovec* pieces, std::size_t count) noexcept {
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

IoOutcome StreamHandle::outcome_of_errno(std::size_t bytes, int code) const noexcept {
  return {bytes, closed_ ? kIoClosed : code, WakeReason::none, nullptr};
}

// Whoever was cancelled or was too late before the close learns of that, not of the close.
IoOutcome StreamHandle::unless_closed(IoOutcome outcome) const noexcept {
  return closed_ && outcome.is_well() ? outcome_of_errno(0, EBADF) : outcome;
}

IoOutcome StreamHandle::wait_ready(Event& event, IoDeadline deadline, Place place) {
  immediate_ = 0;
  WaitEntry entry(event);
  WaitRequest request;
  request.entries = std::span(&entry, 1);
  request.deadline = deadline;
  const WakeReason reason = this_scheduler("I/O").wait(request, place);
  return unless_closed({0, 0, reason, request.error});
}

IoOutcome StreamHandle::wait_turn(Turn& turn, IoDeadline deadline, Place place) {
  if (!turn.enter()) return wait_ready(turn, deadline, place);
  if (closed_) return outcome_of_errno(0, EBADF);
  if (++immediate_ < kImmediateMax) return {};
  return give_way(place);
}

IoOutcome StreamHandle::give_way(Place place) {
  immediate_ = 0;
  return unless_closed(give_way_once(std::nullopt, place));
}

IoOutcome StreamHandle::read(Bytes buffer, IoDeadline deadline, Place place) {
  if (buffer.empty()) return {};
  Ref<IoHandle> keep(this);
  Turn turn(reading_);
  if (IoOutcome outcome = wait_turn(turn, deadline, place); !outcome.is_well()) return outcome;
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
    if (IoOutcome outcome = wait_ready(watch().readable(), deadline, place); !outcome.is_well()) return outcome;
  }
}

IoOutcome StreamHandle::write_some(ConstBytes data, IoDeadline deadline, Place place) {
  if (data.empty()) return {};
  Ref<IoHandle> keep(this);
  Turn turn(writing_);
  if (IoOutcome outcome = wait_turn(turn, deadline, place); !outcome.is_well()) return outcome;
  const iovec piece{const_cast<std::byte*>(data.data()), data.size()};
  for (;;) {
    const ssize_t taken = try_write(&piece, 1);
    if (taken >= 0) return {static_cast<std::size_t>(taken), 0, WakeReason::none, nullptr};
    if (!would_block(errno)) return outcome_of_errno(0, errno);
    if (IoOutcome outcome = wait_ready(watch().writable(), deadline, place); !outcome.is_well()) return outcome;
  }
}

IoOutcome StreamHandle::write_pieces(iovec* pieces, std::size_t count, Progress& progress, IoDeadline deadline,
                                     Place place) {
  advance(pieces, count, 0);
  while (count != 0) {
    IoOutcome outcome;
    if (progress.unbroken >= kUnbrokenMax) {  // a peer that takes it as fast as it comes
      progress.unbroken = 0;
      outcome = unless_closed(give_way_once(deadline, place));
    } else if (const ssize_t taken = try_write(pieces, count); taken >= 0) {
      progress.done += static_cast<std::size_t>(taken);
      progress.unbroken += static_cast<std::size_t>(taken);
      advance(pieces, count, static_cast<std::size_t>(taken));
    } else if (would_block(errno)) {
      progress.unbroken = 0;
      outcome = wait_ready(watch().writable(), deadline, place);
    } else {
      outcome = outcome_of_errno(0, errno);
    }
    if (!outcome.is_well()) return outcome;
  }
  return {};
}

IoOutcome StreamHandle::write_all(std::span<const ConstBytes> pieces, IoDeadline deadline, Place place) {
  Ref<IoHandle> keep(this);
  Turn turn(writing_);
  if (IoOutcome outcome = wait_turn(turn, deadline, place); !outcome.is_well()) return outcome;
  // What goes out as one datagram must not become several.
  if (kind_ == IoKind::udp && pieces.size() > kPiecesAtOnce) return outcome_of_errno(0, EMSGSIZE);
  Progress progress;
  while (!pieces.empty()) {
    iovec some[kPiecesAtOnce];
    const std::size_t count = std::min(pieces.size(), kPiecesAtOnce);
    for (std::size_t i = 0; i < count; ++i) {
      some[i] = {const_cast<std::byte*>(pieces[i].data()), pieces[i].size()};
    }
    pieces = pieces.subspan(count);
    IoOutcome outcome = write_pieces(some, count, progress, deadline, place);
    if (!outcome.is_well()) {
      outcome.bytes = progress.done;
      return outcome;
    }
  }
  return {progress.done, 0, WakeReason::none, nullptr};
}

IoOutcome StreamHandle::shutdown_write(IoDeadline deadline, Place place) {
  Ref<IoHandle> keep(this);
  Turn turn(writing_);
  if (IoOutcome outcome = wait_turn(turn, deadline, place); !outcome.is_well()) return outcome;
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
  if (watch_) watch_->close(nullptr);  // who waits looks at closed_
  ::close(fd_);
  fd_ = -1;
}

Ref<IoRequest> StreamHandle::read_request(Bytes buffer, Place) { return new_read_request(*this, buffer); }

Ref<IoRequest> StreamHandle::write_request(ConstBytes data, Place) { return new_write_request(*this, data); }

Ref<IoHandle> new_stream_handle(IoKind kind, int fd, std::string name) {
  return Ref<IoHandle>::adopt(new StreamHandle(kind, fd, std::move(name)));
}

}  // namespace trueasync::detail
