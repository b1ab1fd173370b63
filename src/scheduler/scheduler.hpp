// Scheduler: owns the ready queue and the coroutines of one thread.
//
// Invariants
//   1. current_ runs. Every other live coroutine either has a waker in state `waiting` or is in the ready queue (state
//      `queued`, or `ignored`: cancelled before it started), never both.
//   2. A coroutine is in the ready queue at most once: only a waker in state `waiting` can be woken.
//   3. The ready queue has capacity for every live coroutine, so waking never allocates and never fails.
//   4. The scheduler's own coroutine (loop_) runs only when the ready queue is empty.
//   5. A stack in use belongs to exactly one started, unfinished coroutine, or to loop_.
//
// Fairness between the ready queue and the reactor
//   - The scheduler polls the reactor without blocking when kPollInterval has passed since the last poll. It reads the
//     clock every `ticks_per_clock_read_` ticks: at most kMaxTicksPerClockRead, down to 1 when ticks are slow.
//     With a busy queue, two polls are at most kPollInterval plus kMaxTicksPerClockRead runs apart, and kPollInterval
//     plus one run if runs are slow. The next poll waits until the coroutines woken by the last poll have run, but at
//     most kMaxPollInterval, because an earlier poll would mostly report the same readiness again.
//   - One poll is one loop iteration. The coroutines it wakes alternate with the coroutines that were ready before
//     (ready_queue.hpp).
//
// Thread safety: the thread that attached the scheduler.
// Errors: internal functions return a WakeReason; only create() and attach() throw, and suspensions throw MisuseError.
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
#include "trueasync/host.hpp"
#include "trueasync/runtime.hpp"

namespace trueasync::detail {

inline constexpr std::chrono::microseconds kPollInterval{250};
inline constexpr std::chrono::milliseconds kMaxPollInterval{4};
inline constexpr std::uint32_t kMaxTicksPerClockRead = 64;

// HostHooks: callbacks of a host whose engine state must follow the context switches. They run on the coroutine's
// stack. Without hooks a switch costs nothing extra.
struct HostHooks {
  void (*on_leave)(ControlBlock& block, bool finishing) noexcept = nullptr;
  void (*on_enter)(ControlBlock& block) noexcept = nullptr;
  // Optional. If set, the suspending coroutine calls on_switch instead of on_leave(from, false), and a resumed
  // coroutine does not call on_enter. on_enter then runs only for a coroutine that starts, and for the successor of a
  // coroutine that finishes. `from` or `to` may be the scheduler's own coroutine; `to` may not have started yet.
  void (*on_switch)(ControlBlock& from, ControlBlock& to) noexcept = nullptr;
  // Optional. Called before a cancellation request is recorded. Must not suspend.
  void (*on_cancel)(ControlBlock& block) noexcept = nullptr;
};

struct SchedulerOptions {
  StackPoolOptions stacks;
  std::optional<Duration> shutdown_timeout;
  // Called for an unobserved error. Returns true if it handled the error; otherwise the runtime shuts down.
  std::function<bool(ControlBlock&, std::exception_ptr)> on_unhandled;
};

struct CoroutineStamp;  // trueasync/detail/current_coroutine.hpp
class Scheduler;
// The scheduler attached to this thread, or null. tools/gdb reads this symbol.
extern constinit thread_local Scheduler* current_scheduler;

class Scheduler final : public WakeTarget {
 public:
  Scheduler(Reactor& reactor, SchedulerOptions options);
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  static Scheduler* current() noexcept { return current_scheduler; }
  // Makes the calling thread's own stack the main coroutine. Main-start handlers registered before are copied into main
  // and called with SwitchKind::enter. Call detach() after all coroutines have finished.
  void attach(SourceLocation location);
  void detach() noexcept;
  bool is_attached() const noexcept { return attached_; }

  // Creates a coroutine with storage for its closure. submit() makes it ready, discard() destroys it unstarted. Throws
  // StackError, MisuseError or std::bad_alloc and then leaves no trace.
  ControlBlock& create(const EntryOps& ops, const SpawnOptions& options, CoroutineOwner* owner,
                       SourceLocation location);
  void submit(ControlBlock& block) noexcept;
  void discard(ControlBlock& block) noexcept;

