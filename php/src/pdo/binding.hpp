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

class Binding;

class BindingList {
 public:
  void add(Binding& binding) noexcept;
  void remove(Binding& binding) noexcept;
  Binding* first() const noexcept { return first_; }

 private:
  Binding* first_ = nullptr;
};

class Binding final : public Belonging {
 public:
  // That of the running coroutine; null: it has none.
  static Binding* find(const Recipe& recipe) noexcept;
  // A new one if there is none; null: EG(exception) is set.
  static Binding* ensure(const std::shared_ptr<Recipe>& recipe) noexcept;

  // The connection, a fresh one if it has none or a broken one (DB-12); null: EG(exception) is set. May wait.
  Connection* bind(PoolObject& pool) noexcept;
  // After a call on the connection: lets it go if it may.
  void settle() noexcept;
  // It was lingering and somebody needs it, or the binding ends.
  void let_go() noexcept;
  // Belonging: the coroutine has ended. Also when the PDO object has.
  void on_end() noexcept override;

  Connection* connection = nullptr;
  pdo_error_type error_code = "00000";  // of the last connection, once it is gone
  Value error_info;
  Value last_id;
  bool has_lost_last_id = false;  // it can't be known any more

 private:
  friend class BindingList;
  explicit Binding(std::shared_ptr<Recipe> recipe) noexcept : Belonging(recipe.get()), recipe_(std::move(recipe)) {}
  ~Binding() = default;
  void remember_results() noexcept;
  void stop_lingering() noexcept;

  std::shared_ptr<Recipe> recipe_;
  CoroutineObject* coroutine_ = nullptr;
  Binding* previous_in_list_ = nullptr;
  Binding* next_in_list_ = nullptr;
};

// No connection is left that could be lent: one that lingers goes back.
void make_room(Recipe& recipe, Pool<Value>& pool) noexcept;

}  // namespace trueasync::php::pdo
