// WaitOptions: what ends a wait early: a timeout, a deadline, a cancellation token, or a time and a token. Calls that
// wait accept one as argument; it converts implicitly:
//
//   channel.recv(50ms);                      // a timeout: TimeoutError after 50 ms
//   channel.recv(Clock::now() + 50ms);       // a deadline: TimeoutError when it passes
//   channel.recv(stop);                      // a token: OperationCancelled when the event `stop` fires
//   channel.recv({50ms, stop});              // whichever is first
//
// A negative timeout counts as zero; Duration::max() and std::nullopt mean no timeout.
//
// Ownership: refers to the token, which must exist until the wait ends.
// Thread safety: a plain value.
#pragma once

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>

namespace trueasync {

class Event;

using Clock = std::chrono::steady_clock;
using TimePoint = Clock::time_point;
using Duration = std::chrono::nanoseconds;

class WaitOptions {
 public:
  constexpr WaitOptions() noexcept = default;
  constexpr WaitOptions(std::nullopt_t) noexcept {}
  template <class Rep, class Period>
  constexpr WaitOptions(std::chrono::duration<Rep, Period> timeout) noexcept : time_(from_timeout(timeout)) {}
  constexpr WaitOptions(std::optional<Duration> timeout) noexcept : time_(timeout ? from_timeout(*timeout) : kNoTime) {}
  constexpr WaitOptions(TimePoint deadline) noexcept : time_(from_deadline(deadline)) {}
  constexpr WaitOptions(std::optional<TimePoint> deadline) noexcept
      : time_(deadline ? from_deadline(*deadline) : kNoTime) {}
  // An Event, or a class that converts to one, such as Timeout.
  template <std::convertible_to<Event&> Token>
  constexpr WaitOptions(Token&& token) noexcept : token_(&static_cast<Event&>(token)) {}
  // A time and a token: `time` is anything that one of the constructors above accepts.
  constexpr WaitOptions(WaitOptions time, Event& token) noexcept : time_(time.time_), token_(&token) {}
  constexpr WaitOptions(WaitOptions time, Event* token) noexcept : time_(time.time_), token_(token) {}

  constexpr bool has_time() const noexcept { return time_ != kNoTime; }
  // The token; null without one.
  constexpr Event* token() const noexcept { return token_; }
  // When the wait ends if it begins at `now`; std::nullopt without a timeout or deadline.
  constexpr std::optional<TimePoint> deadline(TimePoint now) const noexcept {
    if (time_ == kNoTime) return std::nullopt;
    if (time_ < 0) return TimePoint(Duration(~time_));
    const std::int64_t start = now.time_since_epoch().count();
    if (time_ > kNoTime - start) return TimePoint::max();
    return TimePoint(Duration(start + time_));
  }

 private:
  static constexpr std::int64_t kNoTime = std::numeric_limits<std::int64_t>::max();

  // Saturates: a timeout in a coarser unit may exceed the range of nanoseconds.
  template <class Rep, class Period>
  static constexpr std::int64_t from_timeout(std::chrono::duration<Rep, Period> timeout) noexcept {
    using Source = std::chrono::duration<Rep, Period>;
    if (timeout <= Source::zero()) return 0;
    if constexpr (!std::same_as<Source, Duration>) {
      if (std::chrono::duration<long double>(timeout) >= std::chrono::duration<long double>(Duration::max())) {
        return kNoTime;
      }
    }
    return std::chrono::ceil<Duration>(timeout).count();
  }
  static constexpr std::int64_t from_deadline(TimePoint deadline) noexcept {
    if (deadline == TimePoint::max()) return kNoTime;
    return ~std::max<std::int64_t>(0, deadline.time_since_epoch().count());
  }

  // Two words, so that the options are passed in registers. kNoTime: none; >= 0: a timeout in nanoseconds; < 0: the
  // bitwise complement of a deadline.
  std::int64_t time_ = kNoTime;
  Event* token_ = nullptr;
};

}  // namespace trueasync