  // Suspension. Each function returns the reason of the wake-up. Throws MisuseError where suspending is forbidden.
  // yield_fast and wait_queued are defined in scheduler/fast_path.hpp. `host_switch` is the host's inlined switch
  // callback, or NoHostSwitch.
  template <class HostSwitch>
  WakeReason yield_fast(SourceLocation location, HostSwitch host_switch);
  WakeReason yield_slow(SourceLocation location);
  // `queue`: if set, the first entry is linked into it when the wait starts.
  WakeReason wait(WaitRequest& request, SourceLocation location, IntrusiveList<WaitEntry>* queue = nullptr);
  // Fast path of a wait for a single grant: links `entry` into `queue` and suspends until Waker::grant() is called.
  WakeReason wait_queued(IntrusiveList<WaitEntry>& queue, WaitEntry& entry, SourceLocation location,
                         TimePoint deadline = TimePoint::max());
  WakeReason sleep_until(TimePoint deadline, SourceLocation location);
  // Main only: waits until no other coroutine is live.
  void drain(SourceLocation location);
  // Main only: polls the reactor without blocking and runs every ready coroutine once.
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

  // Requests cancellation (cancellation.cpp). Returns true if the coroutine had not finished.
  bool cancel(ControlBlock& block) noexcept;
  // The deadline of the coroutine's scope has passed: its current and later waits fail with the owner's
  // deadline_error(). Delivery follows the rules of cancellation, but does not override a wake-up that is in flight.
  void deliver_deadline(ControlBlock& block) noexcept;
  // Makes the coroutine a zombie: it does not keep the runtime alive. When only zombies are left, they are cancelled.
  void make_zombie(ControlBlock& block) noexcept;
  // The owner of the root scope, which gets the errors that no other scope handles; null: the runtime handles them.
  // set_root_owner() takes over a reference, which detach() releases.
  CoroutineOwner* root_owner() const noexcept { return root_owner_; }
  void set_root_owner(CoroutineOwner* owner) noexcept { root_owner_ = owner; }

  // Whether a requested cancellation may be delivered to the coroutine now.
  bool can_deliver_cancellation(const ControlBlock& block) const noexcept;

  void queue_microtask(Microtask& task) noexcept;

  SwitchHandlerId add_switch_handler(ControlBlock& block, SwitchHandler handler);
  bool remove_switch_handler(ControlBlock& block, SwitchHandlerId id) noexcept;
  void add_main_start_handler(SwitchHandler handler) { main_start_handlers_.push_back(std::move(handler)); }

  // Unhandled errors and shutdown (shutdown.cpp). `origin` names the failed code if it was not the coroutine's body.
  void report_unhandled(ControlBlock& block, std::exception_ptr error, const char* origin = nullptr) noexcept;
  void shut_down(std::exception_ptr error) noexcept;
  bool is_shutting_down() const noexcept { return shutting_down_; }
  // Main finished with an exception after its cancellation had been requested.
  bool was_cancelled_before_failure() const noexcept { return cancelled_before_failure_; }
  // A repeated shutdown request: forces the shutdown after a failure, else cancels coroutines spawned since.
  void escalate_shutdown(bool is_failure) noexcept;
  // Forced shutdown: from now on no wait suspends.
  void force_shutdown() noexcept;
  // The first unhandled error, and a description of the coroutine that failed (empty: main).
  std::exception_ptr take_failure() noexcept { return std::exchange(failure_, nullptr); }
  const std::string& failure_origin() const noexcept { return failure_origin_; }

  // For a host whose engine failed in the current coroutine, which must not be main. Resumes main, whose wait ends as
  // cancelled unless its wake-up cannot be overridden, and abandons every other coroutine (host_failure.cpp).
  [[noreturn]] void abandon_to_main() noexcept;
  // For a host whose engine failed in main: abandons every other coroutine, so that the runtime can be detached. Their
  // stacks stay mapped until the scheduler is destroyed.
  void abandon_others() noexcept;
  // After a completed shutdown with main as the only live coroutine: clears the shutdown state, so that a host can
  // continue in main.
  void reset_after_shutdown() noexcept;

