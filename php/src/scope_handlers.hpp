// PHP callables as handlers of the library's scopes. They live with the scope, not with its object.
#pragma once

#include <memory>

#include "scope.hpp"
#include "support/stored_call.hpp"

namespace trueasync::php {

// For setExceptionHandler and its like: called with (scope, coroutine, exception), or with the exception first where the
// callable's first parameter takes nothing but that.
class ScopeErrorCall {
 public:
  ScopeErrorCall(detail::ScopeState& scope, const zend_fcall_info& call, const zend_fcall_info_cache& cache);
  void operator()(const std::exception_ptr& error, const Coroutine& from) const;
  void report(GcBuffer& buffer) const noexcept { call_->report(buffer); }

 private:
  detail::ScopeState* scope_;  // it holds this
  std::shared_ptr<StoredCall> call_;
  bool exception_first_;
};

// For awaitAfterCancellation: called with (exception, scope). What the callable throws is kept for the one who waits.
class EndErrorCall {
 public:
  EndErrorCall(detail::ScopeState& scope, StoredCall& call, zend_object*& thrown) noexcept
      : scope_(&scope), call_(&call), thrown_(&thrown) {}
  void operator()(const std::exception_ptr& error, const Coroutine& from) const;

 private:
  detail::ScopeState* scope_;
  StoredCall* call_;  // the one who waits holds it
  zend_object** thrown_;
};

// For finally: called with the scope, in a coroutine of its own.
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
