// Those of the await family that give the results of several.
#include "functions/await_arguments.hpp"
#include "support/error.hpp"

namespace trueasync::php {

namespace {

// [results, errors]
void return_pair(zval* return_value, detail::AwaitGoal goal, const AwaitArguments& given) {
  AwaitMany* many = await_many(goal, given.iterable, given.token);
  if (!many) return;
  zval results;
  zval errors;
  array_init(&results);
  array_init(&errors);
  many->collect(&results, &errors, given.order(), given.failed());
  delete many;
  array_init_size(return_value, 2);
  add_next_index_zval(return_value, &results);
  add_next_index_zval(return_value, &errors);
}

void return_results(zval* return_value, detail::AwaitGoal goal, const AwaitArguments& given, AwaitMany::Others others) {
  AwaitMany* many = await_many(goal, given.iterable, given.token);
  if (!many) return;
  if (many->check_no_failure(others)) {
    array_init(return_value);
    many->collect(return_value, nullptr, given.order(), AwaitMany::Failed::omit);
  }
  delete many;
}

}  // namespace

}  // namespace trueasync::php

using namespace trueasync::php;
using Optional = AwaitArguments::Optional;
using Count = AwaitArguments::Count;

ZEND_FUNCTION(Async_await_all) {
  AwaitArguments given;
  if (given.parse(execute_data, Optional::fill_null)) return_pair(return_value, {}, given);
}

ZEND_FUNCTION(Async_await_all_or_fail) {
  AwaitArguments given;
  if (!given.parse(execute_data, Optional::key_order)) return;
  return_results(return_value, {.stop_at_failure = true}, given, AwaitMany::Others::cancel);
}

ZEND_FUNCTION(Async_await_any_of) {
  AwaitArguments given;
  if (!given.parse(execute_data, Optional::fill_null, Count::first)) return;
  return_pair(return_value, {.successes = given.successes()}, given);
}

ZEND_FUNCTION(Async_await_any_of_or_fail) {
  AwaitArguments given;
  if (!given.parse(execute_data, Optional::key_order, Count::first)) return;
  return_results(return_value, {.successes = given.successes(), .stop_at_failure = true}, given,
                 AwaitMany::Others::keep);
}
