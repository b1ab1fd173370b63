// Binding: what one coroutine has of one pooled PDO: the connection it works with, if it has one now, and what it may still
// ask about the one it had.
//
// A connection with nothing to keep it goes back at once. After a write it lingers, since the coroutine may ask for the
// last id, but goes to the first one who needs it. Who asks later is told so: another connection has no answer.
//
// Owns: itself, from the first use until the coroutine or the PDO object ends. Threads: the engine's. Errors: as said.
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
  // That of the running coroutine; null: it has none.
  static ConnectionBinding* find(const ConnectionConfig& recipe) noexcept;
  // A new one if there is none; null: EG(exception) is set.
  static ConnectionBinding* ensure(const std::shared_ptr<ConnectionConfig>& recipe) noexcept;

  // The connection, a fresh one if it has none or a broken one (DB-12); null: EG(exception) is set. May wait.
  Connection* bind(PoolObject& pool) noexcept;
  // After a call on the connection: lets it go if it may.
  void release_if_free() noexcept;
  // It was lingering and somebody needs it, or the binding ends.
  void release_connection() noexcept;
  // Belonging: the coroutine has ended. Also when the PDO object has.
  void on_coroutine_end() noexcept override;

  Connection* connection = nullptr;
  pdo_error_type error_code = "00000";  // of the last connection, once it is gone
  Value error_info;
  Value last_id;
  bool has_lost_last_id = false;  // it can't be known any more

 private:
  friend class BindingList;
  explicit ConnectionBinding(std::shared_ptr<ConnectionConfig> recipe) noexcept
      : CoroutineResource(recipe.get()), recipe_(std::move(recipe)) {}
  ~ConnectionBinding() = default;
  void remember_results() noexcept;
  void stop_lingering() noexcept;

  std::shared_ptr<ConnectionConfig> recipe_;
  CoroutineObject* coroutine_ = nullptr;
  ConnectionBinding* previous_in_list_ = nullptr;
  ConnectionBinding* next_in_list_ = nullptr;
};

// No connection is left that could be lent: one that lingers goes back.
void reclaim_connection(ConnectionConfig& recipe, Pool<Value>& pool) noexcept;

}  // namespace trueasync::php::pdo
