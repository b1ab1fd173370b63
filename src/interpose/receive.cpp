// read, readv, recv, recvfrom, recvmsg.
#include <unistd.h>

#include "interpose/calls.hpp"
#include "interpose/fortified.hpp"
#include "interpose/remaining_iovecs.hpp"
#include "interpose/transfer.hpp"

namespace trueasync::detail::interpose::calls {

namespace {

// With these flags a call never blocks, even on a blocking socket.
constexpr int kNonblockingFlags = MSG_DONTWAIT | MSG_OOB | MSG_ERRQUEUE;

// Updates the drained state after an attempt that returned `got`. `done` bytes were received before; a total of less
// than `short_read_below` is a short read.
void update_drained(TrackedDescriptor* descriptor, ssize_t got, std::size_t short_read_below, std::size_t done,
                    int flags) noexcept {
  if (!descriptor || (flags & (MSG_OOB | MSG_ERRQUEUE))) return;
  if (got < 0 ? would_block(errno)
              : got > 0 && done + static_cast<std::size_t>(got) < short_read_below &&
                    descriptor->kind() == DescriptorKind::tcp && !(flags & MSG_PEEK)) {
    descriptor->set_drained();
  } else {
    descriptor->clear_drained();
  }
}

// MSG_WAITALL applies to streams only: a message is received as a whole.
bool is_stream(int fd) noexcept {
  int type = 0;
  socklen_t size = sizeof type;
  return ::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM;
}

struct ReceiveCall {
  Scheduler& scheduler;
  const char* name;
  int fd;
  std::size_t size;
  int flags;
  std::size_t short_read_below;  // a shorter result proves that the socket is drained
};

// `attempt(done)` makes a nonblocking attempt after `done` received bytes; `block(done)` calls the original.
template <class Attempt, class Block>
ssize_t receive(const ReceiveCall& call, Attempt&& attempt, Block&& block) noexcept {
  Transfer transfer(call.scheduler, call.name, call.fd, Side::in);
  std::size_t& done = transfer.done;
  const bool wants_all = call.flags & MSG_WAITALL;
  const bool is_peek = call.flags & MSG_PEEK;
  for (bool has_tried = false;; has_tried = true) {
    TrackedDescriptor* descriptor = find_tracked(call.fd);
    ssize_t got = -1;
    const bool is_skipped = descriptor && !has_tried && descriptor->is_drained();
    if (is_skipped) {
      errno = EAGAIN;
    } else {
      if (descriptor) descriptor->before_attempt(Side::in);
      got = attempt(is_peek ? 0 : done);
      update_drained(descriptor, got, call.short_read_below, done, call.flags);
    }
    if (got == 0 || (got < 0 && !would_block(errno))) {
      if (!has_tried) charge_nonblocking_call(call.scheduler, call.name);
      return transfer.result(got);
    }
    if (got > 0) {
      done = is_peek ? static_cast<std::size_t>(got) : done + static_cast<std::size_t>(got);
      const bool is_complete = is_peek && descriptor && descriptor->ensure_registered(call.scheduler.reactor()) &&
                               descriptor->side(Side::in).has_hung_up();
      if (!wants_all || done >= call.size || is_complete || !is_stream(call.fd)) {
        if (!has_tried) charge_nonblocking_call(call.scheduler, call.name);
        return transfer.result(-1);
      }
      if (!is_peek) continue;
    }
    if (!transfer.may_wait()) {
      if (is_skipped) got = attempt(done);
      return transfer.result(got < 0 ? fail_would_block(call.scheduler, call.fd) : got);
    }
    const WaitResult waited = transfer.wait();
    if (waited == WaitResult::interrupted) return transfer.result(-1);
    if (waited == WaitResult::unsupported) return done != 0 && is_peek ? static_cast<ssize_t>(done) : block(done);
  }
}

char* advance(void* buffer, std::size_t done) noexcept { return static_cast<char*>(buffer) + done; }

// A call that never blocks: calls the original and updates the drained state.
template <class Attempt>
ssize_t receive_now(const ReceiveCall& call, Attempt&& attempt) noexcept {
  TrackedDescriptor* descriptor = find_tracked(call.fd);
  if (descriptor) descriptor->before_attempt(Side::in);
  const ssize_t got = attempt();
  update_drained(descriptor, got, call.short_read_below, 0, call.flags);
  charge_nonblocking_call(call.scheduler, call.name);
  return got < 0 ? fail_would_block(call.scheduler, call.fd) : got;
}

ssize_t receive_other(const ReceiveCall& call, DescriptorKind kind, const iovec* iovecs, int count) noexcept {
  return receive(
      call, [&](std::size_t) { return try_readv(kind, call.fd, iovecs, count); },
      [&](std::size_t) { return ::readv(call.fd, iovecs, count); });
}

}  // namespace

ssize_t recv(int fd, void* buffer, std::size_t size, int flags) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler) return ::recv(fd, buffer, size, flags);
  const ReceiveCall call{*scheduler, "recv", fd, size, flags, size};
  if (flags & kNonblockingFlags) return receive_now(call, [&] { return ::recv(fd, buffer, size, flags); });
  return receive(
      call, [&](std::size_t done) { return ::recv(fd, advance(buffer, done), size - done, flags | MSG_DONTWAIT); },
      [&](std::size_t done) { return ::recv(fd, advance(buffer, done), size - done, flags); });
}

