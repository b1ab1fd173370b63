// connect: races connection attempts in the order of RFC 8305. One coroutine runs all attempts: each attempt is a
// socket that becomes writable.
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <vector>

#include "io/socket.hpp"
#include "io/stream_handle.hpp"
#include "reactor/timer_queue.hpp"
#include "scheduler/api_support.hpp"
#include "trueasync/detail/access.hpp"
#include "trueasync/io/dns.hpp"
#include "trueasync/io/net.hpp"

namespace trueasync {

namespace {

using detail::deadline_after;

// ConnectAttempt: one of several concurrent connection attempts.
//
// Ownership: owns the socket as a stream handle; closes it when destroyed.
class ConnectAttempt {
 public:
  // Throws IoError if the socket cannot be created, configured or bound.
  ConnectAttempt(const Address& address, const ConnectOptions& options) : address_(address) {
    const std::string name = address.to_string();
    const std::string operation = "connect " + name;
    detail::UniqueFd socket = detail::open_socket(address, SOCK_STREAM, operation);
    detail::apply_options(options.socket, socket.get(), address.family(), operation);
    if (!options.local.empty()) detail::bind_socket(socket.get(), options.local, operation);
    const IoKind kind = detail::stream_kind(address);
    handle_ = Ref<detail::StreamHandle>::adopt(
        new detail::StreamHandle(kind, socket.get(), name, detail::poll_mode_for(kind)));
    socket.release();
  }
  ConnectAttempt(ConnectAttempt&&) noexcept = default;
  ConnectAttempt& operator=(ConnectAttempt&&) noexcept = default;

  // 0: connected. EINPROGRESS: call finish() when writable() fires. EAGAIN: the backlog of a unix-domain listener is
  // full; try again later. Any other errno: failed.
  int start() noexcept {
    if (::connect(handle_->descriptor(), address_.data(), address_.size()) == 0) return 0;
    return errno == EINTR ? EINPROGRESS : errno;
  }
  Event& writable() { return handle_->registration().writable(); }
  // 0 or errno.
  int finish() noexcept {
    int code = 0;
    socklen_t size = sizeof code;
    if (::getsockopt(handle_->descriptor(), SOL_SOCKET, SO_ERROR, &code, &size) != 0) return errno;
    return code;
  }

  const Address& address() const noexcept { return address_; }
  Io take() noexcept { return detail::Access::from_handle<Io>(std::move(handle_)); }

 private:
  Address address_;
  Ref<detail::StreamHandle> handle_;
};

// Alternates the families, starting with the family of the first address. Keeps the order within a family.
std::vector<Address> interleave(std::span<const Address> addresses) {
  std::vector<Address> first, second, result;
  for (const Address& address : addresses) {
    (address.family() == addresses.front().family() ? first : second).push_back(address);
  }
  for (std::size_t i = 0; i < std::max(first.size(), second.size()); ++i) {
    if (i < first.size()) result.push_back(first[i]);
    if (i < second.size()) result.push_back(second[i]);
  }
  return result;
}

class ConnectRace {
 public:
  ConnectRace(std::vector<Address> addresses, std::string_view name, const ConnectOptions& options, detail::IoWait wait)
      : addresses_(std::move(addresses)),
        operation_("connect " + std::string(name)),
        options_(options),
        wait_(wait),
        deadline_(detail::deadline_or_max(wait)) {}

  Io run(SourceLocation location) {
    for (;;) {
      if (is_next_due()) {
        start_next(location);
      } else if (attempts_.empty()) {
        throw_failure();
      } else {
        wait(location);
      }
      if (winner_) return std::move(winner_);
    }
  }

 private:
  static constexpr std::chrono::milliseconds kInitialRetryDelay{1};
  static constexpr std::chrono::milliseconds kMaxRetryDelay{50};

  bool has_next() const noexcept { return next_ < addresses_.size(); }
  bool is_next_due() { return has_next() && (attempts_.empty() || scheduler_.reactor().now() >= next_at_); }

  // Shortens attempt_delay if necessary, so that every address gets an attempt before the deadline.
  TimePoint next_attempt_time() {
    const TimePoint now = scheduler_.reactor().now();
    const TimePoint regular = deadline_after(now, options_.attempt_delay);
    if (deadline_ == TimePoint::max()) return regular;
    const auto remaining_attempts = static_cast<std::int64_t>(addresses_.size() - next_ + 1);
    return std::min(regular, deadline_after(now, (deadline_ - now) / remaining_attempts));
  }

