// read, readv, recv, recvfrom, recvmsg.
#include <unistd.h>

#include "interpose/calls.hpp"
#include "interpose/fortified.hpp"
#include "interpose/remaining_iovecs.hpp"
#include "interpose/transfer.hpp"

namespace trueasync::detail::interpose::calls {

namespace {

// These never wait, whatever the socket's mode.
constexpr int kQuick = MSG_DONTWAIT | MSG_OOB | MSG_ERRQUEUE;

// Remembers what a try has told about the rest, after `done` bytes of a call that had room for so many.
void note(TrackedDescriptor* descriptor, ssize_t got, std::size_t room, std::size_t done, int flags) noexcept {
  if (!descriptor || (flags & (MSG_OOB | MSG_ERRQUEUE))) return;
  if (got < 0 ? would_block(errno)
              : got > 0 && done + static_cast<std::size_t>(got) < room && descriptor->kind() == DescriptorKind::tcp &&
                    !(flags & MSG_PEEK)) {
    descriptor->set_drained();
  } else {
    descriptor->clear_drained();
  }
}

// Messages come one at a time, whatever MSG_WAITALL says.
bool is_stream(int fd) noexcept {
  int type = 0;
  socklen_t size = sizeof type;
  return ::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM;
}

struct Receiving {
  Scheduler& scheduler;
  const char* call;
  int fd;
  std::size_t room;
  int flags;
  std::size_t plain_room;  // less than this, and nothing is left
};

// `attempt(done)` tries once without blocking, after so many bytes; `block(done)` is the original.
template <class Attempt, class Block>
ssize_t receive(const Receiving& receiving, Attempt&& attempt, Block&& block) noexcept {
  Transfer transfer(receiving.scheduler, receiving.call, receiving.fd, Side::in);
  std::size_t& done = transfer.done;
  const bool wants_all = receiving.flags & MSG_WAITALL;
  const bool is_peek = receiving.flags & MSG_PEEK;
  for (bool has_tried = false;; has_tried = true) {
    TrackedDescriptor* descriptor = find_tracked(receiving.fd);
    ssize_t got = -1;
    const bool is_skipped = descriptor && !has_tried && descriptor->is_drained();
    if (is_skipped) {
      errno = EAGAIN;
    } else {
      if (descriptor) descriptor->before_attempt(Side::in);
      got = attempt(is_peek ? 0 : done);
      note(descriptor, got, receiving.plain_room, done, receiving.flags);
    }
    if (got == 0 || (got < 0 && !would_block(errno))) {
      if (!has_tried) charge_nonblocking_call(receiving.scheduler, receiving.call);
      return transfer.result(got);
    }
    if (got > 0) {
      done = is_peek ? static_cast<std::size_t>(got) : done + static_cast<std::size_t>(got);
      const bool is_last = is_peek && descriptor && descriptor->ensure_registered(receiving.scheduler.reactor()) &&
                           descriptor->side(Side::in).has_hung_up();
      if (!wants_all || done >= receiving.room || is_last || !is_stream(receiving.fd)) {
        if (!has_tried) charge_nonblocking_call(receiving.scheduler, receiving.call);
        return transfer.result(-1);
      }
      if (!is_peek) continue;
    }
    if (!transfer.may_wait()) {
      if (is_skipped) got = attempt(done);
      return transfer.result(got < 0 ? fail_would_block(receiving.scheduler, receiving.fd) : got);
    }
    const WaitResult waited = transfer.wait();
    if (waited == WaitResult::interrupted) return transfer.result(-1);
    if (waited == WaitResult::unsupported) return done != 0 && is_peek ? static_cast<ssize_t>(done) : block(done);
  }
}

char* after(void* buffer, std::size_t done) noexcept { return static_cast<char*>(buffer) + done; }

// A call that never waits: the original, and what it tells about the rest.
template <class Attempt>
ssize_t receive_now(const Receiving& receiving, Attempt&& attempt) noexcept {
  TrackedDescriptor* descriptor = find_tracked(receiving.fd);
  if (descriptor) descriptor->before_attempt(Side::in);
  const ssize_t got = attempt();
  note(descriptor, got, receiving.plain_room, 0, receiving.flags);
  charge_nonblocking_call(receiving.scheduler, receiving.call);
  return got < 0 ? fail_would_block(receiving.scheduler, receiving.fd) : got;
}

ssize_t receive_other(const Receiving& receiving, DescriptorKind kind, const iovec* pieces, int count) noexcept {
  return receive(
      receiving, [&](std::size_t) { return try_readv(kind, receiving.fd, pieces, count); },
      [&](std::size_t) { return ::readv(receiving.fd, pieces, count); });
}

}  // namespace

ssize_t recv(int fd, void* buffer, std::size_t size, int flags) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler) return ::recv(fd, buffer, size, flags);
  const Receiving receiving{*scheduler, "recv", fd, size, flags, size};
  if (flags & kQuick) return receive_now(receiving, [&] { return ::recv(fd, buffer, size, flags); });
  return receive(
      receiving, [&](std::size_t done) { return ::recv(fd, after(buffer, done), size - done, flags | MSG_DONTWAIT); },
      [&](std::size_t done) { return ::recv(fd, after(buffer, done), size - done, flags); });
}

