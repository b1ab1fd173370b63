#include "pdo/connection_binding.hpp"

#include <algorithm>

#include "engine/runtime.hpp"
#include "pdo/connection_config.hpp"
#include "support/library_call.hpp"
#include "support/source_location.hpp"

namespace trueasync::php::pdo {

void BindingList::add(ConnectionBinding& binding) noexcept {
  binding.next_in_list_ = first_;
  if (first_) first_->previous_in_list_ = &binding;
  first_ = &binding;
}

void BindingList::remove(ConnectionBinding& binding) noexcept {
  (binding.previous_in_list_ ? binding.previous_in_list_->next_in_list_ : first_) = binding.next_in_list_;
  if (binding.next_in_list_) binding.next_in_list_->previous_in_list_ = binding.previous_in_list_;
}

ConnectionBinding* ConnectionBinding::find(const ConnectionConfig& config) noexcept {
  CoroutineObject* coroutine = engine::current();
  for (CoroutineResource* resource = coroutine ? coroutine->resources : nullptr; resource; resource = resource->next) {
    if (resource->key == &config) return static_cast<ConnectionBinding*>(resource);
  }
  return nullptr;
}

ConnectionBinding* ConnectionBinding::ensure(const std::shared_ptr<ConnectionConfig>& config) noexcept {
  if (!engine::ensure_started()) return nullptr;
  if (ConnectionBinding* found = find(*config)) return found;
  CoroutineObject* coroutine = engine::current();
  if (!coroutine) {
    zend_throw_error(nullptr, "Cannot use a pooled PDO outside of a coroutine");
    return nullptr;
  }
  auto* binding = new ConnectionBinding(config);
  binding->coroutine_ = coroutine;
  coroutine->own(*binding);
  config->bindings.add(*binding);
  return binding;
}

Connection* ConnectionBinding::bind(PoolObject& pool) noexcept {
  if (connection && connection->is_broken) release_connection();
  remove_from_reclaimable();
  if (!connection) {
    Lease<Value> lease;
    ++config_->waiter_count;
    catch_to_php_with_bailout([&] {
      reclaim_connection(*config_, *pool.pool);
      lease = pool.pool->acquire({}, executing_location());
    });
    --config_->waiter_count;
    if (!lease) return nullptr;
    connection = Connection::of(lease->object());
    connection->attach_lease(*this, std::move(lease));
    error_info.reset();
  }
  if (config_->apply_settings(*connection)) return connection;
  release_if_free();
  return nullptr;
}

void ConnectionBinding::release_if_free() noexcept {
  if (!connection || connection->calls > 0) return;
  if (connection->is_broken) return release_connection();
  remove_from_reclaimable();
  if (!connection->is_free()) return;
  if ((connection->has_written || connection->has_found_rows) && config_->waiter_count == 0) {
    config_->reclaimable.push_back(this);
  } else {
    release_connection();
  }
}

void ConnectionBinding::remove_from_reclaimable() noexcept {
  auto& list = config_->reclaimable;
  if (!list.empty()) list.erase(std::remove(list.begin(), list.end(), this), list.end());
}

void ConnectionBinding::release_connection() noexcept {
  remove_from_reclaimable();
  save_results();
  Connection* released = std::exchange(connection, nullptr);
  released->binding = nullptr;  // first, because the following calls may suspend
  zend_object* object = released->object();
  released->clear_errors();
  released->release_lease_if_free();
  OBJ_RELEASE(object);
}

void ConnectionBinding::save_results() noexcept {
  pdo_dbh_t& dbh = connection->dbh();
  std::memcpy(error_code, dbh.query_stmt ? dbh.query_stmt->error_code : dbh.error_code, sizeof(error_code));
  if (error_code[0] == '\0') set_error(error_code, "00000");
  if (has_error(error_code)) {
    zval info;
    ZVAL_UNDEF(&info);
    zend_object* in_flight = std::exchange(EG(exception), nullptr);
    zend_call_method_with_0_params(connection->object(), classes.pdo, nullptr, "errorinfo", &info);
    if (EG(exception)) zend_clear_exception();
    EG(exception) = in_flight;
    error_info = Value::adopt(&info);
  }
  if (!connection->has_written || connection->is_broken) return;
  // The other client libraries store the id. PostgreSQL would need a query.
  has_lost_last_id = config_->driver == Driver::pgsql;
  last_id.reset();
  zend_string* id = has_lost_last_id ? nullptr : connection->driver().last_id(&dbh, nullptr);
  if (!id) return;
  zval text;
  ZVAL_STR(&text, id);
  last_id = Value::adopt(&text);
}

void ConnectionBinding::on_coroutine_end() noexcept {
  coroutine_->disown(*this);
  config_->bindings.remove(*this);
  if (connection) release_connection();
  delete this;
}

void reclaim_connection(ConnectionConfig& config, Pool<Value>& pool) noexcept {
  const bool is_available =
      pool.idle_count() > 0 || pool.count() + pool.creating_count() < static_cast<std::size_t>(config.max);
  if (!is_available && !config.reclaimable.empty()) config.reclaimable.front()->release_connection();
}

}  // namespace trueasync::php::pdo
