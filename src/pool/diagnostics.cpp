// Messages about a pool: the diagnosis of a timeout, the lease holders, and its line in deadlock reports.
#include <algorithm>

#include "pool/resource_pool.hpp"
#include "scheduler/report.hpp"

namespace trueasync::detail {

namespace {

constexpr std::size_t kMaxReportedHolders = 3;

std::string format_milliseconds(std::chrono::nanoseconds duration) {
  return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(duration).count()) + " ms";
}

std::string to_text(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& known) {
    return known.what();
  } catch (...) {
    return "unknown";
  }
}

std::string to_text(const LeaseHolder& holder) {
  std::string text = "coroutine #" + std::to_string(holder.coroutine);
  if (!holder.name.empty()) text += " \"" + holder.name + "\"";
  if (holder.has_ended) text += " (finished)";
  return text + " for " + format_milliseconds(holder.held) + ", acquired at " +
         format_location(holder.acquire_location);
}

}  // namespace

std::string ResourcePool::label() const { return options_.name.empty() ? "pool" : "pool \"" + options_.name + "\""; }

// Includes the reserved resources: without them a report would look like a lost wake-up.
std::string ResourcePool::describe() const { return "a resource of " + label() + " (" + describe_counts() + ")"; }

std::string ResourcePool::describe_counts() const {
  std::string text = std::to_string(idle_.size()) + " idle, ";
  text += std::to_string(active_count()) + " active, " + std::to_string(reserved_) + " reserved, max ";
  text += std::to_string(options_.max) + ", " + std::to_string(waiting_) + " waiting";
  if (creating_ != 0) text += ", " + std::to_string(creating_) + " being created";
  if (is_paused()) text += ", paused";
  if (is_closed()) text += ", closed";
  if (const std::uint64_t holder = sole_holder_id(); holder != 0) {
    text += ", all leased by coroutine #" + std::to_string(holder);
  }
  return text;
}

// Returns the id of the coroutine that holds all resources, or 0 if there is no such coroutine.
std::uint64_t ResourcePool::sole_holder_id() const noexcept {
  std::uint64_t holder = 0;
  bool is_sole = existing_ != 0 && creating_ == 0;
  slots_.for_each([&](const PoolSlot& slot) {
    if (slot.state == SlotState::none) return;
    if (slot.state != SlotState::leased || (holder != 0 && holder != slot.holder)) is_sole = false;
    holder = slot.holder;
  });
  return is_sole ? holder : 0;
}

LeaseHolder ResourcePool::make_holder(const PoolSlot& slot, const std::vector<ControlBlock*>& live_coroutines,
                                      TimePoint now) {
  LeaseHolder holder;
  holder.coroutine = slot.holder;
  holder.acquire_location = slot.location;
  holder.held = std::max(now - slot.since, TimePoint::duration{});
  const auto found = std::lower_bound(live_coroutines.begin(), live_coroutines.end(), slot.holder,
                                      [](const ControlBlock* block, std::uint64_t id) { return block->id < id; });
  holder.has_ended = found == live_coroutines.end() || (*found)->id != slot.holder;
  if (!holder.has_ended && (*found)->name) holder.name = (*found)->name;
  return holder;
}

std::vector<LeaseHolder> ResourcePool::holders(std::size_t max_count) const {
  std::vector<const PoolSlot*> leased;
  slots_.for_each([&](const PoolSlot& slot) {
    if (slot.state == SlotState::leased) leased.push_back(&slot);
  });
  std::sort(leased.begin(), leased.end(), [](auto* a, auto* b) { return a->since < b->since; });
  if (leased.size() > max_count) leased.resize(max_count);
  const TimePoint now = is_on_owner_thread() ? scheduler_->reactor().now() : cached_now();
  const auto live_coroutines = is_on_owner_thread() ? scheduler_->live_coroutines() : std::vector<ControlBlock*>{};
  std::vector<LeaseHolder> found;
  for (const PoolSlot* slot : leased) found.push_back(make_holder(*slot, live_coroutines, now));
  return found;
}

// Cached for a short time: thousands of waiters may time out together, and each search visits every live coroutine.
const std::vector<LeaseHolder>& ResourcePool::recent_holders() {
  constexpr std::chrono::milliseconds kCacheTime{100};
  const TimePoint now = scheduler_->reactor().now();
  if (now >= holders_valid_until_) {
    recent_holders_ = holders(kMaxReportedHolders);
    holders_valid_until_ = now + kCacheTime;
  }
  return recent_holders_;
}

// Returns the coroutine that holds a lease longest. Deadlock detection follows it to find the wait cycle.
const Event* ResourcePool::blocking_coroutine() const noexcept {
  const PoolSlot* longest = nullptr;
  slots_.for_each([&](const PoolSlot& slot) {
    if (slot.state == SlotState::leased && (!longest || slot.since < longest->since)) longest = &slot;
  });
  if (!longest || !is_on_owner_thread()) return nullptr;
  for (const ControlBlock* block : scheduler_->live_coroutines()) {
    if (block->id == longest->holder) return block;
  }
  return nullptr;
}

PoolTimeoutCause ResourcePool::timeout_cause(TimePoint since,
                                             const std::vector<LeaseHolder>& longest_holders) const noexcept {
  if (is_paused()) return PoolTimeoutCause::paused;
  if (!breaker_.is_active() || (last_error_ && existing_ < options_.max)) return PoolTimeoutCause::service_down;
  if (existing_ < options_.max && creating_ != 0) return PoolTimeoutCause::service_down;
  for (const LeaseHolder& holder : longest_holders) {
    if (holder.has_ended || (options_.leak_threshold && holder.held >= *options_.leak_threshold)) {
      return PoolTimeoutCause::leaked;
    }
  }
  std::size_t leased = 0;
  std::size_t held_throughout = 0;
  slots_.for_each([&](const PoolSlot& slot) {
    if (slot.state != SlotState::leased) return;
    ++leased;
    if (slot.since <= since) ++held_throughout;
  });
  return leased != 0 && 2 * held_throughout >= leased ? PoolTimeoutCause::slow_holders : PoolTimeoutCause::exhausted;
}

PoolDiagnosis ResourcePool::diagnose(TimePoint since, bool in_hook) {
  PoolDiagnosis result;
  result.holders = recent_holders();
  result.cause = in_hook ? PoolTimeoutCause::service_down : timeout_cause(since, result.holders);
  if (last_error_) result.last_failure = to_text(last_error_);
  result.is_self_deadlock = sole_holder_id() == scheduler_->running()->id;
  const auto waited = format_milliseconds(scheduler_->reactor().now() - since);
  result.text = label() + ": acquire timed out after " + waited + ", cause: " + to_string(result.cause);
  result.text += " (" + describe_counts() + ")";
  if (in_hook) {
    result.text += "; before_acquire has not returned";
  } else if (!result.last_failure.empty()) {
    result.text += "; " + std::to_string(failed_creations_) + " failed creations, last failure: " + result.last_failure;
  } else if (result.cause == PoolTimeoutCause::service_down && creating_ != 0) {
    result.text += "; the factory has not returned";
  }
  for (const LeaseHolder& holder : result.holders) result.text += "; held by " + to_text(holder);
  if (result.is_self_deadlock) {
    result.text += "; hint: the caller holds all leases of the pool itself and waits for them";
  }
  return result;
}

void ResourcePool::throw_timeout(TimePoint since, bool in_hook) {
  ++timeouts_;
  throw PoolTimeoutError(diagnose(since, in_hook));
}

}  // namespace trueasync::detail
