// What functions of the await family are given.
#pragma once

#include "functions/await_many.hpp"
#include "interfaces.hpp"

namespace trueasync::php {

struct AwaitArguments {
  // How many of them a function may be given after the iterable.
  enum class Optional : std::uint8_t { token = 1, key_order, fill_null };
  enum class Count : std::uint8_t { absent, first };

  // False: EG(exception) is set.
  bool parse(zend_execute_data* execute_data, Optional last, Count has_count = Count::absent) {
    const std::uint32_t required = has_count == Count::first ? 2 : 1;
    ZEND_PARSE_PARAMETERS_START(required, required + static_cast<std::uint32_t>(last))
    if (has_count == Count::first) {
      Z_PARAM_LONG(count)
    }
    Z_PARAM_ITERABLE(iterable)
    Z_PARAM_OPTIONAL
    Z_PARAM_OBJECT_OF_CLASS_OR_NULL(token, interfaces.awaitable)
    Z_PARAM_BOOL(keeps_key_order)
    Z_PARAM_BOOL(fills_null)
    ZEND_PARSE_PARAMETERS_END_EX(return false);
    if (count >= 0) return true;
    zend_argument_value_error(1, "must be greater than or equal to 0");
    return false;
  }

  std::size_t successes() const noexcept { return static_cast<std::size_t>(count); }
  AwaitMany::Order order() const noexcept {
    return keeps_key_order ? AwaitMany::Order::input : AwaitMany::Order::completion;
  }
  AwaitMany::Failed failed() const noexcept { return fills_null ? AwaitMany::Failed::null : AwaitMany::Failed::omit; }

  zend_long count = 0;
  zval* iterable = nullptr;
  zval* token = nullptr;
  bool keeps_key_order = true;
  bool fills_null = false;
};

}  // namespace trueasync::php
