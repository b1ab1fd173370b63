#include "support/error.hpp"

#include <algorithm>
#include <vector>

#include "engine/runtime.hpp"
#include "exceptions.hpp"
#include "trueasync/cancel.hpp"
#include "trueasync/error.hpp"
#include "trueasync/io/error.hpp"
#include "trueasync/pool/circuit_breaker.hpp"
#include "trueasync/pool/options.hpp"
#include "trueasync/sync/channel.hpp"

namespace trueasync::php {

namespace {

// Builds its own message, because the library cannot read the messages of PHP exceptions.
zend_object* from_composite(const CompositeError& error) {
  std::vector<zend_object*> parts;
  std::string text = std::to_string(error.errors().size()) + (error.errors().size() == 1 ? " error" : " errors");
  for (const std::exception_ptr& part : error.errors()) {
    zend_object* object = parts.emplace_back(to_php(part));
    text.append("; ").append(ZSTR_VAL(object->ce->name)).append(": ").append(message_of(object));
  }
  zend_object* composite = make_exception(exceptions.composite, text);
  for (zend_object* part : parts) add_to_composite(composite, part);
  return composite;
}

zend_object* from_token(const OperationCancelled& error) {
  zend_object* cause = error.cause() ? to_php(error.cause()) : nullptr;
  return make_exception(exceptions.operation_canceled, "Operation has been cancelled", cause);
}

// Programs compare the first line. The reason is a property; the report of a deadlock follows the first line.
zend_object* from_channel(const ChannelError& error) {
  const std::string_view text = error.what();
  const std::string_view report = text.substr(std::min(text.find('\n'), text.size()));
  zend_object* exception = make_exception(exceptions.channel, std::string("Channel is closed").append(report));
  if (fill_channel_exception) fill_channel_exception(exception, error);
  return exception;
}

// Programs compare the message. The state of the breaker and the last failure are in the previous exception.
zend_object* from_breaker(const ServiceUnavailableError& error) {
  zend_object* details = make_exception(exceptions.async, error.what());
  return make_exception(exceptions.service_unavailable, "Service is unavailable (circuit breaker is open)", details);
}

// The report has one line "  coroutine #…" for each coroutine. The scheduler cannot be used instead: the error may be
// converted after the coroutines were cancelled.
std::size_t count_coroutines(std::string_view report) noexcept {
  constexpr std::string_view kCoroutine = "\n  coroutine ";
  std::size_t count = 0;
  for (auto found = report.find(kCoroutine); found != report.npos; found = report.find(kCoroutine, found + 1)) ++count;
  return count;
}

// The full report is a warning; the message has a fixed form that programs compare.
zend_object* from_deadlock(const std::string& report) {
  if (INI_BOOL("async.debug_deadlock")) zend_error(E_WARNING, "%s", report.c_str());
  return make_exception(exceptions.deadlock, "Deadlock detected: no active coroutines, " +
                                                 std::to_string(count_coroutines(report)) + " coroutines in waiting");
}

// Derived classes first.
zend_object* translate(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const PhpException& thrown) {
    GC_ADDREF(thrown.object());
    return thrown.object();
  } catch (const OperationCancelled& e) {
    return from_token(e);
  } catch (const Cancelled& e) {
    return e.is_own() ? engine::own_cancellation() : make_exception(exceptions.async_cancellation, e.what());
  } catch (const CompositeError& e) {
    return from_composite(e);
  } catch (const TimeoutError& e) {
    return make_exception(exceptions.timeout, e.what());
  } catch (const ChannelError& e) {
    return from_channel(e);
  } catch (const ServiceUnavailableError& e) {
    return from_breaker(e);
  } catch (const PoolClosedError&) {
    return make_exception(exceptions.pool, "Pool is closed");
  } catch (const PoolError& e) {
    return make_exception(exceptions.pool, e.what());
  } catch (const DeadlockError& e) {
    return from_deadlock(e.what());
  } catch (const IoError& e) {
    return make_exception(exceptions.input_output, e.what());
  } catch (const std::exception& e) {
    return make_exception(exceptions.async, e.what());
  } catch (...) {
    return make_exception(exceptions.async, "Unknown C++ exception");
  }
}

}  // namespace

void add_to_composite(zend_object* composite, zend_object* part) noexcept {
  zval argument;
  zval result;
  ZVAL_OBJ(&argument, part);
  zend_call_method_with_1_params(composite, composite->ce, nullptr, "addexception", &result, &argument);
  zval_ptr_dtor(&result);
  OBJ_RELEASE(part);
}

std::exception_ptr to_cpp(zend_object* object) noexcept { return std::make_exception_ptr(PhpException(object)); }

zend_object* to_php(const std::exception_ptr& error) noexcept { return translate(error); }

zend_object* make_exception(zend_class_entry* entry, const std::string& message, zend_object* previous) noexcept {
  zval exception;
  zval text;
  object_init_ex(&exception, entry);
  ZVAL_STRINGL(&text, message.data(), message.size());
  zend_update_property_ex(zend_get_exception_base(Z_OBJ(exception)), Z_OBJ(exception), ZSTR_KNOWN(ZEND_STR_MESSAGE),
                          &text);
  zval_ptr_dtor(&text);
  if (previous) zend_exception_set_previous(Z_OBJ(exception), previous);
  return Z_OBJ(exception);
}

void throw_exception(zend_object* object) noexcept {
  if (__builtin_expect(engine::is_bailing, 0)) engine::bail_out();
  if (zend_is_unwind_exit(object)) {
    EG(exception) = object;
  } else {
    zend_throw_exception_internal(object);
  }
}

void throw_exception(const std::exception_ptr& error) noexcept { throw_exception(to_php(error)); }

void throw_exception(zend_class_entry* entry, const std::string& message) noexcept {
  throw_exception(make_exception(entry, message));
}

zend_object* take_exception() noexcept { return std::exchange(EG(exception), nullptr); }

}  // namespace trueasync::php
