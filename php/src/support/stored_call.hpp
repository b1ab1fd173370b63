// StoredCall: a PHP callable with its arguments, to be called later; and call() for a callable that is called
// immediately.
//
// Ownership: a reference to the callable and to each argument.
// Thread safety: the engine's thread only.
// Errors: EG(exception).
#pragma once

#include <initializer_list>

#include "support/object.hpp"

namespace trueasync::php {

// Calls a callable. Returns false if EG(exception) is set and `result` is undefined. Otherwise the caller owns
// `result`.
bool call(zval* callable, std::initializer_list<zval> arguments, zval* result) noexcept;

class StoredCall {
 public:
  StoredCall() noexcept = default;
  StoredCall(const StoredCall&) = delete;
  StoredCall& operator=(const StoredCall&) = delete;
  ~StoredCall() { reset(); }

  // Copies the results of Z_PARAM_FUNC and Z_PARAM_VARIADIC.
  void assign(const zend_fcall_info& call, const zend_fcall_info_cache& cache) noexcept;
  void reset() noexcept;
  explicit operator bool() const noexcept { return call_.size != 0; }

  // Calls it with the stored arguments. Returns false if EG(exception) is set and `result` is undefined.
  bool operator()(zval* result) noexcept;
  // Calls it with these arguments instead.
  bool operator()(std::initializer_list<zval> arguments, zval* result) noexcept;
  void report(GcBuffer& buffer) noexcept;
  // For callers that do not use operator().
  const zend_fcall_info& call() const noexcept { return call_; }
  const zend_fcall_info_cache& cache() const noexcept { return cache_; }

 private:
  bool run(zend_fcall_info& call, zval* result) noexcept;

  zend_fcall_info call_{};
  zend_fcall_info_cache cache_{};
};

}  // namespace trueasync::php