ssize_t recv_chk(int fd, void* buffer, std::size_t size, std::size_t room, int flags) noexcept {
  return size > room ? __recv_chk(fd, buffer, size, room, flags) : calls::recv(fd, buffer, size, flags);
}

ssize_t recvfrom(int fd, void* buffer, std::size_t size, int flags, sockaddr* from, socklen_t* length) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler) return ::recvfrom(fd, buffer, size, flags, from, length);
  const Receiving receiving{*scheduler, "recvfrom", fd, size, flags, size};
  if (flags & kQuick) {
    return receive_now(receiving, [&] { return ::recvfrom(fd, buffer, size, flags, from, length); });
  }
  return receive(
      receiving,
      [&](std::size_t done) {
        return ::recvfrom(fd, after(buffer, done), size - done, flags | MSG_DONTWAIT, from, length);
      },
      [&](std::size_t done) { return ::recvfrom(fd, after(buffer, done), size - done, flags, from, length); });
}

ssize_t recvfrom_chk(int fd, void* buffer, std::size_t size, std::size_t room, int flags, sockaddr* from,
                     socklen_t* length) noexcept {
  return size > room ? __recvfrom_chk(fd, buffer, size, room, flags, from, length)
                     : calls::recvfrom(fd, buffer, size, flags, from, length);
}

ssize_t recvmsg(int fd, msghdr* message, int flags) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler || !message) return ::recvmsg(fd, message, flags);
  const std::size_t room = size_of(message->msg_iov, message->msg_iovlen);
  // What comes with the bytes, records of TLS in the kernel say, ends a read though there is more.
  const std::size_t plain_room = message->msg_control ? 0 : room;
  const Receiving receiving{*scheduler, "recvmsg", fd, room, flags, plain_room};
  if (flags & kQuick) return receive_now(receiving, [&] { return ::recvmsg(fd, message, flags); });
  // After a part the rest comes without names and rights, which came with the first.
  const auto part = [&](std::size_t done, int how) -> ssize_t {
    if (done == 0) return ::recvmsg(fd, message, how);
    return transfer_rest(message->msg_iov, message->msg_iovlen, done, [&](const iovec* rest, std::size_t count) {
      msghdr plain = message_of(rest, count);
      return ::recvmsg(fd, &plain, how);
    });
  };
  return receive(
      receiving, [&](std::size_t done) { return part(done, flags | MSG_DONTWAIT); },
      [&](std::size_t done) { return part(done, flags); });
}

ssize_t read(int fd, void* buffer, std::size_t size) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler || size == 0) return ::read(fd, buffer, size);
  const DescriptorKind kind = transfer_kind(fd);
  if (kind == DescriptorKind::file) return ::read(fd, buffer, size);
  const Receiving receiving{*scheduler, "read", fd, size, 0, size};
  const iovec piece{buffer, size};
  if (!is_socket(kind)) return receive_other(receiving, kind, &piece, 1);
  const ssize_t got = receive(
      receiving, [&](std::size_t) { return ::recv(fd, buffer, size, MSG_DONTWAIT); },
      [&](std::size_t) { return ::read(fd, buffer, size); });
  return is_stale_socket(got, fd) ? calls::read(fd, buffer, size) : got;
}

ssize_t read_chk(int fd, void* buffer, std::size_t size, std::size_t room) noexcept {
  return size > room ? __read_chk(fd, buffer, size, room) : calls::read(fd, buffer, size);
}

ssize_t readv(int fd, const iovec* pieces, int count) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler || count <= 0) return ::readv(fd, pieces, count);
  const DescriptorKind kind = transfer_kind(fd);
  const std::size_t room = size_of(pieces, static_cast<std::size_t>(count));
  if (kind == DescriptorKind::file || room == 0) return ::readv(fd, pieces, count);
  const Receiving receiving{*scheduler, "readv", fd, room, 0, room};
  if (!is_socket(kind)) return receive_other(receiving, kind, pieces, count);
  const ssize_t got = receive(
      receiving,
      [&](std::size_t) {
        msghdr message = message_of(pieces, static_cast<std::size_t>(count));
        return ::recvmsg(fd, &message, MSG_DONTWAIT);
      },
      [&](std::size_t) { return ::readv(fd, pieces, count); });
  return is_stale_socket(got, fd) ? calls::readv(fd, pieces, count) : got;
}

}  // namespace trueasync::detail::interpose::calls
