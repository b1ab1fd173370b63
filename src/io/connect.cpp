// connect: a race of attempts in the order of RFC 8305. One coroutine runs all of them: an attempt is a socket that
// becomes writable.
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <vector>

#include "io/connect_attempt.hpp"
#include "reactor/deadline_after.hpp"
#include "scheduler/api_support.hpp"
#include "trueasync/dns.hpp"
#include "trueasync/net.hpp"

namespace trueasync {

namespace {

using detail::ConnectAttempt;
using detail::deadline_after;

// Families in turns, beginning with the one the resolver prefers; within a family its order.
std::vector<Address> interleave(std::span<const Address> addresses) {
  std::vector<Address> first, second, result;
  for (const Address& each : addresses) {
    (each.family() == addresses.front().family() ? first : second).push_back(each);
  }
  for (std::size_t i = 0; i < std::max(first.size(), second.size()); ++i) {
    if (i < first.size()) result.push_back(first[i]);
    if (i < second.size()) result.push_back(second[i]);
  }
  return result;
}

class ConnectRace {
 public:
  ConnectRace(std::vector<Address> addresses, std::string_view name, const ConnectOptions& options,
              detail::IoDeadline deadline)
      : addresses_(std::move(addresses)),
        operation_("connect " + std::string(name)),
        options_(options),
        deadline_(deadline) {}

  Io run(SourceLocation location) {
    for (;;) {
      if (is_next_due()) {
        begin_next(location);
      } else if (attempts_.empty()) {
        raise_failure();
      } else {
        wait(location);
      }
      if (winner_) return std::move(winner_);
    }
  }

 private:
  static constexpr std::chrono::milliseconds kFullQueueFirst{1};
  static constexpr std::chrono::milliseconds kFullQueueMost{50};

  bool has_next() const noexcept { return next_ < addresses_.size(); }
  bool is_next_due() { return has_next() && (attempts_.empty() || scheduler_.reactor().now() >= next_at_); }

  // Every address gets an attempt before the deadline, also when attempt_delay is longer than the timeout allows.
  TimePoint next_attempt_time() {
    const TimePoint now = scheduler_.reactor().now();
    const TimePoint usual = deadline_after(now, options_.attempt_delay);
    if (!deadline_) return usual;
    const auto attempts_left = static_cast<std::int64_t>(addresses_.size() - next_ + 1);
    return std::min(usual, deadline_after(now, (*deadline_ - now) / attempts_left));
  }

  void begin_next(SourceLocation location) {
    const Address& address = addresses_[next_];
    try {
      ConnectAttempt attempt(address, options_);
      const int code = attempt.begin();
      if (code == EAGAIN) return retry_later(location);
      ++next_;
      next_at_ = next_attempt_time();
      settle(std::move(attempt), code);
    } catch (const IoError& error) {  // no socket of that family, an address that can't be bound
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

  // Nothing tells when the queue of a unix-domain listener has room again.
  void retry_later(SourceLocation location) {
    const TimePoint now = scheduler_.reactor().now();
    if (deadline_ && now >= *deadline_) detail::throw_wait_error(scheduler_, WakeReason::timed_out, nullptr);
    const TimePoint until = deadline_after(now, full_queue_pause_);
    full_queue_pause_ = std::min(2 * full_queue_pause_, kFullQueueMost);
    const WakeReason reason = scheduler_.sleep_until(deadline_ ? std::min(until, *deadline_) : until, location);
    if (reason != WakeReason::timed_out) detail::throw_wait_error(scheduler_, reason, nullptr);
  }

  void wait(SourceLocation location) {
    std::vector<WaitEntry> entries;
    entries.reserve(attempts_.size());
    for (ConnectAttempt& attempt : attempts_) entries.emplace_back(attempt.writable());
    WaitRequest request;
    request.entries = entries;
    request.deadline = deadline_;
    const bool next_first = has_next() && (!deadline_ || next_at_ < *deadline_);
    if (next_first) request.deadline = next_at_;
    const WakeReason reason = scheduler_.wait(request, location);
    if (reason == WakeReason::timed_out && next_first) return;
    if (reason != WakeReason::event) detail::throw_wait_error(scheduler_, reason, &request);
    for (std::size_t i = entries.size(); i-- > 0 && !winner_;) {
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
    next_at_ = TimePoint::min();  // no reason to wait for the others
    if (code_ == 0) code_ = code;
    if (!failures_.empty()) failures_ += "; ";
    if (addresses_.size() > 1) failures_ += address.to_string() + ": ";
    failures_ += std::strerror(code);
  }

  [[noreturn]] void raise_failure() { throw IoError(operation_, code_, failures_); }

  detail::Scheduler& scheduler_ = detail::require_scheduler("connect");
  std::vector<Address> addresses_;
  std::string operation_;
  const ConnectOptions& options_;
  detail::IoDeadline deadline_;
  std::vector<ConnectAttempt> attempts_;
  std::size_t next_ = 0;
  TimePoint next_at_ = TimePoint::min();
  std::chrono::milliseconds full_queue_pause_ = kFullQueueFirst;
  Io winner_;
  std::string failures_;
  int code_ = 0;
};

}  // namespace

Io connect_any(std::span<const Address> addresses, std::string_view name, const ConnectOptions& options,
               SourceLocation location) {
  if (addresses.empty()) throw MisuseError("connect " + std::string(name) + ": there is no address to connect to");
  return ConnectRace(interleave(addresses), name, options, detail::to_deadline(options.timeout)).run(location);
}

Io connect(const Address& address, const ConnectOptions& options, SourceLocation location) {
  return connect_any(std::span(&address, 1), address.to_string(), options, location);
}

Io connect(std::string_view host, std::uint16_t port, const ConnectOptions& options, SourceLocation location) {
  const detail::IoDeadline deadline = detail::to_deadline(options.timeout);
  const std::vector<Address> found =
      resolve(host, port, {.family = options.family, .timeout = options.timeout}, location);
  ConnectOptions rest = options;
  if (deadline) rest.timeout = *deadline - detail::require_scheduler("connect").reactor().now();
  const std::string name =
      found.size() == 1 ? found.front().to_string() : std::string(host) + ":" + std::to_string(port);
  return connect_any(found, name, rest, location);
}

}  // namespace trueasync
