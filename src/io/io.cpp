// The C++ API of an I/O handle: fixes the deadline of an operation and converts results to exceptions.
#include "trueasync/io/io.hpp"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "io/io_handle.hpp"
#include "io/unique_fd.hpp"
#include "reactor/timer_queue.hpp"
#include "scheduler/api_support.hpp"

namespace trueasync {

namespace detail {

void throw_io_error(const IoResult& outcome, const char* operation, const IoHandle& handle) {
  const std::string description = std::string(operation) + " " + handle.name();
  if (outcome.error == kIoClosed) throw ClosedError(description);
  if (outcome.error != 0) throw IoError(description, outcome.error);
  throw_interruption(outcome);
}

void throw_interruption(const IoResult& outcome) {
  Scheduler& scheduler = require_scheduler("I/O");
  if (outcome.reason == WakeReason::token) throw_operation_cancelled(*scheduler.running(), outcome.cause);
  WaitRequest request;
  request.error = outcome.cause;
  throw_wait_error(scheduler, outcome.reason, &request);
}

IoResult to_io_result(WakeReason reason, WaitRequest& request) noexcept {
  if (reason != WakeReason::token) return {0, 0, reason, std::move(request.error)};
  const WaitEntry& token = request.entries.back();
  token.event->mark_error_observed();  // reported as the cause
  return {0, 0, reason, token.result.error};
}

namespace {

[[gnu::noinline]] IoResult wait_for_event_or_token(Event& event, IoWait wait, SourceLocation location) {
  Scheduler& scheduler = require_scheduler("I/O");
  EventWait event_wait(scheduler, event, wait);
  return to_io_result(scheduler.wait(event_wait.request, location), event_wait.request);
}

// Suspends until `until`; the result is then `timed_out`.
IoResult suspend_until(Scheduler& scheduler, TimePoint until, Event* token, SourceLocation location) {
  if (!token) {
    IoResult outcome;
    outcome.reason = scheduler.sleep_until(until, location);
    if (outcome.reason == WakeReason::error) outcome.cause = std::exchange(scheduler.running()->error, nullptr);
    return outcome;
  }
  WaitEntry entry(*token, true);
  WaitRequest request;
  request.entries = std::span(&entry, 1);
  request.deadline = until;
  return to_io_result(scheduler.wait(request, location), request);
}

}  // namespace

IoResult wait_for_event(Event& event, IoWait wait, SourceLocation location) {
  if (__builtin_expect(wait.token() != nullptr, 0)) return wait_for_event_or_token(event, wait, location);
  WaitEntry entry(event);
  WaitRequest request;
  request.entries = std::span(&entry, 1);
  request.deadline = wait.deadline(TimePoint());
  const WakeReason reason = require_scheduler("I/O").wait(request, location);
  return {0, 0, reason, std::move(request.error)};
}

IoResult wait_before_retry(Duration delay, IoWait wait, SourceLocation location) {
  Scheduler& scheduler = require_scheduler("I/O");
  const TimePoint now = scheduler.reactor().now();
  if (now >= deadline_or_max(wait)) return {0, 0, WakeReason::timed_out, nullptr};
  const TimePoint until = std::min(deadline_after(now, delay), deadline_or_max(wait));
  IoResult outcome = suspend_until(scheduler, until, wait.token(), location);
  if (outcome.reason == WakeReason::timed_out) outcome.reason = WakeReason::none;
  return outcome;
}

IoResult yield_once(IoWait wait, SourceLocation location) {
  Scheduler& scheduler = require_scheduler("I/O");
  IoResult outcome;
  if (wait.token()) {  // an expired sleep is a yield during which the token is observed
    outcome = suspend_until(scheduler, scheduler.reactor().now(), wait.token(), location);
    if (outcome.reason == WakeReason::timed_out) outcome.reason = WakeReason::none;
  } else {
    outcome.reason = scheduler.yield_slow(location);
    if (outcome.reason == WakeReason::error) outcome.cause = std::exchange(scheduler.running()->error, nullptr);
  }
  if (outcome.ok() && wait.has_time() && scheduler.reactor().now() >= deadline_or_max(wait)) {
    outcome.reason = WakeReason::timed_out;
  }
  return outcome;
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

std::size_t Io::read_some(Bytes buffer, WaitOptions options, SourceLocation location) {
  Ref<detail::IoHandle> keep_alive(&handle());
  const detail::IoResult outcome = keep_alive->read_some(buffer, detail::start_wait(options), location);
  detail::check_io_result(outcome, "read", *keep_alive);
  return outcome.bytes;
}

std::size_t Io::write_some(ConstBytes data, WaitOptions options, SourceLocation location) {
  Ref<detail::IoHandle> keep_alive(&handle());
  const detail::IoResult outcome = keep_alive->write_some(data, detail::start_wait(options), location);
  detail::check_io_result(outcome, "write", *keep_alive);
  return outcome.bytes;
}

void Io::write_all(std::span<const ConstBytes> pieces, WaitOptions options, SourceLocation location) {
  Ref<detail::IoHandle> keep_alive(&handle());
  detail::check_io_result(keep_alive->write_all(pieces, detail::start_wait(options), location), "write", *keep_alive);
}

void Io::shutdown_write(WaitOptions options, SourceLocation location) {
  Ref<detail::IoHandle> keep_alive(&handle());
  detail::check_io_result(keep_alive->shutdown_write(detail::start_wait(options), location), "shut down", *keep_alive);
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
