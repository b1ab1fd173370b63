// The end of a scope: cancellation, disposal, finally handlers and owned channels.
#include "base/check.hpp"
#include "scheduler/api_support.hpp"
#include "scope/scope_state.hpp"
#include "trueasync/cancel.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail {

ScopeState* ScopeState::next_in(const ScopeState& top, bool skip_children) noexcept {
  if (!skip_children && !children_.empty()) return children_.front();
  for (ScopeState* scope = this; scope != &top; scope = scope->parent()) {
    if (ScopeState* sibling = scope->parent()->children_.next_of(*scope)) return sibling;
  }
  return nullptr;
}

// Linear in the size of the subtree. Skips child scopes that are already cancelled: so is their whole subtree.
void ScopeState::cancel() noexcept {
  if (is_root()) return scheduler_.shut_down(nullptr);
  if (cancelled_) return;
  Ref<ScopeState> keep_alive(this);
  // Listeners and handlers may change the tree, so they run after the traversal.
  std::vector<Ref<ScopeState>> to_notify;
  bool skip = false;
  for (ScopeState* scope = this; scope; scope = scope->next_in(*this, skip)) {
    skip = scope->cancelled_;
    if (skip) continue;
    scope->closed_ = scope->cancelled_ = true;
    scope->members_.for_each([scope](ControlBlock& block) { scope->scheduler_.cancel(block); });
    if (scope->listener || !scope->finally_.empty() || !scope->channels_.empty()) {
      to_notify.push_back(Ref<ScopeState>(scope));
    }
  }
  // Children before parents.
  for (auto scope = to_notify.rbegin(); scope != to_notify.rend(); ++scope) {
    if ((*scope)->listener) (*scope)->listener->on_cancelled();
    (*scope)->finish_if_done();
  }
  finish_if_done();
}

void ScopeState::wait_for_end() noexcept {
  if (is_empty()) return;
  TRUEASYNC_CHECK(is_on_owner_thread(), "scope destroyed on a thread other than its runtime's");
  const CancellationShield shield;
  while (!is_empty()) {
    WaitEntry entry(end_event_);
    WaitRequest request;
    request.entries = std::span(&entry, 1);
    // A deadlock: the coroutines ignore their cancellation and nothing can wake them.
    if (scheduler_.wait(request, SourceLocation::current()) == WakeReason::error) scheduler_.shut_down(request.error);
  }
}

bool ScopeState::dispose_by_policy() noexcept {
  if (pins_ != 0) return false;
  if (detaches_on_dispose) return detach_coroutines();
  cancel();
  return true;
}

bool ScopeState::detach_coroutines() noexcept {
  if (pins_ != 0) return false;
  Ref<ScopeState> keep_alive(this);
  for (ScopeState* scope = this; scope; scope = scope->next_in(*this, false)) {
    scope->detached_ = true;
    if (scope->pins_ == 0) scope->closed_ = true;
    std::size_t detached = 0;
    scope->members_.for_each([&](ControlBlock& block) {
      if (ScopeMembers::is_detached(block)) return;
      ScopeMembers::detach(block);
      scope->scheduler_.make_zombie(block);
      ++detached;
    });
    if (detached != 0) scope->count_down(&ScopeState::active_, detached);
  }
  // Finally handlers may change the tree, so they run after the traversal; children before parents.
  std::vector<Ref<ScopeState>> subtree;
  for (ScopeState* scope = this; scope; scope = scope->next_in(*this, false)) subtree.push_back(Ref<ScopeState>(scope));
  for (auto scope = subtree.rbegin(); scope != subtree.rend(); ++scope) (*scope)->finish_if_done();
  return true;
}

void ScopeState::finish_if_done() noexcept {
  if (finished_ || !closed_ || !is_empty() || pins_ != 0) return;
  finished_ = true;
  for (const auto& channel : std::exchange(channels_, {})) channel->close(CloseReason::scope_disposed);
  if (!finally_.empty()) run_finally(std::exchange(finally_, {}));
}

