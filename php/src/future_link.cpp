#include "future_link.hpp"

#include "scheduler/control_block.hpp"
#include "support/error.hpp"
#include "support/source_location.hpp"

namespace trueasync::php {

FutureLink::FutureLink(LinkKind kind, const zend_fcall_info& call, const zend_fcall_info_cache& cache,
                       FutureStateObject& next, SourceLocation location) noexcept
    : kind_(kind), location_(location), next_(object_of(next)) {
  call_.assign(call, cache);
  worker_subscription_.link = this;
  worker_subscription_.callback = [](Subscription& self, const Notification&) noexcept {
    static_cast<WorkerSubscription&>(self).link->on_worker_finished();
  };
}

FutureLink::~FutureLink() {
  if (worker_handle_) worker_handle_.event().unsubscribe(worker_subscription_);
  if (worker_) {
    worker_->consumer = nullptr;
    OBJ_RELEASE(php::object_of(*worker_));
  }
  OBJ_RELEASE(next_);
}

void FutureLink::report(GcBuffer& buffer) noexcept {
  call_.report(buffer);
  buffer.add(source_outcome_);
  if (worker_) buffer.add(php::object_of(*worker_));
}

void FutureLink::report_while_pending(GcBuffer& buffer) noexcept {
  report(buffer);
  buffer.add(next_);
}

bool FutureLink::needs_callback(bool is_error) const noexcept {
  if (kind_ == LinkKind::map) return !is_error;
  if (kind_ == LinkKind::catch_error) return is_error;
  return true;
}

void FutureLink::settle(FutureStateObject& next, zval* outcome, bool is_error, SourceLocation location) noexcept {
  if (!next.is_pending()) {
    zval_ptr_dtor(outcome);
  } else if (is_error) {
    next.fail(Z_OBJ_P(outcome), location);
  } else {
    next.complete(Value::adopt(outcome), location);
  }
}

void FutureLink::start(std::unique_ptr<FutureLink> self, FutureStateObject& source) noexcept {
  zval outcome;
  zend_object* error = source.take(&outcome);
  if (error) ZVAL_OBJ(&outcome, error);
  if (!self->needs_callback(error)) {
    settle(self->next(), &outcome, error, self->location_);
    return;
  }
  if (self->kind_ == LinkKind::finally) {
    self->source_outcome_ = Value(&outcome);
    self->source_failed_ = error;
  }
  zend_fcall_info call = self->call_.call();
  call.params = &outcome;
  call.param_count = 1;
  start_worker(std::move(self), call);
  zval_ptr_dtor(&outcome);
}

void FutureLink::start(std::unique_ptr<FutureLink> self) noexcept {
  const zend_fcall_info call = self->call_.call();
  start_worker(std::move(self), call);
}

// Spawns in the scope of the coroutine that settled the source. If that scope is closed, the worker has no scope: the
// chain must continue.
void FutureLink::spawn_worker(const zend_fcall_info& call) noexcept {
  worker_ = spawn_coroutine({}, call, call_.cache());
  if (worker_) return;
  zend_object* error = take_exception();
  worker_ = spawn_coroutine({.owner = &detail::detached_owner()}, call, call_.cache());
  if (worker_) {
    OBJ_RELEASE(error);
  } else {
    zend_object* second = take_exception();
    if (second) OBJ_RELEASE(second);
    throw_exception(error);
  }
}

void FutureLink::start_worker(std::unique_ptr<FutureLink> self, const zend_fcall_info& call) noexcept {
  FutureLink& link = *self;
  zend_object* in_flight = take_exception();
  link.spawn_worker(call);
  if (!link.worker_) {
    zval error;
    ZVAL_OBJ(&error, take_exception());
    settle(link.next(), &error, true, link.location_);
  } else {
    link.call_.reset();
    link.worker_->consumer = &link;
    link.worker_handle_ = link.worker_->handle;
    link.worker_->block().spawn_location = link.location_;
    link.worker_->block().subscribe(link.worker_subscription_);
    link.next().producer = std::move(self);
  }
  EG(exception) = in_flight;
}

void FutureLink::on_worker_finished() noexcept {
  const std::unique_ptr<FutureProducer> keep_alive = std::move(next().producer);
  zval outcome;
  zend_object* error = worker_->take({}, &outcome);
  bool is_error = error;
  if (error) {
    ZVAL_OBJ(&outcome, error);
  } else if (kind_ == LinkKind::finally) {
    zval_ptr_dtor(&outcome);
    source_outcome_.move_to(&outcome);
    is_error = source_failed_;
  }
  settle(next(), &outcome, is_error, location_);
}

void FutureLink::cancel(zend_object* reason) noexcept {
  if (worker_) worker_->cancel(reason);
}

}  // namespace trueasync::php
