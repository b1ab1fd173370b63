// write, writev, send, sendto, sendmsg. A blocking call on a stream goes on until everything is out, as the kernel's does;
// what ends it early leaves the part that went. One that need not wait does nothing but the system call: signal handlers
// write, too.
#include <unistd.h>

#include "interpose/calls.hpp"
#include "interpose/remaining_iovecs.hpp"
#include "interpose/transfer.hpp"

namespace trueasync::detail::interpose::calls {

namespace {

struct Sending {
  Scheduler& scheduler;
  const char* call;
  int fd;
  std::size_t size;
};

// `attempt(done)` tries once without blocking, after so many bytes; `block(done)` is the original.
template <class Attempt, class Block>
ssize_t send_all(const Sending& sending, Attempt&& attempt, Block&& block) noexcept {
  Transfer transfer(sending.scheduler, sending.call, sending.fd, Side::out);
  std::size_t& done = transfer.done;
  for (;;) {
    if (TrackedDescriptor* descriptor = find_tracked(sending.fd)) descriptor->before_attempt(Side::out);
    const ssize_t taken = attempt(done);
    if (taken >= 0) {
      done += static_cast<std::size_t>(taken);
      if (done >= sending.size || taken == 0) return transfer.result(0);
    } else if (!would_block(errno)) {
      return transfer.result(-1);
    }
    if (!transfer.may_wait()) return transfer.result(taken < 0 ? fail_would_block(sending.scheduler, sending.fd) : -1);
    if (taken > 0) continue;
    const WaitResult waited = transfer.wait();
    if (waited == WaitResult::interrupted) return transfer.result(-1);
    if (waited == WaitResult::unsupported) {
      const ssize_t rest = block(done);
      return rest < 0 ? transfer.result(-1) : static_cast<ssize_t>(done) + rest;
    }
  }
}

// A call that never waits.
template <class Attempt>
ssize_t send_now(Scheduler& scheduler, int fd, Attempt&& attempt) noexcept {
  const ssize_t taken = attempt();
  return taken < 0 ? fail_would_block(scheduler, fd) : taken;
}

const char* after(const void* data, std::size_t done) noexcept { return static_cast<const char*>(data) + done; }

// A connection that breaks after a part went out is told of at the next call, without a signal at this one.
int flags_after(std::size_t done, int flags) noexcept { return done == 0 ? flags : flags | MSG_NOSIGNAL; }

ssize_t send_pieces(const Sending& sending, const msghdr& message, int flags) noexcept {
  const auto part = [&](std::size_t done, int how) -> ssize_t {
    if (done == 0) return ::sendmsg(sending.fd, &message, how);
    // Names and rights went with the first part.
    return transfer_rest(message.msg_iov, message.msg_iovlen, done, [&](const iovec* rest, std::size_t count) {
      const msghdr plain = message_of(rest, count);
      return ::sendmsg(sending.fd, &plain, how | MSG_NOSIGNAL);
    });
  };
  return send_all(
      sending, [&](std::size_t done) { return part(done, flags | MSG_DONTWAIT); },
      [&](std::size_t done) { return part(done, flags); });
}

ssize_t write_other(const Sending& sending, DescriptorKind kind, const iovec* pieces, std::size_t count) noexcept {
  const auto part = [&](std::size_t done, bool may_block) -> ssize_t {
    if (done == 0 && !may_block) return try_writev(kind, sending.fd, pieces, static_cast<int>(count));
    return transfer_rest(pieces, count, done, [&](const iovec* rest, std::size_t left) {
      const int number = static_cast<int>(left);
      return may_block ? ::writev(sending.fd, rest, number) : try_writev(kind, sending.fd, rest, number);
    });
  };
  return send_all(
      sending, [&](std::size_t done) { return part(done, false); }, [&](std::size_t done) { return part(done, true); });
}

}  // namespace

ssize_t send(int fd, const void* data, std::size_t size, int flags) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler) return ::send(fd, data, size, flags);
  if (flags & MSG_DONTWAIT) return send_now(*scheduler, fd, [&] { return ::send(fd, data, size, flags); });
  return send_all(
      Sending{*scheduler, "send", fd, size},
      [&](std::size_t done) {
        return ::send(fd, after(data, done), size - done, flags_after(done, flags | MSG_DONTWAIT));
      },
      [&](std::size_t done) { return ::send(fd, after(data, done), size - done, flags_after(done, flags)); });
}

ssize_t sendto(int fd, const void* data, std::size_t size, int flags, const sockaddr* to, socklen_t length) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler) return ::sendto(fd, data, size, flags, to, length);
  if (flags & MSG_DONTWAIT) {
    return send_now(*scheduler, fd, [&] { return ::sendto(fd, data, size, flags, to, length); });
  }
  return send_all(
      Sending{*scheduler, "sendto", fd, size},
      [&](std::size_t done) {
        return ::sendto(fd, after(data, done), size - done, flags_after(done, flags | MSG_DONTWAIT), to, length);
      },
      [&](std::size_t done) {
        return ::sendto(fd, after(data, done), size - done, flags_after(done, flags), to, length);
      });
}

ssize_t sendmsg(int fd, const msghdr* message, int flags) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler || !message) return ::sendmsg(fd, message, flags);
  if (flags & MSG_DONTWAIT) return send_now(*scheduler, fd, [&] { return ::sendmsg(fd, message, flags); });
  return send_pieces({*scheduler, "sendmsg", fd, size_of(message->msg_iov, message->msg_iovlen)}, *message, flags);
}

ssize_t write(int fd, const void* data, std::size_t size) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler || size == 0) return ::write(fd, data, size);
  const DescriptorKind kind = transfer_kind(fd);
  if (kind == DescriptorKind::file) return ::write(fd, data, size);
  const Sending sending{*scheduler, "write", fd, size};
  if (!is_socket(kind)) {
    const iovec piece{const_cast<void*>(data), size};
    return write_other(sending, kind, &piece, 1);
  }
  const ssize_t taken = send_all(
      sending,
      [&](std::size_t done) { return ::send(fd, after(data, done), size - done, flags_after(done, MSG_DONTWAIT)); },
      [&](std::size_t done) { return ::write(fd, after(data, done), size - done); });
  return is_stale_socket(taken, fd) ? calls::write(fd, data, size) : taken;
}

ssize_t writev(int fd, const iovec* pieces, int count) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler || count <= 0) return ::writev(fd, pieces, count);
  const DescriptorKind kind = transfer_kind(fd);
  const auto number = static_cast<std::size_t>(count);
  const std::size_t size = size_of(pieces, number);
  if (kind == DescriptorKind::file || size == 0) return ::writev(fd, pieces, count);
  const Sending sending{*scheduler, "writev", fd, size};
  if (!is_socket(kind)) return write_other(sending, kind, pieces, number);
  const ssize_t taken = send_pieces(sending, message_of(pieces, number), 0);
  return is_stale_socket(taken, fd) ? calls::writev(fd, pieces, count) : taken;
}

}  // namespace trueasync::detail::interpose::calls
