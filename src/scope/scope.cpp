// Scope, as trueasync/scope.hpp has it.
#include "trueasync/scope.hpp"

#include "reactor/timer_queue.hpp"
#include "scheduler/api_support.hpp"
#include "scope/scope_state.hpp"
#include "trueasync/error.hpp"

namespace trueasync {

using detail::ScopeState;

ScopeRef::ScopeRef(Ref<ScopeState> state) noexcept : state_(std::move(state)) {}

ScopeRef ScopeRef::current() {
  return ScopeRef(Ref<ScopeState>(&ScopeState::of(*detail::require_scheduler("Scope::current").running())));
}

ScopeRef ScopeRef::root() {
  return ScopeRef(Ref<ScopeState>(&ScopeState::root(detail::require_scheduler("Scope::root"))));
}

Scope::Scope(Ref<ScopeState> state) noexcept : ScopeRef(std::move(state)) { state_->add_handle(); }
Scope::Scope() : Scope(ScopeState::make(detail::require_scheduler("Scope"), nullptr)) {}
Scope::Scope(const Scope& other) noexcept : ScopeRef(other) {
  if (state_) state_->add_handle();
}
Scope::Scope(Scope&& other) noexcept : ScopeRef(std::move(other.state_)) {}

Scope& Scope::operator=(Scope other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}

Scope::~Scope() {
  if (state_) state_->drop_handle();
}

Scope Scope::inherit(const ScopeRef& parent) {
  detail::Scheduler& scheduler = detail::require_scheduler("Scope::inherit");
  if (&parent.state_->scheduler() != &scheduler) throw MisuseError("a scope belongs to the runtime it was made in");
  if (parent.is_closed()) throw MisuseError("can't make a scope below one that is closed");
  return Scope(ScopeState::make(scheduler, parent.state_.get()));
}

Scope Scope::inherit() { return inherit(current()); }

void ScopeRef::cancel() { state_->cancel(); }

namespace {

void check_not_own_scope(const ScopeState& state, detail::Scheduler& scheduler) {
  if (state.is_ancestor_of(ScopeState::of(*scheduler.running()))) {
    throw MisuseError("a coroutine can't await the scope it runs in: it would wait for itself");
  }
}

struct Awaiting {
  explicit Awaiting(ScopeState& awaited) noexcept : scope(awaited) { ++scope.awaiters; }
  ~Awaiting() { --scope.awaiters; }
  Awaiting(const Awaiting&) = delete;
  Awaiting& operator=(const Awaiting&) = delete;
  ScopeState& scope;
};

void wait_for(ScopeState& state, Event& event, WaitOptions options, SourceLocation location) {
  detail::Scheduler& scheduler = detail::require_scheduler("await of a scope");
  check_not_own_scope(state, scheduler);
  detail::EventWait wait(scheduler, event, options);
  const WakeReason reason = [&] {
    const Awaiting awaiting(state);
    return scheduler.wait(wait.request, location);
  }();
  // The last to leave early was the one for whom errors were kept.
  if (reason != WakeReason::event && !state.is_awaited()) state.propagate_kept_errors();
  detail::throw_wait_error(scheduler, reason, &wait.request);
}

void await_end(const Ref<ScopeState>& state, const ScopeErrorHandler& handler, WaitOptions options,
               SourceLocation location) {
  if (!state->is_closed())
    throw MisuseError("await_after_cancellation needs a scope that was cancelled or disposed of");
  const Ref<ScopeState> keep = state;
  std::optional<detail::EndObserver> hears;  // SC-02: whatever way this ends
  if (handler) hears.emplace(keep->ending, handler);
  wait_for(*keep, keep->settled(), options, location);
  auto errors = keep->take_errors();
  if (!handler) {
    if (auto error = combine_errors(std::move(errors))) std::rethrow_exception(error);
    return;
  }
  for (const auto& error : errors) handler(error, current_coroutine());
}

}  // namespace

void ScopeRef::await_completion(WaitOptions options, SourceLocation location) const {
  const Ref<ScopeState> keep = state_;
  wait_for(*keep, *keep, options, location);
}

void ScopeRef::await_after_cancellation(const ScopeErrorHandler& handler, WaitOptions options,
                                        SourceLocation location) const {
  await_end(state_, handler, options, location);
}

namespace {

ScopeState& not_root(ScopeState& state, const char* what) {
  if (state.is_root()) throw MisuseError(std::string(what) + " is not for the root scope: it ends with its runtime");
  return state;
}

TimePoint after(ScopeState& state, std::chrono::nanoseconds duration) {
  return detail::deadline_after(state.scheduler().reactor().now(), duration);
}

}  // namespace

bool ScopeRef::dispose() { return not_root(*state_, "dispose").dispose_by_policy(); }
bool ScopeRef::dispose_safely() { return not_root(*state_, "dispose_safely").detach_coroutines(); }

void ScopeRef::dispose_after(std::chrono::nanoseconds timeout) {
  ScopeState& state = not_root(*state_, "dispose_after");
  state.set_dispose_at(after(state, timeout));
}

ScopeRef& ScopeRef::allow_zombies() noexcept {
  state_->detaches_on_dispose = true;
  return *this;
}

ScopeRef& ScopeRef::as_not_safely() noexcept {
  state_->detaches_on_dispose = false;
  return *this;
}

void ScopeRef::set_exception_handler(ScopeErrorHandler handler) { state_->on_error = std::move(handler); }
void ScopeRef::set_child_scope_exception_handler(ScopeErrorHandler handler) {
  state_->on_child_error = std::move(handler);
}
void ScopeRef::finally(std::function<void()> handler) { not_root(*state_, "finally").add_finally(std::move(handler)); }

void ScopeRef::own_channel(detail::ChannelBase& channel) { not_root(*state_, "own").own(channel); }

void ScopeRef::set_timeout(TimePoint when) { not_root(*state_, "set_deadline").set_deadline(when); }
void ScopeRef::set_timeout(std::chrono::nanoseconds from_now) {
  ScopeState& state = not_root(*state_, "set_deadline");
  state.set_deadline(after(state, from_now));
}
std::optional<TimePoint> ScopeRef::deadline() const noexcept { return state_->effective_deadline(); }

bool ScopeRef::is_finished() const noexcept { return state_->is_idle(); }
bool ScopeRef::is_closed() const noexcept { return state_->is_closed(); }
bool ScopeRef::is_cancelled() const noexcept { return state_->is_cancelled(); }
std::size_t ScopeRef::size() const noexcept { return state_->size(); }

std::vector<ScopeRef> ScopeRef::children() const {
  std::vector<ScopeRef> result;
  const auto& list = state_->children();
  for (ScopeState* at = list.front(); at; at = list.next_of(*at)) result.push_back(ScopeRef(Ref<ScopeState>(at)));
  return result;
}

std::optional<ScopeRef> ScopeRef::parent() const {
  if (!state_->parent()) return std::nullopt;
  return ScopeRef(Ref<ScopeState>(state_->parent()));
}

Event& ScopeRef::event() const noexcept { return *state_; }

ScopePin::ScopePin(const ScopeRef& scope, ScopeListener* listener) noexcept : state_(&detail::Access::state(scope)) {
  state_->pin();
  state_->listener = listener;
}

ScopePin::~ScopePin() {
  state_->listener = nullptr;
  state_->unpin();
}

}  // namespace trueasync
