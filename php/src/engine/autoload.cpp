#include "engine/autoload.hpp"

#include <list>

#include "engine/runtime.hpp"
#include "engine/unlinked_class.hpp"
#include "support/error.hpp"
#include "support/source_location.hpp"
#include "trueasync/detail/wait_queue.hpp"

namespace trueasync::php::engine {

namespace {

using detail::ControlBlock;

// One class that somebody loads, or wants to.
struct Load {
  explicit Load(std::string_view given) : name(given), what("the loading of class " + name), lock(what.c_str()) {}

  std::string name;  // in lower case
  std::string what;
  detail::LockQueue lock;
  ControlBlock* loader = nullptr;
  std::uint32_t users = 0;
};

// A coroutine that waits until another one has loaded a class. On its stack: nobody looks at it after a fatal error.
struct Waiting final : detail::ListHook {
  Waiting(ControlBlock& given_coroutine, Load& given_load) noexcept : coroutine(given_coroutine), load(given_load) {}
  ControlBlock& coroutine;
  Load& load;
};

struct Loads {
  std::list<Load> all;  // few at any time
  detail::IntrusiveList<Waiting> waiting;
};

TRUEASYNC_PHP_LOCAL Loads* loads = nullptr;
zend_class_entry* (*autoload_next)(zend_string* name, zend_string* lc_name) = nullptr;

std::string_view text_of(const zend_string* name) noexcept { return {ZSTR_VAL(name), ZSTR_LEN(name)}; }

Load* find_load(std::string_view name) noexcept {
  if (!loads) return nullptr;
  for (Load& load : loads->all) {
    if (load.name == name) return &load;
  }
  return nullptr;
}

Load& use_load(std::string_view name) {
  if (!loads) loads = new Loads;
  Load* load = find_load(name);
  if (!load) load = &loads->all.emplace_back(name);
  ++load->users;
  return *load;
}

void leave_load(Load& load) noexcept {
  if (--load.users == 0) loads->all.remove_if([&](const Load& one) { return &one == &load; });
}

void end_load(Load& load) noexcept {
  load.loader = nullptr;
  load.lock.release_permit();
  leave_load(load);
}

std::size_t loads_of(const ControlBlock& coroutine) noexcept {
  std::size_t count = 0;
  if (!loads) return count;
  for (const Load& load : loads->all) count += load.loader == &coroutine;
  return count;
}

const Load* awaited_by(const ControlBlock* coroutine) noexcept {
  for (Waiting* one = loads->waiting.front(); one; one = loads->waiting.next_of(*one)) {
    if (&one->coroutine == coroutine) return &one->load;
  }
  return nullptr;
}

// Whether it is being loaded by this coroutine, or by one that waits until this one has loaded something.
bool would_deadlock(const Load& load, const ControlBlock& self) noexcept {
  const Load* at = &load;
  while (at && at->loader != &self) at = awaited_by(at->loader);
  return at;
}

// False: EG(exception) is set.
bool wait_for_turn(Load& load, ControlBlock& self) noexcept {
  if (load.lock.try_lock()) return true;
  Waiting waiting(self, load);
  loads->waiting.push_back(waiting);
  catch_to_php([&] { load.lock.lock({}, executing_location()); });
  waiting.unlink();
  if (is_bailing) bail_out();
  return !EG(exception);
}

zend_class_entry* loaded_class(zend_string* lc_name) noexcept {
  auto* found = static_cast<zend_class_entry*>(zend_hash_find_ptr(EG(class_table), lc_name));
  return found && (found->ce_flags & ZEND_ACC_LINKED) ? found : nullptr;
}

// A class whose parent is being loaded is there, but not for others, while its loader is away.
bool hide_unlinked_while_suspended(const Coroutine& coroutine, SwitchKind kind) {
  for (const Load& load : loads->all) {
    if (load.loader != coroutine.block()) continue;
    if (kind == SwitchKind::leave) {
      hide_unlinked(load.name);
    } else {
      show_unlinked(load.name);
    }
  }
  return true;
}

// Waits until it is this one's turn, then loads the class unless somebody else has. No owning local: a fatal error in
// the loader jumps over this.
zend_class_entry* load_exclusively(Load& load, ControlBlock& self, zend_string* name, zend_string* lc_name) {
  if (!wait_for_turn(load, self)) {
    leave_load(load);
    return nullptr;
  }
  load.loader = &self;
  zend_class_entry* found = loaded_class(lc_name);
  if (!found) found = autoload_next(name, lc_name);
  end_load(load);
  return found;
}

zend_class_entry* load_in_coroutine(zend_string* name, zend_string* lc_name) {
  // Here it is known who loads it, which is more.
  zend_hash_del(EG(in_autoload), lc_name);
  ControlBlock& self = *scheduler->running();
  Load* load = find_load(text_of(lc_name));
  if (load && would_deadlock(*load, self)) return nullptr;
  // One handler sees to those further down, too.
  SwitchHandlerId handler = 0;
  catch_to_php([&] {
    if (loads_of(self) == 1) handler = scheduler->add_switch_handler(self, &hide_unlinked_while_suspended);
    load = &use_load(text_of(lc_name));
  });
  zend_class_entry* found = EG(exception) ? nullptr : load_exclusively(*load, self, name, lc_name);
  if (handler) scheduler->remove_switch_handler(self, handler);
  return found;
}

zend_class_entry* autoload(zend_string* name, zend_string* lc_name) {
  if (scheduler) return load_in_coroutine(name, lc_name);
  zend_class_entry* found = autoload_next(name, lc_name);
  if (!scheduler) return found;
  // The loader itself has started the runtime.
  if (Load* load = find_load(text_of(lc_name))) end_load(*load);
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
    Load& load = use_load(text_of(name));
    load.lock.try_lock();
    load.loader = scheduler->main();
  }
  ZEND_HASH_FOREACH_END();
  zend_hash_clean(EG(in_autoload));
}

void reset_loads() noexcept { delete std::exchange(loads, nullptr); }

}  // namespace trueasync::php::engine
