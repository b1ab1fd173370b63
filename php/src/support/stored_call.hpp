// StoredCall: a callable that was given to us, with arguments if it came with some, to be called later.
//
// Owns: a reference to the callable and to each argument. Threads: the engine's. Errors: EG(exception).
#pragma once

#include <initializer_list>

#include "support/object.hpp"

namespace trueasync::php {

class StoredCall {
 public:
  StoredCall() noexcept = default;
  StoredCall(const StoredCall&) = delete;
  StoredCall& operator=(const StoredCall&) = delete;
  ~StoredCall() { reset(); }

  // Copies what Z_PARAM_FUNC and Z_PARAM_VARIADIC gave.
  void assign(const zend_fcall_info& call, const zend_fcall_info_cache& cache) noexcept;
  void reset() noexcept;
  explicit operator bool() const noexcept { return call_.size != 0; }

  // With the arguments it came with. False: EG(exception) is set, and `result` undefined.
  bool operator()(zval* result) noexcept;
  // With these instead.
  bool operator()(std::initializer_list<zval> arguments, zval* result) noexcept;
  void report(GcBuffer& buffer) noexcept;
  // For whoever calls it in another way.
  const zend_fcall_info& call() const noexcept { return call_; }
  const zend_fcall_info_cache& cache() const noexcept { return cache_; }

 private:
  bool run(zend_fcall_info& call, zval* result) noexcept;

  zend_fcall_info call_{};
  zend_fcall_info_cache cache_{};
};

}  // namespace trueasync::php
