#include "pdo/pooled_pdo.hpp"

#include "engine/runtime.hpp"
#include "exceptions.hpp"
#include "pdo/methods.hpp"
#include "support/library_call.hpp"

namespace trueasync::php::pdo {

namespace {

// Whether each connection would get its own database.
bool is_private_memory(const std::string& name) noexcept {
  if (name.empty() || name == ":memory:") return true;
  const bool is_memory = name.starts_with("file::memory:") || name.find("mode=memory") != std::string::npos;
  return name.starts_with("file:") && is_memory && name.find("cache=shared") == std::string::npos;
}

zend_long option(const zval* options, zend_long attribute, zend_long default_value) noexcept {
  return pdo_attr_lval(const_cast<zval*>(options), static_cast<unsigned>(attribute), default_value);
}

// A name without a colon is an alias that php.ini defines as pdo.dsn.NAME.
std::string resolve_dsn(const zval* dsn) noexcept {
  const std::string name(Z_STRVAL_P(dsn), Z_STRLEN_P(dsn));
  if (std::strchr(name.c_str(), ':')) return name;
  char* found = nullptr;
  return cfg_get_string(("pdo.dsn." + name).c_str(), &found) == SUCCESS && found ? found : name;
}

bool check_options(const ConnectionConfig& config, const zval* options, const std::string& target) noexcept {
  const char* error = nullptr;
  if (config.driver == Driver::none) {
    error = "PDO::ATTR_POOL_ENABLED supports only the drivers pgsql, mysql and sqlite";
  } else if (option(options, PDO_ATTR_PERSISTENT, 0) != 0) {
    error = "PDO::ATTR_POOL_ENABLED cannot be combined with PDO::ATTR_PERSISTENT";
  } else if (config.driver == Driver::sqlite && is_private_memory(target)) {
    error =
        "PDO::ATTR_POOL_ENABLED: each connection would get its own in-memory database; use a file or "
        "\"sqlite:file:NAME?mode=memory&cache=shared\"";
  } else if (config.max < 1) {
    error = "PDO::ATTR_POOL_MAX must be greater than 0";
  } else if (config.min < 0 || config.min > config.max) {
    error = "PDO::ATTR_POOL_MIN must be between 0 and PDO::ATTR_POOL_MAX";
  } else if (config.healthcheck_interval < 0) {
    error = "PDO::ATTR_POOL_HEALTHCHECK_INTERVAL must be 0 or a number of seconds";
  }
  if (error) throw_pdo_exception(error);
  return !error;
}

// The nearest internal class: connections are not objects of the user's subclass.
zend_class_entry* internal_class(zend_class_entry* entry) noexcept {
  while (entry->type != ZEND_INTERNAL_CLASS) entry = entry->parent;
  return entry;
}

#if PHP_VERSION_ID >= 80400
zend_object_get_method_t pdo_get_method = nullptr;

zend_function* get_method(zend_object** object, zend_string* name, const zval* key) {
  if (!zend_string_equals_literal_ci(name, "connect")) return pdo_get_method(object, name, key);
  throw_connect_rejected();
  return nullptr;
}

// connect() is static in PHP 8.4. Called on an object, it does not see the object, so the method lookup rejects it.
void reject_connect_on(zend_object* object) noexcept {
  static zend_object_handlers handlers;
  if (!pdo_get_method) {
    pdo_get_method = object->handlers->get_method;
    handlers = *object->handlers;
    handlers.get_method = &get_method;
  }
  object->handlers = &handlers;
}
#else
void reject_connect_on(zend_object*) noexcept {}
#endif

}  // namespace

const pdo_dbh_methods PooledPdo::kMethods = [] {
  pdo_dbh_methods methods{};
  methods.closer = &PooledPdo::close;
  methods.set_attribute = &PooledPdo::set_attribute;
  methods.get_attribute = &PooledPdo::get_attribute;
  methods.fetch_err = &PooledPdo::fetch_error;
  methods.get_driver_methods = &PooledPdo::driver_methods;
  methods.get_gc = &PooledPdo::report;
  return methods;
}();

PooledPdo* PooledPdo::of(zend_object* object) noexcept {
  const pdo_dbh_t* dbh = php_pdo_dbh_fetch_inner(object);
  return dbh->methods == &kMethods ? static_cast<PooledPdo*>(dbh->driver_data) : nullptr;
}

bool PooledPdo::construct(zend_object* object, zval arguments[4]) noexcept {
  pdo_dbh_t* dbh = php_pdo_dbh_fetch_inner(object);
  if (dbh->methods) {
    throw_pdo_exception("Cannot call PDO::__construct() twice");
    return false;
  }
  auto* pooled = new PooledPdo();
  if (!engine::ensure_started() || !pooled->configure(object, arguments)) {
    delete pooled;
    return false;
  }
  dbh->driver = &pooled->driver_;
  dbh->driver_data = pooled;
  dbh->methods = &kMethods;
  dbh->error_mode = PDO_ERRMODE_EXCEPTION;
  dbh->default_fetch_type = PDO_FETCH_BOTH;
  dbh->auto_commit = 1;
  set_error(dbh->error_code, "00000");
  if (pooled->set_options(object)) pooled->pool_ = Value::adopt(make_pool(pooled->config_));
  if (pooled->pool_) reject_connect_on(object);
  if (!pooled->pool_) close(dbh);  // the object is unconstructed again
  return !EG(exception);
}

bool PooledPdo::set_options(zend_object* object) noexcept {
  zend_ulong attribute;
  zval* value;
  ZEND_HASH_FOREACH_NUM_KEY_VAL(Z_ARRVAL_P(config_->options.get()), attribute, value) {
    zval number;
    ZVAL_LONG(&number, static_cast<zend_long>(attribute));
    zval unused;
    zend_call_method_with_2_params(object, classes.pdo, nullptr, "setattribute", &unused, &number, value);
    if (EG(exception)) return false;
  }
  ZEND_HASH_FOREACH_END();
  is_constructed = true;
  return true;
}

bool PooledPdo::configure(zend_object* object, zval arguments[4]) noexcept {
  config_ = std::make_shared<ConnectionConfig>();
  const zval* options = &arguments[3];
  const std::string dsn = resolve_dsn(&arguments[0]);
  const std::size_t colon = std::strcspn(dsn.c_str(), ":");
  config_->driver_name = dsn.substr(0, colon);
  config_->driver = driver_of(config_->driver_name);
  config_->entry = internal_class(object->ce);
  config_->min = option(options, kPoolMin, 0);
  config_->max = option(options, kPoolMax, 10);
  config_->healthcheck_interval = option(options, kPoolHealthcheckInterval, 0);
  config_->cache_size = static_cast<std::size_t>(std::max<zend_long>(0, option(options, kPoolStmtCacheSize, 0)));
  const std::string target = colon < dsn.size() ? dsn.substr(colon + 1) : std::string();
  if (!check_options(*config_, options, target)) return false;
  for (int i = 0; i < 3; ++i) config_->arguments[i] = Value(&arguments[i]);
  config_->options = without_pool_attributes(options);
  zval empty;
  array_init(&empty);
  config_->attributes = Value::adopt(&empty);
  driver_.driver_name = config_->driver_name.c_str();
  driver_.driver_name_len = config_->driver_name.size();
  driver_.api_version = PDO_DRIVER_API;
  return true;
}

Connection* PooledPdo::bind() noexcept {
  if (!pool_) {
    throw_pdo_exception("Cannot use a PDO object whose constructor has not finished");
    return nullptr;
  }
  ConnectionBinding* binding = ConnectionBinding::ensure(config_);
  return binding ? binding->bind(pool()) : nullptr;
}

// The collector frees the objects of a cycle in any order.
bool PooledPdo::has_live_pool() const noexcept { return pool_ && !(OBJ_FLAGS(pool_.object()) & IS_OBJ_FREE_CALLED); }

// Takes the connections from their coroutines. A connection with statements stays open until they are freed; it does not
// refer to this object any more.
void PooledPdo::close(pdo_dbh_t* dbh) {
  auto* self = static_cast<PooledPdo*>(dbh->driver_data);
  dbh->driver_data = nullptr;
  dbh->methods = nullptr;
  dbh->driver = nullptr;
  const std::shared_ptr<ConnectionConfig> config = self->config_;
  // After the runtime has stopped, the engine frees objects in any order.
  if (engine::scheduler && !is_engine_dead()) {
    while (ConnectionBinding* binding = config->bindings.first()) binding->on_coroutine_end();
    if (self->has_live_pool()) catch_to_php_with_bailout([&] { self->pool().pool->close(); });
  }
  config->clear_values();
  delete self;
}

bool PooledPdo::set_attribute(pdo_dbh_t*, zend_long, zval*) { return true; }

int PooledPdo::get_attribute(pdo_dbh_t* dbh, zend_long attribute, zval* value) {
  auto* self = static_cast<PooledPdo*>(dbh->driver_data);
  if (const zval* known = self->config_->find_attribute(attribute)) {
    ZVAL_COPY(value, const_cast<zval*>(known));
    return 1;
  }
  return 0;
}

void PooledPdo::fetch_error(pdo_dbh_t*, pdo_stmt_t*, zval*) {}

// Copies the driver's list from a connection. call_driver_method() runs them on the connection of the calling coroutine.
const zend_function_entry* PooledPdo::driver_methods(pdo_dbh_t* dbh, int kind) {
  auto* self = static_cast<PooledPdo*>(dbh->driver_data);
  if (kind != PDO_DBH_DRIVER_METHOD_KIND_DBH) return nullptr;
  if (!self->driver_methods_.empty()) return self->driver_methods_.data();
  Connection* connection = self->bind();
  if (!connection) return nullptr;
  const auto list = connection->driver().get_driver_methods;
  const zend_function_entry* method = list ? list(&connection->dbh(), kind) : nullptr;
  for (; method && method->fname; ++method) {
    self->driver_methods_.push_back(*method);
    self->driver_methods_.back().handler = &call_driver_method;
  }
  zend_function_entry rejected{};
  rejected.fname = "connect";
  rejected.handler = &reject_connect;
  self->driver_methods_.push_back(rejected);
  self->driver_methods_.push_back({});
  if (connection->binding) connection->binding->release_if_free();
  return self->driver_methods_.data();
}

void PooledPdo::report(pdo_dbh_t* dbh, zend_get_gc_buffer* buffer) {
  const auto* self = static_cast<PooledPdo*>(dbh->driver_data);
  if (self->pool_) zend_get_gc_buffer_add_obj(buffer, self->pool_.object());
  self->config_->report(buffer);
}

}  // namespace trueasync::php::pdo
