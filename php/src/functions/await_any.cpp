// Those of the await family that give the result of one.
#include "exceptions.hpp"
#include "functions/await_arguments.hpp"
#include "support/error.hpp"

using namespace trueasync::php;

ZEND_FUNCTION(Async_await_any_or_fail) {
  AwaitArguments given;
  if (!given.parse(execute_data, AwaitArguments::Optional::token)) return;
  AwaitMany* many = await_many({.successes = 1, .stop_at_failure = true}, given.iterable, given.token);
  if (!many) return;
  if (many->settled() == 0) {
    throw_exception(exceptions.async,
                    "await_any_or_fail() of nothing: the iterable is empty, there is no first to finish");
  } else if (many->check_no_failure(AwaitMany::Others::keep)) {
    many->take_first(return_value);
  }
  delete many;
}

ZEND_FUNCTION(Async_await_first_success) {
  AwaitArguments given;
  if (!given.parse(execute_data, AwaitArguments::Optional::token)) return;
  AwaitMany* many = await_many({.successes = 1}, given.iterable, given.token);
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
