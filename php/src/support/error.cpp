#include "support/error.hpp"

#include <vector>

#include "engine/runtime.hpp"
#include "exceptions.hpp"
#include "support/exception_message.hpp"
#include "trueasync/cancel.hpp"
#include "trueasync/channel.hpp"
#include "trueasync/circuit_breaker.hpp"
#include "trueasync/composite_error.hpp"
#include "trueasync/error.hpp"
#include "trueasync/io_error.hpp"
#include "trueasync/pool_error.hpp"

namespace trueasync::php {

namespace {

// With a text of its own: the library does not know what PHP's exceptions say.
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
  return make_exception(exceptions.operation_canceled, error.what(), cause);
}

// The whole report is a warning, the message its first line.
zend_object* from_deadlock(const std::string& report) {
  if (INI_BOOL("async.debug_deadlock")) zend_error(E_WARNING, "%s", report.c_str());
  std::string message = report.substr(0, report.find('\n'));
  message[0] = 'D';
  return make_exception(exceptions.deadlock, message);
}

// In the order from the special to the general.
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
    zend_object* exception = make_exception(exceptions.channel, e.what());
    if (fill_channel_exception) fill_channel_exception(exception, e);
    return exception;
  } catch (const ServiceUnavailableError& e) {
    return make_exception(exceptions.service_unavailable, e.what());
  } catch (const PoolError& e) {
    return make_exception(exceptions.pool, e.what());
  } catch (const DeadlockError& e) {
    return from_deadlock(e.what());
  } catch (const IoError& e) {
    return make_exception(exceptions.input_output, e.what());
  } catch (const std::exception& e) {
    return make_exception(exceptions.async, e.what());
  } catch (...) {
    return make_exception(exceptions.async, "an unknown error");
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
