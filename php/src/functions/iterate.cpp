// iterate(): the library's iteration over what PHP can iterate.
#include "trueasync/iterate.hpp"
#include "engine/hosted.hpp"
#include "exceptions.hpp"
#include "scheduler/scheduler.hpp"
#include "support/call.hpp"
#include "support/error.hpp"
#include "support/iterable.hpp"
#include "support/place.hpp"
#include "trueasync/cancel.hpp"

namespace trueasync::php {

namespace {

using detail::Iteration;

class PhpIteration final : public Iteration {
 public:
  PhpIteration(IterableSource& source, zval* callback, std::size_t concurrency, bool cancel_pending, Place place)
      : Iteration(concurrency, cancel_pending ? OnStop::cancel : OnStop::wait,
                  cancel_pending ? Spawned::cancel : Spawned::wait, place),
        source_(source),
        callback_(callback),
        caller_(engine::current()) {}

  // What the caller itself was cancelled with, if that ended it; the reference is the receiver's.
  zend_object* take_own_cancellation() noexcept { return std::exchange(own_cancellation_, nullptr); }

 private:
  bool step() override {
    bool wants_more = true;
    bool exits = false;
    zend_object* thrown = nullptr;
    engine::run_hosted([&] {
      zval value;
      zval key;
      if (take(&value, &key)) wants_more = call_with(&value, &key);
      exits = EG(exception) && zend_is_unwind_exit(EG(exception));
      thrown = engine::take_thrown();
    });
    if (exits) throw Cancelled("a call of the iteration has ended the program", nullptr);
    if (thrown) raise_thrown(thrown);
    return wants_more;
  }

  bool take(zval* value, zval* key) {
    const Advancing guard(*this);
    if (source_.next(value, key)) return true;
    if (!EG(exception)) exhausted();
    return false;
  }

  bool call_with(zval* value, zval* key) {
    zval result;
    ZVAL_UNDEF(&result);
    before_callback();
    call(callback_, {*value, *key}, &result);
    const bool wants_more = Z_TYPE(result) != IS_FALSE;
    zval_ptr_dtor(&result);
    zval_ptr_dtor(value);
    zval_ptr_dtor(key);
    return wants_more;
  }

  // For the library a cancellation is no error.
  [[noreturn]] void raise_thrown(zend_object* thrown) {
    if (!is_cancellation(thrown) || instanceof_function(thrown->ce, exceptions.operation_canceled))
      throw Thrown(thrown);
    CoroutineObject* here = engine::current();
    if (here == caller_ && !own_cancellation_) {
      own_cancellation_ = thrown;
    } else {
      OBJ_RELEASE(thrown);
    }
    throw Cancelled("a call of the iteration was cancelled", nullptr);
  }

  IterableSource& source_;
  zval* callback_;
  CoroutineObject* caller_;
  zend_object* own_cancellation_ = nullptr;
};

void run(PhpIteration& iteration) {
  CoroutineObject* caller = engine::current();
  const bool was_delivered = caller && caller->cancellation_delivered;
  try {
    iteration.run();
  } catch (const OperationCancelled&) {
    raise(std::current_exception());
  } catch (const Cancelled&) {
    zend_object* own = iteration.take_own_cancellation();
    const bool is_asked = engine::scheduler->running()->flags & detail::kCancelRequested;
    raise(own ? own : is_asked ? engine::own_cancellation() : to_php(std::current_exception()));
  } catch (...) {
    raise(std::current_exception());
  }
  if (zend_object* own = iteration.take_own_cancellation()) OBJ_RELEASE(own);
  // A call of the caller's was stopped as if it were cancelled; the caller was not.
  if (caller && !was_delivered && !(caller->block().flags & detail::kCancelRequested)) caller->forget_cancellation();
}

}  // namespace

}  // namespace trueasync::php

using namespace trueasync::php;

ZEND_FUNCTION(Async_iterate) {
  zval* iterable;
  zend_fcall_info callback;
  zend_fcall_info_cache unused;
  zend_long concurrency = 0;
  bool cancel_pending = true;
  ZEND_PARSE_PARAMETERS_START(2, 4)
  Z_PARAM_ITERABLE(iterable)
  Z_PARAM_FUNC(callback, unused)
  Z_PARAM_OPTIONAL
  Z_PARAM_LONG(concurrency)
  Z_PARAM_BOOL(cancel_pending)
  ZEND_PARSE_PARAMETERS_END();
  if (concurrency < 0) {
    zend_argument_value_error(3, "must be greater than or equal to 0");
    return;
  }
  if (!engine::ensure_started()) return;
  IterableSource source(iterable);
  if (EG(exception)) return;
  guarded([&] {
    PhpIteration iteration(source, &callback.function_name, static_cast<std::size_t>(concurrency), cancel_pending,
                           executing_place());
    run(iteration);
  });
  if (__builtin_expect(engine::is_bailing, 0)) engine::bail_out();
}
