// Scheduler: attach and detach, creation of coroutines, statistics. run_loop.cpp runs the coroutines.
#include "scheduler/scheduler.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "base/check.hpp"
#include "context/stack_overflow.hpp"
#include "scheduler/scheduler_registry.hpp"
#include "trueasync/detail/current_coroutine.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail {

constinit thread_local Scheduler* current_scheduler = nullptr;

namespace {

constexpr const ControlBlock* kNoCoroutine = nullptr;
constexpr std::uint64_t kNoId = 0;

}  // namespace

constinit thread_local CurrentCoroutineRef this_thread_coroutine{&kNoCoroutine, &kNoId};

namespace {

constexpr std::size_t kLoopStackSize = 256 * 1024;

const char* copy_name(std::string_view name) {
  char* copy = new char[name.size() + 1];
  std::memcpy(copy, name.data(), name.size());
  copy[name.size()] = '\0';
  return copy;
}

bool query_overflow(OverflowContext& context) {
  const Scheduler* scheduler = current_scheduler;
  const ControlBlock* block = scheduler ? scheduler->running() : nullptr;
  if (!block || !block->stack) return false;
  context.guard_begin = block->stack->base();
  context.guard_end = block->stack->limit();
  context.stack_size = block->stack->size();
  context.id = block->id;
  context.name = block->name;
  context.file = block->spawn_location.file();
  context.line = block->spawn_location.line();
  return true;
}

}  // namespace

Scheduler::Scheduler(Reactor& reactor, SchedulerOptions options)
    : reactor_(reactor), options_(std::move(options)), stacks_(options_.stacks), arena_(RecordArena::make()) {}

Scheduler::~Scheduler() {
  TRUEASYNC_CHECK(!attached_, "scheduler destroyed while attached to a thread");
  microtasks_.clear();
  arena_->orphan();
}

void Scheduler::attach(SourceLocation location) {
  if (current_scheduler)
    throw MisuseError("this thread already runs a runtime; a thread can run only one runtime at a time");
  StackPool& pool = stacks_.of_size(kLoopStackSize + options_.stacks.guard_size);
  Stack* stack = pool.acquire();
  if (!stack) throw StackError(pool.failure().message, pool.failure().limit);
  RecordArena::Record* records[2] = {};
  try {
    records[0] = arena_->allocate();
    records[1] = arena_->allocate();
    overflow_attach_thread(&query_overflow);
  } catch (...) {
    if (records[0]) arena_->free(records[0]);
    if (records[1]) arena_->free(records[1]);
    pool.release(stack);
    throw;
  }
  main_ = ::new (records[0]) ControlBlock(*this, ++last_id_, location);
  main_->phase = Phase::running;
  main_->name = copy_name("main");
  sanitizer_attach_thread(main_->context.sanitizer);

  loop_ = ::new (records[1]) ControlBlock(*this, 0, location);
  loop_->pool = &pool;
  loop_->stack = stack;
  make_context(loop_->context, loop_->stack->limit(), loop_->stack->start(), &Scheduler::loop_main, this);
  loop_->phase = Phase::suspended;

  eh_globals_ = ExceptionState::globals();
  current_scheduler = this;
  this_thread_coroutine = {&current_, &last_id_};
  register_scheduler(*this);
  attached_ = true;
  shutting_down_ = shutdown_forced_ = cancelled_before_failure_ = host_died_ = false;
  failure_ = nullptr;
  failure_origin_.clear();
  current_ = main_;
  last_poll_ = reactor_.now();
  try {
    for (auto& handler : main_start_handlers_) add_switch_handler(*main_, handler);
  } catch (...) {
    detach();
    throw;
  }
  if (main_->flags & kHasHandlers) run_enter_hooks(*main_);
}

void Scheduler::detach() noexcept {
  if (!attached_) return;
  TRUEASYNC_CHECK(current_ == main_, "runtime detached by a coroutine other than main");
  if (main_->flags & kHasHandlers) run_leave_hooks(*main_, nullptr);
  microtasks_.clear();
  // The switch handlers and microtask destructors above may have spawned coroutines. These must not start any more.
  while (!ready_.empty()) finalize_unstarted(*ready_.pop(nullptr), Outcome::cancelled, nullptr);
  reactor_.timers().cancel(shutdown_timer_);
  sanitizer_destroy(loop_->context.sanitizer);
  loop_->pool->release(std::exchange(loop_->stack, nullptr));
  for (ControlBlock* block : live_coroutines()) {
    if (block != main_) abandon(*block);
  }
  if (root_owner_) std::exchange(root_owner_, nullptr)->release_owner();
  main_->phase = loop_->phase = Phase::finished;
  current_ = nullptr;
  std::exchange(loop_, nullptr)->release();
  std::exchange(main_, nullptr)->release();
  attached_ = false;
  unregister_scheduler();
  current_scheduler = nullptr;
  this_thread_coroutine = {&kNoCoroutine, &kNoId};
  overflow_detach_thread();
}

