#include "scope_handlers.hpp"

#include "engine/library_coroutine.hpp"
#include "exceptions.hpp"
#include "support/error.hpp"
#include "support/stored_call.hpp"

namespace trueasync::php {

namespace {

// Whether a parameter of that type accepts an Async\Scope.
bool accepts_scope(zend_type type) {
  if (!ZEND_TYPE_IS_SET(type)) return true;
  if (ZEND_TYPE_FULL_MASK(type) & MAY_BE_OBJECT) return true;
  zend_type* part;
  ZEND_TYPE_FOREACH(type, part) {
    if (!ZEND_TYPE_HAS_NAME(*part)) continue;
    const zend_class_entry* entry = zend_lookup_class(ZEND_TYPE_NAME(*part));
    if (entry && instanceof_function(Class<ScopeObject>::entry, entry)) return true;
  }
  ZEND_TYPE_FOREACH_END();
  return false;
}

// Upstream's documentation shows both function (Throwable $e) and function ($scope, $coroutine, $exception).
bool wants_exception_first(const zend_function& function) {
  const uint32_t count = function.common.num_args;
  if (count == 1 && !(function.common.fn_flags & ZEND_ACC_VARIADIC)) return true;
  return count >= 1 && !accepts_scope(function.common.arg_info[0].type);
}

std::shared_ptr<StoredCall> store(const zend_fcall_info& call, const zend_fcall_info_cache& cache) {
  auto stored = std::make_shared<StoredCall>();
  stored->assign(call, cache);
  return stored;
}

// Calls a handler at any point where an error becomes unobserved. The exception state of the interrupted code is saved
// and restored. Returns the exception that the handler threw, or null; the caller gets the reference.
zend_object* call_isolated(StoredCall& stored, std::initializer_list<zval> arguments) noexcept {
  zend_object* thrown = nullptr;
  engine::run_php_code([&] {
    zend_object* exception = std::exchange(EG(exception), nullptr);
    zend_object* previous = std::exchange(EG(prev_exception), nullptr);
    const zend_op* opline = EG(opline_before_exception);
    zval result;
    if (stored(arguments, &result)) zval_ptr_dtor(&result);
    thrown = engine::take_thrown();
    EG(exception) = exception;
    EG(prev_exception) = previous;
    EG(opline_before_exception) = opline;
  });
  return thrown;
}

struct Arguments {
  zval scope;
  zval coroutine;
  zval exception;

  Arguments(detail::ScopeState& state, const std::exception_ptr& error, const Coroutine& from) {
    ZVAL_OBJ(&exception, to_php(error));
    ZVAL_OBJ(&scope, scope_object(state));
    ZVAL_OBJ(&coroutine, engine::coroutine_object(*detail::Access::block(from)));
  }
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;
  ~Arguments() {
    zval_ptr_dtor(&exception);
    zval_ptr_dtor(&scope);
    zval_ptr_dtor(&coroutine);
  }
};

}  // namespace

ScopeErrorCall::ScopeErrorCall(detail::ScopeState& scope, const zend_fcall_info& call,
                               const zend_fcall_info_cache& cache)
    : scope_(&scope), call_(store(call, cache)), exception_first_(wants_exception_first(*cache.function_handler)) {}

void ScopeErrorCall::operator()(const std::exception_ptr& error, const Coroutine& from) const {
  const std::shared_ptr<StoredCall> call = call_;  // the handler may replace itself while it runs
  Arguments arguments(*scope_, error, from);
  zend_object* thrown = exception_first_
                            ? call_isolated(*call, {arguments.exception, arguments.coroutine, arguments.scope})
                            : call_isolated(*call, {arguments.scope, arguments.coroutine, arguments.exception});
  if (thrown) throw PhpException(thrown);
}

void AwaitErrorCall::operator()(const std::exception_ptr& error, const Coroutine& from) const {
  Arguments arguments(*scope_, error, from);
  zend_object* thrown = call_isolated(*call_, {arguments.exception, arguments.scope});
  if (!thrown) return;
  if (*thrown_) zend_exception_set_previous(thrown, *thrown_);
  *thrown_ = thrown;
}

void ScopeFinallyCall::operator()() const {
  if (!engine::scheduler) return;  // a fatal error ended the request before the scope finished
  Value closure = closure_;
  zend_object* thrown = nullptr;
  engine::run_php_code([&] {
    zval argument;
    zval result;
    ZVAL_OBJ(&argument, scope_object(*scope_));
    if (call(closure.get(), {argument}, &result)) zval_ptr_dtor(&result);
    zval_ptr_dtor(&argument);
    thrown = engine::take_thrown();
  });
  if (!thrown) return;
  if (!is_cancellation(thrown) || !(engine::scheduler->running()->flags & detail::kCancelRequested))
    throw PhpException(thrown);
  OBJ_RELEASE(thrown);  // the requested cancellation of this coroutine is not an error
}

}  // namespace trueasync::php
