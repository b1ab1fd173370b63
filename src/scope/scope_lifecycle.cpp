// How a scope ends: cancelled, let go, over.
#include "base/check.hpp"
#include "scheduler/api_support.hpp"
#include "scope/scope_state.hpp"
#include "trueasync/cancel.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail {

ScopeState* ScopeState::next_in(const ScopeState& top, bool skip_below) noexcept {
  if (!skip_below && !children_.empty()) return children_.front();
  for (ScopeState* at = this; at != &top; at = at->parent()) {
    if (ScopeState* sibling = at->parent()->children_.next_of(*at)) return sibling;
  }
  return nullptr;
}

// Linear in what is below. What has been cancelled before is left out: so has everything below it.
void ScopeState::cancel() noexcept {
  if (is_root()) return scheduler_.shut_down(nullptr);
  if (cancelled_) return;
  Ref<ScopeState> keep(this);
  std::vector<Ref<ScopeState>> told;
  bool skip = false;
  for (ScopeState* at = this; at; at = at->next_in(*this, skip)) {
    skip = at->cancelled_;
    if (skip) continue;
    at->closed_ = at->cancelled_ = true;
    at->members_.for_each([at](ControlBlock& block) { at->scheduler_.cancel(block); });
    if (at->listener || !at->finally_.empty() || !at->channels_.empty()) told.push_back(Ref<ScopeState>(at));
  }
  // Those below first: empty ones are over now. Whoever is told may change the tree.
  for (auto at = told.rbegin(); at != told.rend(); ++at) {
    if ((*at)->listener) (*at)->listener->on_cancelled();
    (*at)->finish_if_done();
  }
  finish_if_done();
}

void ScopeState::wait_for_end() noexcept {
  if (is_settled()) return;
  TRUEASYNC_CHECK(is_on_owner_thread(), "who waits for its coroutines dies on another thread than its runtime's");
  ControlBlock& self = *scheduler_.running();
  ++self.protect_depth;
  while (!is_settled()) {
    WaitEntry entry(settled_);
    WaitRequest request;
    request.entries = std::span(&entry, 1);
    // A deadlock: they refuse to end, and nothing can wake them. Only the end of the program is left.
    if (scheduler_.wait(request, SourceLocation::current()) == WakeReason::error) scheduler_.shut_down(request.error);
  }
  --self.protect_depth;
}

bool ScopeState::dispose_by_policy() noexcept {
  if (pins_ != 0) return false;
  if (detaches_on_dispose) return detach_coroutines();
  cancel();
  return true;
}

bool ScopeState::detach_coroutines() noexcept {
  if (pins_ != 0) return false;
  Ref<ScopeState> keep(this);
  for (ScopeState* at = this; at; at = at->next_in(*this, false)) {
    at->detached_ = true;
    if (at->pins_ == 0) at->closed_ = true;
    std::size_t let_go = 0;
    at->members_.for_each([&](ControlBlock& block) {
      if (ScopeMembers::is_let_go(block)) return;
      ScopeMembers::detach(block);
      at->scheduler_.make_zombie(block);
      ++let_go;
    });
    if (let_go != 0) at->count_down(&ScopeState::active_, let_go);
  }
  std::vector<Ref<ScopeState>> over;
  for (ScopeState* at = this; at; at = at->next_in(*this, false)) over.push_back(Ref<ScopeState>(at));
  for (auto at = over.rbegin(); at != over.rend(); ++at) (*at)->finish_if_done();
  return true;
}

void ScopeState::finish_if_done() noexcept {
  if (finished_ || !closed_ || !is_settled() || pins_ != 0) return;
  finished_ = true;
  for (const auto& channel : std::exchange(channels_, {})) channel->close(CloseReason::scope_disposed);
  if (!finally_.empty()) run_finally(std::exchange(finally_, {}));
}

