#include "support/stored_call.hpp"

namespace trueasync::php {

bool call(zval* callable, std::initializer_list<zval> arguments, zval* result) noexcept {
  zend_fcall_info info{};
  info.size = sizeof(info);
  ZVAL_COPY_VALUE(&info.function_name, callable);
  info.retval = result;
  info.param_count = static_cast<uint32_t>(arguments.size());
  info.params = const_cast<zval*>(arguments.begin());
  ZVAL_UNDEF(result);
  return zend_call_function(&info, nullptr) == SUCCESS && !EG(exception);
}

void StoredCall::assign(const zend_fcall_info& call, const zend_fcall_info_cache& cache) noexcept {
  call_ = call;
  cache_ = cache;
  call_.retval = nullptr;
  Z_TRY_ADDREF(call_.function_name);
  call_.params = nullptr;
  if (call.param_count) {
    call_.params = static_cast<zval*>(safe_emalloc(call.param_count, sizeof(zval), 0));
    for (uint32_t i = 0; i < call.param_count; ++i) ZVAL_COPY(&call_.params[i], &call.params[i]);
  }
  if (call_.named_params) GC_TRY_ADDREF(call_.named_params);
}

void StoredCall::reset() noexcept {
  if (!*this) return;
  zend_fcall_info old = call_;
  call_ = {};
  for (uint32_t i = 0; i < old.param_count; ++i) zval_ptr_dtor(&old.params[i]);
  if (old.params) efree(old.params);
  if (old.named_params) zend_array_release(old.named_params);
  zval_ptr_dtor(&old.function_name);
}

bool StoredCall::run(zend_fcall_info& call, zval* result) noexcept {
  ZVAL_UNDEF(result);
  call.retval = result;
  zend_fcall_info_cache cache = cache_;
  return zend_call_function(&call, &cache) == SUCCESS && !EG(exception);
}

bool StoredCall::operator()(zval* result) noexcept {
  zend_fcall_info call = call_;
  return run(call, result);
}

bool StoredCall::operator()(std::initializer_list<zval> arguments, zval* result) noexcept {
  zend_fcall_info call = call_;
  call.param_count = static_cast<uint32_t>(arguments.size());
  call.params = const_cast<zval*>(arguments.begin());
  call.named_params = nullptr;
  return run(call, result);
}

void StoredCall::report(GcBuffer& buffer) noexcept {
  if (!*this) return;
  buffer.add(&call_.function_name);
  for (uint32_t i = 0; i < call_.param_count; ++i) buffer.add(&call_.params[i]);
  if (!call_.named_params) return;
  zval* argument;
  ZEND_HASH_FOREACH_VAL(call_.named_params, argument) buffer.add(argument);
  ZEND_HASH_FOREACH_END();
}

}  // namespace trueasync::php
