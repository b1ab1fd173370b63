// The C++ API of an I/O handle: converts timeouts to deadlines and results to exceptions.
#include "trueasync/io.hpp"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "io/io_handle.hpp"
#include "io/unique_fd.hpp"
#include "reactor/timer_queue.hpp"
#include "scheduler/api_support.hpp"
#include "trueasync/io_request.hpp"

namespace trueasync {

Stream::~Stream() = default;

namespace detail {

void throw_io_error(const IoResult& outcome, const char* operation, const IoHandle& handle) {
  const std::string description = std::string(operation) + " " + handle.name();
  if (outcome.error == kIoClosed) throw ClosedError(description);
  if (outcome.error != 0) throw IoError(description, outcome.error);
  WaitRequest request;
  request.error = outcome.cause;
  throw_wait_error(require_scheduler(operation), outcome.reason, &request);
}

IoResult yield_once(IoDeadline deadline, SourceLocation location) {
  Scheduler& scheduler = require_scheduler("I/O");
  IoResult outcome;
  outcome.reason = scheduler.yield_slow(location);
  if (outcome.reason == WakeReason::error) outcome.cause = std::exchange(scheduler.running()->error, nullptr);
  if (outcome.ok() && deadline && scheduler.reactor().now() >= *deadline) outcome.reason = WakeReason::timed_out;
  return outcome;
}

TimePoint deadline_from_now(std::chrono::nanoseconds timeout) {
  return deadline_after(require_scheduler("I/O").reactor().now(), timeout);
}

}  // namespace detail

namespace {

// Only the kernel knows which devices support polling: a network tunnel does, /dev/null does not.
bool supports_polling(int descriptor) noexcept {
  const detail::UniqueFd probe(::epoll_create1(EPOLL_CLOEXEC));
  epoll_event interest = {};
  return ::epoll_ctl(probe.get(), EPOLL_CTL_ADD, descriptor, &interest) == 0;
}

// Throws IoError for a descriptor that can be neither read nor written, such as a directory.
IoKind detect_kind(int descriptor, const std::string& name) {
  struct stat status;
  if (::fstat(descriptor, &status) != 0) throw IoError("open " + name, errno);
  if (S_ISREG(status.st_mode) || S_ISBLK(status.st_mode)) return IoKind::file;
  if (S_ISFIFO(status.st_mode)) return IoKind::pipe;
  if (S_ISDIR(status.st_mode)) throw IoError("open " + name, EISDIR);
  if (S_ISCHR(status.st_mode)) {
    if (::isatty(descriptor)) return IoKind::tty;
    return supports_polling(descriptor) ? IoKind::pipe : IoKind::file;
  }
  if (!S_ISSOCK(status.st_mode)) return IoKind::pipe;
  int type = 0;
  int domain = 0;
  socklen_t size = sizeof type;
  ::getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size);
  ::getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size);
  if (type == SOCK_DGRAM) return IoKind::udp;
  return domain == AF_UNIX ? IoKind::pipe : IoKind::tcp;
}

void make_non_blocking(int descriptor, const std::string& name) {
  const int flags = ::fcntl(descriptor, F_GETFL);
  if (flags < 0) throw IoError("open " + name, errno);
  if ((flags & O_NONBLOCK) == 0 && ::fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) != 0) {
    throw IoError("open " + name, errno);
  }
}

}  // namespace

Io::Io() noexcept = default;
Io::Io(Ref<detail::IoHandle> handle) noexcept : handle_(std::move(handle)) {}
Io::Io(Io&& other) noexcept = default;
Io& Io::operator=(Io&& other) noexcept {
  if (this != &other) {
    close();
    handle_ = std::move(other.handle_);
  }
  return *this;
}
Io::~Io() { close(); }

Io Io::adopt(int descriptor, std::string name) {
  if (name.empty()) name = "descriptor " + std::to_string(descriptor);
  const IoKind kind = detect_kind(descriptor, name);
  if (kind == IoKind::file) return Io(detail::new_file_handle(descriptor, std::move(name)));
  make_non_blocking(descriptor, name);
  return Io(detail::new_stream_handle(kind, descriptor, std::move(name)));
}

detail::IoHandle& Io::handle() const {
  if (!handle_) throw MisuseError("Io: the handle is empty; open a file, connect or adopt a descriptor first");
  return *handle_;
}

IoKind Io::kind() const noexcept { return handle_ ? handle_->kind() : IoKind::pipe; }
IoState Io::state() const noexcept { return handle_ ? handle_->state() : IoState{.closed = true}; }
int Io::descriptor() const noexcept { return handle_ ? handle_->descriptor() : -1; }
std::string_view Io::name() const noexcept { return handle_ ? std::string_view(handle_->name()) : std::string_view(); }
std::uint64_t Io::bytes_read() const noexcept { return handle_ ? handle_->bytes_read() : 0; }
std::uint64_t Io::bytes_written() const noexcept { return handle_ ? handle_->bytes_written() : 0; }

std::size_t Io::read(Bytes buffer, Limit timeout, SourceLocation location) {
  Ref<detail::IoHandle> keep_alive(&handle());
  const detail::IoResult outcome = keep_alive->read(buffer, detail::to_deadline(timeout), location);
  detail::check_io_result(outcome, "read", *keep_alive);
  return outcome.bytes;
}

std::size_t Io::write_some(ConstBytes data, Limit timeout, SourceLocation location) {
  Ref<detail::IoHandle> keep_alive(&handle());
  const detail::IoResult outcome = keep_alive->write_some(data, detail::to_deadline(timeout), location);
  detail::check_io_result(outcome, "write", *keep_alive);
  return outcome.bytes;
}

void Io::write(ConstBytes data, Limit timeout, SourceLocation location) {
  write_vectored(std::span(&data, 1), timeout, location);
}

void Io::write_vectored(std::span<const ConstBytes> pieces, Limit timeout, SourceLocation location) {
  Ref<detail::IoHandle> keep_alive(&handle());
  detail::check_io_result(keep_alive->write_all(pieces, detail::to_deadline(timeout), location), "write", *keep_alive);
}

void Io::shutdown_write(Limit timeout, SourceLocation location) {
  Ref<detail::IoHandle> keep_alive(&handle());
  detail::check_io_result(keep_alive->shutdown_write(detail::to_deadline(timeout), location), "shut down", *keep_alive);
}

void Io::close() noexcept {
  if (handle_) handle_->close();
}

Ref<IoRequest> Io::read_request(Bytes buffer, SourceLocation location) {
  return handle().read_request(buffer, location);
}
Ref<IoRequest> Io::write_request(ConstBytes data, SourceLocation location) {
  return handle().write_request(data, location);
}

}  // namespace trueasync
