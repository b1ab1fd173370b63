#include "engine/autoload.hpp"

#include <list>

#include "engine/runtime.hpp"
#include "support/error.hpp"
#include "support/source_location.hpp"
#include "trueasync/detail/wait_queue.hpp"

namespace trueasync::php::engine {

namespace {

using detail::ControlBlock;

// A class that a coroutine loads or waits to load.
struct Load {
  explicit Load(std::string_view lc_name)
      : name(lc_name), description("the loading of class " + name), lock(description.c_str()) {}

  std::string name;  // in lower case
  std::string description;
  detail::LockQueue lock;
  ControlBlock* loader = nullptr;
  std::uint32_t users = 0;
};

// A coroutine that waits until another coroutine has loaded a class.
// Lifetime: on the stack of the waiting coroutine. After a fatal error the list is not used any more.
struct LoadWaiter final : detail::ListHook {
  LoadWaiter(ControlBlock& waiting, Load& awaited) noexcept : coroutine(waiting), load(awaited) {}
  ControlBlock& coroutine;
  Load& load;
};

struct Loads {
  std::list<Load> all;  // short: searched linearly
  detail::IntrusiveList<LoadWaiter> waiters;
};

TRUEASYNC_PHP_LOCAL Loads* loads = nullptr;
zend_class_entry* (*autoload_next)(zend_string* name, zend_string* lc_name) = nullptr;

std::string_view to_view(const zend_string* name) noexcept { return {ZSTR_VAL(name), ZSTR_LEN(name)}; }

Load* find_load(std::string_view name) noexcept {
  if (!loads) return nullptr;
  for (Load& load : loads->all) {
    if (load.name == name) return &load;
  }
  return nullptr;
}

Load& add_load_user(std::string_view name) {
  if (!loads) loads = new Loads;
  Load* load = find_load(name);
  if (!load) load = &loads->all.emplace_back(name);
  ++load->users;
  return *load;
}

void remove_load_user(Load& load) noexcept {
  if (--load.users == 0) loads->all.remove_if([&](const Load& entry) { return &entry == &load; });
}

void finish_load(Load& load) noexcept {
  load.loader = nullptr;
  load.lock.release_permit();
  remove_load_user(load);
}

std::size_t count_loads_by(const ControlBlock& coroutine) noexcept {
  std::size_t count = 0;
  if (!loads) return count;
  for (const Load& load : loads->all) count += load.loader == &coroutine;
  return count;
}

const Load* find_awaited_load(const ControlBlock* coroutine) noexcept {
  for (LoadWaiter* waiter = loads->waiters.front(); waiter; waiter = loads->waiters.next_of(*waiter)) {
    if (&waiter->coroutine == coroutine) return &waiter->load;
  }
  return nullptr;
}

// Whether this coroutine loads the class, or the loader waits, directly or indirectly, for a class that this one loads.
bool would_deadlock(const Load& load, const ControlBlock& self) noexcept {
  const Load* current = &load;
  while (current && current->loader != &self) current = find_awaited_load(current->loader);
  return current;
}

// Returns false if EG(exception) is set.
bool lock_load(Load& load, ControlBlock& self) noexcept {
  if (load.lock.try_lock()) return true;
  LoadWaiter waiter(self, load);
  loads->waiters.push_back(waiter);
  catch_to_php([&] { load.lock.lock({}, executing_location()); });
  waiter.unlink();
  if (is_bailing) bail_out();
  return !EG(exception);
}

zend_class_entry* find_linked_class(zend_string* lc_name) noexcept {
  auto* found = static_cast<zend_class_entry*>(zend_hash_find_ptr(EG(class_table), lc_name));
  return found && (found->ce_flags & ZEND_ACC_LINKED) ? found : nullptr;
}

// A class is declared but not linked while its parent, an interface or a trait of it is being loaded. The engine finds
// it by name and reports an unknown class. While the loader is suspended the class has another name, so that other
// coroutines call the autoloader and wait there.

// A key that PHP code cannot write. The engine itself uses such keys for classes that are not declared yet.
zend_string* hidden_key(std::string_view name) noexcept {
  constexpr std::string_view kPrefix("\0hidden ", 8);
  return zend_string_concat2(kPrefix.data(), kPrefix.size(), name.data(), name.size());
}

void set_class_key(Bucket* entry, zend_string* key) noexcept { zend_hash_set_bucket_key(EG(class_table), entry, key); }

void hide_unlinked(std::string_view name) noexcept {
  zval* found = zend_hash_str_find(EG(class_table), name.data(), name.size());
  if (!found || (Z_CE_P(found)->ce_flags & ZEND_ACC_LINKED)) return;
  zend_string* hidden = hidden_key(name);
  set_class_key(reinterpret_cast<Bucket*>(found), hidden);
  zend_string_release(hidden);
}

void show_unlinked(std::string_view name) noexcept {
  zend_string* hidden = hidden_key(name);
  if (zval* found = zend_hash_find(EG(class_table), hidden)) {
    zend_string* shown = zend_string_init(name.data(), name.size(), false);
    set_class_key(reinterpret_cast<Bucket*>(found), shown);
    zend_string_release(shown);
  }
  zend_string_release(hidden);
}

bool hide_unlinked_while_suspended(const Coroutine& coroutine, SwitchKind kind) {
  for (const Load& load : loads->all) {
    if (load.loader != detail::Access::block(coroutine)) continue;
    if (kind == SwitchKind::leave) {
      hide_unlinked(load.name);
    } else {
      show_unlinked(load.name);
    }
  }
  return true;
}

// Loads the class unless another coroutine loaded it during the wait for the lock. No local may need a destructor: a
// bailout in the autoloader jumps over this frame.
zend_class_entry* load_exclusively(Load& load, ControlBlock& self, zend_string* name, zend_string* lc_name) {
  if (!lock_load(load, self)) {
    remove_load_user(load);
    return nullptr;
  }
  load.loader = &self;
  zend_class_entry* found = find_linked_class(lc_name);
  if (!found) found = autoload_next(name, lc_name);
  finish_load(load);
  return found;
}

zend_class_entry* load_in_coroutine(zend_string* name, zend_string* lc_name) {
  // `loads` replaces the engine's record: it also knows the loading coroutine.
  zend_hash_del(EG(in_autoload), lc_name);
  ControlBlock& self = *scheduler->running();
  Load* load = find_load(to_view(lc_name));
  if (load && would_deadlock(*load, self)) return nullptr;
  // The handler of the outermost nested load also handles the inner ones.
  SwitchHandlerId handler = 0;
  catch_to_php([&] {
    if (count_loads_by(self) == 1) handler = scheduler->add_switch_handler(self, &hide_unlinked_while_suspended);
    load = &add_load_user(to_view(lc_name));
  });
  zend_class_entry* found = EG(exception) ? nullptr : load_exclusively(*load, self, name, lc_name);
  if (handler) scheduler->remove_switch_handler(self, handler);
  return found;
}

zend_class_entry* autoload(zend_string* name, zend_string* lc_name) {
  if (scheduler) return load_in_coroutine(name, lc_name);
  zend_class_entry* found = autoload_next(name, lc_name);
  if (!scheduler) return found;
  // The autoloader started the runtime, and assign_loads_to_main() added this load.
  if (Load* load = find_load(to_view(lc_name))) finish_load(*load);
  return found;
}

}  // namespace

void hook_autoload() noexcept {
  if (!zend_autoload) return;
  autoload_next = zend_autoload;
  zend_autoload = &autoload;
}

void unhook_autoload() noexcept {
  if (zend_autoload == &autoload) zend_autoload = autoload_next;
}

void assign_loads_to_main() {
  if (!EG(in_autoload)) return;
  zend_string* name;
  ZEND_HASH_FOREACH_STR_KEY(EG(in_autoload), name) {
    Load& load = add_load_user(to_view(name));
    load.lock.try_lock();
    load.loader = scheduler->main();
  }
  ZEND_HASH_FOREACH_END();
  zend_hash_clean(EG(in_autoload));
}

void reset_loads() noexcept { delete std::exchange(loads, nullptr); }

}  // namespace trueasync::php::engine
