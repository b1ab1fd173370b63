#include "context/stack_pool.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <new>
#include <utility>

#include "context/madvise_batch.hpp"

namespace trueasync::detail {
namespace {

constexpr std::size_t kInitialSlabStacks = 64;
constexpr std::size_t kMaxSlabStacks = 4096;
constexpr std::size_t kMaxSlabBytes = std::size_t{1} << 30;
constexpr std::size_t kMinUsableSize = 8 * 1024;
constexpr std::size_t kMaxStackSize = std::size_t{1} << 30;

std::size_t round_up_to_pages(std::size_t bytes) noexcept { return (bytes + page_size() - 1) & ~(page_size() - 1); }

StackPoolOptions with_rounded_guard(StackPoolOptions options) noexcept {
  options.guard_size = options.guard == GuardKind::none ? 0 : round_up_to_pages(options.guard_size);
  return options;
}

}  // namespace

std::string StackPool::validate(const StackPoolOptions& options) {
  // Checked first, so that rounding up cannot overflow.
  if (options.stack_size > kMaxStackSize || options.guard_size > kMaxStackSize)
    return "stack_size and guard_size must not exceed " + std::to_string(kMaxStackSize) + " bytes";
  if (options.guard != GuardKind::none && options.guard_size == 0)
    return "guard_size is 0; set it to at least one page, or use GuardKind::none";
  const StackPoolOptions rounded = with_rounded_guard(options);
  if (options.stack_size % page_size() != 0)
    return "stack_size " + std::to_string(options.stack_size) + " is not a multiple of the page size; use " +
           std::to_string(round_up_to_pages(options.stack_size));
  if (rounded.stack_size < rounded.guard_size + kMinUsableSize)
    return "stack_size " + std::to_string(options.stack_size) + " is too small: it must be at least " +
           std::to_string(round_up_to_pages(rounded.guard_size + kMinUsableSize)) + " (the guard and " +
           std::to_string(kMinUsableSize) + " usable bytes)";
  if (options.guard == GuardKind::madvise && !has_madvise_guards())
    return "this kernel does not support MADV_GUARD_INSTALL (Linux 6.13); use GuardKind::automatic";
  if (options.trim_batch == 0) return "trim_batch must be at least 1";
  if (options.window < std::chrono::milliseconds(1)) return "window must be at least one millisecond";
  return {};
}

StackPool::StackPool(const StackPoolOptions& options)
    : options_(with_rounded_guard(options)), guard_(resolve_guard(options.guard)) {
  TRUEASYNC_CHECK(validate(options).empty(), "stack pool created with invalid options");
}

StackPool::~StackPool() {
  TRUEASYNC_CHECK(stats_.in_use == 0, "stack pool destroyed while stacks are in use");
  if (leak_slabs_) {
    for (std::unique_ptr<Slab>& slab : slabs_) slab.release();
    return;
  }
  for (const std::unique_ptr<Slab>& slab : slabs_) {
    if (!options_.on_stack_destroyed) break;
    for (std::size_t i = 0; i < slab->carved(); ++i)
      options_.on_stack_destroyed(slab->stack(i).limit(), slab->stack(i).top(), options_.hook_user);
  }
}

bool StackPool::reserve_slow() noexcept {
  bool enough = stats_.in_use + reserved_ <= stats_.mapped;
  if (!enough && options_.max_stacks != 0 && stats_.mapped >= options_.max_stacks) {
    fail_max_stacks();
  } else if (!enough) {
    enough = add_slab() != nullptr;
  }
  if (enough && guard_ == GuardKind::mprotect && stats_.warm + stats_.cold < reserved_) {
    // Only installing a guard shows whether vm.max_map_count allows another one.
    Stack* stack = acquire_new();
    enough = stack != nullptr;
    if (enough) {
      take(*stack);
      release(stack);
    }
  }
  if (!enough) --reserved_;
  return enough;
}

void StackPool::abandon(Stack* stack) noexcept {
  TRUEASYNC_CHECK(stack->in_use, "abandon() of a stack that is not in use");
  --stats_.in_use;
  --stats_.mapped;  // it cannot be reused, so no reservation may count on it
  leak_slabs_ = true;
}

Stack* StackPool::acquire_slow() noexcept {
  Stack* stack = warm_;
  if (stack != nullptr) {
    pop_warm(*stack);
    // Zeroes the stack, so that its high-water mark covers one use. Not in release(): its caller may still run on it.
    if (options_.measure_use)
      madvise(stack->limit(), static_cast<std::size_t>(stack->top() - stack->limit()), MADV_DONTNEED);
  } else {
    stack = acquire_cold();
    if (stack == nullptr) stack = acquire_new();
    if (stack == nullptr) return nullptr;
  }
  take(*stack);
  return stack;
}

// Oldest slab first, so that newer slabs become idle and can be unmapped.
Stack* StackPool::acquire_cold() noexcept {
  if (stats_.cold == 0) return nullptr;
  while (!slabs_[first_cold_]->has_cold()) ++first_cold_;
  --stats_.cold;
  ++stats_.reused;
  return slabs_[first_cold_]->pop_cold();
}

// Carves a new stack. Called if there is no free stack, or if every free stack is reserved.
Stack* StackPool::acquire_new() noexcept {
  if (options_.max_stacks != 0 && stats_.in_use >= options_.max_stacks) return fail_max_stacks();
  // Oldest slab first: reservations may have mapped several slabs in advance.
  while (first_uncarved_ < slabs_.size() && slabs_[first_uncarved_]->carved() == slabs_[first_uncarved_]->count()) {
    ++first_uncarved_;
  }
  Slab* slab = first_uncarved_ < slabs_.size() ? slabs_[first_uncarved_].get() : add_slab();
  if (slab == nullptr) return nullptr;
  Stack* stack = slab->carve(guard_);
  if (stack == nullptr && errno == EINVAL && options_.guard == GuardKind::automatic && guard_ == GuardKind::madvise) {
    // Locked memory (mlockall) does not support MADV_GUARD_INSTALL.
    guard_ = GuardKind::mprotect;
    stack = slab->carve(guard_);
  }
  if (stack == nullptr) return fail_guard(errno);
  if (options_.on_stack_created) options_.on_stack_created(stack->limit(), stack->top(), options_.hook_user);
  return stack;
}

Slab* StackPool::add_slab() noexcept {
  std::size_t count = slabs_.empty() ? kInitialSlabStacks : std::min(kMaxSlabStacks, slabs_.back()->count() * 2);
  count = std::min(count, std::max<std::size_t>(1, kMaxSlabBytes / options_.stack_size));
  if (options_.max_stacks != 0) count = std::min(count, options_.max_stacks - stats_.mapped);
  std::unique_ptr<Slab> slab;
  try {
    slabs_.reserve(slabs_.size() + 1);
    for (; !slab && count > 0; count /= 2) slab = Slab::map(count, options_.stack_size, options_.guard_size);
  } catch (const std::bad_alloc&) {
  }
  if (!slab) {
    char message[200];
    std::snprintf(
        message, sizeof message,
        "cannot map another stack of %zu bytes (%zu mapped); check RLIMIT_AS and vm.overcommit_memory, or use a "
        "smaller stack_size",
        options_.stack_size, stats_.mapped);
    fail("address space", message);
    return nullptr;
  }
  stats_.mapped += slab->count();
  ++stats_.slabs_mapped;
  slabs_.push_back(std::move(slab));
  return slabs_.back().get();
}

Stack* StackPool::fail_guard(int error) noexcept {
  char message[320];
  const std::size_t guarded = stats_.in_use + stats_.warm + stats_.cold;  // a reserved stack is not in use yet
  if (guard_ == GuardKind::mprotect && error == ENOMEM) {
    const std::size_t maps = max_map_count();
    std::snprintf(
        message, sizeof message,
        "cannot guard another stack: %zu stacks have a guard, two mappings each, and vm.max_map_count is %zu; "
        "raise it (sysctl -w vm.max_map_count=%zu) or use Linux 6.13 or later, where guards need no mapping",
        guarded, maps, maps * 4);
    return fail("vm.max_map_count", message);
  }
  std::snprintf(message, sizeof message,
                "cannot guard another stack: out of memory (%zu stacks have a guard, errno %d)", guarded, error);
  return fail("memory", message);
}

Stack* StackPool::fail_max_stacks() noexcept {
  char message[160];
  std::snprintf(message, sizeof message,
                "all %zu stacks are in use or reserved; raise max_stacks or run fewer coroutines concurrently",
                options_.max_stacks);
  return fail("max_stacks", message);
}

Stack* StackPool::fail(const char* limit, const char* message) noexcept {
  try {
    failure_.limit = limit;
    failure_.message = message;
  } catch (const std::exception&) {
    failure_.message.clear();  // out of memory; `limit` needs none: it fits the small-string buffer
  }
  return nullptr;
}

}  // namespace trueasync::detail
