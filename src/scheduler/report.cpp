#include "scheduler/report.hpp"

#include <algorithm>
#include <cstring>

namespace trueasync::detail {

namespace {

const char* state_text(const ControlBlock& block) {
  switch (block.phase) {
    case Phase::created:
      return "not started";
    case Phase::running:
      return "running";
    case Phase::suspended:
      return block.waker().state() == WakerState::waiting ? "suspended" : "ready";
    case Phase::finished:
      return "finished";
  }
  return "";
}

// Main has returned and waits for the remaining coroutines.
bool is_draining(const ControlBlock& block) {
  return block.scheduler->is_draining() && &block == block.scheduler->main();
}

// The coroutine that must act before `block` can continue, if the awaited event knows it.
const ControlBlock* blocked_by(const ControlBlock& block) {
  if (block.phase != Phase::suspended || block.waker().state() != WakerState::waiting) return nullptr;
  for (const WaitEntry& entry : block.waker().entries()) {
    if (auto* holder = dynamic_cast<const ControlBlock*>(entry.event->blocking_coroutine())) return holder;
  }
  return nullptr;
}

}  // namespace

std::string format_location(SourceLocation location) {
  if (!location) return {};
  const char* slash = std::strrchr(location.file(), '/');
  return std::string(slash ? slash + 1 : location.file()) + ":" + std::to_string(location.line());
}

std::string describe_wait(const ControlBlock& block) {
  if (block.phase != Phase::suspended) return {};
  if (block.waker().state() != WakerState::waiting) return "the ready queue";
  if (is_draining(block)) return "the other coroutines to finish";
  std::string text;
  for (const WaitEntry& entry : block.waker().entries()) {
    if (!text.empty()) text += ", ";
    text += entry.event->describe();
    if (entry.is_token) text += " (as token)";
  }
  if (block.wait_timer().is_armed()) {
    Reactor& reactor = block.scheduler->reactor();
    const auto remaining = reactor.timers().when(block.wait_timer()) - reactor.now();
    if (!text.empty()) text += ", ";
    text += "timeout in " + std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(remaining).count()) +
            " ms";
  }
  return text.empty() ? "an unknown event" : text;
}

std::string describe_coroutine(const ControlBlock& block) {
  std::string text = "  coroutine " + coroutine_label(block) + ": " + state_text(block);
  if (block.flags & kCancelRequested) text += ", cancellation requested";
  if (block.protect_depth && !is_draining(block)) text += ", protected";
  if (auto location = format_location(block.spawn_location); !location.empty()) text += "\n    spawned at " + location;
  if (block.phase == Phase::suspended) {
    if (auto location = format_location(block.suspend_location); !location.empty())
      text += "\n    suspended at " + location;
    text += "\n    waits for " + describe_wait(block);
  }
  return text + "\n";
}

std::string format_dump(const Scheduler& scheduler) {
  std::string text;
  for (const ControlBlock* block : scheduler.live_coroutines()) text += describe_coroutine(*block);
  return text;
}

std::string find_wait_cycle(const Scheduler& scheduler) {
  for (const ControlBlock* start : scheduler.live_coroutines()) {
    std::vector<const ControlBlock*> path;
    for (const ControlBlock* block = start; block; block = blocked_by(*block)) {
      if (auto seen = std::find(path.begin(), path.end(), block); seen != path.end()) {
        std::string text;
        for (auto it = seen; it != path.end(); ++it) text += coroutine_label(**it) + " → ";
        return text + coroutine_label(*block);
      }
      path.push_back(block);
    }
  }
  return {};
}

}  // namespace trueasync::detail
