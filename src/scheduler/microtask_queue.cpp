#include "scheduler/microtask_queue.hpp"

#include "base/check.hpp"

namespace trueasync::detail {

void MicrotaskQueue::push(Microtask& task) noexcept {
  TRUEASYNC_CHECK(task.next == nullptr && last_ != &task, "microtask queued twice");
  task.retain();
  task.next = nullptr;
  (last_ ? last_->next : first_) = &task;
  last_ = &task;
  ++size_;
}

Microtask* MicrotaskQueue::pop() noexcept {
  Microtask* task = first_;
  if (!task) return nullptr;
  first_ = task->next;
  if (!first_) last_ = nullptr;
  task->next = nullptr;
  --size_;
  return task;
}

std::exception_ptr MicrotaskQueue::run(unsigned bound, std::uint64_t& run) noexcept {
  for (unsigned i = 0; i < bound; ++i) {
    Microtask* task = pop();
    if (!task) return nullptr;
    std::exception_ptr error;
    if (!task->cancelled) {
      ++run;
      error = task->handler(*task);
    }
    task->release();
    if (error) return error;
  }
  return nullptr;
}

void MicrotaskQueue::clear() noexcept {
  while (Microtask* task = pop()) task->release();
}

}  // namespace trueasync::detail
