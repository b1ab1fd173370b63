#include "channel_future.hpp"
#include "engine/bailout.hpp"
#include "engine/runtime.hpp"
#include "exceptions.hpp"
#include "future.hpp"
#include "future_link.hpp"
#include "generated/future_state_arginfo.h"
#include "scheduler/report.hpp"
#include "support/error.hpp"
#include "support/library_call.hpp"
#include "support/source_location.hpp"
#include "support/waiters.hpp"

namespace trueasync::php {

using detail::FuturePhase;

FutureStateObject::~FutureStateObject() {
  if (!state) return;
  if (settled_by == SettledBy::channel) static_cast<ChannelFuture&>(*state).object = nullptr;
  state->unsubscribe(dispatch_);
  if (is_started_) state->stop();
  drop_links();
  producer.reset();
  state->ignore();  // whoever wanted to know has been told
}

void FutureStateObject::drop_links() noexcept {
  while (FutureLink* link = links_.pop_front()) delete link;
}

// Nobody but this object and coroutines that wait holds the state: what is in it belongs to the graph of PHP objects.
bool FutureStateObject::is_known_to_us() const noexcept { return state->references() == 1 + count_waiters(*state); }

bool FutureStateObject::is_wanted() noexcept { return GC_REFCOUNT(object_of(*this)) > 1 || !links_.empty(); }

void FutureStateObject::report(GcBuffer& buffer) noexcept {
  if (!state) return;
  for (FutureLink* link = links_.front(); link; link = links_.next_of(*link)) link->report_while_pending(buffer);
  if (producer) producer->report(buffer);
  if (!is_known_to_us()) return;
  if (const Value* value = state->peek()) buffer.add(*value);
  buffer.add(error_);
  // That one can wake them too, and so can an event.
  if (producer || (settled_by == SettledBy::event && is_pending())) return;
  state->for_each_subscriber(
      [&](const Subscription& one) { report_waiter(buffer, detail::Waker::from_subscription(one)); });
}

void FutureStateObject::report_pending_references(GcBuffer& buffer) noexcept {
  if (is_held_) buffer.add(object_of(*this));
  if (state->is_active()) buffer.add(object_of(*this));
}

void FutureStateObject::on_destruct() noexcept {
  if (!state || state->phase() != FuturePhase::error || state->is_observed()) return;
  state->ignore();
  const SourceLocation made = state->creation_location();
  zend_object* error = error_;
  if (error) {
    GC_ADDREF(error);
  } else {
    error = to_php(state->error());
  }
  zend_error(E_WARNING,
             "A future failed and nobody took the error, %s: %s; await the future, catch() it, or call ignore() "
             "(made at %s:%u)",
             ZSTR_VAL(error->ce->name), message_of(error).data(), made.file() ? made.file() : "unknown",
             static_cast<unsigned>(made.line()));
  OBJ_RELEASE(error);
}

// Its turn may come when whoever has settled it has let it go.
void FutureStateObject::hold_for_links() noexcept {
  if (is_held_ || links_.empty()) return;
  is_held_ = true;
  GC_ADDREF(object_of(*this));
}

void FutureStateObject::complete(Value value, SourceLocation location) noexcept {
  hold_for_links();
  catch_to_php([&] { state->complete(std::move(value), location); });
}

void FutureStateObject::fail(zend_object* error, SourceLocation location) noexcept {
  error_ = error;
  hold_for_links();
  state->settle(is_cancellation(error) ? FuturePhase::cancelled : FuturePhase::error, to_cpp(error), location);
}

void FutureStateObject::cancel(zend_object* reason, SourceLocation location) noexcept {
  if (!is_pending()) return;
  if (reason) {
    GC_ADDREF(reason);
  } else {
    reason = make_exception(exceptions.async_cancellation, "The future was cancelled");
  }
  const std::unique_ptr<FutureProducer> ended = std::move(producer);
  if (settled_by == SettledBy::channel) static_cast<ChannelFuture&>(*state).remove_from_queue();
  fail(reason, location);
  if (ended) ended->cancel(reason);
}

zend_object* FutureStateObject::take(zval* result) noexcept {
  if (state->phase() == FuturePhase::value) {
    state->value().copy_to(result);
    return nullptr;
  }
  state->mark_error_observed();
  if (!error_) {
    return state->error() ? to_php(state->error())
                          : make_exception(exceptions.async_cancellation, "The future was cancelled");
  }
  GC_ADDREF(error_);
  return error_;
}

void FutureStateObject::add(std::unique_ptr<FutureLink> link) noexcept {
  links_.push_back(*link.release());
  if (settled_by != SettledBy::object && is_pending() && !is_started_) {
    hold_for_links();
    is_started_ = !state->start();
  }
  if (!dispatch_.is_linked()) state->then(dispatch_);
}

// Destructors of what a callback has captured may run. A fatal error there goes no further: whoever else waits for the
// future is linked to the frames above.
void FutureStateObject::begin_links() noexcept {
  hold_for_links();
  if (std::exchange(is_started_, false)) state->stop();
  const bool is_well = engine::run_catching_bailout([this] {
    while (FutureLink* link = links_.pop_front()) FutureLink::begin(std::unique_ptr<FutureLink>(link), *this);
    if (std::exchange(is_held_, false)) OBJ_RELEASE(object_of(*this));
  });
  if (!is_well && engine::scheduler) engine::schedule_bailout();
}

FutureStateObject& adopt_future_state(Ref<FutureStateObject::State> state, SettledBy by) {
  FutureStateObject& made = Class<FutureStateObject>::make();
  made.state = std::move(state);
  made.settled_by = by;
  return made;
}

FutureStateObject& make_future_state(SourceLocation location) {
  FutureStateObject& made = Class<FutureStateObject>::make();
  made.state = Ref<FutureStateObject::State>::adopt(new FutureStateObject::State(location));
  return made;
}

void register_future_state() { Class<FutureStateObject>::setup(register_class_Async_FutureState()); }

namespace {

FutureStateObject& this_state(zval* value) noexcept { return Class<FutureStateObject>::self(value); }

bool check_pending(const FutureStateObject& self) {
  if (self.is_pending()) return true;
  throw_exception(exceptions.async,
                  "FutureState is already completed, at " + detail::format_location(self.state->completion_location()));
  return false;
}

}  // namespace

}  // namespace trueasync::php

