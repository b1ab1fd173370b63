// The scheduler of one thread (SCH-01…09).
//
// Invariants
//   1. current_ runs; of every other living coroutine the waker is `waiting`, or it stands in the ready queue (`queued`,
//      or `ignored`: cancelled before it started), never both.
//   2. A coroutine is in the ready queue at most once: only a waker in state `waiting` can be woken.
//   3. The ready queue has room for every living coroutine, so waking never allocates and never fails.
//   4. The scheduler's own coroutine (loop_) runs only when the ready queue is empty.
//   5. A stack in use belongs to exactly one started, unfinished coroutine, or to loop_.
//
// Fairness (SCH-06), both ways:
//   - the reactor is looked at without waiting when kPollEvery has passed since the last time; the clock is read every
//     `ticks_per_clock_read_` ticks, which is at most kClockEveryMax and falls to 1 when ticks turn out to be slow. So with a
//     busy queue at most kPollEvery plus kClockEveryMax runs go by between two looks, and kPollEvery plus one run when
//     runs are slow. While some of those whom the last look woke have not run yet another look would mostly find the
//     same again: it waits for them, kPollEveryMax at most.
//   - one look is one turn of the loop, and what it wakes takes turns with those who were ready before (ready_queue.hpp).
//
// Threads: everything on the thread that attached it. Errors: the low level returns reasons; only create() and
// attach() throw.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "context/stack_pool.hpp"
#include "reactor/reactor.hpp"
#include "scheduler/control_block.hpp"
#include "scheduler/microtask_queue.hpp"
#include "scheduler/ready_queue.hpp"
#include "scheduler/record_arena.hpp"
#include "scheduler/stack_pools.hpp"
#include "trueasync/coroutine.hpp"
#include "trueasync/statistics.hpp"
#include "trueasync/switch_handler.hpp"

namespace trueasync::detail {

inline constexpr std::chrono::microseconds kPollInterval{250};
inline constexpr std::chrono::milliseconds kMaxPollInterval{4};
inline constexpr std::uint32_t kMaxTicksPerClockRead = 64;

// Engine state of a host that must follow the switches; free when absent. Called on the coroutine's own stack.
struct HostHooks {
  void (*on_leave)(ControlBlock& block, bool finishing) noexcept = nullptr;
  void (*on_enter)(ControlBlock& block) noexcept = nullptr;
  // If it is there, the one that is left calls this instead of leave(from, false), and nobody who goes on calls enter:
  // only one that begins does, and the one who ends, for its successor. Either may be the scheduler itself, and `to` one
  // that has not begun.
  void (*on_switch)(ControlBlock& from, ControlBlock& to) noexcept = nullptr;
  // It is about to be asked to end, by whomever; not to suspend in. May be absent.
  void (*on_cancel)(ControlBlock& block) noexcept = nullptr;
};

struct SchedulerOptions {
  StackPoolOptions stacks;
  std::chrono::milliseconds shutdown_timeout{0};  // 0: none
  // Asked about an error nobody awaits; true: dealt with. Otherwise the runtime shuts down.
  std::function<bool(ControlBlock&, std::exception_ptr)> on_unhandled;
};

struct CoroutineStamp;  // trueasync/detail/running.hpp
class Scheduler;
// The scheduler attached to this thread, or null. Also what the gdb helper starts from.
extern constinit thread_local Scheduler* current_scheduler;

class Scheduler final : public WakeTarget {
 public:
  Scheduler(Reactor& reactor, SchedulerOptions options);
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  // This thread's, or null.
  static Scheduler* current() noexcept { return current_scheduler; }
  // Makes the calling thread's own stack the main coroutine; detach() when everything is over. SWH-02: handlers that
  // were registered before are copied into main and called as ENTER.
  void attach(SourceLocation location);
  void detach() noexcept;
  bool is_attached() const noexcept { return attached_; }