// Ends a coroutine without unwinding it. Its stack is leaked, because live frames on it cannot be destroyed.
void Scheduler::abandon(ControlBlock& block) noexcept {
  if (block.stack) block.pool->abandon(std::exchange(block.stack, nullptr));
  reactor_.timers().cancel(block.wait_timer());
  block.waker().abandon_wait();
  block.phase = Phase::finished;
  block.outcome = Outcome::cancelled;
  if (block.owner) detach_from_owner(block);
  block.release();
}

ControlBlock& Scheduler::create(const EntryOps& ops, const SpawnOptions& options, CoroutineOwner* owner,
                                SourceLocation location) {
  StackPool& pool = options.stack_size == 0 ? stacks_.standard() : stacks_.of_size(options.stack_size);
  ready_.reserve(alive_ + zombies_ + 2);
  if (__builtin_expect(!pool.reserve(), 0)) throw StackError(pool.failure().message, pool.failure().limit);
  ControlBlock* block = nullptr;
  try {
    block = ::new (arena_->allocate()) ControlBlock(*this, last_id_ + 1, location);
    const bool fits = ops.size <= RecordArena::Record::kStorage && ops.alignment <= 8;
    block->storage =
        fits ? RecordArena::record_of(block)->storage : ::operator new(ops.size, std::align_val_t(ops.alignment));
    block->ops = &ops;
    if (!options.name.empty()) block->name = copy_name(options.name);
    if (!owner) owner = current_->owner;
    if (__builtin_expect(owner != nullptr, 0)) owner->attach(*block);
  } catch (...) {
    pool.unreserve();
    if (block) block->release();
    throw;
  }
  ++last_id_;
  ++alive_;
  ++statistics_.spawned;
  block->pool = &pool;
  if (options.priority == Priority::high) block->flags |= kHighPriority;
  return *block;
}

void Scheduler::discard(ControlBlock& block) noexcept {
  block.pool->unreserve();
  if (block.flags & kZombie) clear_zombie(block);
  --alive_;
  --statistics_.spawned;
  block.phase = Phase::finished;
  if (block.owner) detach_from_owner(block);
  block.release();
}

void Scheduler::submit(ControlBlock& block) noexcept {
  block.waker().set_state(WakerState::queued);
  if (__builtin_expect(shutdown_forced_, 0)) {  // a coroutine that starts would prolong the shutdown
    block.waker().set_state(WakerState::ignored);
    block.flags |= kShutdownForced;
  }
  if (block.flags & kHighPriority) {
    ready_.push_front(&block);
  } else {
    ready_.push_back(&block);
  }
}

void Scheduler::run_on_thread_stack(void (*call)(void*), void* argument) {
  NoSuspend guard(*this, "a call on the thread's own stack");
  if (current_ == main_ || on_thread_stack_) return call(argument);
  on_thread_stack_ = true;
  // Below main's frames, including the red zone.
  auto* top = static_cast<unsigned char*>(main_->context.sp) - 512;
  call_on_stack(top, call, argument);
  on_thread_stack_ = false;
}

Statistics Scheduler::statistics() const noexcept {
  Statistics now = statistics_;
  now.switches = now.direct_switches + now.scheduler_switches;
  now.polls_without_wait = reactor_.counters().polls_without_wait;
  now.polls_blocking = reactor_.counters().polls_blocking;
  now.alive = alive_ + zombies_;
  now.ready = ready_.size();
  const StackPoolStats stacks = stacks_.totals();
  now.stacks_in_use = stacks.in_use;
  now.stacks_warm = stacks.warm;
  now.stacks_mapped = stacks.mapped;
  return now;
}

LeakReport Scheduler::leak_report() const {
  LeakReport report;
  report.coroutines = alive_ + zombies_ + abandoned_;
  report.stacks = stacks_.totals().in_use - (attached_ ? 1 : 0);
  report.timers = reactor_.timers().size();
  report.events = reactor_.liveness().foreground + reactor_.liveness().background;
  report.microtasks = microtasks_.size();
  return report;
}

const ControlBlock* Scheduler::find_live(const CoroutineStamp& stamp) const noexcept {
  const ControlBlock* block = arena_->find(stamp.coroutine);
  return block && block != loop_ && block->is_alive() && block->id <= stamp.last_id ? block : nullptr;
}

std::vector<ControlBlock*> Scheduler::live_coroutines() const {
  std::vector<ControlBlock*> blocks;
  arena_->for_each([&](ControlBlock& block) {
    if (block.is_alive() && &block != loop_) blocks.push_back(&block);
  });
  std::sort(blocks.begin(), blocks.end(), [](auto* a, auto* b) { return a->id < b->id; });
  return blocks;
}

}  // namespace trueasync::detail