using namespace trueasync::php;

ZEND_METHOD(Async_FutureState, __construct) {
  ZEND_PARSE_PARAMETERS_NONE();
  auto& self = this_state(ZEND_THIS);
  if (self.state) return throw_exception(exceptions.async, "A FutureState is constructed once");
  if (!engine::ensure_started()) return;
  catch_to_php([&] {
    self.state = trueasync::Ref<FutureStateObject::State>::adopt(new FutureStateObject::State(executing_location()));
  });
}

ZEND_METHOD(Async_FutureState, complete) {
  zval* result;
  ZEND_PARSE_PARAMETERS_START(1, 1)
  Z_PARAM_ZVAL(result)
  ZEND_PARSE_PARAMETERS_END();
  auto& self = this_state(ZEND_THIS);
  if (check_pending(self)) catch_to_php_with_bailout([&] { self.complete(Value(result), executing_location()); });
}

ZEND_METHOD(Async_FutureState, error) {
  zval* error;
  ZEND_PARSE_PARAMETERS_START(1, 1)
  Z_PARAM_OBJECT_OF_CLASS(error, zend_ce_throwable)
  ZEND_PARSE_PARAMETERS_END();
  auto& self = this_state(ZEND_THIS);
  if (!check_pending(self)) return;
  Z_ADDREF_P(error);
  catch_to_php_with_bailout([&] { self.fail(Z_OBJ_P(error), executing_location()); });
}

ZEND_METHOD(Async_FutureState, isCompleted) {
  ZEND_PARSE_PARAMETERS_NONE();
  RETURN_BOOL(!this_state(ZEND_THIS).is_pending());
}

ZEND_METHOD(Async_FutureState, ignore) {
  ZEND_PARSE_PARAMETERS_NONE();
  this_state(ZEND_THIS).state->ignore();
}

ZEND_METHOD(Async_FutureState, getAwaitingInfo) {
  ZEND_PARSE_PARAMETERS_NONE();
  return_waiters(return_value, *this_state(ZEND_THIS).state);
}

ZEND_METHOD(Async_FutureState, getCreatedFileAndLine) {
  ZEND_PARSE_PARAMETERS_NONE();
  return_file_and_line(return_value, this_state(ZEND_THIS).state->creation_location());
}

ZEND_METHOD(Async_FutureState, getCreatedLocation) {
  ZEND_PARSE_PARAMETERS_NONE();
  return_location(return_value, this_state(ZEND_THIS).state->creation_location());
}

ZEND_METHOD(Async_FutureState, getCompletedFileAndLine) {
  ZEND_PARSE_PARAMETERS_NONE();
  return_file_and_line(return_value, this_state(ZEND_THIS).state->completion_location());
}

ZEND_METHOD(Async_FutureState, getCompletedLocation) {
  ZEND_PARSE_PARAMETERS_NONE();
  return_location(return_value, this_state(ZEND_THIS).state->completion_location());
}
