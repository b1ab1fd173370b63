// Async\iterate(): the library's concurrent iteration over a PHP iterable.
#include "engine/library_coroutine.hpp"
#include "support/iterable.hpp"
#include "support/library_call.hpp"
#include "support/source_location.hpp"
#include "trueasync/detail/iteration.hpp"

namespace trueasync::php {

namespace {

using detail::Iteration;

class PhpIteration final : public Iteration {
 public:
  PhpIteration(IterableSource& source, StoredCall& callback, std::size_t concurrency, bool cancel_pending,
               SourceLocation location)
      : Iteration(concurrency, cancel_pending ? OnStop::cancel : OnStop::wait,
                  cancel_pending ? Spawned::cancel : Spawned::wait, location),
        source_(source),
        callback_(callback) {}

 private:
  // Runs one element. Returns false to stop the iteration.
  bool step() override {
    bool continues = true;
    bool exits = false;
    zend_object* thrown = nullptr;
    engine::run_php_code([&] {
      zval value;
      zval key;
      if (take(&value, &key)) continues = call_with(&value, &key);
      exits = EG(exception) && zend_is_unwind_exit(EG(exception));
      thrown = engine::take_thrown();
    });
    if (exits) throw detail::Access::cancelled("exit() was called", engine::scheduler->running());
    if (!thrown) return continues;
    if (is_own_cancellation(thrown)) throw PhpCancellation(thrown);
    throw PhpException(thrown);
  }

  // Returns false if there are no more elements, or EG(exception) is set.
  bool take(zval* value, zval* key) {
    const AdvanceGuard guard(*this);
    if (source_.next(value, key)) return true;
    if (!EG(exception)) mark_exhausted();
    return false;
  }

  // Calls the callback and releases value and key. Returns false if the callback returned false.
  bool call_with(zval* value, zval* key) {
    zval result;
    ZVAL_UNDEF(&result);
    before_callback();
    callback_({*value, *key}, &result);
    const bool continues = Z_TYPE(result) != IS_FALSE;
    zval_ptr_dtor(&result);
    zval_ptr_dtor(value);
    zval_ptr_dtor(key);
    return continues;
  }

  IterableSource& source_;
  StoredCall& callback_;
};

void run(PhpIteration& iteration) {
  CoroutineObject* caller = engine::current();
  const bool was_delivered = caller && caller->cancellation_delivered;
  std::exception_ptr error;
  try {
    iteration.run();
  } catch (...) {
    error = std::current_exception();
  }
  if (engine::is_bailing) return;
  if (error) throw_exception(error);
  // A stopped iteration delivers a cancellation to the callback that runs in the caller. The caller itself was not
  // cancelled, so it must not stay marked as cancelled.
  if (caller && !was_delivered && !(caller->block().flags & detail::kCancelRequested)) caller->clear_cancellation();
}

}  // namespace

}  // namespace trueasync::php

using namespace trueasync::php;

ZEND_FUNCTION(Async_iterate) {
  zval* iterable;
  zend_fcall_info callback;
  zend_fcall_info_cache cache;
  zend_long concurrency = 0;
  bool cancel_pending = true;
  ZEND_PARSE_PARAMETERS_START(2, 4)
  Z_PARAM_ITERABLE(iterable)
  Z_PARAM_FUNC(callback, cache)
  Z_PARAM_OPTIONAL
  Z_PARAM_LONG(concurrency)
  Z_PARAM_BOOL(cancel_pending)
  ZEND_PARSE_PARAMETERS_END();
  if (concurrency < 0) {
    zend_argument_value_error(3, "must be greater than or equal to 0");
    return;
  }
  if (!engine::ensure_started()) return;
  StoredCall stored;
  stored.assign(callback, cache);
  IterableSource source(iterable);
  if (EG(exception)) return;
  catch_to_php([&] {
    PhpIteration iteration(source, stored, static_cast<std::size_t>(concurrency), cancel_pending, executing_location());
    run(iteration);
  });
  if (__builtin_expect(engine::is_bailing, 0)) engine::bail_out();
}
