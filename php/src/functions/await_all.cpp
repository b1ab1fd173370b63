// Those of the await family that give the results of several.
#include "functions/await_many.hpp"
#include "interfaces.hpp"
#include "support/error.hpp"

namespace trueasync::php {

namespace {

AwaitMany::Order order_of(bool keeps_key_order) noexcept {
  return keeps_key_order ? AwaitMany::Order::input : AwaitMany::Order::completion;
}

AwaitMany::Failed failed_of(bool fills_null) noexcept {
  return fills_null ? AwaitMany::Failed::null : AwaitMany::Failed::left_out;
}

// [results, errors]
void return_pair(zval* return_value, detail::AwaitGoal goal, zval* iterable, zval* token, AwaitMany::Order order,
                 AwaitMany::Failed failed) {
  AwaitMany* many = await_many(goal, iterable, token);
  if (!many) return;
  zval results;
  zval errors;
  array_init(&results);
  array_init(&errors);
  many->collect(&results, &errors, order, failed);
  delete many;
  array_init_size(return_value, 2);
  add_next_index_zval(return_value, &results);
  add_next_index_zval(return_value, &errors);
}

void return_results(zval* return_value, detail::AwaitGoal goal, zval* iterable, zval* token, AwaitMany::Order order,
                    AwaitMany::Others others) {
  AwaitMany* many = await_many(goal, iterable, token);
  if (!many) return;
  if (many->check_no_failure(others)) {
    array_init(return_value);
    many->collect(return_value, nullptr, order, AwaitMany::Failed::left_out);
  }
  delete many;
}

bool check_count(zend_long count) {
  if (count >= 0) return true;
  zend_argument_value_error(1, "must be greater than or equal to 0");
  return false;
}

}  // namespace

}  // namespace trueasync::php

using namespace trueasync::php;

ZEND_FUNCTION(Async_await_all) {
  zval* iterable;
  zval* token = nullptr;
  bool keeps_key_order = true;
  bool fills_null = false;
  ZEND_PARSE_PARAMETERS_START(1, 4)
  Z_PARAM_ITERABLE(iterable)
  Z_PARAM_OPTIONAL
  Z_PARAM_OBJECT_OF_CLASS_OR_NULL(token, interfaces.awaitable)
  Z_PARAM_BOOL(keeps_key_order)
  Z_PARAM_BOOL(fills_null)
  ZEND_PARSE_PARAMETERS_END();
  return_pair(return_value, {}, iterable, token, order_of(keeps_key_order), failed_of(fills_null));
}

ZEND_FUNCTION(Async_await_all_or_fail) {
  zval* iterable;
  zval* token = nullptr;
  bool keeps_key_order = true;
  ZEND_PARSE_PARAMETERS_START(1, 3)
  Z_PARAM_ITERABLE(iterable)
  Z_PARAM_OPTIONAL
  Z_PARAM_OBJECT_OF_CLASS_OR_NULL(token, interfaces.awaitable)
  Z_PARAM_BOOL(keeps_key_order)
  ZEND_PARSE_PARAMETERS_END();
  return_results(return_value, {.stop_at_failure = true}, iterable, token, order_of(keeps_key_order),
                 AwaitMany::Others::cancel);
}

ZEND_FUNCTION(Async_await_any_of) {
  zend_long count;
  zval* iterable;
  zval* token = nullptr;
  bool keeps_key_order = true;
  bool fills_null = false;
  ZEND_PARSE_PARAMETERS_START(2, 5)
  Z_PARAM_LONG(count)
  Z_PARAM_ITERABLE(iterable)
  Z_PARAM_OPTIONAL
  Z_PARAM_OBJECT_OF_CLASS_OR_NULL(token, interfaces.awaitable)
  Z_PARAM_BOOL(keeps_key_order)
  Z_PARAM_BOOL(fills_null)
  ZEND_PARSE_PARAMETERS_END();
  if (!check_count(count)) return;
  return_pair(return_value, {.successes = static_cast<std::size_t>(count)}, iterable, token, order_of(keeps_key_order),
              failed_of(fills_null));
}

ZEND_FUNCTION(Async_await_any_of_or_fail) {
  zend_long count;
  zval* iterable;
  zval* token = nullptr;
  bool keeps_key_order = true;
  ZEND_PARSE_PARAMETERS_START(2, 4)
  Z_PARAM_LONG(count)
  Z_PARAM_ITERABLE(iterable)
  Z_PARAM_OPTIONAL
  Z_PARAM_OBJECT_OF_CLASS_OR_NULL(token, interfaces.awaitable)
  Z_PARAM_BOOL(keeps_key_order)
  ZEND_PARSE_PARAMETERS_END();
  if (!check_count(count)) return;
  return_results(return_value, {.successes = static_cast<std::size_t>(count), .stop_at_failure = true}, iterable, token,
                 order_of(keeps_key_order), AwaitMany::Others::keep);
}
