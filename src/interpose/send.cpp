// write, writev, send, sendto and sendmsg. A blocking call on a stream continues until all data is sent, like the
// original. If it is interrupted, it returns the number of bytes already sent. A call that does not wait makes only the
// system call, because signal handlers call write() too.
#include <unistd.h>

#include "interpose/calls.hpp"
#include "interpose/remaining_iovecs.hpp"
#include "interpose/transfer.hpp"

namespace trueasync::detail::interpose::calls {

namespace {

struct SendCall {
  Scheduler& scheduler;
  const char* name;
  int fd;
  std::size_t size;
};

// `attempt(done)` makes a nonblocking attempt after `done` sent bytes; `block(done)` calls the original.
template <class Attempt, class Block>
ssize_t send_all(const SendCall& call, Attempt&& attempt, Block&& block) noexcept {
  Transfer transfer(call.scheduler, call.name, call.fd, Side::out);
  std::size_t& done = transfer.done;
  for (;;) {
    if (TrackedDescriptor* descriptor = find_tracked(call.fd)) descriptor->before_attempt(Side::out);
    const ssize_t sent = attempt(done);
    if (sent >= 0) {
      done += static_cast<std::size_t>(sent);
      if (done >= call.size || sent == 0) return transfer.result(0);
    } else if (!would_block(errno)) {
      return transfer.result(-1);
    }
    if (!transfer.may_wait()) return transfer.result(sent < 0 ? fail_would_block(call.scheduler, call.fd) : -1);
    if (sent > 0) continue;
    const WaitResult waited = transfer.wait();
    if (waited == WaitResult::interrupted) return transfer.result(-1);
    if (waited == WaitResult::unsupported) {
      const ssize_t rest = block(done);
      return rest < 0 ? transfer.result(-1) : static_cast<ssize_t>(done) + rest;
    }
  }
}

// A call that never blocks.
template <class Attempt>
ssize_t send_now(Scheduler& scheduler, int fd, Attempt&& attempt) noexcept {
  const ssize_t sent = attempt();
  return sent < 0 ? fail_would_block(scheduler, fd) : sent;
}

const char* advance(const void* data, std::size_t done) noexcept { return static_cast<const char*>(data) + done; }

// If the connection breaks after a part was sent, this call returns that part, and the next call fails. SIGPIPE must
// not be raised before.
int continuation_flags(std::size_t done, int flags) noexcept { return done == 0 ? flags : flags | MSG_NOSIGNAL; }

ssize_t send_iovecs(const SendCall& call, const msghdr& message, int flags) noexcept {
  const auto part = [&](std::size_t done, int part_flags) -> ssize_t {
    if (done == 0) return ::sendmsg(call.fd, &message, part_flags);
    // The first part carried the address and the control messages.
    return transfer_rest(message.msg_iov, message.msg_iovlen, done, [&](const iovec* rest, std::size_t count) {
      const msghdr data_only = make_message(rest, count);
      return ::sendmsg(call.fd, &data_only, part_flags | MSG_NOSIGNAL);
    });
  };
  return send_all(
      call, [&](std::size_t done) { return part(done, flags | MSG_DONTWAIT); },
      [&](std::size_t done) { return part(done, flags); });
}

ssize_t write_other(const SendCall& call, DescriptorKind kind, const iovec* iovecs, std::size_t count) noexcept {
  const auto part = [&](std::size_t done, bool may_block) -> ssize_t {
    if (done == 0 && !may_block) return try_writev(kind, call.fd, iovecs, static_cast<int>(count));
    return transfer_rest(iovecs, count, done, [&](const iovec* rest, std::size_t rest_count) {
      const int length = static_cast<int>(rest_count);
      return may_block ? ::writev(call.fd, rest, length) : try_writev(kind, call.fd, rest, length);
    });
  };
  return send_all(
      call, [&](std::size_t done) { return part(done, false); }, [&](std::size_t done) { return part(done, true); });
}

}  // namespace

ssize_t send(int fd, const void* data, std::size_t size, int flags) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler) return ::send(fd, data, size, flags);
  if (flags & MSG_DONTWAIT) return send_now(*scheduler, fd, [&] { return ::send(fd, data, size, flags); });
  return send_all(
      SendCall{*scheduler, "send", fd, size},
      [&](std::size_t done) {
        return ::send(fd, advance(data, done), size - done, continuation_flags(done, flags | MSG_DONTWAIT));
      },
      [&](std::size_t done) { return ::send(fd, advance(data, done), size - done, continuation_flags(done, flags)); });
}

ssize_t sendto(int fd, const void* data, std::size_t size, int flags, const sockaddr* to, socklen_t length) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler) return ::sendto(fd, data, size, flags, to, length);
  if (flags & MSG_DONTWAIT) {
    return send_now(*scheduler, fd, [&] { return ::sendto(fd, data, size, flags, to, length); });
  }
  return send_all(
      SendCall{*scheduler, "sendto", fd, size},
      [&](std::size_t done) {
        return ::sendto(fd, advance(data, done), size - done, continuation_flags(done, flags | MSG_DONTWAIT), to,
                        length);
      },
      [&](std::size_t done) {
        return ::sendto(fd, advance(data, done), size - done, continuation_flags(done, flags), to, length);
      });
}

ssize_t sendmsg(int fd, const msghdr* message, int flags) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler || !message) return ::sendmsg(fd, message, flags);
  if (flags & MSG_DONTWAIT) return send_now(*scheduler, fd, [&] { return ::sendmsg(fd, message, flags); });
  return send_iovecs({*scheduler, "sendmsg", fd, total_size(message->msg_iov, message->msg_iovlen)}, *message, flags);
}

ssize_t write(int fd, const void* data, std::size_t size) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler || size == 0) return ::write(fd, data, size);
  const DescriptorKind kind = transfer_kind(fd);
  if (kind == DescriptorKind::file) return ::write(fd, data, size);
  const SendCall call{*scheduler, "write", fd, size};
  if (!is_socket(kind)) {
    const iovec iov{const_cast<void*>(data), size};
    return write_other(call, kind, &iov, 1);
  }
  const ssize_t sent = send_all(
      call,
      [&](std::size_t done) {
        return ::send(fd, advance(data, done), size - done, continuation_flags(done, MSG_DONTWAIT));
      },
      [&](std::size_t done) { return ::write(fd, advance(data, done), size - done); });
  return is_stale_socket(sent, fd) ? calls::write(fd, data, size) : sent;
}

ssize_t writev(int fd, const iovec* iovecs, int count) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler || count <= 0) return ::writev(fd, iovecs, count);
  const DescriptorKind kind = transfer_kind(fd);
  const auto length = static_cast<std::size_t>(count);
  const std::size_t size = total_size(iovecs, length);
  if (kind == DescriptorKind::file || size == 0) return ::writev(fd, iovecs, count);
  const SendCall call{*scheduler, "writev", fd, size};
  if (!is_socket(kind)) return write_other(call, kind, iovecs, length);
  const ssize_t sent = send_iovecs(call, make_message(iovecs, length), 0);
  return is_stale_socket(sent, fd) ? calls::writev(fd, iovecs, count) : sent;
}

}  // namespace trueasync::detail::interpose::calls
