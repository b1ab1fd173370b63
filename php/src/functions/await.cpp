// Async\await() and the functions that await several objects: await_all(), await_any_of() and their variants.
#include "engine/runtime.hpp"
#include "exceptions.hpp"
#include "functions/await_many.hpp"
#include "interfaces.hpp"
#include "support/error.hpp"
#include "support/object.hpp"
#include "support/wait.hpp"

namespace trueasync::php {

namespace {

// AwaitArguments: the arguments of a function that awaits several objects.
struct AwaitArguments {
  // The last optional parameter that a function has, in the order of the parameters after the iterable.
  enum class LastOptional : std::uint8_t { token = 1, key_order, fill_null };
  // Whether the first parameter is $count.
  enum class Count : std::uint8_t { absent, first };

  // Returns false if EG(exception) is set.
  bool parse(zend_execute_data* execute_data, LastOptional last, Count has_count = Count::absent) {
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

// Returns [results, errors].
void return_results_and_errors(zval* return_value, detail::AwaitGoal goal, const AwaitArguments& arguments) {
  AwaitMany* many = await_many(goal, arguments.iterable, arguments.token);
  if (!many) return;
  zval results;
  zval errors;
  array_init(&results);
  array_init(&errors);
  many->collect(&results, &errors, arguments.order(), arguments.failed());
  delete many;
  array_init_size(return_value, 2);
  add_next_index_zval(return_value, &results);
  add_next_index_zval(return_value, &errors);
}

// Returns the results, or throws the first failure.
void return_results(zval* return_value, detail::AwaitGoal goal, const AwaitArguments& arguments,
                    AwaitMany::Pending pending) {
  AwaitMany* many = await_many(goal, arguments.iterable, arguments.token);
  if (!many) return;
  if (many->check_no_failure(pending)) {
    array_init(return_value);
    many->collect(return_value, nullptr, arguments.order(), AwaitMany::Failed::omit);
  }
  delete many;
}

}  // namespace

}  // namespace trueasync::php

using namespace trueasync::php;
using LastOptional = AwaitArguments::LastOptional;
using Count = AwaitArguments::Count;

ZEND_FUNCTION(Async_await) {
  zval* awaitable;
  zval* token = nullptr;
  ZEND_PARSE_PARAMETERS_START(1, 2)
  Z_PARAM_OBJECT(awaitable)
  Z_PARAM_OPTIONAL
  Z_PARAM_OBJECT_OF_CLASS_OR_NULL(token, interfaces.completable)
  ZEND_PARSE_PARAMETERS_END();
  AwaitableSource* source = completable_source(awaitable);
  if (__builtin_expect(!source, 0)) {
    zend_argument_type_error(1, "must be of type Async\\Completable, %s given", zend_zval_type_name(awaitable));
    return;
  }
  if (!engine::ensure_started()) return;
  await_source(*source, token ? completable_source(token) : nullptr, return_value, executing_location());
}

ZEND_FUNCTION(Async_await_all) {
  AwaitArguments arguments;
  if (arguments.parse(execute_data, LastOptional::fill_null)) return_results_and_errors(return_value, {}, arguments);
}

ZEND_FUNCTION(Async_await_all_or_fail) {
  AwaitArguments arguments;
  if (!arguments.parse(execute_data, LastOptional::key_order)) return;
  return_results(return_value, {.stop_at_failure = true}, arguments, AwaitMany::Pending::cancel);
}

ZEND_FUNCTION(Async_await_any_of) {
  AwaitArguments arguments;
  if (!arguments.parse(execute_data, LastOptional::fill_null, Count::first)) return;
  return_results_and_errors(return_value, {.successes = arguments.successes()}, arguments);
}

ZEND_FUNCTION(Async_await_any_of_or_fail) {
  AwaitArguments arguments;
  if (!arguments.parse(execute_data, LastOptional::key_order, Count::first)) return;
  return_results(return_value, {.successes = arguments.successes(), .stop_at_failure = true}, arguments,
                 AwaitMany::Pending::keep);
}

ZEND_FUNCTION(Async_await_any_or_fail) {
  AwaitArguments arguments;
  if (!arguments.parse(execute_data, LastOptional::token)) return;
  AwaitMany* many = await_many({.successes = 1, .stop_at_failure = true}, arguments.iterable, arguments.token);
  if (!many) return;
  if (many->settled() == 0) {
    throw_exception(exceptions.async, "Cannot call await_any_or_fail() with an empty iterable");
  } else if (many->check_no_failure(AwaitMany::Pending::keep)) {
    many->take_first(return_value);
  }
  delete many;
}

ZEND_FUNCTION(Async_await_first_success) {
  AwaitArguments arguments;
  if (!arguments.parse(execute_data, LastOptional::token)) return;
  AwaitMany* many = await_many({.successes = 1}, arguments.iterable, arguments.token);
  if (!many) return;
  zval result;
  zval results;
  zval errors;
  many->take_first(&result);
  array_init(&results);
  array_init(&errors);
  many->collect(&results, &errors, AwaitMany::Order::input, AwaitMany::Failed::omit);
  delete many;
  zval_ptr_dtor(&results);
  array_init_size(return_value, 2);
  add_next_index_zval(return_value, &result);
  add_next_index_zval(return_value, &errors);
}