  void start_next(SourceLocation location) {
    const Address& address = addresses_[next_];
    try {
      ConnectAttempt attempt(address, options_);
      const int code = attempt.start();
      if (code == EAGAIN) return retry_later(location);
      ++next_;
      next_at_ = next_attempt_time();
      settle(std::move(attempt), code);
    } catch (const IoError& error) {  // unsupported family, or a local address that cannot be bound
      ++next_;
      add_failure(address, error.code());
    }
  }

  void settle(ConnectAttempt attempt, int code) {
    if (code == 0) {
      winner_ = attempt.take();
    } else if (code == EINPROGRESS) {
      attempts_.push_back(std::move(attempt));
    } else {
      add_failure(attempt.address(), code);
    }
  }

  // The kernel does not report when the backlog of a unix-domain listener has space again.
  void retry_later(SourceLocation location) {
    const detail::IoResult outcome = detail::wait_before_retry(retry_delay_, wait_, location);
    if (!outcome.ok()) detail::throw_interruption(outcome);
    retry_delay_ = std::min(2 * retry_delay_, kMaxRetryDelay);
  }

  void wait(SourceLocation location) {
    std::vector<WaitEntry> entries;
    entries.reserve(attempts_.size() + 1);
    for (ConnectAttempt& attempt : attempts_) entries.emplace_back(attempt.writable());
    if (wait_.token()) entries.emplace_back(*wait_.token(), true);
    WaitRequest request;
    request.entries = entries;
    const bool next_is_earlier = has_next() && next_at_ < deadline_;
    request.deadline = next_is_earlier ? next_at_ : wait_.deadline(TimePoint());
    const WakeReason reason = scheduler_.wait(request, location);
    if (reason == WakeReason::timed_out && next_is_earlier) return;
    if (reason != WakeReason::event) detail::throw_wait_error(scheduler_, reason, &request);
    for (std::size_t i = attempts_.size(); i-- > 0 && !winner_;) {
      if (entries[i].fired) finish(i);
    }
  }

  void finish(std::size_t index) {
    ConnectAttempt attempt = std::move(attempts_[index]);
    attempts_.erase(attempts_.begin() + static_cast<std::ptrdiff_t>(index));
    const int code = attempt.finish();
    settle(std::move(attempt), code);
  }

  void add_failure(const Address& address, int code) {
    next_at_ = TimePoint::min();  // start the next attempt immediately
    if (code_ == 0) code_ = code;
    if (!failures_.empty()) failures_ += "; ";
    if (addresses_.size() > 1) failures_ += address.to_string() + ": ";
    failures_ += std::strerror(code);
  }

  [[noreturn]] void throw_failure() { throw IoError(operation_, code_, failures_); }

  detail::Scheduler& scheduler_ = detail::require_scheduler("connect");
  std::vector<Address> addresses_;
  std::string operation_;
  const ConnectOptions& options_;
  detail::IoWait wait_;
  TimePoint deadline_;  // TimePoint::max(): none
  std::vector<ConnectAttempt> attempts_;
  std::size_t next_ = 0;
  TimePoint next_at_ = TimePoint::min();
  std::chrono::milliseconds retry_delay_ = kInitialRetryDelay;
  Io winner_;
  std::string failures_;
  int code_ = 0;
};

}  // namespace

Io connect_any(std::span<const Address> addresses, std::string_view name, const ConnectOptions& options,
               WaitOptions wait, SourceLocation location) {
  if (addresses.empty()) throw MisuseError("connect " + std::string(name) + ": the list of addresses is empty");
  return ConnectRace(interleave(addresses), name, options, detail::start_wait(wait)).run(location);
}

Io connect(const Address& address, const ConnectOptions& options, WaitOptions wait, SourceLocation location) {
  return connect_any(std::span(&address, 1), address.to_string(), options, wait, location);
}

Io connect(std::string_view host, std::uint16_t port, const ConnectOptions& options, WaitOptions wait,
           SourceLocation location) {
  wait = detail::start_wait(wait);  // shared by the lookup and the attempts
  const std::vector<Address> addresses = resolve(host, port, {.family = options.family}, wait, location);
  const std::string name =
      addresses.size() == 1 ? addresses.front().to_string() : std::string(host) + ":" + std::to_string(port);
  return connect_any(addresses, name, options, wait, location);
}

}  // namespace trueasync
