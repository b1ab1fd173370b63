#include "io/listen_handle.hpp"

#include <fcntl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "io/socket.hpp"
#include "reactor/timer_queue.hpp"
#include "scheduler/api_support.hpp"

namespace trueasync::detail {

namespace {

// Delay before the next attempt if there is neither a free nor a reserve descriptor.
constexpr std::chrono::milliseconds kRetryDelay{10};

UniqueFd open_reserve() noexcept { return UniqueFd(::open("/dev/null", O_RDONLY | O_CLOEXEC)); }

// Errors of one pending connection or its network, see accept(2). The next connection may succeed.
bool is_connection_error(int code) noexcept {
  switch (code) {
    case EINTR:
    case ECONNABORTED:
    case EPROTO:
    case EPERM:
    case ENETDOWN:
    case ENOPROTOOPT:
    case EHOSTDOWN:
    case ENONET:
    case EHOSTUNREACH:
    case ENETUNREACH:
      return true;
    default:
      return false;
  }
}

bool is_out_of_resources(int code) noexcept {
  return code == EMFILE || code == ENFILE || code == ENOBUFS || code == ENOMEM;
}

}  // namespace

ListenHandle::ListenHandle(Ref<StreamHandle> socket, Address local)
    : socket_(std::move(socket)), local_(std::move(local)), reserve_(open_reserve()) {}

int ListenHandle::try_accept(Io& accepted) {
  sockaddr_storage storage;
  auto* peer = reinterpret_cast<sockaddr*>(&storage);
  UniqueFd connection;
  socklen_t size;
  do {
    size = sizeof storage;
    connection = UniqueFd(::accept4(socket_->descriptor(), peer, &size, SOCK_NONBLOCK | SOCK_CLOEXEC));
  } while (connection.get() < 0 && is_connection_error(errno));
  if (connection.get() < 0) return errno;
  // A unix-domain peer usually has no name: the connection gets the name of the listener.
  const bool is_ip = local_.is_ip();
  std::string name = is_ip ? Address::from(peer, size).to_string() : local_.to_string();
  accepted = Access::from_handle<Io>(new_stream_handle(stream_kind(local_), connection.get(), std::move(name)));
  connection.release();
  ++accepted_;
  return 0;
}

bool ListenHandle::shed_one() noexcept {
  if (reserve_.get() < 0) reserve_ = open_reserve();
  if (reserve_.get() < 0) return false;
  reserve_ = UniqueFd();
  bool handled = true;
  {
    const UniqueFd rejected(::accept4(socket_->descriptor(), nullptr, nullptr, SOCK_CLOEXEC));
    if (rejected.get() >= 0) {
      ++shed_;
    } else {  // another thread may have used the free descriptor
      handled = errno == EAGAIN || errno == EWOULDBLOCK || is_connection_error(errno);
    }
  }
  reserve_ = open_reserve();
  return handled;
}

// A listening socket never becomes writable: the wait ends after kRetryDelay or when the listener is closed.
IoResult ListenHandle::wait_for_descriptor(IoWait wait, SourceLocation location) {
  const TimePoint retry_time = deadline_after(require_scheduler("accept").reactor().now(), kRetryDelay);
  const bool is_last = deadline_or_max(wait) <= retry_time;
  IoResult outcome = socket_->wait_writable(is_last ? wait : IoWait(retry_time, wait.token()), location);
  if (outcome.reason == WakeReason::timed_out && !is_last) outcome.reason = WakeReason::none;
  return outcome;
}

IoResult ListenHandle::accept(Io& accepted, IoWait wait, SourceLocation location) {
  Ref<ListenHandle> keep_alive(this);
  FifoLockRequest lock(socket_->read_lock());
  if (IoResult outcome = socket_->acquire_lock(lock, wait, location); !outcome.ok()) return outcome;
  for (;;) {
    const int code = try_accept(accepted);
    if (code == 0) return {};
    IoResult outcome;
    if (is_out_of_resources(code) && !shed_one()) {
      outcome = wait_for_descriptor(wait, location);
    } else if (code == EAGAIN || code == EWOULDBLOCK || is_out_of_resources(code)) {
      // Also after a rejection: other coroutines run first and may close descriptors.
      outcome = socket_->wait_readable(wait, location);
    } else {
      outcome.error = code;
    }
    if (!outcome.ok()) return outcome;
  }
}

void ListenHandle::close() noexcept {
  if (socket_->is_closed()) return;
  socket_->close();
  reserve_ = UniqueFd();
  remove_socket_file(local_);
}

}  // namespace trueasync::detail