ssize_t recv_chk(int fd, void* buffer, std::size_t size, std::size_t buffer_size, int flags) noexcept {
  return size > buffer_size ? __recv_chk(fd, buffer, size, buffer_size, flags) : calls::recv(fd, buffer, size, flags);
}

ssize_t recvfrom(int fd, void* buffer, std::size_t size, int flags, sockaddr* from, socklen_t* length) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler) return ::recvfrom(fd, buffer, size, flags, from, length);
  const ReceiveCall call{*scheduler, "recvfrom", fd, size, flags, size};
  if (flags & kNonblockingFlags) {
    return receive_now(call, [&] { return ::recvfrom(fd, buffer, size, flags, from, length); });
  }
  return receive(
      call,
      [&](std::size_t done) {
        return ::recvfrom(fd, advance(buffer, done), size - done, flags | MSG_DONTWAIT, from, length);
      },
      [&](std::size_t done) { return ::recvfrom(fd, advance(buffer, done), size - done, flags, from, length); });
}

ssize_t recvfrom_chk(int fd, void* buffer, std::size_t size, std::size_t buffer_size, int flags, sockaddr* from,
                     socklen_t* length) noexcept {
  return size > buffer_size ? __recvfrom_chk(fd, buffer, size, buffer_size, flags, from, length)
                            : calls::recvfrom(fd, buffer, size, flags, from, length);
}

ssize_t recvmsg(int fd, msghdr* message, int flags) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler || !message) return ::recvmsg(fd, message, flags);
  const std::size_t size = total_size(message->msg_iov, message->msg_iovlen);
  // With control messages, for example TLS records of kernel TLS, a read may be short although more data is queued.
  const std::size_t short_read_below = message->msg_control ? 0 : size;
  const ReceiveCall call{*scheduler, "recvmsg", fd, size, flags, short_read_below};
  if (flags & kNonblockingFlags) return receive_now(call, [&] { return ::recvmsg(fd, message, flags); });
  // The first part delivers the address and the control messages. Later parts receive data only.
  const auto part = [&](std::size_t done, int part_flags) -> ssize_t {
    if (done == 0) return ::recvmsg(fd, message, part_flags);
    return transfer_rest(message->msg_iov, message->msg_iovlen, done, [&](const iovec* rest, std::size_t count) {
      msghdr data_only = make_message(rest, count);
      return ::recvmsg(fd, &data_only, part_flags);
    });
  };
  return receive(
      call, [&](std::size_t done) { return part(done, flags | MSG_DONTWAIT); },
      [&](std::size_t done) { return part(done, flags); });
}

ssize_t read(int fd, void* buffer, std::size_t size) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler || size == 0) return ::read(fd, buffer, size);
  const DescriptorKind kind = transfer_kind(fd);
  if (kind == DescriptorKind::file) return ::read(fd, buffer, size);
  const ReceiveCall call{*scheduler, "read", fd, size, 0, size};
  const iovec iov{buffer, size};
  if (!is_socket(kind)) return receive_other(call, kind, &iov, 1);
  const ssize_t got = receive(
      call, [&](std::size_t) { return ::recv(fd, buffer, size, MSG_DONTWAIT); },
      [&](std::size_t) { return ::read(fd, buffer, size); });
  return is_stale_socket(got, fd) ? calls::read(fd, buffer, size) : got;
}

ssize_t read_chk(int fd, void* buffer, std::size_t size, std::size_t buffer_size) noexcept {
  return size > buffer_size ? __read_chk(fd, buffer, size, buffer_size) : calls::read(fd, buffer, size);
}

ssize_t readv(int fd, const iovec* iovecs, int count) noexcept {
  Scheduler* scheduler = suspendable_scheduler();
  if (!scheduler || count <= 0) return ::readv(fd, iovecs, count);
  const DescriptorKind kind = transfer_kind(fd);
  const std::size_t size = total_size(iovecs, static_cast<std::size_t>(count));
  if (kind == DescriptorKind::file || size == 0) return ::readv(fd, iovecs, count);
  const ReceiveCall call{*scheduler, "readv", fd, size, 0, size};
  if (!is_socket(kind)) return receive_other(call, kind, iovecs, count);
  const ssize_t got = receive(
      call,
      [&](std::size_t) {
        msghdr message = make_message(iovecs, static_cast<std::size_t>(count));
        return ::recvmsg(fd, &message, MSG_DONTWAIT);
      },
      [&](std::size_t) { return ::readv(fd, iovecs, count); });
  return is_stale_socket(got, fd) ? calls::readv(fd, iovecs, count) : got;
}

}  // namespace trueasync::detail::interpose::calls
