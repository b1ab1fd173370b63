// Texts about a pool for people: why nothing came free in time, who has the resources, what it is in a report.
#include <algorithm>

#include "pool/resource_pool.hpp"
#include "scheduler/report.hpp"

namespace trueasync::detail {

namespace {

constexpr std::size_t kMaxReportedHolders = 3;

std::string milliseconds(std::chrono::nanoseconds duration) {
  return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(duration).count()) + " ms";
}

std::string text_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& known) {
    return known.what();
  } catch (...) {
    return "unknown";
  }
}

std::string text_of(const LeaseHolder& holder) {
  std::string text = "coroutine #" + std::to_string(holder.coroutine);
  if (!holder.name.empty()) text += " \"" + holder.name + "\"";
  if (holder.has_ended) text += ", which has ended,";
  return text + " for " + milliseconds(holder.held) + ", acquired at " + format_location(holder.acquire_location);
}

}  // namespace

std::string ResourcePool::named() const { return options_.name.empty() ? "" : " (\"" + options_.name + "\")"; }

// PO-21: with what is reserved, or a report would look like a lost wake-up.
std::string ResourcePool::describe() const {
  std::string text = "a resource of a pool" + named() + " (" + std::to_string(idle_.size()) + " idle, ";
  text += std::to_string(active_count()) + " active, " + std::to_string(reserved_) + " reserved, max ";
  text += std::to_string(options_.max) + ", " + std::to_string(waiting_) + " wait";
  if (creating_ != 0) text += ", " + std::to_string(creating_) + " being made";
  if (is_paused()) text += ", paused";
  if (is_closed()) text += ", closed";
  if (const std::uint64_t only = sole_holder_id(); only != 0) text += ", all with coroutine #" + std::to_string(only);
  return text + ")";
}

// The number of the coroutine that has every resource there is; 0: there is none.
std::uint64_t ResourcePool::sole_holder_id() const noexcept {
  std::uint64_t only = 0;
  bool is_one = existing_ != 0 && creating_ == 0;
  slots_.for_each([&](const PoolSlot& slot) {
    if (slot.state == SlotState::none) return;
    if (slot.state != SlotState::leased || (only != 0 && only != slot.holder)) is_one = false;
    only = slot.holder;
  });
  return is_one ? only : 0;
}

LeaseHolder ResourcePool::holder_of(const PoolSlot& slot, const std::vector<ControlBlock*>& living, TimePoint now) {
  LeaseHolder holder;
  holder.coroutine = slot.holder;
  holder.acquire_location = slot.location;
  holder.held = std::max(now - slot.since, TimePoint::duration{});
  const auto found = std::lower_bound(living.begin(), living.end(), slot.holder,
                                      [](const ControlBlock* block, std::uint64_t id) { return block->id < id; });
  holder.has_ended = found == living.end() || (*found)->id != slot.holder;
  if (!holder.has_ended && (*found)->name) holder.name = (*found)->name;
  return holder;
}

std::vector<LeaseHolder> ResourcePool::holders(std::size_t limit) const {
  std::vector<const PoolSlot*> leased;
  slots_.for_each([&](const PoolSlot& slot) {
    if (slot.state == SlotState::leased) leased.push_back(&slot);
  });
  std::sort(leased.begin(), leased.end(), [](auto* a, auto* b) { return a->since < b->since; });
  if (leased.size() > limit) leased.resize(limit);
  const TimePoint now = is_on_owner_thread() ? scheduler_->reactor().now() : cached_now();
  const auto living = is_on_owner_thread() ? scheduler_->live_coroutines() : std::vector<ControlBlock*>{};
  std::vector<LeaseHolder> found;
  for (const PoolSlot* slot : leased) found.push_back(holder_of(*slot, living, now));
  return found;
}

// Thousands may run out of time together, and finding the holders means to look at every coroutine there is.
const std::vector<LeaseHolder>& ResourcePool::recent_holders() {
  constexpr std::chrono::milliseconds kRecent{100};
  const TimePoint now = scheduler_->reactor().now();
  if (now >= holders_until_) {
    recent_holders_ = holders(kMaxReportedHolders);
    holders_until_ = now + kRecent;
  }
  return recent_holders_;
}

// The coroutine that has held one longest: a deadlock report follows it.
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

PoolTimeoutCause ResourcePool::timeout_cause(TimePoint since, const std::vector<LeaseHolder>& longest) const noexcept {
  if (is_paused()) return PoolTimeoutCause::paused;
  if (!breaker_.is_active() || (last_error_ && existing_ < options_.max)) return PoolTimeoutCause::service_down;
  if (existing_ < options_.max && creating_ != 0) return PoolTimeoutCause::service_down;
  for (const LeaseHolder& holder : longest) {
    if (holder.has_ended || (options_.leak_threshold && holder.held >= *options_.leak_threshold)) {
      return PoolTimeoutCause::leaked;
    }
  }
  std::size_t leased = 0;
  std::size_t all_the_time = 0;
  slots_.for_each([&](const PoolSlot& slot) {
    if (slot.state != SlotState::leased) return;
    ++leased;
    if (slot.since <= since) ++all_the_time;
  });
  return leased != 0 && 2 * all_the_time >= leased ? PoolTimeoutCause::slow_holders : PoolTimeoutCause::exhausted;
}

PoolDiagnosis ResourcePool::diagnose(TimePoint since, bool in_hook) {
  PoolDiagnosis result;
  result.holders = recent_holders();
  result.cause = in_hook ? PoolTimeoutCause::service_down : timeout_cause(since, result.holders);
  if (last_error_) result.last_failure = text_of(last_error_);
  result.is_self_deadlock = sole_holder_id() == scheduler_->running()->id;
  const auto waited = milliseconds(scheduler_->reactor().now() - since);
  result.text = "nothing came free in " + waited + ": " + to_string(result.cause) + "; " + describe();
  if (in_hook) {
    result.text += "; before_acquire has not returned";
  } else if (!result.last_failure.empty()) {
    result.text +=
        "; " + std::to_string(failed_creations_) + " creations failed, the last with: " + result.last_failure;
  } else if (result.cause == PoolTimeoutCause::service_down && creating_ != 0) {
    result.text += "; the factory has not returned";
  }
  for (const LeaseHolder& holder : result.holders) result.text += "; held by " + text_of(holder);
  if (result.is_self_deadlock) {
    result.text += "; hint: the one who waits has them all itself, so it waits for itself";
  }
  return result;
}

void ResourcePool::throw_timeout(TimePoint since, bool in_hook) {
  ++timeouts_;
  throw PoolTimeoutError(diagnose(since, in_hook));
}

}  // namespace trueasync::detail
