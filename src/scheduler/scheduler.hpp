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
//     `clock_every_` ticks, which is at most kClockEveryMax and falls to 1 when ticks turn out to be slow. So with a
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
#include "scheduler/ready_order.hpp"
#include "scheduler/ready_queue.hpp"
#include "scheduler/record_arena.hpp"
#include "scheduler/stack_pools.hpp"
#include "trueasync/coroutine.hpp"
#include "trueasync/statistics.hpp"
#include "trueasync/switch_handler.hpp"

namespace trueasync::detail {

inline constexpr std::chrono::microseconds kPollEvery{250};
inline constexpr std::chrono::milliseconds kPollEveryMax{4};
inline constexpr std::uint32_t kClockEveryMax = 64;

// Engine state of a host that must follow the switches; free when absent. Called on the coroutine's own stack.
struct HostHooks {
  void (*leave)(ControlBlock& block, bool finishing) noexcept = nullptr;
  void (*enter)(ControlBlock& block) noexcept = nullptr;
  // If it is there, the one that is left calls this instead of leave(from, false), and nobody who goes on calls enter:
  // only one that begins does, and the one who ends, for its successor. Either may be the scheduler itself, and `to` one
  // that has not begun.
  void (*exchange)(ControlBlock& from, ControlBlock& to) noexcept = nullptr;
  // It is about to be asked to end, by whomever; not to suspend in. May be absent.
  void (*cancelling)(ControlBlock& block) noexcept = nullptr;
};

struct SchedulerOptions {
  StackPoolOptions stacks;
  std::chrono::milliseconds shutdown_deadline{0};  // 0: none
  // Asked about an error nobody awaits; true: dealt with. Otherwise the runtime shuts down.
  std::function<bool(ControlBlock&, std::exception_ptr)> on_unhandled;
};

struct RunningMark;  // trueasync/detail/running.hpp
class Scheduler;
// The scheduler attached to this thread, or null. Also what the gdb helper starts from.
extern constinit thread_local Scheduler* this_thread;

class Scheduler final : public WakeTarget {
 public:
  Scheduler(Reactor& reactor, SchedulerOptions options);
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  // This thread's, or null.
  static Scheduler* current() noexcept { return this_thread; }
  // Makes the calling thread's own stack the main coroutine; detach() when everything is over. SWH-02: handlers that
  // were registered before are copied into main and called as ENTER.
  void attach(Place place);
  void detach() noexcept;
  bool is_attached() const noexcept { return attached_; }

  // A new coroutine with storage for its closure; submit() makes it ready, discard() takes it back. Throws StackError,
  // MisuseError, std::bad_alloc; nothing is lost then.
  ControlBlock& create(const EntryOps& ops, const SpawnOptions& options, Place place);
  void submit(ControlBlock& block) noexcept;
  void discard(ControlBlock& block) noexcept;

  // Suspension. Each returns why the coroutine goes on. Throws MisuseError where suspending is impossible.
  // Include scheduler/yield.hpp. `exchange` is a host's, in line, or NoExchange.
  template <class Exchange>
  WakeReason yield_with(Place place, Exchange exchange);
  WakeReason yield_slowly(Place place);
  // `queue`: where the first entry stands from the moment the wait begins.
  WakeReason wait(WaitRequest& request, Place place, IntrusiveList<WaitEntry>* queue = nullptr);
  // The short way of a wait for nothing but a place in a queue that somebody serves by Waker::grant(). The entry is
  // linked there when the wait begins. Include scheduler/wait_queued.hpp.
  WakeReason wait_queued(IntrusiveList<WaitEntry>& queue, WaitEntry& entry, Place place,
                         TimePoint deadline = TimePoint::max());
  WakeReason sleep_until(TimePoint when, Place place);
  // Main only: until no other coroutine is alive.
  void drain(Place place);
  // Main only: one turn – looks at the reactor without waiting, lets everybody who is ready run once.
  void turn(Place place);

  // WakeTarget
  void enqueue(Waker& waker) noexcept override {
    auto& block = static_cast<ControlBlock&>(waker);
    if (__builtin_expect(block.flags & kHighPriority, 0)) {
      ready_.push_front(&block);
    } else if (looking_) {
      ready_.push_woken(&block);
    } else {
      ready_.push_back(&block);
    }
  }

  // Cancellation: see cancel.cpp. True if the coroutine had not finished.
  bool cancel(ControlBlock& block) noexcept;
  // The deadline of its scope has passed: ends its wait, and keeps it from further ones, with the owner's
  // deadline_error(). Delivered as a cancellation is, but a wake that is under way stands.
  void expire(ControlBlock& block) noexcept;
  // From now on it does not count as alive; when nobody else is left it is cancelled, and the program ends (SC-14).
  void make_zombie(ControlBlock& block) noexcept;
  // The root's owner, told about what nobody deals with further down; null: the runtime itself. set_ takes over a
  // reference, let go when the scheduler is detached.
  CoroutineOwner* root_owner() const noexcept { return root_owner_; }
  void set_root_owner(CoroutineOwner* owner) noexcept { root_owner_ = owner; }

  // Whether a cancellation that was asked for may be delivered to the current coroutine at this moment.
  bool cancellation_due(const ControlBlock& block) const noexcept;

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
  bool was_asked_to_end() const noexcept { return asked_to_end_; }
  // The final step: no wait suspends any more.
  void shut_down_again(bool is_failure) noexcept;
  void force_end() noexcept;
  // The first error that nobody awaited, and the coroutine it came from, in words (empty: main).
  std::exception_ptr take_failure() noexcept { return std::exchange(failure_, nullptr); }
  const std::string& failure_origin() const noexcept { return failure_origin_; }

