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

ConnectionBinding* ConnectionBinding::find(const ConnectionConfig& recipe) noexcept {
  CoroutineObject* coroutine = engine::current();
  for (CoroutineResource* one = coroutine ? coroutine->resources : nullptr; one; one = one->next) {
    if (one->key == &recipe) return static_cast<ConnectionBinding*>(one);
  }
  return nullptr;
}

ConnectionBinding* ConnectionBinding::ensure(const std::shared_ptr<ConnectionConfig>& recipe) noexcept {
  if (!engine::ensure_started()) return nullptr;
  if (ConnectionBinding* found = find(*recipe)) return found;
  CoroutineObject* coroutine = engine::current();
  if (!coroutine) {
    zend_throw_error(nullptr, "A pooled PDO can be used in coroutines only");
    return nullptr;
  }
  auto* made = new ConnectionBinding(recipe);
  made->coroutine_ = coroutine;
  coroutine->own(*made);
  recipe->bindings.add(*made);
  return made;
}

Connection* ConnectionBinding::bind(PoolObject& pool) noexcept {
  if (connection && connection->is_broken) release_connection();
  stop_lingering();
  if (!connection) {
    Lease<Value> lease;
    ++recipe_->waiting;
    catch_to_php_with_bailout([&] {
      reclaim_connection(*recipe_, *pool.pool);
      lease = pool.pool->acquire({}, executing_location());
    });
    --recipe_->waiting;
    if (!lease) return nullptr;
    connection = Connection::of(lease->object());
    connection->attach_lease(*this, std::move(lease));
    error_info.reset();
  }
  if (recipe_->apply_settings(*connection)) return connection;
  release_if_free();
  return nullptr;
}

void ConnectionBinding::release_if_free() noexcept {
  if (!connection || connection->calls > 0) return;
  if (connection->is_broken) return release_connection();
  stop_lingering();
  if (!connection->is_free()) return;
  if ((connection->has_written || connection->has_counted) && recipe_->waiting == 0) {
    recipe_->reclaimable.push_back(this);
  } else {
    release_connection();
  }
}

void ConnectionBinding::stop_lingering() noexcept {
  auto& all = recipe_->reclaimable;
  if (!all.empty()) all.erase(std::remove(all.begin(), all.end(), this), all.end());
}

void ConnectionBinding::release_connection() noexcept {
  stop_lingering();
  remember_results();
  Connection* going = std::exchange(connection, nullptr);
  going->binding = nullptr;  // first: what happens next may wait (DB-08, DB-09)
  zend_object* object = going->object();
  going->forget_errors();
  going->release_lease_if_free();
  OBJ_RELEASE(object);
}

void ConnectionBinding::remember_results() noexcept {
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
  // Kept by the client library; PostgreSQL would have to be asked.
  has_lost_last_id = recipe_->driver == Driver::pgsql;
  last_id.reset();
  zend_string* id = has_lost_last_id ? nullptr : connection->driver().last_id(&dbh, nullptr);
  if (!id) return;
  zval text;
  ZVAL_STR(&text, id);
  last_id = Value::adopt(&text);
}

void ConnectionBinding::on_coroutine_end() noexcept {
  coroutine_->disown(*this);
  recipe_->bindings.remove(*this);
  if (connection) release_connection();
  delete this;
}

void reclaim_connection(ConnectionConfig& recipe, Pool<Value>& pool) noexcept {
  const bool can_be_had =
      pool.idle_count() > 0 || pool.count() + pool.creating_count() < static_cast<std::size_t>(recipe.max);
  if (!can_be_had && !recipe.reclaimable.empty()) recipe.reclaimable.front()->release_connection();
}

}  // namespace trueasync::php::pdo
