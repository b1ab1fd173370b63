#include "context.hpp"

#include "exceptions.hpp"
#include "generated/context_arginfo.h"
#include "scope.hpp"
#include "support/error.hpp"

namespace trueasync::php {

namespace {

// Holds a reference to a key that is an object, so that its address stays unique.
struct Entry {
  Value key;
  Value value;
};

zend_object* make_object(Context context) {
  ContextObject& object = Class<ContextObject>::make();
  object.context.emplace(std::move(context));
  return Class<ContextObject>::object_of(object);
}

// The key argument of a method: a string or an object.
struct Key {
  zend_string* text = nullptr;
  zend_object* object = nullptr;

  RawContextKey raw() const {
    if (text) return RawContextKey(std::string_view(ZSTR_VAL(text), ZSTR_LEN(text)));
    return RawContextKey(object, std::string_view(ZSTR_VAL(object->ce->name), ZSTR_LEN(object->ce->name)));
  }
  std::string describe() const {
    return object ? "of type " + std::string(ZSTR_VAL(object->ce->name))
                  : '"' + std::string(ZSTR_VAL(text), ZSTR_LEN(text)) + '"';
  }
};

Context& this_context(zval* value) noexcept { return *Class<ContextObject>::self(value).context; }

const Entry* to_entry(const std::shared_ptr<void>& found) noexcept { return static_cast<const Entry*>(found.get()); }

enum class OnMissing : std::uint8_t { return_null, throw_exception };

bool parse_key(zend_execute_data* execute_data, Key& key) {
  ZEND_PARSE_PARAMETERS_START(1, 1)
  Z_PARAM_OBJ_OR_STR(key.object, key.text)
  ZEND_PARSE_PARAMETERS_END_EX(return false);
  return true;
}

void return_value_of_key(INTERNAL_FUNCTION_PARAMETERS, ContextLookup lookup, OnMissing on_missing) {
  Key key;
  if (!parse_key(execute_data, key)) return;
  catch_to_php([&] {
    const std::shared_ptr<void> found = this_context(ZEND_THIS).find_raw(key.raw(), lookup);
    if (found) return to_entry(found)->value.copy_to(return_value);
    if (on_missing == OnMissing::return_null) return;
    throw_exception(exceptions.context, "Context key " + key.describe() + " not found");
  });
}

void return_has_key(INTERNAL_FUNCTION_PARAMETERS, ContextLookup lookup) {
  Key key;
  if (!parse_key(execute_data, key)) return;
  catch_to_php([&] { RETVAL_BOOL(this_context(ZEND_THIS).find_raw(key.raw(), lookup) != nullptr); });
}

}  // namespace

void ContextObject::report(GcBuffer& buffer) noexcept {
  if (!context) return;
  context->for_each_raw([&](const RawContextKey&, const std::shared_ptr<void>& value) {
    buffer.add(to_entry(value)->key);
    buffer.add(to_entry(value)->value);
  });
}

zend_object* context_object(detail::ScopeState& scope) {
  ScopeExtension& extension = extension_of(scope);
  if (!extension.context)
    extension.context = make_object(context_of(detail::Access::scope(Ref<detail::ScopeState>(&scope))));
  GC_ADDREF(extension.context);
  return extension.context;
}

zend_object* context_object(CoroutineObject& coroutine) {
  if (!coroutine.context) {
    detail::ScopeState& scope = detail::ScopeState::of(coroutine.block());
    coroutine.context =
        Value::adopt(make_object(make_child_context(detail::Access::scope(Ref<detail::ScopeState>(&scope)))));
  }
  zend_object* object = coroutine.context.object();
  GC_ADDREF(object);
  return object;
}

void register_context() { Class<ContextObject>::setup(register_class_Async_Context()); }

}  // namespace trueasync::php

using namespace trueasync;
using namespace trueasync::php;

ZEND_METHOD(Async_Context, __construct) {}

ZEND_METHOD(Async_Context, find) {
  return_value_of_key(INTERNAL_FUNCTION_PARAM_PASSTHRU, ContextLookup::inherited, OnMissing::return_null);
}

ZEND_METHOD(Async_Context, get) {
  return_value_of_key(INTERNAL_FUNCTION_PARAM_PASSTHRU, ContextLookup::inherited, OnMissing::throw_exception);
}

ZEND_METHOD(Async_Context, has) { return_has_key(INTERNAL_FUNCTION_PARAM_PASSTHRU, ContextLookup::inherited); }

ZEND_METHOD(Async_Context, findLocal) {
  return_value_of_key(INTERNAL_FUNCTION_PARAM_PASSTHRU, ContextLookup::local, OnMissing::return_null);
}

ZEND_METHOD(Async_Context, getLocal) {
  return_value_of_key(INTERNAL_FUNCTION_PARAM_PASSTHRU, ContextLookup::local, OnMissing::throw_exception);
}

ZEND_METHOD(Async_Context, hasLocal) { return_has_key(INTERNAL_FUNCTION_PARAM_PASSTHRU, ContextLookup::local); }

ZEND_METHOD(Async_Context, set) {
  Key key;
  zval* value;
  bool replace = false;
  ZEND_PARSE_PARAMETERS_START(2, 3)
  Z_PARAM_OBJ_OR_STR(key.object, key.text)
  Z_PARAM_ZVAL(value)
  Z_PARAM_OPTIONAL
  Z_PARAM_BOOL(replace)
  ZEND_PARSE_PARAMETERS_END();
  catch_to_php([&] {
    Context& context = this_context(ZEND_THIS);
    const RawContextKey raw = key.raw();
    if (!replace && context.find_raw(raw, ContextLookup::local)) {
      return throw_exception(exceptions.context, "Context key already exists and replace is false");
    }
    auto entry = std::make_shared<Entry>();
    if (key.object) entry->key = Value(key.object);
    entry->value = Value(value);
    context.set_raw(raw, std::move(entry), OnExisting::replace);
    RETVAL_OBJ_COPY(Z_OBJ_P(ZEND_THIS));
  });
}

ZEND_METHOD(Async_Context, unset) {
  Key key;
  if (!parse_key(execute_data, key)) return;
  catch_to_php([&] {
    this_context(ZEND_THIS).unset_raw(key.raw());
    RETVAL_OBJ_COPY(Z_OBJ_P(ZEND_THIS));
  });
}