  // Runs call(argument) on the thread's own stack, for code that cannot run on a coroutine stack.
  void run_on_thread_stack(void (*call)(void*), void* argument);

  void set_order(ReadyOrder* order) noexcept {
    order_ = order;
    set_slow_path(kSeededOrder, order != nullptr);
  }
  void set_host(const HostHooks* host) noexcept {
    host_ = host;
    set_slow_path(kHostHooks, host != nullptr);
  }

  // The queue of future continuations that wait for the running continuation to return. It is a scheduler member
  // because a host failure longjmps over that call and must reset it.
  void*& settling() noexcept { return settling_; }

  ControlBlock* running() const noexcept { return current_; }
  // Whether the current code may suspend.
  bool may_suspend() const noexcept { return attached_ && no_suspend_ == nullptr && current_ != loop_; }
  ControlBlock* main() const noexcept { return main_; }
  Reactor& reactor() noexcept { return reactor_; }
  bool has_ready() const noexcept { return !ready_.empty(); }
  // The time of the last reactor poll: a coarse clock without a system call, late by about kPollInterval and one run.
  TimePoint last_poll_time() const noexcept { return last_poll_; }
  bool is_draining() const noexcept { return draining_; }
  Statistics statistics() const noexcept;
  LeakReport leak_report() const;
  // Every live coroutine, main included, in spawn order.
  std::vector<ControlBlock*> live_coroutines() const;
  // The coroutine that was running when the stamp was taken, or null if it has finished.
  const ControlBlock* find_live(const CoroutineStamp& stamp) const noexcept;
  const StackPools& stacks() const noexcept { return stacks_; }

  // While a NoSuspend exists, the running code must not suspend; `context` names that code in the error.
  class NoSuspend {
   public:
    NoSuspend(Scheduler& scheduler, const char* context) noexcept
        : scheduler_(scheduler), previous_(std::exchange(scheduler.no_suspend_, context)) {
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

  // The conditions that force the slow path, in one word so that the fast path tests all of them together.
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
  ControlBlock& finish(ControlBlock& block, bool has_started) noexcept;
  void end_coroutine(ControlBlock& block) noexcept;
  void detach_from_owner(ControlBlock& block) noexcept;
  void abandon(ControlBlock& block) noexcept;
  void finalize_unstarted(ControlBlock& block, Outcome outcome, std::exception_ptr error) noexcept;
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

  // host_failure.cpp
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
  static void on_shutdown_timeout(Timer& timer) noexcept;

  // Members of the hot paths first, on as few cache lines as possible.
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
  std::uint64_t batch_end_ = 0;  // runs() when every coroutine that the last poll woke has run
  std::uint64_t last_id_ = 0;
  std::size_t alive_ = 0;
  std::size_t zombies_ = 0;  // live, but not counted in alive_
  CoroutineOwner* root_owner_ = nullptr;
  bool attached_ = false;
  bool draining_ = false;
  bool on_thread_stack_ = false;
  bool polling_ = false;  // the reactor is being polled while coroutines are ready
  bool shutting_down_ = false;
  bool shutdown_forced_ = false;
  bool cancelled_before_failure_ = false;
  bool host_died_ = false;
  void* settling_ = nullptr;
  std::size_t abandoned_ = 0;
  std::exception_ptr failure_;
  std::string failure_origin_;
  std::vector<SwitchHandler> main_start_handlers_;
  SanitizerState exited_context_;  // of a context that has exited; destroyed by the next context that runs
  struct ShutdownTimer : Timer {
    explicit ShutdownTimer(Scheduler& owner) noexcept : Timer(&on_shutdown_timeout), scheduler(owner) {}
    Scheduler& scheduler;
  } shutdown_timer_{*this};
};

}  // namespace trueasync::detail
