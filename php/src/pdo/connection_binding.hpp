// ConnectionBinding: the state of one coroutine on one pooled PDO: its current connection, if any, and the error and
// last insert id of its previous connection.
//
// A connection that is free (Connection::is_free) returns to the pool immediately. After a write the coroutine keeps it,
// because lastInsertId() may follow, but it is reclaimable: it goes to the first coroutine that needs a connection.
//
// Ownership: owns itself, from the first use until the coroutine finishes or the PDO object is destroyed.
// Thread safety: the engine's thread only.
// Errors: as stated for each call.
#pragma once

#include "coroutine.hpp"
#include "pdo/connection.hpp"
#include "pool.hpp"

namespace trueasync::php::pdo {

class ConnectionBinding;

class BindingList {
 public:
  void add(ConnectionBinding& binding) noexcept;
  void remove(ConnectionBinding& binding) noexcept;
  ConnectionBinding* first() const noexcept { return first_; }

 private:
  ConnectionBinding* first_ = nullptr;
};

class ConnectionBinding final : public CoroutineResource {
 public:
  // The binding of the current coroutine; null if it has none.
  static ConnectionBinding* find(const ConnectionConfig& config) noexcept;
  // Creates the binding if there is none. Null: EG(exception) is set.
  static ConnectionBinding* ensure(const std::shared_ptr<ConnectionConfig>& config) noexcept;

  // Returns the connection. Acquires one if there is none or if it is broken. Null: EG(exception) is set. May suspend.
  Connection* bind(PoolObject& pool) noexcept;
  // After a call on the connection: releases it, or makes it reclaimable, if it is free.
  void release_if_free() noexcept;
  void release_connection() noexcept;
  // Destroys the binding. PooledPdo calls it, too, when the PDO object is destroyed.
  void on_coroutine_end() noexcept override;

  Connection* connection = nullptr;
  // Of the previous connection:
  pdo_error_type error_code = "00000";
  Value error_info;
  Value last_id;
  bool has_lost_last_id = false;  // only the released connection knew the id

 private:
  friend class BindingList;
  explicit ConnectionBinding(std::shared_ptr<ConnectionConfig> config) noexcept
      : CoroutineResource(config.get()), config_(std::move(config)) {}
  ~ConnectionBinding() = default;
  void save_results() noexcept;
  void remove_from_reclaimable() noexcept;

  std::shared_ptr<ConnectionConfig> config_;
  CoroutineObject* coroutine_ = nullptr;
  ConnectionBinding* previous_in_list_ = nullptr;
  ConnectionBinding* next_in_list_ = nullptr;
};

// Releases the oldest reclaimable connection if the pool can neither lease nor create another one.
void reclaim_connection(ConnectionConfig& config, Pool<Value>& pool) noexcept;

}  // namespace trueasync::php::pdo