  // A new coroutine with storage for its closure; submit() makes it ready, discard() takes it back. Throws StackError,
  // MisuseError, std::bad_alloc; nothing is lost then.
  ControlBlock& create(const EntryOps& ops, const SpawnOptions& options, SourceLocation location);
  void submit(ControlBlock& block) noexcept;
  void discard(ControlBlock& block) noexcept;

  // Suspension. Each returns why the coroutine goes on. Throws MisuseError where suspending is impossible.
  // Include scheduler/yield.hpp. `exchange` is a host's, in line, or NoHostSwitch.
  template <class Exchange>
  WakeReason yield_fast(SourceLocation location, Exchange exchange);
  WakeReason yield_slow(SourceLocation location);
  // `queue`: where the first entry stands from the moment the wait begins.
  WakeReason wait(WaitRequest& request, SourceLocation location, IntrusiveList<WaitEntry>* queue = nullptr);
  // The short way of a wait for nothing but a place in a queue that somebody serves by Waker::grant(). The entry is
  // linked there when the wait begins. Include scheduler/wait_queued.hpp.
  WakeReason wait_queued(IntrusiveList<WaitEntry>& queue, WaitEntry& entry, SourceLocation location,
                         TimePoint deadline = TimePoint::max());
  WakeReason sleep_until(TimePoint when, SourceLocation location);
  // Main only: until no other coroutine is alive.
  void drain(SourceLocation location);
  // Main only: one turn – looks at the reactor without waiting, lets everybody who is ready run once.
  void run_once(SourceLocation location);

  // WakeTarget
  void enqueue(Waker& waker) noexcept override {
    auto& block = static_cast<ControlBlock&>(waker);
    if (__builtin_expect(block.flags & kHighPriority, 0)) {
      ready_.push_front(&block);
    } else if (polling_) {
      ready_.push_from_reactor(&block);
    } else {
      ready_.push_back(&block);
    }
  }

  // Cancellation: see cancel.cpp. True if the coroutine had not finished.
  bool cancel(ControlBlock& block) noexcept;
  // The deadline of its scope has passed: ends its wait, and keeps it from further ones, with the owner's
  // deadline_error(). Delivered as a cancellation is, but a wake that is under way stands.
  void deliver_deadline(ControlBlock& block) noexcept;
  // From now on it does not count as alive; when nobody else is left it is cancelled, and the program ends (SC-14).
  void make_zombie(ControlBlock& block) noexcept;
  // The root's owner, told about what nobody deals with further down; null: the runtime itself. set_ takes over a
  // reference, let go when the scheduler is detached.
  CoroutineOwner* root_owner() const noexcept { return root_owner_; }
  void set_root_owner(CoroutineOwner* owner) noexcept { root_owner_ = owner; }

  // Whether a cancellation that was asked for may be delivered to the current coroutine at this moment.
  bool can_deliver_cancellation(const ControlBlock& block) const noexcept;

  void queue_microtask(Microtask& task) noexcept;

  SwitchHandlerId add_switch_handler(ControlBlock& block, SwitchHandler handler);
  bool remove_switch_handler(ControlBlock& block, SwitchHandlerId id) noexcept;
  void add_main_start_handler(SwitchHandler handler) { main_start_handlers_.push_back(std::move(handler)); }

  // Errors nobody awaits, and shutdown: see shutdown.cpp.
  // `what` names what failed when it was not the coroutine itself.
  void report_unhandled(ControlBlock& block, std::exception_ptr error, const char* what = nullptr) noexcept;
  void shut_down(std::exception_ptr error) noexcept;
  bool is_shutting_down() const noexcept { return shutting_down_; }
  // Main ended by an exception after it had been asked to end.
  bool was_cancelled_before_failure() const noexcept { return cancelled_before_failure_; }
  // The final step: no wait suspends any more.
  void escalate_shutdown(bool is_failure) noexcept;
  void force_shutdown() noexcept;
  // The first error that nobody awaited, and the coroutine it came from, in words (empty: main).
  std::exception_ptr take_failure() noexcept { return std::exchange(failure_, nullptr); }
  const std::string& failure_origin() const noexcept { return failure_origin_; }