namespace {

// The scope's own exception handler is asked first.
void call_scope_error_handler(const ScopeState& scope, const std::exception_ptr& error) {
  const ScopeErrorHandler handler = scope.on_error;
  if (!handler) std::rethrow_exception(error);
  handler(error, Scheduler::current() ? current_coroutine() : Coroutine());
}

// All of them, whatever the others do, and with time for it: a cancellation comes afterwards.
void run_all(const ScopeState& scope, const std::vector<std::function<void()>>& handlers) {
  std::vector<std::exception_ptr> errors;
  for (const auto& handler : handlers) {
    try {
      handler();
    } catch (const OperationCancelled&) {
      errors.push_back(std::current_exception());  // a token that ran out is a failure
    } catch (const Cancelled&) {                   // the end is forced
    } catch (...) {
      errors.push_back(std::current_exception());
    }
  }
  if (auto error = combine_errors(std::move(errors))) call_scope_error_handler(scope, error);
}

// The body of the coroutine that runs them. If it is cancelled before it starts the root has another one; if that does
// not start either, because the runtime is at its very end, they run where it is dropped and must not suspend.
class FinallyRunner {
 public:
  enum class Attempt : std::uint8_t { first, last };

  FinallyRunner(Ref<ScopeState> scope, std::vector<std::function<void()>> handlers, Attempt chance) noexcept
      : scope_(std::move(scope)), handlers_(std::move(handlers)), chance_(chance) {}
  FinallyRunner(FinallyRunner&& other) noexcept
      : scope_(std::move(other.scope_)), handlers_(std::exchange(other.handlers_, {})), chance_(other.chance_) {}
  ~FinallyRunner() {
    if (handlers_.empty()) return;
    if (chance_ == Attempt::first && Scheduler::current()) {
      ScopeState& root = ScopeState::root(*Scheduler::current());
      spawn_below(root, FinallyRunner(std::move(scope_), std::exchange(handlers_, {}), Attempt::last));
      return;
    }
    try {
      run_all(*scope_, handlers_);
    } catch (...) {
      Scheduler* scheduler = Scheduler::current();
      if (!scheduler) return;
      scheduler->report_unhandled(*scheduler->main(), std::current_exception(), "a finally handler of a scope");
    }
  }
  void operator()() {
    const auto handlers = std::exchange(handlers_, {});
    protect([&] { run_all(*scope_, handlers); });
  }
  static void spawn_below(ScopeState& scope, FinallyRunner run) noexcept {
    try {
      spawn_in(&scope, {.name = "finally of a scope"}, std::move(run), SourceLocation::current());
    } catch (...) {  // no stack is left for it
    }
  }

 private:
  Ref<ScopeState> scope_;
  std::vector<std::function<void()>> handlers_;
  Attempt chance_;
};

}  // namespace

// In a coroutine of the parent's: handlers may suspend, and their errors find their way up.
void ScopeState::run_finally(std::vector<std::function<void()>> handlers) noexcept {
  FinallyRunner run(Ref<ScopeState>(this), std::move(handlers),
                    is_on_owner_thread() ? FinallyRunner::Attempt::first : FinallyRunner::Attempt::last);
  if (!is_on_owner_thread()) return;
  ScopeState& above = parent() ? *parent() : root(scheduler_);
  ++above.internal_spawns_;
  FinallyRunner::spawn_below(above, std::move(run));
  --above.internal_spawns_;
}

void ScopeState::add_finally(std::function<void()> handler) {
  if (finished_) return handler();  // SC-10
  finally_.push_back(std::move(handler));
}

void ScopeState::own(ChannelBase& channel) {
  if (finished_) return channel.close(CloseReason::scope_disposed);
  // A long life with many short channels: those that are closed are let go whenever there is no room for one more.
  if (channels_.size() == channels_.capacity()) {
    std::erase_if(channels_, [](const auto& one) { return one->is_closed(); });
    channels_.reserve(2 * channels_.size() + 4);
  }
  channels_.push_back(Ref<ChannelBase>(&channel));
}

}  // namespace trueasync::detail
