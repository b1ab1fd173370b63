#include "pdo/guards.hpp"
#include "pdo/methods.hpp"
#include "pdo/statement_lifetime.hpp"

namespace trueasync::php::pdo {

namespace {

void get_pool(INTERNAL_FUNCTION_PARAMETERS) {
  ZEND_PARSE_PARAMETERS_NONE();
  PooledPdo* pooled = PooledPdo::of(Z_OBJ(EX(This)));
  if (pooled && pooled->pool_object()) RETURN_OBJ_COPY(pooled->pool_object());
}

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_get_pool, 0, 0, Async\\Pool, 1)
ZEND_END_ARG_INFO()

const zend_function_entry kAddedMethods[] = {ZEND_FENTRY(getPool, &get_pool, arginfo_get_pool, ZEND_ACC_PUBLIC)
                                                 ZEND_FE_END};

template <class F>
void for_each_pdo_class(F&& body) noexcept {
  void* item;
  ZEND_HASH_FOREACH_PTR(CG(class_table), item) {
    auto* entry = static_cast<zend_class_entry*>(item);
    if (entry->type == ZEND_INTERNAL_CLASS && instanceof_function(entry, classes.pdo)) body(entry);
  }
  ZEND_HASH_FOREACH_END();
}

// Installs or removes the replacements in PDO and in the drivers' classes (PHP 8.4), which have copies of its methods.
void swap_method_handlers(bool install) noexcept {
  for_each_pdo_class([&](zend_class_entry* entry) {
    for (std::size_t i = 0; i < kMethodCount; ++i) {
      const Replacement& replacement = kReplacements[i];
      auto* function = static_cast<zend_internal_function*>(
          zend_hash_str_find_ptr(&entry->function_table, replacement.name, std::strlen(replacement.name)));
      if (!function) continue;
      if (!originals[i]) originals[i] = function->handler;
      const zif_handler expected = install ? originals[i] : replacement.handler;
      if (function->handler == expected) function->handler = install ? replacement.handler : originals[i];
    }
  });
}

// A method that a driver's class such as Pdo\Sqlite adds to PDO.
struct ClassMethod {
  zend_internal_function* method;
  zif_handler original;
};
std::vector<ClassMethod> class_methods;

// Finds the method by class and name, because subclasses have copies of the function.
void call_replaced_method(INTERNAL_FUNCTION_PARAMETERS) {
  const zend_function* called = EX(func);
  for (const ClassMethod& entry : class_methods) {
    const bool matches = entry.method->scope == called->common.scope &&
                         zend_string_equals(entry.method->function_name, called->common.function_name);
    if (matches) return call_class_method(entry.original, INTERNAL_FUNCTION_PARAM_PASSTHRU);
  }
}

void replace_class_methods() {
  for_each_pdo_class([](zend_class_entry* entry) {
    if (entry == classes.pdo) return;
    void* item;
    ZEND_HASH_FOREACH_PTR(&entry->function_table, item) {
      auto* method = static_cast<zend_internal_function*>(item);
      constexpr uint32_t kExcludedFlags = ZEND_ACC_STATIC | ZEND_ACC_ABSTRACT | ZEND_ACC_CTOR;
      if (method->scope != entry || (method->fn_flags & kExcludedFlags) || method->handler == &get_pool) continue;
      class_methods.push_back({method, method->handler});
      method->handler = &call_replaced_method;
    }
    ZEND_HASH_FOREACH_END();
  });
}

void restore_class_methods() noexcept {
  for (const ClassMethod& entry : class_methods) entry.method->handler = entry.original;
  class_methods.clear();
}

}  // namespace

void throw_pdo_exception(const std::string& message) noexcept {
  zend_throw_exception(classes.exception, message.c_str(), 0);
}

void register_pool() {
  classes.pdo = static_cast<zend_class_entry*>(zend_hash_str_find_ptr(CG(class_table), ZEND_STRL("pdo")));
  classes.exception =
      static_cast<zend_class_entry*>(zend_hash_str_find_ptr(CG(class_table), ZEND_STRL("pdoexception")));
  if (!classes.pdo || !classes.exception) {
    classes = {};
    return;
  }
  for_each_pdo_class([](zend_class_entry* entry) {
    const auto declare = [&](const char* name, zend_long value) {
      zend_declare_class_constant_long(entry, name, std::strlen(name), value);
    };
    declare("ATTR_POOL_ENABLED", kPoolEnabled);
    declare("ATTR_POOL_MIN", kPoolMin);
    declare("ATTR_POOL_MAX", kPoolMax);
    declare("ATTR_POOL_HEALTHCHECK_INTERVAL", kPoolHealthcheckInterval);
    declare("ATTR_POOL_STMT_CACHE_SIZE", kPoolStmtCacheSize);
    zend_register_functions(entry, kAddedMethods, &entry->function_table, MODULE_PERSISTENT);
  });
  swap_method_handlers(true);
  replace_class_methods();
  for_each_pdo_class(&guard_connections);
  guard_statements();
}

void unregister_pool() noexcept {
  if (!classes.pdo) return;
  unhook_statements();
  restore_class_methods();
  swap_method_handlers(false);
  for_each_pdo_class([](zend_class_entry* entry) { zend_hash_str_del(&entry->function_table, ZEND_STRL("getpool")); });
  classes = {};
  originals = {};
}

}  // namespace trueasync::php::pdo
