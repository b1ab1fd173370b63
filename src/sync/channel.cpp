// The part of channels that does not depend on the value type.
#include "base/check.hpp"
#include "scheduler/api_support.hpp"
#include "sync/channel_timeouts.hpp"
#include "trueasync/detail/channel_base.hpp"

namespace trueasync {

const char* to_string(CloseReason reason) noexcept {
  switch (reason) {
    case CloseReason::none:
      return "open";
    case CloseReason::closed:
      return "explicit";
    case CloseReason::disposed:
      return "disposed";
    case CloseReason::no_producers:
      return "no producers timeout";
    case CloseReason::no_consumers:
      return "no consumers timeout";
    case CloseReason::deadlock:
      return "deadlock";
    case CloseReason::scope_disposed:
      return "scope disposed";
  }
  return "";
}

ChannelError::ChannelError(CloseReason reason, const std::string& report)
    : Error(std::string("the channel is closed: ") + to_string(reason) + (report.empty() ? "" : "\n") + report),
      reason_(reason) {}
ChannelError::~ChannelError() = default;

namespace detail {

namespace {

std::size_t length(const WaiterList& list) noexcept {
  std::size_t count = 0;
  for (const WaitEntry* entry = list.front(); entry; entry = list.next_of(*entry)) ++count;
  return count;
}

}  // namespace

ChannelBase::ChannelBase(const ChannelOptions& options) : capacity_(options.capacity) {
  if (options.no_consumer_timeout || options.no_producer_timeout) {
    timeouts_ = std::make_unique<ChannelTimeouts>(*this, options);
  }
}

ChannelBase::~ChannelBase() {
  TRUEASYNC_CHECK(senders_.empty() && receivers_.empty(), "channel destroyed with waiters");
}

void ChannelBase::close(CloseReason reason) noexcept {
  if (is_closed() || reason == CloseReason::none) return;
  close_reason_ = reason;
  Ref<ChannelBase> keep_alive(this);  // the callback of a waiter may drop the last reference
  for (ChannelSide which : {ChannelSide::receiver, ChannelSide::sender}) {
    WaiterList waiters;
    waiters.splice_back(side(which));
    while (WaitEntry* waiter = waiters.pop_front()) wake_closed(*waiter);
    on_progress(which);
  }
}

bool ChannelBase::on_deadlock(const std::string& report) noexcept {
  constexpr std::size_t kMaxReportSize = 4096;
  if (is_closed()) return false;
  try {
    report_ = std::make_unique<const std::string>(report, 0, kMaxReportSize);
  } catch (...) {  // without memory for the report, waiters get the close reason only
  }
  close(CloseReason::deadlock);
  return true;
}

ChannelError ChannelBase::closed_error() const {
  return report_ ? ChannelError(close_reason_, *report_) : ChannelError(close_reason_);
}

// Includes reserved values: without them, a deadlock report would look like a lost wake-up.
std::string ChannelBase::describe() const {
  std::string text = "a channel (" + std::to_string(count()) + " of " + std::to_string(capacity_) + " buffered, ";
  text += std::to_string(length(senders_)) + " senders and " + std::to_string(length(receivers_)) + " receivers wait";
  if (reserved_ != 0) text += ", " + std::to_string(reserved_) + " values reserved for receivers";
  if (is_closed()) text += std::string(", closed: ") + to_string(close_reason_);
  return text + ")";
}

void ChannelBase::park_with_timeout(ChannelSide which, void* waiter, WaitOptions options, SourceLocation location) {
  struct StopTimeoutGuard {
    ChannelBase& channel;
    ChannelSide which;
    ~StopTimeoutGuard() { channel.stop_timeout_if_idle(which); }
  } guard{*this, which};
  start_timeout(which);
  wait_in_queue(side(which), *this, waiter, options, location);
}

void ChannelBase::start_timeout(ChannelSide which) noexcept { timeouts_->start(which); }
void ChannelBase::restart_timeout(ChannelSide which) noexcept { timeouts_->restart(which); }
void ChannelBase::stop_timeout_if_idle(ChannelSide which) noexcept { timeouts_->stop_if_idle(which); }

}  // namespace detail
}  // namespace trueasync