  // For a host whose engine has died in the running coroutine, which is not main: main goes on at once, its wait ends
  // as if it were cancelled (unless it was over, and can't be undone), and everybody else is given up. See host.cpp.
  [[noreturn]] void leave_to_main() noexcept;
  // The same for a host whose engine has died in main: gives up everybody else, so that the runtime can be detached.
  // Their stacks stay as they are until then.
  void abandon_others() noexcept;
  // A shutdown is over and nobody but main lives: a host goes on in main as if there had been none.
  void begin_again() noexcept;

  // Runs call(argument) on the thread's own stack, for code that can't live on another one (ST-09).
  void on_thread_stack(void (*call)(void*), void* argument);

  void set_order(ReadyOrder* order) noexcept {
    order_ = order;
    mark_slow(kSeededOrder, order != nullptr);
  }
  void set_host(const HostHooks* host) noexcept {
    host_ = host;
    mark_slow(kHostHooks, host != nullptr);
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
  TimePoint last_look() const noexcept { return last_poll_; }
  bool is_draining() const noexcept { return draining_; }
  Statistics statistics() const noexcept;
  Ledger ledger() const;
  // Every living coroutine, main included, in the order they were spawned.
  std::vector<ControlBlock*> living() const;
  // The coroutine that was running when the mark was made, unless it has ended.
  const ControlBlock* find_living(const RunningMark& mark) const noexcept;
  const StackPools& stacks() const noexcept { return stacks_; }

  // While one of these exists the code that runs must not suspend; `who` names it in the error.
  class NoSuspend {
   public:
    NoSuspend(Scheduler& scheduler, const char* who) noexcept
        : scheduler_(scheduler), previous_(std::exchange(scheduler.no_suspend_, who)) {
      scheduler_.mark_slow(kNoSuspend, true);
    }
    ~NoSuspend() {
      scheduler_.no_suspend_ = previous_;
      scheduler_.mark_slow(kNoSuspend, previous_ != nullptr);
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
    kWokenWaiting = 16
  };
  void mark_slow(SlowPath path, bool on) noexcept { slow_ = on ? slow_ | path : slow_ & ~path; }

  // run_loop.cpp
  static void context_main(void* scheduler) noexcept;
  static void loop_main(void* scheduler) noexcept;
  void loop() noexcept;
  ControlBlock& finish(ControlBlock& block, bool has_begun) noexcept;
  void end_coroutine(ControlBlock& block) noexcept;
  void leave_owner(ControlBlock& block) noexcept;
  void give_up(ControlBlock& block) noexcept;
  void finalise_unstarted(ControlBlock& block, Outcome outcome, std::exception_ptr error) noexcept;
  bool start(ControlBlock& block) noexcept;
  ControlBlock* tick() noexcept;
  ControlBlock* take_ready() noexcept;
  [[nodiscard]] bool run_body(ControlBlock& self) noexcept;
  void let_go(ControlBlock& self) noexcept;
  void look_at_reactor() noexcept;
  std::uint64_t runs() const noexcept;
  void poll_reactor() noexcept;
  TimePoint trim(TimePoint now) noexcept;
  void run_microtasks() noexcept;
  void park(ControlBlock& self) noexcept;
  void hand_over(ControlBlock& self, ControlBlock& next) noexcept;
  void on_leave(ControlBlock& block, ControlBlock* next) noexcept;
  void on_begin(ControlBlock& block) noexcept;
  void on_enter(ControlBlock& block) noexcept;

  // host.cpp
  void forget_jumped_over() noexcept;

  // wait.cpp
  ControlBlock& check_may_suspend(Place place);
  void give_way(ControlBlock& self) noexcept;
  WakeReason refuse_wait(ControlBlock& self) noexcept;
  void revive(ControlBlock& block) noexcept;
  void end_zombies() noexcept;
  void look_without_waiting() noexcept;

  // deadlock.cpp
  void resolve_deadlock() noexcept;

  // shutdown.cpp
  bool keep_failure(std::exception_ptr error) noexcept;
  static void on_shutdown_deadline(Deadline& deadline) noexcept;

  // The hot ones first, on as few cache lines as they need.
  ControlBlock* current_ = nullptr;
  std::uint32_t slow_ = 0;
  std::uint32_t ticks_to_clock_ = kClockEveryMax;
  EhGlobals* eh_globals_ = nullptr;
  ReadyQueue ready_;
  const char* no_suspend_ = nullptr;
  ReadyOrder* order_ = nullptr;
  const HostHooks* host_ = nullptr;
  std::uint32_t clock_every_ = kClockEveryMax;
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
  bool looking_ = false;  // the reactor is being looked at while others are ready
  bool shutting_down_ = false;
  bool forced_ = false;
  bool asked_to_end_ = false;
  bool host_died_ = false;
  void* settling_ = nullptr;
  std::size_t abandoned_ = 0;
  std::exception_ptr failure_;
  std::string failure_origin_;
  std::vector<SwitchHandler> main_start_handlers_;
  SanitizerState dead_context_;  // of a context that was left for good; destroyed by the next one that runs
  struct ShutdownDeadline : Deadline {
    explicit ShutdownDeadline(Scheduler& owner) noexcept : Deadline(&on_shutdown_deadline), scheduler(owner) {}
    Scheduler& scheduler;
  } shutdown_deadline_{*this};
};

}  // namespace trueasync::detail
