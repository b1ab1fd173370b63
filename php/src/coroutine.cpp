#include "coroutine.hpp"

#include "engine/coroutine_entry.hpp"
#include "engine/gc.hpp"
#include "engine/runtime.hpp"
#include "engine/vm_stack.hpp"
#include "exceptions.hpp"
#include "generated/coroutine_arginfo.h"
#include "interfaces.hpp"
#include "scheduler/report.hpp"
#include "scope.hpp"
#include "support/error.hpp"
#include "support/source_location.hpp"
#include "support/waiters.hpp"
#include "trueasync/task.hpp"

namespace trueasync::php {

CoroutineObject::~CoroutineObject() {
  // After the end of the request the error cannot be reported and must not be kept.
  if (handle && !engine::scheduler) block().flags |= detail::kErrorObserved;
  if (exception) OBJ_RELEASE(exception);
  if (cancellation) OBJ_RELEASE(cancellation);
}

// A cycle through the frames is garbage only if nothing outside of it can wake the coroutine. If exactly one object can
// wake it, that object reports the runtime's reference to it (see support/waiters.hpp). A timer reports nothing.
void CoroutineObject::report(GcBuffer& buffer) noexcept {
  buffer.add(result);
  buffer.add(exception);
  if (handle && is_sole_error_owner()) buffer.add(exception);  // the control block's reference
  buffer.add(cancellation);
  buffer.add(context);
  for (const Value& handler : finally_handlers) buffer.add(handler);
  if (!handle) return;
  engine::report_call(*this, buffer);
  if (block().phase == detail::Phase::suspended && &block() != block().scheduler->main()) {
    engine::report_frames(*this, buffer);
  }
  block().for_each_subscriber(
      [&](const Subscription& entry) { report_waiter(buffer, detail::Waker::from_subscription(entry)); });
}

bool CoroutineObject::is_sole_error_owner() const noexcept {
  return block().outcome == detail::Outcome::error && block().error && block().references() == 1;
}

void CoroutineObject::on_destruct() noexcept {
  if (!handle || !engine::scheduler || (EG(flags) & EG_FLAGS_IN_SHUTDOWN)) return;
  if (is_sole_error_owner() && !(block().flags & detail::kErrorObserved)) {
    // Reported here and not in the destructor: the collector may free the exception before that.
    block().flags |= detail::kErrorObserved;
    block().scheduler->report_unhandled(block(), block().error);
  }
  // Destructed while suspended: the collector has found that nothing can wake the coroutine.
  if (block().is_alive() && block().phase == detail::Phase::suspended) cancel(nullptr);
}

void CoroutineObject::own(CoroutineResource& resource) noexcept { resource.next = std::exchange(resources, &resource); }

void CoroutineObject::disown(CoroutineResource& resource) noexcept {
  CoroutineResource** link = &resources;
  while (*link != &resource) link = &(*link)->next;
  *link = resource.next;
}

void CoroutineObject::release_resources() noexcept {
  if (!resources) return;
  zend_object* in_flight = std::exchange(EG(exception), nullptr);
  while (resources) resources->on_coroutine_end();
  if (zend_object* thrown = take_exception()) OBJ_RELEASE(thrown);
  EG(exception) = in_flight;
}

bool CoroutineObject::is_ready() noexcept { return !block().is_alive(); }

Event* CoroutineObject::event() noexcept {
  if (engine::current() != this) return &block();
  throw_exception(exceptions.async, "Coroutine " + detail::coroutine_label(block()) + " cannot await itself");
  return nullptr;
}

zend_object* CoroutineObject::take(const Notification&, zval* target) noexcept {
  if (exception) {
    block().flags |= detail::kErrorObserved;
    GC_ADDREF(exception);
    return exception;
  }
  if (result) {
    result.copy_to(target);
  } else {
    ZVAL_NULL(target);
  }
  return nullptr;
}

void CoroutineObject::cancel(zend_object* reason) noexcept {
  if (!block().is_alive()) return;
  zend_object* outer = std::exchange(cancel_reason, reason);
  block().scheduler->cancel(block());
  cancel_reason = outer;
}

void CoroutineObject::before_cancel() noexcept {
  if (cancellation_delivered) clear_cancellation();
  if (!cancel_reason || cancellation) return;
  GC_ADDREF(cancel_reason);
  cancellation = cancel_reason;
}

void CoroutineObject::clear_cancellation() noexcept {
  if (cancellation_delivered) --block().cancellations_in_flight;
  cancellation_delivered = false;
  if (cancellation) OBJ_RELEASE(std::exchange(cancellation, nullptr));
}

zend_object* CoroutineObject::deliver_cancellation() noexcept {
  if (!cancellation) {
    cancellation = make_exception(exceptions.async_cancellation,
                                  "Coroutine " + detail::coroutine_label(block()) + " was cancelled");
  }
  if (!cancellation_delivered) {
    // The counter stays incremented, so that PHP code that catches the cancellation may wait again.
    cancellation_delivered = true;
    ++block().cancellations_in_flight;
  }
  GC_ADDREF(cancellation);
  return cancellation;
}

namespace {

void copy_call(CoroutineObject& self, const zend_fcall_info& call, const zend_fcall_info_cache& cache) noexcept {
  self.call = call;
  self.call.retval = nullptr;
  Z_TRY_ADDREF(self.call.function_name);
  self.call.params = nullptr;
  if (call.param_count) {
    self.call.params = static_cast<zval*>(safe_emalloc(call.param_count, sizeof(zval), 0));
    for (uint32_t i = 0; i < call.param_count; ++i) ZVAL_COPY(&self.call.params[i], &call.params[i]);
  }
  if (self.call.named_params) GC_TRY_ADDREF(self.call.named_params);
  self.call_cache = cache;
}

detail::ControlBlock* create_block(const SpawnSettings& settings, void*& storage) {
  try {
    return detail::spawn_begin(settings.owner, {.priority = settings.priority}, engine::kCoroutineEntry,
                               executing_location(), storage);
  } catch (const MisuseError&) {
    rethrow_spawn_error(settings.owner);
  }
}

}  // namespace

CoroutineObject* prepare_coroutine(const SpawnSettings& settings, const zend_fcall_info& call,
                                   const zend_fcall_info_cache& cache) {
  if (!engine::ensure_started()) return nullptr;
  CoroutineObject* self = nullptr;
  catch_to_php([&] {
    void* storage = nullptr;
    detail::ControlBlock* block = create_block(settings, storage);
    self = &Class<CoroutineObject>::make();
    *static_cast<CoroutineObject**>(storage) = self;
    copy_call(*self, call, cache);
    self->handle = detail::Access::coroutine(block);
    GC_ADDREF(object_of(*self));  // the runtime's reference
    block->host = self;
  });
  return self;
}

void enqueue_coroutine(CoroutineObject& coroutine) noexcept {
  detail::ControlBlock& block = coroutine.block();
  detail::spawn_commit(&block);
  // A cancellation requested before spawn_commit() has only set the flag.
  if (__builtin_expect(block.flags & detail::kCancelRequested, 0)) block.scheduler->cancel(block);
}

CoroutineObject* spawn_coroutine(const SpawnSettings& settings, const zend_fcall_info& call,
                                 const zend_fcall_info_cache& cache) {
  CoroutineObject* self = prepare_coroutine(settings, call, cache);
  if (self) enqueue_coroutine(*self);
  return self;
}

void register_coroutine() { Class<CoroutineObject>::setup(register_class_Async_Coroutine(interfaces.completable)); }

}  // namespace trueasync::php
