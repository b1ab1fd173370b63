#include "interpose/import_patcher.hpp"

#include <link.h>

#include <algorithm>
#include <mutex>
#include <unordered_map>

#include "interpose/call_context.hpp"
#include "interpose/call_table.hpp"
#include "interpose/import_tables.hpp"
#include "trueasync/blocking.hpp"
#include "trueasync/error.hpp"

namespace trueasync::detail::interpose {

namespace {

// Objects that implement the replacements, and tools that intercept calls themselves. Patching them would recurse.
constexpr std::string_view kNeverPatched[] = {
    "libc.so",   "libc-",      "ld-",      "ld.so",   "libpthread", "libdl.so",     "librt.so",  "librt-",
    "libuv",     "libresolv",  "libnss_",  "libanl",  "libasan",    "libtsan",      "liblsan",   "libubsan",
    "vgpreload", "linux-vdso", "libgcc_s", "libm.so", "libm-",      "libtrueasync", "true_async"};

struct State {
  std::mutex mutex;
  bool is_enabled = false;
  bool patches_all_objects = false;
  std::vector<std::string> included;
  std::vector<std::string> excluded;
  std::unordered_map<void**, void*> originals;  // by slot; may contain slots of unloaded objects
  unsigned long long seen_load_count = 0;
};

// Never destroyed, because replaced calls run until the process exits.
State& global_state() {
  static State* const instance = new State;
  return *instance;
}

bool is_this_library(const dl_phdr_info& object) noexcept {
  return contains(object, reinterpret_cast<const void*>(&find_replacement));
}

bool is_selected(const State& state, const dl_phdr_info& object) noexcept {
  const std::string_view name = object_name(object);
  const auto is_prefix_of_name = [&](std::string_view text) { return name.starts_with(text); };
  const auto is_in_name = [&](std::string_view text) { return name.find(text) != name.npos; };
  if (is_this_library(object) || std::any_of(std::begin(kNeverPatched), std::end(kNeverPatched), is_prefix_of_name))
    return false;
  if (std::any_of(state.excluded.begin(), state.excluded.end(), is_in_name)) return false;
  return state.patches_all_objects || std::any_of(state.included.begin(), state.included.end(), is_in_name);
}

// Counts the imports that are replaced and those that could be.
class ImportCounter final : public ImportVisitor {
 public:
  void on_import(const char* name, void** slot) noexcept override {
    void* replacement = find_replacement(name);
    if (replacement) ++(*slot == replacement ? replaced : unreplaced);
  }
  std::size_t replaced = 0;
  std::size_t unreplaced = 0;
};

ImportCounter count_imports(const dl_phdr_info& object) noexcept {
  ImportCounter counter;
  visit_imports(object, Slots::read_only, counter);
  return counter;
}

// Other threads may call through the slot concurrently.
void set_slot(void** slot, void* function) noexcept { __atomic_store_n(slot, function, __ATOMIC_RELEASE); }

class ImportReplacer final : public ImportVisitor {
 public:
  explicit ImportReplacer(State& state) noexcept : state_(state) {}
  void on_import(const char* name, void** slot) noexcept override {
    void* replacement = find_replacement(name);
    if (!replacement || *slot == replacement) return;
    try {
      state_.originals[slot] = *slot;
      set_slot(slot, replacement);
    } catch (...) {
    }
  }

 private:
  State& state_;
};

class ImportRestorer final : public ImportVisitor {
 public:
  explicit ImportRestorer(State& state) noexcept : state_(state) {}
  void on_import(const char* name, void** slot) noexcept override {
    void* replacement = find_replacement(name);
    if (!replacement || *slot != replacement) return;
    if (auto found = state_.originals.find(slot); found != state_.originals.end()) set_slot(slot, found->second);
  }

 private:
  State& state_;
};

template <class F>
void for_each_object(F visit) noexcept {
  ::dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* argument) {
        (*static_cast<F*>(argument))(*object);
        return 0;
      },
      &visit);
}

