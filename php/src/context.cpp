#include "context.hpp"

#include "exceptions.hpp"
#include "generated/context_arginfo.h"
#include "scope.hpp"
#include "support/error.hpp"

namespace trueasync::php {

namespace {

// An object that is a key lives as long as its entry.
struct Entry {
  Value key;
  Value value;
};

zend_object* make_object(Context context) {
  ContextObject& made = Class<ContextObject>::make();
  made.context.emplace(std::move(context));
  return Class<ContextObject>::object_of(made);
}

// What a method was given: a string or an object.
struct Key {
  zend_string* text = nullptr;
  zend_object* object = nullptr;

  RawContextKey raw() const {
    if (text) return RawContextKey(std::string_view(ZSTR_VAL(text), ZSTR_LEN(text)));
    return RawContextKey(object, std::string_view(ZSTR_VAL(object->ce->name), ZSTR_LEN(object->ce->name)));
  }
  std::string described() const {
    return object ? "an object of class " + std::string(ZSTR_VAL(object->ce->name))
                  : '"' + std::string(ZSTR_VAL(text)) + '"';
  }
};

Context& context_of_this(zval* value) noexcept { return *Class<ContextObject>::self(value).context; }

const Entry* as_entry(const std::shared_ptr<void>& found) noexcept { return static_cast<const Entry*>(found.get()); }

enum class IfMissing : std::uint8_t { null, fail };

bool parse(zend_execute_data* execute_data, Key& key) {
  ZEND_PARSE_PARAMETERS_START(1, 1)
  Z_PARAM_OBJ_OR_STR(key.object, key.text)
  ZEND_PARSE_PARAMETERS_END_EX(return false);
  return true;
}

void look_up(INTERNAL_FUNCTION_PARAMETERS, ContextLookup where, IfMissing missing) {
  Key key;
  if (!parse(execute_data, key)) return;
  catch_to_php([&] {
    const std::shared_ptr<void> found = context_of_this(ZEND_THIS).find_raw(key.raw(), where);
    if (found) return as_entry(found)->value.copy_to(return_value);
    if (missing == IfMissing::null) return;
    throw_exception(exceptions.context,
                    "There is no " + key.described() +
                        (where == ContextLookup::local ? " in this context itself" : " in this context or above it") +
                        "; find() answers null instead");
  });
}

void ask(INTERNAL_FUNCTION_PARAMETERS, ContextLookup where) {
  Key key;
  if (!parse(execute_data, key)) return;
  catch_to_php([&] { RETVAL_BOOL(context_of_this(ZEND_THIS).find_raw(key.raw(), where) != nullptr); });
}

}  // namespace

void ContextObject::report(GcBuffer& buffer) noexcept {
  if (!context) return;
  context->each_raw([&](const RawContextKey&, const std::shared_ptr<void>& value) {
    buffer.add(as_entry(value)->key);
    buffer.add(as_entry(value)->value);
  });
}

zend_object* context_object(detail::ScopeState& scope) {
  ScopeExtension& host = host_of(scope);
  if (!host.context) host.context = make_object(context_of(detail::Access::scope(Ref<detail::ScopeState>(&scope))));
  GC_ADDREF(host.context);
  return host.context;
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
  look_up(INTERNAL_FUNCTION_PARAM_PASSTHRU, ContextLookup::inherited, IfMissing::null);
}

ZEND_METHOD(Async_Context, get) {
  look_up(INTERNAL_FUNCTION_PARAM_PASSTHRU, ContextLookup::inherited, IfMissing::fail);
}

ZEND_METHOD(Async_Context, has) { ask(INTERNAL_FUNCTION_PARAM_PASSTHRU, ContextLookup::inherited); }

ZEND_METHOD(Async_Context, findLocal) {
  look_up(INTERNAL_FUNCTION_PARAM_PASSTHRU, ContextLookup::local, IfMissing::null);
}

ZEND_METHOD(Async_Context, getLocal) {
  look_up(INTERNAL_FUNCTION_PARAM_PASSTHRU, ContextLookup::local, IfMissing::fail);
}

ZEND_METHOD(Async_Context, hasLocal) { ask(INTERNAL_FUNCTION_PARAM_PASSTHRU, ContextLookup::local); }

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
    Context& context = context_of_this(ZEND_THIS);
    const RawContextKey raw = key.raw();
    if (!replace && context.find_raw(raw, ContextLookup::local)) {
      return throw_exception(exceptions.context, "A context key already exists: " + key.described() +
                                                     "; pass replace: true to replace its value");
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
  if (!parse(execute_data, key)) return;
  catch_to_php([&] {
    context_of_this(ZEND_THIS).unset_raw(key.raw());
    RETVAL_OBJ_COPY(Z_OBJ_P(ZEND_THIS));
  });
}
