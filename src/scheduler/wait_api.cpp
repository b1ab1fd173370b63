// Implements trueasync/event.hpp.
#include <algorithm>

#include "scheduler/api_support.hpp"
#include "trueasync/error.hpp"

namespace trueasync {

namespace {

// A wait for up to this many events keeps its entries on the stack; a wait for more allocates them.
constexpr std::size_t kInlineEntries = 8;

// Entries: the entries of a wait for events and, as the last one, for the token.
class Entries {
 public:
  Entries(std::span<Event* const> events, Event* token) : count_(events.size() + (token ? 1 : 0)) {
    if (count_ > kInlineEntries) heap_ = std::make_unique<WaitEntry[]>(count_);
    for (std::size_t i = 0; i < events.size(); ++i) set(i, events[i]);
    if (token) {
      set(events.size(), token);
      data()[events.size()].is_token = true;
    }
  }
  ~Entries() {
    for (WaitEntry& entry : span()) entry.event->release();
  }
  Entries(const Entries&) = delete;
  Entries& operator=(const Entries&) = delete;
  std::span<WaitEntry> span() noexcept { return {data(), count_}; }

 private:
  void set(std::size_t index, Event* event) noexcept {
    data()[index].event = event;
    event->retain();  // its owner may release it during the wait, and its error is read afterwards
  }
  WaitEntry* data() noexcept { return heap_ ? heap_.get() : inline_; }

  WaitEntry inline_[kInlineEntries];
  std::unique_ptr<WaitEntry[]> heap_;
  std::size_t count_;
};

std::size_t wait_for(std::span<Event* const> events, std::uint32_t needed, WaitOptions options,
                     SourceLocation location) {
  detail::Scheduler& scheduler = detail::require_scheduler("wait");
  if (events.empty()) {  // a wait for no events is a yield
    detail::throw_wait_error(scheduler, scheduler.yield_slow(location), nullptr);
    return 0;
  }
  Entries entries(events, options.token());
  WaitRequest request;
  request.entries = entries.span();
  request.needed = needed;
  request.stop_at_error = true;
  request.deadline = detail::absolute_deadline(scheduler, options);
  detail::throw_wait_error(scheduler, scheduler.wait(request, location), &request);
  auto fired = std::find_if(request.entries.begin(), request.entries.end(), [](auto& entry) { return entry.fired; });
  return static_cast<std::size_t>(fired - request.entries.begin());
}

}  // namespace

namespace detail {

WaitOptions with_fixed_deadline(WaitOptions options) {
  if (!options.has_time()) return options;
  return {absolute_deadline(require_scheduler("waiting"), options), options.token()};
}

}  // namespace detail

WakeReason wait(WaitRequest& request, SourceLocation location) {
  detail::Scheduler& scheduler = detail::require_scheduler("wait");
  if (request.entries.empty() && !request.deadline) return scheduler.yield_slow(location);
  return scheduler.wait(request, location);
}

std::size_t wait_any(std::span<Event* const> events, WaitOptions options, SourceLocation location) {
  return wait_for(events, 1, options, location);
}

void wait_all(std::span<Event* const> events, WaitOptions options, SourceLocation location) {
  wait_for(events, static_cast<std::uint32_t>(events.size()), options, location);
}

}  // namespace trueasync
