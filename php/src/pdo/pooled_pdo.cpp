#include "pdo/pooled_pdo.hpp"

#include "engine/runtime.hpp"
#include "exceptions.hpp"
#include "pdo/methods.hpp"
#include "support/library_call.hpp"

namespace trueasync::php::pdo {

namespace {

// Each connection would have a database of its own.
bool is_private_memory(const std::string& name) noexcept {
  if (name.empty() || name == ":memory:") return true;
  const bool is_memory = name.starts_with("file::memory:") || name.find("mode=memory") != std::string::npos;
  return name.starts_with("file:") && is_memory && name.find("cache=shared") == std::string::npos;
}

zend_long option(const zval* options, zend_long attribute, zend_long otherwise) noexcept {
  return pdo_attr_lval(const_cast<zval*>(options), static_cast<unsigned>(attribute), otherwise);
}

// The name before the colon; PDO lets php.ini name whole ones.
std::string resolve(const zval* dsn) noexcept {
  const std::string name(Z_STRVAL_P(dsn), Z_STRLEN_P(dsn));
  if (std::strchr(name.c_str(), ':')) return name;
  char* found = nullptr;
  return cfg_get_string(("pdo.dsn." + name).c_str(), &found) == SUCCESS && found ? found : name;
}

bool check(const ConnectionConfig& recipe, const zval* options, const std::string& target) noexcept {
  const char* wrong = nullptr;
  if (recipe.driver == Driver::none) {
    wrong = "PDO::ATTR_POOL_ENABLED: only pgsql, mysql and sqlite can be pooled";
  } else if (option(options, PDO_ATTR_PERSISTENT, 0) != 0) {
    wrong = "PDO::ATTR_POOL_ENABLED and PDO::ATTR_PERSISTENT exclude each other: the pool keeps connections itself";
  } else if (recipe.driver == Driver::sqlite && is_private_memory(target)) {
    wrong =
        "PDO::ATTR_POOL_ENABLED: each connection would have a memory of its own; give a file, or "
        "\"sqlite:file:NAME?mode=memory&cache=shared\"";
  } else if (recipe.max < 1) {
    wrong = "PDO::ATTR_POOL_MAX must be greater than 0";
  } else if (recipe.min < 0 || recipe.min > recipe.max) {
    wrong = "PDO::ATTR_POOL_MIN must be between 0 and PDO::ATTR_POOL_MAX";
  } else if (recipe.interval < 0) {
    wrong = "PDO::ATTR_POOL_HEALTHCHECK_INTERVAL must be 0 or a number of seconds";
  }
  if (wrong) raise_pdo(wrong);
  return !wrong;
}

// The class that a driver knows, which a subclass of the user's may be in front of.
zend_class_entry* internal_class(zend_class_entry* entry) noexcept {
  while (entry->type != ZEND_INTERNAL_CLASS) entry = entry->parent;
  return entry;
}

#if PHP_VERSION_ID >= 80400
zend_object_get_method_t get_method_of_pdo = nullptr;

zend_function* get_method(zend_object** object, zend_string* name, const zval* key) {
  if (!zend_string_equals_literal_ci(name, "connect")) return get_method_of_pdo(object, name, key);
  raise_connect_refused();
  return nullptr;
}

// There connect() is static: called on an object it does not see which (DB-16).
void refuse_connect_on(zend_object* object) noexcept {
  static zend_object_handlers handlers;
  if (!get_method_of_pdo) {
    get_method_of_pdo = object->handlers->get_method;
    handlers = *object->handlers;
    handlers.get_method = &get_method;
  }
  object->handlers = &handlers;
}
#else
void refuse_connect_on(zend_object*) noexcept {}
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
    raise_pdo("The PDO object has been constructed already");
    return false;
  }
  auto* made = new PooledPdo();
  if (!engine::ensure_started() || !made->begin(object, arguments)) {
    delete made;
    return false;
  }
  dbh->driver = &made->driver_;
  dbh->driver_data = made;
  dbh->methods = &kMethods;
  dbh->error_mode = PDO_ERRMODE_EXCEPTION;
  dbh->default_fetch_type = PDO_FETCH_BOTH;
  dbh->auto_commit = 1;
  set_error(dbh->error_code, "00000");
  if (made->set_options(object)) made->pool_ = Value::adopt(make_pool(made->recipe_));
  if (made->pool_) refuse_connect_on(object);
  if (!made->pool_) close(dbh);  // as if it had never been called
  return !EG(exception);
}