unsigned long long load_count() noexcept {
  unsigned long long loads = 0;
  for_each_object([&](const dl_phdr_info& object) { loads = object.dlpi_adds; });
  return loads;
}

// The caller holds the mutex.
bool patch_all_objects(State& state) noexcept {
  bool has_patched = false;
  for_each_object([&](const dl_phdr_info& object) {
    state.seen_load_count = object.dlpi_adds;
    if (!is_selected(state, object) || count_imports(object).unreplaced == 0) return;
    ImportReplacer replacer(state);
    visit_imports(object, Slots::writable, replacer);
    has_patched = true;
  });
  return has_patched;
}

std::string_view find_unavailable_reason() noexcept {
  if (!is_supported_cpu()) return "import patching does not support this CPU architecture";
  std::size_t objects = 0;
  for_each_object([&](const dl_phdr_info& object) {
    if (!object_name(object).starts_with("linux-vdso")) ++objects;
  });
  return objects < 2 ? "the program is statically linked and has no import tables" : "";
}

// The object that contains this code may be unloaded. No slot may point into it afterwards.
struct DisableAtUnload {
  ~DisableAtUnload() { blocking::disable(); }
};

template <class Select>
void enable_with(Select&& select) {
  if (!blocking::is_available()) {
    throw Error("blocking::enable: cannot replace blocking calls: " + std::string(blocking::unavailable_reason()));
  }
  install_fork_handler();
  static const DisableAtUnload disable_at_unload;
  State& state = global_state();
  const std::lock_guard lock(state.mutex);
  select(state);
  state.is_enabled = true;
  patch_all_objects(state);
}

}  // namespace

bool patch_new_objects() noexcept {
  State& state = global_state();
  const std::lock_guard lock(state.mutex);
  new_objects.store(false, std::memory_order_relaxed);
  if (!state.is_enabled || load_count() == state.seen_load_count) return false;
  return patch_all_objects(state);
}

}  // namespace trueasync::detail::interpose

namespace trueasync::blocking {

using namespace detail::interpose;

std::string_view unavailable_reason() noexcept {
  static const std::string_view reason = find_unavailable_reason();
  return reason;
}

void enable() {
  enable_with([](State& state) { state.patches_all_objects = true; });
}

void enable(std::initializer_list<std::string_view> names) {
  enable_with([&](State& state) { state.included.insert(state.included.end(), names.begin(), names.end()); });
}

void exclude(std::initializer_list<std::string_view> names) {
  State& state = global_state();
  const std::lock_guard lock(state.mutex);
  state.excluded.insert(state.excluded.end(), names.begin(), names.end());
}

void disable() noexcept {
  State& state = global_state();
  const std::lock_guard lock(state.mutex);
  for_each_object([&](const dl_phdr_info& object) {
    if (is_this_library(object) || count_imports(object).replaced == 0) return;
    ImportRestorer restorer(state);
    visit_imports(object, Slots::writable, restorer);
  });
  state.originals.clear();
  state.included.clear();
  state.excluded.clear();
  state.is_enabled = state.patches_all_objects = false;
}

bool is_enabled() noexcept {
  State& state = global_state();
  const std::lock_guard lock(state.mutex);
  return state.is_enabled;
}

bool refresh() noexcept { return patch_new_objects(); }

ReplacedImports replaced_imports() {
  State& state = global_state();
  const std::lock_guard lock(state.mutex);
  ReplacedImports result;
  std::exception_ptr error;
  for_each_object([&](const dl_phdr_info& object) {
    const std::size_t count = count_imports(object).replaced;
    if (count == 0 || is_this_library(object)) return;
    result.imports += count;
    try {
      result.objects.emplace_back(object_name(object));
    } catch (...) {
      error = std::current_exception();
    }
  });
  if (error) std::rethrow_exception(error);
  return result;
}

}  // namespace trueasync::blocking
