// Waiting for events, as trueasync/wait.hpp has it.
#include <algorithm>

#include "reactor/deadline_after.hpp"
#include "scheduler/face.hpp"
#include "trueasync/error.hpp"

namespace trueasync {

namespace {

// Waits of a few events keep their entries on the stack; more than that go to the heap.
constexpr std::size_t kInlineEntries = 8;

class Entries {
 public:
  explicit Entries(std::span<Event* const> events) : count_(events.size()) {
    if (count_ > kInlineEntries) heap_ = std::make_unique<WaitEntry[]>(count_);
    for (std::size_t i = 0; i < count_; ++i) {
      data()[i].event = events[i];
      events[i]->retain();  // its owner may let it go while we wait, and its error is still to be taken
    }
  }
  ~Entries() {
    for (WaitEntry& entry : span()) entry.event->release();
  }
  Entries(const Entries&) = delete;
  Entries& operator=(const Entries&) = delete;
  std::span<WaitEntry> span() noexcept { return {data(), count_}; }

 private:
  WaitEntry* data() noexcept { return heap_ ? heap_.get() : inline_; }

  WaitEntry inline_[kInlineEntries];
  std::unique_ptr<WaitEntry[]> heap_;
  std::size_t count_;
};

std::size_t wait_for(std::span<Event* const> events, std::uint32_t needed,
                     std::optional<std::chrono::nanoseconds> limit, Place place) {
  detail::Scheduler& scheduler = detail::this_scheduler("wait");
  if (events.empty()) {  // AW-15: nothing to wait for is a plain yield
    detail::raise_unless_well(scheduler, scheduler.yield_slowly(place), nullptr);
    return 0;
  }
  Entries entries(events);
  WaitRequest request;
  request.entries = entries.span();
  request.needed = needed;
  request.stop_at_error = true;
  if (limit) request.deadline = detail::deadline_after(scheduler.reactor().now(), *limit);
  detail::raise_unless_well(scheduler, scheduler.wait(request, place), &request);
  auto fired = std::find_if(request.entries.begin(), request.entries.end(), [](auto& entry) { return entry.fired; });
  return static_cast<std::size_t>(fired - request.entries.begin());
}

}  // namespace

WakeReason wait(WaitRequest& request, Place place) {
  detail::Scheduler& scheduler = detail::this_scheduler("wait");
  if (request.entries.empty() && !request.deadline) return scheduler.yield_slowly(place);  // AW-15
  return scheduler.wait(request, place);
}

std::size_t wait_any(std::span<Event* const> events, std::optional<std::chrono::nanoseconds> limit, Place place) {
  return wait_for(events, 1, limit, place);
}

void wait_all(std::span<Event* const> events, std::optional<std::chrono::nanoseconds> limit, Place place) {
  wait_for(events, static_cast<std::uint32_t>(events.size()), limit, place);
}

}  // namespace trueasync
