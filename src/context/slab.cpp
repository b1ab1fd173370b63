#include "context/slab.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <new>
#include <utility>

#include "base/check.hpp"
#include "context/madvise_batch.hpp"
#include "context/sanitizer.hpp"
#include "context/valgrind.hpp"

namespace trueasync::detail {

std::unique_ptr<Slab> Slab::map(std::size_t count, std::size_t stack_size, std::size_t guard_size) noexcept {
  std::unique_ptr<Stack[]> stacks(new (std::nothrow) Stack[count]);
  if (!stacks) return nullptr;
  const std::size_t bytes = count * stack_size;
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  // A huge page would make 32 stacks resident when one is touched. Kernels without huge pages reject the advice, which
  // is harmless.
  madvise(memory, bytes, MADV_NOHUGEPAGE);
  std::unique_ptr<Slab> slab(
      new (std::nothrow) Slab(static_cast<std::uint8_t*>(memory), std::move(stacks), count, stack_size, guard_size));
  if (!slab) munmap(memory, bytes);
  return slab;
}

Slab::Slab(std::uint8_t* memory, std::unique_ptr<Stack[]> stacks, std::size_t count, std::size_t stack_size,
           std::size_t guard_size) noexcept
    : memory_(memory), stack_size_(stack_size), guard_size_(guard_size), stacks_(std::move(stacks)), count_(count) {}

Slab::~Slab() {
  for (const unsigned id : valgrind_ids_) valgrind_deregister_stack(id);
  // The next mapping at these addresses must not inherit memory that the last frames left poisoned.
  sanitizer_reuse_stack(memory_, memory_ + count_ * stack_size_);
  const int result = munmap(memory_, count_ * stack_size_);
  TRUEASYNC_CHECK(result == 0, "munmap of a stack slab failed");
  release_guard_quota(GuardKind::mprotect, mprotected_);
}

bool Slab::guard_more(GuardKind guard) noexcept {
  const std::size_t wanted = std::min(kMaxMadviseRanges, count_ - guarded_);
  const std::size_t installed =
      install_guards(guard, memory_ + guarded_ * stack_size_, stack_size_, guard_size_, wanted);
  guarded_ += installed;
  if (guard == GuardKind::mprotect) mprotected_ += installed;
  return installed > 0;
}

Stack* Slab::carve(GuardKind guard) noexcept {
  if (carved_ == count_) return nullptr;
  if (carved_ == guarded_ && !guard_more(guard)) return nullptr;
  Stack& stack = stacks_[carved_];
  stack = Stack{this, nullptr, nullptr, static_cast<std::uint32_t>(carved_), false, false};
  ++carved_;
  if (running_on_valgrind()) valgrind_ids_.push_back(valgrind_register_stack(stack.limit(), stack.top()));
  return &stack;
}

void Slab::push_cold(Stack& stack) noexcept {
  stack.cold = true;
  stack.next = cold_;
  cold_ = &stack;
  ++cold_count_;
}

Stack* Slab::pop_cold() noexcept {
  Stack* stack = cold_;
  if (stack == nullptr) return nullptr;
  cold_ = stack->next;
  --cold_count_;
  return stack;
}

}  // namespace trueasync::detail
