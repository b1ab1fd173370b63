#include "support/call.hpp"

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

}  // namespace trueasync::php
