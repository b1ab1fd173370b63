// Making and ending a scheduler, and making coroutines. How they run is in run_loop.cpp.
#include "scheduler/scheduler.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "base/check.hpp"
#include "context/overflow.hpp"
#include "scheduler/running_schedulers.hpp"
#include "trueasync/detail/running.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail {

constinit thread_local Scheduler* this_thread = nullptr;

namespace {

constexpr const ControlBlock* kNobody = nullptr;
constexpr std::uint64_t kNoId = 0;

}  // namespace

constinit thread_local Running this_running{&kNobody, &kNoId};

namespace {

constexpr std::size_t kLoopStackSize = 256 * 1024;

const char* copy_name(std::string_view name) {
  char* copy = new char[name.size() + 1];
  std::memcpy(copy, name.data(), name.size());
  copy[name.size()] = '\0';
  return copy;
}

bool query_overflow(OverflowSubject& subject) {
  const Scheduler* scheduler = this_thread;
  const ControlBlock* block = scheduler ? scheduler->running() : nullptr;
  if (!block || !block->stack) return false;
  subject.guard_begin = block->stack->base();
  subject.guard_end = block->stack->limit();
  subject.stack_size = block->stack->size();
  subject.id = block->id;
  subject.name = block->name;
  subject.file = block->spawn_place.file();
  subject.line = block->spawn_place.line();
  return true;
}

}  // namespace

Scheduler::Scheduler(Reactor& reactor, SchedulerOptions options)
    : reactor_(reactor), options_(std::move(options)), stacks_(options_.stacks), arena_(RecordArena::make()) {}

Scheduler::~Scheduler() {
  TRUEASYNC_CHECK(!attached_, "a scheduler died while it was attached to its thread");
  microtasks_.clear();
  arena_->orphan();
}

void Scheduler::attach(Place place) {
  if (this_thread) throw MisuseError("this thread already runs a runtime; only one at a time is possible");
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
  main_ = ::new (records[0]) ControlBlock(*this, ++last_id_, place);
  main_->phase = Phase::running;
  main_->name = copy_name("main");
  sanitizer_attach_thread(main_->context.sanitizer);

  loop_ = ::new (records[1]) ControlBlock(*this, 0, place);
  loop_->pool = &pool;
  loop_->stack = stack;
  make_context(loop_->context, loop_->stack->limit(), loop_->stack->start(), &Scheduler::loop_main, this);
  loop_->phase = Phase::suspended;

  eh_globals_ = EhState::globals();
  this_thread = this;
  this_running = {&current_, &last_id_};
  add_running_scheduler(*this);
  attached_ = true;
  shutting_down_ = forced_ = asked_to_end_ = host_died_ = false;
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
  if (main_->flags & kHasHandlers) on_enter(*main_);
}

void Scheduler::detach() noexcept {
  if (!attached_) return;
  TRUEASYNC_CHECK(current_ == main_, "only main can end a runtime");
  if (main_->flags & kHasHandlers) on_leave(*main_, nullptr);
  microtasks_.clear();
  // What those two have spawned never starts.
  while (!ready_.empty()) finalise_unstarted(*ready_.pop(nullptr), Outcome::cancelled, nullptr);
  reactor_.deadlines().cancel(shutdown_deadline_);
  sanitizer_destroy(loop_->context.sanitizer);
  loop_->pool->release(std::exchange(loop_->stack, nullptr));
  for (ControlBlock* block : living()) {
    if (block != main_) give_up(*block);
  }
  if (root_owner_) std::exchange(root_owner_, nullptr)->let_go();
  main_->phase = loop_->phase = Phase::finished;
  current_ = nullptr;
  std::exchange(loop_, nullptr)->release();
  std::exchange(main_, nullptr)->release();
  attached_ = false;
  remove_running_scheduler();
  this_thread = nullptr;
  this_running = {&kNobody, &kNoId};
  overflow_detach_thread();
}

// A coroutine that refused to end: its frames can't be unwound any more, so its stack is lost, and it is counted.
void Scheduler::give_up(ControlBlock& block) noexcept {
  if (block.stack) block.pool->abandon(std::exchange(block.stack, nullptr));
  reactor_.deadlines().cancel(block.deadline());
  block.waker().give_up();
  block.phase = Phase::finished;
  block.outcome = Outcome::cancelled;
  if (block.owner) leave_owner(block);
  block.release();
}

ControlBlock& Scheduler::create(const EntryOps& ops, const SpawnOptions& options, Place place) {
  StackPool& pool = options.stack_size == 0 ? stacks_.standard() : stacks_.of_size(options.stack_size);
  ready_.reserve(alive_ + zombies_ + 2);
  if (__builtin_expect(!pool.reserve(), 0)) throw StackError(pool.failure().message, pool.failure().limit);
  ControlBlock* block = nullptr;
  try {
    block = ::new (arena_->allocate()) ControlBlock(*this, last_id_ + 1, place);
    const bool fits = ops.size <= RecordArena::Record::kStorage && ops.alignment <= 8;
    block->storage =
        fits ? RecordArena::record_of(block)->storage : ::operator new(ops.size, std::align_val_t(ops.alignment));
    block->ops = &ops;
    if (!options.name.empty()) block->name = copy_name(options.name);
    CoroutineOwner* owner = options.owner ? options.owner : current_->owner;
    if (__builtin_expect(owner != nullptr, 0)) owner->adopt(*block);
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
  if (block.flags & kZombie) revive(block);
  --alive_;
  --statistics_.spawned;
  block.phase = Phase::finished;
  if (block.owner) leave_owner(block);
  block.release();
}

void Scheduler::submit(ControlBlock& block) noexcept {
  block.waker().set_state(WakerState::queued);
  if (__builtin_expect(forced_, 0)) {  // nobody may hold up the end by starting
    block.waker().set_state(WakerState::ignored);
    block.flags |= kForced;
  }
  if (block.flags & kHighPriority) {
    ready_.push_front(&block);
  } else {
    ready_.push_back(&block);
  }
}

void Scheduler::on_thread_stack(void (*call)(void*), void* argument) {
  NoSuspend guard(*this, "a call on the thread's own stack");
  if (current_ == main_ || on_thread_stack_) return call(argument);
  on_thread_stack_ = true;
  // Below everything main has there, red zone included.
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

Ledger Scheduler::ledger() const {
  Ledger left;
  left.coroutines = alive_ + zombies_ + abandoned_;
  left.stacks = stacks_.totals().in_use - (attached_ ? 1 : 0);
  left.timers = reactor_.deadlines().size();
  left.events = reactor_.liveness().visible + reactor_.liveness().hidden;
  left.microtasks = microtasks_.size();
  return left;
}

const ControlBlock* Scheduler::find_living(const RunningMark& mark) const noexcept {
  const ControlBlock* block = arena_->find(mark.coroutine);
  return block && block != loop_ && block->is_alive() && block->id <= mark.newest ? block : nullptr;
}

std::vector<ControlBlock*> Scheduler::living() const {
  std::vector<ControlBlock*> blocks;
  arena_->for_each([&](ControlBlock& block) {
    if (block.is_alive() && &block != loop_) blocks.push_back(&block);
  });
  std::sort(blocks.begin(), blocks.end(), [](auto* a, auto* b) { return a->id < b->id; });
  return blocks;
}

}  // namespace trueasync::detail