bool PooledPdo::set_options(zend_object* object) noexcept {
  zend_ulong attribute;
  zval* value;
  ZEND_HASH_FOREACH_NUM_KEY_VAL(Z_ARRVAL_P(recipe_->options.get()), attribute, value) {
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

bool PooledPdo::begin(zend_object* object, zval arguments[4]) noexcept {
  recipe_ = std::make_shared<ConnectionConfig>();
  const zval* given = &arguments[3];
  const std::string dsn = resolve(&arguments[0]);
  const std::size_t colon = std::strcspn(dsn.c_str(), ":");
  recipe_->driver_name = dsn.substr(0, colon);
  recipe_->driver = driver_of(recipe_->driver_name);
  recipe_->entry = internal_class(object->ce);
  recipe_->min = option(given, kPoolMin, 0);
  recipe_->max = option(given, kPoolMax, 10);
  recipe_->interval = option(given, kPoolHealthcheckInterval, 0);
  recipe_->cache_size = static_cast<std::size_t>(std::max<zend_long>(0, option(given, kPoolStmtCacheSize, 0)));
  const std::string target = colon < dsn.size() ? dsn.substr(colon + 1) : std::string();
  if (!check(*recipe_, given, target)) return false;
  for (int i = 0; i < 3; ++i) recipe_->arguments[i] = Value(&arguments[i]);
  recipe_->options = without_pool_attributes(given);
  zval empty;
  array_init(&empty);
  recipe_->attributes = Value::adopt(&empty);
  driver_.driver_name = recipe_->driver_name.c_str();
  driver_.driver_name_len = recipe_->driver_name.size();
  driver_.api_version = PDO_DRIVER_API;
  return true;
}

Connection* PooledPdo::bind() noexcept {
  if (!pool_) {
    raise_pdo("The PDO object is still being constructed");
    return nullptr;
  }
  ConnectionBinding* binding = ConnectionBinding::ensure(recipe_);
  return binding ? binding->bind(pool()) : nullptr;
}

// The collector frees what belongs together in any order.
bool PooledPdo::is_pool_there() const noexcept { return pool_ && !(OBJ_FLAGS(pool_.object()) & IS_OBJ_FREE_CALLED); }

// DB-08, DB-10: who still has a connection loses it, but for statements that are still read; nothing refers to us then.
void PooledPdo::close(pdo_dbh_t* dbh) {
  auto* self = static_cast<PooledPdo*>(dbh->driver_data);
  dbh->driver_data = nullptr;
  dbh->methods = nullptr;
  dbh->driver = nullptr;
  const std::shared_ptr<ConnectionConfig> recipe = self->recipe_;
  // Later the engine frees everything, in any order.
  if (engine::scheduler && !is_engine_dead()) {
    while (ConnectionBinding* binding = recipe->bindings.first()) binding->on_coroutine_end();
    if (self->is_pool_there()) catch_to_php_with_bailout([&] { self->pool().pool->close(); });
  }
  recipe->forget_values();
  delete self;
}

bool PooledPdo::set_attribute(pdo_dbh_t*, zend_long, zval*) { return true; }

int PooledPdo::get_attribute(pdo_dbh_t* dbh, zend_long attribute, zval* value) {
  auto* self = static_cast<PooledPdo*>(dbh->driver_data);
  if (const zval* known = self->recipe_->find_attribute(attribute)) {
    ZVAL_COPY(value, const_cast<zval*>(known));
    return 1;
  }
  return 0;
}

void PooledPdo::fetch_error(pdo_dbh_t*, pdo_stmt_t*, zval*) {}

// The driver's, as a connection says; called on the connection of the coroutine that calls them (DB-07).
const zend_function_entry* PooledPdo::driver_methods(pdo_dbh_t* dbh, int kind) {
  auto* self = static_cast<PooledPdo*>(dbh->driver_data);
  if (kind != PDO_DBH_DRIVER_METHOD_KIND_DBH) return nullptr;
  if (!self->driver_methods_.empty()) return self->driver_methods_.data();
  Connection* connection = self->bind();
  if (!connection) return nullptr;
  const auto list = connection->driver().get_driver_methods;
  const zend_function_entry* theirs = list ? list(&connection->dbh(), kind) : nullptr;
  for (; theirs && theirs->fname; ++theirs) {
    self->driver_methods_.push_back(*theirs);
    self->driver_methods_.back().handler = &call_driver_method;
  }
  zend_function_entry refused{};
  refused.fname = "connect";
  refused.handler = &refuse_connect;
  self->driver_methods_.push_back(refused);
  self->driver_methods_.push_back({});
  if (connection->binding) connection->binding->release_if_free();
  return self->driver_methods_.data();
}

void PooledPdo::report(pdo_dbh_t* dbh, zend_get_gc_buffer* buffer) {
  const auto* self = static_cast<PooledPdo*>(dbh->driver_data);
  if (self->pool_) zend_get_gc_buffer_add_obj(buffer, self->pool_.object());
  self->recipe_->report(buffer);
}

}  // namespace trueasync::php::pdo
