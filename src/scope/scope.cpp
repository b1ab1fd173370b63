#include "trueasync/scope/scope.hpp"

#include "reactor/timer_queue.hpp"
#include "scheduler/api_support.hpp"
#include "scope/scope_state.hpp"
#include "trueasync/error.hpp"

namespace trueasync {

using detail::ScopeState;

ScopeRef::ScopeRef(Ref<ScopeState> state) noexcept : state_(std::move(state)) {}
ScopeRef::ScopeRef(const ScopeRef& other) noexcept = default;
ScopeRef::ScopeRef(ScopeRef&& other) noexcept = default;

ScopeRef& ScopeRef::operator=(ScopeRef other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}

ScopeRef::~ScopeRef() = default;

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
  if (&parent.state_->scheduler() != &scheduler) {
    throw MisuseError("Scope::inherit: the parent scope belongs to another runtime");
  }
  if (parent.is_closed()) throw MisuseError("Scope::inherit: the parent scope is closed");
  return Scope(ScopeState::make(scheduler, parent.state_.get()));
}

Scope Scope::inherit() { return inherit(current()); }

void ScopeRef::cancel() { state_->cancel(); }

namespace {

void check_not_own_scope(const ScopeState& state, detail::Scheduler& scheduler) {
  if (state.is_ancestor_of(ScopeState::of(*scheduler.running()))) {
    throw MisuseError("await scope: the coroutine runs inside the scope and would wait for itself");
  }
}

// AwaiterGuard: counts an awaiter of the scope, also after its wake-up until it runs.
struct AwaiterGuard {
  explicit AwaiterGuard(ScopeState& awaited) noexcept : scope(awaited) { ++scope.awaiters; }
  ~AwaiterGuard() { --scope.awaiters; }
  AwaiterGuard(const AwaiterGuard&) = delete;
  AwaiterGuard& operator=(const AwaiterGuard&) = delete;
  ScopeState& scope;
};

void wait_for(ScopeState& state, Event& event, WaitOptions options, SourceLocation location) {
  detail::Scheduler& scheduler = detail::require_scheduler("await scope");
  check_not_own_scope(state, scheduler);
  detail::EventWait wait(scheduler, event, options);
  const WakeReason reason = [&] {
    const AwaiterGuard guard(state);
    return scheduler.wait(wait.request, location);
  }();
  // The scope keeps errors for its awaiters. After an interrupted wait of the last awaiter they go to the parent.
  if (reason != WakeReason::event && !state.is_awaited()) state.propagate_kept_errors();
  detail::throw_wait_error(scheduler, reason, &wait.request);
}

void await_after_close(const Ref<ScopeState>& handle, const ScopeErrorHandler& handler, WaitOptions options,
                       SourceLocation location) {
  const Ref<ScopeState> state = handle;  // the handle may be destroyed during the wait
  if (!state->is_closed()) {
    throw MisuseError("await_after_cancellation: the scope is not closed; cancel or dispose it first");
  }
  std::optional<detail::EndObserver> observer;
  if (handler) observer.emplace(state->end_observers, handler);
  wait_for(*state, state->end_event(), options, location);
  auto errors = state->take_errors();
  if (!handler) {
    if (auto error = combine_errors(std::move(errors))) std::rethrow_exception(error);
    return;
  }
  for (const auto& error : errors) handler(error, current_coroutine());
}

}  // namespace

void ScopeRef::await_completion(WaitOptions options, SourceLocation location) const {
  const Ref<ScopeState> state = state_;  // the handle may be destroyed during the wait
  wait_for(*state, *state, options, location);
}

void ScopeRef::await_after_cancellation(const ScopeErrorHandler& handler, WaitOptions options,
                                        SourceLocation location) const {
  await_after_close(state_, handler, options, location);
}

namespace {

ScopeState& require_not_root(ScopeState& state, const char* operation) {
  if (state.is_root()) throw MisuseError(std::string(operation) + ": not supported for the root scope");
  return state;
}

TimePoint to_deadline(ScopeState& state, std::chrono::nanoseconds timeout) {
  return detail::deadline_after(state.scheduler().reactor().now(), timeout);
}

}  // namespace

bool ScopeRef::dispose() { return require_not_root(*state_, "Scope::dispose").dispose_by_policy(); }
bool ScopeRef::dispose_safely() { return require_not_root(*state_, "Scope::dispose_safely").detach_coroutines(); }

void ScopeRef::dispose_after(std::chrono::nanoseconds timeout) {
  ScopeState& state = require_not_root(*state_, "Scope::dispose_after");
  state.set_dispose_at(to_deadline(state, timeout));
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
void ScopeRef::finally(std::function<void()> handler) {
  require_not_root(*state_, "Scope::finally").add_finally(std::move(handler));
}

void ScopeRef::own_channel(detail::ChannelBase& channel) { require_not_root(*state_, "Scope::own").own(channel); }

void ScopeRef::set_deadline(TimePoint deadline) {
  require_not_root(*state_, "Scope::set_deadline").set_deadline(deadline);
}
void ScopeRef::set_timeout(std::chrono::nanoseconds timeout) {
  ScopeState& state = require_not_root(*state_, "Scope::set_timeout");
  state.set_deadline(to_deadline(state, timeout));
}
std::optional<TimePoint> ScopeRef::deadline() const noexcept { return state_->effective_deadline(); }

bool ScopeRef::is_finished() const noexcept { return state_->is_idle(); }
bool ScopeRef::is_closed() const noexcept { return state_->is_closed(); }
bool ScopeRef::is_cancelled() const noexcept { return state_->is_cancelled(); }
std::size_t ScopeRef::size() const noexcept { return state_->size(); }

std::vector<ScopeRef> ScopeRef::children() const {
  std::vector<ScopeRef> result;
  const auto& list = state_->children();
  for (ScopeState* child = list.front(); child; child = list.next_of(*child)) {
    result.push_back(ScopeRef(Ref<ScopeState>(child)));
  }
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