  // For a host whose engine has died in the running coroutine, which is not main: main goes on at once, its wait ends
  // as if it were cancelled (unless it was over, and can't be undone), and everybody else is given up. See host.cpp.
  [[noreturn]] void abandon_to_main() noexcept;
  // The same for a host whose engine has died in main: gives up everybody else, so that the runtime can be detached.
  // Their stacks stay as they are until then.
  void abandon_others() noexcept;
  // A shutdown is over and nobody but main lives: a host goes on in main as if there had been none.
  void reset_after_shutdown() noexcept;

  // Runs call(argument) on the thread's own stack, for code that can't live on another one (ST-09).
  void on_thread_stack(void (*call)(void*), void* argument);

  void set_order(ReadyOrder* order) noexcept {
    order_ = order;
    set_slow_path(kSeededOrder, order != nullptr);
  }
  void set_host(const HostHooks* host) noexcept {
    host_ = host;
    set_slow_path(kHostHooks, host != nullptr);
  }

  // For chains of futures: the links whose turn comes while another one is called. Here, because a dying host jumps over
  // such a call.
  void*& settling() noexcept { return settling_; }

  ControlBlock* running() const noexcept { return current_; }
  // Whether a wait may begin here; where it may not, one throws.
  bool may_suspend() const noexcept { return attached_ && no_suspend_ == nullptr && current_ != loop_; }
  ControlBlock* main() const noexcept { return main_; }
  Reactor& reactor() noexcept { return reactor_; }
  bool has_ready() const noexcept { return !ready_.empty(); }
  // The time of the last look at the reactor: a clock that costs nothing, behind by kPollEvery and one run mostly.
  TimePoint last_poll_time() const noexcept { return last_poll_; }
  bool is_draining() const noexcept { return draining_; }
  Statistics statistics() const noexcept;
  LeakReport ledger() const;
  // Every living coroutine, main included, in the order they were spawned.
  std::vector<ControlBlock*> live_coroutines() const;
  // The coroutine that was running when the mark was made, unless it has ended.
  const ControlBlock* find_live(const CoroutineStamp& mark) const noexcept;
  const StackPools& stacks() const noexcept { return stacks_; }

  // While one of these exists the code that runs must not suspend; `who` names it in the error.
  class NoSuspend {
   public:
    NoSuspend(Scheduler& scheduler, const char* who) noexcept
        : scheduler_(scheduler), previous_(std::exchange(scheduler.no_suspend_, who)) {
      scheduler_.set_slow_path(kNoSuspend, true);
    }
    ~NoSuspend() {
      scheduler_.no_suspend_ = previous_;
      scheduler_.set_slow_path(kNoSuspend, previous_ != nullptr);
    }
    NoSuspend(const NoSuspend&) = delete;
    NoSuspend& operator=(const NoSuspend&) = delete;

   private:
    Scheduler& scheduler_;
    const char* previous_;
  };

 private:
  friend struct ControlBlock;

  // What keeps a yield from its fast path, gathered in one word so that it is asked once.
  enum SlowPath : std::uint32_t {
    kMicrotasksQueued = 1,
    kNoSuspend = 2,
    kSeededOrder = 4,
    kHostHooks = 8,
    kReactorQueueNotEmpty = 16
  };
  void set_slow_path(SlowPath path, bool on) noexcept { slow_ = on ? slow_ | path : slow_ & ~path; }

