#include "io/listen_handle.hpp"

#include <fcntl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "io/socket.hpp"
#include "reactor/deadline_after.hpp"
#include "scheduler/api_support.hpp"

namespace trueasync::detail {

namespace {

// How long accepting rests when there is neither a descriptor nor one in reserve.
constexpr std::chrono::milliseconds kPause{10};

UniqueFd open_reserve() noexcept { return UniqueFd(::open("/dev/null", O_RDONLY | O_CLOEXEC)); }

// The connection was over before it was accepted, or its network had an error: the next one may be good (accept(2)).
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

bool is_shortage(int code) noexcept { return code == EMFILE || code == ENFILE || code == ENOBUFS || code == ENOMEM; }

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
  // A unix-domain peer has no name, as a rule: it is called after where it came to.
  const bool is_ip = local_.is_ip();
  std::string name = is_ip ? Address::from(peer, size).to_string() : local_.to_string();
  accepted = Io(new_stream_handle(stream_kind(local_), connection.get(), std::move(name)));
  connection.release();
  ++accepted_;
  return 0;
}

bool ListenHandle::shed_one() noexcept {
  if (reserve_.get() < 0) reserve_ = open_reserve();
  if (reserve_.get() < 0) return false;
  reserve_ = UniqueFd();
  bool is_through = true;
  {
    const UniqueFd unlucky(::accept4(socket_->descriptor(), nullptr, nullptr, SOCK_CLOEXEC));
    if (unlucky.get() >= 0) {
      ++shed_;
    } else {  // another thread may have taken the descriptor
      is_through = errno == EAGAIN || errno == EWOULDBLOCK || is_connection_error(errno);
    }
  }
  reserve_ = open_reserve();
  return is_through;
}

// A listening socket never becomes writable: this ends with the pause, or when the listener is closed.
IoResult ListenHandle::wait_for_descriptor(IoDeadline deadline, SourceLocation location) {
  const TimePoint pause = deadline_after(require_scheduler("accept").reactor().now(), kPause);
  const bool is_last = deadline && *deadline <= pause;
  IoResult outcome = socket_->wait_writable(is_last ? *deadline : pause, location);
  if (outcome.reason == WakeReason::timed_out && !is_last) outcome.reason = WakeReason::none;
  return outcome;
}

IoResult ListenHandle::accept(Io& accepted, IoDeadline deadline, SourceLocation location) {
  Ref<ListenHandle> keep(this);
  FifoLockRequest turn(socket_->read_lock());
  if (IoResult outcome = socket_->acquire_lock(turn, deadline, location); !outcome.ok()) return outcome;
  for (;;) {
    const int code = try_accept(accepted);
    if (code == 0) return {};
    IoResult outcome;
    if (is_shortage(code) && !shed_one()) {
      outcome = wait_for_descriptor(deadline, location);
    } else if (code == EAGAIN || code == EWOULDBLOCK || is_shortage(code)) {
      // After shedding as well: the others run first, and may give a descriptor back.
      outcome = socket_->wait_readable(deadline, location);
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
