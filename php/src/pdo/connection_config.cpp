#include "pdo/connection_config.hpp"

#include "support/duration.hpp"
#include "support/library_call.hpp"
#include "support/source_location.hpp"

namespace trueasync::php::pdo {

namespace {

Connection& connection_of(const Value& resource) noexcept { return *Connection::of(resource.object()); }

// Runs engine code from a hook, which the pool may call in any coroutine.
template <class F>
Value run_in_engine(F&& body) {
  return run_from_library([](void* argument, zval* result) { (*static_cast<F*>(argument))(result); }, &body);
}

// Other attributes affect only the client. AUTOCOMMIT is sent to the server and would end the open transaction.
bool changes_server_state(zend_long attribute) noexcept { return attribute == PDO_ATTR_AUTOCOMMIT; }

// Returns false if EG(exception) is set.
bool call_driver(zend_object* object, const DriverCall& call) noexcept {
  zend_string* name = zend_string_init(call.method.data(), call.method.size(), false);
  zend_object* self = object;
  zend_function* function = object->handlers->get_method(&self, name, nullptr);
  zend_string_release(name);
  if (!function) return true;
  std::vector<zval> arguments;
  for (const Value& argument : call.arguments) arguments.push_back(*argument.get());
  zval unused;
  zend_call_known_function(function, self, self->ce, &unused, static_cast<uint32_t>(arguments.size()), arguments.data(),
                           nullptr);
  zval_ptr_dtor(&unused);
  return !EG(exception);
}

bool is_healthy(Connection& connection) noexcept {
  if (!connection.client().has_no_unread_data() || !connection.try_enter()) return false;
  bool is_alive = true;
  if (connection.config().driver == Driver::pgsql) {
    zend_string* sql = zend_string_init(ZEND_STRL("SELECT 1"), false);
    is_alive = connection.driver().doer(&connection.dbh(), sql) >= 0;
    zend_string_release(sql);
  } else if (connection.driver().check_liveness) {
    is_alive = connection.driver().check_liveness(&connection.dbh()) == SUCCESS;
  }
  connection.leave();
  return is_alive && connection.client().is_idle();
}

PoolOptions<Value> make_options(const std::shared_ptr<ConnectionConfig>& config,
                                const std::shared_ptr<PoolHooks>& hooks) {
  PoolOptions<Value> options;
  options.factory = PoolFactory<Value>([config, hooks] {
    std::unique_ptr<Value> connection = config->create_connection(config);
    if (connection) hooks->resources.insert(connection.get());
    return connection;
  });
  options.destructor = [hooks](Value& resource) {
    hooks->resources.erase(&resource);
    if (!hooks->is_shutting_down && !is_engine_dead()) run_in_engine([&](zval*) { resource.reset(); });
  };
  options.before_acquire = [](Value& resource) { return connection_of(resource).client().has_no_unread_data(); };
  options.before_acquire_kind = HookKind::nonblocking;
  options.reset = [](Value& resource) {
    ResourceState state = ResourceState::broken;
    if (!is_engine_dead()) run_in_engine([&](zval*) { state = connection_of(resource).reset(); });
    return state;
  };
  options.healthcheck = [](Value& resource) {
    bool healthy = false;
    run_in_engine([&](zval*) { healthy = is_healthy(connection_of(resource)); });
    return healthy;
  };
  options.min = static_cast<std::size_t>(config->min);
  options.max = static_cast<std::size_t>(config->max);
  const zend_long seconds = config->healthcheck_interval;
  options.healthcheck_interval = to_timeout(seconds > INT64_MAX / 1000 ? INT64_MAX : seconds * 1000);
  options.name = "PDO " + config->driver_name;
  return options;
}

}  // namespace

std::unique_ptr<Value> ConnectionConfig::create_connection(const std::shared_ptr<ConnectionConfig>& self) {
  Value connection = run_in_engine([&](zval* result) {
    object_init_ex(result, entry);
    zval constructor_arguments[4];
    for (int i = 0; i < 3; ++i) ZVAL_COPY_VALUE(&constructor_arguments[i], arguments[i].get());
    ZVAL_COPY_VALUE(&constructor_arguments[3], options.get());
    zend_call_known_function(entry->constructor, Z_OBJ_P(result), entry, nullptr, 4, constructor_arguments, nullptr);
    if (!EG(exception)) apply_settings(Connection::install(Z_OBJ_P(result), self));
  });
  return connection.object() ? std::make_unique<Value>(std::move(connection)) : nullptr;
}

bool ConnectionConfig::apply_settings(Connection& connection) noexcept {
  const bool is_outdated = connection.settings_version != settings_version;
  if (!is_outdated && !connection.has_deferred_attributes) return true;
  const bool is_in_transaction = connection.client().is_in_transaction();
  if (!is_outdated && is_in_transaction) return true;
  connection.has_deferred_attributes = is_in_transaction;
  zend_ulong attribute;
  zval* value;
  const Value current(attributes);  // setAttribute() may suspend; attributes recorded then have a later version
  connection.settings_version = settings_version;
  ZEND_HASH_FOREACH_NUM_KEY_VAL(Z_ARRVAL_P(const_cast<zval*>(current.get())), attribute, value) {
    if (is_in_transaction && changes_server_state(static_cast<zend_long>(attribute))) continue;
    zval number;
    ZVAL_LONG(&number, static_cast<zend_long>(attribute));
    zval unused;
    zend_call_method_with_2_params(connection.object(), entry, nullptr, "setattribute", &unused, &number, value);
    if (EG(exception)) return false;
  }
  ZEND_HASH_FOREACH_END();
  while (connection.applied_driver_calls < calls.size()) {
    if (!call_driver(connection.object(), calls[connection.applied_driver_calls++])) return false;
  }
  return true;
}

void ConnectionConfig::record_call(zend_string* method, zval* arguments_begin, std::uint32_t count) noexcept {
  DriverCall call{{ZSTR_VAL(method), ZSTR_LEN(method)}, {}};
  for (std::uint32_t i = 0; i < count; ++i) call.arguments.emplace_back(&arguments_begin[i]);
  calls.push_back(std::move(call));
  ++settings_version;
}

void ConnectionConfig::record_attribute(zend_long attribute, zval* value) noexcept {
  SEPARATE_ARRAY(attributes.get());
  Z_TRY_ADDREF_P(value);
  zend_hash_index_update(Z_ARRVAL_P(attributes.get()), static_cast<zend_ulong>(attribute), value);
  ++settings_version;
}

void ConnectionConfig::report(zend_get_gc_buffer* buffer) const noexcept {
  const auto add = [&](const Value& value) { zend_get_gc_buffer_add_zval(buffer, const_cast<zval*>(value.get())); };
  add(options);
  add(attributes);
  for (const DriverCall& call : calls) {
    for (const Value& argument : call.arguments) add(argument);
  }
}

void ConnectionConfig::clear_values() noexcept {
  // The destructors of the arguments run after `calls` is empty.
  const std::vector<DriverCall> old_calls = std::exchange(calls, {});
  for (Value* value : {&options, &attributes}) {
    zval empty;
    ZVAL_EMPTY_ARRAY(&empty);
    *value = Value::adopt(&empty);
  }
}

zval* ConnectionConfig::find_attribute(zend_long attribute) const noexcept {
  const auto key = static_cast<zend_ulong>(attribute);
  zval* set = zend_hash_index_find(Z_ARRVAL_P(attributes.get()), key);
  return set ? set : zend_hash_index_find(Z_ARRVAL_P(options.get()), key);
}

zend_object* make_pool(const std::shared_ptr<ConnectionConfig>& config) noexcept {
  PoolObject& pool = Class<PoolObject>::make();
  catch_to_php_with_bailout([&] {
    pool.hooks = std::make_shared<PoolHooks>();
    pool.construct(make_options(config, pool.hooks), executing_location());
  });
  zend_object* object = Class<PoolObject>::object_of(pool);
  if (!EG(exception)) return object;
  OBJ_RELEASE(object);
  return nullptr;
}

}  // namespace trueasync::php::pdo