  // run_loop.cpp
  static void context_main(void* scheduler) noexcept;
  static void loop_main(void* scheduler) noexcept;
  void loop() noexcept;
  ControlBlock& finish(ControlBlock& block, bool has_begun) noexcept;
  void end_coroutine(ControlBlock& block) noexcept;
  void detach_from_owner(ControlBlock& block) noexcept;
  void abandon(ControlBlock& block) noexcept;
  void finalise_unstarted(ControlBlock& block, Outcome outcome, std::exception_ptr error) noexcept;
  bool start(ControlBlock& block) noexcept;
  ControlBlock* tick() noexcept;
  ControlBlock* take_ready() noexcept;
  [[nodiscard]] bool run_body(ControlBlock& self) noexcept;
  void release_finished(ControlBlock& self) noexcept;
  void poll_reactor_if_due() noexcept;
  std::uint64_t runs() const noexcept;
  void run_reactor_on_loop_stack() noexcept;
  TimePoint trim(TimePoint now) noexcept;
  void run_microtasks() noexcept;
  void park(ControlBlock& self) noexcept;
  void switch_to(ControlBlock& self, ControlBlock& next) noexcept;
  void run_leave_hooks(ControlBlock& block, ControlBlock* next) noexcept;
  void run_start_hooks(ControlBlock& block) noexcept;
  void run_enter_hooks(ControlBlock& block) noexcept;

  // host.cpp
  void reset_after_longjmp() noexcept;

  // wait.cpp
  ControlBlock& check_may_suspend(SourceLocation location);
  void requeue_and_park(ControlBlock& self) noexcept;
  WakeReason check_interrupts(ControlBlock& self) noexcept;
  void clear_zombie(ControlBlock& block) noexcept;
  void cancel_zombies() noexcept;
  void poll_reactor_nonblocking() noexcept;

  // deadlock.cpp
  void resolve_deadlock() noexcept;

  // shutdown.cpp
  bool keep_failure(std::exception_ptr error) noexcept;
  static void on_shutdown_deadline(Timer& deadline) noexcept;

  // The hot ones first, on as few cache lines as they need.
  ControlBlock* current_ = nullptr;
  std::uint32_t slow_ = 0;
  std::uint32_t ticks_until_clock_read_ = kMaxTicksPerClockRead;
  CxaEhGlobals* eh_globals_ = nullptr;
  ReadyQueue ready_;
  const char* no_suspend_ = nullptr;
  ReadyOrder* order_ = nullptr;
  const HostHooks* host_ = nullptr;
  std::uint32_t ticks_per_clock_read_ = kMaxTicksPerClockRead;
  Statistics statistics_;
  MicrotaskQueue microtasks_;

  Reactor& reactor_;
  SchedulerOptions options_;
  StackPools stacks_;
  RecordArena* arena_;
  ControlBlock* main_ = nullptr;
  ControlBlock* loop_ = nullptr;
  TimePoint last_poll_{};
  std::uint64_t batch_end_ = 0;  // runs() when all whom the last turn of the loop found ready have run
  std::uint64_t last_id_ = 0;
  std::size_t alive_ = 0;
  std::size_t zombies_ = 0;  // living, not counted in alive_
  CoroutineOwner* root_owner_ = nullptr;
  bool attached_ = false;
  bool draining_ = false;
  bool on_thread_stack_ = false;
  bool polling_ = false;  // the reactor is being looked at while others are ready
  bool shutting_down_ = false;
  bool shutdown_forced_ = false;
  bool cancelled_before_failure_ = false;
  bool host_died_ = false;
  void* settling_ = nullptr;
  std::size_t abandoned_ = 0;
  std::exception_ptr failure_;
  std::string failure_origin_;
  std::vector<SwitchHandler> main_start_handlers_;
  SanitizerState dead_context_;  // of a context that was left for good; destroyed by the next one that runs
  struct ShutdownTimer : Timer {
    explicit ShutdownTimer(Scheduler& owner) noexcept : Timer(&on_shutdown_deadline), scheduler(owner) {}
    Scheduler& scheduler;
  } shutdown_deadline_{*this};
};

}  // namespace trueasync::detail
