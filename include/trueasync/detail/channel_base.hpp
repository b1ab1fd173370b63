// What a channel is apart from the type of its values: who waits on each side, whether and why it is closed, the timers
// that close one whose other side never comes.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "trueasync/detail/deadlock_handler.hpp"
#include "trueasync/detail/wait_queue.hpp"
#include "trueasync/error.hpp"
#include "trueasync/event.hpp"
#include "trueasync/export.hpp"
#include "trueasync/source_location.hpp"

namespace trueasync {

// Why a channel is closed; the first cause stays.
enum class CloseReason : std::uint8_t {
  none,            // it is open
  closed,          // somebody called close()
  disposed,        // nobody has it any more, or the runtime it belongs to has ended
  no_producers,    // receivers waited too long
  no_consumers,    // senders waited too long
  deadlock,        // somebody waited when the whole program was stuck
  scope_disposed,  // the scope it was given to has ended
};

TRUEASYNC_EXPORT const char* to_string(CloseReason reason) noexcept;

class TRUEASYNC_EXPORT ChannelError : public Error {
 public:
  // `report`: what there is to say besides.
  explicit ChannelError(CloseReason reason, const std::string& report = {});
  ~ChannelError() override;
  CloseReason reason() const noexcept { return reason_; }

 private:
  CloseReason reason_;
};

// A soft timer is for finding mistakes: it neither keeps the program alive nor hides a deadlock. A hard one counts.
enum class ChannelTimerMode : std::uint8_t { background, foreground };

struct ChannelOptions {
  std::size_t capacity = 0;                         // 0: a rendezvous
  std::chrono::nanoseconds no_producer_timeout{0};  // how long receivers may wait in vain; 0: for ever
  std::chrono::nanoseconds no_consumer_timeout{0};  // the same for senders
  ChannelTimerMode timer_mode = ChannelTimerMode::background;
};

namespace detail {

enum class ChannelSide : std::uint8_t { sender, receiver };
// What the end of a channel is for a receiver: an error, or no more than that if it was closed by close() (CH-12).
enum class OnClosed : std::uint8_t { error, end_of_stream };
enum class WaiterState : std::uint8_t { none, fulfilled, closed };

class ChannelTimeouts;

class TRUEASYNC_EXPORT ChannelBase : public Event, public DeadlockHandler {
 public:
  std::size_t capacity() const noexcept { return capacity_; }
  CloseReason close_reason() const noexcept { return close_reason_; }
  bool is_closed() const noexcept { return close_reason_ != CloseReason::none; }
  void close(CloseReason reason) noexcept;
  virtual std::size_t count() const noexcept = 0;

  std::string describe() const override;
  // Its waiters get the report, cut to a page: there may be many of them.
  bool on_deadlock(const std::string& report) noexcept override;

  void add_handle() noexcept { ++handles_; }
  void drop_handle() noexcept {
    if (--handles_ == 0) close(CloseReason::disposed);
  }

  // For those who suspend in their own way: where a waiter of that side stands, and that one comes and goes. `owner` of
  // the entry is the ChannelWaiter.
  WaiterList& side(ChannelSide which) noexcept { return which == ChannelSide::sender ? senders_ : receivers_; }
  void on_waiter_added(ChannelSide which) noexcept {
    if (__builtin_expect(clocks_ != nullptr, 0)) start_timeout(which);
  }
  void on_waiter_removed(ChannelSide which) noexcept {
    if (__builtin_expect(clocks_ != nullptr, 0)) stop_timeout_if_idle(which);
  }

  ChannelError closed_error() const;
  [[noreturn]] void throw_closed() const { throw closed_error(); }

 protected:
  explicit ChannelBase(const ChannelOptions& options);
  ~ChannelBase() override;

  // Suspends on that side until served, closed or something of `limits`.
  void park(ChannelSide which, void* waiter, const WaitOptions& limits, SourceLocation location) {
    if (__builtin_expect(clocks_ != nullptr, 0)) return park_with_timeout(which, waiter, limits, location);
    wait_in_queue(side(which), *this, waiter, limits, location);
  }
  // Somebody on that side was served.
  void on_progress(ChannelSide which) noexcept {
    if (__builtin_expect(clocks_ != nullptr, 0)) restart_timeout(which);
  }
  virtual void wake_closed(WaitEntry& waiter) noexcept = 0;

  WaiterList senders_;
  WaiterList receivers_;
  std::size_t capacity_;
  std::size_t reserved_ = 0;  // values that belong to receivers who have not run yet
  CloseReason close_reason_ = CloseReason::none;

 private:
  friend class ChannelTimeouts;
  void start_timeout(ChannelSide which) noexcept;
  void restart_timeout(ChannelSide which) noexcept;
  void stop_timeout_if_idle(ChannelSide which) noexcept;
  void park_with_timeout(ChannelSide which, void* waiter, const WaitOptions& limits, SourceLocation location);

  std::uint32_t handles_ = 0;
  std::unique_ptr<ChannelTimeouts> clocks_;
  std::unique_ptr<const std::string> report_;  // of the deadlock that closed it
};

}  // namespace detail
}  // namespace trueasync
