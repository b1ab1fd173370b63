// PHP callables as handlers of the library's scopes.
//
// Lifetime: ScopeErrorCall and ScopeFinallyCall are stored in the library's scope and may outlive its PHP object.
// Thread safety: the engine's thread only.
// Errors: an exception of the callable is thrown as PhpException, except as stated for AwaitErrorCall.
#pragma once

#include <memory>

#include "scope.hpp"
#include "support/stored_call.hpp"

namespace trueasync::php {

// ScopeErrorCall: the handler of setExceptionHandler() and setChildScopeExceptionHandler(). Calls the callable with
// (scope, coroutine, exception). If its only parameter, or its first parameter by type, is the exception, calls it with
// (exception, coroutine, scope).
class ScopeErrorCall {
 public:
  ScopeErrorCall(detail::ScopeState& scope, const zend_fcall_info& call, const zend_fcall_info_cache& cache);
  void operator()(const std::exception_ptr& error, const Coroutine& from) const;
  void report(GcBuffer& buffer) const noexcept { call_->report(buffer); }

 private:
  detail::ScopeState* scope_;  // owns this handler
  std::shared_ptr<StoredCall> call_;
  bool exception_first_;
};

// AwaitErrorCall: the handler of awaitAfterCancellation(). Calls the callable with (exception, scope). Exceptions of
// the callable are chained in `thrown`, for the waiting coroutine.
class AwaitErrorCall {
 public:
  AwaitErrorCall(detail::ScopeState& scope, StoredCall& call, zend_object*& thrown) noexcept
      : scope_(&scope), call_(&call), thrown_(&thrown) {}
  void operator()(const std::exception_ptr& error, const Coroutine& from) const;

 private:
  detail::ScopeState* scope_;
  StoredCall* call_;  // owned by the waiting coroutine
  zend_object** thrown_;
};

// ScopeFinallyCall: a handler of finally(). Calls the closure with the scope, in a separate coroutine.
class ScopeFinallyCall {
 public:
  ScopeFinallyCall(detail::ScopeState& scope, const zval* closure) noexcept : scope_(&scope), closure_(closure) {}
  void operator()() const;
  const Value& callable() const noexcept { return closure_; }

 private:
  detail::ScopeState* scope_;
  Value closure_;
};

}  // namespace trueasync::php
