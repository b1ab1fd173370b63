// channel_base.hpp: the part of a channel that does not depend on its value type: wait queues, close reason, and the
// timers that close a channel whose other side never appears.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "trueasync/detail/deadlock_handler.hpp"
#include "trueasync/detail/wait_queue.hpp"
#include "trueasync/error.hpp"
#include "trueasync/event.hpp"
#include "trueasync/export.hpp"
#include "trueasync/source_location.hpp"
#include "trueasync/wait_options.hpp"

namespace trueasync {

// CloseReason: why a channel is closed. The first reason stays.
enum class CloseReason : std::uint8_t {
  none,            // open
  closed,          // close() was called
  disposed,        // the last handle was destroyed, or the runtime has ended
  no_producers,    // a receiver waited longer than no_producer_timeout
  no_consumers,    // a sender waited longer than no_consumer_timeout
  deadlock,        // the channel had waiters when the program was deadlocked
  scope_disposed,  // the scope that owned the channel has ended
};

TRUEASYNC_EXPORT const char* to_string(CloseReason reason) noexcept;

// ChannelError: an operation on a closed channel. reason() is the close reason.
class TRUEASYNC_EXPORT ChannelError : public Error {
 public:
  // `report`: text appended to the message.
  explicit ChannelError(CloseReason reason, const std::string& report = {});
  ~ChannelError() override;
  CloseReason reason() const noexcept { return reason_; }

 private:
  CloseReason reason_;
};

// ChannelTimerMode: a background timer, meant to detect mistakes, neither keeps the program alive nor counts for
// deadlock detection. A foreground timer does both.
enum class ChannelTimerMode : std::uint8_t { background, foreground };

// ChannelOptions: options of a channel.
struct ChannelOptions {
  std::size_t capacity = 0;  // values buffered; 0: a rendezvous
  std::optional<Duration> no_producer_timeout =
      std::nullopt;  // how long receivers may wait for a sender; default: none
  std::optional<Duration> no_consumer_timeout =
      std::nullopt;  // how long senders may wait for a receiver; default: none
  ChannelTimerMode timer_mode = ChannelTimerMode::background;  // of the two timeouts; default: background
};

namespace detail {

enum class ChannelSide : std::uint8_t { sender, receiver };
// OnClosed: how a receiver sees a channel closed by close(): as an error or as the end of the stream.
enum class OnClosed : std::uint8_t { error, end_of_stream };
// WaiterState: the state of a queued sender or receiver.
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
  // Closes the channel. Waiters get the report, shortened because there may be many of them.
  bool on_deadlock(const std::string& report) noexcept override;

  void add_handle() noexcept { ++handles_; }
  void drop_handle() noexcept {
    if (--handles_ == 0) close(CloseReason::disposed);
  }

  // For waiters that are not coroutines: the queue of a side, and notifications about added and removed waiters.
  // `owner` of the entry is the ChannelWaiter.
  WaiterList& side(ChannelSide which) noexcept { return which == ChannelSide::sender ? senders_ : receivers_; }
  void on_waiter_added(ChannelSide which) noexcept {
    if (__builtin_expect(timeouts_ != nullptr, 0)) start_timeout(which);
  }
  void on_waiter_removed(ChannelSide which) noexcept {
    if (__builtin_expect(timeouts_ != nullptr, 0)) stop_timeout_if_idle(which);
  }

  ChannelError closed_error() const;
  [[noreturn]] void throw_closed() const { throw closed_error(); }

 protected:
  explicit ChannelBase(const ChannelOptions& options);
  ~ChannelBase() override;

  // Suspends on a side until the waiter is fulfilled, the channel is closed or `options` end the wait.
  void park(ChannelSide which, void* waiter, WaitOptions options, SourceLocation location) {
    if (__builtin_expect(timeouts_ != nullptr, 0)) return park_with_timeout(which, waiter, options, location);
    wait_in_queue(side(which), *this, waiter, options, location);
  }
  // Called when a waiter of that side was fulfilled.
  void on_progress(ChannelSide which) noexcept {
    if (__builtin_expect(timeouts_ != nullptr, 0)) restart_timeout(which);
  }
  // Wakes a waiter that was removed from its queue because the channel is closed.
  virtual void wake_closed(WaitEntry& waiter) noexcept = 0;

  WaiterList senders_;
  WaiterList receivers_;
  std::size_t capacity_;
  std::size_t reserved_ = 0;  // values granted to receivers that have not run yet
  CloseReason close_reason_ = CloseReason::none;

 private:
  friend class ChannelTimeouts;
  void start_timeout(ChannelSide which) noexcept;
  void restart_timeout(ChannelSide which) noexcept;
  void stop_timeout_if_idle(ChannelSide which) noexcept;
  void park_with_timeout(ChannelSide which, void* waiter, WaitOptions options, SourceLocation location);

  std::uint32_t handles_ = 0;
  std::unique_ptr<ChannelTimeouts> timeouts_;  // null without timeouts
  std::unique_ptr<const std::string> report_;  // of the deadlock that closed the channel
};

}  // namespace detail
}  // namespace trueasync