namespace {

// Rethrows the error if the scope has no exception handler: it then is the error of the coroutine that runs the handlers.
void call_scope_error_handler(const ScopeState& scope, const std::exception_ptr& error) {
  const ScopeErrorHandler handler = scope.on_error;
  if (!handler) std::rethrow_exception(error);
  handler(error, Scheduler::current() ? current_coroutine() : Coroutine());
}

// Runs every handler, even if some throw.
void run_all(const ScopeState& scope, const std::vector<std::function<void()>>& handlers) {
  std::vector<std::exception_ptr> errors;
  for (const auto& handler : handlers) {
    try {
      handler();
    } catch (const OperationCancelled&) {
      errors.push_back(std::current_exception());  // a fired token is an error
    } catch (const Cancelled&) {                   // not an error
    } catch (...) {
      errors.push_back(std::current_exception());
    }
  }
  if (auto error = combine_errors(std::move(errors))) call_scope_error_handler(scope, error);
}

// FinallyRunner: the body of the coroutine that runs finally handlers. If it is cancelled before it starts, a second one
// is spawned in the root scope. If that does not start either, because the runtime is being destroyed, the destructor
// runs the handlers, which then must not suspend.
class FinallyRunner {
 public:
  enum class Attempt : std::uint8_t { first, last };

  FinallyRunner(Ref<ScopeState> scope, std::vector<std::function<void()>> handlers, Attempt attempt) noexcept
      : scope_(std::move(scope)), handlers_(std::move(handlers)), attempt_(attempt) {}
  FinallyRunner(FinallyRunner&& other) noexcept
      : scope_(std::move(other.scope_)), handlers_(std::exchange(other.handlers_, {})), attempt_(other.attempt_) {}
  ~FinallyRunner() {
    if (handlers_.empty()) return;
    if (attempt_ == Attempt::first && Scheduler::current()) {
      ScopeState& root = ScopeState::root(*Scheduler::current());
      spawn_in(root, FinallyRunner(std::move(scope_), std::exchange(handlers_, {}), Attempt::last));
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
    protect([&] { run_all(*scope_, handlers); });  // a cancellation is delivered after the last handler
  }
  static void spawn_in(ScopeState& scope, FinallyRunner runner) noexcept {
    try {
      detail::spawn_in(&scope, {.name = "finally of a scope"}, std::move(runner), SourceLocation::current());
    } catch (...) {  // out of memory: the destructor of FinallyRunner takes over
    }
  }

 private:
  Ref<ScopeState> scope_;
  std::vector<std::function<void()>> handlers_;
  Attempt attempt_;
};

}  // namespace

// Spawns a coroutine in the parent scope, because handlers may suspend and their errors belong to the parent.
void ScopeState::run_finally(std::vector<std::function<void()>> handlers) noexcept {
  FinallyRunner runner(Ref<ScopeState>(this), std::move(handlers),
                       is_on_owner_thread() ? FinallyRunner::Attempt::first : FinallyRunner::Attempt::last);
  if (!is_on_owner_thread()) return;
  ScopeState& target = parent() ? *parent() : root(scheduler_);
  ++target.internal_spawns_;
  FinallyRunner::spawn_in(target, std::move(runner));
  --target.internal_spawns_;
}

void ScopeState::add_finally(std::function<void()> handler) {
  if (finished_) return handler();
  finally_.push_back(std::move(handler));
}

void ScopeState::own(ChannelBase& channel) {
  if (finished_) return channel.close(CloseReason::scope_disposed);
  // Drop closed channels before the vector grows: a long-lived scope may own many short-lived channels.
  if (channels_.size() == channels_.capacity()) {
    std::erase_if(channels_, [](const auto& owned) { return owned->is_closed(); });
    channels_.reserve(2 * channels_.size() + 4);
  }
  channels_.push_back(Ref<ChannelBase>(&channel));
}

}  // namespace trueasync::detail
